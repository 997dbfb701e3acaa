/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the cases of a plan, block by block and repeat by repeat. */
#include "controller/campaign.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/expand/repeat.h"
#include "controller/fabric.h"
#include "controller/logs.h"
#include "controller/shares.h"
#include "controller/stage.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/secret.h"
#include "lib/base/units.h"

#define PREPARE_NS (UINT64_C(3600) * UNITS_NS_PER_S)

/* What is known of one case so far. */
struct progress {
	VEC(double) values; /* throughput of its VALID repeats */
	VEC(unsigned) kept; /* repeats that are VALID in the store already */
	size_t attempted;
	size_t number; /* in the order in which cases begin, from 1; 0: not yet */
	bool through;
};

struct running {
	const struct campaign *campaign;
	struct campaign_result *result;
	struct progress *progress; /* by case */
	struct stage stage;
	size_t begun;              /* cases of which an attempt has begun */
	size_t position;           /* attempts so far */
};

/* Both directions together: what the spread rule looks at. */
static double
throughput(const struct attempt *attempt)
{
	double sum = 0;

	if (!attempt->has_total)
		return NAN;
	for (int dir = 0; dir < DIR_COUNT; dir++)
		if (attempt->total.dir[dir].present)
			sum += attempt->total.dir[dir].bytes_per_s;
	return sum;
}

static void
describe_case(const struct plan_case *c, unsigned repeat, struct str *ret)
{
	str_addf(ret, "%s  %s/%s  %u client%s", c->workload, c->storage,
	    transport_name(c->transport), c->clients, c->clients == 1 ? "" : "s");
	for (vec_each(const struct case_param *, it, &c->params))
		if (it->is_axis)
			str_addf(ret, "  %s=%s", it->name, it->value);
	str_addf(ret, "  repeat %u", repeat);
}

static void
describe_outcome(const struct attempt *attempt, struct str *ret)
{
	char rate[UNITS_BUF], iops[UNITS_BUF], lat[UNITS_BUF];

	str_add(ret, attempt_state_name(attempt->state));
	for (int dir = 0; dir < DIR_COUNT && attempt->has_total; dir++) {
		const struct total_dir *it = &attempt->total.dir[dir];
		if (it->present)
			str_addf(ret, "  %s %s %s IOPS lat %s", dir_name(dir),
			    units_bytes_per_s(rate, it->bytes_per_s),
			    units_iops(iops, it->iops),
			    units_ns(lat, hist_mean(it->lat)));
	}
	if (attempt->state == ATTEMPT_VALID)
		return;
	for (vec_each(const struct attempt_reason *, it, &attempt->reasons))
		if (it->makes == attempt->state)
			str_addf(ret, "\n    %s", it->text);
}

/* ---- results.db ---- */

static void
copy_param(const struct case_param *from, results_params *to)
{
	*vec_add(to) = (struct results_param){.name = mem_strdup(from->name),
	    .value = mem_strdup(from->value),
	    .is_number = from->is_number,
	    .is_axis = from->is_axis};
}

static void
to_results_job(const struct case_part *part, struct results_job *ret)
{
	*ret = (struct results_job){.name = mem_strdup(part->job.name),
	    .first_client = part->first,
	    .clients = part->clients};
	for (vec_each(const struct case_param *, it, &part->params))
		copy_param(it, &ret->params);
}

/* What the store keeps of a case, from the plan's point of view. */
static void
to_results_case(const struct plan_case *c, struct results_case *ret)
{
	struct str text = {0};

	*ret = (struct results_case){.storage = mem_strdup(c->storage),
	    .transport = mem_strdup(transport_name(c->transport)),
	    .path = mem_strdup(c->path),
	    .workload = mem_strdup(c->workload),
	    .clients = c->clients};
	memcpy(ret->id, c->id, sizeof ret->id);
	for (vec_each(const struct case_param *, it, &c->params))
		copy_param(it, &ret->params);
	for (size_t i = 0; c->parts.n > 1 && i < c->parts.n; i++)
		to_results_job(&c->parts.v[i], vec_add(&ret->jobs));
	/* volley did not precondition it; whether somebody else did is not known. */
	if (case_writes(c))
		*vec_add(&ret->params) =
		    (struct results_param){.name = mem_strdup("preconditioned"),
			.value = mem_strdup("unknown")};
	for (vec_each(const struct case_part *, part, &c->parts))
		job_format(&part->job, &text);
	ret->job_text = str_take(&text);
	fio_notes_copy(&ret->notes, c->notes);
}

int
campaign_put_case(
    const struct campaign *campaign, const struct plan_case *c, struct err *err)
{
	struct results_case results;
	int rc;

	to_results_case(c, &results);
	rc = store_put_case(campaign->store, &results, err);
	results_case_free(&results);
	return rc;
}

static int
put_cases(const struct campaign *campaign, struct err *err)
{
	for (vec_each(const struct plan_case *, it, &campaign->cases->cases))
		if (campaign_put_case(campaign, it, err) < 0)
			return -1;
	return 0;
}

static int
keep_valid(struct running *running, size_t index, struct err *err)
{
	const struct plan_case *c = &running->campaign->cases->cases.v[index];
	struct progress *progress = &running->progress[index];
	struct results_case stored = {0};

	if (store_load_case(
		running->campaign->store, c->id, STORE_LATEST, false, &stored, err) < 0)
		return -1;
	for (vec_each(struct results_attempt **, it, &stored.attempts)) {
		if ((*it)->attempt.state != ATTEMPT_VALID)
			continue;
		vec_push(&progress->values, throughput(&(*it)->attempt));
		vec_push(&progress->kept, (*it)->attempt.repeat);
		running->result->kept++;
	}
	results_case_free(&stored);
	return 0;
}

static int
load_progress(struct running *running, struct err *err)
{
	const struct cases *cases = running->campaign->cases;

	for (size_t i = 0; running->campaign->resume && i < cases->cases.n; i++)
		if (keep_valid(running, i, err) < 0)
			return -1;
	return 0;
}

/* ---- one attempt ---- */

static double
client_memory(const struct fleet *fleet, size_t clients)
{
	double sum = 0;

	for (size_t i = 0; i < clients; i++) {
		const struct facts *facts = fleet_facts(fleet, i);
		if (!facts || facts->memory_bytes <= 0)
			return NAN;
		sum += (double)facts->memory_bytes;
	}
	return sum;
}

/* What is worth knowing of a figure that stands. */
static void
add_note(struct attempt *attempt, const char *code, char *text)
{
	*vec_add(&attempt->reasons) = (struct attempt_reason){
	    .code = mem_strdup(code), .text = text, .makes = ATTEMPT_VALID};
}

/* Several transports, each as a whole? */
static bool
is_one_after_the_other(const struct plan *plan, const struct plan_case *c)
{
	for (vec_each(const struct plan_storage *, it, &plan->storages)) {
		size_t n = 0;

		if (strcmp(it->name, c->storage) != 0)
			continue;
		for (vec_each(const enum transport *, t, &plan->transports))
			n += it->paths[*t].path != NULL;
		return n > 1 &&
		       (plan->order == PLAN_BLOCKS || plan_storage_is_staged(it));
	}
	return false;
}

static void
add_notes(const struct campaign *campaign, const struct plan_case *c, size_t clients,
    struct attempt *attempt)
{
	char data[UNITS_BUF];

	if (!attempt->has_total)
		return;
	if (!case_is_null(c) &&
	    case_cacheable(c, client_memory(campaign->fleet, clients)) == CACHEABLE_YES)
		add_note(attempt, "cacheable",
		    mem_printf("caches may have served it: the data set of %s is not "
			       "over %g times the memory of clients and storage",
			units_bytes(data, case_dataset_bytes(c)), CACHEABLE_FACTOR));
	if (is_one_after_the_other(campaign->plan, c))
		add_note(attempt, "not-interleaved",
		    mem_strdup("not interleaved: the transports of this storage were "
			       "measured one after the other, so a drift in between "
			       "looks like a difference"));
	if (case_reads_unknown(c))
		add_note(attempt, "contents-unknown",
		    mem_strdup("volley did not write this device (layout: overwrite "
			       "would): what was read may never have been written"));
}

static bool
wants_logs(const struct plan_case *c)
{
	for (vec_each(const struct case_part *, part, &c->parts))
		if (job_wants_logs(&part->job))
			return true;
	return false;
}

/* What its counters are asked for. */
static unsigned
declared_transport(enum transport transport)
{
	static const unsigned declared[TRANSPORT_COUNT] = {
	    [TRANSPORT_TCP] = COUNTERS_TCP, [TRANSPORT_RDMA] = COUNTERS_RDMA};

	return declared[transport];
}

/* What proves to a case's target that its clients belong there; NULL: it has none. */
static int
read_secret(const struct plan *plan, const char *storage, char **ret, struct err *err)
{
	*ret = NULL;
	for (vec_each(const struct plan_storage *, it, &plan->storages))
		if (it->key_file && strcmp(it->name, storage) == 0)
			return secret_read(ret, it->key_file, err);
	return 0;
}

/* Before anything runs. */
static int
check_secrets(const struct plan *plan, struct err *err)
{
	for (vec_each(const struct plan_storage *, it, &plan->storages)) {
		char *secret;

		if (read_secret(plan, it->name, &secret, err) < 0)
			return err_prefix(err, "storage %s", it->name);
		secret_free(secret);
	}
	return 0;
}

/* An attempt that was not made, and why. */
static void
refuse(struct attempt *attempt, const struct stage_refusal *why, unsigned expected)
{
	attempt->clients_expected = expected;
	attempt->started_wall_ns = attempt->ended_wall_ns = clock_wall_ns();
	attempt->error = why->text;
	attempt->error_agent = why->agent;
	attempt_judge(attempt, NULL, 0);
}

static int
attempt_case(const struct campaign *campaign, struct stage *stage,
    const struct plan_case *c, unsigned repeat, const struct campaign_aim *aim,
    struct attempt *attempt, struct err *err)
{
	size_t present = fleet_count(campaign->fleet);
	const struct shares_env env = {
	    campaign->plan, campaign->fleet, campaign->seed, repeat};
	struct shares shares;

	if (shares_init(&shares, c, &env, err) < 0)
		return -1;
	if (aim->point)
		aim->point(aim->arg, &shares);
	struct fleet_order order = {.case_id = c->id,
	    .parts = shares.parts,
	    .nparts = shares.nparts,
	    .clients = shares.clients < present ? shares.clients : present,
	    .expected = shares.clients,
	    .shares = shares.share,
	    .peer_key = aim->key,
	    .prepare_timeout_ns = PREPARE_NS,
	    .finish_timeout_ns = case_deadline_ns(campaign->plan, c),
	    .lease_ns = campaign->lease_ns};
	memcpy(attempt->case_id, c->id, sizeof attempt->case_id);
	attempt->repeat = repeat;
	attempt->seed = campaign->seed;
	attempt->declared = declared_transport(c->transport);
	attempt->max_skew_ns = campaign->max_skew_ns
				   ? campaign->max_skew_ns
				   : case_max_skew_ns(campaign->plan, c);
	struct stage_refusal refusal;
	int ready = stage ? stage_enter(stage, c, order.clients, &refusal, err) : 1;
	int r = ready < 0 ? -1 : 0;
	if (ready == 0)
		refuse(attempt, &refusal, (unsigned)order.expected);
	else if (ready > 0)
		r = fleet_attempt(campaign->fleet, &order, attempt,
		    stage ? live_watch : NULL, campaign->live, err);
	if (r == 0 && ready && wants_logs(c))
		logs_fetch(campaign->fleet, campaign->logs, c, attempt);
	if (r == 0)
		add_notes(campaign, c, order.clients, attempt);
	shares_free(&shares);
	return r;
}

static int
run_attempt(struct running *running, const struct plan_case *c, unsigned repeat,
    struct attempt *attempt, struct err *err)
{
	const struct campaign *campaign = running->campaign;
	struct campaign_aim aim = {0};
	char *secret;
	int rc;

	if (read_secret(campaign->plan, c->storage, &secret, err) < 0)
		return -1;
	aim.key = secret;
	rc = attempt_case(campaign, &running->stage, c, repeat, &aim, attempt, err);
	secret_free(secret);
	return rc;
}

static void
count_state(struct campaign_result *result, const struct attempt *attempt)
{
	size_t *const counts[] = {[ATTEMPT_VALID] = &result->valid,
	    [ATTEMPT_PARTIAL] = &result->partial,
	    [ATTEMPT_INVALID] = &result->invalid};

	++*counts[attempt->state];
}

int
campaign_run_case(const struct campaign *campaign, const struct plan_case *c,
    unsigned repeat, const struct campaign_aim *aim, unsigned position,
    struct campaign_result *result, struct err *err)
{
	struct attempt attempt = {0};
	struct str text = {0};
	int rc;

	if (fleet_interrupted(campaign->fleet))
		return err_set(err, ERR_CANCELLED, "interrupted");
	rc = attempt_case(campaign, NULL, c, repeat, aim, &attempt, err);
	if (rc == 0)
		rc = store_put_attempt(campaign->store, &attempt, position, err);
	if (rc == 0) {
		count_state(result, &attempt);
		describe_case(c, repeat, &text);
		str_add(&text, "  ");
		describe_outcome(&attempt, &text);
		live_note(campaign->live, text.s);
	}
	str_free(&text);
	attempt_free(&attempt);
	return rc;
}

static void
count(struct running *running, size_t index, const struct attempt *attempt)
{
	struct progress *progress = &running->progress[index];

	count_state(running->result, attempt);
	if (attempt->state == ATTEMPT_VALID)
		vec_push(&progress->values, throughput(attempt));
}

/* Attempts to come at the least, the one that begins included. */
static size_t
least_left(const struct running *running)
{
	const struct cases *cases = running->campaign->cases;
	size_t left = 1, least = cases->plan->repeat.min;

	for (size_t i = 0; i < cases->cases.n; i++) {
		const struct progress *progress = &running->progress[i];
		size_t settled = progress->attempted;
		if (settled < progress->kept.n)
			settled = progress->kept.n;
		if (!progress->through && settled < least)
			left += least - settled;
	}
	return left;
}

static int
run_repeat(struct running *running, size_t index, unsigned repeat, struct err *err)
{
	const struct plan_case *c = &running->campaign->cases->cases.v[index];
	struct progress *progress = &running->progress[index];
	struct attempt attempt = {0};
	struct str text = {0};

	if (fleet_interrupted(running->campaign->fleet))
		return err_set(err, ERR_CANCELLED, "interrupted");
	describe_case(c, repeat, &text);
	if (progress->number == 0)
		progress->number = ++running->begun;
	live_begin(running->campaign->live, progress->number, text.s, running->position,
	    least_left(running));
	int r = run_attempt(running, c, repeat, &attempt, err);
	if (r == 0)
		r = store_put_attempt(running->campaign->store, &attempt,
		    (unsigned)++running->position, err);
	if (r == 0) {
		count(running, index, &attempt);
		str_clear(&text);
		describe_outcome(&attempt, &text);
		live_end(running->campaign->live, text.s);
	}
	str_free(&text);
	attempt_free(&attempt);
	return r;
}

/* ---- the order ---- */

static bool
is_kept(const struct progress *progress, unsigned repeat)
{
	for (vec_each(const unsigned *, it, &progress->kept))
		if (*it == repeat)
			return true;
	return false;
}

static void
decide(struct running *running, size_t index)
{
	const struct plan_repeat *rule = &running->campaign->plan->repeat;
	struct progress *progress = &running->progress[index];
	struct repeat_verdict verdict = repeat_decide(
	    rule, progress->values.v, progress->values.n, progress->attempted);

	progress->through = !verdict.more;
	if (progress->through && rule->max > rule->min) {
		char *line = mem_printf("    repeats: %s", verdict.why);
		live_note(running->campaign->live, line);
		free(line);
	}
}

static int
run_block(struct running *running, const struct case_block *block, struct err *err)
{
	const struct campaign *campaign = running->campaign;
	unsigned most = campaign->plan->repeat.max;

	for (unsigned repeat = 1; repeat <= most; repeat++) {
		for (size_t k = 0; k < block->n; k++) {
			size_t index = cases_arm(block, repeat, k);
			struct progress *progress = &running->progress[index];
			if (progress->through)
				continue;
			progress->attempted++;
			if (!is_kept(progress, repeat) &&
			    run_repeat(running, index, repeat, err) < 0)
				return -1;
			decide(running, index);
		}
	}
	return 0;
}

/* An entry that is about nobody is a slip of the pen. */
static int
check_per_client(const struct campaign *campaign, struct err *err)
{
	const struct plan *plan = campaign->plan;

	for (vec_each(const struct plan_per_client *, entry, &plan->per_client)) {
		bool known = false;

		for (vec_each(const struct host *, host, &entry->hosts.hosts))
			for (size_t i = 0; i < fleet_count(campaign->fleet); i++)
				known = known || strcmp(host->name,
						     fleet_name(campaign->fleet, i)) == 0;
		if (!known)
			return plan_err(err, plan, entry->pos,
			    "per_client: no agent has the name '%s'",
			    entry->hosts.hosts.v[0].name);
	}
	return 0;
}

/* Every client has something to do in every case, before anything runs. */
static int
check_shares(const struct campaign *campaign, struct err *err)
{
	const struct shares_env env = {campaign->plan, campaign->fleet, campaign->seed, 1};

	for (vec_each(const struct plan_case *, c, &campaign->cases->cases)) {
		struct shares shares;

		if (shares_init(&shares, c, &env, err) < 0)
			return -1;
		shares_free(&shares);
	}
	return 0;
}

int
campaign_run(
    const struct campaign *campaign, struct campaign_result *ret, struct err *err)
{
	const struct cases *cases = campaign->cases;
	struct running running = {.campaign = campaign, .result = ret};
	int r;

	*ret = (struct campaign_result){0};
	running.stage = (struct stage){.fleet = campaign->fleet,
	    .store = campaign->store,
	    .live = campaign->live,
	    .plan = campaign->plan};
	if (check_per_client(campaign, err) < 0 || check_shares(campaign, err) < 0)
		return -1;
	running.progress = mem_array(cases->cases.n, sizeof *running.progress);
	r = check_secrets(campaign->plan, err);
	if (r == 0)
		r = put_cases(campaign, err);
	if (r == 0)
		r = load_progress(&running, err);
	if (r == 0)
		r = fabric_run(campaign, ret, &running.position, err);
	for (size_t i = 0; r == 0 && i < cases->blocks.n; i++)
		r = run_block(&running, &cases->blocks.v[i], err);
	struct err ignored = ERR_INIT;
	if (stage_leave(&running.stage, r == 0 ? err : &ignored) < 0 && r == 0)
		r = -1;
	if (r < 0 && err->code == ERR_CANCELLED) {
		ret->interrupted = true;
		r = 0;
	}
	for (size_t i = 0; i < cases->cases.n; i++) {
		vec_free(&running.progress[i].values);
		vec_free(&running.progress[i].kept);
	}
	free(running.progress);
	return r;
}
