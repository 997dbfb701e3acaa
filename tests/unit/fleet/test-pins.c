/* SPDX-License-Identifier: Apache-2.0 */
/* Pinned agent keys. */
#include "controller/fleet/pins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/suite.h"

static char path[] = "/tmp/volley-pins-XXXXXX";
static const uint8_t one[KEY_PUBLIC_LEN] = {1, 2, 3}, other[KEY_PUBLIC_LEN] = {9, 9};

static void fresh(struct pins *pins)
{
	struct err err = ERR_INIT;

	memcpy(path + sizeof path - 7, "XXXXXX", 6);
	close(mkstemp(path));
	unlink(path);
	ck_assert_int_eq(pins_open(pins, path, false, &err), 0);
}

START_TEST(first_use_pins_for_good)
{
	struct pins pins;
	struct err err = ERR_INIT;

	fresh(&pins);
	/* Asking pins nothing: the peer has not proved yet that it holds the key. */
	ck_assert_int_eq(pins_check(&pins, "gpu01:7411", other, &err), 0);
	ck_assert_int_eq(pins_learn(&pins, "gpu01:7411", one, &err), 0);
	ck_assert_int_eq(pins_learn(&pins, "gpu01:7411", one, &err), 0);
	pins_close(&pins);

	ck_assert_int_eq(pins_open(&pins, path, true, &err), 0);
	ck_assert_uint_eq(pins.ring.entries.n, 1);
	ck_assert_int_eq(pins_check(&pins, "gpu01:7411", one, &err), 0);
	pins_close(&pins);
	unlink(path);
}
END_TEST

START_TEST(another_key_is_refused)
{
	struct pins pins;
	struct err err = ERR_INIT;

	fresh(&pins);
	ck_assert_int_eq(pins_learn(&pins, "gpu01:7411", one, &err), 0);
	ck_assert_int_eq(pins_learn(&pins, "gpu01:7411", other, &err), -1);
	ck_assert_int_eq(err.code, ERR_AUTH);
	ck_assert_ptr_nonnull(strstr(err.msg, "the key of agent gpu01:7411 is not the one "
					      "pinned in "));
	ck_assert_ptr_nonnull(strstr(err.msg, "SHA256:"));
	/* The file still holds the first one, and another host may have any key. */
	ck_assert_int_eq(pins_check(&pins, "gpu02:7411", other, &err), 0);
	ck_assert_int_eq(pins_check(&pins, "gpu01:7411", one, &err), 0);
	pins_close(&pins);
	unlink(path);
}
END_TEST

START_TEST(strict_takes_nobody_new)
{
	struct pins pins;
	struct err err = ERR_INIT;

	fresh(&pins);
	ck_assert_int_eq(pins_learn(&pins, "gpu01:7411", one, &err), 0);
	pins_close(&pins);
	ck_assert_int_eq(pins_open(&pins, path, true, &err), 0);
	ck_assert_int_eq(pins_check(&pins, "gpu03:7411", one, &err), -1);
	ck_assert_int_eq(err.code, ERR_AUTH);
	ck_assert_ptr_nonnull(strstr(err.msg, "agent gpu03:7411 is not pinned in "));
	pins_close(&pins);
	unlink(path);
	ck_assert_int_eq(pins_open(&pins, path, true, &err), 0); /* missing: empty */
	ck_assert_int_eq(pins_check(&pins, "gpu01:7411", one, &err), -1);
	pins_close(&pins);
}
END_TEST

int main(void)
{
	return SUITE_MAIN("pins", first_use_pins_for_good, another_key_is_refused,
			  strict_takes_nobody_new);
}
