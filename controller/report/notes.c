/* SPDX-License-Identifier: Apache-2.0 */
/* Reasons as sentences. */
#include "controller/report/notes.h"

#include <stdlib.h>
#include <string.h>

#include "controller/report/table.h"

/* Repeats that have a reason in common: "2", "2, 3 and 5". */
static void
put_repeats(struct str *out, const unsigned *repeats, size_t n)
{
	str_add(out, n == 1 ? "repeat " : "repeats ");
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%u",
		    i == 0       ? ""
		    : i + 1 == n ? " and "
				 : ", ",
		    repeats[i]);
}

static void
put_case(struct str *out, const struct results_case *c)
{
	str_addf(out, "%s %s", c->storage, c->transport);
	for (vec_each(const struct results_param *, p, &c->params))
		if (p->is_axis)
			str_addf(out, " %s=%s", p->name, p->value);
	str_addf(out, ", %u client%s", c->clients, c->clients == 1 ? "" : "s");
}

static bool
same_agent(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
same_kind(const struct attempt_reason *a, const struct attempt_reason *b)
{
	return strcmp(a->code, b->code) == 0 && a->makes == b->makes &&
	       same_agent(a->agent, b->agent);
}

/* How many reasons of this kind stand before the i-th: 0 for the first. */
static size_t
count_before(const struct attempt *attempt, const struct attempt_reason *kind, size_t i)
{
	size_t n = 0;

	while (i--)
		n += same_kind(&attempt->reasons.v[i], kind);
	return n;
}

/* Is the nth reason of this kind (from 0) there? */
static bool
has_nth(const struct attempt *attempt, const struct attempt_reason *kind, size_t nth)
{
	return count_before(attempt, kind, attempt->reasons.n) > nth;
}

static bool
said_before(const struct results_case *c, size_t attempt,
    const struct attempt_reason *reason, size_t nth)
{
	for (size_t i = 0; i < attempt; i++)
		if (results_is_latest(c, i) &&
		    has_nth(&c->attempts.v[i]->attempt, reason, nth))
			return true;
	return false;
}

/* Takes `line` over. */
static void
add_worth_knowing(struct notes *notes, const char *code, char *line)
{
	for (vec_each(struct note *, it, &notes->worth_knowing))
		if (strcmp(it->code, code) == 0) {
			it->more++;
			free(line);
			return;
		}
	*vec_add(&notes->worth_knowing) =
	    (struct note){.code = mem_strdup(code), .line = line};
}

/* One sentence for all repeats that share the i-th reason of this attempt. */
static void
add_reason(struct notes *notes, const struct results_case *c, size_t attempt, size_t i)
{
	const struct attempt *first = &c->attempts.v[attempt]->attempt;
	const struct attempt_reason *reason = &first->reasons.v[i];
	size_t n = 0, nth = count_before(first, reason, i);
	struct str text = {0};
	unsigned *repeats;

	if (said_before(c, attempt, reason, nth))
		return;
	repeats = mem_array(c->attempts.n, sizeof *repeats);
	for (size_t k = attempt; k < c->attempts.n; k++)
		if (results_is_latest(c, k) &&
		    has_nth(&c->attempts.v[k]->attempt, reason, nth))
			repeats[n++] = c->attempts.v[k]->attempt.repeat;
	put_case(&text, c);
	str_add(&text, ", ");
	put_repeats(&text, repeats, n);
	str_addf(&text, ": %s: %s",
	    reason->makes == ATTEMPT_VALID ? "note" : attempt_state_name(reason->makes),
	    reason->text);
	if (n > 1 && reason->makes != ATTEMPT_VALID)
		str_addf(&text, " (in repeat %u)", first->repeat);
	if (reason->makes == ATTEMPT_VALID)
		add_worth_knowing(notes, reason->code, str_take(&text));
	else
		vec_push(&notes->lines, str_take(&text));
	free(repeats);
}

static void
add_attempts(struct notes *notes, const struct results_case *c, size_t i)
{
	const struct attempt *attempt = &c->attempts.v[i]->attempt;
	struct str text = {0};

	if (attempt->attempt < 2)
		return;
	put_case(&text, c);
	str_addf(&text, ", repeat %u: was run %u times, the last attempt counts",
	    attempt->repeat, attempt->attempt);
	vec_push(&notes->lines, str_take(&text));
}

/* What of its job file was not done, or perhaps not as meant. */
static void
add_job_notes(struct notes *notes, const struct results_case *c)
{
	for (vec_each(const struct fio_note *, note, &c->notes)) {
		char *line;

		if (note->kind == FIO_NOTE_TRANSLATED)
			continue;
		line = fio_note_line(note);
		add_worth_knowing(notes, line, mem_printf("job file: %s", line));
		free(line);
	}
}

void
notes_of_case(struct notes *notes, const struct results_case *c)
{
	add_job_notes(notes, c);
	for (size_t i = 0; i < c->attempts.n; i++) {
		const struct attempt *attempt = &c->attempts.v[i]->attempt;

		if (!results_is_latest(c, i))
			continue;
		for (size_t k = 0; k < attempt->reasons.n; k++)
			add_reason(notes, c, i, k);
		add_attempts(notes, c, i);
		notes->proofs[attempt_proof(attempt)]++;
	}
}

/* "transport: proven in 4 runs, unknown in 1 run (volley show CASE: why)" */
static void
print_proofs(const struct notes *notes, size_t width, struct str *out)
{
	static const enum proof_verdict order[] = {
	    PROOF_PROVEN, PROOF_REFUTED, PROOF_UNKNOWN};
	struct str text = {0};

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		size_t n = notes->proofs[order[i]];

		if (n)
			str_addf(&text, "%s%s in %zu run%s", text.len ? ", " : "",
			    proof_verdict_name(order[i]), n, n == 1 ? "" : "s");
	}
	if (text.len) {
		char *line =
		    mem_printf("transport: %s (volley show CASE: why)", text.s);

		wrap_print(line, 2, 4, width, out);
		free(line);
	}
	str_free(&text);
}

void
notes_print(const struct notes *notes, size_t width, struct str *out)
{
	for (vec_each(char *const *, line, &notes->lines))
		wrap_print(*line, 2, 4, width, out);
	for (vec_each(const struct note *, it, &notes->worth_knowing)) {
		struct str text = {0};

		str_add(&text, it->line);
		if (it->more)
			str_addf(&text, " (and %zu more case%s alike)", it->more,
			    it->more == 1 ? "" : "s");
		wrap_print(text.s, 2, 4, width, out);
		str_free(&text);
	}
	print_proofs(notes, width, out);
}

void
notes_free(struct notes *notes)
{
	for (vec_each(char **, line, &notes->lines))
		free(*line);
	vec_free(&notes->lines);
	for (vec_each(struct note *, it, &notes->worth_knowing)) {
		free(it->code);
		free(it->line);
	}
	vec_free(&notes->worth_knowing);
}
