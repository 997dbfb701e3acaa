/* SPDX-License-Identifier: Apache-2.0 */
/* Allocators and growing arrays: zeroing, copies, overflow ends the process. */
#include "lib/base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/vec.h"
#include "tests/unit/suite.h"

START_TEST(is_zeroed)
{
	unsigned char *p = mem_alloc(100), *q = mem_array(10, 10);

	for (int i = 0; i < 100; i++)
		ck_assert_int_eq(p[i] | q[i], 0);
	free(p);
	free(q);
}
END_TEST

START_TEST(nothing_is_something)
{
	void *a = mem_alloc(0), *b = mem_array(0, 8), *c = mem_copy(NULL, 0);
	void *d = mem_grow(NULL, 0, 8);

	ck_assert(a && b && c && d);
	free(a);
	free(b);
	free(c);
	free(d);
}
END_TEST

START_TEST(copies_strings)
{
	char *s = mem_strdup("abc"), *n = mem_strndup("abcdef", 3);
	char *e = mem_strndup("ab", 100), *f = mem_printf("%s-%d", "x", 7);

	ck_assert_str_eq(s, "abc");
	ck_assert_str_eq(n, "abc");
	ck_assert_str_eq(e, "ab");
	ck_assert_str_eq(f, "x-7");
	ck_assert_ptr_null(mem_strdup(NULL));
	free(s);
	free(n);
	free(e);
	free(f);
}
END_TEST

START_TEST(grow_keeps_content)
{
	char *p = mem_grow(NULL, 4, 1);

	memcpy(p, "abc", 4);
	p = mem_grow(p, 100000, 1);
	ck_assert_str_eq(p, "abc");
	free(p);
}
END_TEST

/* Runs `ask` in a child; its exit status and the first bytes of its stderr. */
static int
in_child(void (*ask)(void), char *text, size_t size)
{
	int fds[2], status;
	ssize_t got;
	pid_t pid;

	ck_assert_int_eq(pipe(fds), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		dup2(fds[1], STDERR_FILENO);
		ask();
		_exit(77);
	}
	close(fds[1]);
	got = read(fds[0], text, size - 1);
	text[got > 0 ? got : 0] = '\0';
	close(fds[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
ask_product(void)
{
	free(mem_array(SIZE_MAX / 2, 3));
}

static void
ask_wrapped(void)
{
	free(mem_grow(NULL, SIZE_MAX, 8));
}

static void
ask_huge(void)
{
	free(mem_alloc(SIZE_MAX));
}

START_TEST(too_much_ends_the_process)
{
	void (*const asks[])(void) = {ask_product, ask_wrapped, ask_huge};
	char text[200];

	for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
		ck_assert_int_eq(in_child(asks[i], text, sizeof text), 1);
		ck_assert_ptr_nonnull(strstr(text, ": out of memory ("));
		ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
	}
}
END_TEST

struct item {
	int a, b;
};

START_TEST(vec_grows)
{
	VEC(struct item) items = {0};
	int sum = 0;

	for (vec_each(struct item *, it, &items))
		ck_abort_msg("an empty array has no items");
	for (int i = 0; i < 1000; i++) {
		struct item *item = vec_add(&items);

		ck_assert_int_eq(item->a | item->b, 0);
		item->a = i;
		item->b = 1;
	}
	ck_assert_uint_eq(items.n, 1000);
	for (vec_each(struct item *, it, &items)) {
		ck_assert_int_eq(it->a, (int)(it - items.v));
		sum += it->b;
	}
	ck_assert_int_eq(sum, 1000);
	vec_push(&items, ((struct item){7, 8}));
	ck_assert_int_eq(items.v[1000].b, 8);
	vec_free(&items);
	ck_assert(!items.v && !items.n && !items.cap);
}
END_TEST

START_TEST(vec_add_clears_reused_items)
{
	VEC(int) numbers = {0};

	vec_push(&numbers, 5);
	numbers.n = 0;
	ck_assert_int_eq(*vec_add(&numbers), 0);
	vec_free(&numbers);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("mem", is_zeroed, nothing_is_something, copies_strings,
	    grow_keeps_content, too_much_ends_the_process, vec_grows,
	    vec_add_clears_reused_items);
}
