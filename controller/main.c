/* SPDX-License-Identifier: Apache-2.0 */
/* volley: see cli.c and the cmd-*.c files. */
#include "controller/cli.h"

int
main(int argc, char **argv)
{
	return cli_main(argc, argv);
}
