/* SPDX-License-Identifier: Apache-2.0 */
/* The wake signal: handler, masks, and a sleep that it ends. */
#include "agent/engine/wake.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "lib/base/clock.h"

#define WAKE_SIGNAL SIGURG
#define NS_PER_S UINT64_C(1000000000)
#define FOREVER_NS (UINT64_C(3) * 1000000000 * NS_PER_S)

static void
on_wake(int signum)
{
	(void)signum; /* its only work is to interrupt a system call */
}

static sigset_t
wake_set(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, WAKE_SIGNAL);
	return set;
}

void
wake_init(struct wake *wake)
{
	struct sigaction action = {.sa_handler = on_wake};
	sigset_t set = wake_set();

	/* Without SA_RESTART, so that it interrupts; the same for every thread. */
	sigemptyset(&action.sa_mask);
	sigaction(WAKE_SIGNAL, &action, NULL);
	pthread_sigmask(SIG_BLOCK, &set, &wake->waiting);
	wake->was_blocked = sigismember(&wake->waiting, WAKE_SIGNAL) == 1;
	sigdelset(&wake->waiting, WAKE_SIGNAL);
	wake->tid = gettid();
}

void
wake_fini(struct wake *wake)
{
	sigset_t set = wake_set();

	if (!wake->was_blocked)
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void
wake_send(const struct wake *wake)
{
	int saved = errno;

	tgkill(getpid(), wake->tid, WAKE_SIGNAL);
	errno = saved;
}

struct timespec
wake_left(uint64_t until_ns)
{
	uint64_t now, left;

	if (until_ns == UINT64_MAX) {
		left = FOREVER_NS;
	} else {
		now = clock_ns();
		left = until_ns > now ? until_ns - now : 0;
	}
	return (struct timespec){
	    .tv_sec = (time_t)(left / NS_PER_S), .tv_nsec = (long)(left % NS_PER_S)};
}

int
wake_sleep(uint64_t until_ns)
{
	sigset_t set = wake_set();
	struct timespec left = wake_left(until_ns);

	/* Taken synchronously: a pending wake ends it at once. */
	if (sigtimedwait(&set, NULL, &left) == WAKE_SIGNAL)
		return -EINTR;
	return errno == EAGAIN ? 0 : -EINTR;
}
