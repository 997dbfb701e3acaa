/* SPDX-License-Identifier: Apache-2.0 */
/* RTM_GETDCB with DCB_CMD_IEEE_GET, and its nested attributes. */
#include "agent/probe/dcb.h"

#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_MAX 8192
#define WAIT_MS 200

struct span {
	const uint8_t *at;
	size_t len;
};

/* The next attribute and its payload; false at the end, or when it does not fit. */
static bool
next_attr(struct span *rest, unsigned *ret_type, struct span *ret)
{
	struct nlattr attr;

	if (rest->len < sizeof attr)
		return false;
	memcpy(&attr, rest->at, sizeof attr);
	if (attr.nla_len < sizeof attr || attr.nla_len > rest->len)
		return false;
	*ret_type = attr.nla_type & NLA_TYPE_MASK;
	*ret = (struct span){rest->at + sizeof attr, attr.nla_len - sizeof attr};
	size_t whole = NLA_ALIGN(attr.nla_len);
	if (whole > rest->len)
		whole = rest->len;
	rest->at += whole;
	rest->len -= whole;
	return true;
}

static void
read_rules(struct dcb *ret, struct span rest)
{
	struct dcb_app app;
	struct span payload;
	unsigned type;

	while (next_attr(&rest, &type, &payload)) {
		if (type != DCB_ATTR_IEEE_APP || payload.len < sizeof app)
			continue;
		memcpy(&app, payload.at, sizeof app);
		ret->by_dscp =
		    ret->by_dscp || app.selector == IEEE_8021QAZ_APP_SEL_DSCP;
	}
}

static void
read_ieee(struct dcb *ret, struct span rest)
{
	struct ieee_pfc pfc;
	struct span payload;
	unsigned type;

	while (next_attr(&rest, &type, &payload)) {
		if (type == DCB_ATTR_IEEE_PFC && payload.len >= sizeof pfc) {
			memcpy(&pfc, payload.at, sizeof pfc);
			ret->has_pfc = true;
			ret->pfc = pfc.pfc_en;
		} else if (type == DCB_ATTR_IEEE_APP_TABLE) {
			read_rules(ret, payload);
		}
	}
}

bool
dcb_parse(struct dcb *ret, const void *message, size_t len)
{
	size_t head = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(struct dcbmsg));
	struct nlmsghdr header;
	struct span rest, payload;
	unsigned type;
	bool found = false;

	*ret = (struct dcb){0};
	if (len < head)
		return false;
	memcpy(&header, message, sizeof header);
	if (header.nlmsg_type != RTM_GETDCB && header.nlmsg_type != RTM_SETDCB)
		return false;
	rest = (struct span){(const uint8_t *)message + head, len - head};
	while (next_attr(&rest, &type, &payload))
		if (type == DCB_ATTR_IEEE) {
			read_ieee(ret, payload);
			found = true;
		}
	return found;
}

bool
dcb_ask(struct dcb *ret, const char *name)
{
	struct {
		struct nlmsghdr header;
		struct dcbmsg dcb;
		struct nlattr attr;
		char name[IFNAMSIZ];
	} question = {
	    .header = {.nlmsg_type = RTM_GETDCB, .nlmsg_flags = NLM_F_REQUEST},
	    .dcb = {.dcb_family = AF_UNSPEC, .cmd = DCB_CMD_IEEE_GET},
	    .attr = {.nla_type = DCB_ATTR_IFNAME}};
	struct timeval wait = {.tv_usec = WAIT_MS * 1000};
	uint8_t answer[ANSWER_MAX];
	size_t len = strnlen(name, IFNAMSIZ - 1);
	ssize_t n = -1;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	if (fd < 0)
		return false;
	memcpy(question.name, name, len);
	question.attr.nla_len = (uint16_t)(sizeof question.attr + len + 1);
	question.header.nlmsg_len = (uint32_t)(NLMSG_LENGTH(sizeof question.dcb) +
					       NLA_ALIGN(question.attr.nla_len));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
	if (send(fd, &question, question.header.nlmsg_len, 0) > 0)
		n = recv(fd, answer, sizeof answer, 0);
	close(fd);
	return n > 0 && dcb_parse(ret, answer, (size_t)n);
}
