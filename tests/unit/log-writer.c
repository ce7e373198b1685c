// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-writer.c - module/log/record.c as a program of any machine: an event log of known
 * events, and what each call site has of them.
 *
 *	log-writer LOG SUMS [EVENTS [HZ]]	20,000 events; times in ns, or of a counter
 *
 * The events are the same on each machine, of two CPUs in turn, and so are the lower 32 bits
 * of addresses. Among them are a site that is far from _stext where a word has 64 bits, times more than 4.29 s apart, events that found no room. SUMS has a line for each
 * site: the lower half of its address, allocations, frees, bytes asked for and given of what
 * lives. They are added up here, beside the log, and not taken out of it.
 */
#include "log/record.h"
#include "shim.h"

__thread int shim_preempt;

/* addresses of a kernel with so many bits */
#if __SIZEOF_LONG__ == 8
#define TEXT	0xffffffffc0100000ul
#define FAR	0xffff800080000040ul
#define MEMORY	0xffff8880c8000000ul
#else
#define TEXT	0xc0100000ul
#define FAR	0x80000040ul
#define MEMORY	0xc8000000ul
#endif
#define CPUS	2
#define SIZE	4096u	/* of a sub-buffer */
#define OBJECTS	512
#define SITES	20
#define LOSER	SITES	/* whose events are lost, but for the first ones */

struct site {
	unsigned long address;
	u64 allocs, frees, req, bytes;
};

static struct kma_stream streams[CPUS];
static char *room[CPUS];
static bool no_room;
static struct site sites[SITES + 1];
static struct { struct site *site; u32 req, bytes; } objects[OBJECTS];
static FILE *out;

/* Knuth's MMIX generator: the same bits everywhere. */
static u32 random_below(u32 n)
{
	static u64 state = 20261122;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (state >> 33) % n;
}

static void put(const void *data, size_t len)
{
	if (fwrite(data, 1, len, out) != len)
		abort();
}

/* What a recorder does with what it has read of a CPU. */
static void carry(struct kma_stream *s)
{
	struct kma_log_chunk chunk = { .magic = KMA_LOG_CHUNK_MAGIC, .cpu = s->cpu };

	if (!s->at)
		return;
	chunk.len = s->at - room[s->cpu];
	put(&chunk, sizeof(chunk));
	put(room[s->cpu], chunk.len);
}

static bool refill(struct kma_stream *s, u64 now)
{
	carry(s);
	s->at = NULL;
	s->end = NULL;
	if (no_room)
		return false;
	kma_stream_begin(s, room[s->cpu], SIZE, now);
	return true;
}

/* @hz: of the counter; 0: there is none */
static void header(u64 hz)
{
	struct kma_log_header h = {
		.order = KMA_LOG_ORDER, .version = hz ? KMA_LOG_VERSION : KMA_LOG_VERSION_NS,
		.clock = hz ? KMA_LOG_CLOCK_COUNTER : KMA_LOG_CLOCK_MONO,
		.rate = hz ?: 1000000000, .mono = 77, .fixed_len = sizeof(h), .header_len = sizeof(h),
		.word_bits = 8 * sizeof(long), .page_shift = 12, .kinds = 1,
		.nr_cpus = CPUS, .nr_nodes = 1, .start = 1000, .wall = 1, .stext = TEXT,
	};

	memcpy(h.magic, KMA_LOG_MAGIC, sizeof(h.magic));
	strcpy(h.release, "made");
	strcpy(h.machine, "any");
	put(&h, sizeof(h));
}

static void event(unsigned int slot, struct kma_stream *s, u64 now)
{
	struct kma_record_event e = {
		.base = TEXT, .node = -1, .gfp = 0xcc0, .tid = 100 + s->cpu,
		.kind = KMA_LOG_KMALLOC, .ptr = MEMORY + 4096 * slot,
	};
	struct site *site = &sites[random_below(SITES)];

	if (objects[slot].site) {
		struct site *owner = objects[slot].site;

		e.site = site->address;
		kma_record_free(s, &e, now);
		owner->frees++;
		owner->req -= objects[slot].req;
		owner->bytes -= objects[slot].bytes;
		objects[slot].site = NULL;
		return;
	}
	e.site = site->address;
	e.req = 1 + random_below(4000);
	e.bytes = (e.req + 63) & ~63u;
	kma_record_alloc(s, &e, now);
	objects[slot].site = site;
	objects[slot].req = e.req;
	objects[slot].bytes = e.bytes;
	site->allocs++;
	site->req += e.req;
	site->bytes += e.bytes;
}

/* Until the buffer is full, and 100 of which nobody hears. */
static void lose(struct kma_stream *s, u64 now)
{
	struct kma_record_event e = {
		.base = TEXT, .node = -1, .kind = KMA_LOG_KMALLOC, .site = sites[LOSER].address,
		.ptr = MEMORY + 0x8000000, .req = 8, .bytes = 8,
	};
	u64 told = 0;

	no_room = true;
	for (; s->lost < 100; told++) {
		kma_record_alloc(s, &e, now);
		e.ptr += 8;
	}
	no_room = false;
	sites[LOSER].allocs = told - s->lost;
	sites[LOSER].req = sites[LOSER].bytes = 8 * (told - s->lost);
}

int main(int argc, char *argv[])
{
	unsigned int events = argc > 3 ? atoi(argv[3]) : 20000;
	u64 now = 1000;
	unsigned int i;

	if (argc < 3)
		return 2;
	out = fopen(argv[1], "wb");
	if (!out)
		return 2;
	for (i = 0; i <= LOSER; i++)
		sites[i].address = i == 3 ? FAR : TEXT + 0x100 + 0x40 * i;
	for (i = 0; i < CPUS; i++) {
		room[i] = aligned_alloc(8, SIZE);
		streams[i] = (struct kma_stream){ .cpu = i, .refill = refill };
	}
	header(argc > 4 ? strtoull(argv[4], NULL, 10) : 0);
	for (i = 0; i < events; i++) {
		/* in this order, whatever the compiler's order of arguments is */
		unsigned int slot = random_below(OBJECTS), cpu = random_below(CPUS);

		now += i % 5000 == 4999 ? 5000000000ull : 1 + random_below(900);
		if (i == events / 2)
			lose(&streams[1], now);
		event(slot, &streams[cpu], now);
	}
	for (i = 0; i < CPUS; i++)
		carry(&streams[i]);
	if (fclose(out))
		return 2;
	out = fopen(argv[2], "w");
	if (!out)
		return 2;
	for (i = 0; i <= LOSER; i++)
		fprintf(out, "%08lx %llu %llu %llu %llu\n", sites[i].address & 0xffffffff,
			sites[i].allocs, sites[i].frees, sites[i].req, sites[i].bytes);
	return fclose(out) ? 2 : 0;
}
