/* SPDX-License-Identifier: Apache-2.0 */
/* Results as fio of different versions writes them, made by hand, in files. */
#ifndef VOLLEY_TEST_FIO_FILES_H
#define VOLLEY_TEST_FIO_FILES_H

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char files_dir[] = "/tmp/fio-results-XXXXXX";

static inline int
files_remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void
files_remove(void)
{
	nftw(files_dir, files_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Writes the text into DIR/name; the path is static until the next but seven.  DIR goes
 * away when the test's process ends. */
static inline const char *
file_made(const char *name, const char *text)
{
	static char paths[8][128];
	static unsigned next;
	static int made;
	char *path = paths[next++ % 8];
	FILE *file;

	if (!made++) {
		ck_assert_ptr_nonnull(mkdtemp(files_dir));
		atexit(files_remove);
	}
	snprintf(path, sizeof paths[0], "%s/%s", files_dir, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
	return path;
}

#define NO_LATENCY "{\"min\" : 0, \"max\" : 0, \"mean\" : 0.000000, \"stddev\" : 0.000000, \"N\" : 0}"

/* 4 reads of 1000, 2000, 3000 and 4000 ns: midpoints 1004, 2000, 2992 and 4000. */
#define FOUR_LATENCIES                                                                 \
	"{\"min\" : 1000, \"max\" : 4000, \"mean\" : 2500.000000,"                     \
	" \"stddev\" : 1290.994449, \"N\" : 4,"                                        \
	" \"percentile\" : {\"50.000000\" : 2008, \"99.000000\" : 4016},"              \
	" \"bins\" : {\"1004\" : 1, \"2008\" : 1, \"2992\" : 1, \"4016\" : 1}}"

/* One job of fio 3.33: 4 reads of 4 KiB in 8 ms. */
#define JOB_333(jobname, tail)                                                         \
	"{\"jobname\" : \"" jobname "\", \"groupid\" : 0, \"error\" : 0,"              \
	" \"read\" : {\"io_bytes\" : 16384, \"io_kbytes\" : 16,"                       \
	" \"bw_bytes\" : 2048000, \"bw\" : 2000, \"iops\" : 500.000000,"               \
	" \"runtime\" : 8, \"total_ios\" : 4, \"short_ios\" : 0, \"drop_ios\" : 0,"    \
	" \"slat_ns\" : " NO_LATENCY ", \"clat_ns\" : " FOUR_LATENCIES ","             \
	" \"lat_ns\" : {\"min\" : 1100, \"max\" : 4100, \"mean\" : 2600.000000,"       \
	" \"stddev\" : 1290.994449, \"N\" : 4}},"                                      \
	" \"write\" : {\"io_bytes\" : 0, \"total_ios\" : 0, \"runtime\" : 0},"         \
	" \"trim\" : {\"io_bytes\" : 0, \"total_ios\" : 0},"                           \
	" \"sync\" : {\"total_ios\" : 0, \"lat_ns\" : " NO_LATENCY "},"                \
	" \"job_runtime\" : 16, \"usr_cpu\" : 25.000000, \"sys_cpu\" : 50.000000,"     \
	" \"ctx\" : 7, \"majf\" : 1, \"minf\" : 20, \"latency_depth\" : 5,"            \
	" \"latency_target\" : 0"                                                      \
	tail "}"

#define LOCAL_333                                                                      \
	"{\n\"fio version\" : \"fio-3.33\",\n\"timestamp\" : 1796072732,\n"            \
	"\"timestamp_ms\" : 1796072732990,\n\"jobs\" : [\n" JOB_333("j",               \
	    ", \"job options\" : {\"rw\" : \"read\", \"bs\" : \"4k\","                 \
	    " \"numjobs\" : \"2\", \"direct\" : \"1\"}") "\n]}\n"

#endif
