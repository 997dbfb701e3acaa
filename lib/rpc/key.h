/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys, as in ssh: Ed25519, one line of text for the public half
 * ("volley-ed25519 BASE64 comment"), a PEM file (0600) for the private one.
 */
#ifndef VOLLEY_RPC_KEY_H
#define VOLLEY_RPC_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/vec.h"

#define KEY_PUBLIC_LEN 32u

struct key; /* a private key */

struct key_public {
	uint8_t raw[KEY_PUBLIC_LEN];
	char *comment;
};

/* Writes NAME.key (0600) and NAME.pub; neither is ever overwritten. */
int key_create(const char *name, const char *comment, struct err *err);
/* Refuses a key that group or others can read. */
int key_load(struct key **ret, const char *path, struct err *err);
/* Loads path, or creates it (an agent at first start); a public half that is left of
 * a removed key is replaced. */
int key_load_or_create(struct key **ret, const char *path, const char *comment,
		       struct err *err);
void key_free(struct key *key);
void key_public(const struct key *key, struct key_public *ret);

void key_public_free(struct key_public *pub); /* its comment */

/* "SHA256:BASE64" as ssh prints it.  Caller frees. */
char *key_fingerprint(const uint8_t raw[KEY_PUBLIC_LEN]);
char *key_public_format(const struct key_public *pub); /* the one-line text */
int key_public_parse(struct key_public *ret, const char *line, struct err *err);

/* A file of public keys, one per line, '#' comments; for known_agents each line
 * begins with the agent's address as in ssh's known_hosts. */
struct key_entry {
	char *host; /* NULL in a plain .pub file */
	struct key_public pub;
};
struct keyring {
	VEC(struct key_entry) entries;
};
/* Adds the file's keys; errors are file:line.  A file that is not there is an error
 * (errnum ENOENT), but an empty ring when `with_host`: no agent is known yet. */
int keyring_read(struct keyring *ring, const char *path, bool with_host,
		 struct err *err);
int keyring_append(const char *path, const char *host, const struct key_public *pub,
		   struct err *err);
void keyring_free(struct keyring *ring);
/* NULL when absent.  host NULL: any; raw NULL: any key. */
const struct key_entry *keyring_find(const struct keyring *ring, const char *host,
				     const uint8_t raw[KEY_PUBLIC_LEN]);

#endif
