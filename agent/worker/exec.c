/* SPDX-License-Identifier: Apache-2.0 */
/* A command, its end and its output as JSON. */
#include "agent/worker/exec.h"

#include <jansson.h>
#include <stdint.h>

#include "agent/worker/hook.h"
#include "lib/base/str.h"
#include "lib/base/units.h"
#include "lib/wire/command.h"

/* Bytes that are no UTF-8, and those that draw on a terminal, become '?'. */
static void
clean(char *text)
{
	for (unsigned char *p = (unsigned char *)text; *p;) {
		size_t len = str_utf8_len(p);
		if (len == 0 || (*p < ' ' && *p != '\n' && *p != '\t') || *p == 0x7f)
			*p = '?';
		p += len ? len : 1;
	}
}

int
exec_main(FILE *out, int argc, char *const *argv, struct err *err)
{
	struct err why = ERR_INIT;
	struct str output = {0};
	uint64_t limit_ns;

	if (argc != 3)
		return err_set(err, ERR_USAGE, "exec: LIMIT_NS NAME COMMAND");
	if (units_parse_u64(argv[0], 1, COMMAND_TIMEOUT_MAX_NS, &limit_ns, err) < 0)
		return err_prefix(err, "exec");
	json_t *object = json_object();
	int rc = hook_run_output(
	    argv[1], argv[2], NULL, limit_ns, &output, COMMAND_OUTPUT_MAX, &why);
	if (output.len) {
		clean(output.s);
		json_object_set_new(object, "output", json_string(output.s));
	}
	if (rc < 0) {
		clean(why.msg);
		json_object_set_new(object, "problem", json_string(why.msg));
	}
	json_dumpf(object, out, 0);
	fputc('\n', out);
	json_decref(object);
	str_free(&output);
	return 0;
}
