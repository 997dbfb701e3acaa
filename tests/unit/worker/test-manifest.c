/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of files that volley made: kept, merged with other clients' lists,
 * replaced as a whole.
 */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/worker/manifest.h"
#include "tests/unit/worker/support.h"

static int dir_fd;
static struct err err;
static struct manifest *m;

static void
setup(void)
{
	err = ERR_INIT;
	scratch_make();
	dir_fd = open(scratch, O_RDONLY | O_DIRECTORY);
	ck_assert_int_ge(dir_fd, 0);
}

static void
teardown(void)
{
	close(dir_fd);
	scratch_remove();
}

static struct manifest *
load(const char *client)
{
	struct manifest *loaded = NULL;

	ck_assert_msg(manifest_open(&loaded, dir_fd, client, &err) == 0, "%s", err.msg);
	return loaded;
}

/* The identity of the file number `inode`. */
static struct identity
id(uint64_t inode)
{
	return (struct identity){IDENTITY_BIRTH, inode, 1000 + inode};
}

static void
put(struct manifest *to, const char *name, uint64_t size, uint64_t seed, bool full)
{
	manifest_set(to, &(struct manifest_entry){.name = (char *)(uintptr_t)name,
			     .size = size,
			     .seed = seed,
			     .full = full,
			     .id = id(1)});
}

static const struct manifest_entry *
find(const struct manifest *in, const char *name)
{
	struct identity one = id(1);

	return manifest_find(in, name, &one);
}

static void
write_text(const char *name, const char *text)
{
	FILE *f = fopen(scratch_path(name), "w");

	fputs(text, f);
	fclose(f);
}

START_TEST(what_is_saved_is_found_again)
{
	const struct manifest_entry *entry;

	m = load("a");
	ck_assert_ptr_null(find(m, "x.0.0"));
	put(m, "x.0.0", UINT64_C(1) << 40, UINT64_MAX, true);
	put(m, "with space", 4096, 1, false);
	ck_assert_int_eq(manifest_save(m, &err), 0);
	manifest_free(m);
	m = load("a");
	entry = find(m, "x.0.0");
	ck_assert_ptr_nonnull(entry);
	ck_assert_uint_eq(entry->size, UINT64_C(1) << 40);
	ck_assert_uint_eq(entry->seed, UINT64_MAX);
	ck_assert(entry->full);
	entry = find(m, "with space");
	ck_assert_ptr_nonnull(entry);
	ck_assert(!entry->full);
	manifest_drop(m, "x.0.0");
	manifest_drop(m, "with space");
	ck_assert_int_eq(manifest_save(m, &err), 0);
	ck_assert_int_eq(access(scratch_path(".volley-manifest.a"), F_OK), -1);
	manifest_free(m);
}
END_TEST

START_TEST(a_client_name_is_no_path)
{
	m = load("../../gpu/1");
	put(m, "x", 1, 1, true);
	ck_assert_int_eq(manifest_save(m, &err), 0);
	ck_assert_int_eq(access(scratch_path(".volley-manifest..._.._gpu_1"), F_OK), 0);
	manifest_free(m);
}
END_TEST

START_TEST(any_order_in_and_out)
{
	char name[16];

	m = load("a");
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(name, sizeof name, "j.%u", i * 7 % 1000);
		put(m, name, i, 0, true);
	}
	for (unsigned i = 0; i < 1000; i += 2) {
		snprintf(name, sizeof name, "j.%u", i);
		manifest_drop(m, name);
	}
	manifest_drop(m, "never there");
	ck_assert_int_eq(manifest_save(m, &err), 0);
	manifest_free(m);
	m = load("a");
	for (unsigned i = 0; i < 1000; i++) {
		const struct manifest_entry *entry;
		unsigned value = i * 7 % 1000;

		snprintf(name, sizeof name, "j.%u", value);
		entry = find(m, name);
		ck_assert_int_eq(entry != NULL, value % 2);
		ck_assert(!entry || entry->size == i);
	}
	manifest_free(m);
}
END_TEST

START_TEST(unsaved_changes_are_not_on_disk)
{
	m = load("a");
	put(m, "x", 1, 1, true);
	manifest_free(m);
	m = load("a");
	ck_assert_ptr_null(find(m, "x"));
	manifest_free(m);
}
END_TEST

START_TEST(other_clients_lists_count)
{
	struct manifest *b = load("b");

	put(b, "x", 4096, 1, true);
	ck_assert_int_eq(manifest_save(b, &err), 0);
	m = load("a");
	ck_assert(find(m, "x")->full);
	/* Our own half-written note does not hide that another finished it. */
	put(m, "x", 4096, 2, false);
	ck_assert(find(m, "x")->full);
	put(b, "y", 4096, 1, true);
	ck_assert_int_eq(manifest_save(b, &err), 0);
	ck_assert_ptr_null(find(m, "y"));
	ck_assert_int_eq(manifest_reload(m, &err), 0);
	ck_assert_ptr_nonnull(find(m, "y"));
	manifest_free(b);
	manifest_free(m);
}
END_TEST

START_TEST(a_torn_write_is_ignored)
{
	m = load("a");
	put(m, "x", 4096, 1, true);
	ck_assert_int_eq(manifest_save(m, &err), 0);
	manifest_free(m);
	write_text(".volley-manifest.a.tmp", "volley-mani");
	write_text(".volley-manifest.b.tmp", "garbage");
	m = load("a");
	ck_assert_ptr_nonnull(find(m, "x"));
	manifest_free(m);
}
END_TEST

START_TEST(what_it_does_not_know_is_an_error)
{
	write_text(".volley-manifest.b", "volley-manifest 3\n");
	ck_assert_int_eq(manifest_open(&m, dir_fd, "a", &err), -1);
	ck_assert_str_eq(
	    err.msg, ".volley-manifest.b:1: not a line that this volley knows");
	write_text(".volley-manifest.b", "volley-manifest 1\nfile full 1 1 ../x\n");
	ck_assert_int_eq(manifest_open(&m, dir_fd, "a", &err), -1);
	write_text(".volley-manifest.b", "volley-manifest 1\nfile full x 1 n\n");
	ck_assert_int_eq(manifest_open(&m, dir_fd, "a", &err), -1);
	write_text(".volley-manifest.b", "volley-manifest 1\nfile full 1 1 \n");
	ck_assert_int_eq(manifest_open(&m, dir_fd, "a", &err), -1);
	write_text(".volley-manifest.b", "volley-manifest 2\nfile full 1 1 n\n");
	ck_assert_int_eq(manifest_open(&m, dir_fd, "a", &err), -1);
	write_text(".volley-manifest.b", "volley-manifest 2\nfile full 1 1 4 5 6 n\n");
	ck_assert_int_eq(manifest_open(&m, dir_fd, "a", &err), -1);
}
END_TEST

/* A name is not enough: another file under it is not volley's. */
START_TEST(only_the_very_file)
{
	struct identity same = id(1), other = id(2), kind = id(1), born = id(1);
	struct identity none = {.kind = IDENTITY_NONE};

	m = load("a");
	put(m, "x", 4096, 1, true);
	ck_assert_int_eq(manifest_save(m, &err), 0);
	manifest_free(m);
	m = load("a");
	kind.kind = IDENTITY_HANDLE;
	born.mark++;
	ck_assert_ptr_nonnull(manifest_find(m, "x", &same));
	ck_assert_ptr_null(manifest_find(m, "x", &other));
	ck_assert_ptr_null(manifest_find(m, "x", &kind));
	ck_assert_ptr_null(manifest_find(m, "x", &born));
	ck_assert_ptr_null(manifest_find(m, "x", &none));
	ck_assert_ptr_null(manifest_find(m, "y", &same));
	ck_assert(!manifest_has_claim(m, "x"));
	/* A name is claimed before the file is made. */
	manifest_set(m, &(struct manifest_entry){.name = (char *)(uintptr_t) "x"});
	ck_assert_int_eq(manifest_save(m, &err), 0);
	manifest_free(m);
	m = load("b");
	ck_assert(manifest_has_claim(m, "x"));
	ck_assert_ptr_null(manifest_find(m, "x", &same));
	ck_assert_ptr_null(manifest_find(m, "x", &none));
	manifest_free(m);
}
END_TEST

/* What one client's list says of a file that is gone hides not what another's says. */
START_TEST(two_clients_know_two_files_of_one_name)
{
	struct identity one = id(1), two = id(2);
	struct manifest_entry entry = {.name = (char *)(uintptr_t) "x", .size = 1};
	struct manifest *b = load("b"), *c = load("c");

	put(b, "x", 4096, 1, true);
	entry.id = two;
	manifest_set(c, &entry);
	ck_assert_int_eq(manifest_save(b, &err), 0);
	ck_assert_int_eq(manifest_save(c, &err), 0);
	m = load("a");
	ck_assert_uint_eq(manifest_find(m, "x", &one)->size, 4096);
	ck_assert_uint_eq(manifest_find(m, "x", &two)->size, 1);
	manifest_free(m);
	manifest_free(b);
	manifest_free(c);
}
END_TEST

START_TEST(an_older_list_makes_nothing_ours)
{
	write_text(".volley-manifest.a", "volley-manifest 1\ndir\nfile full 9 1 x\n");
	m = load("a");
	ck_assert_ptr_null(find(m, "x"));
	ck_assert(manifest_has_claim(m, "x"));
	ck_assert(!manifest_is_spent(m));
	manifest_free(m);
}
END_TEST

START_TEST(spent_only_when_made_and_empty)
{
	struct manifest *b;

	m = load("a");
	ck_assert(!manifest_is_spent(m)); /* not ours to remove */
	manifest_set_made(m);
	ck_assert(manifest_is_spent(m));
	ck_assert_int_eq(manifest_save(m, &err), 0);
	b = load("b");
	ck_assert(manifest_is_spent(b));
	put(b, "x", 1, 1, false);
	ck_assert(!manifest_is_spent(b));
	ck_assert_int_eq(manifest_save(b, &err), 0);
	ck_assert_int_eq(manifest_reload(m, &err), 0);
	ck_assert(!manifest_is_spent(m));
	manifest_remove_lists(m);
	ck_assert_int_eq(access(scratch_path(".volley-manifest.a"), F_OK), -1);
	ck_assert_int_eq(access(scratch_path(".volley-manifest.b"), F_OK), -1);
	manifest_free(b);
	manifest_free(m);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/manifest");
	TCase *tc = tcase_create("manifest");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, what_is_saved_is_found_again);
	tcase_add_test(tc, a_client_name_is_no_path);
	tcase_add_test(tc, any_order_in_and_out);
	tcase_add_test(tc, unsaved_changes_are_not_on_disk);
	tcase_add_test(tc, other_clients_lists_count);
	tcase_add_test(tc, a_torn_write_is_ignored);
	tcase_add_test(tc, what_it_does_not_know_is_an_error);
	tcase_add_test(tc, only_the_very_file);
	tcase_add_test(tc, two_clients_know_two_files_of_one_name);
	tcase_add_test(tc, an_older_list_makes_nothing_ours);
	tcase_add_test(tc, spent_only_when_made_and_empty);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
