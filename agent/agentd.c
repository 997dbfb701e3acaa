/* SPDX-License-Identifier: Apache-2.0 */
/*
 * volleyd: listens (or dials its controller, or serves an inherited socket),
 * accepts only trusted keys, and hands each connection to a session.  Makes no
 * system call on a path of a plan; the worker does.
 */
#include "agent/agentd.h"

#include <errno.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <inttypes.h>
#include <limits.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/settings.h"
#include "agent/notify.h"
#include "agent/runner.h"
#include "agent/session.h"
#include "lib/base/hostlist.h"
#include "lib/base/log.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/rpc/chan.h"
#include "lib/rpc/key.h"
#include "lib/rpc/tls.h"

#include "config.h"

#define TICK_MS 500
#define REDIAL_S 2
/* A controller whose host is gone says no good-bye: without this its run would wait
 * for it, and others be refused, for good. */
#define IDLE_NS UINT64_C(15000000000)
#define DEFAULT_KEY "/var/lib/volley/agent.key"

struct agentd {
	struct agent_settings settings;
	struct event_base *base;
	struct key *key;
	struct keyring trust;
	struct tls *tls;
	struct evconnlistener *listener;
	struct runner *runner;
	struct session_env env;
	VEC(struct session *) sessions;
	struct report logged;  /* what the log says of the run */
	struct err complained; /* of the controller that we dial */
	struct event *tick, *redial, *on_term, *on_int;
	char *helper; /* volley-io */
	bool ending;
	int status;
};

/* ---- sessions ---- */

/* States as they come, but for progress within one. */
static void
log_report(struct agentd *agentd)
{
	struct report report;

	runner_report(agentd->runner, &report);
	if (report.run_id == agentd->logged.run_id &&
	    report.state == agentd->logged.state)
		return;
	agentd->logged = report;
	if (report.err.code == ERR_NONE)
		log_debug("run %016" PRIx64 ": %s", report.run_id,
		    report_state_name(report.state));
	else
		log_warn("run %016" PRIx64 ": %s: %s", report.run_id,
		    report_state_name(report.state), report.err.msg);
}

static void
report_changed(void *arg)
{
	struct agentd *agentd = arg;

	log_report(agentd);
	for (vec_each(struct session **, it, &agentd->sessions))
		session_changed(*it);
}

static void
spoke(void *arg, struct session *session)
{
	struct agentd *agentd = arg;

	(void)session;
	runner_link(agentd->runner, true);
}

/* Is a controller of the current run still there?  One that reconnected may have two
 * connections for a while. */
static bool
has_controller(const struct agentd *agentd)
{
	struct report report;

	runner_report(agentd->runner, &report);
	for (vec_each(struct session *const *, it, &agentd->sessions))
		if (session_run(*it) == report.run_id)
			return true;
	return false;
}

static void
set_redial(struct agentd *agentd)
{
	struct timeval tv = {.tv_sec = REDIAL_S};

	event_add(agentd->redial, &tv);
}

/* A controller that is not there yet is dialled every two seconds, and mentioned once. */
static void
log_gone(struct agentd *agentd, const struct session *session, const struct err *err)
{
	const char *controller = agentd->settings.controller;

	if (err->code == ERR_NONE || agentd->settings.fd >= 0)
		return;
	if (!controller) {
		log_warn("%s: %s", session_peer(session), err->msg);
		return;
	}
	if (strcmp(agentd->complained.msg, err->msg) != 0)
		log_warn("controller %s: %s", controller, err->msg);
	agentd->complained = *err;
}

static void
gone(void *arg, struct session *session, const struct err *err)
{
	struct agentd *agentd = arg;

	for (size_t i = 0; i < agentd->sessions.n; i++)
		if (agentd->sessions.v[i] == session)
			agentd->sessions.v[i] =
			    agentd->sessions.v[--agentd->sessions.n];
	log_gone(agentd, session, err);
	if (session_run(session) && !has_controller(agentd))
		runner_link(agentd->runner, false);
	if (agentd->ending)
		return;
	if (agentd->settings.fd >= 0)
		event_base_loopexit(agentd->base, NULL);
	else if (agentd->settings.controller)
		set_redial(agentd);
}

static void
serve(struct agentd *agentd, struct bufferevent *bev)
{
	vec_push(&agentd->sessions, session_new(&agentd->env, bev));
}

/* ---- trust and transport ---- */

static bool
judge(void *arg, void *connection, const uint8_t raw[KEY_PUBLIC_LEN], struct err *err)
{
	struct agentd *agentd = arg;

	(void)connection;
	if (keyring_find(&agentd->trust, NULL, raw))
		return true;
	char *print = key_fingerprint(raw);
	err_set(err, ERR_AUTH, "refused key %s: it is not in %s", print,
	    agentd->settings.trust);
	free(print);
	return false;
}

static void
on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *addr,
    int len, void *arg)
{
	struct agentd *agentd = arg;

	(void)listener;
	(void)addr;
	(void)len;
	serve(agentd, tls_bufferevent(agentd->tls, agentd->base, fd, true, NULL));
}

static int
resolve(const char *text, bool passive, struct evutil_addrinfo **ret, struct err *err)
{
	struct hostlist list = {0};
	struct evutil_addrinfo hints = {
	    .ai_socktype = SOCK_STREAM, .ai_flags = passive ? EVUTIL_AI_PASSIVE : 0};
	char port[8];

	if (hostlist_parse(&list, text, SETTINGS_DEFAULT_PORT, err) < 0)
		return -1;
	if (list.hosts.n != 1) {
		hostlist_free(&list);
		return err_set(err, ERR_USAGE, "'%s': one address is wanted", text);
	}
	snprintf(port, sizeof port, "%u", list.hosts.v[0].port);
	int r = evutil_getaddrinfo(list.hosts.v[0].name, port, &hints, ret);
	if (r)
		err_set(err, ERR_UNREACHABLE, "%s: %s", list.hosts.v[0].name,
		    evutil_gai_strerror(r));
	hostlist_free(&list);
	return r ? -1 : 0;
}

static void
bound_address(struct evconnlistener *listener, char *buf, size_t len)
{
	struct sockaddr_storage addr;
	socklen_t size = sizeof addr;
	char host[NI_MAXHOST], port[NI_MAXSERV];

	if (getsockname(
		evconnlistener_get_fd(listener), (struct sockaddr *)&addr, &size) ||
	    getnameinfo((struct sockaddr *)&addr, size, host, sizeof host, port,
		sizeof port, NI_NUMERICHOST | NI_NUMERICSERV))
		snprintf(buf, len, "unknown");
	else
		snprintf(buf, len, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}

static int
start_listening(struct agentd *agentd, char *where, size_t len, struct err *err)
{
	const char *text =
	    agentd->settings.listen ? agentd->settings.listen : "[::]:7411";
	struct evutil_addrinfo *ai = NULL;

	if (resolve(text, true, &ai, err) < 0)
		return -1;
	agentd->listener = evconnlistener_new_bind(agentd->base, on_accept, agentd,
	    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE, 128,
	    ai->ai_addr, (int)ai->ai_addrlen);
	int saved = errno;
	evutil_freeaddrinfo(ai);
	if (!agentd->listener)
		return err_sys(err, saved, "listen on %s", text);
	bound_address(agentd->listener, where, len);
	return 0;
}

static void
dial(evutil_socket_t fd, short what, void *arg)
{
	struct agentd *agentd = arg;
	struct evutil_addrinfo *ai = NULL;
	struct err err = ERR_INIT;

	(void)fd;
	(void)what;
	if (resolve(agentd->settings.controller, false, &ai, &err) < 0) {
		log_warn("%s", err.msg);
		set_redial(agentd);
		return;
	}
	struct bufferevent *bev =
	    tls_bufferevent(agentd->tls, agentd->base, -1, false, NULL);
	/* The channel first: a connect that fails at once must find it. */
	serve(agentd, bev);
	bufferevent_socket_connect(bev, ai->ai_addr, (int)ai->ai_addrlen);
	evutil_freeaddrinfo(ai);
}

static int
load_keys(struct agentd *agentd, struct err *err)
{
	const char *path = agentd->settings.key ? agentd->settings.key : DEFAULT_KEY;

	if (keyring_read(&agentd->trust, agentd->settings.trust, false, err) < 0)
		return -1;
	if (agentd->trust.entries.n == 0)
		return err_set(
		    err, ERR_USAGE, "%s holds no key", agentd->settings.trust);
	if (key_load_or_create(&agentd->key, path, agentd->settings.name, err) < 0)
		return -1;
	return tls_new(&agentd->tls, agentd->key, judge, agentd, err);
}

/* ---- life ---- */

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct agentd *agentd = arg;

	(void)fd;
	(void)what;
	for (vec_each(struct session **, it, &agentd->sessions))
		session_tick(*it);
}

static void
on_signal(evutil_socket_t fd, short what, void *arg)
{
	struct agentd *agentd = arg;

	(void)fd;
	(void)what;
	event_base_loopexit(agentd->base, NULL);
}

/* volley-io of this very build stands beside this program. */
static char *
helper_path(void)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (n < 0)
		return mem_strdup("volley-io");
	self[n] = '\0';
	char *slash = strrchr(self, '/');
	return mem_printf("%.*s/volley-io", (int)(slash - self), self);
}

static void
set_up(struct agentd *agentd)
{
	struct timeval tick = {.tv_usec = TICK_MS * 1000};

	agentd->base = event_base_new();
	agentd->helper = helper_path();
	agentd->runner = runner_new(
	    agentd->base, &agentd->settings, agentd->helper, report_changed, agentd);
	agentd->env = (struct session_env){.base = agentd->base,
	    .runner = agentd->runner,
	    .settings = &agentd->settings,
	    .helper = agentd->helper,
	    .boot = rng_entropy(),
	    .idle_timeout_ns = agentd->settings.fd < 0 ? IDLE_NS : 0,
	    .spoke = spoke,
	    .gone = gone,
	    .arg = agentd};
	agentd->tick = event_new(agentd->base, -1, EV_PERSIST, on_tick, agentd);
	event_add(agentd->tick, &tick);
	agentd->redial = event_new(agentd->base, -1, 0, dial, agentd);
	agentd->on_term = evsignal_new(agentd->base, SIGTERM, on_signal, agentd);
	agentd->on_int = evsignal_new(agentd->base, SIGINT, on_signal, agentd);
	event_add(agentd->on_term, NULL);
	event_add(agentd->on_int, NULL);
}

static int
start(struct agentd *agentd, struct err *err)
{
	char where[NI_MAXHOST + NI_MAXSERV + 4] = "socket";

	if (agentd->settings.fd >= 0) {
		serve(agentd, chan_plain(agentd->base, agentd->settings.fd));
		return 0;
	}
	if (load_keys(agentd, err) < 0)
		return -1;
	if (agentd->settings.controller) {
		snprintf(where, sizeof where, "%s", agentd->settings.controller);
		dial(-1, 0, agentd);
	} else if (start_listening(agentd, where, sizeof where, err) < 0) {
		return -1;
	}
	char *print = NULL;
	struct key_public pub;
	key_public(agentd->key, &pub);
	print = key_fingerprint(pub.raw);
	log_info("agent %s on %s, key %s", agentd->settings.name, where, print);
	free(print);
	return notify_ready(agentd->settings.ready_fd, where, err);
}

static void
free_events(struct agentd *agentd)
{
	struct event *const events[] = {
	    agentd->tick, agentd->redial, agentd->on_term, agentd->on_int};

	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
		event_free(events[i]);
	event_base_free(agentd->base);
}

static void
tear_down(struct agentd *agentd)
{
	if (agentd->listener)
		evconnlistener_free(agentd->listener);
	/* Load ends first; then everybody is told good-bye, for which channels give
	 * themselves a few seconds. Sessions speak of the runner until they are gone. */
	agentd->ending = true;
	event_del(agentd->redial);
	runner_stop(agentd->runner);
	for (vec_each(struct session **, it, &agentd->sessions))
		session_close(*it);
	while (agentd->sessions.n && event_base_loop(agentd->base, EVLOOP_ONCE) == 0)
		;
	runner_free(agentd->runner);
	free_events(agentd);
	if (agentd->tls)
		tls_free(agentd->tls);
	key_free(agentd->key);
	keyring_free(&agentd->trust);
	vec_free(&agentd->sessions);
	free(agentd->helper);
	settings_free(&agentd->settings);
}

int
agentd_main(int argc, char **argv)
{
	struct agentd agentd = {0};
	struct err err = ERR_INIT;

	signal(SIGPIPE, SIG_IGN);
	settings_init(&agentd.settings);
	log_setup("volleyd", LOG_LEVEL_INFO);
	if (settings_parse(&agentd.settings, argc, argv, &err) < 0) {
		log_error("%s (see volleyd --help)", err.msg);
		settings_free(&agentd.settings);
		return 2;
	}
	if (agentd.settings.help) {
		struct str usage = {0};
		settings_usage(&usage);
		fputs(usage.s, stdout);
		str_free(&usage);
		settings_free(&agentd.settings);
		return 0;
	}
	if (agentd.settings.version) {
		puts("volleyd " PACKAGE_VERSION);
		settings_free(&agentd.settings);
		return 0;
	}
	if (agentd.settings.debug)
		log_setup("volleyd", LOG_LEVEL_DEBUG);
	else if (agentd.settings.fd >= 0)
		log_setup("volleyd", LOG_LEVEL_ERROR);

	set_up(&agentd);
	if (start(&agentd, &err) < 0) {
		log_error("%s", err.msg);
		agentd.status = err.code == ERR_USAGE ? 2 : 1;
	} else {
		event_base_dispatch(agentd.base);
	}
	tear_down(&agentd);
	return agentd.status;
}
