/* SPDX-License-Identifier: Apache-2.0 */
/* Words in values and arithmetic.  See arith.h. */
#include "lib/work/fio/arith.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/fio/number.h"

#define DEPTH_MAX 32 /* of parentheses */

static int
replace_env(const char **text, const struct fio_words *words, bool as_fio,
    struct str *ret, struct err *err)
{
	const char *end = strchr(*text, '}');
	const char *value;
	char *name;

	if (!end) {
		if (!as_fio)
			return err_set(err, ERR_USAGE,
			    "'%s' is not closed with }; fio would take it as it stands",
			    *text);
		str_addn(ret, *text, 2);
		*text += 2;
		return 0;
	}
	name = mem_strndup(*text + 2, (size_t)(end - *text) - 2);
	value = words->getenv ? words->getenv(words->arg, name) : NULL;
	if (!value && !as_fio) {
		err_set(err, ERR_USAGE,
		    "${%s}: the variable is not set; fio would put nothing in its "
		    "place",
		    name);
		free(name);
		return -1;
	}
	free(name);
	if (value)
		str_add(ret, value);
	*text = end + 1;
	return 0;
}

static bool
replace_word(const char **text, const struct fio_words *words, struct str *ret)
{
	const struct {
		const char *word;
		uint64_t value;
	} known[] = {{"$pagesize", words->pagesize}, {"$mb_memory", words->mb_memory},
	    {"$ncpus", words->ncpus}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (!str_starts(*text, known[i].word))
			continue;
		str_addf(ret, "%" PRIu64, known[i].value);
		*text += strlen(known[i].word);
		return true;
	}
	return false;
}

int
fio_replace(const char *text, const struct fio_words *words, bool as_fio,
    struct str *ret, bool *ret_counts, struct err *err)
{
	*ret_counts = false;
	while (*text) {
		if (str_starts(text, "${")) {
			if (replace_env(&text, words, as_fio, ret, err))
				return -1;
		} else if (*text == '$' && replace_word(&text, words, ret)) {
			*ret_counts = true;
		} else {
			str_addc(ret, *text++);
		}
	}
	return 0;
}

/* Recursive descent; each step leaves *s behind what it read. */

struct calc {
	const char *s;
	unsigned kb_base, depth;
	struct err *err;
};

static int calc_sum(struct calc *c, uint64_t *ret);

static void
calc_blanks(struct calc *c)
{
	while (isblank((unsigned char)*c->s))
		c->s++;
}

static int
calc_term(struct calc *c, uint64_t *ret)
{
	size_t len;
	char *text;
	int rc;

	calc_blanks(c);
	if (*c->s == '(') {
		if (++c->depth > DEPTH_MAX)
			return err_set(c->err, ERR_USAGE, "parentheses are too deep");
		c->s++;
		if (calc_sum(c, ret))
			return -1;
		if (*c->s != ')')
			return err_set(c->err, ERR_USAGE, ") is missing");
		c->s++;
		c->depth--;
		calc_blanks(c);
		return 0;
	}
	len = strcspn(c->s, "+-*/() \t");
	if (len == 0)
		return err_set(
		    c->err, ERR_USAGE, "a number is missing before '%s'", c->s);
	text = mem_strndup(c->s, len);
	rc = fio_clean_bytes(text, c->kb_base, ret, c->err);
	free(text);
	c->s += len;
	calc_blanks(c);
	return rc;
}

static int
calc_product(struct calc *c, uint64_t *ret)
{
	if (calc_term(c, ret))
		return -1;
	while (*c->s == '*' || *c->s == '/') {
		char op = *c->s++;
		uint64_t v;

		if (calc_term(c, &v))
			return -1;
		if (op == '/' && v == 0)
			return err_set(c->err, ERR_USAGE, "division by 0");
		if (op == '/')
			*ret /= v;
		else if (__builtin_mul_overflow(*ret, v, ret))
			return err_set(c->err, ERR_USAGE, "the result is too large");
	}
	return 0;
}

static int
calc_sum(struct calc *c, uint64_t *ret)
{
	if (calc_product(c, ret))
		return -1;
	while (*c->s == '+' || *c->s == '-') {
		char op = *c->s++;
		uint64_t v;

		if (calc_product(c, &v))
			return -1;
		if (op == '+' ? __builtin_add_overflow(*ret, v, ret)
			      : __builtin_sub_overflow(*ret, v, ret))
			return err_set(
			    c->err, ERR_USAGE, "the result is negative or too large");
	}
	return 0;
}

int
fio_calculate(const char *text, unsigned kb_base, uint64_t *ret, struct err *err)
{
	struct calc c = {.s = text, .kb_base = kb_base, .err = err};

	if (calc_sum(&c, ret))
		return err_prefix(err, "'%s'", text);
	if (*c.s)
		return err_set(err, ERR_USAGE, "'%s': '%s' is left over", text, c.s);
	return 0;
}
