/* SPDX-License-Identifier: Apache-2.0 */
/* Answers about data centre bridging, put together as the kernel does (net/dcb/dcbnl.c). */
#include "agent/probe/dcb.h"

#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "tests/unit/suite.h"

static uint8_t message[1024];
static size_t used;

static void
add(const void *data, size_t len)
{
	memcpy(message + used, data, len);
	used += NLA_ALIGN(len);
}

static size_t
begin(unsigned type)
{
	struct nlattr attr = {.nla_type = (uint16_t)type};
	size_t at = used;

	add(&attr, sizeof attr);
	return at;
}

static void
end(size_t at)
{
	uint16_t len = (uint16_t)(used - at);

	memcpy(message + at, &len, sizeof len);
}

static void
put(unsigned type, const void *data, size_t len)
{
	size_t at = begin(type);
	uint16_t whole = (uint16_t)(sizeof(struct nlattr) + len);

	add(data, len);
	memcpy(message + at, &whole, sizeof whole);
}

static void
head(unsigned type)
{
	struct nlmsghdr header = {.nlmsg_type = (uint16_t)type};
	struct dcbmsg dcb = {.cmd = DCB_CMD_IEEE_GET};

	memset(message, 0, sizeof message);
	used = 0;
	add(&header, sizeof header);
	add(&dcb, sizeof dcb);
	put(DCB_ATTR_IFNAME, "eth0", 5);
}

static void
rule(uint8_t selector)
{
	const struct dcb_app app = {selector, 3, 26};

	put(DCB_ATTR_IEEE_APP, &app, sizeof app);
}

START_TEST(priorities_and_rules)
{
	const struct ieee_ets ets = {.ets_cap = 8};
	const struct ieee_pfc pfc = {.pfc_cap = 8, .pfc_en = 1 << 3};
	struct dcb dcb;

	head(RTM_GETDCB);
	size_t ieee = begin(DCB_ATTR_IEEE | NLA_F_NESTED);
	put(DCB_ATTR_IEEE_ETS, &ets, sizeof ets);
	put(DCB_ATTR_IEEE_PFC, &pfc, sizeof pfc);
	size_t table = begin(DCB_ATTR_IEEE_APP_TABLE);
	rule(IEEE_8021QAZ_APP_SEL_ETHERTYPE);
	rule(IEEE_8021QAZ_APP_SEL_DSCP);
	end(table);
	end(ieee);
	ck_assert(dcb_parse(&dcb, message, used));
	ck_assert(dcb.has_pfc && dcb.by_dscp);
	ck_assert_uint_eq(dcb.pfc, 8);
	/* Cut anywhere, it is read as far as it goes and no further. */
	for (size_t len = 0; len < used; len++)
		dcb_parse(&dcb, message, len);
}
END_TEST

START_TEST(no_rules_no_pfc)
{
	struct dcb dcb;

	head(RTM_GETDCB);
	ck_assert(!dcb_parse(&dcb, message, used));
	size_t ieee = begin(DCB_ATTR_IEEE);
	size_t table = begin(DCB_ATTR_IEEE_APP_TABLE);
	rule(IEEE_8021QAZ_APP_SEL_ETHERTYPE);
	end(table);
	end(ieee);
	ck_assert(dcb_parse(&dcb, message, used));
	ck_assert(!dcb.has_pfc && !dcb.by_dscp);
	head(NLMSG_ERROR);
	ieee = begin(DCB_ATTR_IEEE);
	end(ieee);
	ck_assert(!dcb_parse(&dcb, message, used));
}
END_TEST

/* The loopback device has no such thing, on any kernel. */
START_TEST(nothing_to_say)
{
	struct dcb dcb;

	ck_assert(!dcb_ask(&dcb, "lo"));
	ck_assert(!dcb_ask(&dcb, "there-is-none"));
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("dcb", priorities_and_rules, no_rules_no_pfc, nothing_to_say);
}
