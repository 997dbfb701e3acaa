/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layout: what is written, what is reused, and above all what is left alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/worker/layout.h"
#include "agent/worker/park.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "tests/unit/worker/support.h"

#define KIB 1024u

static struct err err;
static struct job job;
static struct link_spec spec;
static struct board board;
static struct guard *guard;
static struct files files;

static void
set(const char *name, const char *value)
{
	ck_assert_msg(job_set(&job, name, value, &err) == 0, "%s", err.msg);
}

static void
setup(void)
{
	err = ERR_INIT;
	scratch_make();
	job_init(&job);
	set("directory", scratch);
	set("name", "j");
	set("rw", "read");
	set("size", "256k");
	spec = spec_for("");
	ck_assert_int_eq(board_create(&board, &job, 1, &err), 0);
	ck_assert_int_eq(guard_new(&guard, &spec, &err), 0);
}

static void
teardown(void)
{
	files_free(&files);
	guard_free(guard);
	board_close(&board);
	link_spec_free(&spec);
	job_free(&job);
	scratch_remove();
}

static int
lay(void)
{
	struct layout_env env = {guard, &job, &spec, &files, &board};

	err = ERR_INIT;
	files_free(&files);
	ck_assert_msg(files_plan(&files, &job, &spec, &err) == 0, "%s", err.msg);
	board.head->layout_done = 0;
	board.head->layout_total = 0;
	return layout_run(&env, &err);
}

static void
lay_ok(void)
{
	ck_assert_msg(lay() == 0, "%s", err.msg);
}

static off_t
size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_size : -1;
}

/* Where the first hole is: the size when there is none. */
static off_t
hole_of(const char *path)
{
	int fd = open(path, O_RDONLY);
	off_t hole = lseek(fd, 0, SEEK_HOLE);

	close(fd);
	return hole;
}

static char *
content_of(const char *path, size_t len)
{
	char *buf = mem_alloc(len);
	int fd = open(path, O_RDONLY);

	ck_assert_int_eq(pread(fd, buf, len, 0), (ssize_t)len);
	close(fd);
	return buf;
}

#define FILE0 scratch_path("volley-data/c1/j.0.0")

START_TEST(missing_files_are_written)
{
	set("numjobs", "2");
	set("nrfiles", "2");
	set("size", "100k"); /* 50 KiB a file, to the byte */
	lay_ok();
	ck_assert_int_eq(size_of(FILE0), 50 * KIB);
	ck_assert_int_eq(size_of(scratch_path("volley-data/c1/j.1.1")), 50 * KIB);
	ck_assert_int_eq(hole_of(FILE0), 50 * KIB);
	ck_assert_uint_eq(board.head->layout_total, 4 * 50 * KIB);
	ck_assert_uint_eq(board.head->layout_done, 4 * 50 * KIB);
	ck_assert_int_eq(size_of(scratch_path("volley-data/c1/j.1.2")), -1);
}
END_TEST

START_TEST(the_offset_is_part_of_the_file)
{
	set("offset", "64k");
	lay_ok();
	ck_assert_int_eq(size_of(FILE0), 320 * KIB);
}
END_TEST

/* O_DIRECT writes whole pages; the file is as long as it is to be. */
START_TEST(odd_lengths)
{
	set("direct", "auto");
	set("filesize", "100001");
	set("offset", "4k");
	lay_ok();
	ck_assert_int_eq(size_of(FILE0), 100001);
	ck_assert_uint_eq(board.head->layout_done, 100001);
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 0);
}
END_TEST

/* Each thread's file reaches as far as that thread does. */
START_TEST(lengths_grow_with_the_offset)
{
	set("numjobs", "2");
	set("offset_increment", "64k");
	lay_ok();
	ck_assert_int_eq(size_of(FILE0), 256 * KIB);
	ck_assert_int_eq(size_of(scratch_path("volley-data/c1/j.1.0")), 320 * KIB);
}
END_TEST

START_TEST(what_fits_is_used_again)
{
	lay_ok();
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 0);
	set("size", "128k"); /* less than there is */
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 0);
	ck_assert_int_eq(size_of(FILE0), 256 * KIB);
	set("size", "512k");
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 512 * KIB);
	ck_assert_int_eq(size_of(FILE0), 512 * KIB);
}
END_TEST

START_TEST(what_was_cut_is_written_again)
{
	lay_ok();
	ck_assert_int_eq(truncate(FILE0, 4096), 0);
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 256 * KIB);
	ck_assert_int_eq(hole_of(FILE0), 256 * KIB);
}
END_TEST

START_TEST(a_hole_is_written_again)
{
	int fd;

	lay_ok();
	fd = open(FILE0, O_RDWR);
	if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 65536, 65536) ==
	    0) {
		ck_assert_int_eq(hole_of(FILE0), 65536);
		lay_ok();
		ck_assert_int_eq(hole_of(FILE0), 256 * KIB);
	}
	close(fd);
}
END_TEST

/* "full" → "part" in the list, as a run leaves it that was killed while writing. */
static void
make_part(void)
{
	const char *path = scratch_path("volley-data/c1/.volley-manifest.c1");
	char text[4096] = {0}, *full;
	FILE *f = fopen(path, "r+");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_gt(fread(text, 1, sizeof text - 1, f), 0);
	full = strstr(text, "file full ");
	ck_assert_ptr_nonnull(full);
	fseek(f, full + 5 - text, SEEK_SET);
	fputs("part", f);
	fclose(f);
}

START_TEST(what_another_run_left_half_done_is_written)
{
	lay_ok();
	make_part();
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 256 * KIB);
}
END_TEST

static void
write_list(const char *text)
{
	FILE *f = fopen(scratch_path("volley-data/c1/.volley-manifest.c1"), "w");

	fputs(text, f);
	fclose(f);
}

/* Killed between making a file and noting which it is: it is still empty. */
START_TEST(what_another_run_had_just_made_is_written)
{
	lay_ok();
	write_list("volley-manifest 2\nfile part 262144 0 0 0 0 j.0.0\n");
	ck_assert_int_eq(truncate(FILE0, 0), 0);
	lay_ok();
	ck_assert_int_eq(hole_of(FILE0), 256 * KIB);
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 0);
}
END_TEST

/* Lists without identities do not make a file volley's. */
START_TEST(what_an_older_volley_made_is_only_read)
{
	lay_ok();
	write_list("volley-manifest 1\nfile full 262144 0 j.0.0\n");
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 0);
	set("rw", "write");
	ck_assert_int_eq(lay(), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_ptr_nonnull(strstr(err.msg, "made by an older volley); remove it, or"));
}
END_TEST

/* In place of FILE0, but never the same file: made while FILE0 is still there. */
static void
replace_file(void)
{
	scratch_file("theirs", 256 * KIB);
	ck_assert_int_eq(rename(scratch_path("theirs"), FILE0), 0);
}

/* Nothing of what volley does may change or remove what is at FILE0. */
static void
check_left_alone(const char *content)
{
	struct layout_env env = {guard, &job, &spec, &files, &board};
	char *before = content_of(content, 256 * KIB), *after;
	static const char *const words[] = {"files", "fio"};

	set("rw", "randwrite");
	for (int k = 0; k < 2; k++) {
		set("layout", words[k]);
		ck_assert_msg(lay() == -1, "layout=%s took it", words[k]);
		ck_assert_msg(err.code == ERR_POLICY, "%s", err.msg);
		ck_assert_msg(strstr(err.msg, "remove it") != NULL, "%s", err.msg);
	}
	ck_assert_int_eq(guard_unlink(guard, FILE0, &err), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_int_eq(layout_clean(&env, &err), 0);
	ck_assert_int_eq(access(FILE0, F_OK), 0);
	after = content_of(content, 256 * KIB);
	ck_assert_mem_eq(before, after, 256 * KIB);
	free(before);
	free(after);
}

START_TEST(another_file_under_its_name_is_left_alone)
{
	lay_ok();
	replace_file();
	check_left_alone(FILE0);
	set("rw", "read"); /* as any foreign file that is long enough */
	set("layout", "files");
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 0);
	set("size", "512k");
	ck_assert_int_eq(lay(), -1);
	ck_assert_int_eq(size_of(FILE0), 256 * KIB);
}
END_TEST

START_TEST(a_hard_link_under_its_name_is_left_alone)
{
	struct guard_file file;

	lay_ok();
	scratch_file("victim", 256 * KIB);
	ck_assert_int_eq(unlink(FILE0), 0);
	ck_assert_int_eq(link(scratch_path("victim"), FILE0), 0);
	check_left_alone(scratch_path("victim"));
	/* not even when there is no layout that looks first */
	ck_assert_int_eq(
	    guard_open(guard, FILE0, true, false, JOB_BUFFERED, &file, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "(a hard link)"));
}
END_TEST

/* Volley's own file that got a second name is somebody's, too. */
START_TEST(a_second_name_makes_it_foreign)
{
	lay_ok();
	ck_assert_int_eq(link(FILE0, scratch_path("kept")), 0);
	check_left_alone(scratch_path("kept"));
	ck_assert_int_eq(unlink(scratch_path("kept")), 0);
	set("layout", "files");
	lay_ok();
}
END_TEST

START_TEST(a_symlink_under_its_name_is_not_followed)
{
	struct guard_file file;

	lay_ok();
	scratch_file("victim", 256 * KIB);
	ck_assert_int_eq(unlink(FILE0), 0);
	ck_assert_int_eq(symlink("../../victim", FILE0), 0);
	check_left_alone(scratch_path("victim"));
	ck_assert_int_eq(
	    guard_open(guard, FILE0, false, false, JOB_BUFFERED, &file, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "a symbolic link, which volley did not"));
}
END_TEST

/* Links above volley's own folder are the user's. */
START_TEST(a_symlink_above_is_followed)
{
	ck_assert_int_eq(mkdir(scratch_path("real"), 0700), 0);
	ck_assert_int_eq(symlink("real", scratch_path("link")), 0);
	set("directory", scratch_path("link"));
	lay_ok();
	ck_assert_int_eq(size_of(scratch_path("real/volley-data/c1/j.0.0")), 256 * KIB);
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 0);
}
END_TEST

START_TEST(a_stop_leaves_it_unfinished)
{
	park_stop(&board);
	ck_assert_int_eq(lay(), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	board.head->stop = 0;
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 256 * KIB);
	ck_assert_int_eq(hole_of(FILE0), 256 * KIB);
}
END_TEST

START_TEST(a_foreign_file_can_be_read)
{
	scratch_file("theirs", 256 * KIB);
	set("filename", "theirs");
	lay_ok();
	ck_assert_uint_eq(board.head->layout_total, 0);
	ck_assert_int_eq(size_of(scratch_path(".volley-manifest.c1")), -1);
}
END_TEST

START_TEST(a_foreign_file_is_never_extended)
{
	scratch_file("theirs", 255 * KIB);
	set("filename", "theirs");
	ck_assert_int_eq(lay(), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_ptr_nonnull(
	    strstr(err.msg, "volley did not make this file and it is too "
			    "short (261120 of 262144 bytes)"));
	ck_assert_int_eq(size_of(scratch_path("theirs")), 255 * KIB);
}
END_TEST

START_TEST(a_foreign_file_with_holes_is_not_read)
{
	scratch_file("theirs", 4096);
	ck_assert_int_eq(truncate(scratch_path("theirs"), 256 * KIB), 0);
	set("filename", "theirs");
	ck_assert_int_eq(lay(), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "has holes"));
	ck_assert_int_eq(hole_of(scratch_path("theirs")), 4096);
}
END_TEST

START_TEST(a_foreign_file_is_never_written)
{
	const char *path = scratch_file("theirs", 256 * KIB);
	char *before = content_of(path, 256 * KIB), *after;

	set("filename", "theirs");
	set("rw", "randwrite");
	ck_assert_int_eq(lay(), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_ptr_nonnull(strstr(err.msg, "layout=overwrite"));
	after = content_of(path, 256 * KIB);
	ck_assert_mem_eq(before, after, 256 * KIB);
	free(before);
	free(after);
}
END_TEST

START_TEST(overwrite_is_a_word_of_its_own)
{
	const char *path = scratch_file("theirs", 256 * KIB);
	char *before = content_of(path, 256 * KIB), *after;

	set("filename", "theirs");
	set("rw", "randwrite");
	set("layout", "overwrite");
	lay_ok();
	after = content_of(path, 256 * KIB);
	ck_assert_mem_ne(before, after, 256 * KIB);
	ck_assert_int_eq(size_of(scratch_path(".volley-manifest.c1")), -1);
	free(before);
	free(after);
}
END_TEST

START_TEST(a_file_it_made_by_name_is_its_own)
{
	set("filename", "ours");
	set("rw", "write");
	lay_ok();
	ck_assert_int_eq(size_of(scratch_path("ours")), 256 * KIB);
	lay_ok(); /* and it may write to it again */
	ck_assert_uint_eq(board.head->layout_total, 0);
}
END_TEST

START_TEST(none_touches_nothing)
{
	set("layout", "none");
	lay_ok();
	ck_assert_int_eq(size_of(scratch_path("volley-data")), -1);
}
END_TEST

START_TEST(a_missing_directory_is_not_made)
{
	set("directory", scratch_path("typo"));
	ck_assert_int_eq(lay(), -1);
	ck_assert_int_eq(err.errnum, ENOENT);
	ck_assert_int_eq(size_of(scratch_path("typo")), -1);
}
END_TEST

/* Two clients, three shared files: 0 and 2 are the first one's, 1 the second's. */
START_TEST(shared_files_are_dealt_out)
{
	set("shared", "1");
	set("nrfiles", "3");
	set("size", "768k");
	spec.client_count = 2;
	spec.client_index = 1;
	park_stop(&board); /* so that it does not wait for the other */
	ck_assert_int_eq(lay(), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	board.head->stop = 0;
	spec.client_index = 0;
	spec.client_count = 1; /* alone, everything is its own */
	lay_ok();
	ck_assert_int_eq(hole_of(scratch_path("volley-data/shared/j.0.2")), 256 * KIB);
	spec.client_count = 2;
	spec.client_index = 1;
	guard_free(guard);
	free(spec.client);
	spec.client = mem_strdup("c2");
	ck_assert_int_eq(guard_new(&guard, &spec, &err), 0);
	lay_ok(); /* the other's list says that all is there */
	ck_assert_uint_eq(board.head->layout_total, 0);
}
END_TEST

START_TEST(clean_removes_what_it_made_and_nothing_else)
{
	struct layout_env env = {guard, &job, &spec, &files, &board};

	lay_ok();
	scratch_file("volley-data/c1/precious", 10);
	ck_assert_msg(layout_clean(&env, &err) == 0, "%s", err.msg);
	ck_assert_int_eq(size_of(FILE0), -1);
	ck_assert_int_eq(size_of(scratch_path("volley-data/c1/precious")), 10);
	ck_assert_int_eq(unlink(scratch_path("volley-data/c1/precious")), 0);
	lay_ok();
	ck_assert_msg(layout_clean(&env, &err) == 0, "%s", err.msg);
	ck_assert_int_eq(size_of(scratch_path("volley-data")), -1);
}
END_TEST

static int
compare_words(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Two clients' files and two layouts of one: no 512-byte block twice, bytes even. */
START_TEST(data_is_unique_and_even)
{
	enum { BLOCKS = 2 * 1024 * KIB / 512 };
	static uint64_t hashes[BLOCKS];
	size_t bytes[256] = {0}, n = 0;

	set("nrfiles", "2");
	set("size", "2m");
	lay_ok();
	for (int f = 0; f < 2; f++) {
		char *data = content_of(
		    scratch_path(f ? "volley-data/c1/j.0.1" : "volley-data/c1/j.0.0"),
		    1024 * KIB);

		for (size_t i = 0; i < 1024 * KIB; i += 512)
			hashes[n++] = hash_fnv1a(data + i, 512);
		for (size_t i = 0; i < 1024 * KIB; i++)
			bytes[(unsigned char)data[i]]++;
		free(data);
	}
	qsort(hashes, n, sizeof hashes[0], compare_words);
	for (size_t i = 1; i < n; i++)
		ck_assert_uint_ne(hashes[i - 1], hashes[i]);
	for (int i = 0; i < 256; i++) { /* 8192 each, ± 6 σ */
		ck_assert_uint_ge(bytes[i], 8192 - 543);
		ck_assert_uint_le(bytes[i], 8192 + 543);
	}
}
END_TEST

static off_t
blocks_of(const char *path)
{
	struct stat st;

	ck_assert_int_eq(stat(path, &st), 0);
	return st.st_blocks * 512;
}

static const struct {
	const char *kind;
	off_t size;
	bool reserved;
} kinds[] = {{"none", 0, false}, {"native", 256 * KIB, true}, {"posix", 256 * KIB, true},
    {"keep", 0, true}, {"truncate", 256 * KIB, false}};

/* As fio: made anew with its space reserved, nothing is written. */
START_TEST(what_is_only_written_is_reserved)
{
	set("layout", "fio");
	set("rw", "write");
	set("fallocate", kinds[_i].kind);
	for (int round = 0; round < 2; round++) {
		lay_ok();
		ck_assert_int_eq(size_of(FILE0), kinds[_i].size);
		if (kinds[_i].reserved)
			ck_assert_int_ge(blocks_of(FILE0), 256 * KIB);
		else
			ck_assert_int_eq(blocks_of(FILE0), 0);
		ck_assert_uint_eq(board.head->layout_done, 0);
		/* The next round finds what a run left, and begins anew. */
		ck_assert_int_eq(truncate(FILE0, 1 << 20), 0);
	}
}
END_TEST

START_TEST(what_is_overwritten_is_filled)
{
	set("layout", "fio");
	set("rw", "write");
	set("overwrite", "1");
	lay_ok();
	ck_assert_int_eq(hole_of(FILE0), 256 * KIB);
	/* and so is what is read */
	set("overwrite", "0");
	set("rw", "randrw");
	lay_ok();
	ck_assert_int_eq(hole_of(FILE0), 256 * KIB);
}
END_TEST

/* A file that was only reserved is not taken for one that holds data. */
START_TEST(a_reader_fills_what_was_reserved)
{
	set("layout", "fio");
	set("rw", "write");
	set("fallocate", "truncate");
	lay_ok();
	set("rw", "read");
	lay_ok();
	ck_assert_int_eq(hole_of(FILE0), 256 * KIB);
}
END_TEST

/* What an earlier job wrote in full is read as it is, as in fio. */
START_TEST(a_reader_takes_what_was_written)
{
	char *before, *after, noise[4096];
	int fd;

	set("layout", "fio");
	set("rw", "write");
	lay_ok();
	fd = open(FILE0, O_WRONLY);
	memset(noise, 'w', sizeof noise);
	for (int i = 0; i < 64; i++)
		ck_assert_int_eq(write(fd, noise, sizeof noise), 4096);
	close(fd);
	before = content_of(FILE0, 256 * KIB);
	set("rw", "read");
	lay_ok();
	after = content_of(FILE0, 256 * KIB);
	ck_assert_mem_eq(before, after, 256 * KIB);
	free(before);
	free(after);
}
END_TEST

START_TEST(a_file_that_is_not_ours_is_not_made_anew)
{
	scratch_file("theirs", 512 * KIB);
	set("layout", "fio");
	set("rw", "write");
	set("filename", "theirs");
	ck_assert_int_eq(lay(), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_int_eq(size_of(scratch_path("theirs")), 512 * KIB);
}
END_TEST

START_TEST(made_at_the_open)
{
	set("create_on_open", "1");
	set("rw", "write");
	lay_ok();
	ck_assert_int_eq(size_of(FILE0), 0);
	ck_assert_int_eq(blocks_of(FILE0), 0);
}
END_TEST

START_TEST(nothing_may_be_made)
{
	set("allow_file_create", "0");
	ck_assert_int_eq(lay(), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "j.0.0 is missing, and allow_file_create=0"));
	ck_assert_int_eq(size_of(FILE0), -1);
	set("allow_file_create", "1");
	lay_ok();
	set("allow_file_create", "0");
	lay_ok();
}
END_TEST

START_TEST(a_format_makes_folders_and_they_go)
{
	struct layout_env env = {guard, &job, &spec, &files, &board};

	set("filename_format", "$filenum/deep/$jobnum");
	set("numjobs", "2");
	set("nrfiles", "2");
	lay_ok();
	ck_assert_int_eq(size_of(scratch_path("volley-data/c1/0/deep/1")), 128 * KIB);
	ck_assert_int_eq(size_of(scratch_path("volley-data/c1/1/deep/0")), 128 * KIB);
	ck_assert_int_eq(layout_clean(&env, &err), 0);
	ck_assert_int_eq(access(scratch_path("volley-data"), F_OK), -1);
}
END_TEST

/* What somebody put into one of them stays, with its folders. */
START_TEST(folders_with_other_things_stay)
{
	struct layout_env env = {guard, &job, &spec, &files, &board};

	set("filename_format", "$filenum/deep/$jobnum");
	set("nrfiles", "2");
	lay_ok();
	scratch_file("volley-data/c1/1/theirs", 10);
	ck_assert_int_eq(layout_clean(&env, &err), 0);
	ck_assert_int_eq(size_of(scratch_path("volley-data/c1/1/theirs")), 10);
	ck_assert_int_eq(access(scratch_path("volley-data/c1/0"), F_OK), -1);
	ck_assert_int_eq(access(scratch_path("volley-data/c1/1/deep"), F_OK), -1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/layout");
	TCase *tc = tcase_create("layout");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, missing_files_are_written);
	tcase_add_test(tc, the_offset_is_part_of_the_file);
	tcase_add_test(tc, odd_lengths);
	tcase_add_test(tc, lengths_grow_with_the_offset);
	tcase_add_test(tc, what_fits_is_used_again);
	tcase_add_test(tc, what_was_cut_is_written_again);
	tcase_add_test(tc, a_hole_is_written_again);
	tcase_add_test(tc, what_another_run_left_half_done_is_written);
	tcase_add_test(tc, what_another_run_had_just_made_is_written);
	tcase_add_test(tc, what_an_older_volley_made_is_only_read);
	tcase_add_test(tc, another_file_under_its_name_is_left_alone);
	tcase_add_test(tc, a_hard_link_under_its_name_is_left_alone);
	tcase_add_test(tc, a_second_name_makes_it_foreign);
	tcase_add_test(tc, a_symlink_under_its_name_is_not_followed);
	tcase_add_test(tc, a_symlink_above_is_followed);
	tcase_add_test(tc, a_stop_leaves_it_unfinished);
	tcase_add_test(tc, a_foreign_file_can_be_read);
	tcase_add_test(tc, a_foreign_file_is_never_extended);
	tcase_add_test(tc, a_foreign_file_with_holes_is_not_read);
	tcase_add_test(tc, a_foreign_file_is_never_written);
	tcase_add_test(tc, overwrite_is_a_word_of_its_own);
	tcase_add_test(tc, a_file_it_made_by_name_is_its_own);
	tcase_add_test(tc, none_touches_nothing);
	tcase_add_test(tc, a_missing_directory_is_not_made);
	tcase_add_test(tc, shared_files_are_dealt_out);
	tcase_add_test(tc, clean_removes_what_it_made_and_nothing_else);
	tcase_add_test(tc, data_is_unique_and_even);
	tcase_add_loop_test(tc, what_is_only_written_is_reserved, 0,
	    sizeof kinds / sizeof kinds[0]);
	tcase_add_test(tc, what_is_overwritten_is_filled);
	tcase_add_test(tc, a_reader_fills_what_was_reserved);
	tcase_add_test(tc, a_reader_takes_what_was_written);
	tcase_add_test(tc, a_file_that_is_not_ours_is_not_made_anew);
	tcase_add_test(tc, made_at_the_open);
	tcase_add_test(tc, nothing_may_be_made);
	tcase_add_test(tc, a_format_makes_folders_and_they_go);
	tcase_add_test(tc, folders_with_other_things_stay);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
