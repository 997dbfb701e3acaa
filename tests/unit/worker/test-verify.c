/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is read back, in which order, and what becomes of blocks that were written over;
 * amounts in percent; and both through whole clients.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/worker/verify.h"
#include "lib/base/mem.h"
#include "tests/unit/worker/support.h"

#define BLOCK 4096
#define INSIDE(tally, d) ((tally)->dir[d].phase[METER_INSIDE])

static struct job job;
static struct verify *verify;
static struct io_file file = {.fd = -1, .name = "f"};
static unsigned char buf[4 * BLOCK];

static void
set(const char *name, const char *value)
{
	struct err err = ERR_INIT;

	ck_assert_msg(job_set(&job, name, value, &err) == 0, "%s", err.msg);
}

static void
begin(const char *kind)
{
	job_init(&job);
	set("rw", "write");
	set("size", "1m");
	set("verify", kind);
}

static void
make(void)
{
	struct err err = ERR_INIT;

	ck_assert_msg(verify_new(&verify, &job, 0, 4, 1, &err) == 0, "%s", err.msg);
	ck_assert_ptr_nonnull(verify);
}

static void
end(void)
{
	verify_free(verify);
	job_free(&job);
}

/* One write or read, from verify_next to its completion. */
static bool
pass_io(struct pattern *p, struct pattern_io *ret)
{
	struct io io = {.file = &file, .buf = buf};

	if (!verify_next(verify, p, ret))
		return false;
	io.dir = ret->dir;
	io.offset = ret->offset;
	io.bytes = ret->bytes;
	verify_prepare(verify, &io, 0);
	verify_completed(verify, &io, io.offset, io.bytes);
	return true;
}

/* Writes `offset`+`bytes` past the pattern. */
static void
write_block(uint64_t offset, uint32_t bytes)
{
	struct io io = {.file = &file,
	    .buf = buf,
	    .dir = DIR_WRITE,
	    .offset = offset,
	    .bytes = bytes};

	verify_prepare(verify, &io, 0);
	ck_assert(verify_completed(verify, &io, offset, bytes));
}

/* What is read back, "offset+bytes" in blocks. */
static void
check_back(const char *expected)
{
	struct str text = {0};
	struct pattern_io io;

	if (verify_begin(verify, &file, 1))
		while (verify_next(verify, NULL, &io)) {
			ck_assert_int_eq(io.dir, DIR_READ);
			str_addf(&text, "%s%u+%u", text.len ? " " : "",
			    (unsigned)(io.offset / BLOCK), io.bytes / BLOCK);
		}
	ck_assert_str_eq(text.s ? text.s : "", expected);
	str_free(&text);
	verify_end(verify);
}

START_TEST(none)
{
	struct err err = ERR_INIT;

	job_init(&job);
	ck_assert_int_eq(verify_new(&verify, &job, 0, 4, 1, &err), 0);
	ck_assert_ptr_null(verify);
	ck_assert(!verify_reads_back(verify));
	ck_assert_int_eq(verify_result(verify, &err), 0);
	job_free(&job);
}
END_TEST

START_TEST(written_over)
{
	begin("null");
	make();
	ck_assert(verify_reads_back(verify));
	check_back("");
	write_block(3 * BLOCK, BLOCK); /* in the order of writing */
	write_block(1 * BLOCK, BLOCK);
	write_block(2 * BLOCK, BLOCK);
	check_back("3+1 1+1 2+1");
	check_back(""); /* nothing is left of the last pass */
	write_block(3 * BLOCK, BLOCK); /* the same block again: once, where it was last */
	write_block(1 * BLOCK, BLOCK);
	write_block(3 * BLOCK, BLOCK);
	check_back("1+1 3+1");
	write_block(0, 4 * BLOCK); /* cut by a later, smaller one */
	write_block(2 * BLOCK, BLOCK);
	write_block(8 * BLOCK, BLOCK); /* covered by a later, larger one */
	write_block(7 * BLOCK, 3 * BLOCK);
	check_back("2+1 7+3");
	write_block(0, 2 * BLOCK); /* the one that cut it was itself cut */
	write_block(1 * BLOCK, 2 * BLOCK);
	write_block(2 * BLOCK, 2 * BLOCK);
	check_back("2+2");
	end();
}
END_TEST

/* Four writes, then the two oldest are read, and again; the end has the rest. */
START_TEST(backlog)
{
	struct pattern *p;
	struct pattern_io io;
	struct str text = {0};

	begin("crc32c");
	set("size", "32k");
	set("verify_backlog", "4");
	set("verify_backlog_batch", "2");
	make();
	p = pattern_new(&job, 1, 8 * BLOCK, 1);
	pattern_stop_at_passes(p);
	while (pass_io(p, &io))
		str_addf(&text, "%c%u ", io.dir == DIR_WRITE ? 'w' : 'r',
		    (unsigned)(io.offset / BLOCK));
	ck_assert_str_eq(
	    text.s, "w0 w1 w2 w3 r0 r1 w4 w5 r2 r3 w6 w7 r4 r5 ");
	check_back("6+1 7+1");
	ck_assert(!pattern_again(p));
	pattern_free(p);
	str_free(&text);
	end();
}
END_TEST

START_TEST(only)
{
	struct pattern *p;
	struct pattern_io io;
	struct err err = ERR_INIT;

	begin("md5");
	set("size", "8k");
	set("verify_only", "1");
	ck_assert(!job_writes(&job));
	make();
	ck_assert(!verify_reads_back(verify));
	p = pattern_new(&job, 1, 2 * BLOCK, 1);
	memset(buf, 0, sizeof buf);
	for (int i = 0; i < 2; i++) {
		ck_assert(pass_io(p, &io));
		ck_assert_int_eq(io.dir, DIR_READ);
	}
	ck_assert(!pass_io(p, &io));
	ck_assert_int_eq(verify_result(verify, &err), -1);
	ck_assert_str_eq(err.msg,
	    "2 blocks are wrong, the first: verify: 4096 bytes at 0 of f: offset 0: no "
	    "header: it begins with 0x0000, not 0xacca");
	ck_assert_int_eq(err.errnum, EILSEQ);
	pattern_free(p);
	end();
}
END_TEST

/* ---- through a client ---- */

static struct trial trial;
static struct tally *tally;

static void
setup(void)
{
	scratch_make();
}

static void
teardown(void)
{
	tally_free(tally);
	trial_end(&trial);
	scratch_remove();
}

static void
run(const char *text)
{
	if (tally) {
		tally_free(tally);
		trial_end(&trial);
		trial = (struct trial){0};
	}
	tally = trial_run(&trial, text);
}

START_TEST(a_block_is_spoilt)
{
	static const char options[] =
	    "filename=v\nbs=4096\nsize=256k\nverify=crc32c\n";
	char *text = mem_printf("rw=randwrite\n%s", options);
	int fd;

	run(text);
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_WRITE).ios, 64);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 64);
	free(text);
	fd = open(scratch_path("v"), O_WRONLY);
	ck_assert_int_eq(pwrite(fd, "spoilt", 6, 40000), 6);
	close(fd);
	text = mem_printf("rw=read\n%s", options);
	run(text);
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_ptr_nonnull(strstr(trial.err.msg, "verify: 4096 bytes at 36864 of "));
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 64); /* it went on */
	free(text);
	text = mem_printf("rw=read\nverify_fatal=1\n%s", options);
	run(text);
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 10); /* 0 to 9 */
	free(text);
	text = mem_printf("rw=read\ncontinue_on_error=verify\n%s", options);
	run(text);
	ck_assert_int_eq(trial.state, CLIENT_DONE);
	free(text);
}
END_TEST

START_TEST(percentages)
{
	static const struct {
		const char *options;
		unsigned ios;
	} cases[] = {{"size=50%\n", 128}, {"size=50%\noffset=75%\n", 64},
	    {"size=100%\nio_size=25%\n", 64}, {"size=10%\n", 25},
	    {"size=64k\noffset=50%\n", 16}};

	scratch_file("p", 1 << 20);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *text = mem_printf(
		    "filename=p\nrw=read\nbs=4096\n%s", cases[i].options);

		run(text);
		ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
		ck_assert_msg(INSIDE(tally, DIR_READ).ios == cases[i].ios, "%s: %lu",
		    cases[i].options, INSIDE(tally, DIR_READ).ios);
		free(text);
	}
}
END_TEST

/* Of files that are not there: of filesize, or else of size; the same ever after. */
START_TEST(percentages_of_what_is_made)
{
	static const struct {
		const char *options;
		unsigned ios;
	} cases[] = {{"name=a\nfilesize=1m\nsize=1m\noffset=75%\n", 64},
	    {"name=b\nfilesize=1m\nsize=25%\n", 64},
	    {"name=c\nsize=1m\noffset=50%\n", 256}};

	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		char *text = mem_printf("rw=read\nbs=4096\n%s", cases[i / 2].options);

		run(text);
		ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
		ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, cases[i / 2].ios);
		free(text);
	}
}
END_TEST

START_TEST(percentages_that_cannot_be)
{
	static const char *const texts[][2] = {
	    {"size=50%\nfilename=none\n", "a percentage needs a file"},
	    {"size=50%\noffset=100%\nfilename=p\n", "less than a block"},
	    {"size=50%\nioengine=null\n", "ioengine null has no files"}};

	scratch_file("p", 1 << 20);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *text = mem_printf("rw=read\n%s", texts[i][0]);

		trial_prepare(&trial, spec_for(text));
		ck_assert_int_eq(trial.state, CLIENT_FAILED);
		ck_assert_msg(
		    strstr(trial.err.msg, texts[i][1]) != NULL, "%s", trial.err.msg);
		if (i + 1 < sizeof texts / sizeof *texts)
			trial_end(&trial);
		free(text);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/verify");
	TCase *tc = tcase_create("memory"), *client = tcase_create("client");

	tcase_add_test(tc, none);
	tcase_add_test(tc, written_over);
	tcase_add_test(tc, backlog);
	tcase_add_test(tc, only);
	suite_add_tcase(suite, tc);
	tcase_add_checked_fixture(client, setup, teardown);
	tcase_add_test(client, a_block_is_spoilt);
	tcase_add_test(client, percentages);
	tcase_add_test(client, percentages_of_what_is_made);
	tcase_add_test(client, percentages_that_cannot_be);
	suite_add_tcase(suite, client);
	return suite_run(suite);
}
