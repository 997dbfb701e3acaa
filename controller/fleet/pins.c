/* SPDX-License-Identifier: Apache-2.0 */
/* Pinned agent keys: trust on first use, or strict. */
#include "controller/fleet/pins.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

int
pins_open(struct pins *pins, const char *path, bool strict, struct err *err)
{
	*pins = (struct pins){.path = mem_strdup(path), .strict = strict};
	return keyring_read(&pins->ring, path, true, err);
}

void
pins_close(struct pins *pins)
{
	keyring_free(&pins->ring);
	free(pins->path);
	*pins = (struct pins){0};
}

static const struct key_entry *
entry_of(const struct pins *pins, const char *label)
{
	for (vec_each(const struct key_entry *, it, &pins->ring.entries))
		if (it->host && strcmp(it->host, label) == 0)
			return it;
	return NULL;
}

static int
refuse(const struct pins *pins, const char *label, const uint8_t *raw,
    const struct key_entry *known, struct err *err)
{
	char *print = key_fingerprint(raw);

	if (known)
		err_set(err, ERR_AUTH,
		    "the key of agent %s is not the one pinned in %s (it shows %s); "
		    "if that is right, remove its line there",
		    label, pins->path, print);
	else
		err_set(err, ERR_AUTH, "agent %s is not pinned in %s (it shows %s)",
		    label, pins->path, print);
	free(print);
	return -1;
}

int
pins_check(const struct pins *pins, const char *label,
    const uint8_t raw[KEY_PUBLIC_LEN], struct err *err)
{
	const struct key_entry *known = entry_of(pins, label);

	if (known ? memcmp(known->pub.raw, raw, KEY_PUBLIC_LEN) == 0 : !pins->strict)
		return 0;
	return refuse(pins, label, raw, known, err);
}

int
pins_learn(struct pins *pins, const char *label, const uint8_t raw[KEY_PUBLIC_LEN],
    struct err *err)
{
	if (pins_check(pins, label, raw, err) < 0)
		return -1;
	if (entry_of(pins, label))
		return 0;
	struct key_entry *entry = vec_add(&pins->ring.entries);
	entry->host = mem_strdup(label);
	memcpy(entry->pub.raw, raw, KEY_PUBLIC_LEN);
	entry->pub.comment = mem_strdup("");
	return keyring_append(pins->path, label, &entry->pub, err);
}
