/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads: the first byte chooses the kind of message, the rest is it. */
#include "tests/unit/wire/try.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	if (len)
		try_payload((enum try_kind)(data[0] % TRY_KINDS), data + 1, len - 1);
	return 0;
}
