/* SPDX-License-Identifier: Apache-2.0 */
/* volley import fio: results that fio itself wrote, into a results file. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/fio/import.h"
#include "controller/store/store.h"
#include "lib/base/clock.h"

#include "config.h"

#define DEFAULT_DB "results.db"

struct import_command {
	struct cli *cli;
	struct fio_as as;
	struct fio_import import;
	struct store *store;
	unsigned first; /* repeat */
	bool doubt;     /* something is not VALID */
};

static int
read_input(struct import_command *command, struct err *err)
{
	const char *as = cli_text(command->cli, "as", NULL);

	if (!as)
		return err_set(err, ERR_USAGE,
		    "import fio: say what the results are of: "
		    "--as storage=A,transport=tcp,workload=NAME[,clients=N]");
	if (fio_as_parse(&command->as, as, err) < 0)
		return err_prefix(err, "--as");
	return fio_import_read(&command->import, &command->as, command->cli->args.v,
	    command->cli->args.n, err);
}

/* The highest repeat of the case; 0: the file does not have it. */
static int
last_repeat(struct import_command *command, unsigned *ret, struct err *err)
{
	struct store_repeats repeats = {0};

	*ret = 0;
	if (store_latest_states(command->store, &repeats, err) < 0)
		return -1;
	for (vec_each(const struct store_repeat *, it, &repeats.list))
		if (strcmp(it->case_id, command->import.into.id) == 0 &&
		    it->repeat > *ret)
			*ret = it->repeat;
	vec_free(&repeats.list);
	return 0;
}

/* The same file twice would count twice in every mean. */
static int
refuse_known(struct import_command *command, struct err *err)
{
	const struct fio_import *import = &command->import;
	struct results_case known;
	int r = 0;

	if (store_load_case(
		command->store, import->into.id, STORE_ALL, false, &known, err) < 0)
		return -1;
	for (vec_each(struct results_attempt *const *, one, &known.attempts))
		for (size_t i = 0; r == 0 && i < fio_import_repeats(import); i++)
			if ((*one)->attempt.run_id == fio_import_hash(import, i))
				r = err_set(err, ERR_USAGE,
				    "%s is in %s already: case %s, repeat %u",
				    import->files.v[i * import->per_repeat].path,
				    cli_text(command->cli, "db", DEFAULT_DB),
				    import->into.id, (*one)->attempt.repeat);
	results_case_free(&known);
	return r;
}

static int
choose_repeat(struct import_command *command, struct err *err)
{
	unsigned last;

	if (last_repeat(command, &last, err) < 0 ||
	    (last && refuse_known(command, err) < 0))
		return -1;
	command->first = command->as.repeat ? command->as.repeat : last + 1;
	return 0;
}

static int
begin(struct import_command *command, struct err *err)
{
	const struct cli *cli = command->cli;
	VEC(const char *) hosts = {0};
	struct store_run run = {.plan = "import",
	    .plan_text = "# results of fio, taken over by "
			 "volley import\n",
	    .generator = "volley " PACKAGE_VERSION,
	    .arguments = (const char *const *)cli->argv,
	    .narguments = (size_t)cli->argc,
	    .started_wall_ns = clock_wall_ns()};

	for (vec_each(const struct fio_result *, file, &command->import.files))
		for (vec_each(const struct fio_host *, host, &file->hosts)) {
			bool known = false;
			for (size_t i = 0; i < hosts.n; i++)
				known = known || strcmp(hosts.v[i], host->name) == 0;
			if (!known)
				vec_push(&hosts, (const char *)host->name);
		}
	run.hosts = hosts.v;
	run.nhosts = hosts.n;
	int r = store_begin_run(command->store, &run, err);
	vec_free(&hosts);
	return r < 0 ? -1 : store_put_case(command->store, &command->import.into, err);
}

static void
print_attempt(const struct import_command *command, const struct attempt *attempt)
{
	const struct results_case *c = &command->import.into;

	printf(
	    "case %s: %s over %s, %s, %u client%s: repeat %u, attempt %u: %s, %u of %u "
	    "clients\n",
	    c->id, c->storage, c->transport, c->workload, c->clients,
	    c->clients == 1 ? "" : "s", attempt->repeat, attempt->attempt,
	    attempt_state_name(attempt->state), results_reported(attempt),
	    attempt->clients_expected);
	for (vec_each(const struct attempt_reason *, reason, &attempt->reasons))
		printf("  %s: %s\n", reason->code, reason->text);
}

static int
store_all(struct import_command *command, struct err *err)
{
	for (size_t i = 0; i < fio_import_repeats(&command->import); i++) {
		struct attempt attempt;
		fio_import_attempt(&command->import, i, &attempt);
		attempt.repeat = command->first + (unsigned)i;
		int r = store_put_attempt(command->store, &attempt, 0, err);
		if (r == 0)
			print_attempt(command, &attempt);
		command->doubt = command->doubt || attempt.state != ATTEMPT_VALID;
		attempt_free(&attempt);
		if (r < 0)
			return -1;
	}
	return store_end_run(command->store, clock_wall_ns(), err);
}

static int
import_fio(struct cli *cli)
{
	struct import_command command = {.cli = cli};
	struct err err = ERR_INIT;
	int r = read_input(&command, &err);

	if (r == 0) {
		const char *db = cli_text(cli, "db", DEFAULT_DB);
		command.store = store_open(db, STORE_WRITE, &err);
		r = command.store ? 0 : -1;
	}
	if (r == 0 && (choose_repeat(&command, &err) < 0 || begin(&command, &err) < 0 ||
			  store_all(&command, &err) < 0))
		r = -1;
	store_close(command.store);
	fio_import_free(&command.import);
	fio_as_free(&command.as);
	if (r < 0)
		return cli_fail(&err);
	return command.doubt ? EXIT_DOUBT : EXIT_OK;
}

static const struct cli_option options[] = {
    {"as", "NAME=VALUE,...",
	"what they are of: storage=A,transport=tcp,workload=NAME, and "
	"clients=N, repeat=N, job=NAME",
	false},
    {"db", "FILE", "results (default " DEFAULT_DB "); an existing file is added to",
	false},
    {0},
};

const struct command cmd_import_fio = {
    .name = "import fio",
    .synopsis = "RESULT...",
    .doc = "Take over results that fio wrote (json, json+, with --client or without); "
	   "files "
	   "are repeats, or, without --client, the clients of each repeat in turn.",
    .options = options,
    .min_args = 1,
    .max_args = UINT_MAX,
    .exec = import_fio,
};
