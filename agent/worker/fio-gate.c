/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate's process: as little as possible between the byte and the exit.
 */
#include "agent/worker/fio-gate.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/worker/park.h"
#include "lib/base/clock.h"
#include "lib/base/units.h"

static bool
gate_say(int out, enum fiogate_what what, unsigned thread)
{
	struct fiogate_word word = {.what = what, .thread = thread};
	ssize_t n;

	word.at_ns = clock_ns();
	do {
		n = write(out, &word, sizeof word);
	} while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof word;
}

static bool
gate_wait(int in)
{
	char byte;
	ssize_t n;

	do {
		n = read(in, &byte, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1;
}

static int
gate_number(const char *text)
{
	uint64_t n;

	return units_parse_u64(text, 0, INT32_MAX, &n, NULL) < 0 ? -1 : (int)n;
}

int
fiogate_main(int argc, char **argv)
{
	bool before = argc == 6 && strcmp(argv[2], "before") == 0;
	int thread = argc == 6 ? gate_number(argv[3]) : -1;
	int in = argc == 6 ? gate_number(argv[4]) : -1;
	int out = argc == 6 ? gate_number(argv[5]) : -1;

	if (thread < 0 || in < 0 || out < 0) {
		fprintf(stderr, "volley-io: fio-gate: is started by the fio that "
				"volley-io worker started\n");
		return 2;
	}
	if (!before)
		return !gate_say(out, FIOGATE_AFTER, (unsigned)thread);
	/* It has to wake at T, not when its neighbours' load lets it. */
	(void)park_fifo_take();
	return !(gate_say(out, FIOGATE_HERE, (unsigned)thread) && gate_wait(in) &&
		 gate_say(out, FIOGATE_LET_GO, (unsigned)thread));
}
