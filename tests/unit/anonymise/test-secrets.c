/* SPDX-License-Identifier: Apache-2.0 */
/* The leak scan: every spelling of a secret is found, everybody's words are not. */
#include "controller/anonymise/secrets.h"

#include <string.h>

#include "controller/anonymise/words.h"
#include "tests/unit/suite.h"

static void
finds(const char *secret, enum secret_kind kind, const char *document)
{
	struct secrets *secrets = secrets_new();
	struct leak leak;

	secrets_add(secrets, secret, kind);
	ck_assert_msg(secrets_find(secrets, document, strlen(document), &leak),
	    "'%s' not found in: %s", secret, document);
	leak_free(&leak);
	secrets_free(secrets);
}

static void
passes(const char *secret, enum secret_kind kind, const char *document)
{
	struct secrets *secrets = secrets_new();
	struct leak leak;

	secrets_add(secrets, secret, kind);
	ck_assert_msg(!secrets_find(secrets, document, strlen(document), &leak),
	    "'%s' of '%s' found (%s) in: %s", leak.token, secret, leak.view, document);
	secrets_free(secrets);
}

START_TEST(the_list_is_sorted_and_lower_case)
{
	for (size_t i = 1; i < words_list_n; i++)
		ck_assert_msg(
		    strcmp(words_list[i - 1], words_list[i]) < 0, "%s", words_list[i]);
	for (size_t i = 0; i < words_list_n; i++)
		ck_assert_uint_eq(strspn(words_list[i], "abcdefghijklmnopqrstuvwxyz"),
		    strlen(words_list[i]));
}
END_TEST

/* Names that the list must never hold. */
START_TEST(the_list_holds_no_names)
{
	static const char *const names[] = {"weka", "wekafs", "vast", "lustre", "gpfs",
	    "beegfs", "ceph", "cephfs", "nfs", "mlx5", "bnxt", "irdma", "nvidia",
	    "mellanox", "broadcom", "intel", "dell", "netapp", "pure", "ubuntu",
	    "debian", "rocky", "xfs", "nvme", "infiniband"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], "pure") != 0) /* an English word first */
			ck_assert_msg(!words_is_plain(names[i], strlen(names[i])), "%s",
			    names[i]);
}
END_TEST

START_TEST(spellings)
{
	static const char *const documents[] = {"on WekaFS, twice", "on weka-fs",
	    "Weka_FS", "weka.fs", "<p>wekafs</p>", "a=%77ekafs", "a=%2577ekafs",
	    "&#119;ekafs", "&#x77;eka&shy;fs", "{\"a\": \"\\u0077ekafs\"}",
	    "we\xc2\xadkafs", "mywekafs2",
	    "<img src='data:x;base64,bW91bnQgd2VrYWZzIG5vdw=='>",
	    "data:x;base64,V0VLQUZT", "<path id='WEKAFS'/>"};

	for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
		finds("wekafs", SECRET_TEXT, documents[i]);
}
END_TEST

START_TEST(kinds_of_names)
{
	finds("10.1.22.3", SECRET_TEXT, "from 10.1.22.3 to");
	passes("10.1.22.3", SECRET_TEXT, "from 110.1.22.30 to 1012.23");
	finds("fe80::a236:9fff:fe12:3456", SECRET_TEXT, "FE80::A236:9FFF:FE12:3456");
	finds("a0:36:9f:12:34:56", SECRET_TEXT, "mac A036.9F12.3456");
	finds("nqn.2014-08.org.acme:x1", SECRET_TEXT, "nqn.2014-08.org.acme:x1");
	finds("/mnt/one-xq", SECRET_TEXT, "under one-xq");
	finds("/mnt/one-xq", SECRET_TEXT, "under ONEXQ");
	finds("gpu-01", SECRET_ID, "GPU01 is slow");
	passes("gpu-01", SECRET_TEXT, "gpu-01"); /* known words: not by a text alone */
	finds("6.1.0-25-amd64", SECRET_TEXT, "kernel 6.1.0-25-amd64");
	finds("2026-11-30", SECRET_TEXT, "on 2026-11-30T20:00:00Z");
	finds("M\xc3\xbcller", SECRET_TEXT, "of M\xc3\xbcller & co");
	finds("12345678", SECRET_ID, "serial 12345678");
	passes("12345678", SECRET_ID, "912345678 bytes");
	passes("12345678", SECRET_TEXT, "12345678 bytes");
	passes("size=21474836480", SECRET_TEXT, "21474836480");
	finds("4.2.7", SECRET_TEXT, "version 4.2.7");
	finds("S4EVNX0M", SECRET_TEXT, "s4evnx0m");
	finds("9a3f00d1e2b4c5d6", SECRET_ID, "case 9a3f00d1e2b4c5d6");
	finds("vol1", SECRET_TEXT, "on vol1.");
}
END_TEST

START_TEST(what_is_no_secret)
{
	passes("seq-read-1m", SECRET_TEXT, "the seq-read-1m cells");
	passes("clients started 12 ms apart, limit 10 ms", SECRET_TEXT,
	    "clients started 12 ms apart, limit 10 ms");
	passes("rw=randread bs=4096 iodepth=32", SECRET_TEXT, "randread bs 4096");
	passes("xyz", SECRET_TEXT, "xyz"); /* three characters: below the limit */
	passes("perf", SECRET_TEXT, "performance");
	passes("perform", SECRET_TEXT, "performance"); /* inside of a known word */
	passes("1.5", SECRET_TEXT, "1.5 GiB/s");
	passes("", SECRET_TEXT, "anything");
}
END_TEST

START_TEST(the_place_is_named)
{
	static const char document[] = "first\nsecond %77ekafs\n";
	struct secrets *secrets = secrets_new();
	struct leak leak;

	secrets_add(secrets, "fs wekafs", SECRET_TEXT);
	ck_assert(secrets_has(secrets, "WekaFS"));
	ck_assert(!secrets_has(secrets, "weka"));
	ck_assert_uint_eq(secrets_count(secrets), 1);
	ck_assert(secrets_find(secrets, document, strlen(document), &leak));
	ck_assert_uint_eq(leak.line, 2);
	ck_assert_uint_eq(leak.column, 8);
	ck_assert_str_eq(leak.token, "wekafs");
	ck_assert_str_eq(leak.view, "decoded");
	leak_free(&leak);
	ck_assert(!secrets_find(secrets, "", 0, &leak));
	secrets_free(secrets);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("secrets", the_list_is_sorted_and_lower_case,
	    the_list_holds_no_names, spellings, kinds_of_names, what_is_no_secret,
	    the_place_is_named);
}
