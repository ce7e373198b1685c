// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of classes: what one CPU adds, another one reads whole. On a 32-bit CPU a counter has
 * two halves (count.h); the tests are the same.
 */
#include "account/class.h"
#include "account/count.h"
#include "ktap.h"

static struct kma_class_count counter;

static u64 value(void)
{
	return kma_class_word_of(&counter, KMA_CLASS_WORD(in));
}

TEST(sums_are_those_of_64_bits)
{
	/* what is added, one after the other: ones and bytes, and what is taken back */
	static const u64 steps[] = {
		1, 0xfffffffe, 1, -1ull, 1, 1, -1ull, -1ull, 0x80000000, 0x80000000, 0xffffffff,
		0xffffffff, 1ull << 32, 0x123456789abcull, -0x123456789abcull, 0x7fffffff, 1, -2ull,
	};
	u64 sum = 0;

	counter = (struct kma_class_count){};
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		kma_class_change(&counter, KMA_CLASS_WORD(in), steps[i]);
		kma_class_change(&counter, KMA_CLASS_WORD(out), -steps[i]);
		sum += steps[i];
		EXPECT(value() == sum);
		EXPECT(kma_class_word_of(&counter, KMA_CLASS_WORD(out)) == -sum);
	}
	EXPECT(kma_class_word_of(&counter, KMA_CLASS_WORD(seen_in)) == 0);
	EXPECT(kma_class_word_of(&counter, KMA_CLASS_WORD(seen_out)) == 0);
}

static u64 added;

static void other_cpu(void)
{
	kma_class_change(&counter, KMA_CLASS_WORD(in), added);
}

/* Whichever load of the reader the change follows, it sees the old sum or the new one. */
TEST(a_reader_sees_no_half)
{
	static const u64 begins[] = { 0xffffffff, 0x5ffffffff, 0x100000000, 7 };
	static const u64 adds[] = { 1, -1ull, 0xffffffff, -5ull };

	for (size_t b = 0; b < ARRAY_SIZE(begins); b++) {
		for (size_t a = 0; a < ARRAY_SIZE(adds); a++) {
			for (unsigned int at = 1; at <= 6; at++) {
				u64 read;

				counter = (struct kma_class_count){ .in = begins[b] };
				added = adds[a];
				shim_other_cpu = other_cpu;
				shim_other_cpu_at = at;
				read = value();
				shim_other_cpu = NULL;
				EXPECT(read == begins[b] || read == begins[b] + added);
			}
		}
	}
}

TEST_MAIN()
