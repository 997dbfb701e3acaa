/* SPDX-License-Identifier: Apache-2.0 */
/* Commands and what came of them. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/wire/conv-impl.h"
#include "proto/control.pb-c.h"

void
shell_command_free(struct shell_command *command)
{
	free(command->name);
	free(command->text);
	*command = (struct shell_command){0};
}

void
shell_answer_free(struct shell_answer *answer)
{
	free(answer->problem);
	free(answer->output);
	*answer = (struct shell_answer){0};
}

struct payload
pack_shell_command(const struct shell_command *command)
{
	Volley__Command msg = VOLLEY__COMMAND__INIT;

	msg.name = command->name;
	msg.text = command->text;
	msg.timeout_ns = command->timeout_ns;
	return conv_pack(&msg.base);
}

int
unpack_shell_command(
    struct shell_command *ret, const uint8_t *data, size_t len, struct err *err)
{
	Volley__Command *msg =
	    conv_unpack(&volley__command__descriptor, data, len, "a command", err);
	int result = -1;

	*ret = (struct shell_command){0};
	if (!msg)
		return -1;
	if (!*msg->text || strlen(msg->text) > COMMAND_TEXT_MAX)
		err_set(err, ERR_PROTOCOL, "a command of %zu bytes", strlen(msg->text));
	else if (!msg->timeout_ns || msg->timeout_ns > COMMAND_TIMEOUT_MAX_NS)
		err_set(
		    err, ERR_PROTOCOL, "a command without a time limit, or a long one");
	else
		result = 0;
	if (result == 0)
		*ret = (struct shell_command){
		    conv_text(msg->name), mem_strdup(msg->text), msg->timeout_ns};
	proto_free(msg);
	return result;
}

struct payload
pack_shell_answer(const struct shell_answer *answer)
{
	Volley__CommandAnswer msg = VOLLEY__COMMAND_ANSWER__INIT;

	msg.problem = answer->problem;
	msg.output = answer->output;
	return conv_pack(&msg.base);
}

int
unpack_shell_answer(
    struct shell_answer *ret, const uint8_t *data, size_t len, struct err *err)
{
	Volley__CommandAnswer *msg = conv_unpack(
	    &volley__command_answer__descriptor, data, len, "a command's end", err);

	*ret = (struct shell_answer){0};
	if (!msg)
		return -1;
	*ret = (struct shell_answer){conv_text(msg->problem), mem_strdup(msg->output)};
	proto_free(msg);
	return 0;
}
