/* SPDX-License-Identifier: Apache-2.0 */
/* Host facts from a tree made for the test: what is there, and what is not. */
#include "agent/probe/host.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "tests/unit/suite.h"

static char root[] = "/tmp/volley-host-XXXXXX";

static void put(const char *path, const char *text)
{
	char *full = mem_printf("%s%s", root, path);

	for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(full, 0755);
		*p = '/';
	}
	int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	free(full);
}

static void remove_tree(void)
{
	char *command = mem_printf("rm -rf %s", root);

	ck_assert_int_eq(system(command), 0);
	free(command);
}

START_TEST(reads_a_host)
{
	struct facts *facts = mem_alloc(sizeof *facts);

	ck_assert_ptr_nonnull(mkdtemp(root));
	put("/etc/os-release", "NAME=X\nPRETTY_NAME=\"Some Linux 12\"\n");
	put("/proc/sys/kernel/hostname", "gpu07\n");
	put("/proc/sys/kernel/osrelease", "6.1.0-13-amd64\n");
	put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: A CPU @ 2 GHz\n");
	put("/proc/meminfo", "MemTotal:       1048576 kB\nMemFree: 1 kB\n");
	put("/sys/devices/system/cpu/online", "0-3,8,10-11\n");
	put("/sys/devices/system/node/node0/x", "");
	put("/sys/devices/system/node/node1/x", "");
	put("/sys/devices/system/node/possible", "0-1\n");
	put("/sys/class/net/eth0/mtu", "9000\n");
	put("/sys/class/net/eth0/speed", "400000\n");
	put("/sys/class/net/eth0/operstate", "up\n");
	put("/sys/class/net/down0/mtu", "1500\n");
	put("/sys/class/net/down0/speed", "-1\n");
	probe_host(root, facts);
	remove_tree();

	ck_assert_str_eq(facts->os, "Some Linux 12");
	ck_assert_str_eq(facts->hostname, "gpu07");
	ck_assert_str_eq(facts->kernel, "6.1.0-13-amd64");
	ck_assert_str_eq(facts->cpu_model, "A CPU @ 2 GHz");
	ck_assert_int_eq(facts->memory_bytes, INT64_C(1) << 30);
	ck_assert_int_eq(facts->cpus, 7);
	ck_assert_int_eq(facts->numa_nodes, 2);
	const struct facts_thing *eth0 = facts_find(facts, "nic", "eth0");
	const struct facts_thing *down0 = facts_find(facts, "nic", "down0");
	ck_assert_int_eq(facts_number(eth0, "mtu"), 9000);
	ck_assert_int_eq(facts_number(eth0, "speed_mbps"), 400000);
	ck_assert_str_eq(facts_text(eth0, "state"), "up");
	ck_assert_int_eq(facts_number(down0, "speed_mbps"), -1);
	ck_assert_ptr_null(facts_text(down0, "driver"));
	facts_free(facts);
}
END_TEST

START_TEST(missing_is_unknown)
{
	struct facts *facts = mem_alloc(sizeof *facts);

	probe_host("/nonexistent-volley-root", facts);
	ck_assert_ptr_null(facts->os);
	ck_assert_ptr_null(facts->kernel);
	ck_assert_ptr_null(facts->cpu_model);
	ck_assert_ptr_null(facts->machine_id);
	ck_assert_int_eq(facts->cpus, -1);
	ck_assert_int_eq(facts->numa_nodes, -1);
	ck_assert_int_eq(facts->memory_bytes, -1);
	ck_assert_ptr_null(facts_next(facts, "nic", NULL));
	ck_assert_ptr_null(facts_next(facts, "mount", NULL));
	facts_free(facts);
}
END_TEST

int main(void)
{
	return SUITE_MAIN("host", reads_a_host, missing_is_unknown);
}
