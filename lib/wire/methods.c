/* SPDX-License-Identifier: Apache-2.0 */
/* The table of methods. */
#include "lib/wire/methods.h"

#include <stddef.h>

static const struct wire_method_info methods[] = {
    [WIRE_FACTS] = {"facts", WIRE_MAX_SMALL, WIRE_MAX_ORDER},
    [WIRE_ORDER] = {"order", WIRE_MAX_ORDER, WIRE_MAX_SMALL},
    [WIRE_REPORTS] = {"reports", 0, WIRE_MAX_SMALL},
    [WIRE_SAMPLES] = {"samples", WIRE_MAX_SMALL, WIRE_MAX_SMALL},
    [WIRE_COLLECT] = {"collect", WIRE_MAX_SMALL, WIRE_MAX_TALLY},
    [WIRE_LOG] = {"log", WIRE_MAX_SMALL, WIRE_MAX_LOG},
    [WIRE_COUNTERS] = {"counters", WIRE_MAX_SMALL, WIRE_MAX_COUNTERS},
    [WIRE_TARGET] = {"target", WIRE_MAX_SMALL, WIRE_MAX_SMALL},
    [WIRE_COMMAND] = {"command", WIRE_MAX_SMALL, WIRE_MAX_SMALL},
};

const struct wire_method_info *
wire_method_info(unsigned method)
{
	if (method >= sizeof methods / sizeof *methods || !methods[method].name)
		return NULL;
	return &methods[method];
}
