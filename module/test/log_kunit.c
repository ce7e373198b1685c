// SPDX-License-Identifier: GPL-2.0-only
/*
 * log_kunit.c - the event log: the records of an allocation and its free in the buffer
 * of their CPU, in each context; each event has a record or is counted as lost.
 *
 * The tests read the memory to which the stream is written, with interrupts off from
 * before the events until after them; tests/kernel/log.sh reads the files.
 */
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "context.h"
#include "control.h"
#include "fixture.h"
#include "log/clock.h"
#include "log/relay.h"
#include "log/relay_event.h"

#define KMA_TEST_REQ	72u
#define KMA_TEST_PAIRS	20u
#define KMA_TEST_MANY	1000u

/* Records of the functions below that were found in the stream. */
struct kma_test_found {
	unsigned int allocs;
	unsigned int frees;
	unsigned int wrong;		/* invalid records */
	unsigned int failed;
	u64 numbers;			/* record numbers that were used */
	u64 lost;
	unsigned int neither;		/* events that were neither written nor lost */
};

/* Separate functions without tail calls, so that each has its own symbol. */
static noinline __noclone void *kma_test_log_alloc(void)
{
	void *object = kmalloc(KMA_TEST_REQ, GFP_ATOMIC);

	barrier_data(object);
	return object;
}

static noinline __noclone void kma_test_log_free(void *object)
{
	kfree(object);
	barrier();
}

static bool kma_test_log_by(s32 site, unsigned long function)
{
	unsigned long call = kma_relay_text + site;

	return call > function && call <= function + 256;
}

static void kma_test_log_record(struct kma_test_found *found,
				const struct kma_log_record *r)
{
	const struct kma_log_alloc *a = (const void *)r;
	const struct kma_log_free *f = (const void *)r;

	if (r->type == KMA_LOG_ALLOC &&
	    kma_test_log_by(a->site, (unsigned long)kma_test_log_alloc)) {
		found->allocs++;
		found->wrong += a->req != KMA_TEST_REQ || a->alloc < a->req ||
				r->words != sizeof(*a) / 8 ||
				(r->flags & KMA_LOG_KIND) != KMA_LOG_KMALLOC ||
				a->tid != current->pid ||
				!a->irq != !(in_serving_softirq() || hardirq_count());
	} else if (r->type == KMA_LOG_FREE &&
		   kma_test_log_by(f->site, (unsigned long)kma_test_log_free)) {
		found->frees++;
		found->wrong += r->words != sizeof(*f) / 8;
	}
}

static void kma_test_log_parse(struct kma_test_found *found, const char *at,
			       const char *end)
{
	u32 last = 0;

	while (at < end) {
		const struct kma_log_record *r = (const void *)at;

		if (!r->words) {
			found->wrong++;
			return;
		}
		/* all records are in one block, and irqs were off */
		found->wrong += r->delta < last;
		last = r->delta;
		kma_test_log_record(found, r);
		at += r->words * 8;
	}
	found->wrong += at != end;
}

/* Log pairs of events. The block must have space for all of them, as the block of a new log has. */
static void kma_test_log_pairs(void *arg)
{
	struct kma_test_found *found = arg;
	const struct kma_stream *s;
	unsigned long flags;
	const char *from;
	unsigned int i;
	u64 seq;

	local_irq_save(flags);
	s = this_cpu_ptr(&kma_streams);
	/* this event gets a block, if there is none */
	kma_test_log_free(kma_test_log_alloc());
	from = s->at;
	seq = s->seq;
	for (i = 0; i < KMA_TEST_PAIRS; i++) {
		void *object = kma_test_log_alloc();

		found->failed += !object;
		kma_test_log_free(object);
	}
	found->numbers = s->seq - seq;
	found->lost = s->lost;
	if (from)
		kma_test_log_parse(found, from, s->at);
	local_irq_restore(flags);
}

static void kma_test_log_end(void *unused)
{
	kma_control_command("log free");
}

static void kma_test_log_on(struct kunit *test, unsigned int subbufs,
			    unsigned int size)
{
	unsigned int was_subbufs = kma_relay_subbufs;
	unsigned int was_size = kma_relay_subbuf_size;
	int err;

	kma_relay_subbufs = subbufs;
	kma_relay_subbuf_size = size;
	err = kma_control_command("log on");
	kma_relay_subbufs = was_subbufs;
	kma_relay_subbuf_size = was_size;
	KUNIT_ASSERT_EQ(test, err, 0);
	kma_test_defer(test, kma_test_log_end, NULL);
}

static const enum kma_test_context kma_test_log_contexts[] = {
	KMA_TEST_TASK, KMA_TEST_IRQ_OFF, KMA_TEST_SOFTIRQ, KMA_TEST_HARDIRQ,
	KMA_TEST_IRQ_WORK, KMA_TEST_KTHREAD, KMA_TEST_WORKER,
};

static void kma_test_log_desc(const enum kma_test_context *context, char *desc)
{
	strscpy(desc, kma_test_context_names[*context], KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kma_test_log, kma_test_log_contexts, kma_test_log_desc);

static void kma_test_log_context(struct kunit *test)
{
	const enum kma_test_context *context = test->param_value;
	struct kma_test_found found = {};

	kma_test_log_on(test, 4, 256 * 1024);
	kma_test_in(test, *context, kma_test_log_pairs, &found);
	KUNIT_EXPECT_EQ(test, found.failed, 0u);
	KUNIT_EXPECT_EQ(test, found.allocs, KMA_TEST_PAIRS);
	KUNIT_EXPECT_EQ(test, found.frees, KMA_TEST_PAIRS);
	KUNIT_EXPECT_EQ(test, found.wrong, 0u);
	KUNIT_EXPECT_EQ(test, found.lost, 0ull);
	KUNIT_EXPECT_GE(test, found.numbers, 2ull * KMA_TEST_PAIRS);
}

/* Get the kinds that the log has for a kmalloc() from a cache, and for a larger one. */
static void kma_test_log_tell(void *arg)
{
	enum kma_log_kind *kinds = arg;
	struct kma_event e = {
		.call_site = (unsigned long)kma_test_log_alloc,
		.ptr = kinds, .kind = KMA_KIND_KMALLOC,
	};
	const struct kma_stream *s;
	unsigned long flags;
	unsigned int i;

	local_irq_save(flags);
	s = this_cpu_ptr(&kma_streams);
	/* this event gets a block, if there is none */
	kma_test_log_free(kma_test_log_alloc());
	for (i = 0; i < 2; i++) {
		const struct kma_log_record *r = (const void *)s->at;

		e.bytes = KMALLOC_MAX_CACHE_SIZE << i;
		e.req = e.bytes;
		kma_relay_alloc_event(&e);
		kinds[i] = r->flags & KMA_LOG_KIND;
	}
	local_irq_restore(flags);
}

/* A large kmalloc() that a hook reports; with a probe it would be two records (KMA_LARGE_TWICE). */
static void kma_test_log_large(struct kunit *test)
{
	enum kma_log_kind kinds[2] = {};

	kma_test_log_on(test, 4, 256 * 1024);
	kma_test_in(test, KMA_TEST_TASK, kma_test_log_tell, kinds);
	KUNIT_EXPECT_EQ(test, (int)kinds[0], (int)KMA_LOG_KMALLOC);
	KUNIT_EXPECT_EQ(test, (int)kinds[1],
			(int)(KMA_LARGE_TWICE ? KMA_LOG_LARGE : KMA_LOG_KMALLOC));
}

/*
 * With the gate closed the attached probes record nothing and lose nothing,
 * whether a CPU has a block (the second time) or not. With the gate open again they
 * record all events. Only this test's thread writes the gate.
 */
static void kma_test_log_gate(struct kunit *test)
{
	unsigned long base;
	unsigned int i;

	kma_test_log_on(test, 4, 256 * 1024);
	base = kma_relay_text;
	for (i = 0; i < 2; i++) {
		struct kma_test_found found = {};

		WRITE_ONCE(kma_relay_text, KMA_RELAY_CLOSED);
		kma_test_in(test, KMA_TEST_TASK, kma_test_log_pairs, &found);
		KUNIT_EXPECT_EQ(test, found.numbers, 0ull);
		KUNIT_EXPECT_EQ(test, found.lost, 0ull);
		WRITE_ONCE(kma_relay_text, base);
		memset(&found, 0, sizeof(found));
		kma_test_in(test, KMA_TEST_TASK, kma_test_log_pairs, &found);
		KUNIT_EXPECT_EQ(test, found.allocs, KMA_TEST_PAIRS);
		KUNIT_EXPECT_EQ(test, found.frees, KMA_TEST_PAIRS);
	}
}

/* The stream of each CPU gets its START, and with "log off" its END. */
static void kma_test_log_bounds(struct kunit *test)
{
	const struct kma_stream *s;
	int cpu;

	kma_test_log_on(test, 4, 256 * 1024);
	KUNIT_EXPECT_EQ(test, kma_control_command("log off"), 0);
	KUNIT_EXPECT_EQ(test, kma_relay_text, KMA_RELAY_CLOSED);
	for_each_online_cpu(cpu) {
		s = per_cpu_ptr(&kma_streams, cpu);
		KUNIT_EXPECT_TRUE(test, s->ended);
		KUNIT_EXPECT_TRUE(test, !s->first);
		KUNIT_EXPECT_GE(test, s->seq, 2ull);
	}
}

/* Report events after the end of the log, and get the changes of the stream. */
static void kma_test_log_after(void *arg)
{
	const struct kma_event e = {
		.call_site = (unsigned long)kma_test_log_alloc, .ptr = arg,
		.req = KMA_TEST_REQ, .bytes = 96, .kind = KMA_KIND_KMALLOC,
	};
	struct kma_test_found *found = arg;
	const struct kma_stream *s;
	struct kma_stream before;
	unsigned long flags;

	local_irq_save(flags);
	s = this_cpu_ptr(&kma_streams);
	before = *s;
	kma_relay_alloc_event(&e);
	kma_relay_free_event(&e);
	found->numbers = s->seq - before.seq;
	found->lost = s->lost - before.lost;
	found->wrong = s->at != before.at;
	local_irq_restore(flags);
}

/* A hook that saw the log on was interrupted until the log was off, or freed. */
static void kma_test_log_late(struct kunit *test)
{
	static const char *const ends[] = { "log off", "log free" };
	unsigned int i;

	kma_test_log_on(test, 4, 256 * 1024);
	kma_test_log_free(kma_test_log_alloc());
	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		struct kma_test_found found = {};

		KUNIT_ASSERT_EQ(test, kma_control_command(ends[i]), 0);
		kma_test_in(test, KMA_TEST_TASK, kma_test_log_after, &found);
		KUNIT_EXPECT_EQ(test, found.numbers, 0ull);
		KUNIT_EXPECT_EQ(test, found.lost, 0ull);
		KUNIT_EXPECT_EQ(test, found.wrong, 0u);
	}
}

/* Each event uses a number, and has a record or is counted as lost. */
static void kma_test_log_step(struct kma_test_found *found,
			      const struct kma_stream *s,
			      const struct kma_stream *before)
{
	u64 lost = s->lost - before->lost, numbers = s->seq - before->seq;

	found->numbers += numbers;
	found->lost += lost;
	found->neither += !numbers || lost > numbers ||
			  (lost < numbers && s->at == before->at);
}

static void kma_test_log_flood(void *arg)
{
	struct kma_test_found *found = arg;
	const struct kma_stream *s;
	unsigned long flags;
	unsigned int i;

	local_irq_save(flags);
	s = this_cpu_ptr(&kma_streams);
	for (i = 0; i < KMA_TEST_MANY; i++) {
		struct kma_stream before = *s;
		void *object = kma_test_log_alloc();

		kma_test_log_step(found, s, &before);
		before = *s;
		kma_test_log_free(object);
		kma_test_log_step(found, s, &before);
	}
	local_irq_restore(flags);
}

/* Two pages of buffers, which no reader empties. */
static void kma_test_log_loss(struct kunit *test)
{
	const unsigned long room = 2 * PAGE_SIZE;
	struct kma_test_found found = {};

	kma_test_log_on(test, 2, PAGE_SIZE);
	kma_test_in(test, KMA_TEST_TASK, kma_test_log_flood, &found);
	KUNIT_EXPECT_EQ(test, found.neither, 0u);
	KUNIT_EXPECT_GE(test, found.numbers, 2ull * KMA_TEST_MANY);
	/* not more events are recorded than fit */
	KUNIT_EXPECT_GT(test, found.lost, 0ull);
	KUNIT_EXPECT_LE(test, found.numbers - found.lost,
			(u64)(room / sizeof(struct kma_log_free)));
	/* a new log after this one is complete */
	kma_control_command("log free");
	memset(&found, 0, sizeof(found));
	kma_test_log_on(test, 4, 256 * 1024);
	kma_test_in(test, KMA_TEST_TASK, kma_test_log_pairs, &found);
	KUNIT_EXPECT_EQ(test, found.allocs, KMA_TEST_PAIRS);
	KUNIT_EXPECT_EQ(test, found.lost, 0ull);
}

/* Times by the clock of the log: before and after the events, and the base time of their block. */
struct kma_test_times {
	struct kma_test_found found;
	u64 before;
	u64 block;
	u64 after;
};

static void kma_test_log_timed(void *arg)
{
	struct kma_test_times *times = arg;
	unsigned long flags;

	local_irq_save(flags);
	times->before = kma_clock_now();
	kma_test_log_pairs(&times->found);
	times->block = this_cpu_ptr(&kma_streams)->since;
	times->after = kma_clock_now();
	local_irq_restore(flags);
}

static const char *const kma_test_clocks[] = {
	"auto", "counter", "mono", "local",
};

static void kma_test_clock_desc(const char *const *name, char *desc)
{
	strscpy(desc, *name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kma_test_clock, kma_test_clocks, kma_test_clock_desc);

static void kma_test_clock_end(void *unused)
{
	kma_clock_set("auto");
}

static void kma_test_log_clock(struct kunit *test)
{
	const char *const *name = test->param_value;
	struct kma_test_times times = {};

	kma_test_defer(test, kma_test_clock_end, NULL);
	KUNIT_ASSERT_EQ(test, kma_clock_set(*name), 0);
	KUNIT_EXPECT_EQ(test, kma_clock_set("sundial"), -EINVAL);
	KUNIT_EXPECT_STREQ(test, kma_clock_get(), *name);
	if (!strcmp(*name, "counter") && !kma_counter_rate()) {
		KUNIT_EXPECT_EQ(test, kma_control_command("log on"), -EINVAL);
		return;
	}
	kma_test_log_on(test, 4, 256 * 1024);
	if (strcmp(*name, "auto"))
		KUNIT_EXPECT_EQ(test, kma_clock_is_counter(),
				!strcmp(*name, "counter"));
	kma_test_in(test, KMA_TEST_TASK, kma_test_log_timed, &times);
	KUNIT_EXPECT_EQ(test, times.found.allocs, KMA_TEST_PAIRS);
	KUNIT_EXPECT_EQ(test, times.found.frees, KMA_TEST_PAIRS);
	KUNIT_EXPECT_EQ(test, times.found.wrong, 0u);
	KUNIT_EXPECT_EQ(test, times.found.lost, 0ull);
	/* a block's base time is not later than its events */
	KUNIT_EXPECT_LE(test, times.before, times.after);
	KUNIT_EXPECT_LE(test, times.block, times.after);
	KUNIT_EXPECT_LT(test, times.after - times.block, 1ull << 40);
}

static const struct kma_test_log_size {
	const char *desc;
	unsigned int subbufs;
	unsigned int size;
} kma_test_log_sizes[] = {
	{ "one sub-buffer", 1, 4096 },
	{ "too many", 4097, PAGE_SIZE },
	{ "less than a page", 2, PAGE_SIZE - 1 },
	{ "none", 0, 0 },
	{ "too large", 2, (64u << 20) + 1 },
};

static void kma_test_log_size_desc(const struct kma_test_log_size *p, char *desc)
{
	strscpy(desc, p->desc, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kma_test_size, kma_test_log_sizes, kma_test_log_size_desc);

static void kma_test_log_refused(struct kunit *test)
{
	const struct kma_test_log_size *p = test->param_value;
	unsigned int subbufs = kma_relay_subbufs, size = kma_relay_subbuf_size;
	int err;

	kma_relay_subbufs = p->subbufs;
	kma_relay_subbuf_size = p->size;
	err = kma_control_command("log on");
	kma_relay_subbufs = subbufs;
	kma_relay_subbuf_size = size;
	KUNIT_EXPECT_EQ(test, err, -EINVAL);
	KUNIT_EXPECT_EQ(test, kma_relay_memory(), (size_t)0);
	KUNIT_EXPECT_FALSE(test, kma_relay_wanted());
}

static struct kunit_case kma_test_log_cases[] = {
	KUNIT_CASE_PARAM(kma_test_log_context, kma_test_log_gen_params),
	KUNIT_CASE(kma_test_log_large),
	KUNIT_CASE(kma_test_log_gate),
	KUNIT_CASE(kma_test_log_bounds),
	KUNIT_CASE(kma_test_log_late),
	KUNIT_CASE(kma_test_log_loss),
	KUNIT_CASE_PARAM(kma_test_log_clock, kma_test_clock_gen_params),
	KUNIT_CASE_PARAM(kma_test_log_refused, kma_test_size_gen_params),
	{}
};

static struct kunit_suite kma_test_log_suite = {
	.name = "kma_log",
	.test_cases = kma_test_log_cases,
};

kunit_test_suite(kma_test_log_suite);
