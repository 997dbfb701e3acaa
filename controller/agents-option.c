/* SPDX-License-Identifier: Apache-2.0 */
/* From --agents, --listen, --local and the plan to a fleet's configuration. */
#include "controller/agents-option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/work/job-net.h"

#define DEFAULT_PORT 7411
#define LOCAL_MAX 4096

char **
plan_paths(const struct plan *plan, size_t *ret_n)
{
	VEC(char *) paths = {0};

	for (vec_each(const struct plan_storage *, storage, &plan->storages)) {
		for (int t = 0; t < TRANSPORT_COUNT; t++) {
			const struct plan_path *own = &storage->paths[t];
			char *path = own->above ? own->above : own->path;
			bool known = !path || net_url_is(path);
			for (size_t i = 0; i < paths.n && !known; i++)
				known = strcmp(paths.v[i], path) == 0;
			if (!known)
				vec_push(&paths, path);
		}
	}
	*ret_n = paths.n;
	vec_push(&paths, NULL);
	return paths.v;
}

static char *
in_config_dir(const char *name, bool make)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *dir = xdg && *xdg ? mem_printf("%s/volley", xdg)
				: mem_printf("%s/.config/volley", home ? home : "");
	char *path = mem_printf("%s/%s", dir, name);

	if (make) {
		char *slash = strrchr(dir, '/');
		*slash = '\0';
		mkdir(dir, 0755);
		*slash = '/';
		mkdir(dir, 0700); /* when it fails, writing the file says so */
	}
	free(dir);
	return path;
}

static int
read_hosts(struct agents_option *option, const char *text, struct err *err)
{
	if (text[0] == '@')
		return hostlist_read(&option->hosts, text + 1, DEFAULT_PORT, err);
	return hostlist_parse(&option->hosts, text, DEFAULT_PORT, err);
}

static int
need_key(struct agents_option *option, const struct cli *cli, struct err *err)
{
	const char *given = cli_text(cli, "key", NULL);
	struct stat st;

	option->key = given ? mem_strdup(given) : in_config_dir("volley.key", false);
	option->config.key = option->key;
	if (!given && stat(option->key, &st) < 0 && errno == ENOENT)
		return err_set(err, ERR_USAGE,
		    "no key: make one with 'volley key new poc', give poc.pub to "
		    "the agents and say --key poc.key");
	const char *known = cli_text(cli, "known-agents", NULL);
	option->known_agents =
	    known ? mem_strdup(known) : in_config_dir("known_agents", true);
	option->config.known_agents = option->known_agents;
	return 0;
}

/* A path below /dev is a device: it needs --allow DEV of its own. */
static bool
is_device(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISBLK(st.st_mode);
}

static void
allow_local(
    struct agents_option *option, const struct cli *cli, const struct plan *plan)
{
	struct local_allow *allow = &option->config.local_allow;
	size_t n = 0, kept = 0;

	if (plan) {
		option->paths = plan_paths(plan, &n);
		for (size_t i = 0; i < n; i++)
			if (!is_device(option->paths[i]))
				option->paths[kept++] = option->paths[i];
	}
	option->devices = cli_all(cli, "allow", &allow->ndevices);
	allow->paths = option->paths;
	allow->npaths = kept;
	allow->devices = (char *const *)option->devices;
}

static int
choose(struct agents_option *option, const struct cli *cli, const struct plan *plan,
    size_t expect, struct err *err)
{
	const char *agents = cli_text(cli, "agents", NULL);
	const char *listen = cli_text(cli, "listen", NULL);
	uint64_t local;

	if (cli_number(cli, "local", 1, LOCAL_MAX, 0, &local, err) < 0)
		return -1;
	if (!!agents + !!listen + !!local > 1)
		return err_set(
		    err, ERR_USAGE, "give one of --agents, --listen and --local");
	if (local) {
		option->config.local = (unsigned)local;
		allow_local(option, cli, plan);
		return 0;
	}
	if (cli_flag(cli, "allow"))
		return err_set(err, ERR_USAGE,
		    "--allow goes with --local; other agents "
		    "are allowed devices when they are started");
	if (need_key(option, cli, err) < 0)
		return -1;
	if (listen) {
		option->config.listen = listen;
		option->config.expect = expect;
		return 0;
	}
	if (!agents && plan)
		agents = plan->agents;
	if (!agents)
		return err_set(err, ERR_USAGE,
		    "which agents?  Give --agents LIST, --listen ADDR:PORT or "
		    "--local N, or 'agents:' in the plan");
	if (read_hosts(option, agents, err) < 0)
		return -1;
	option->config.hosts = &option->hosts;
	if (option->hosts.hosts.n == 0)
		return err_set(err, ERR_USAGE, "the list of agents is empty");
	return 0;
}

int
agents_option_parse(struct agents_option *ret, const struct cli *cli,
    const struct plan *plan, size_t expect, struct err *err)
{
	const char *timeout = cli_text(cli, "connect-timeout", "20s");
	uint64_t missing;

	*ret = (struct agents_option){0};
	if (cli_number(cli, "allow-missing", 0, UINT32_MAX, 0, &missing, err) < 0)
		return -1;
	ret->config.allow_missing = (unsigned)missing;
	ret->config.strict = cli_flag(cli, "strict");
	if (units_parse_time(timeout, UNITS_NS_PER_S, &ret->timeout_ns, err) < 0)
		return err_prefix(err, "--connect-timeout");
	int r = choose(ret, cli, plan, expect, err);
	if (r < 0)
		agents_option_free(ret);
	return r;
}

void
agents_option_free(struct agents_option *option)
{
	hostlist_free(&option->hosts);
	free(option->key);
	free(option->known_agents);
	free(option->paths);
	free(option->devices);
	*option = (struct agents_option){0};
}
