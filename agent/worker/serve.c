/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line of a target: its exports, opened through the guard as a job's
 * files are, and the wait for its end.
 */
#include "agent/worker/serve.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "agent/target/target.h"
#include "agent/worker/guard.h"
#include "lib/base/mem.h"
#include "lib/base/secret.h"
#include "lib/base/units.h"
#include "lib/base/vec.h"
#include "lib/work/job.h"

#define MEMORY_MAX (UINT64_C(1) << 44)

struct serve {
	char *host; /* NULL: all addresses */
	unsigned port;
	char *key;
	bool rdma, no_tcp, from_stdin; /* the key, and the end */
	VEC(char *) wanted; /* NAME=KIND:WHAT[,ro|,rw] */
	VEC(char *) allow, allow_write;
	VEC(struct target_export) exports;
};

/* HOST, HOST:PORT, :PORT, [ADDRESS]:PORT */
static int
take_listen(struct serve *serve, const char *value, struct err *err)
{
	const char *colon = strrchr(value, ':'), *end = value + strlen(value);
	const char *host = value;
	uint64_t port = NET_PORT;

	if (*value == '[') {
		host = value + 1;
		end = strchr(value, ']');
		if (!end || (end[1] != ':' && end[1] != '\0'))
			return err_set(err, ERR_USAGE, "--listen: '%s': '[' without ']'",
			    value);
		colon = end[1] == ':' ? end + 1 : NULL;
	} else if (colon) {
		end = colon;
	}
	if (colon && units_parse_u64(colon + 1, 0, 65535, &port, err) < 0)
		return err_prefix(err, "--listen");
	free(serve->host);
	serve->host = end > host ? mem_strndup(host, (size_t)(end - host)) : NULL;
	serve->port = (unsigned)port;
	return 0;
}

/* Whoever started it keeps standard input open as long as it is to serve. */
static int
key_from_stdin(struct serve *serve, struct err *err)
{
	char text[SECRET_MAX + 2];
	size_t n = 0;

	while (n + 1 < sizeof text && read(STDIN_FILENO, text + n, 1) == 1 &&
	       text[n] != '\n')
		n++;
	text[n] = '\0';
	if (!secret_is(text))
		return err_set(err, ERR_USAGE, "--key -: no key on standard input");
	serve->key = mem_strdup(text);
	explicit_bzero(text, sizeof text);
	serve->from_stdin = true;
	return 0;
}

static int
take_key(struct serve *serve, const char *value, struct err *err)
{
	if (serve->key)
		return err_set(err, ERR_USAGE, "--key was given twice");
	return strcmp(value, "-") == 0 ? key_from_stdin(serve, err)
				       : secret_read(&serve->key, value, err);
}

static int
take_export(struct serve *serve, const char *value, struct err *err)
{
	(void)err;
	vec_push(&serve->wanted, mem_strdup(value));
	return 0;
}

static int
take_path(const char *name, char **ret, const char *value, struct err *err)
{
	if (value[0] != '/')
		return err_set(err, ERR_USAGE, "--%s: '%s' is not an absolute path", name,
		    value);
	*ret = mem_strdup(value);
	return 0;
}

static int
take_allow(struct serve *serve, const char *value, struct err *err)
{
	char *path = NULL;

	if (take_path("allow", &path, value, err) < 0)
		return -1;
	vec_push(&serve->allow, path);
	return 0;
}

static int
take_allow_write(struct serve *serve, const char *value, struct err *err)
{
	char *path = NULL;

	if (take_path("allow-write", &path, value, err) < 0)
		return -1;
	vec_push(&serve->allow_write, path);
	return 0;
}

static int
take_rdma(struct serve *serve, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	serve->rdma = true;
	return 0;
}

static int
take_no_tcp(struct serve *serve, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	serve->no_tcp = true;
	return 0;
}

static const struct {
	const char *name, *value, *doc; /* value: NULL for a switch */
	int (*take)(struct serve *serve, const char *value, struct err *err);
} options[] = {
    {"listen", "ADDR:PORT", "where to listen (default: all addresses, port 7412)",
	take_listen},
    {"export", "NAME=mem:SIZE[,ro]", "memory; or NAME=file:PATH[,rw]; repeat for more",
	take_export},
    {"key", "FILE", "what clients must have too; -: from standard input", take_key},
    {"rdma", NULL, "serve RDMA too, at the same port", take_rdma},
    {"no-tcp", NULL, "serve RDMA only", take_no_tcp},
    {"allow", "PATH", "directory that exported files may be in; repeat for more",
	take_allow},
    {"allow-write", "DEV", "block device that may be overwritten", take_allow_write},
};
#define OPTIONS (sizeof options / sizeof options[0])

void
serve_usage(struct str *ret)
{
	str_add(ret, "usage: volley-io serve --key FILE --export NAME=KIND:WHAT ...\n\n"
		     "Serves memory and files to the engines net-tcp and net-rdma.\n\n");
	for (size_t i = 0; i < OPTIONS; i++) {
		char *left = options[i].value ? mem_printf("--%s %s", options[i].name,
						    options[i].value)
					      : mem_printf("--%s", options[i].name);

		str_addf(ret, "  %-30s %s\n", left, options[i].doc);
		free(left);
	}
}

static int
parse_one(struct serve *serve, int argc, char **argv, int *i, struct err *err)
{
	const char *arg = argv[*i];
	const char *equals = strchr(arg, '=');
	size_t len = equals ? (size_t)(equals - arg) : strlen(arg);

	for (size_t k = 0; k < OPTIONS; k++) {
		const char *value = equals ? equals + 1 : NULL;

		if (!str_starts(arg, "--") || strlen(options[k].name) + 2 != len ||
		    strncmp(arg + 2, options[k].name, len - 2) != 0)
			continue;
		if (!options[k].value && value)
			return err_set(err, ERR_USAGE, "--%s takes no value",
			    options[k].name);
		if (options[k].value && !value && *i + 1 < argc)
			value = argv[++*i];
		if (options[k].value && !value)
			return err_set(err, ERR_USAGE, "--%s needs a value (%s)",
			    options[k].name, options[k].value);
		return options[k].take(serve, value, err);
	}
	return err_set(err, ERR_USAGE, "serve: unknown word '%s'", arg);
}

/* ---- exports ---- */

static int
open_file(struct serve *serve, const char *name, const char *path, bool writable,
    struct err *err)
{
	struct link_spec spec = {.client_count = 1};
	const char *slash = strrchr(path, '/');
	struct guard *guard;
	struct guard_file file;
	int rc;

	if (path[0] != '/')
		return err_set(
		    err, ERR_USAGE, "'%s' is not an absolute path", path);
	for (vec_each(char **, it, &serve->allow))
		vec_push(&spec.allow, mem_strdup(*it));
	for (vec_each(char **, it, &serve->allow_write))
		vec_push(&spec.allow_write, mem_strdup(*it));
	/* Whoever names a file on the command line may touch it. */
	if (!serve->from_stdin)
		vec_push(&spec.allow,
		    mem_strndup(path, slash == path ? 1 : (size_t)(slash - path)));
	rc = guard_new(&guard, &spec, err);
	if (rc == 0) {
		rc = guard_open(
		    guard, path, writable, false, JOB_BUFFERED, &file, err);
		guard_free(guard);
	}
	if (rc == 0)
		export_file(
		    vec_add(&serve->exports), name, file.fd, file.size, writable);
	link_spec_free(&spec);
	return rc;
}

static int
open_memory(struct serve *serve, const char *name, const char *text, bool writable,
    struct err *err)
{
	struct target_export export;
	uint64_t size;

	if (units_parse_bytes(text, &size, err) < 0)
		return -1;
	if (size < 1 || size > MEMORY_MAX)
		return err_set(err, ERR_USAGE, "mem:%s: from 1 byte to 16 TiB", text);
	if (export_memory(&export, name, size, writable, err) < 0)
		return -1;
	*vec_add(&serve->exports) = export;
	return 0;
}

/* Cuts ",ro" or ",rw" off. */
static bool
take_rights(char *text, bool usual)
{
	size_t len = strlen(text);
	char *end = len > 3 ? text + len - 3 : NULL;
	bool ro = end && strcmp(end, ",ro") == 0, rw = end && strcmp(end, ",rw") == 0;

	if (ro || rw)
		*end = '\0';
	return ro || rw ? rw : usual;
}

static int
open_export(struct serve *serve, const char *wanted, struct err *err)
{
	char *name = mem_strdup(wanted), *what = strchr(name, '=');
	int rc = -1;

	if (what)
		*what++ = '\0';
	if (!what || !net_is_name(name))
		err_set(err, ERR_USAGE,
		    "NAME=mem:SIZE or NAME=file:PATH is wanted; NAME: 1 to %u characters "
		    "of a-z A-Z 0-9 . _ -",
		    NET_NAME_MAX);
	else if (str_starts(what, "mem:")) {
		bool writable = take_rights(what, true);

		rc = open_memory(serve, name, what + 4, writable, err);
	} else if (str_starts(what, "file:")) {
		bool writable = take_rights(what, false);

		rc = open_file(serve, name, what + 5, writable, err);
	} else
		err_set(err, ERR_USAGE, "'%s' is neither mem:SIZE nor file:PATH", what);
	for (size_t i = 0; rc == 0 && i + 1 < serve->exports.n; i++)
		if (strcmp(serve->exports.v[i].name, name) == 0)
			rc = err_set(err, ERR_USAGE, "the name is taken");
	free(name);
	return rc < 0 ? err_prefix(err, "--export %s", wanted) : 0;
}

static int
parse(struct serve *serve, int argc, char **argv, struct err *err)
{
	for (int i = 0; i < argc; i++)
		if (parse_one(serve, argc, argv, &i, err) < 0)
			return -1;
	if (!serve->key)
		return err_set(err, ERR_USAGE,
		    "--key FILE is missing: without a key anybody could read and write "
		    "(openssl rand -hex 32 >FILE)");
	if (serve->wanted.n == 0)
		return err_set(err, ERR_USAGE, "--export is missing: nothing to serve");
	if (serve->no_tcp && !serve->rdma)
		return err_set(err, ERR_USAGE, "--no-tcp needs --rdma");
	for (vec_each(char **, it, &serve->wanted))
		if (open_export(serve, *it, err) < 0)
			return -1;
	return 0;
}

/* ---- its life ---- */

/* Until a signal, or the end of standard input where that holds it. */
static int
await_end(const struct serve *serve, struct err *err)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (fd < 0)
		return err_sys(err, errno, "signalfd");
	for (;;) {
		struct pollfd fds[2] = {{.fd = fd, .events = POLLIN},
		    {.fd = serve->from_stdin ? STDIN_FILENO : -1, .events = POLLIN}};
		char c;

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return err_sys(err, errno, "poll");
		if (fds[0].revents)
			return 0;
		if (fds[1].revents && read(STDIN_FILENO, &c, 1) <= 0)
			return 0;
	}
}

static int
run(struct serve *serve, struct err *err)
{
	const struct target_config config = {.host = serve->host,
	    .port = serve->port,
	    .key = serve->key,
	    .exports = serve->exports.v,
	    .nexports = serve->exports.n,
	    .tcp = !serve->no_tcp,
	    .rdma = serve->rdma};
	struct target *target;
	sigset_t set;

	/* Before there are threads, which inherit it. */
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (target_start(&target, &config, err) < 0)
		return -1;
	printf("volley-io serve: port %u,%s%s, %zu export%s\n", target_port(target),
	    serve->no_tcp ? "" : " tcp", serve->rdma ? " rdma" : "", serve->exports.n,
	    serve->exports.n == 1 ? "" : "s");
	fflush(stdout);
	if (await_end(serve, err) < 0)
		return -1;
	/* Without joining: a thread may hang in a file system that is dead. */
	_exit(0);
}

static void
free_list(char **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(v[i]);
	free(v);
}

int
serve_main(int argc, char **argv, struct err *err)
{
	struct serve serve = {.port = NET_PORT};
	int rc = parse(&serve, argc, argv, err);

	if (rc == 0)
		rc = run(&serve, err);
	for (vec_each(struct target_export *, it, &serve.exports))
		export_free(it);
	vec_free(&serve.exports);
	free_list(serve.wanted.v, serve.wanted.n);
	free_list(serve.allow.v, serve.allow.n);
	free_list(serve.allow_write.v, serve.allow_write.n);
	free(serve.host);
	secret_free(serve.key);
	return rc;
}
