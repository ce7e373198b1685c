/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz-dat.h - the reader of trace.dat in one process: what stands between parent and
 * child is made here, fork(2) by the linker (Makefile, wrap_dat), the ring of slots by
 * these functions in the place of lib/shmring.c. The child runs when it is forked, until
 * it has said all; then the parent takes it. Slots are blocks of their own, so that a
 * byte too far is seen.
 *
 * A target defines kma_fuzz_child() and calls kma_fuzz_dat().
 */
#ifndef KMA_FUZZ_DAT_H
#define KMA_FUZZ_DAT_H

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "lib/shmring.h"
#include "lib/texts.h"
#include "reader/reader.h"
#include "trace/trace-dat-child.h"
#include "trace/trace-dat.h"

#include "fuzz-bytes.h"

#define KMA_FUZZ_PID   0x3fffffff
#define KMA_FUZZ_SLOTS 1024

/* What the child does with the ring. */
static void kma_fuzz_child(struct kma_shmring *ring);

static int kma_fuzz_status; /* of the child when it has ended */
static unsigned int kma_fuzz_forks;

/* As many slots as it takes; nothing waits. */
struct kma_shmring {
	size_t slot_size;
	void *slots[KMA_FUZZ_SLOTS];
	size_t full, taken;
};

static struct kma_shmring kma_fuzz_ring;

struct kma_err *kma_shmring_create(size_t slot_size, unsigned int nr_slots,
				   struct kma_shmring **ret)
{
	(void)nr_slots;
	memset(&kma_fuzz_ring, 0, sizeof(kma_fuzz_ring));
	kma_fuzz_ring.slot_size = slot_size;
	*ret = &kma_fuzz_ring;
	return NULL;
}

void kma_shmring_destroy(struct kma_shmring *ring)
{
	for (size_t i = 0; ring && i < KMA_FUZZ_SLOTS; i++)
		free(ring->slots[i]);
}

void *kma_shmring_fill(struct kma_shmring *ring)
{
	if (ring->full == KMA_FUZZ_SLOTS)
		abort();
	if (!ring->slots[ring->full])
		ring->slots[ring->full] = calloc(1, ring->slot_size);
	return ring->slots[ring->full];
}

void kma_shmring_push(struct kma_shmring *ring)
{
	ring->full++;
}

void *kma_shmring_take(struct kma_shmring *ring, unsigned int wait_ms)
{
	(void)wait_ms;
	return ring->taken < ring->full ? ring->slots[ring->taken] : NULL;
}

/* The child may fill it anew while the parent still looks: it must not. */
void kma_shmring_pop(struct kma_shmring *ring)
{
	free(ring->slots[ring->taken]);
	ring->slots[ring->taken++] = NULL;
}

void kma_shmring_stop(struct kma_shmring *ring)
{
	(void)ring;
}

bool kma_shmring_stopped(const struct kma_shmring *ring)
{
	(void)ring;
	return false;
}

struct kma_err *__wrap_kma_input_path(struct kma_input *input, const char **ret);
pid_t __wrap_fork(void);
pid_t __wrap_waitpid(pid_t pid, int *status, int flags);
int __wrap_kill(pid_t pid, int signal);

struct kma_err *__wrap_kma_input_path(struct kma_input *input, const char **ret)
{
	(void)input;
	*ret = "fuzz";
	return NULL;
}

pid_t __wrap_fork(void)
{
	/* The second one makes text of what has no allocations, and says nothing: see
	 * fuzz-trace-text.c.
	 */
	if (!kma_fuzz_forks++)
		kma_fuzz_child(&kma_fuzz_ring);
	return KMA_FUZZ_PID;
}

pid_t __wrap_waitpid(pid_t pid, int *status, int flags)
{
	(void)flags;
	if (pid != KMA_FUZZ_PID)
		abort();
	*status = kma_fuzz_status;
	return pid;
}

int __wrap_kill(pid_t pid, int signal)
{
	if (pid != KMA_FUZZ_PID || (signal != SIGKILL && signal != SIGPIPE))
		abort();
	return 0;
}

/* @head follows the magic of a trace.dat: its version, and so on. */
static inline void kma_fuzz_dat(const uint8_t *head, size_t len)
{
	static const char magic[] = "\027\010\104tracing";
	struct kma_account *account = NULL;
	char text[sizeof(magic) + 256];
	struct kma_input *input;
	struct kma_err *err;

	kma_fuzz_forks = 0;
	memcpy(text, magic, sizeof(magic) - 1);
	memcpy(text + sizeof(magic) - 1, head, len);
	err = kma_input_memory("fuzz", text, sizeof(magic) - 1 + len, 0, &input);
	if (err)
		abort();
	err = kma_reader_read_as(&kma_reader_trace_dat, input, &account);
	/* One of the two, and never both. */
	if (!err == !account)
		abort();
	kma_err_destroy(err);
	kma_account_destroy(account);
	kma_text_forget();
	kma_input_close(input);
}

#endif /* KMA_FUZZ_DAT_H */
