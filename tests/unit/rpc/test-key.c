/* SPDX-License-Identifier: Apache-2.0 */
/* Keys: their files, modes, text, fingerprints, and lists of them. */
#include "lib/rpc/key.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "tests/unit/suite.h"

/* RFC 8032, 7.1, test 1: secret 9d61..7f60, public d75a..511a. */
static const char pem[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n";
static const char pub_line[] =
    "volley-ed25519 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo= poc key";
static const char pub_fingerprint[] =
    "SHA256:If4x36FUomFia/hUBG/SJxt77UtqvkWqWId+9H+XIbk";

static char *
in_tmp(void)
{
	char *dir = mem_strdup("/tmp/volley-key-XXXXXX");

	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
	return dir;
}

static void
tmp_gone(char *dir)
{
	char *command = mem_printf("rm -rf %s", dir);

	ck_assert_int_eq(system(command), 0);
	free(command);
	free(dir);
}

static void
write_file(const char *path, const char *text, mode_t mode)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	ck_assert_int_eq(chmod(path, mode), 0);
}

static char *
read_file(const char *path)
{
	char text[4096];
	FILE *file = fopen(path, "r");
	size_t n;

	ck_assert_ptr_nonnull(file);
	n = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	return mem_strndup(text, n);
}

START_TEST(a_known_key_has_its_known_public_half)
{
	char *dir = in_tmp();
	struct key *key;
	struct key_public pub;
	struct err err = ERR_INIT;
	char *text;

	write_file("k.key", pem, 0600);
	ck_assert_int_eq(key_load(&key, "k.key", &err), 0);
	key_public(key, &pub);
	ck_assert_uint_eq(pub.raw[0], 0xd7);
	ck_assert_uint_eq(pub.raw[31], 0x1a);
	pub.comment = (char *)"poc key";
	text = key_public_format(&pub);
	ck_assert_str_eq(text, pub_line);
	free(text);
	text = key_fingerprint(pub.raw);
	ck_assert_str_eq(text, pub_fingerprint);
	free(text);
	key_free(key);
	tmp_gone(dir);
}
END_TEST

START_TEST(a_pair_is_made)
{
	char *dir = in_tmp();
	struct key *key;
	struct key_public pub, read;
	struct err err = ERR_INIT;
	struct stat st;
	char *line;

	umask(0);
	ck_assert_int_eq(key_create("poc", "me@here", &err), 0);
	ck_assert_int_eq(stat("poc.key", &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(stat("poc.pub", &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0644);
	ck_assert_int_eq(key_load(&key, "poc.key", &err), 0);
	key_public(key, &pub);
	line = read_file("poc.pub");
	ck_assert_uint_eq(strlen(line), strlen("volley-ed25519 ") + 44 + 9);
	ck_assert_int_eq(key_public_parse(&read, line, &err), 0);
	ck_assert_mem_eq(read.raw, pub.raw, KEY_PUBLIC_LEN);
	ck_assert_str_eq(read.comment, "me@here");
	key_public_free(&read);
	free(line);
	key_free(key);
	tmp_gone(dir);
}
END_TEST

START_TEST(keys_are_never_overwritten)
{
	char *dir = in_tmp();
	struct err err = ERR_INIT;
	char *text;

	write_file("a.key", "precious", 0600);
	ck_assert_int_eq(key_create("a", "", &err), -1);
	ck_assert_str_eq(err.msg, "create a.key: File exists");
	text = read_file("a.key");
	ck_assert_str_eq(text, "precious");
	free(text);
	ck_assert_int_eq(access("a.pub", F_OK), -1);

	write_file("b.pub", "precious", 0644);
	ck_assert_int_eq(key_create("b", "", &err), -1);
	ck_assert_str_eq(err.msg, "create b.pub: File exists");
	text = read_file("b.pub");
	ck_assert_str_eq(text, "precious");
	free(text);
	ck_assert_int_eq(access("b.key", F_OK), -1); /* no half pair stays */
	tmp_gone(dir);
}
END_TEST

START_TEST(files_that_others_can_read_are_refused)
{
	static const mode_t bad[] = {0640, 0604, 0620, 0602, 0610, 0677};
	char *dir = in_tmp();
	struct key *key;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		write_file("k.key", pem, bad[i]);
		ck_assert_int_eq(key_load(&key, "k.key", &err), -1);
		ck_assert_int_eq(err.code, ERR_POLICY);
	}
	write_file("k.key", pem, 0640);
	key_load(&key, "k.key", &err);
	ck_assert_str_eq(err.msg, "k.key: others may read or write it (mode 0640): "
				  "chmod 600 k.key");
	write_file("passwd", "root:x:0:0\n", 0644);
	ck_assert_int_eq(key_load(&key, "passwd", &err), -1);
	ck_assert_str_eq(err.msg,
	    "passwd: not a private key in PEM form without a passphrase");
	write_file("k.key", pem, 0400);
	ck_assert_int_eq(key_load(&key, "k.key", &err), 0);
	key_free(key);
	tmp_gone(dir);
}
END_TEST

static void
refuses(const char *text, const char *message)
{
	struct key *key;
	struct err err = ERR_INIT;

	write_file("x.key", text, 0600);
	ck_assert_int_eq(key_load(&key, "x.key", &err), -1);
	ck_assert_int_eq(err.code, ERR_AUTH);
	ck_assert_str_eq(err.msg, message);
}

START_TEST(files_that_are_no_keys_are_refused)
{
	static const char *const not_pem =
	    "x.key: not a private key in PEM form without a passphrase";
	char *dir = in_tmp();
	struct key *key;
	struct err err = ERR_INIT;

	refuses("", not_pem);
	refuses("hello\n", not_pem);
	refuses(pub_line, not_pem);
	/* An X25519 key is no Ed25519 key. */
	refuses("-----BEGIN PRIVATE KEY-----\n"
		"MC4CAQAwBQYDK2VuBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
		"-----END PRIVATE KEY-----\n",
	    "x.key: not an Ed25519 key");
	ck_assert_int_eq(key_load(&key, "/", &err), -1);
	ck_assert_str_eq(err.msg, "/: not a regular file");
	ck_assert_int_eq(key_load(&key, "none.key", &err), -1);
	ck_assert_int_eq(err.errnum, ENOENT);
	ck_assert_str_eq(err.msg, "open none.key: No such file or directory");
	tmp_gone(dir);
}
END_TEST

START_TEST(load_or_create_makes_it_once)
{
	char *dir = in_tmp();
	struct key *first, *second;
	struct key_public a, b, read;
	struct err err = ERR_INIT;
	char *line;

	ck_assert_int_eq(key_load_or_create(&first, "agent.key", "gpu01", &err), 0);
	ck_assert_int_eq(key_load_or_create(&second, "agent.key", "gpu01", &err), 0);
	key_public(first, &a);
	key_public(second, &b);
	ck_assert_mem_eq(a.raw, b.raw, KEY_PUBLIC_LEN);
	ck_assert_int_eq(access("agent.pub", F_OK), 0);
	key_free(first);
	key_free(second);
	/* The private half was removed: its public half is stale. */
	ck_assert_int_eq(unlink("agent.key"), 0);
	write_file("agent.pub.new", "half", 0600);
	ck_assert_int_eq(key_load_or_create(&first, "agent.key", "gpu01", &err), 0);
	key_public(first, &b);
	ck_assert_mem_ne(a.raw, b.raw, KEY_PUBLIC_LEN);
	line = read_file("agent.pub");
	ck_assert_int_eq(key_public_parse(&read, line, &err), 0);
	ck_assert_mem_eq(read.raw, b.raw, KEY_PUBLIC_LEN);
	ck_assert_int_eq(access("agent.pub.new", F_OK), -1);
	key_public_free(&read);
	key_free(first);
	free(line);
	write_file("bad.key", "no", 0600);
	ck_assert_int_eq(key_load_or_create(&first, "bad.key", "", &err), -1);
	ck_assert_int_eq(key_load_or_create(&first, "bad.key", "", NULL), -1);
	ck_assert_int_eq(err.code, ERR_AUTH);
	ck_assert_int_eq(key_load_or_create(&first, "no/such/k.key", "", &err), -1);
	ck_assert_str_eq(err.msg, "create no/such/k.key: No such file or directory");
	tmp_gone(dir);
}
END_TEST

START_TEST(public_lines)
{
	static const char *const bad[] = {"", "volley-ed25519", "volley-ed25519 ",
	    "ssh-ed25519 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
	    "volley-ed25519 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo", /* no padding */
	    "volley-ed25519 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURp=", /* spare bits */
	    "volley-ed25519 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHUR==", /* 31 bytes */
	    "volley-ed25519 11qYAYKxCrfVS!7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
	    "volley-ed25519 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=x"};
	struct key_public pub;
	struct err err = ERR_INIT;
	char *text;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_int_eq(key_public_parse(&pub, bad[i], &err), -1);
		ck_assert_int_eq(err.code, ERR_AUTH);
		ck_assert(str_starts(err.msg, "not a public key: "));
	}
	ck_assert_int_eq(
	    key_public_parse(&pub,
		"  volley-ed25519\t11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=  poc "
		"key \r\n",
		&err),
	    0);
	text = key_public_format(&pub);
	ck_assert_str_eq(text, pub_line);
	free(text);
	key_public_free(&pub);
}
END_TEST

START_TEST(known_agents_round_trip)
{
	char *dir = in_tmp();
	struct keyring ring = {0};
	struct key_public one = {.raw = {1}, .comment = (char *)"first"};
	struct key_public two = {.raw = {2}};
	struct err err = ERR_INIT;
	const struct key_entry *entry;

	ck_assert_int_eq(keyring_read(&ring, "known_agents", true, &err), 0);
	ck_assert_uint_eq(ring.entries.n, 0);
	write_file("known_agents", "# by hand\n\n", 0600);
	ck_assert_int_eq(keyring_append("known_agents", "gpu01:7411", &one, &err), 0);
	ck_assert_int_eq(keyring_append("known_agents", "[::1]:7411", &two, &err), 0);
	ck_assert_int_eq(keyring_read(&ring, "known_agents", true, &err), 0);
	ck_assert_uint_eq(ring.entries.n, 2);
	entry = keyring_find(&ring, "gpu01:7411", one.raw);
	ck_assert_ptr_eq(entry, &ring.entries.v[0]);
	ck_assert_str_eq(entry->pub.comment, "first");
	ck_assert_ptr_null(keyring_find(&ring, "gpu01:7411", two.raw));
	ck_assert_ptr_null(keyring_find(&ring, "gpu02:7411", one.raw));
	ck_assert_ptr_null(keyring_find(&ring, "gpu02:7411", NULL));
	ck_assert_ptr_eq(keyring_find(&ring, "gpu01:7411", NULL), &ring.entries.v[0]);
	ck_assert_ptr_eq(keyring_find(&ring, NULL, two.raw), &ring.entries.v[1]);
	ck_assert_str_eq(ring.entries.v[1].host, "[::1]:7411");
	keyring_free(&ring);
	ck_assert_ptr_null(keyring_find(&ring, NULL, two.raw));
	tmp_gone(dir);
}
END_TEST

START_TEST(an_unfinished_last_line_is_kept_apart)
{
	char *dir = in_tmp();
	struct keyring ring = {0};
	struct key_public two = {.raw = {2}};
	struct err err = ERR_INIT;

	write_file("ring", pub_line, 0600); /* no newline at its end */
	ck_assert_int_eq(keyring_append("ring", NULL, &two, &err), 0);
	ck_assert_int_eq(keyring_read(&ring, "ring", false, &err), 0);
	ck_assert_uint_eq(ring.entries.n, 2);
	ck_assert_str_eq(ring.entries.v[0].pub.comment, "poc key");
	ck_assert_ptr_null(ring.entries.v[0].host);
	keyring_free(&ring);
	tmp_gone(dir);
}
END_TEST

START_TEST(bad_lines_are_named)
{
	char *dir = in_tmp();
	struct keyring ring = {0};
	struct err err = ERR_INIT;

	write_file("ring", "# ok\nvolley-ed25519 AAAA\n", 0600);
	ck_assert_int_eq(keyring_read(&ring, "ring", false, &err), -1);
	ck_assert_str_eq(
	    err.msg, "ring:2: not a public key: \"AAAA\" is not base64 of 32 bytes");
	write_file("ring", "gpu01\n", 0600);
	ck_assert_int_eq(keyring_read(&ring, "ring", true, &err), -1);
	ck_assert_str_eq(err.msg, "ring:1: not a public key: expected "
				  "\"volley-ed25519 BASE64 [comment]\"");
	ck_assert_int_eq(keyring_read(&ring, "absent", false, &err), -1);
	ck_assert_int_eq(err.errnum, ENOENT);
	keyring_free(&ring);
	tmp_gone(dir);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("key", a_known_key_has_its_known_public_half, a_pair_is_made,
	    keys_are_never_overwritten, files_that_others_can_read_are_refused,
	    files_that_are_no_keys_are_refused, load_or_create_makes_it_once,
	    public_lines, known_agents_round_trip,
	    an_unfinished_last_line_is_kept_apart, bad_lines_are_named);
}
