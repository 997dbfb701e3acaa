/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How each kind of option value is read and written back.  What is written back
 * can be read again and gives the same job.
 */
#include "lib/work/option.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void *
field(struct job *job, const struct option *option)
{
	return (char *)job + option->offset;
}

static const void *
cfield(const struct job *job, const struct option *option)
{
	return (const char *)job + option->offset;
}

static int
check_range(const struct option *option, uint64_t v, struct err *err)
{
	if (v < option->min)
		return err_set(err, ERR_USAGE,
		    "%" PRIu64 " is too small (at least %" PRIu64 ")", v, option->min);
	if (v > option->max)
		return err_set(err, ERR_USAGE,
		    "%" PRIu64 " is too large (at most %" PRIu64 ")", v, option->max);
	return 0;
}

static int
parse_size(
    const struct option *option, const char *value, uint64_t *ret, struct err *err)
{
	size_t len = strlen(value);

	if (len && value[len - 1] == '%')
		return err_set(
		    err, ERR_USAGE, "'%s': a percentage is not possible here", value);
	if (units_parse_bytes(value, ret, err))
		return -1;
	return check_range(option, *ret, err);
}

/* fio takes "1k" as a count too. */
static int
parse_count(
    const struct option *option, const char *value, uint64_t *ret, struct err *err)
{
	if (units_parse_bytes(value, ret, NULL))
		return err_set(err, ERR_USAGE, "'%s' is not a whole number", value);
	return check_range(option, *ret, err);
}

/* Text */

static int
text_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	char **p = field(job, option);

	(void)err;
	free(*p);
	*p = mem_strdup(value);
	return 0;
}

static bool
text_format(const struct job *job, const struct option *option, struct str *ret)
{
	char *const *p = cfield(job, option);

	if (!*p)
		return false;
	str_add(ret, *p);
	return true;
}

const struct option_kind option_text = {.parse = text_parse, .format = text_format};

/*
 * In fio a colon separates file names and "\\:" is a colon.  The first name is kept
 * by itself; when there are more, the list as well.
 */
static void
filename_first(const char *value, struct str *ret, bool *ret_several)
{
	*ret_several = false;
	for (const char *s = value; *s && !*ret_several; s++) {
		if (*s == ':') {
			*ret_several = true;
			break;
		}
		if (*s == '\\' && (s[1] == ':' || s[1] == '\\'))
			s++;
		str_addc(ret, *s);
	}
}

static int
filename_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	struct str name = {0};
	bool several;

	filename_first(value, &name, &several);
	if (name.len == 0) {
		str_free(&name);
		return err_set(err, ERR_USAGE, "'%s' begins with an empty name", value);
	}
	text_parse(job, option, name.s, err);
	free(job->files.list);
	job->files.list = several ? mem_strdup(value) : NULL;
	str_free(&name);
	return 0;
}

static bool
filename_format(const struct job *job, const struct option *option, struct str *ret)
{
	char *const *p = cfield(job, option);

	if (!*p)
		return false;
	if (job->files.list) {
		str_add(ret, job->files.list);
		return true;
	}
	for (const char *s = *p; *s; s++) {
		if (*s == ':' || *s == '\\')
			str_addc(ret, '\\');
		str_addc(ret, *s);
	}
	return true;
}

const struct option_kind option_filename = {
    .parse = filename_parse, .format = filename_format};

static int
user_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	static const char ok[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789._-$@";

	if (value[strspn(value, ok)] != '\0' || value[0] == '-')
		return err_set(err, ERR_USAGE, "'%s' is not a user name", value);
	return text_parse(job, option, value, err);
}

const struct option_kind option_user = {.parse = user_parse, .format = text_format};

static const char *const engines[] = {"psync", "sync", "vsync", "pvsync", "pvsync2",
    "mmap", "libaio", "io_uring", "null", "net-tcp", "net-rdma"};

/* All there are, for messages. */
static int
engine_refuse(enum err_code code, const char *value, const char *what, struct err *err)
{
	struct str list = {0};

	for (size_t i = 0; i < COUNT(engines); i++)
		str_addf(&list, "%s%s", i ? " " : "", engines[i]);
	err_set(err, code, "%s '%s'; there are: %s", what, value, list.s);
	str_free(&list);
	return -1;
}

static int
engine_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	const char *near;

	for (size_t i = 0; i < COUNT(engines); i++)
		if (strcmp(value, engines[i]) == 0)
			return text_parse(job, option, value, err);
	if (strcmp(value, "fault") == 0)
		return err_set(err, ERR_USAGE,
		    "'fault' is not an engine: it wraps one "
		    "when fault_delay or another fault_ option is set");
	if (strcmp(value, "checked") == 0)
		return err_set(err, ERR_USAGE,
		    "'checked' is not an engine: it wraps one when checked=1 is set");
	if (fio_knows_engine(value))
		return engine_refuse(
		    ERR_UNSUPPORTED, value, "volley has not fio's engine", err);
	near = str_nearest(value, engines, COUNT(engines));
	if (near)
		return err_set(err, ERR_USAGE,
		    "unknown engine '%s'; did you mean '%s'?", value, near);
	return engine_refuse(ERR_USAGE, value, "unknown engine", err);
}

const struct option_kind option_engine = {.parse = engine_parse, .format = text_format};

/* Words */

static int
word_parse(const struct word *words, const char *value, const char *expected, int *ret,
    struct err *err)
{
	for (const struct word *w = words; w->name; w++) {
		if (strcmp(value, w->name) == 0) {
			*ret = w->value;
			return 0;
		}
	}
	return option_word_refuse(words, value, expected, err);
}

static const char *
word_name(const struct word *words, int value)
{
	for (const struct word *w = words; w->name; w++)
		if (w->value == value)
			return w->name;
	return NULL;
}

static const struct word rw_words[] = {{"read", JOB_READ}, {"write", JOB_WRITE},
    {"randread", JOB_RANDREAD}, {"randwrite", JOB_RANDWRITE}, {"rw", JOB_RW},
    {"readwrite", JOB_RW}, {"randrw", JOB_RANDRW}, {NULL, 0}};

/* "randread:8" draws once for 8 I/Os; "write:4k" skips 4k after each. */
static int
rw_modifier(struct job *job, const char *text, struct err *err)
{
	uint64_t v;

	if (units_parse_bytes(text, &v, err))
		return -1;
	if (v > UINT32_MAX)
		return err_set(err, ERR_USAGE, "'%s' is too large", text);
	if (job_rw_random(job->rw))
		job->access.every = v;
	else
		job->access.seek = v;
	return 0;
}

static int
rw_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	const char *colon = strchr(value, ':');
	char *word =
	    mem_strndup(value, colon ? (size_t)(colon - value) : strlen(value));
	int v = 0, rc;

	(void)option;
	if (strstr(word, "trim"))
		rc = err_set(err, ERR_UNSUPPORTED,
		    "'%s': volley discards no blocks: what a device or file holds may "
		    "be all there is of it",
		    value);
	else
		rc = word_parse(rw_words, word,
		    "read, write, randread, randwrite, rw, randrw", &v, err);
	free(word);
	if (rc)
		return -1;
	job->rw = (enum job_rw)v;
	job->access.every = job->access.seek = 0;
	return colon ? rw_modifier(job, colon + 1, err) : 0;
}

static bool
rw_format(const struct job *job, const struct option *option, struct str *ret)
{
	(void)option;
	str_add(ret, word_name(rw_words, (int)job->rw));
	if (job->access.every || job->access.seek)
		str_addf(ret, ":%" PRIu64,
		    job->access.every ? job->access.every : job->access.seek);
	return true;
}

const struct option_kind option_rw = {.parse = rw_parse, .format = rw_format};

static const struct word bool_words[] = {
    {"0", 0}, {"1", 1}, {"false", 0}, {"true", 1}, {NULL, 0}};

static int
bool_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	bool *p = field(job, option);
	int v = 0;

	if (word_parse(bool_words, value, "0, 1", &v, err))
		return -1;
	*p = v != 0;
	return 0;
}

static bool
bool_format(const struct job *job, const struct option *option, struct str *ret)
{
	const bool *p = cfield(job, option);

	str_add(ret, *p ? "1" : "0");
	return true;
}

const struct option_kind option_bool = {
    .parse = bool_parse, .format = bool_format, .number = true, .bare = true};

static int
accepted_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	int v = 0;

	(void)job;
	(void)option;
	return word_parse(bool_words, value, "0, 1", &v, err);
}

const struct option_kind option_accepted = {.parse = accepted_parse, .bare = true};

static const struct word direct_words[] = {{"0", JOB_BUFFERED}, {"1", JOB_DIRECT},
    {"auto", JOB_DIRECT_AUTO}, {"false", JOB_BUFFERED}, {"true", JOB_DIRECT},
    {NULL, 0}};

static int
direct_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	int v = 0;

	(void)option;
	if (word_parse(direct_words, value, "0, 1, auto", &v, err))
		return -1;
	job->direct = (enum job_direct)v;
	return 0;
}

static bool
direct_format(const struct job *job, const struct option *option, struct str *ret)
{
	(void)option;
	str_add(ret, word_name(direct_words, (int)job->direct));
	return true;
}

const struct option_kind option_direct = {
    .parse = direct_parse, .format = direct_format, .bare = true};

/* buffered is direct the other way round. */
static int
buffered_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	int v = 0;

	(void)option;
	if (word_parse(bool_words, value, "0, 1", &v, err))
		return -1;
	job->direct = v ? JOB_BUFFERED : JOB_DIRECT;
	return 0;
}

const struct option_kind option_buffered = {.parse = buffered_parse, .bare = true};

static const struct word layout_words[] = {{"files", JOB_LAYOUT_FILES}, {"fio", JOB_LAYOUT_FIO},
    {"none", JOB_LAYOUT_NONE}, {"overwrite", JOB_LAYOUT_OVERWRITE}, {NULL, 0}};

static int
layout_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	int v = 0;

	(void)option;
	if (word_parse(layout_words, value, "files, none, overwrite, fio", &v, err))
		return -1;
	job->layout = (enum job_layout)v;
	return 0;
}

static bool
layout_format(const struct job *job, const struct option *option, struct str *ret)
{
	(void)option;
	str_add(ret, word_name(layout_words, (int)job->layout));
	return true;
}

const struct option_kind option_layout = {
    .parse = layout_parse, .format = layout_format};

/* Numbers */

static int
count_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	unsigned *p = field(job, option);
	uint64_t v;

	if (parse_count(option, value, &v, err))
		return -1;
	*p = (unsigned)v;
	return 0;
}

static bool
count_format(const struct job *job, const struct option *option, struct str *ret)
{
	const unsigned *p = cfield(job, option);

	str_addf(ret, "%u", *p);
	return true;
}

const struct option_kind option_count = {
    .parse = count_parse, .format = count_format, .number = true};
const struct option_kind option_mixread = {
    .parse = count_parse, .format = count_format, .number = true};

static int
mixwrite_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	uint64_t v;

	if (parse_count(option, value, &v, err))
		return -1;
	job->rwmixread = 100 - (unsigned)v;
	return 0;
}

const struct option_kind option_mixwrite = {.parse = mixwrite_parse};

static int
bytes_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	uint64_t *p = field(job, option);
	uint64_t v;

	if (parse_size(option, value, &v, err))
		return -1;
	*p = v;
	return 0;
}

static bool
bytes_format(const struct job *job, const struct option *option, struct str *ret)
{
	const uint64_t *p = cfield(job, option);

	str_addf(ret, "%" PRIu64, *p);
	return true;
}

const struct option_kind option_bytes = {
    .parse = bytes_parse, .format = bytes_format, .number = true};

static int
count64_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	return units_parse_u64(
	    value, option->min, option->max, field(job, option), err);
}

const struct option_kind option_count64 = {
    .parse = count64_parse, .format = bytes_format, .number = true};

static int
enospc_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	if (bytes_parse(job, option, value, err))
		return -1;
	job->fault.enospc_after_set = true;
	return 0;
}

static bool
enospc_format(const struct job *job, const struct option *option, struct str *ret)
{
	return job->fault.enospc_after_set && bytes_format(job, option, ret);
}

const struct option_kind option_enospc = {
    .parse = enospc_parse, .format = enospc_format, .number = true};

static int
time_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	uint64_t v;

	if (units_parse_time(value, option->bare, &v, err))
		return -1;
	if (v > option->max)
		return err_set(err, ERR_USAGE, "'%s' is too long", value);
	*(uint64_t *)field(job, option) = v;
	return 0;
}

static bool
time_format(const struct job *job, const struct option *option, struct str *ret)
{
	static const struct {
		uint64_t ns;
		const char *unit;
	} units[] = {{UNITS_NS_PER_S, "s"}, {UNITS_NS_PER_MS, "ms"},
	    {UNITS_NS_PER_US, "us"}, {1, "ns"}};
	uint64_t ns = *(const uint64_t *)cfield(job, option);

	for (size_t i = 0; i < COUNT(units); i++) {
		if (ns % units[i].ns == 0) {
			str_addf(ret, "%" PRIu64 "%s", ns / units[i].ns, units[i].unit);
			break;
		}
	}
	return true;
}

const struct option_kind option_time = {.parse = time_parse, .format = time_format};

/*
 * "read,write,trim" as fio has it: one value is for all directions, an empty one
 * means the default, and what follows a comma starts from the default again.
 * There are no trims here, so the third value is only checked.
 */
static int
per_dir_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	uint64_t v[DIR_COUNT + 1], *p = field(job, option);
	size_t n = 0, given = 0;

	if (strchr(value, '-'))
		return err_set(err, ERR_USAGE,
		    "'%s' looks like a range; here it would be one value for reads and "
		    "one for writes, which are separated by a comma%s",
		    value, strcmp(option->name, "bs") ? "" : " (a range is bsrange)");
	for (const char *s = value; s; n++) {
		const char *comma = strchr(s, ',');
		char *part = mem_strndup(s, comma ? (size_t)(comma - s) : strlen(s));
		int rc = 0;

		if (n == COUNT(v))
			rc = err_set(err, ERR_USAGE,
			    "'%s' has more than three values (read,write,trim)", value);
		else if (*part == '\0')
			v[n] = option->bare;
		else if (!(rc = parse_size(option, part, &v[n], err)))
			given++;
		free(part);
		if (rc)
			return -1;
		s = comma ? comma + 1 : NULL;
	}
	if (given == 0)
		return err_set(err, ERR_USAGE, "'%s' holds no value", value);
	p[DIR_READ] = v[0];
	p[DIR_WRITE] = n > 1 ? v[1] : v[0];
	return 0;
}

static bool
per_dir_format(const struct job *job, const struct option *option, struct str *ret)
{
	const uint64_t *p = cfield(job, option);

	str_addf(ret, "%" PRIu64, p[DIR_READ]);
	if (p[DIR_WRITE] != p[DIR_READ])
		str_addf(ret, ",%" PRIu64, p[DIR_WRITE]);
	return true;
}

const struct option_kind option_per_dir = {
    .parse = per_dir_parse, .format = per_dir_format, .number = true};
