/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User and limits of the worker process.  Limits are raised before the user
 * changes: they are kept, the privilege to raise them is not.
 */
#include "agent/worker/user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define USER_RT_PRIORITY 10

static void
user_raise_limit(int which, rlim_t wanted)
{
	struct rlimit limit;
	struct rlimit more = {.rlim_cur = wanted, .rlim_max = wanted};

	if (getrlimit((__rlimit_resource_t)which, &limit) < 0 ||
	    limit.rlim_cur >= wanted)
		return;
	if (setrlimit((__rlimit_resource_t)which, &more) == 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit((__rlimit_resource_t)which, &limit);
}

void
user_raise_limits(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0)
		user_raise_limit(RLIMIT_NOFILE, files.rlim_max);
	user_raise_limit(RLIMIT_MEMLOCK, RLIM_INFINITY);
	user_raise_limit(RLIMIT_RTPRIO, USER_RT_PRIORITY);
}

int
user_become(const char *name, struct err *err)
{
	const struct passwd *user;

	if (!name)
		return 0;
	errno = 0;
	user = getpwnam(name);
	if (!user)
		return err_set(
		    err, ERR_USAGE, "user %s does not exist on this host", name);
	if (user->pw_uid == geteuid() && user->pw_uid == getuid())
		return 0;
	if (initgroups(name, user->pw_gid) < 0 || setgid(user->pw_gid) < 0 ||
	    setuid(user->pw_uid) < 0)
		return err_sys(err, errno, "become user %s", name);
	/* Keep /proc/self readable, and core dumps possible, for the new user. */
	(void)prctl(PR_SET_DUMPABLE, 1);
	return 0;
}
