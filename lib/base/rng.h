/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers that can be repeated: xoshiro256** (Blackman and Vigna, 2018),
 * seeded through splitmix64.  Seeds are derived from a parent and a label, so
 * that every agent, job thread and purpose has a sequence of its own.
 */
#ifndef VOLLEY_BASE_RNG_H
#define VOLLEY_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t s[4];
};

void rng_seed(struct rng *rng, uint64_t seed);
uint64_t rng_u64(struct rng *rng);
/* Uniform in [0, n), n > 0, without modulo bias (Lemire's multiplication). */
uint64_t rng_below(struct rng *rng, uint64_t n);
double rng_unit(struct rng *rng); /* [0, 1) */
void rng_fill(struct rng *rng, void *buf, size_t len);

/* Child seed from a parent seed, a label and an index. */
uint64_t rng_derive(uint64_t seed, const char *label, uint64_t index);
/* 64-bit FNV-1a; the stable hash behind case ids. */
uint64_t hash_fnv1a(const void *data, size_t len);
/* From the kernel's entropy: the only source that is not repeatable. */
uint64_t rng_entropy(void);

#endif
