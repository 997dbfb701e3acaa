/* SPDX-License-Identifier: Apache-2.0 */
/* volley run: a plan on its agents, from the barrier to the table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "controller/agents-option.h"
#include "controller/campaign.h"
#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/jobfile-option.h"
#include "controller/output.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/base/units.h"

#include "config.h"

#define DEFAULT_DB "results.db"
#define DEFAULT_LEASE "60s"
#define LEASE_MIN_NS UNITS_NS_PER_S
#define LEASE_MAX_NS (UINT64_C(3600) * UNITS_NS_PER_S)

struct run_command {
	struct cli *cli;
	struct plan *plan;
	struct cases *cases;
	struct agents_option agents;
	struct fleet *fleet;
	struct store *store;
	const struct report_format *format;
	const char *db;
	uint64_t max_skew_ns, lease_ns, started_wall_ns;
	struct campaign_result result;
};

static void
problem(void *arg, const char *agent, const struct err *err)
{
	(void)arg;
	fprintf(stderr, "volley: %s: %s\n", agent, err->msg);
}

static int
read_lease(struct run_command *run, struct err *err)
{
	const char *text = cli_text(run->cli, "lease", DEFAULT_LEASE);

	if (units_parse_time(text, UNITS_NS_PER_S, &run->lease_ns, err) < 0)
		return err_prefix(err, "--lease");
	if (run->lease_ns < LEASE_MIN_NS || run->lease_ns > LEASE_MAX_NS)
		return err_set(
		    err, ERR_USAGE, "--lease: %s is not within 1s and 1h", text);
	return 0;
}

static int
read_input(struct run_command *run, struct err *err)
{
	const char *skew = cli_text(run->cli, "max-skew", NULL);
	const char *format = cli_text(run->cli, "output", "text");

	run->db = cli_text(run->cli, "db", DEFAULT_DB);
	run->format = output_format(format, err);
	if (!run->format)
		return -1;
	if (skew && units_parse_time(skew, UNITS_NS_PER_MS, &run->max_skew_ns, err) < 0)
		return err_prefix(err, "--max-skew");
	if (read_lease(run, err) < 0)
		return -1;
	run->plan = jobfile_or_plan(run->cli, err);
	if (!run->plan)
		return -1;
	run->cases = cases_expand(run->plan, err);
	if (!run->cases)
		return -1;
	return agents_option_parse(
	    &run->agents, run->cli, run->plan, cases_most_clients(run->cases), err);
}

/* Enough agents for the largest case, but for those that may be missing. */
static int
check_count(const struct run_command *run, struct err *err)
{
	size_t have = fleet_count(run->fleet) + fleet_missing(run->fleet);
	unsigned want = cases_most_clients(run->cases);

	if (have >= want)
		return 0;
	return err_set(err, ERR_USAGE,
	    "the plan wants up to %u clients, but only %zu agents are given; "
	    "nothing was started",
	    want, have);
}

/* A path that is not there, or is dead, is better known before it is waited for. */
static void
warn_of_paths(const struct run_command *run)
{
	for (size_t i = 0; i < fleet_count(run->fleet); i++) {
		const struct facts *facts = fleet_facts(run->fleet, i);

		if (!facts)
			continue;
		for (facts_each(path, facts, "path"))
			if (facts_text(path, "problem"))
				fprintf(stderr, "volley: %s: %s: %s\n",
				    fleet_name(run->fleet, i), path->name,
				    facts_text(path, "problem"));
	}
}

static int
connect_agents(struct run_command *run, struct err *err)
{
	size_t n;

	if (fleet_new(&run->fleet, &run->agents.config, err) < 0 ||
	    fleet_connect(run->fleet, run->agents.timeout_ns, problem, NULL, err) < 0 ||
	    check_count(run, err) < 0)
		return -1;
	char **paths = plan_paths(run->plan, &n);
	fleet_ask_facts(run->fleet, (const char *const *)paths, n);
	free(paths);
	if (fleet_interrupted(run->fleet))
		return err_set(err, ERR_CANCELLED, "interrupted");
	warn_of_paths(run);
	return 0;
}

/* The same cases run again become further attempts of their repeats. */
static int
begin(struct run_command *run, uint64_t seed, struct err *err)
{
	VEC(const char *) names = {0};
	struct store_run head = {.plan = run->plan->name,
	    .plan_text = run->plan->text,
	    .generator = "volley " PACKAGE_VERSION,
	    .arguments = (const char *const *)run->cli->argv,
	    .narguments = (size_t)run->cli->argc,
	    .seed = seed,
	    .started_wall_ns = run->started_wall_ns};

	for (size_t i = 0; i < fleet_count(run->fleet); i++)
		vec_push(&names, fleet_name(run->fleet, i));
	head.hosts = names.v;
	head.nhosts = names.n;
	int r = store_begin_run(run->store, &head, err);
	for (size_t i = 0; i < names.n && r == 0; i++)
		if (fleet_facts(run->fleet, i))
			r = store_put_facts(
			    run->store, fleet_facts(run->fleet, i), err);
	vec_free(&names);
	return r;
}

/* The plan's, that of the run that is resumed, or a new one. */
static int
choose_seed(struct run_command *run, uint64_t *ret, struct err *err)
{
	struct store_repeats done = {0};
	struct results head = {0};
	int r = 0;

	/* 52 bits: exact in every JSON reader. */
	*ret = run->plan->has_seed ? run->plan->seed : rng_entropy() >> 12;
	if (run->plan->has_seed || !cli_flag(run->cli, "resume"))
		return 0;
	if (store_latest_states(run->store, &done, err) < 0)
		return -1;
	if (done.list.n)
		r = store_load_head(run->store, &head, err);
	if (r == 0 && done.list.n)
		*ret = head.seed;
	vec_free(&done.list);
	results_free(&head);
	return r;
}

static int
drive(struct run_command *run, struct err *err)
{
	uint64_t seed;

	if (connect_agents(run, err) < 0)
		return -1;
	run->started_wall_ns = clock_wall_ns();
	run->store = store_open(run->db, STORE_WRITE, err);
	if (!run->store || choose_seed(run, &seed, err) < 0 ||
	    begin(run, seed, err) < 0)
		return -1;
	struct live *live = live_new(isatty(STDERR_FILENO), run->cases->cases.n);
	char *logs = mem_printf("%s-logs", run->db);
	struct campaign campaign = {.plan = run->plan,
	    .cases = run->cases,
	    .fleet = run->fleet,
	    .store = run->store,
	    .live = live,
	    .seed = seed,
	    .max_skew_ns = run->max_skew_ns,
	    .lease_ns = run->lease_ns,
	    .logs = logs,
	    .no_fabric = cli_flag(run->cli, "no-fabric"),
	    .resume = cli_flag(run->cli, "resume")};
	int r = campaign_run(&campaign, &run->result, err);
	live_free(live);
	free(logs);
	if (store_end_run(run->store, clock_wall_ns(), r < 0 ? NULL : err) < 0)
		r = -1;
	return r;
}

static int
print(struct run_command *run, struct err *err)
{
	struct output_choice choice = {
	    .format = run->format, .only = run->cases, .which = STORE_LATEST};

	/* What the file held before belongs to it only when it was resumed. */
	if (!cli_flag(run->cli, "resume"))
		choice.since_wall_ns = run->started_wall_ns;
	return output_results(run->store, &choice, stdout, err);
}

static int
verdict(const struct run_command *run)
{
	const struct campaign_result *result = &run->result;

	if (result->interrupted)
		return EXIT_INTERRUPTED;
	if (result->kept)
		fprintf(stderr, "volley: %zu repeats were VALID already and kept\n",
		    result->kept);
	if (result->partial + result->invalid == 0)
		return EXIT_OK;
	fprintf(stderr,
	    "volley: %zu of %zu attempts are not VALID (%zu PARTIAL, %zu INVALID)\n",
	    result->partial + result->invalid,
	    result->valid + result->partial + result->invalid, result->partial,
	    result->invalid);
	return EXIT_DOUBT;
}

static int
run_exec(struct cli *cli)
{
	struct run_command run = {.cli = cli};
	struct err err = ERR_INIT;
	int status;

	if (read_input(&run, &err) < 0 || drive(&run, &err) < 0)
		status = cli_fail(&err);
	else if (print(&run, &err) < 0)
		status = cli_fail(&err);
	else
		status = verdict(&run);
	store_close(run.store);
	fleet_free(run.fleet);
	agents_option_free(&run.agents);
	cases_free(run.cases);
	plan_free(run.plan);
	return status;
}

static const struct cli_option options[] = {
    AGENTS_OPTIONS,
    {"db", "FILE", "results (default " DEFAULT_DB "); an existing file is added to",
	false},
    {"resume", NULL, "keep the repeats that are VALID in the file, run the rest",
	false},
    {"no-fabric", NULL,
	"do not measure the network between the agents (the plan's fabric)", false},
    {"max-skew", "TIME",
	"starts further apart make a case INVALID (milliseconds; "
	"default: the plan's, or the larger of 10 ms and 0.1 % of runtime)",
	false},
    {"lease", "TIME",
	"an agent that is out of reach for so long is given up, and ends its "
	"load by itself (default " DEFAULT_LEASE ")",
	false},
    JOBFILE_OPTIONS,
    OUTPUT_OPTION,
    {0},
};

const struct command cmd_run = {
    .name = "run",
    .synopsis = "PLAN|JOBFILE",
    .doc =
	"Run a plan: every client starts at the same instant; results go to a file and "
	"a table.",
    .options = options,
    .min_args = 1,
    .max_args = 1,
    .exec = run_exec,
};
