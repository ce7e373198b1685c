// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parent that reads a trace.dat, with a child that says anything: libtracecmd may
 * have written all over it. Nothing of it is to be believed.
 *
 * Bytes: how the child ended, the rest of the file's head behind a length, then slots:
 * a length of text and of events, fields, events of eight bytes, text.
 */
#include <signal.h>

#include "lib/cleanup.h"

#include "fuzz-dat.h"

#define KMA_FUZZ_HEAD_MAX 200

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __wrap_kma_dat_child(const char *path, struct kma_shmring *ring, bool tasks, uint64_t page);

static struct kma_fuzz_bytes kma_fuzz_rest;

/* Never called: the child is kma_fuzz_child(). */
void __wrap_kma_dat_child(const char *path, struct kma_shmring *ring, bool tasks, uint64_t page)
{
	(void)path;
	(void)ring;
	abort();
}

/* Where objects are: few places, so that frees find some; and the ends of all numbers. */
static const uint64_t kma_fuzz_places[] = {
	0,
	0x10,
	0x1000,
	0xffff888000000000,
	0xffff888000001000,
	0x1000000000000000,
	0x1000000000400000,
	0x8000000000000000,
	0xc000000000000000,
	0xffffffffffc00000,
	UINT64_MAX,
};

/* Sizes of all magnitudes. */
static uint64_t kma_fuzz_size(struct kma_fuzz_bytes *bytes)
{
	uint8_t byte = kma_fuzz_byte(bytes);

	return (1ULL << (byte & 63)) + (byte >> 6) - 1;
}

static void kma_fuzz_event(struct kma_fuzz_bytes *bytes, struct kma_event *event)
{
	uint8_t place = kma_fuzz_byte(bytes), kind;
	size_t nr = ARRAY_SIZE(kma_fuzz_places);

	event->ptr = kma_fuzz_places[(place & 15) % nr] +
		     ((uint64_t)kma_fuzz_byte(bytes) << (place >> 4) * 2);
	event->alloc = kma_fuzz_size(bytes);
	event->req = kma_fuzz_size(bytes);
	event->site = (int8_t)kma_fuzz_byte(bytes);
	event->cpu = (int8_t)kma_fuzz_byte(bytes);
	kind = kma_fuzz_byte(bytes);
	event->kind = kind & 7;
	event->is_free = kind >> 7;
}

static void kma_fuzz_slot(struct kma_fuzz_bytes *bytes, struct kma_dat_slot *slot, unsigned int nr)
{
	uint8_t text = kma_fuzz_byte(bytes), events = kma_fuzz_byte(bytes);
	uint8_t odd = kma_fuzz_byte(bytes);

	slot->seq = nr + (odd & 1);
	slot->what = odd & 2 ? kma_fuzz_byte(bytes) : KMA_DAT_BOOK;
	slot->nr = odd & 4 ? (uint32_t)kma_fuzz_u16(bytes) << (odd & 16) : events;
	slot->sites = kma_fuzz_byte(bytes);
	slot->len = odd & 8 ? (uint32_t)kma_fuzz_u16(bytes) << (odd & 16) : text;
	if (odd & 32)
		kma_fuzz_take(bytes, &slot->sums, sizeof(slot->sums));
	for (unsigned int i = 0; i < events; i++)
		kma_fuzz_event(bytes, &slot->events[i]);
	kma_fuzz_take(bytes, slot->text + (odd & 64 ? KMA_DAT_TEXT - text : 0), text);
}

static void kma_fuzz_child(struct kma_shmring *ring)
{
	for (unsigned int nr = 0; kma_fuzz_rest.left && nr < KMA_FUZZ_SLOTS; nr++) {
		kma_fuzz_slot(&kma_fuzz_rest, kma_shmring_fill(ring), nr);
		kma_shmring_push(ring);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t head[256], len;

	kma_fuzz_rest = (struct kma_fuzz_bytes){ data, size };
	kma_fuzz_status = kma_fuzz_byte(&kma_fuzz_rest);
	len = kma_fuzz_byte(&kma_fuzz_rest);
	/* Mostly the head of a version 6, so that there is something to read. */
	if (len > KMA_FUZZ_HEAD_MAX) {
		memcpy(head, "6\0\0\10\0\20\0\0", 8);
		len = 8;
	} else {
		kma_fuzz_take(&kma_fuzz_rest, head, len);
	}
	kma_fuzz_dat(head, len);
	return 0;
}
