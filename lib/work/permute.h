/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A permutation of 0 … n-1 in constant memory: a Feistel network over the smallest
 * power of two that covers n; numbers outside are walked on until one falls inside
 * (Black and Rogaway, 2002), which takes less than two steps on average.
 */
#ifndef VOLLEY_WORK_PERMUTE_H
#define VOLLEY_WORK_PERMUTE_H

#include <stdint.h>

#include "lib/base/rng.h"

#define PERMUTE_ROUNDS 6

struct permute {
	uint64_t n;
	uint32_t key[PERMUTE_ROUNDS];
	unsigned left_bits, right_bits;
};

/* Another order of the same numbers. */
static inline void
permute_shuffle(struct permute *permute, struct rng *rng)
{
	for (int i = 0; i < PERMUTE_ROUNDS; i += 2) {
		uint64_t r = rng_u64(rng);

		permute->key[i] = (uint32_t)r;
		permute->key[i + 1] = (uint32_t)(r >> 32);
	}
}

/* Still in no order: permute_shuffle comes next. */
static inline void
permute_init(struct permute *permute, uint64_t n)
{
	unsigned bits = 0;

	while (bits < 64 && n > 1 && (n - 1) >> bits)
		bits++;
	permute->n = n;
	permute->left_bits = bits / 2;
	permute->right_bits = bits - permute->left_bits;
}

static inline uint64_t
permute_round(uint64_t half, uint32_t key, unsigned bits)
{
	uint64_t x = (half ^ key) * UINT64_C(0x9e3779b97f4a7c15);

	x ^= x >> 29;
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	return bits ? x >> (64 - bits) : 0;
}

static inline uint64_t
permute_at(const struct permute *permute, uint64_t i)
{
	unsigned lb = permute->left_bits, rb = permute->right_bits;

	do {
		uint64_t l = rb < 64 ? i >> rb : 0;
		uint64_t r = i & ((UINT64_C(1) << rb) - 1);

		for (int k = 0; k < PERMUTE_ROUNDS; k += 2) {
			l ^= permute_round(r, permute->key[k], lb);
			r ^= permute_round(l, permute->key[k + 1], rb);
		}
		i = l << rb | r;
	} while (i >= permute->n);
	return i;
}

#endif
