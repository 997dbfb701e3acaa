/* SPDX-License-Identifier: Apache-2.0 */
/*
 * volley-io: the I/O worker.  Everything is in cli.c.
 */
#include "agent/worker/cli.h"

int
main(int argc, char **argv)
{
	return cli_main(argc, argv);
}
