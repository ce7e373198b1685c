// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-record.c - the records of the event log, byte by byte.
 *
 * What is expected is written down by offset, as Documentation/format/log.rst has it,
 * not through the structs that wrote it.
 */
#include "ktap.h"
#include "log/record.h"
#include "shim.h"

#define TEXT	KMA_TEXT
#define FAR	0xffff800000001000ul
#define SIZE	512u	/* of a sub-buffer */
#define BUFFERS	4

__thread int shim_preempt;

static _Alignas(8) unsigned char buffer[BUFFERS][SIZE];
static int used, allowed;
static struct kma_stream s;

static bool refill(struct kma_stream *stream, u64 now)
{
	if (used == allowed) {
		stream->at = NULL;
		stream->end = NULL;
		return false;
	}
	kma_stream_begin(stream, buffer[used++], SIZE, now);
	return true;
}

static void start(int buffers)
{
	memset(buffer, 0xee, sizeof(buffer));
	s = (struct kma_stream){ .cpu = 3, .refill = refill };
	used = 0;
	allowed = buffers;
}

static u64 bytes(const unsigned char *at, int n)
{
	u64 v = 0;

	while (n--)
		v = v << 8 | at[n];
	return v;
}

#define EXPECT_AT(at, offset, n, want) do {				\
	u64 b_ = bytes((at) + (offset), n), x_ = (want);		\
									\
	EXPECT_EQ(b_, x_);						\
} while (0)

static void alloc(u64 now, size_t req)
{
	const struct kma_record_event e = {
		.site = TEXT + 0x1234, .ptr = 0xffff888000001000, .req = req, .bytes = 64,
		.base = TEXT, .gfp = 0xcc0, .node = 1, .tid = 77, .kind = KMA_LOG_KMALLOC,
	};

	kma_record_alloc(&s, &e, now);
}

static void release(u64 now, unsigned long site, size_t size)
{
	const struct kma_record_event e = {
		.site = site, .ptr = 0xffff888000001000, .bytes = size, .base = TEXT,
		.node = -1, .tid = 78, .kind = KMA_LOG_CACHE, .quiet = true,
	};

	kma_record_free(&s, &e, now);
}

TEST(a_block_then_an_allocation_then_a_free)
{
	const unsigned char *b = buffer[0];

	start(1);
	alloc(1000, 50);
	release(1250, TEXT - 16, 0);
	/* block: type 1, 5 words, magic, time, number, lost, CPU */
	EXPECT_AT(b, 0, 8, 0x4b4d414200000501);
	EXPECT_AT(b, 8, 8, 1000);
	EXPECT_AT(b, 16, 8, 0);
	EXPECT_AT(b, 24, 8, 0);
	EXPECT_AT(b, 32, 4, 3);
	/* allocation: type 2, 5 words, kind 1 and node 1 + 1, no delta */
	EXPECT_AT(b, 40, 8, 0x0000000000810502);
	EXPECT_AT(b, 48, 8, 0xffff888000001000);
	EXPECT_AT(b, 56, 4, 0x1234);
	EXPECT_AT(b, 60, 4, 77);
	EXPECT_AT(b, 64, 4, 50);
	EXPECT_AT(b, 68, 4, 64);
	EXPECT_AT(b, 72, 4, 0xcc0);
	EXPECT_AT(b, 76, 4, 0);
	/* free: type 3, 3 words, kind 2 and quiet, 250 ns later */
	EXPECT_AT(b, 80, 8, 0x000000fa00120303);
	EXPECT_AT(b, 88, 8, 0xffff888000001000);
	EXPECT_AT(b, 96, 4, 0xfffffff0);
	EXPECT_AT(b, 100, 4, 78);
	EXPECT_AT(b, 104, 1, 0xee);
	EXPECT_EQ(s.seq, 2);
	EXPECT_EQ(s.lost, 0);
}

TEST(what_does_not_fit_is_wide)
{
	const unsigned char *b = buffer[0] + 40;

	start(1);
	alloc(1000, 1ul << 32);		/* bytes */
	release(1001, FAR, 0);		/* a site */
	release(1002, 0, 8192);		/* pages, by nobody */
	EXPECT_AT(b, 0, 8, 0x0000000000810707);
	EXPECT_AT(b, 16, 8, TEXT + 0x1234);
	EXPECT_AT(b, 24, 8, 1ul << 32);
	EXPECT_AT(b, 32, 8, 64);
	EXPECT_AT(b, 40, 4, 77);
	EXPECT_AT(b, 44, 4, 0xcc0);
	EXPECT_AT(b, 48, 8, 0);
	EXPECT_AT(b, 56, 8, 0x0000000100120508);
	EXPECT_AT(b, 72, 8, FAR);
	EXPECT_AT(b, 80, 8, 0);
	EXPECT_AT(b, 88, 4, 78);
	EXPECT_AT(b, 96, 8, 0x0000000200120508);
	EXPECT_AT(b, 112, 8, 0);
	EXPECT_AT(b, 120, 8, 8192);
}

/* Preemption and bottom halves that are off do not make an interrupt. */
TEST(an_allocation_says_whether_it_is_of_an_interrupt)
{
	static const struct {
		int count;
		bool irq;
	} contexts[] = { { 0x203, false }, { 0x101, true }, { 0x10001, true }, { 0x300, true } };
	const unsigned char *b = buffer[0] + 40;

	start(1);
	for (size_t i = 0; i < ARRAY_SIZE(contexts); i++) {
		shim_preempt = contexts[i].count;
		alloc(1000, i % 2 ? 50 : 1ul << 32);
		shim_preempt = 0;
		if (i % 2) {
			EXPECT_EQ(!!*(const uint32_t *)(b + 36), contexts[i].irq);
			b += 40;
		} else {
			EXPECT_EQ(!!*(const uint32_t *)(b + 48), contexts[i].irq);
			b += 56;
		}
	}
}

TEST(a_site_that_is_not_known_is_0_and_a_failure_has_no_object)
{
	const struct kma_record_event e = {
		.base = TEXT, .req = 8, .bytes = 8, .node = -1, .kind = KMA_LOG_PERCPU,
	};
	const unsigned char *b = buffer[0] + 40;

	start(1);
	kma_record_alloc(&s, &e, 5);
	EXPECT_AT(b, 0, 8, 0x0000000000240502);
	EXPECT_AT(b, 8, 8, 0);
	EXPECT_AT(b, 16, 4, 0);
}

TEST(a_time_that_is_far_has_a_record)
{
	const unsigned char *b = buffer[0] + 40;

	start(1);
	alloc(1000, 50);
	alloc(1000 + 0xfffffffful, 50);
	EXPECT_AT(b, 40, 8, 0xffffffff00810502);
	alloc(1000 + 0x100000000, 50);
	EXPECT_AT(b, 80, 8, 0x0000000000000205);
	EXPECT_AT(b, 88, 8, 1000 + 0x100000000);
	EXPECT_AT(b, 96, 8, 0x0000000000810502);
	/* a clock that goes back, too */
	alloc(999, 50);
	EXPECT_AT(b, 136, 8, 0x0000000000000205);
	EXPECT_AT(b, 144, 8, 999);
	EXPECT_EQ(s.seq, 6);
}

/* Of 512 bytes 40 are the block's; 11 allocations fit, and 32 bytes are left. */
#define ALLOCS	11

TEST(an_event_is_in_one_block_or_the_next)
{
	int i;

	start(2);
	for (i = 0; i <= ALLOCS; i++)
		alloc(1000 + i, 50);
	EXPECT_EQ(used, 2);
	EXPECT_AT(buffer[0], 480, 8, 0xeeeeeeeeeeeeeeee);
	EXPECT_AT(buffer[1], 8, 8, 1000 + ALLOCS);
	EXPECT_AT(buffer[1], 16, 8, ALLOCS);
	EXPECT_AT(buffer[1], 40, 8, 0x0000000000810502);
	/* a free still fits into what is left */
	start(2);
	for (i = 0; i < ALLOCS; i++)
		alloc(1000, 50);
	release(1001, TEXT, 0);
	EXPECT_EQ(used, 1);
	EXPECT_AT(buffer[0], 480, 8, 0x0000000100120303);
}

TEST(what_is_lost_is_counted_and_told)
{
	int i;

	start(1);
	for (i = 0; i < ALLOCS + 5; i++)
		alloc(1000, 50);
	EXPECT_EQ(s.lost, 5);
	EXPECT_EQ(s.reported, 0);
	EXPECT_EQ(s.seq, ALLOCS + 5);
	allowed = 2;
	alloc(2000, 50);
	/* the number of the record behind it, and how many were lost */
	EXPECT_AT(buffer[1], 16, 8, ALLOCS + 5);
	EXPECT_AT(buffer[1], 24, 8, 5);
	EXPECT_AT(buffer[1], 40, 8, 0x0000000000000204);
	EXPECT_AT(buffer[1], 48, 8, 5);
	EXPECT_AT(buffer[1], 56, 8, 0x0000000000810502);
	EXPECT_EQ(s.reported, 5);
	EXPECT_EQ(s.seq, ALLOCS + 7);
	/* a second gap counts its own */
	for (i = 0; i < ALLOCS + 3; i++)
		alloc(3000, 50);
	allowed = 3;
	alloc(4000, 50);
	EXPECT_AT(buffer[2], 24, 8, s.lost);
	EXPECT_AT(buffer[2], 48, 8, s.lost - 5);
}

TEST(the_last_bytes_of_a_block_are_used)
{
	int i;

	start(1);
	/* 40 + 18 * 24 + 40 is all of it */
	for (i = 0; i < 18; i++)
		release(1000, TEXT, 0);
	alloc(1000, 50);
	EXPECT_EQ(s.at - s.end, 0);
	EXPECT_EQ(s.lost, 0);
	release(1000, TEXT, 0);
	EXPECT_EQ(s.lost, 1);
}

/* Both ways into a stream write the same, or the short one says that it cannot. */
static void both(const struct kma_record_event *e, bool free, u64 now, bool can)
{
	unsigned char want[SIZE];
	bool done;

	start(1);
	alloc(1000, 50);
	if (free)
		kma_record_free(&s, e, now);
	else
		kma_record_alloc(&s, e, now);
	memcpy(want, buffer[0], SIZE);
	start(1);
	alloc(1000, 50);
	if (free)
		done = kma_record_free_short(&s, e, now);
	else
		done = kma_record_alloc_short(&s, e, now);
	EXPECT_EQ(done, can);
	EXPECT_EQ(!memcmp(want, buffer[0], SIZE), can);
	EXPECT_EQ(s.seq, can ? 2 : 1);
}

TEST(the_short_way_writes_what_the_other_does)
{
	const struct kma_record_event e = {
		.site = TEXT + 0x77, .ptr = 0xffff888000002000, .req = 0xfffffffe,
		.bytes = 0xffffffff, .base = TEXT, .gfp = 0xdc0, .node = 2, .tid = 79,
		.kind = KMA_LOG_LARGE,
	}, f = {
		.site = TEXT - 0x77, .ptr = 0xffff888000002000, .base = TEXT, .node = -1,
		.tid = 79, .kind = KMA_LOG_KMALLOC, .quiet = true,
	};
	struct kma_record_event x;

	both(&e, false, 1000 + 0xfffffffful, true);
	both(&f, true, 1000 + 0xfffffffful, true);
	both(&e, false, 1000 + 0x100000000, false);
	both(&f, true, 999, false);
	x = e;
	x.ptr = 0;
	both(&x, false, 1001, false);
	x = e;
	x.bytes = 1ul << 32;
	both(&x, false, 1001, false);
	x = e;
	x.req = 1ul << 32;
	both(&x, false, 1001, false);
	x = e;
	x.site = FAR;
	both(&x, false, 1001, false);
	x = f;
	x.site = FAR;
	both(&x, true, 1001, false);
}

TEST(the_short_way_takes_the_last_room_and_no_more)
{
	const struct kma_record_event f = {
		.site = TEXT, .ptr = 0xffff888000002000, .base = TEXT, .node = -1,
		.kind = KMA_LOG_KMALLOC,
	};
	int i;

	start(1);
	EXPECT(!kma_record_free_short(&s, &f, 0));
	release(1000, TEXT, 0);
	for (i = 0; i < 18; i++)
		EXPECT(kma_record_free_short(&s, &f, 1000));
	EXPECT_EQ(s.end - s.at, 16);
	EXPECT(!kma_record_free_short(&s, &f, 1000));
	EXPECT_EQ(s.end - s.at, 16);
	EXPECT_EQ(s.seq, 19);
}

TEST(a_module_has_its_name_and_an_end)
{
	static const struct kma_log_module m = {
		.base = 0xffffffffc0000000, .size = 0x3000, .build_id = { 0xab, 0xcd },
		.build_id_len = 2,
	};
	const unsigned char *b = buffer[0] + 40;
	char name[100];

	start(1);
	/* eight characters need another word for the 0 */
	kma_record_module(&s, &m, "eight_ch", KMA_LOG_GONE, 1000);
	EXPECT_AT(b, 0, 8, 0x0000000000010806);
	EXPECT_AT(b, 8, 8, 0xffffffffc0000000);
	EXPECT_AT(b, 16, 8, 0x3000);
	EXPECT_AT(b, 24, 2, 0xcdab);
	EXPECT_AT(b, 44, 1, 2);
	EXPECT_AT(b, 45, 1, 8);
	EXPECT(!memcmp(b + 48, "eight_ch\0\0\0\0\0\0\0", 16));
	kma_record_module(&s, &m, "seven_c", 0, 1001);
	EXPECT_AT(b, 64, 8, 0x0000000100000706);
	EXPECT(!memcmp(b + 64 + 48, "seven_c", 8));
	/* the longest one is cut */
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	kma_record_module(&s, &m, name, 0, 1002);
	EXPECT_AT(b, 120 + 1, 1, KMA_RECORD_MAX / 8);
	EXPECT_AT(b, 120 + 45, 1, 63);
	EXPECT_AT(b, 120 + 48 + 62, 2, 'x');
}

TEST(a_block_without_records_is_empty)
{
	start(1);
	refill(&s, 1000);
	EXPECT(kma_stream_empty(&s, buffer[0]));
	release(1000, TEXT, 0);
	EXPECT(!kma_stream_empty(&s, buffer[0]));
}

static const struct kma_log_bound first = {
	.time = 900, .mono = 901, .wall = 902, .clock = KMA_LOG_CLOCK_COUNTER,
};

static const struct kma_log_bound last = {
	.time = 5000, .mono = 5001, .wall = 5002, .missed = 6, .streams = 4,
	.clock = KMA_LOG_CLOCK_COUNTER,
};

/* At @b: START or END, by offset. */
static void expect_bound(const unsigned char *b, u64 head, const struct kma_log_bound *bound,
			 u64 records, u64 lost, u64 nmi)
{
	EXPECT_AT(b, 0, 8, head);
	EXPECT_AT(b, 8, 8, bound->time);
	EXPECT_AT(b, 16, 8, bound->mono);
	EXPECT_AT(b, 24, 8, bound->wall);
	EXPECT_AT(b, 32, 8, records);
	EXPECT_AT(b, 40, 8, lost);
	EXPECT_AT(b, 48, 8, nmi);
	EXPECT_AT(b, 56, 8, bound->missed);
	EXPECT_AT(b, 64, 4, bound->streams);
	EXPECT_AT(b, 68, 4, KMA_LOG_CLOCK_COUNTER);
}

TEST(a_stream_has_a_start_and_an_end)
{
	const unsigned char *b = buffer[0] + 40;

	start(1);
	s.first = &first;
	release(1000, TEXT, 0);
	s.nmi = 2;
	EXPECT(!s.ended);
	EXPECT(kma_record_end(&s, &last, 1250));
	EXPECT(s.ended);
	expect_bound(b, 0x0000000000000909, &first, 0, 0, 0);
	EXPECT_AT(b, 72, 2, 0x0303);
	expect_bound(b + 96, 0x000000fa0000090a, &last, 2, 0, 2);
	EXPECT_AT(b, 168, 1, 0xee);
	EXPECT_EQ(s.seq, 3);
	EXPECT_EQ(s.lost, 0);
}

/* The START comes once, and after what was lost before there was a block. */
TEST(a_start_comes_after_a_loss_and_once)
{
	start(0);
	s.first = &first;
	release(1000, TEXT, 0);
	EXPECT_EQ(s.lost, 1);
	EXPECT(s.first == &first);
	allowed = 2;
	refill(&s, 1100);
	EXPECT_AT(buffer[0], 40, 2, 0x0204);
	expect_bound(buffer[0] + 56, 0x0000000000000909, &first, 1, 1, 0);
	EXPECT(!s.first);
	refill(&s, 1200);
	EXPECT(kma_stream_empty(&s, buffer[1]));
}

/* It is no event: it is not lost, and the next try writes it. */
TEST(an_end_without_room_is_tried_again)
{
	start(0);
	s.first = &first;
	EXPECT(!kma_record_end(&s, &last, 1000));
	EXPECT(!s.ended);
	EXPECT_EQ(s.seq, 0);
	EXPECT_EQ(s.lost, 0);
	allowed = 1;
	EXPECT(kma_record_end(&s, &last, 1000));
	expect_bound(buffer[0] + 40, 0x0000000000000909, &first, 0, 0, 0);
	expect_bound(buffer[0] + 112, 0x000000000000090a, &last, 1, 0, 0);
	/* far from the block's time it has a time of its own */
	start(1);
	release(1000, TEXT, 0);
	EXPECT(kma_record_end(&s, &last, 1000 + (5ull << 32)));
	EXPECT_AT(buffer[0], 64, 2, 0x0205);
	expect_bound(buffer[0] + 80, 0x000000000000090a, &last, 2, 0, 0);
}

TEST_MAIN()
