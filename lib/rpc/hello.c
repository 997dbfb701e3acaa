/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HELLO and ERROR payloads.  What a peer says about itself ends on terminals, so
 * control characters are refused in HELLO (and replaced in ERROR, by err_set).
 */
#include "lib/rpc/hello.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/rpc/chan.h"
#include "proto/error.h"
#include "proto/hello.pb-c.h"
#include "proto/unpack.h"

#define HELLO_TEXT_MAX 255u

static bool
text_is_plain(const char *text)
{
	return strlen(text) <= HELLO_TEXT_MAX && str_is_text(text);
}

void
hello_free(struct hello *hello)
{
	free(hello->product);
	free(hello->name);
	*hello = (struct hello){0};
}

uint8_t *
hello_pack(const struct hello *hello, size_t *ret_len)
{
	Volley__Hello msg = VOLLEY__HELLO__INIT;
	uint8_t *payload;

	msg.product = hello->product;
	msg.protocol_min = hello->protocol_min;
	msg.protocol_max = hello->protocol_max;
	msg.name = hello->name;
	msg.boot = hello->boot;
	payload = mem_alloc(volley__hello__get_packed_size(&msg));
	*ret_len = volley__hello__pack(&msg, payload);
	return payload;
}

int
hello_unpack(struct hello *ret, const uint8_t *data, size_t len, struct err *err)
{
	Volley__Hello *msg = proto_unpack(&volley__hello__descriptor, data, len, NULL);
	int result = -1;

	*ret = (struct hello){0};
	if (!msg)
		return err_set(err, ERR_PROTOCOL, "a HELLO that cannot be read");
	if (!text_is_plain(msg->product) || (msg->name && !text_is_plain(msg->name))) {
		err_set(
		    err, ERR_PROTOCOL, "a HELLO with a name that is not plain text");
	} else if (msg->protocol_min > msg->protocol_max) {
		err_set(err, ERR_PROTOCOL, "a HELLO with protocol %u to %u",
		    msg->protocol_min, msg->protocol_max);
	} else {
		ret->product = mem_strdup(msg->product);
		ret->name = mem_strdup(msg->name ? msg->name : "");
		ret->protocol_min = msg->protocol_min;
		ret->protocol_max = msg->protocol_max;
		ret->boot = msg->boot;
		result = 0;
	}
	proto_free(msg);
	return result;
}

static char *
hello_describe(const struct hello *hello)
{
	if (hello->protocol_min == hello->protocol_max)
		return mem_printf(
		    "%s speaks protocol %u", hello->product, hello->protocol_min);
	return mem_printf("%s speaks protocol %u to %u", hello->product,
	    hello->protocol_min, hello->protocol_max);
}

int
hello_agree(
    const struct hello *one, const struct hello *other, uint32_t *ret, struct err *err)
{
	uint32_t low = one->protocol_min, high = one->protocol_max;
	char *first, *second;

	if (other->protocol_min > low)
		low = other->protocol_min;
	if (other->protocol_max < high)
		high = other->protocol_max;
	*ret = high;
	if (low <= high)
		return 0;
	first = hello_describe(one);
	second = hello_describe(other);
	err_set(err, ERR_PROTOCOL, "%s, %s: update the older one", first, second);
	free(first);
	free(second);
	return -1;
}

uint8_t *
error_pack(const struct err *err, size_t *ret_len)
{
	Volley__Error msg;
	uint8_t *payload;

	proto_error_set(&msg, err);
	payload = mem_alloc(volley__error__get_packed_size(&msg));
	*ret_len = volley__error__pack(&msg, payload);
	return payload;
}

void
chan_error_decode(const uint8_t *payload, size_t len, struct err *ret)
{
	Volley__Error *msg =
	    proto_unpack(&volley__error__descriptor, payload, len, NULL);

	*ret = ERR_INIT;
	if (msg)
		proto_error_get(ret, msg);
	else
		err_set(ret, ERR_PROTOCOL, "an error that cannot be read");
	proto_free(msg);
}
