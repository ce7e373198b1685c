// SPDX-License-Identifier: GPL-2.0-only
/*
 * shmring.c - a ring of slots in shared memory, from a child process to its parent.
 */
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "alloc.h"
#include "shmring.h"

/* The memory that both processes share. The slots begin at a cache line of their own. */
struct kma_shmring_shared {
	sem_t full, empty;
	atomic_bool stop;
	char slots[] __attribute__((aligned(64)));
};

/* The memory of which each process has a copy. */
struct kma_shmring {
	struct kma_shmring_shared *shared;
	size_t slot_size, map_size; /* bytes of a slot, and of the shared memory */
	unsigned int nr_slots;
	unsigned int next; /* number of the next slot that this process fills or reads */
	bool filling;	   /* child: the slot at @next is known to be empty */
};

struct kma_err *kma_shmring_create(size_t slot_size, unsigned int nr_slots,
				   struct kma_shmring **ret)
{
	struct kma_shmring *ring = kma_xcalloc(1, sizeof(*ring));

	ring->slot_size = (slot_size + 63) / 64 * 64;
	ring->nr_slots = nr_slots;
	ring->map_size = sizeof(*ring->shared) + ring->slot_size * nr_slots;
	ring->shared = mmap(NULL, ring->map_size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ring->shared == MAP_FAILED)
		kma_atend_no_memory();
	if (sem_init(&ring->shared->full, 1, 0) || sem_init(&ring->shared->empty, 1, nr_slots)) {
		ring->shared = NULL;
		kma_shmring_destroy(ring);
		return kma_err_create(NULL, 0,
				      "this system has no semaphores that processes can share");
	}
	*ret = ring;
	return NULL;
}

void kma_shmring_destroy(struct kma_shmring *ring)
{
	if (!ring)
		return;
	if (ring->shared) {
		sem_destroy(&ring->shared->full);
		sem_destroy(&ring->shared->empty);
		munmap(ring->shared, ring->map_size);
	}
	free(ring);
}

static void *shmring_slot(struct kma_shmring *ring)
{
	return ring->shared->slots + ring->slot_size * (ring->next % ring->nr_slots);
}

void *kma_shmring_fill(struct kma_shmring *ring)
{
	/* Pairs with sem_post() in kma_shmring_pop(): the parent has read the slot. */
	while (!ring->filling && sem_wait(&ring->shared->empty) && errno == EINTR)
		;
	ring->filling = true;
	return shmring_slot(ring);
}

void kma_shmring_push(struct kma_shmring *ring)
{
	ring->filling = false;
	ring->next++;
	/* Pairs with sem_timedwait() in kma_shmring_take(): the parent sees the contents. */
	sem_post(&ring->shared->full);
}

void *kma_shmring_take(struct kma_shmring *ring, unsigned int wait_ms)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += wait_ms % 1000 * 1000000L;
	until.tv_sec += wait_ms / 1000 + until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	if (sem_timedwait(&ring->shared->full, &until))
		return NULL;
	return shmring_slot(ring);
}

void kma_shmring_pop(struct kma_shmring *ring)
{
	ring->next++;
	sem_post(&ring->shared->empty);
}

void kma_shmring_stop(struct kma_shmring *ring)
{
	/* Relaxed, because no other data depend on it: the child sees it some time later. */
	atomic_store_explicit(&ring->shared->stop, true, memory_order_relaxed);
}

bool kma_shmring_stopped(const struct kma_shmring *ring)
{
	return atomic_load_explicit(&ring->shared->stop, memory_order_relaxed);
}
