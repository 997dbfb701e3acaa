/* SPDX-License-Identifier: Apache-2.0 */
/* Host lists: what expands to what, what is refused, and where a file is wrong. */
#include "lib/base/hostlist.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/str.h"
#include "tests/unit/suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PORT 7411

/* All hosts of the list, formatted, separated by blanks. */
static char *
flat(const struct hostlist *list)
{
	struct str str = {0};

	for (vec_each(const struct host *, host, &list->hosts)) {
		char *text = host_format(host);

		str_addf(&str, "%s%s", str.len ? " " : "", text);
		free(text);
	}
	return str_take(&str);
}

static void
expands(const char *text, const char *want)
{
	struct hostlist list = {0};
	struct err err = ERR_INIT;
	char *got;

	ck_assert_msg(
	    hostlist_parse(&list, text, PORT, &err) == 0, "%s: %s", text, err.msg);
	got = flat(&list);
	ck_assert_str_eq(got, want);
	free(got);
	hostlist_free(&list);
}

static void
refused(const char *text, const char *want)
{
	struct hostlist list = {0};
	struct err err = ERR_INIT;

	ck_assert_msg(hostlist_parse(&list, text, PORT, &err) == -1, "%s", text);
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_str_eq(err.msg, want);
	ck_assert_uint_eq(list.hosts.n, 0);
	hostlist_free(&list);
}

START_TEST(plain_names)
{
	expands("gpu01", "gpu01:7411");
	expands("a,b , c", "a:7411 b:7411 c:7411");
	expands(" a.example.org:80\n", "a.example.org:80");
	expands("a_b-c.d", "a_b-c.d:7411");
	expands("10.1.0.1", "10.1.0.1:7411");
	expands("host:65535,host:1", "host:65535 host:1");
	expands("1a", "1a:7411");
}
END_TEST

START_TEST(ranges)
{
	expands("gpu[1-3]", "gpu1:7411 gpu2:7411 gpu3:7411");
	expands("gpu[08-11]", "gpu08:7411 gpu09:7411 gpu10:7411 gpu11:7411");
	expands("gpu[8-11]", "gpu8:7411 gpu9:7411 gpu10:7411 gpu11:7411");
	expands("gpu[001-2]", "gpu001:7411 gpu002:7411");
	expands("gpu[0-1]", "gpu0:7411 gpu1:7411");
	expands("gpu[00-01]", "gpu00:7411 gpu01:7411");
	expands("gpu[5-5]", "gpu5:7411");
	expands("gpu[7]", "gpu7:7411");
	expands("gpu[1-2,5,09]", "gpu1:7411 gpu2:7411 gpu5:7411 gpu09:7411");
	expands("10.1.0.[1-4]:7500",
	    "10.1.0.1:7500 10.1.0.2:7500 10.1.0.3:7500 10.1.0.4:7500");
	expands("a[1-3,7]b[1-2]", "a1b1:7411 a1b2:7411 a2b1:7411 a2b2:7411 a3b1:7411 "
				  "a3b2:7411 a7b1:7411 a7b2:7411");
	expands("[1-2]x", "1x:7411 2x:7411");
	expands("h:[7001-7003]", "h:7001 h:7002 h:7003");
	expands("r[1-2]n[1]-eth0,z", "r1n1-eth0:7411 r2n1-eth0:7411 z:7411");
}
END_TEST

START_TEST(ipv6)
{
	expands("[::1]:7411", "[::1]:7411");
	expands("[::1]", "[::1]:7411");
	expands("[::1]:80", "[::1]:80");
	expands("::1", "[::1]:7411");
	expands("[fe80::1%eth0]", "[fe80::1%eth0]:7411");
	expands("fe80::1%eth0", "[fe80::1%eth0]:7411");
	expands("[fe80::1%eth0.100]:9", "[fe80::1%eth0.100]:9");
	expands("fd00::[1-3]", "[fd00::1]:7411 [fd00::2]:7411 [fd00::3]:7411");
	expands("::ffff:10.0.0.1", "[::ffff:10.0.0.1]:7411");
	expands("gpu[01-02],10.1.0.[1-2]:7500,[::1]:7411",
	    "gpu01:7411 gpu02:7411 10.1.0.1:7500 10.1.0.2:7500 [::1]:7411");
}
END_TEST

START_TEST(duplicates_first_wins)
{
	expands("b,a,b", "b:7411 a:7411");
	expands("a,A", "a:7411");
	expands("a:7411,a", "a:7411");
	expands("a:1,a:2", "a:1 a:2");
	expands("::1,[::1]:7411", "[::1]:7411");
	expands("g[1-3],g[2-4]", "g1:7411 g2:7411 g3:7411 g4:7411");
	expands("g[1,1,1]", "g1:7411");
}
END_TEST

START_TEST(duplicates_across_calls)
{
	struct hostlist list = {0};
	struct err err = ERR_INIT;
	char *got;

	ck_assert_int_eq(hostlist_parse(&list, "a,b", PORT, &err), 0);
	ck_assert_int_eq(hostlist_parse(&list, "b,c", PORT, &err), 0);
	/* A fault leaves the list as it was. */
	ck_assert_int_eq(hostlist_parse(&list, "d,e,f:0", PORT, &err), -1);
	got = flat(&list);
	ck_assert_str_eq(got, "a:7411 b:7411 c:7411");
	free(got);
	hostlist_free(&list);
	ck_assert(!list.hosts.v && !list.hosts.n);
}
END_TEST

START_TEST(empty_is_refused)
{
	refused("", "the host list is empty");
	refused(" \t\n", "the host list is empty");
	refused(",", "an entry is empty");
	refused("a,,b", "an entry is empty");
	refused("a,", "an entry is empty");
	refused(",a", "an entry is empty");
	refused(":7411", "host \":7411\": the host name is missing");
	refused("a[]", "host \"a[]\": a number is missing in the brackets");
	refused("[]", "host \"[]\": a number is missing in the brackets");
}
END_TEST

START_TEST(bad_ports)
{
	static const char *const ports[] = {
	    "", "0", "65536", "99999", "100000", "x", "-1", "+1", "1x", "080", "0x50"};

	for (size_t i = 0; i < COUNT(ports); i++) {
		char text[64], want[128];

		snprintf(text, sizeof text, "host:%s", ports[i]);
		snprintf(want, sizeof want,
		    "host \"%s\": port \"%s\" is not a number from 1 to 65535", text,
		    ports[i]);
		refused(text, want);
		snprintf(text, sizeof text, "[::1]:%s", ports[i]);
		snprintf(want, sizeof want,
		    "host \"%s\": port \"%s\" is not a number from 1 to 65535", text,
		    ports[i]);
		refused(text, want);
	}
}
END_TEST

START_TEST(bad_ranges)
{
	refused("g[3-1]", "host \"g[3-1]\": range 3-1 runs backwards");
	refused("g[1-3", "host \"g[1-3\": '[' without ']'");
	refused("g1-3]", "host \"g1-3]\": ']' without '['");
	refused("g[1-[2]]", "host \"g[1-[2]]\": '[' inside brackets");
	refused("g[1-]", "host \"g[1-]\": a number is missing in the brackets");
	refused("g[-3]", "host \"g[-3]\": a number is missing in the brackets");
	refused("g[1,]", "host \"g[1,]\": a number is missing in the brackets");
	refused("g[1-2-3]",
	    "host \"g[1-2-3]\": '-' between brackets, where only numbers, "
	    "ranges and commas may stand");
	refused("g[1 - 2]",
	    "host \"g[1 - 2]\": ' ' between brackets, where only numbers, "
	    "ranges and commas may stand");
	refused("g[a-c]", "host \"g[a-c]\": a number is missing in the brackets");
	refused("g[1234567890]",
	    "host \"g[1234567890]\": a number of more than 9 digits "
	    "in the brackets");
}
END_TEST

START_TEST(bad_names)
{
	refused("a b", "host \"a b\": character ' ' in a host name");
	refused("a/b", "host \"a/b\": character '/' in a host name");
	refused("a\xc3\xa4", "host \"a\xc3\xa4\": byte 0xc3 in a host name");
	refused("-a", "host \"-a\": a host name does not start with '-'");
	refused(".a", "host \".a\": a host name does not start with '.'");
	refused("10.1.0.256", "host \"10.1.0.256\": \"10.1.0.256\" is no IPv4 address");
	refused("10.1.0.[255-256]",
	    "host \"10.1.0.[255-256]\": \"10.1.0.256\" is no IPv4 address");
	refused("10.1", "host \"10.1\": \"10.1\" is no IPv4 address");
	refused("12", "host \"12\": \"12\" is no IPv4 address");
	refused("11111111111111111111111111",
	    "host \"11111111111111111111111111\": \"11111111111111111111111111\" is no "
	    "IPv4 address");
	refused("::g", "host \"::g\": \"::g\" is no IPv6 address");
	refused("[1:2]", "host \"[1:2]\": \"1:2\" is no IPv6 address");
	refused(
	    "[::1]x", "host \"[::1]x\": only :port may follow an address in brackets");
	refused("[::1", "host \"[::1\": '[' without ']'");
	refused("[fe80::1%]", "host \"[fe80::1%]\": the zone after % is empty");
	refused("[fe80::1%a/b]",
	    "host \"[fe80::1%a/b]\": character '/' in the zone of an IPv6 address");
	refused("fd00::[1-4]:7411",
	    "host \"fd00::[1-4]:7411\": is the last number a port? Numbers in brackets "
	    "cannot stand in an IPv6 address with a port");
}
END_TEST

START_TEST(long_names)
{
	struct hostlist list = {0};
	struct err err = ERR_INIT;
	char name[255];

	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = '\0'; /* 254 */
	ck_assert_int_eq(hostlist_parse(&list, name, PORT, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "longer than 253 characters"));
	ck_assert_int_eq(hostlist_parse(&list, name + 1, PORT, &err), 0);
	hostlist_free(&list);
}
END_TEST

START_TEST(large_lists)
{
	struct hostlist list = {0};
	struct err err = ERR_INIT;

	ck_assert_int_eq(hostlist_parse(&list, "n[0-65535]", PORT, &err), 0);
	ck_assert_uint_eq(list.hosts.n, HOSTLIST_MAX);
	ck_assert_str_eq(list.hosts.v[65535].name, "n65535");
	/* One more host is too many; one that is there already is not. */
	ck_assert_int_eq(hostlist_parse(&list, "n7", PORT, &err), 0);
	ck_assert_int_eq(hostlist_parse(&list, "other", PORT, &err), -1);
	ck_assert_str_eq(err.msg, "host \"other\": more than 65536 hosts");
	ck_assert_uint_eq(list.hosts.n, HOSTLIST_MAX);
	hostlist_free(&list);
	refused("n[1-70000]",
	    "host \"n[1-70000]\": range 1-70000 has more than 65536 hosts");
	refused("a[1-300]b[1-300]", "host \"a[1-300]b[1-300]\": more than 65536 hosts");
	/* Short text, 2^30 results, all of them the same two hosts. */
	refused("[1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1]"
		"[1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1]x",
	    "host \"[1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1][1,1]"
	    "[1,1][1,1][1,1]\": more than 65536 hosts");
}
END_TEST

/* Writes a file of this text and reads it as a host list. */
static int
read_text(
    struct hostlist *list, const char *text, size_t len, char path[32], struct err *err)
{
	int fd, rc;

	strcpy(path, "hostlist-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, len), (ssize_t)len);
	close(fd);
	rc = hostlist_read(list, path, PORT, err);
	unlink(path);
	return rc;
}

START_TEST(files)
{
	static const char text[] = "# the rack\n"
				   "gpu[01-02]   # two of them\n"
				   "\n"
				   "   \t\n"
				   "  10.0.0.1:7500 , ::1\r\n"
				   "gpu01\n"
				   "last";
	struct hostlist list = {0};
	struct err err = ERR_INIT;
	char path[32], *got;

	ck_assert_msg(
	    read_text(&list, text, sizeof text - 1, path, &err) == 0, "%s", err.msg);
	got = flat(&list);
	ck_assert_str_eq(
	    got, "gpu01:7411 gpu02:7411 10.0.0.1:7500 [::1]:7411 last:7411");
	free(got);
	hostlist_free(&list);
}
END_TEST

START_TEST(file_faults_have_a_place)
{
	static const struct {
		const char *text;
		const char *want; /* after the path */
	} cases[] = {
	    {"a\nb\n  c:0\n",
		":3:3: host \"c:0\": port \"0\" is not a number from 1 to "
		"65535"},
	    {"ok\nx, gpu[1-2,9-3]\n",
		":2:12: host \"gpu[1-2,9-3]\": range 9-3 runs backwards"},
	    {"gpu[1;2]\n", ":1:6: host \"gpu[1;2]\": ';' between brackets, where only "
			   "numbers, ranges and commas may stand"},
	    {"a,,b\n", ":1:3: an entry is empty"},
	    {"a]\n", ":1:2: host \"a]\": ']' without '['"},
	    {"\n\n ab[1-2\n", ":3:4: host \"ab[1-2\": '[' without ']'"},
	    {"# nobody\n", ": no host in this file"},
	    {"", ": no host in this file"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct hostlist list = {0};
		struct err err = ERR_INIT;
		char path[32], want[300];

		ck_assert_int_eq(
		    read_text(&list, cases[i].text, strlen(cases[i].text), path, &err),
		    -1);
		snprintf(want, sizeof want, "%s%s", path, cases[i].want);
		ck_assert_str_eq(err.msg, want);
		ck_assert_uint_eq(list.hosts.n, 0);
		hostlist_free(&list);
	}
}
END_TEST

START_TEST(file_with_a_nul_or_missing)
{
	struct hostlist list = {0};
	struct err err = ERR_INIT;
	char path[32], want[100];

	ck_assert_int_eq(read_text(&list, "a\nb\0c\n", 6, path, &err), -1);
	snprintf(want, sizeof want, "%s:2:2: a NUL byte", path);
	ck_assert_str_eq(err.msg, want);
	ck_assert_int_eq(hostlist_read(&list, "/nonexistent/hosts", PORT, &err), -1);
	ck_assert_str_eq(err.msg, "open /nonexistent/hosts: No such file or directory");
	ck_assert_int_eq(err.code, ERR_USAGE);
	/* A folder opens, and fails at the first read. */
	ck_assert_int_eq(hostlist_read(&list, "/", PORT, &err), -1);
	ck_assert_str_eq(err.msg, "read /: Is a directory");
	hostlist_free(&list);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("hostlist", plain_names, ranges, ipv6, duplicates_first_wins,
	    duplicates_across_calls, empty_is_refused, bad_ports, bad_ranges, bad_names,
	    long_names, large_lists, files, file_faults_have_a_place,
	    file_with_a_nul_or_missing);
}
