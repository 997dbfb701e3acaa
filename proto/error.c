/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors on the wire: the code as its stable word, and one line of text, which
 * err_set keeps free of control characters whatever the peer sent.
 */
#include "proto/error.h"

void
proto_error_set(Volley__Error *ret, const struct err *err)
{
	volley__error__init(ret);
	ret->code = (char *)err_code_name(err->code);
	ret->message = (char *)err->msg;
	ret->has_errnum = err->errnum != 0;
	ret->errnum = err->errnum;
}

void
proto_error_get(struct err *ret, const Volley__Error *msg)
{
	enum err_code code = err_code_parse(msg->code);

	/* A newer peer may have reasons that this build has no word for. */
	if (code == ERR_NONE || code == ERR_CODE_COUNT)
		code = ERR_PROTOCOL;
	err_set(ret, code, "%s", msg->message);
	ret->errnum = msg->has_errnum && msg->errnum > 0 ? msg->errnum : 0;
}
