/* SPDX-License-Identifier: Apache-2.0 */
/* The live view. */
#include "controller/live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#define PLAIN_EVERY_NS (5 * UNITS_NS_PER_S)
#define BAR_CELLS 30

struct live {
	bool terminal;
	size_t cases, number; /* of the case under way */
	size_t done, left;    /* attempts */
	char *what;
	unsigned drawn; /* lines of the block on the screen */
	uint64_t began_ns, attempt_ns, spoke_ns;
};

static unsigned
columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col
									   : 80;
}

static void
erase(struct live *live)
{
	if (live->drawn)
		fprintf(stderr, "\r\033[%uA\033[J", live->drawn);
	live->drawn = 0;
}

/* Cuts a line to the terminal's width, so that the block's height is known. */
static void
draw_line(struct live *live, const char *text)
{
	size_t left = columns() - 1;
	const char *p = text;

	for (; *p && left; left--)
		do {
			p++;
		} while ((*p & 0xc0) == 0x80);
	fprintf(stderr, "%.*s\n", (int)(p - text), text);
	live->drawn++;
}

struct live *
live_new(bool terminal, size_t cases)
{
	struct live *live = mem_alloc(sizeof *live);

	live->terminal = terminal;
	live->cases = cases;
	live->began_ns = clock_ns();
	return live;
}

void
live_free(struct live *live)
{
	if (!live)
		return;
	if (live->terminal)
		erase(live);
	free(live->what);
	free(live);
}

void
live_begin(struct live *live, size_t number, const char *what, size_t done, size_t left)
{
	live->number = number;
	live->done = done;
	live->left = left;
	free(live->what);
	live->what = mem_strdup(what);
	live->attempt_ns = live->spoke_ns = clock_ns();
}

static void
describe_rates(const struct fleet_view *view, struct str *ret)
{
	char rate[UNITS_BUF], iops[UNITS_BUF], lat[UNITS_BUF];

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		if (!(view->dir[dir].iops > 0))
			continue;
		str_addf(ret, "%s  %s %s IOPS lat %s", dir_name(dir),
		    units_bytes_per_s(rate, view->dir[dir].bytes_per_s),
		    units_iops(iops, view->dir[dir].iops),
		    units_ns(lat, view->dir[dir].lat_mean_ns));
		str_add(ret, "  ");
	}
	if (view->slowest && view->slowest_share < 0.9)
		str_addf(ret, "slowest %s (%.0f %% of the mean)", view->slowest,
		    100 * view->slowest_share);
}

static void
describe_phase(const struct fleet_view *view, struct str *ret)
{
	char done[UNITS_BUF], total[UNITS_BUF];

	str_addf(ret, "%s", drive_phase_name(view->phase));
	if (view->phase != DRIVE_PREPARING)
		return;
	str_addf(ret, "  %zu of %zu ready", view->ready, view->clients);
	if (view->layout_total)
		str_addf(ret, "  layout %s of %s",
		    units_bytes(done, (double)view->layout_done),
		    units_bytes(total, (double)view->layout_total));
}

static double
since_start(const struct fleet_view *view)
{
	return view->since_start_ns > 0 ? (double)view->since_start_ns / 1e9 : 0;
}

static void
add_elapsed(const struct fleet_view *view, struct str *ret)
{
	char elapsed[UNITS_BUF], total[UNITS_BUF];

	if (view->phase != DRIVE_RUNNING)
		return;
	str_addf(ret, "  %s", units_seconds(elapsed, since_start(view)));
	if (view->duration_ns)
		str_addf(ret, " of %s",
		    units_seconds(total, (double)view->duration_ns / 1e9));
}

static void
add_bar(const struct fleet_view *view, struct str *ret)
{
	double end = (double)view->duration_ns / 1e9, s = since_start(view);

	if (view->phase == DRIVE_RUNNING && end > 0) {
		unsigned full = s >= end ? BAR_CELLS : (unsigned)(s / end * BAR_CELLS);
		str_add(ret, "  [");
		for (unsigned i = 0; i < BAR_CELLS; i++)
			str_addc(ret, i < full ? '#' : '.');
		str_add(ret, "]");
	}
	add_elapsed(view, ret);
}

static void
add_eta(const struct live *live, struct str *ret)
{
	char text[UNITS_BUF];
	double elapsed = (double)(live->attempt_ns - live->began_ns) / 1e9;

	if (live->done == 0)
		return;
	str_addf(ret, "  about %s left",
	    units_seconds(text, elapsed / (double)live->done * (double)live->left));
}

static void
redraw(struct live *live, const struct fleet_view *view)
{
	struct str line = {0};

	erase(live);
	str_addf(&line, "case %zu of %zu  %s", live->number, live->cases, live->what);
	add_eta(live, &line);
	draw_line(live, line.s);
	str_clear(&line);
	str_add(&line, "  ");
	describe_phase(view, &line);
	add_bar(view, &line);
	draw_line(live, line.s);
	str_clear(&line);
	str_add(&line, "  ");
	describe_rates(view, &line);
	draw_line(live, line.s);
	str_free(&line);
}

static void
speak(struct live *live, const struct fleet_view *view)
{
	uint64_t now = clock_ns();
	struct str line = {0};

	if (now - live->spoke_ns < PLAIN_EVERY_NS)
		return;
	live->spoke_ns = now;
	str_addf(&line, "case %zu of %zu  %s", live->number, live->cases, live->what);
	add_eta(live, &line);
	str_add(&line, "  ");
	describe_phase(view, &line);
	add_elapsed(view, &line);
	str_add(&line, "  ");
	describe_rates(view, &line);
	fprintf(stderr, "%s\n", line.s);
	str_free(&line);
}

void
live_watch(void *arg, const struct fleet_view *view)
{
	struct live *live = arg;

	if (live->terminal)
		redraw(live, view);
	else
		speak(live, view);
}

void
live_note(struct live *live, const char *text)
{
	if (live->terminal)
		erase(live);
	fprintf(stderr, "%s\n", text);
}

void
live_end(struct live *live, const char *outcome)
{
	char *line = mem_printf(
	    "[case %zu of %zu] %s  %s", live->number, live->cases, live->what, outcome);

	live_note(live, line);
	free(line);
}
