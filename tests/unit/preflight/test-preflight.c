/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The preflight over nodes made from the mlx5 tree: all is well, and then one thing at a
 * time is not.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/probe/host.h"
#include "controller/preflight/preflight.h"
#include "controller/preflight/require.h"
#include "lib/base/mem.h"
#include "tests/support/tree-file.h"
#include "tests/unit/suite.h"

#define NODES 4

static const char plan_text[] =
    "plan: p\n"
    "storage:\n"
    "  - name: one\n"
    "    paths:\n"
    "      tcp: /mnt/one-tcp\n"
    "      rdma: {path: /mnt/one-rdma, require: {fstype: nfs, options: [proto=rdma]}}\n"
    "client: {links: {speed: 400G, mtu: 9000}}\n"
    "clients: 4\n"
    "defaults: {ioengine: libaio, direct: 1, size: 1g}\n"
    "workloads: [{name: w, rw: read}]\n";

static struct plan *plan;
static struct cases *cases;
static struct facts *facts[NODES];
static struct preflight_node nodes[NODES];
static struct preflight result;

/* ---- the cluster ---- */

static struct facts_thing *
get(size_t node, const char *kind, const char *name)
{
	const struct facts_thing *thing = facts_find(facts[node], kind, name);

	ck_assert_msg(thing != NULL, "no %s %s", kind, name);
	return (struct facts_thing *)thing;
}

static void
add_path(size_t node, const char *name, const char *options)
{
	struct facts_thing *path = facts_add(facts[node], "path", name);

	facts_set_text(path, "kind", mem_strdup("folder"));
	facts_set_text(path, "fstype", mem_strdup("nfs"));
	facts_set_text(path, "mount_point", mem_strdup(name));
	facts_set_text(
	    path, "options", mem_printf("rw,%s,clientaddr=10.10.1.%zu", options, node));
	facts_set_text(path, "token", mem_strdup(node ? "found" : "removed"));
	facts_set_number(path, "direct", 1);
	facts_set_number(path, "free_bytes", INT64_C(1) << 40);
}

static void
set_up_as(const char *text)
{
	struct err err = ERR_INIT;
	char *root = tree_file_unpack("mlx5");

	plan = plan_parse("p.yaml", text, strlen(text), &err);
	ck_assert_msg(plan != NULL, "%s", err.msg);
	cases = cases_expand(plan, &err);
	ck_assert_msg(cases != NULL, "%s", err.msg);
	for (size_t i = 0; i < NODES; i++) {
		static const char *const names[] = {"n1", "n2", "n3", "n4"};
		facts[i] = mem_alloc(sizeof *facts[i]);
		probe_host(root, facts[i]);
		facts[i]->version = mem_strdup("volley 1");
		vec_push(&facts[i]->engines, mem_strdup("libaio"));
		add_path(i, "/mnt/one-tcp", "proto=tcp");
		add_path(i, "/mnt/one-rdma", "proto=rdma");
		nodes[i] = (struct preflight_node){names[i], facts[i],
		    {.valid = true, .bound_ns = 20000}, {1e10, 1e10, NAN}};
	}
	tree_file_remove(root);
}

static void
set_up(void)
{
	set_up_as(plan_text);
}

static void
tear_down(void)
{
	for (size_t i = 0; i < NODES; i++)
		facts_free(facts[i]);
	preflight_free(&result);
	cases_free(cases);
	plan_free(plan);
}

static void
run(void)
{
	const struct preflight_input input = {plan, cases, nodes, NODES};

	preflight_free(&result);
	preflight_run(&input, &result);
}

static const struct preflight_line *
line_of(const char *check, size_t node)
{
	for (vec_each(const struct preflight_line *, line, &result.lines))
		if (strcmp(line->check, check) == 0 && line->node == node)
			return line;
	ck_abort_msg("no line of %s", check);
}

static void
is(const char *check, size_t node, enum preflight_verdict verdict, const char *part)
{
	const struct preflight_line *line = line_of(check, node);

	ck_assert_msg(line->verdict == verdict && strstr(line->text, part),
	    "%s of node %zu: %s: %s", check, node,
	    preflight_verdict_name(line->verdict), line->text);
}

/* No other node is blamed. */
static void
is_only(
    const char *check, size_t node, enum preflight_verdict verdict, const char *part)
{
	is(check, node, verdict, part);
	for (size_t i = 0; i < NODES; i++)
		if (i != node)
			is(check, i, PREFLIGHT_PASS, "");
}

/* ---- tests ---- */

START_TEST(all_is_well)
{
	run();
	for (vec_each(const struct preflight_line *, line, &result.lines))
		ck_assert_msg(line->verdict == PREFLIGHT_PASS, "%s of node %zu: %s: %s",
		    line->check, line->node, preflight_verdict_name(line->verdict),
		    line->text);
	ck_assert_int_eq(result.worst, PREFLIGHT_PASS);
	ck_assert_uint_eq(result.lines.n % NODES, 0);
}
END_TEST

START_TEST(odd_card)
{
	facts_set_number(get(2, "nic", "ens1f0np0"), "mtu", 1500);
	run();
	is_only("network", 2, PREFLIGHT_FAIL,
	    "mtu of ens1f0np0 is 1500 here, 9000 on 3 others");
	is("network", 2, PREFLIGHT_FAIL,
	    "mtu of ens1f0np0 is 1500, the plan says 9000");
	is_only("path-mtu", 2, PREFLIGHT_WARN,
	    "RDMA packets of 1024 bytes at most; 4096 needs 4200");
	ck_assert_int_eq(result.worst, PREFLIGHT_FAIL);

	facts_set_number(get(2, "nic", "ens1f0np0"), "mtu", 9000);
	facts_set_number(get(1, "nic", "ens1f0np0"), "speed_mbps", 200000);
	facts_set_number(get(3, "nic", "ens1f0np0"), "pcie_width", 8);
	run();
	is_only(
	    "network", 1, PREFLIGHT_FAIL, "runs at 200000 Mb/s, the plan says 400000");
	is_only("pcie", 3, PREFLIGHT_WARN, "ens1f0np0: x8 of x16");
}
END_TEST

/* Without a majority both sides are named; a card that is down does not matter. */
START_TEST(two_and_two)
{
	facts_set_number(get(0, "nic", "ens1f0np0"), "mtu", 4200);
	facts_set_number(get(1, "nic", "ens1f0np0"), "mtu", 4200);
	facts_set_number(get(1, "nic", "eno1"), "mtu", 9000);
	run();
	is("network", 0, PREFLIGHT_FAIL, "mtu of ens1f0np0 is 4200 here, 9000 on n3");
	is("network", 3, PREFLIGHT_FAIL, "mtu of ens1f0np0 is 9000 here, 4200 on n1");
	ck_assert_ptr_null(strstr(line_of("network", 1)->text, "eno1"));
	is("path-mtu", 0, PREFLIGHT_PASS, "");
}
END_TEST

START_TEST(versions)
{
	free(facts[1]->kernel);
	facts[1]->kernel = mem_strdup("5.15.0-91-generic");
	facts_set_text(
	    get(3, "rdma", "mlx5_0/1"), "firmware", mem_strdup("28.35.1012"));
	facts_set_text(get(2, "rdma", "mlx5_0/1"), "firmware", NULL);
	run();
	is_only("system", 1, PREFLIGHT_WARN,
	    "kernel is 5.15.0-91-generic here, 5.15.0-105-generic on 3 others");
	is("rdma-same", 3, PREFLIGHT_WARN, "firmware of mlx5_0/1 is 28.35.1012 here");
	is("rdma-same", 2, PREFLIGHT_UNKNOWN, "firmware of mlx5_0/1 is unknown here");
	is("rdma-same", 0, PREFLIGHT_PASS, "");
	ck_assert_int_eq(result.worst, PREFLIGHT_WARN);
}
END_TEST

START_TEST(gids)
{
	facts_set_text(get(1, "gid", "mlx5_0/1/3"), "type", mem_strdup("IB/RoCE v1"));
	facts_set_text(get(2, "gid", "mlx5_0/1/3"), "netdev", mem_strdup("eno1"));
	facts_set_text(get(2, "gid", "mlx5_0/1/1"), "netdev", mem_strdup("eno1"));
	run();
	is("gid", 0, PREFLIGHT_PASS, "mlx5_0/1: RoCE v2 at index 3");
	is("gid", 1, PREFLIGHT_WARN, "link-local");
	is("gid", 2, PREFLIGHT_FAIL, "mlx5_0/1 has no RoCE v2 GID on ens1f0np0");
}
END_TEST

START_TEST(ports)
{
	struct facts *bare = facts[3];

	facts_set_text(get(1, "rdma", "mlx5_0/1"), "state", mem_strdup("DOWN"));
	facts_set_text(get(2, "rdma", "mlx5_0/1"), "netdev", mem_strdup("eno1"));
	for (vec_each(struct facts_thing *, thing, &bare->things))
		if (strcmp(thing->kind, "rdma") == 0)
			thing->kind[0] = 'x';
	run();
	is("rdma-port", 0, PREFLIGHT_PASS, "mlx5_0/1 on ens1f0np0 ACTIVE");
	is("rdma-port", 1, PREFLIGHT_FAIL, "no RDMA port that is ACTIVE");
	is("rdma-port", 2, PREFLIGHT_FAIL, "is on the way to the storage");
	is("rdma-port", 3, PREFLIGHT_FAIL, "it has no RDMA device");
	is("rdma-same", 3, PREFLIGHT_WARN, "no mlx5_0/1 here, as 3 others have");
}
END_TEST

START_TEST(active_mtu)
{
	for (size_t i = 0; i < NODES; i++)
		facts_set_number(
		    get(i, "rdma", "mlx5_0/1"), "active_mtu", i == 2 ? 1024 : 4096);
	run();
	is_only("path-mtu", 2, PREFLIGHT_WARN,
	    "mlx5_0/1 uses packets of 1024 bytes, though MTU 9000 of ens1f0np0 allows");
	is_only("rdma-same", 2, PREFLIGHT_FAIL, "active_mtu of mlx5_0/1 is 1024 here");
}
END_TEST

START_TEST(priorities)
{
	facts_set_text(get(0, "nic", "ens1f0np0"), "trust", mem_strdup("pcp"));
	facts_set_text(get(1, "nic", "ens1f0np0"), "pfc", mem_strdup("none"));
	facts_set_text(get(2, "nic", "ens1f0np0"), "ecn_np", mem_strdup("none"));
	for (int i = 0; i < 4; i++) {
		static const char *const all[] = {"trust", "pfc", "ecn_np", "ecn_rp"};
		facts_set_text(get(3, "nic", "ens1f0np0"), all[i], NULL);
	}
	run();
	is("lossless", 0, PREFLIGHT_FAIL, "trusts pcp");
	is("lossless", 1, PREFLIGHT_FAIL,
	    "pfc of ens1f0np0 is none here, 3 on 2 others");
	is("lossless", 2, PREFLIGHT_FAIL, "ecn_np of ens1f0np0 is none here");
	is("lossless", 3, PREFLIGHT_UNKNOWN, "of ens1f0np0 cannot be read");
}
END_TEST

START_TEST(mounts)
{
	facts_set_text(
	    get(1, "mount", "/mnt/one-rdma"), "transport", mem_strdup("tcp"));
	facts_set_text(get(2, "path", "/mnt/one-tcp"), "options",
	    mem_strdup("ro,proto=tcp,clientaddr=10.10.1.2"));
	facts_set_text(get(3, "path", "/mnt/one-rdma"), "problem",
	    mem_strdup("no answer in 5 s: the mount hangs"));
	run();
	is("mount", 0, PREFLIGHT_PASS, "/mnt/one-rdma: nfs over rdma");
	is("mount", 1, PREFLIGHT_FAIL, "/mnt/one-rdma goes over tcp");
	is("mount", 1, PREFLIGHT_FAIL, "its options say so, but it goes over tcp");
	is("mount", 3, PREFLIGHT_FAIL,
	    "/mnt/one-rdma: no answer in 5 s: the mount hangs");
	is("mount-same", 2, PREFLIGHT_FAIL,
	    "options of /mnt/one-tcp is ro,proto=tcp here, rw,proto=tcp on 3 others");
	is("mount-same", 1, PREFLIGHT_FAIL, "transport of /mnt/one-rdma is tcp here");
}
END_TEST

START_TEST(paths)
{
	struct facts_thing *refusing = get(1, "path", "/mnt/one-tcp");

	facts_set_number(refusing, "direct", 0);
	facts_set_text(refusing, "direct_error", mem_strdup("Invalid argument"));
	facts_set_text(get(2, "path", "/mnt/one-rdma"), "token", mem_strdup("missing"));
	facts_set_number(
	    get(3, "path", "/mnt/one-tcp"), "free_bytes", INT64_C(4) << 30);
	facts_set_number(get(0, "path", "/mnt/one-tcp"), "free_bytes", -1);
	run();
	is_only(
	    "direct", 1, PREFLIGHT_FAIL, "/mnt/one-tcp refuses it: Invalid argument");
	is_only("shared", 2, PREFLIGHT_FAIL,
	    "/mnt/one-rdma is not the storage that n1 sees: its token is not there");
	is("space", 3, PREFLIGHT_PASS, "4 GiB free, files of 4 GiB"); /* just enough */
	is("space", 0, PREFLIGHT_UNKNOWN, "/mnt/one-tcp: free space is unknown");
	facts_set_number(
	    get(3, "path", "/mnt/one-tcp"), "free_bytes", (INT64_C(4) << 30) - 1);
	run();
	is("space", 3, PREFLIGHT_FAIL, "files of 4 GiB");
}
END_TEST

/* Nobody is blamed for a token that was never written. */
START_TEST(no_token)
{
	facts_set_text(get(0, "path", "/mnt/one-tcp"), "token",
	    mem_strdup("Read-only file system"));
	facts_set_text(get(1, "path", "/mnt/one-tcp"), "token", mem_strdup("missing"));
	run();
	is("shared", 0, PREFLIGHT_WARN,
	    "the token was not written: Read-only file system");
	is("shared", 1, PREFLIGHT_UNKNOWN, "/mnt/one-tcp: there was no token");
}
END_TEST

START_TEST(nodes_themselves)
{
	nodes[0].offset.bound_ns = 20000000;
	nodes[1].offset.valid = false;
	free(facts[2]->engines.v[0]);
	facts[2]->engines.v[0] = mem_strdup("libaio: not built (--with-libaio)");
	nodes[3].facts = NULL;
	nodes[0].baseline_bytes_per_s[TRANSPORT_RDMA] = NAN;
	run();
	is("clock", 0, PREFLIGHT_FAIL,
	    "known to ± 20.00 ms; starts may be 10.00 ms apart");
	is("clock", 1, PREFLIGHT_UNKNOWN, "could not be compared");
	is("engines", 2, PREFLIGHT_FAIL, "libaio: not built (--with-libaio)");
	is("engines", 1, PREFLIGHT_PASS, "libaio");
	is("answer", 3, PREFLIGHT_FAIL, "it did not tell about itself");
	is("network", 3, PREFLIGHT_UNKNOWN, "it did not tell about itself");
	is("baseline", 0, PREFLIGHT_UNKNOWN, "rdma was not measured");
}
END_TEST

START_TEST(slow_node)
{
	nodes[2].baseline_bytes_per_s[TRANSPORT_RDMA] = 7e9;
	nodes[1].baseline_bytes_per_s[TRANSPORT_RDMA] = 9e9;
	run();
	is_only("baseline", 2, PREFLIGHT_WARN, "rdma 6.519 GiB/s, median of the nodes");
	nodes[3].baseline_bytes_per_s[TRANSPORT_TCP] = NAN;
	run();
	is("baseline", 3, PREFLIGHT_UNKNOWN, "tcp was not measured");
}
END_TEST

START_TEST(commands)
{
	tear_down();
	result = (struct preflight){0};
	set_up_as(
	    "plan: p\n"
	    "storage: [{name: s, paths: {tcp: {path: /mnt/one-tcp, setup: mount x}}}]\n"
	    "clients: 4\n"
	    "workloads: [{name: w, rw: read, ioengine: libaio, size: 1g}]\n");
	facts_set_number(facts_add(facts[1], "host", "agent"), "allow_exec", 1);
	facts_set_number(facts_add(facts[2], "host", "agent"), "allow_exec", 0);
	run();
	is("commands", 1, PREFLIGHT_PASS, "allowed");
	is("commands", 2, PREFLIGHT_FAIL, "without --allow-exec");
	is("mount", 1, PREFLIGHT_UNKNOWN, "is mounted by the plan itself");
	is("rdma-port", 1, PREFLIGHT_PASS, "the plan uses no RDMA");
}
END_TEST

static void
needs(const char *fstype, const char *option, const char *want)
{
	struct plan_require require = {.fstype = (char *)fstype};

	if (option)
		vec_push(&require.options, (char *)option);
	char *wrong = require_check(&require, facts[0], "/mnt/one-rdma");
	ck_assert_pstr_eq(wrong, want);
	free(wrong);
	vec_free(&require.options);
}

START_TEST(requirements)
{
	needs("nfs", "proto=rdma", NULL);
	needs(NULL, "rw", NULL);
	needs("nfs4", NULL, "must be nfs4, but it is on nfs (/mnt/one-rdma)");
	needs("nfs", "proto",
	    "must be mounted with proto, but it has "
	    "rw,proto=rdma,clientaddr=10.10.1.0");
	facts_set_text(
	    get(0, "mount", "/mnt/one-rdma"), "transport", mem_strdup("tcp"));
	needs("nfs", "proto=rdma",
	    "must be mounted with proto=rdma, and its options say so, but it goes over "
	    "tcp (xprt in /proc/self/mountstats)");
	struct plan_require any = {.fstype = (char *)"nfs"};
	char *wrong = require_check(&any, NULL, "/mnt/one-rdma");
	ck_assert_str_eq(wrong, "what is mounted there is unknown: no answer");
	free(wrong);
}
END_TEST

START_TEST(report)
{
	const struct preflight_input input = {plan, cases, nodes, NODES};
	struct str text = {0};

	facts_set_number(get(2, "nic", "ens1f0np0"), "mtu", 1500);
	run();
	preflight_text(&result, &input, &text);
	ck_assert_ptr_nonnull(strstr(text.s, "\nfail    network     n3: mtu of"));
	ck_assert_ptr_nonnull(strstr(text.s, "\npass    network     n1: "));
	ck_assert_ptr_nonnull(
	    strstr(text.s, "\npass    engines     all nodes: libaio\n"));
	ck_assert_ptr_nonnull(strstr(text.s, " 1 fail, 0 unknown: do not go on\n"));
	str_clear(&text);
	preflight_json(&result, &input, &text);
	ck_assert_ptr_nonnull(
	    strstr(text.s, "\"verdict\": \"fail\",\n \"go_on\": false"));
	ck_assert_ptr_nonnull(strstr(text.s, "\"agent\": \"n3\""));
	str_free(&text);
}
END_TEST

int
main(void)
{
	const TTest *const tests[] = {all_is_well, odd_card, two_and_two, versions,
	    gids, ports, active_mtu, priorities, mounts, paths, no_token,
	    nodes_themselves, slow_node, commands, requirements, report};
	TCase *tcase = tcase_create("preflight");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
		tcase_add_test(tcase, tests[i]);
	return suite_run("preflight", tcase);
}
