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

#include "lib/base/units.h"

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

/* A number is a user id, also one that has no name here (files of NFS clients). */
static int
user_find(const char *name, uid_t *ret_uid, gid_t *ret_gid, const char **ret_name)
{
	const struct passwd *user = getpwnam(name);
	uint64_t number;

	if (!user && units_parse_u64(name, 0, UINT32_MAX - 1, &number, NULL) < 0)
		return -1;
	if (!user) {
		*ret_uid = *ret_gid = (uid_t)number;
		user = getpwuid(*ret_uid);
	}
	*ret_name = user ? user->pw_name : NULL;
	if (user) {
		*ret_uid = user->pw_uid;
		*ret_gid = user->pw_gid;
	}
	return 0;
}

int
user_become(const char *name, struct err *err)
{
	const char *known;
	uid_t uid;
	gid_t gid;

	if (!name)
		return 0;
	if (user_find(name, &uid, &gid, &known) < 0)
		return err_set(
		    err, ERR_USAGE, "user %s does not exist on this host", name);
	if (uid == geteuid() && uid == getuid())
		return 0;
	if ((known ? initgroups(known, gid) : setgroups(0, NULL)) < 0 ||
	    setgid(gid) < 0 || setuid(uid) < 0)
		return err_sys(err, errno, "become user %s", name);
	/* Keep /proc/self readable, and core dumps possible, for the new user. */
	(void)prctl(PR_SET_DUMPABLE, 1);
	return 0;
}
