/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xoshiro256** 1.0 and splitmix64 by David Blackman and Sebastiano Vigna
 * (https://prng.di.unimi.it), written after their published definitions.
 */
#include "lib/base/rng.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static uint64_t
splitmix64(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline uint64_t
rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

void
rng_seed(struct rng *rng, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		rng->s[i] = splitmix64(&seed);
}

uint64_t
rng_u64(struct rng *rng)
{
	uint64_t *s = rng->s;
	uint64_t result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

/* Lemire, "Fast Random Integer Generation in an Interval", 2019, algorithm 5. */
uint64_t
rng_below(struct rng *rng, uint64_t n)
{
	unsigned __int128 m = (unsigned __int128)rng_u64(rng) * n;

	if ((uint64_t)m < n) {
		uint64_t reject = -n % n;

		while ((uint64_t)m < reject)
			m = (unsigned __int128)rng_u64(rng) * n;
	}
	return (uint64_t)(m >> 64);
}

double
rng_unit(struct rng *rng)
{
	return (double)(rng_u64(rng) >> 11) * 0x1.0p-53;
}

void
rng_fill(struct rng *rng, void *buf, size_t len)
{
	unsigned char *p = buf;

	for (; len >= sizeof(uint64_t); len -= sizeof(uint64_t)) {
		uint64_t word = rng_u64(rng);

		memcpy(p, &word, sizeof word);
		p += sizeof word;
	}
	if (len) {
		uint64_t word = rng_u64(rng);

		memcpy(p, &word, len);
	}
}

uint64_t
rng_derive(uint64_t seed, const char *label, uint64_t index)
{
	uint64_t state = seed, mixed;

	mixed = splitmix64(&state);
	state = mixed ^ hash_fnv1a(label, strlen(label));
	mixed = splitmix64(&state);
	state = mixed ^ index;
	return splitmix64(&state);
}

uint64_t
hash_fnv1a(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t
rng_entropy(void)
{
	uint64_t value;
	ssize_t got;

	/* Up to 256 bytes are never cut short once the pool is ready. */
	do
		got = getrandom(&value, sizeof value, 0);
	while (got < 0 && errno == EINTR);
	if (got != (ssize_t)sizeof value) {
		perror("getrandom");
		abort();
	}
	return value;
}
