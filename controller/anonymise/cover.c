/* SPDX-License-Identifier: Apache-2.0 */
#include "controller/anonymise/cover.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "controller/anonymise/words.h"

/* Options whose values are numbers or fio's own words. */
static const char *const options_kept[] = {"allow_file_create", "bs", "bs_unaligned",
    "bsrange", "bssplit", "blockalign", "blocksize", "buffer_compress_percentage",
    "buffered", "cacheable", "clients", "create_fsync", "create_on_open", "create_only",
    "create_serialize", "dedupe_percentage", "direct", "do_verify", "end_fsync",
    "fallocate", "fdatasync", "file_service_type", "filesize", "fixedbufs", "fsync",
    "fsync_on_close", "group_reporting", "hipri", "invalidate", "io_size", "iodepth",
    "iodepth_batch", "iodepth_batch_complete_max", "iodepth_batch_complete_min",
    "iodepth_batch_submit", "iodepth_low", "ioengine", "latency_target",
    "latency_window", "layout", "loops", "norandommap", "nrfiles", "number_ios",
    "numjobs", "offset", "offset_align", "offset_increment", "openfiles", "overwrite",
    "percentage_random", "preconditioned", "ramp_time", "random_distribution",
    "random_generator", "randrepeat", "rate", "rate_iops", "rate_min", "rate_process",
    "rdma_mode", "refill_buffers", "registerfiles", "runtime", "rw", "rw_sequencer",
    "rwmixread", "rwmixwrite", "scramble_buffers", "size", "softrandommap",
    "startdelay", "stated_change_pct", "stated_link_bits_per_s", "stated_link_mtu",
    "stated_links", "stonewall", "sync", "sync_file_range", "thinktime",
    "thinktime_blocks", "thread", "time_based", "unlink", "verify", "verify_backlog",
    "zero_buffers", NULL};

/* Facts of a host that many hosts share: counts and sizes. */
static const char *const facts_kept[] = {
    "cpus", "numa_nodes", "memory_bytes", NULL};

static bool
is_among(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

bool
cover_keeps_option(const char *name)
{
	return is_among(options_kept, name);
}

bool
cover_keeps_fact(const char *name)
{
	return is_among(facts_kept, name);
}

bool
cover_plain(const struct alias_names *redact, const char *name)
{
	for (vec_each(char *const *, it, &redact->list))
		if (strcasestr(name, *it))
			return false;
	return words_all_plain(name);
}

char *
cover_name(const struct cover *cover, enum alias_kind kind, const char *name)
{
	const char *alias = name ? aliases_find(cover->aliases, kind, name) : NULL;

	return name ? mem_strdup(alias ? alias : COVER_WITHHELD) : NULL;
}

char *
cover_workload(const struct cover *cover, const char *name)
{
	const char *alias =
	    name ? aliases_find(cover->aliases, ALIAS_WORKLOAD, name) : NULL;

	if (!name || alias)
		return mem_strdup(alias);
	return mem_strdup(cover_plain(cover->redact, name) ? name : COVER_WITHHELD);
}

char *
cover_text(const struct cover *cover, const char *text)
{
	char *covered;

	if (!text)
		return NULL;
	covered = aliases_replace(cover->aliases, text);
	if (cover_plain(cover->redact, covered))
		return covered;
	free(covered);
	return mem_strdup(COVER_WITHHELD);
}

/* ---- options ---- */

static bool
keeps_value(const struct cover *cover, const char *name, const char *value)
{
	return cover_keeps_option(name) && cover_plain(cover->redact, value);
}

static bool
keeps_json(const struct cover *cover, const char *name, const json_t *value)
{
	if (json_is_string(value))
		return keeps_value(cover, name, json_string_value(value));
	return cover_keeps_option(name) &&
	       (json_is_number(value) || json_is_boolean(value));
}

char *
cover_options(const struct cover *cover, const char *json)
{
	json_t *root = json ? json_loads(json, 0, NULL) : NULL, *value;
	json_t *kept = json_is_array(root) ? json_array() : json_object();
	const char *name;
	char *text;
	size_t i;

	if (!json) {
		json_decref(kept);
		return NULL;
	}
	json_object_foreach(root, name, value) if (keeps_json(cover, name, value))
	    json_object_set(kept, name, value);
	json_array_foreach(
	    root, i, value) if (json_is_string(value) &&
				cover_keeps_option(json_string_value(value)))
	    json_array_append(kept, value);
	text = json_dumps(kept, JSON_COMPACT);
	json_decref(kept);
	json_decref(root);
	return text;
}

char *
cover_job(const struct cover *cover, const char *job)
{
	struct str out = {0};

	if (!job)
		return NULL;
	for (const char *p = job; *p;) {
		size_t len = strcspn(p, "\n");
		char *line = mem_strndup(p, len), *value = strchr(line, '=');

		if (value) {
			*value++ = '\0';
			if (keeps_value(cover, line, value))
				str_addf(&out, "%s=%s\n", line, value);
		}
		free(line);
		p += len + (p[len] == '\n');
	}
	return str_take(&out);
}
