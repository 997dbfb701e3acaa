/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sending and receiving the words between a worker and its parent.  A packet is
 * a struct link_msg and, behind it, text_len bytes of text.
 */
#include "agent/worker/link.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/base/mem.h"

/* Room for one descriptor beside a message. */
union passing {
	char room[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static void
link_attach(struct msghdr *hdr, union passing *passing, int passed)
{
	struct cmsghdr *cmsg;

	memset(passing, 0, sizeof *passing);
	hdr->msg_control = passing->room;
	hdr->msg_controllen = sizeof passing->room;
	cmsg = CMSG_FIRSTHDR(hdr);
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof passed);
	memcpy(CMSG_DATA(cmsg), &passed, sizeof passed);
}

int
link_send_fd(int fd, const struct link_msg *msg, const char *text, int passed,
    struct err *err)
{
	struct link_msg out = *msg;
	union passing passing;
	struct iovec iov[2] = {{.iov_base = &out, .iov_len = sizeof out}};
	struct msghdr hdr = {.msg_iov = iov, .msg_iovlen = 1};
	size_t len = text ? strlen(text) : 0;
	ssize_t n;

	if (len > LINK_TEXT_MAX)
		return err_set(
		    err, ERR_INTERNAL, "worker link: text of %zu bytes", len);
	out.version = LINK_VERSION;
	out.text_len = (uint32_t)len;
	if (len > 0) {
		iov[1] =
		    (struct iovec){.iov_base = (void *)(uintptr_t)text, .iov_len = len};
		hdr.msg_iovlen = 2;
	}
	if (passed >= 0)
		link_attach(&hdr, &passing, passed);
	do {
		n = sendmsg(fd, &hdr, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_sys(err, errno, "worker link");
	return 0;
}

int
link_send(int fd, const struct link_msg *msg, const char *text, struct err *err)
{
	return link_send_fd(fd, msg, text, -1, err);
}

static int
link_passed(struct msghdr *hdr)
{
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(hdr);
	int passed = -1;

	if (cmsg && cmsg->cmsg_level == SOL_SOCKET && cmsg->cmsg_type == SCM_RIGHTS &&
	    cmsg->cmsg_len == CMSG_LEN(sizeof passed))
		memcpy(&passed, CMSG_DATA(cmsg), sizeof passed);
	return passed;
}

static int
link_check(const struct link_msg *msg, size_t text_len, struct err *err)
{
	if (msg->version != LINK_VERSION)
		return err_set(err, ERR_PROTOCOL,
		    "worker link: version %u, this build speaks %u", msg->version,
		    LINK_VERSION);
	if (msg->kind >= LINK_KIND_COUNT || msg->text_len != text_len)
		return err_set(err, ERR_PROTOCOL, "worker link: malformed message");
	return 1;
}

static int
link_take(int fd, bool nonblock, struct link_msg *ret, char **ret_text, int *ret_passed,
    struct err *err)
{
	char *text = mem_alloc(LINK_TEXT_MAX + 1);
	union passing passing;
	struct iovec iov[2] = {{.iov_base = ret, .iov_len = sizeof *ret},
	    {.iov_base = text, .iov_len = LINK_TEXT_MAX}};
	struct msghdr hdr = {.msg_iov = iov,
	    .msg_iovlen = 2,
	    .msg_control = passing.room,
	    .msg_controllen = sizeof passing.room};
	int saved, rc;
	ssize_t n;

	*ret_text = NULL;
	do {
		n = recvmsg(
		    fd, &hdr, MSG_CMSG_CLOEXEC | (nonblock ? MSG_DONTWAIT : 0));
	} while (n < 0 && errno == EINTR);
	if (n < 0) {
		saved = errno;
		err_sys(err, saved, "worker link");
		free(text);
		errno = saved; /* the caller tells EAGAIN by it */
		return -1;
	}
	*ret_passed = link_passed(&hdr);
	if (n == 0 || (size_t)n < sizeof *ret || (hdr.msg_flags & MSG_TRUNC)) {
		free(text);
		errno = EBADMSG;
		return n == 0 ? 0
			      : err_set(err, ERR_PROTOCOL,
				    "worker link: malformed message");
	}
	rc = link_check(ret, (size_t)n - sizeof *ret, err);
	if (rc < 0 || ret->text_len == 0) {
		free(text);
		errno = EBADMSG;
		return rc;
	}
	*ret_text = mem_copy(text, (size_t)ret->text_len + 1);
	free(text);
	return 1;
}

int
link_recv_fd(int fd, bool nonblock, struct link_msg *ret, char **ret_text,
    int *ret_passed, struct err *err)
{
	int rc;

	*ret_passed = -1;
	rc = link_take(fd, nonblock, ret, ret_text, ret_passed, err);
	if (rc <= 0 && *ret_passed >= 0) {
		int saved = errno;

		close(*ret_passed);
		*ret_passed = -1;
		errno = saved;
	}
	return rc;
}

int
link_recv(int fd, bool nonblock, struct link_msg *ret, char **ret_text, struct err *err)
{
	int passed, rc = link_recv_fd(fd, nonblock, ret, ret_text, &passed, err);

	if (passed >= 0)
		close(passed);
	return rc;
}
