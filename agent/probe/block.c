/* SPDX-License-Identifier: Apache-2.0 */
/* Block devices and their queues (Documentation/ABI/stable/sysfs-block). */
#include <stdlib.h>
#include <string.h>

#include "agent/probe/parts.h"
#include "agent/probe/tree.h"
#include "lib/base/mem.h"

#define QUEUE "/sys/block/%s/queue/"
#define SECTOR 512

/* "none [mq-deadline] bfq" → "mq-deadline" */
static char *
chosen(char *words)
{
	char *from = words ? strchr(words, '[') : NULL;
	char *to = from ? strchr(from, ']') : NULL;
	char *ret = to ? mem_strndup(from + 1, (size_t)(to - from - 1)) : NULL;

	if (!ret && words)
		ret = mem_strdup(words);
	free(words);
	return ret;
}

static void
add_device(const char *root, struct facts *facts, const char *name, int64_t sectors)
{
	static const char *const numbers[] = {"nr_requests", "logical_block_size",
	    "max_sectors_kb", "read_ahead_kb", "rotational"};
	struct facts_thing *thing = facts_add(facts, "block", name);

	facts_set_number(thing, "size_bytes", sectors * SECTOR);
	facts_set_text(
	    thing, "model", tree_line(root, "/sys/block/%s/device/model", name));
	facts_set_text(
	    thing, "scheduler", chosen(tree_line(root, QUEUE "scheduler", name)));
	facts_set_text(
	    thing, "write_cache", tree_line(root, QUEUE "write_cache", name));
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		facts_set_number(
		    thing, numbers[i], tree_number(root, QUEUE "%s", name, numbers[i]));
}

/* Loop devices and the like exist with no size until they are used. */
void
probe_block(const char *root, struct facts *facts)
{
	struct tree_names names;

	tree_list(root, "/sys/block", &names);
	for (vec_each(char **, name, &names.names)) {
		int64_t sectors = tree_number(root, "/sys/block/%s/size", *name);

		if (sectors > 0 && facts->things.n < FACTS_THINGS_MAX)
			add_device(root, facts, *name, sectors);
	}
	tree_names_free(&names);
}
