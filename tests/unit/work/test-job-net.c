/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs against targets, and targets' URLs. */
#include "lib/work/job-net.h"

#include <check.h>
#include <string.h>

#include "tests/unit/suite.h"

static void
url(const char *text, bool rdma, const char *host, unsigned port, const char *export)
{
	struct net_url got;
	struct err err = ERR_INIT;

	ck_assert(net_url_is(text));
	ck_assert_msg(net_url_parse(&got, text, &err) == 0, "%s", err.msg);
	ck_assert_int_eq(got.rdma, rdma);
	ck_assert_str_eq(got.host, host);
	ck_assert_uint_eq(got.port, port);
	ck_assert_str_eq(got.export, export);
	net_url_free(&got);
}

START_TEST(urls)
{
	static const char *const bad[] = {"volley://", "volley://h", "volley://h/",
	    "volley:///e", "volley://h/e/f", "volley://h:0/e", "volley://h:65536/e",
	    "volley://h:x/e", "volley://[::1/e", "volley://[::1]x/e", "volley://:7/e"};
	struct net_url got;
	struct err err = ERR_INIT;

	url("volley://gpu01/ram", false, "gpu01", 7412, "ram");
	url("volley://10.0.0.1:7/a.b", false, "10.0.0.1", 7, "a.b");
	url("volley+rdma://[fd00::1]:9/x", true, "fd00::1", 9, "x");
	url("volley+rdma://[fd00::1]/x", true, "fd00::1", 7412, "x");
	ck_assert(!net_url_is("/volley://h/e"));
	ck_assert(!net_url_is("volleyx://h/e"));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_msg(net_url_parse(&got, bad[i], &err) == -1, "%s", bad[i]);
		ck_assert_ptr_nonnull(strstr(err.msg, bad[i]));
		net_url_free(&got);
	}
}
END_TEST

static void
invalid(const char *engine, const char *name, const char *value, const char *why)
{
	struct job job;
	struct err err = ERR_INIT;

	job_init(&job);
	ck_assert_int_eq(job_set(&job, "size", "1m", &err), 0);
	ck_assert_int_eq(job_set(&job, "ioengine", engine, &err), 0);
	if (job_is_net(&job)) {
		ck_assert_int_eq(job_set(&job, "hostname", "h", &err), 0);
		ck_assert_int_eq(job_set(&job, "export", "e", &err), 0);
		ck_assert_int_eq(job_validate(&job, &err), 0);
	}
	ck_assert_msg(job_set(&job, name, value, &err) == 0, "%s", err.msg);
	ck_assert_int_eq(job_validate(&job, &err), -1);
	ck_assert_msg(strstr(err.msg, why) != NULL, "%s", err.msg);
	job_free(&job);
}

START_TEST(what_does_not_fit)
{
	invalid("psync", "hostname", "h", "hostname is an option of ioengine net-tcp and "
					  "net-rdma, not of psync");
	invalid("net-tcp", "rdma_mode", "one-sided",
	    "rdma_mode is an option of ioengine net-rdma, not of net-tcp");
	invalid("net-tcp", "filename", "f", "filename is not possible");
	invalid("net-rdma", "fsync", "1", "fsync is not possible");
	invalid("net-rdma", "rdma_mtu", "1500",
	    "a path MTU is 256, 512, 1024, 2048 or 4096, not 1500");
	invalid("libaio", "rdma_gid_index", "0", "rdma_gid_index is an option of");
	invalid("net-tcp", "hipri", "1", "hipri is an option of");
}
END_TEST

START_TEST(what_is_missing)
{
	struct job job;
	struct err err = ERR_INIT;

	job_init(&job);
	ck_assert_int_eq(job_set(&job, "size", "1m", &err), 0);
	ck_assert_int_eq(job_set(&job, "ioengine", "net-tcp", &err), 0);
	ck_assert_int_eq(job_validate(&job, &err), -1);
	ck_assert_str_eq(err.msg, "ioengine net-tcp needs hostname");
	ck_assert_int_eq(job_set(&job, "hostname", "h", &err), 0);
	ck_assert_int_eq(job_validate(&job, &err), -1);
	ck_assert_str_eq(err.msg, "ioengine net-tcp needs export");
	job_free(&job);
}
END_TEST

/* A target in the place of a storage takes the job's files away. */
START_TEST(a_job_is_aimed)
{
	struct net_url target;
	struct job job;
	struct err err = ERR_INIT;

	job_init(&job);
	ck_assert_int_eq(job_set(&job, "size", "1m", &err), 0);
	ck_assert_int_eq(job_set(&job, "ioengine", "libaio", &err), 0);
	ck_assert_int_eq(job_set(&job, "directory", "/mnt", &err), 0);
	ck_assert_int_eq(net_url_parse(&target, "volley+rdma://h:9/e", &err), 0);
	job_net_aim(&job, &target);
	net_url_free(&target);
	ck_assert_str_eq(job.ioengine, "net-rdma");
	ck_assert_str_eq(job.net.hostname, "h");
	ck_assert_str_eq(job.net.export, "e");
	ck_assert_uint_eq(job.net.port, 9);
	ck_assert_ptr_null(job.directory);
	ck_assert_int_eq(job_validate(&job, &err), 0);
	job_free(&job);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("job-net", urls, what_does_not_fit, what_is_missing, a_job_is_aimed);
}
