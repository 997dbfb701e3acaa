/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rig: one engine of some variety over temporary files of known content, with
 * I/Os and a pool to play with.  Everything a rig checks itself ends the test.
 */
#ifndef VOLLEY_TEST_RIG_H
#define VOLLEY_TEST_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/engine/engine.h"
#include "agent/target/target.h"

#define RIG_BLOCK 4096u
#define RIG_FAR UINT64_C(60000000000) /* a limit that no test may reach */

enum rig_wrap { RIG_BARE, RIG_CHECKED, RIG_FAULTY, RIG_WRAPS };

#define RIG_KEY "sixteen-or-more-of-these"

/* What a network engine talks to: a target in this process. */
struct rig_peer {
	struct target *target; /* NULL: none */
	struct target_export export;
	const char *host;
};

struct rig {
	const struct engine_ops *ops; /* the engine's own */
	struct job job;
	struct engine_env env;
	struct engine *engine;
	struct io_file *files;
	uint64_t file_size;
	struct io *ios;	 /* env.iodepth of them, prepared by rig_io */
	struct io **got; /* room for as many */
	char *pool;	 /* iodepth * bytes_max, aligned */
	uint32_t bytes_max;
	bool direct;
	struct rig_peer peer;
};

/*
 * Opens `name`, files included; each block of them holds rig_word()s.  The job in
 * `rig` may be filled before (faults, say); depth is 1 for synchronous engines.
 * O_DIRECT when the file system allows.
 */
void rig_open(struct rig *rig, const char *name, enum rig_wrap wrap, unsigned depth,
	      unsigned nfiles, uint64_t file_size, uint32_t bytes_max);
void rig_close(struct rig *rig);
/* Closes the engine with its files open and whatever is in flight. */
void rig_drop(struct rig *rig);

/* Exports the file, or memory where fd is -1. */
void rig_peer_start(struct rig_peer *peer, const char *engine, int fd, uint64_t size);
void rig_peer_stop(struct rig_peer *peer);
void rig_peer_aim(const struct rig_peer *peer, struct job *job, struct engine_env *env);
bool rig_has_peer(const char *engine);

bool rig_moves(const struct rig *rig); /* bytes: not the null engine */
bool rig_calls(const struct rig *rig); /* with the descriptor, for each I/O */
bool rig_queues(const struct rig *rig); /* more than one at a time */

/* What is at `offset` (a multiple of 8) of a file as rig_open made it. */
uint64_t rig_word(unsigned file, uint64_t offset);
bool rig_holds(const void *buf, size_t len, unsigned file, uint64_t offset);

/* Sets up I/O `index` on its piece of the pool. */
struct io *rig_io(struct rig *rig, unsigned index, enum dir dir, unsigned file,
		  uint64_t offset, uint32_t bytes);
/* Submits all of them, also when they are taken in pieces; reaps nothing. */
void rig_submit(struct rig *rig, struct io *const *ios, unsigned n);
/* Reaps exactly n, each once, into rig->got. */
void rig_reap(struct rig *rig, unsigned n);
/* Both for one I/O; its result. */
int64_t rig_do(struct rig *rig, struct io *io);

int rig_call_reap(struct rig *rig, unsigned min, unsigned max, uint64_t until_ns);

#endif
