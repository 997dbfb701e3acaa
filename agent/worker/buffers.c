/* SPDX-License-Identifier: Apache-2.0 */
/*
 * I/O buffers.
 */
#include "agent/worker/buffers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "lib/base/mem.h"

#define BUFFERS_PAGE 4096u
#define BUFFERS_HUGE (2u << 20) /* where the system does not say */
#define BUFFERS_ALIGN_MAX (1u << 30)
static bool
buffers_are_huge(enum job_mem kind)
{
	return kind == JOB_MMAPHUGE || kind == JOB_SHMHUGE;
}

/* Bytes of a huge page as the system has them by default. */
static size_t
buffers_huge_page(void)
{
	unsigned long kib = 0;
	char line[256];
	FILE *f = fopen("/proc/meminfo", "r");

	while (f && kib == 0 && fgets(line, sizeof line, f))
		(void)sscanf(line, "Hugepagesize: %lu kB", &kib);
	if (f)
		fclose(f);
	return kib ? kib * 1024 : BUFFERS_HUGE;
}

/* System V memory is gone with its last user. */
static void *
buffers_attach(size_t len, bool huge)
{
	int id = shmget(IPC_PRIVATE, len, IPC_CREAT | 0600 | (huge ? SHM_HUGETLB : 0));
	void *base;

	if (id < 0)
		return MAP_FAILED;
	base = shmat(id, NULL, 0);
	(void)shmctl(id, IPC_RMID, NULL);
	return base;
}

static int
buffers_take(struct buffers *buffers, size_t len, enum job_mem kind, struct err *err)
{
	bool huge = buffers_are_huge(kind);
	size_t page = huge ? buffers_huge_page() : BUFFERS_PAGE;
	int flags = kind == JOB_MMAPSHARED ? MAP_SHARED : MAP_PRIVATE;

	buffers->mapped_len = (len + page - 1) / page * page;
	buffers->attached = kind == JOB_SHM || kind == JOB_SHMHUGE;
	if (buffers->attached)
		buffers->mapped = buffers_attach(buffers->mapped_len, huge);
	else
		buffers->mapped =
		    mmap(NULL, buffers->mapped_len, PROT_READ | PROT_WRITE,
			flags | MAP_ANONYMOUS | (huge ? MAP_HUGETLB : 0), -1, 0);
	if (buffers->mapped != MAP_FAILED)
		return 0;
	buffers->mapped = NULL;
	if (huge && (errno == ENOMEM || errno == EINVAL))
		return err_sys(err, errno,
		    "buffers: %zu bytes of huge pages (are there any? "
		    "/proc/sys/vm/nr_hugepages)",
		    buffers->mapped_len);
	return err_sys(err, errno, "buffers: %zu bytes", buffers->mapped_len);
}

int
buffers_map_as(struct buffers *buffers, unsigned n, size_t size, enum job_mem kind,
    size_t align, struct err *err)
{
	size_t stride = (size + BUFFERS_PAGE - 1) / BUFFERS_PAGE * BUFFERS_PAGE;
	uintptr_t at;

	if (stride == 0 || align > BUFFERS_ALIGN_MAX ||
	    n > (SIZE_MAX - 2 * BUFFERS_ALIGN_MAX) / stride)
		return err_set(err, ERR_USAGE, "buffers: %u of %zu bytes", n, size);
	*buffers = (struct buffers){.len = n * stride, .stride = stride};
	if (buffers_take(buffers, buffers->len + align, kind, err) < 0)
		return -1;
	at = (uintptr_t)buffers->mapped;
	if (align < BUFFERS_PAGE)
		at += align;
	else
		at += (align - at % align) % align;
	buffers->base = (void *)at;
	return 0;
}

int
buffers_map(struct buffers *buffers, unsigned n, size_t size, struct err *err)
{
	return buffers_map_as(buffers, n, size, JOB_MALLOC, 0, err);
}

void *
buffers_at(const struct buffers *buffers, unsigned i)
{
	return (char *)buffers->base + i * buffers->stride;
}

void
buffers_unmap(struct buffers *buffers)
{
	if (buffers->attached && buffers->mapped)
		shmdt(buffers->mapped);
	else if (buffers->mapped)
		munmap(buffers->mapped, buffers->mapped_len);
	*buffers = (struct buffers){0};
}
