/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shared memory between a worker and whoever watches it: creation, mapping
 * and the reader's side (one client's tally and live sample out of all threads).
 */
#include "agent/worker/board.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mem.h"

#define BOARD_PAGE UINT64_C(4096)
#define BOARD_MAX_SIZE (UINT64_C(1) << 40)
#define BOARD_CACHE_LINE UINT64_C(64)

static uint64_t
board_round(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

static uint64_t
board_meter_offset(uint64_t iodepth)
{
	return board_round(
	    sizeof(struct board_thread) + iodepth * sizeof(struct board_flight),
	    BOARD_CACHE_LINE);
}

static void
board_copy_layout(struct board *board)
{
	const struct board_head *head = board->head;

	board->size = head->size;
	board->threads = head->threads;
	board->iodepth = head->iodepth;
	board->thread_stride = head->thread_stride;
	board->meter_offset = head->meter_offset;
	board->duration_ns = head->duration_ns;
}

static int
board_map(struct board *board, uint64_t size, struct err *err)
{
	board->head =
	    mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, board->fd, 0);
	if (board->head == MAP_FAILED) {
		board->head = NULL;
		return err_sys(err, errno, "map the board");
	}
	board->size = size;
	return 0;
}

int
board_create(
    struct board *board, const struct job *job, uint64_t duration_ns, struct err *err)
{
	struct board_head head = {
	    .magic = BOARD_MAGIC,
	    .threads = job->numjobs,
	    .iodepth = job->iodepth,
	    .duration_ns = duration_ns,
	};

	*board = (struct board){.fd = -1};
	head.meter_offset = board_meter_offset(head.iodepth);
	head.thread_stride =
	    board_round(head.meter_offset + meter_size(duration_ns), BOARD_PAGE);
	head.size = BOARD_PAGE + head.threads * head.thread_stride;
	if (head.thread_stride > BOARD_MAX_SIZE ||
	    head.threads > BOARD_MAX_SIZE / head.thread_stride)
		return err_set(err, ERR_USAGE,
		    "counters of %u threads over %llu s do not fit in memory",
		    job->numjobs,
		    (unsigned long long)(duration_ns / UINT64_C(1000000000)));
	board->fd = memfd_create("volley-board", MFD_CLOEXEC);
	if (board->fd < 0)
		return err_sys(err, errno, "create the board");
	if (ftruncate(board->fd, (off_t)head.size) < 0) {
		err_sys(err, errno, "size the board");
		board_close(board);
		return -1;
	}
	if (board_map(board, head.size, err) < 0) {
		board_close(board);
		return -1;
	}
	*board->head = head;
	board_copy_layout(board);
	return 0;
}

static bool
board_fits(const struct board *board, uint64_t file_size)
{
	if (board->size != file_size || board->threads == 0 || board->iodepth == 0 ||
	    board->iodepth > file_size / sizeof(struct board_flight))
		return false;
	return board->meter_offset == board_meter_offset(board->iodepth) &&
	       board->thread_stride >=
		   board->meter_offset + meter_size(board->duration_ns) &&
	       board->threads <= (file_size - BOARD_PAGE) / board->thread_stride;
}

int
board_attach(struct board *board, int fd, struct err *err)
{
	struct stat st;

	*board = (struct board){.fd = fd};
	if (fstat(fd, &st) < 0)
		return err_sys(err, errno, "board");
	if ((uint64_t)st.st_size < BOARD_PAGE)
		return err_set(err, ERR_PROTOCOL, "board: too small to be one");
	if (board_map(board, (uint64_t)st.st_size, err) < 0)
		return -1;
	board_copy_layout(board);
	if (board->head->magic == BOARD_MAGIC &&
	    board_fits(board, (uint64_t)st.st_size))
		return 0;
	munmap(board->head, (size_t)st.st_size);
	board->head = NULL;
	return err_set(err, ERR_PROTOCOL, "board: not of this build's layout");
}

void
board_close(struct board *board)
{
	if (board->head)
		munmap(board->head, board->size);
	if (board->fd >= 0)
		close(board->fd);
	*board = (struct board){.fd = -1};
}

enum board_phase
board_phase(const struct board *board)
{
	return (enum board_phase)__atomic_load_n(&board->head->phase, __ATOMIC_ACQUIRE);
}

void
board_set_phase(struct board *board, enum board_phase phase)
{
	__atomic_store_n(&board->head->phase, (uint64_t)phase, __ATOMIC_RELEASE);
}

static char *
board_base(const struct board *board, unsigned thread)
{
	return (char *)board->head + BOARD_PAGE + thread * board->thread_stride;
}

struct board_thread *
board_thread(const struct board *board, unsigned thread)
{
	return (struct board_thread *)(void *)board_base(board, thread);
}

struct board_flight *
board_flight(const struct board *board, unsigned thread)
{
	return (struct board_flight *)(void *)(board_base(board, thread) +
					       sizeof(struct board_thread));
}

struct meter *
board_meter(const struct board *board, unsigned thread)
{
	return (
	    struct meter *)(void *)(board_base(board, thread) + board->meter_offset);
}

static uint64_t
board_load(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* How many I/Os of the thread are out, and since when the oldest of them is. */
static uint64_t
board_outstanding(const struct board *board, unsigned thread, uint64_t *oldest_since)
{
	const struct board_flight *flight = board_flight(board, thread);
	uint64_t n = 0;

	for (uint64_t i = 0; i < board->iodepth; i++) {
		uint64_t since = board_load(&flight[i].since_ns);

		if (since == 0)
			continue;
		n++;
		if (since < *oldest_since)
			*oldest_since = since;
	}
	return n;
}

/* Meters are zero until their thread prepared them; then start_ns dates them. */
static bool
board_meter_ready(const struct board *board, unsigned thread)
{
	return board_load(&board_meter(board, thread)->slot_cap) != 0;
}

static void
board_add_usage(const struct board_thread *counts, struct tally_usage *usage)
{
	usage->known = usage->known && board_load(&counts->cpu_wall_ns) != 0;
	usage->switches += board_load(&counts->switches);
	usage->major_faults += board_load(&counts->major_faults);
	usage->minor_faults += board_load(&counts->minor_faults);
}

static void
board_tally_thread(
    const struct board *board, unsigned thread, struct tally *tally, uint64_t *oldest)
{
	const struct board_thread *counts = board_thread(board, thread);
	uint64_t first = board_load(&counts->first_submit_ns);
	uint64_t end = board_load(&counts->end_ns);
	const struct meter *meter;

	tally->outstanding += board_outstanding(board, thread, oldest);
	tally->io_errors += board_load(&counts->errors);
	board_add_usage(counts, &tally->usage);
	tally->fifo = tally->fifo && board_load(&counts->fifo) != 0;
	if (board_load(&counts->latency_depth) > tally->latency_depth)
		tally->latency_depth = board_load(&counts->latency_depth);
	if (first != 0) {
		/* Not later than the job wanted it is on time. */
		int64_t since_t = (int64_t)(first - tally->start_ns -
					    board_load(&counts->delay_ns));

		if (!tally->has_first_io || since_t < tally->first_io_ns)
			tally->first_io_ns = since_t;
		if (!tally->has_first_io || since_t > tally->last_first_io_ns)
			tally->last_first_io_ns = since_t;
		tally->has_first_io = true;
	}
	if (end > tally->start_ns) {
		uint64_t since_t = end - tally->start_ns;

		if (tally->first_end_ns == 0 || since_t < tally->first_end_ns)
			tally->first_end_ns = since_t;
		if (since_t > tally->end_ns)
			tally->end_ns = since_t;
	}
	if (!board_meter_ready(board, thread))
		return;
	meter = board_meter(board, thread);
	if (board_load(&meter->window_from) > tally->window_from) { /* startdelay */
		tally->window_from = board_load(&meter->window_from);
		tally->window_to = board_load(&meter->window_to);
	}
	for (int dir = 0; dir < DIR_COUNT; dir++)
		meter_collect(meter, (enum dir)dir, &tally->dir[dir]);
}

/* Of `n` threads from `from` on; the CPU time is left to the caller. */
static struct tally *
board_tally_of(const struct board *board, unsigned from, uint64_t n, uint64_t now_ns)
{
	const struct board_head *head = board->head;
	const struct meter *first = board_meter(board, from);
	struct tally *tally = tally_new();
	uint64_t oldest = UINT64_MAX;

	tally->start_ns = board_load(&head->start_ns);
	tally->window_from = board_load(&first->window_from);
	tally->window_to = board_load(&first->window_to);
	tally->threads = n;
	tally->fifo = tally->usage.known = true;
	tally->direct = board_load(&head->direct) != 0;
	tally->first_io_bound_ns = board_load(&head->first_io_bound_ns);
	tally->window_own = board_load(&head->window_own) != 0;
	memcpy(tally->runner, head->runner, sizeof tally->runner - 1);
	for (unsigned i = from; i < from + n; i++)
		board_tally_thread(board, i, tally, &oldest);
	if (!tally->usage.known)
		tally->usage = (struct tally_usage){.known = false};
	if (tally->outstanding != 0 && now_ns > oldest)
		tally->oldest_outstanding_ns = now_ns - oldest;
	return tally;
}

struct tally *
board_tally(const struct board *board, uint64_t now_ns)
{
	const struct board_head *head = board->head;
	struct tally *tally = board_tally_of(board, 0, board->threads, now_ns);

	tally->cpu_user_ns = board_load(&head->cpu_user_ns);
	tally->cpu_sys_ns = board_load(&head->cpu_sys_ns);
	tally->cpu_wall_ns = board_load(&head->cpu_wall_ns);
	return tally;
}

struct tally *
board_thread_tally(const struct board *board, unsigned thread, uint64_t now_ns)
{
	const struct board_thread *counts = board_thread(board, thread);
	struct tally *tally = board_tally_of(board, thread, 1, now_ns);

	tally->cpu_user_ns = board_load(&counts->cpu_user_ns);
	tally->cpu_sys_ns = board_load(&counts->cpu_sys_ns);
	tally->cpu_wall_ns = board_load(&counts->cpu_wall_ns);
	return tally;
}

void
board_sample(const struct board *board, uint64_t now_ns, struct sample *ret)
{
	uint64_t start_ns = board_load(&board->head->start_ns);
	uint64_t oldest = UINT64_MAX;

	*ret = (struct sample){0};
	if (start_ns != 0 && now_ns > start_ns)
		ret->at_ns = now_ns - start_ns;
	for (unsigned i = 0; i < board->threads; i++) {
		const struct meter *meter = board_meter(board, i);

		ret->outstanding += board_outstanding(board, i, &oldest);
		for (int dir = 0; dir < DIR_COUNT; dir++) {
			ret->dir[dir].ios += meter_ios(meter, (enum dir)dir);
			ret->dir[dir].bytes += meter_bytes(meter, (enum dir)dir);
			ret->dir[dir].lat_sum_ns += meter_lat_sum(meter, (enum dir)dir);
			ret->dir[dir].lat_count +=
			    board_load(&meter->dir[dir].phase[METER_INSIDE].ios);
		}
	}
}
