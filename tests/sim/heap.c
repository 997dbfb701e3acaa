/* SPDX-License-Identifier: Apache-2.0 */
/* A binary heap. */
#include "tests/sim/heap.h"

static bool
sooner(const struct happening *a, const struct happening *b)
{
	return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

void
heap_push(struct heap *heap, const struct happening *happening)
{
	struct happening new = *happening;
	struct happening *v;
	size_t i;

	new.seq = heap->seq++;
	(void)vec_add(&heap->list);
	v = heap->list.v;
	for (i = heap->list.n - 1; i > 0 && sooner(&new, &v[(i - 1) / 2]);
	     i = (i - 1) / 2)
		v[i] = v[(i - 1) / 2];
	v[i] = new;
}

bool
heap_pop(struct heap *heap, struct happening *ret)
{
	struct happening *v = heap->list.v;
	size_t n, i = 0, child;

	if (heap->list.n == 0)
		return false;
	*ret = v[0];
	n = --heap->list.n;
	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && sooner(&v[child + 1], &v[child]))
			child++;
		if (!sooner(&v[child], &v[n]))
			break;
		v[i] = v[child];
		i = child;
	}
	v[i] = v[n];
	return true;
}
