/* SPDX-License-Identifier: Apache-2.0 */
/* volleyd: see agentd.c. */
#include "agent/agentd.h"

int
main(int argc, char **argv)
{
	return agentd_main(argc, argv);
}
