/* SPDX-License-Identifier: Apache-2.0 */
/* Each attempt is reduced to its figures as soon as it is read, so memory grows with
 * the number of attempts and not with what they hold. */
#include "controller/model-load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/series.h"
#include "controller/baseline.h"
#include "controller/expand/fabric.h"
#include "controller/store/kinds.h"
#include "controller/store/store.h"
#include "lib/base/rng.h"
#include "lib/base/str.h"

/* ---- the case ---- */

static double
number_of(const char *text)
{
	char *end;
	double value;

	if (!text)
		return NAN;
	value = strtod(text, &end);
	return *end || end == text ? NAN : value;
}

static double
number_param(const struct results_case *c, const char *name)
{
	return number_of(results_case_param(c, name));
}

static const char *
job_param(const struct results_job *job, const char *name)
{
	for (vec_each(const struct results_param *, it, &job->params))
		if (strcmp(it->name, name) == 0)
			return it->value;
	return NULL;
}

/* Of a case with several jobs each has its own clients and options. */
static double
in_flight(const struct results_case *c)
{
	double sum = 0;

	if (c->jobs.n == 0)
		return asked_in_flight(results_case_param(c, "ioengine"), c->clients,
		    number_param(c, "iodepth"), number_param(c, "numjobs"));
	for (vec_each(const struct results_job *, it, &c->jobs))
		sum += asked_in_flight(job_param(it, "ioengine"), it->clients,
		    number_of(job_param(it, "iodepth")),
		    number_of(job_param(it, "numjobs")));
	return sum;
}

static enum cell_kind
kind_of_word(const char *name)
{
	static const struct {
		const char *word;
		enum cell_kind kind;
	} words[] = {{"write", CELL_WRITES}, {"save", CELL_WRITES},
	    {"read", CELL_READS}, {"restore", CELL_READS}, {"load", CELL_READS}};

	if (strcmp(name, "readwrite") == 0)
		return CELL_MIXED;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(name, words[i].word))
			return words[i].kind;
	return CELL_MIXED;
}

/* By its options; a table's rows only have a name.  Several jobs, "randread+write", are
 * what all of them are. */
static enum cell_kind
kind_of(const struct results_case *c)
{
	const char *rw = results_case_param(c, "rw");
	char *words = mem_strdup(rw ? rw : c->workload), *left = NULL;
	enum cell_kind kind = kind_of_word(words);

	for (char *word = rw ? strtok_r(words, "+", &left) : NULL; word;
	     word = strtok_r(NULL, "+", &left)) {
		if (word == words)
			kind = kind_of_word(word);
		else if (kind_of_word(word) != kind)
			kind = CELL_MIXED;
	}
	free(words);
	return kind;
}

static bool
is_random(const struct results_case *c)
{
	const char *rw = results_case_param(c, "rw");

	return strstr(rw ? rw : c->workload, "rand") != NULL;
}

static const struct plan_storage *
find_storage(const struct plan *plan, const char *name)
{
	if (plan)
		for (vec_each(const struct plan_storage *, it, &plan->storages))
			if (strcmp(it->name, name) == 0)
				return it;
	return NULL;
}

static void
set_links(struct cell *cell, const struct results_case *c, const struct plan *plan)
{
	const struct plan_storage *storage = find_storage(plan, c->storage);
	double bits = number_param(c, STATED_LINK), mtu = number_param(c, STATED_MTU);
	double count = number_param(c, STATED_LINKS);
	enum transport transport;

	if (bits > 0) {
		cell->storage_links =
		    (struct plan_links){.count = count >= 1 ? (unsigned)count : 1,
			.bits_per_s = (uint64_t)bits,
			.mtu = mtu > 0 ? (unsigned)mtu : 0};
		cell->client_links = cell->storage_links;
	}
	if (!storage)
		return;
	cell->client_links = plan->client_links;
	cell->storage_links = storage->links;
	if (transport_parse(c->transport, &transport) &&
	    storage->paths[transport].links.count)
		cell->storage_links = storage->paths[transport].links;
}

static struct cell *
add_case(struct model *model, const struct results_case *c, const struct plan *plan)
{
	static const char *const paces[] = {"rate", "rate_iops", "thinktime", NULL};
	char *axis = results_case_axis(c);
	struct cell *cell =
	    model_add(model, c->storage, c->workload, axis, c->transport, c->clients);

	free(axis);
	cell->kind = kind_of(c);
	cell->random = is_random(c);
	cell->engine = mem_strdup(results_case_param(c, "ioengine"));
	cell->block_bytes = number_param(c, "bs");
	cell->iodepth = number_param(c, "iodepth");
	cell->numjobs = number_param(c, "numjobs");
	cell->in_flight = in_flight(c);
	cell->change = number_param(c, STATED_CHANGE) / 100;
	for (const char *const *it = paces; *it; it++) {
		const char *value = results_case_param(c, *it);

		cell->paced |= value && strpbrk(value, "123456789");
	}
	set_links(cell, c, plan);
	return cell;
}

/* ---- an attempt ---- */

/* Both directions: latencies merge. */
static void
take_total(struct sample *sample, const struct total *total)
{
	static const double p[] = {50, 99, 99.9};
	const struct latency_kind *kind = latency_kind_find("lat");
	const struct dir_tally *only = NULL;
	struct dir_tally *both = mem_alloc(sizeof *both);
	size_t present = 0;

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		if (!total->dir[dir].present)
			continue;
		present++;
		only = &total->merged->dir[dir];
		hist_merge(&both->lat, &only->lat);
	}
	results_rate_both(
	    total, &sample->value[METRIC_RATE], &sample->value[METRIC_IOPS]);
	if (present > 1)
		only = both;
	if (only) {
		sample->value[METRIC_LAT] = hist_mean(&only->lat);
		for (size_t i = 0; i < sizeof p / sizeof *p; i++)
			sample->value[METRIC_P50 + i] =
			    results_percentile(only, kind, p[i]);
		series_modes(&only->lat, &sample->modes);
	}
	free(both);
}

static void
take_course(struct sample *sample, const struct attempt *attempt)
{
	const struct total *total = &attempt->total;
	struct slots sum = {0};
	uint64_t to = total->window_from + total->window_ns;

	if (results_is_imported(attempt) || total->window_ns == 0)
		return;
	for (int dir = 0; dir < DIR_COUNT; dir++)
		slots_merge(&sum, &total->merged->dir[dir].slots);
	series_course(&sum, total->window_from, to, false, &sample->course);
	slots_free(&sum);
	if (total->window_kind == TOTAL_WINDOW_COMMON) {
		sample->first_done_s = (double)total->first_done_ns / 1e9;
		sample->last_done_s = (double)total->last_done_ns / 1e9;
	}
}

static void
take_clients(struct sample *sample, const struct attempt *attempt)
{
	for (vec_each(const struct attempt_client *, it, &attempt->clients)) {
		struct sample_client *client;

		if (it->outcome != CLIENT_OK || !it->tally)
			continue;
		client = vec_add(&sample->clients);
		*client = (struct sample_client){mem_strdup(it->agent), NAN, NAN};
		results_client_rate_both(it->tally, &client->rate, &client->iops);
	}
}

static void
take_counters(struct sample *sample, const struct attempt_client *client)
{
	const struct counters *counters = client->counters;
	double seconds = (double)counters->ns[COUNTER_RUN] / 1e9;

	for (vec_each(const struct counter *, it, &counters->list)) {
		const struct counter_kind *kind = counter_kind_find(it->name);
		uint64_t delta = it->delta[COUNTER_RUN];

		if (!kind || !kind->reading || !it->known[COUNTER_RUN] || delta == 0)
			continue;
		*vec_add(&sample->counters) =
		    (struct sample_counter){mem_strdup(client->agent),
			mem_strdup(it->object), mem_strdup(it->name), (double)delta,
			seconds > 0 ? (double)delta / seconds : NAN};
	}
}

/* Of all clients; unknown when it is of one. */
static void
take_wire(struct sample *sample, const struct attempt *attempt)
{
	double bytes = 0, wire = 0;

	for (vec_each(const struct attempt_client *, it, &attempt->clients)) {
		if (it->counters)
			take_counters(sample, it);
		if (it->outcome != CLIENT_OK)
			continue;
		bytes += (double)it->proof.bytes;
		wire += it->proof.verdict == PROOF_NONE
			    ? NAN
			    : it->proof.declared_bytes + it->proof.other_bytes;
	}
	if (bytes > 0)
		sample->wire_share = wire / bytes;
}

static void
add_reason(struct sample *sample, const char *code, const char *agent, const char *text,
    enum attempt_state makes)
{
	*vec_add(&sample->reasons) = (struct sample_reason){
	    mem_strdup(code), mem_strdup(agent), mem_strdup(text), makes};
}

static void
take_reasons(
    struct sample *sample, const struct results_case *c, const struct attempt *attempt)
{
	static const char *const no_files[] = {"null", "net-tcp", "net-rdma", NULL};
	const char *engine = results_case_param(c, "ioengine");
	bool files = number_param(c, "direct") == 1 && engine && attempt->has_total &&
		     !results_is_imported(attempt);

	for (vec_each(const struct attempt_reason *, it, &attempt->reasons))
		add_reason(sample, it->code, it->agent, it->text, it->makes);
	for (vec_each(const struct fio_note *, it, &c->notes))
		if (it->kind == FIO_NOTE_SKIPPED) {
			char *line = fio_note_line(it);

			add_reason(
			    sample, "skipped-options", NULL, line, ATTEMPT_VALID);
			free(line);
		}
	for (const char *const *it = no_files; *it && files; it++)
		files = strcmp(*it, engine) != 0;
	if (files && !attempt->total.merged->direct)
		add_reason(sample, "direct-lost", NULL,
		    "direct=1, but some file was opened without O_DIRECT",
		    ATTEMPT_PARTIAL);
}

static void
take_attempt(struct cell *cell, const struct results_case *c,
    const struct results_attempt *one, unsigned source)
{
	const struct attempt *attempt = &one->attempt;
	struct sample *sample = cell_add(cell, source, attempt->repeat);

	sample->order = one->order_position;
	sample->state = attempt->state;
	take_reasons(sample, c, attempt);
	if (!attempt->has_total)
		return;
	cell->imported |= results_is_imported(attempt);
	cell->latency_apart |=
	    !results_is_imported(attempt) && !attempt->total.latency_in_window;
	take_total(sample, &attempt->total);
	take_course(sample, attempt);
	take_clients(sample, attempt);
	take_wire(sample, attempt);
}

/* ---- the file ---- */

static bool
is_chosen(const struct results_item *item, const struct model_choice *choice)
{
	return (!choice->storage || strcmp(choice->storage, item->storage) == 0) &&
	       (!choice->transport || strcmp(choice->transport, item->transport) == 0);
}

/* Not a storage, unless it is asked for by name. */
static bool
is_fabric(const struct results_item *item, const struct model_choice *choice)
{
	return strcmp(item->storage, FABRIC_STORAGE) == 0 &&
	       !(choice->storage && strcmp(choice->storage, FABRIC_STORAGE) == 0);
}

/* Of its transport, the way that its bytes go. */
static void
set_baseline(struct cell *cell, const struct baseline *baseline)
{
	enum transport transport;

	if (cell->kind != CELL_MIXED && transport_parse(cell->transport, &transport))
		cell->baseline =
		    baseline->bytes_per_s[transport][cell->kind == CELL_WRITES
							 ? DIR_WRITE
							 : DIR_READ];
}

static int
load_one(struct model *model, struct store *store, const struct results_item *item,
    const struct plan *plan, const struct baseline *baseline, unsigned source,
    struct err *err)
{
	struct results_case c = {0};
	int result = store_load_case(store, item->id, STORE_LATEST, true, &c, err);

	if (result == 0) {
		struct cell *cell = add_case(model, &c, plan);

		set_baseline(cell, baseline);
		for (vec_each(struct results_attempt *const *, it, &c.attempts))
			take_attempt(cell, &c, *it, source);
	}
	results_case_free(&c);
	return result;
}

static int
load_cases(struct model *model, struct store *store, const struct plan *plan,
    unsigned source, const struct model_choice *choice, struct err *err)
{
	struct results_selection selection = {0};
	struct results_list list = {0};
	struct baseline baseline;
	int result = store_list(store, &list, err);

	if (result == 0)
		result = baseline_load(&baseline, store, err);
	if (result == 0 && choice->selector)
		result = results_select(&list, choice->selector, &selection, err);
	for (size_t i = 0; !choice->selector && i < list.items.n; i++)
		vec_push(&selection.indexes, i);
	for (size_t i = 0; result == 0 && i < selection.indexes.n; i++) {
		const struct results_item *item = &list.items.v[selection.indexes.v[i]];

		if (is_chosen(item, choice) && !is_fabric(item, choice))
			result = load_one(
			    model, store, item, plan, &baseline, source, err);
	}
	vec_free(&selection.indexes);
	results_list_free(&list);
	return result;
}

int
model_load_store(struct model *model, struct store *store, unsigned source,
    const struct model_choice *choice, struct model_file *ret_file, struct err *err)
{
	struct results head = {0};
	int result = -1;

	*ret_file = (struct model_file){0};
	if (store_load_head(store, &head, err) == 0) {
		struct err ignored = ERR_INIT;

		if (head.plan_text) {
			size_t len = strlen(head.plan_text);

			ret_file->plan =
			    plan_parse(head.plan, head.plan_text, len, &ignored);
			ret_file->plan_hash = hash_fnv1a(head.plan_text, len);
		}
		ret_file->name = mem_strdup(head.plan);
		result = load_cases(model, store, ret_file->plan, source, choice, err);
	}
	results_free(&head);
	return result;
}

int
model_load(struct model *model, const char *path, unsigned source,
    const struct model_choice *choice, struct model_file *ret_file, struct err *err)
{
	struct store *store = store_open(path, STORE_READ, err);
	int result = -1;

	*ret_file = (struct model_file){0};
	if (store)
		result = model_load_store(model, store, source, choice, ret_file, err);
	store_close(store);
	return result;
}

void
model_file_free(struct model_file *file)
{
	free(file->name);
	plan_free(file->plan);
	*file = (struct model_file){0};
}
