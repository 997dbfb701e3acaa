/* SPDX-License-Identifier: Apache-2.0 */
/* What only network engines ask of a job, and URLs of targets. */
#include "lib/work/job-net.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"

#define URL_TCP "volley://"
#define URL_RDMA "volley+rdma://"

bool
job_is_net(const struct job *job)
{
	return str_starts(job->ioengine, "net-");
}

static bool
is_rdma(const struct job *job)
{
	return strcmp(job->ioengine, "net-rdma") == 0;
}

/* An option that the engine would not look at is a mistake. */
static int
check_strangers(const struct job *job, struct err *err)
{
	const struct job_net *net = &job->net;
	const struct {
		const char *name;
		bool set, rdma;
	} only[] = {{"hostname", net->hostname != NULL, false},
	    {"port", net->port != JOB_NET_PORT, false},
	    {"export", net->export != NULL, false},
	    {"keyfile", net->key_file != NULL, false},
	    {"rdma_mode", net->mode != JOB_RDMA_CAPSULE, true},
	    {"rdma_device", net->device != NULL, true},
	    {"rdma_gid_index", net->has_gid, true}, {"rdma_sl", net->sl != 0, true},
	    {"rdma_traffic_class", net->traffic_class != 0, true},
	    {"rdma_mtu", net->mtu != 0, true}};

	for (size_t i = 0; i < sizeof only / sizeof *only; i++)
		if (only[i].set && !(only[i].rdma ? is_rdma(job) : job_is_net(job)))
			return err_set(err, ERR_USAGE,
			    "%s is an option of ioengine %snet-rdma, not of %s",
			    only[i].name, only[i].rdma ? "" : "net-tcp and ",
			    job->ioengine);
	return 0;
}

/* What has no meaning at a target: it has one region, and nothing to sync. */
static int
check_unfit(const struct job *job, struct err *err)
{
	const struct {
		const char *name;
		bool set;
	} unfit[] = {{"filename", job->filename != NULL},
	    {"nrfiles", job->nrfiles > 1}, {"fsync", job->fsync > 0},
	    {"fdatasync", job->fdatasync > 0}, {"end_fsync", job->end_fsync},
	    {"sync_file_range", job->files.sfr_every > 0},
	    {"unlink", job->files.unlink || job->files.unlink_each_loop},
	    {"runner=fio", job->runner == JOB_FIO}};

	for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++)
		if (unfit[i].set)
			return err_set(err, ERR_USAGE,
			    "%s is not possible with ioengine %s: its target is one "
			    "region without files",
			    unfit[i].name, job->ioengine);
	return 0;
}

static int
check_mtu(unsigned mtu, struct err *err)
{
	if (mtu == 0 || (mtu >= 256 && mtu <= 4096 && (mtu & (mtu - 1)) == 0))
		return 0;
	return err_set(err, ERR_USAGE,
	    "rdma_mtu: a path MTU is 256, 512, 1024, 2048 or 4096, not %u", mtu);
}

int
job_net_check(const struct job *job, struct err *err)
{
	if (check_strangers(job, err) < 0)
		return -1;
	if (!job_is_net(job))
		return 0;
	if (!job->net.hostname || !job->net.export)
		return err_set(err, ERR_USAGE, "ioengine %s needs %s", job->ioengine,
		    job->net.hostname ? "export" : "hostname");
	if (check_mtu(job->net.mtu, err) < 0)
		return -1;
	return check_unfit(job, err);
}

bool
net_url_is(const char *text)
{
	return str_starts(text, URL_TCP) || str_starts(text, URL_RDMA);
}

/* HOST, HOST:PORT, [ADDRESS] or [ADDRESS]:PORT, `len` characters of it. */
static int
parse_host(struct net_url *url, const char *text, size_t len, struct err *err)
{
	char *copy = mem_strndup(text, len), *host = copy, *port;
	uint64_t number = JOB_NET_PORT;
	int rc = 0;

	if (*host == '[') {
		char *end = strchr(++host, ']');

		port = end && end[1] == ':' ? end + 2 : NULL;
		if (!end || (end[1] != '\0' && end[1] != ':'))
			rc = err_set(err, ERR_USAGE, "'[' without ']'");
		else
			*end = '\0';
	} else {
		port = strchr(host, ':');
		if (port)
			*port++ = '\0';
	}
	if (rc == 0 && *host == '\0')
		rc = err_set(err, ERR_USAGE, "the host is missing");
	if (rc == 0 && port && units_parse_u64(port, 1, 65535, &number, err) < 0)
		rc = err_prefix(err, "port");
	if (rc == 0) {
		url->host = mem_strdup(host);
		url->port = (unsigned)number;
	}
	free(copy);
	return rc;
}

int
net_url_parse(struct net_url *ret, const char *text, struct err *err)
{
	const char *host, *slash;

	*ret = (struct net_url){.rdma = str_starts(text, URL_RDMA)};
	host = text + strlen(ret->rdma ? URL_RDMA : URL_TCP);
	slash = net_url_is(text) ? strchr(host, '/') : NULL;
	if (!slash || slash[1] == '\0' || strchr(slash + 1, '/'))
		return err_set(err, ERR_USAGE,
		    "'%s': volley://HOST:PORT/EXPORT or volley+rdma://HOST:PORT/EXPORT is "
		    "wanted",
		    text);
	if (parse_host(ret, host, (size_t)(slash - host), err) < 0)
		return err_prefix(err, "'%s'", text);
	ret->export = mem_strdup(slash + 1);
	return 0;
}

void
net_url_free(struct net_url *url)
{
	free(url->host);
	free(url->export);
	*url = (struct net_url){0};
}

static void
replace(char **text, const char *with)
{
	free(*text);
	*text = mem_strdup(with);
}

void
job_net_aim(struct job *job, const struct net_url *url)
{
	replace(&job->ioengine, url->rdma ? "net-rdma" : "net-tcp");
	replace(&job->net.hostname, url->host);
	replace(&job->net.export, url->export);
	replace(&job->directory, NULL);
	replace(&job->filename, NULL);
	job->net.port = url->port;
}
