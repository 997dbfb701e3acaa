/* SPDX-License-Identifier: Apache-2.0 */
/* A child with two pipes and a deadline. */
#include "controller/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#define PROGRAM "gnuplot"
#define TIME_MAX_NS (10 * UNITS_NS_PER_S)
#define OUTPUT_MAX (32u << 20)

bool
gnuplot_exists(void)
{
	const char *path = getenv("PATH");
	struct str name = {0};
	bool found = false;

	while (path && *path && !found) {
		size_t len = strcspn(path, ":");

		str_clear(&name);
		str_addn(&name, path, len);
		str_add(&name, "/" PROGRAM);
		found = access(name.s, X_OK) == 0;
		path += len + (path[len] == ':');
	}
	str_free(&name);
	return found;
}

/* 0, or an errno value. */
static int
start(pid_t *ret, int in, int out)
{
	/* -d: no settings of the user's; the locale decides about decimal points */
	static char *const argv[] = {PROGRAM, "-d", "-", NULL};
	char *const env[] = {"LC_ALL=C.UTF-8", mem_printf("PATH=%s", getenv("PATH")), NULL};
	posix_spawn_file_actions_t actions;
	int result;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(
	    &actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	result = posix_spawnp(ret, PROGRAM, &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	free(env[1]);
	return result;
}

/* Writes what is left of the script and reads what comes; false: nothing more will. */
static bool
turn(int *in, const char **script, int out, struct str *svg, int timeout_ms)
{
	struct pollfd fds[] = {
	    {.fd = out, .events = POLLIN}, {.fd = *in, .events = POLLOUT}};
	char buf[65536];
	ssize_t n;

	if (poll(fds, 2, timeout_ms) < 0)
		return errno == EINTR;
	if (fds[1].revents) {
		n = write(*in, *script, strlen(*script));
		*script += n > 0 ? n : 0;
		if (**script == '\0' || (n < 0 && errno != EAGAIN)) {
			close(*in);
			*in = -1;
		}
	}
	if (!fds[0].revents)
		return true;
	n = read(out, buf, sizeof buf);
	if (n > 0)
		str_addn(svg, buf, (size_t)n);
	return n > 0 && svg->len < OUTPUT_MAX;
}

/* True when it ended by itself, in order. */
static bool
talk(pid_t pid, int in, const char *script, int out, struct str *svg)
{
	uint64_t until = clock_ns() + TIME_MAX_NS;
	bool goes_on = true;
	int status;

	while (goes_on) {
		uint64_t now = clock_ns();

		if (now >= until)
			break;
		goes_on = turn(&in, &script, out, svg,
		    (int)((until - now) / UNITS_NS_PER_MS) + 1);
	}
	if (in >= 0)
		close(in);
	if (goes_on)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

char *
gnuplot_run(const char *script)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	int to[2], from[2];
	struct str svg = {0};
	bool good = false;
	pid_t pid;

	if (pipe2(to, O_CLOEXEC) != 0)
		return NULL;
	if (pipe2(from, O_CLOEXEC) != 0) {
		close(to[0]);
		close(to[1]);
		return NULL;
	}
	fcntl(to[1], F_SETFL, O_NONBLOCK);
	/* it may end before it has read everything */
	sigaction(SIGPIPE, &ignore, &before);
	if (start(&pid, to[0], from[1]) == 0) {
		close(to[0]);
		close(from[1]);
		good = talk(pid, to[1], script, from[0], &svg);
	} else {
		close(to[0]);
		close(to[1]);
		close(from[1]);
	}
	close(from[0]);
	sigaction(SIGPIPE, &before, NULL);
	if (good && svg.len)
		return str_take(&svg);
	str_free(&svg);
	return NULL;
}
