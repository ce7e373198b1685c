/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * count.h - what each CPU counts of each class of objects, and the marks of what has changed.
 *
 *  - The counters: for each CPU an array by number of the class, 32 bytes a class (40 with 32
 *    bits). Only that CPU counts there, with interrupts off. The counters of one CPU have no
 *    meaning, only their sum over all CPUs has: an object may be freed on another CPU.
 *    A CPU gets its array before it comes online for the first time
 *    (kma_class_add_cpu()), and keeps it.
 *    On a 32-bit CPU an event changes the lower half of a counter alone, by one store, but
 *    for each 2^32nd time, when the upper half changes under a sequence count that readers
 *    look at.
 *  - The marks: for each CPU a page or some, in front of its counters. A counter that has
 *    changed is marked, so that a look at the peaks (peak.h) reads few others. The pages are
 *    mapped over and over, so that an event finds a byte for each class at a constant distance;
 *    classes kma_class_mark_bytes apart share one.
 *
 * Never done here: nothing is allocated or waited for; that is class.c.
 *
 * Locking: none; irqs are off while a CPU counts. A reader of the counters of other CPUs is
 * serialised with kma_class_grow().
 */
#ifndef KMA_COUNT_H
#define KMA_COUNT_H

#include <linux/compiler.h>
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/stddef.h>
#include <linux/types.h>

/* From here on 16 bits are no class but a part of a size (sized.h). */
#define KMA_CLASS_END		0xc000u

/**
 * struct kma_class_count - what one CPU saw of one class, since the last reset
 * @in: objects allocated, or bytes of them; of KMA_CLASS_RARE, unknown frees
 * @out: objects of this class that were freed, wherever that was, or bytes of them; of
 *	KMA_CLASS_RARE, allocations that returned NULL
 * @seen_in: @in as the last look at the peaks has read it (peak.h)
 * @seen_out: the same of @out
 * @carries: with 32 bits: odd while the upper half of a counter changes
 * @unused: the rest of a word
 */
struct kma_class_count {
	u64 in;
	u64 out;
	u64 seen_in;
	u64 seen_out;
#ifndef CONFIG_64BIT
	u32 carries;
	u32 unused;
#endif
};

/* Words of it that are counters. */
#define KMA_CLASS_WORDS		4u

extern unsigned int kma_class_mark_bytes;	/* marks of a CPU */
DECLARE_PER_CPU(struct kma_class_count *, kma_class_counts);

/**
 * kma_class_count() - this CPU's counters of a class
 * @class: its number
 *
 * For counts that weigh nothing (kma_class_weight() in class.h), by kma_class_change(). All others
 * are changed by kma_class_in() and kma_class_out().
 *
 * Context: any but NMI, irqs off; valid until they go on again.
 * Return: the counters, to be changed by the caller.
 */
static __always_inline struct kma_class_count *kma_class_count(unsigned int class)
{
	return this_cpu_read(kma_class_counts) + class;
}

/* Bytes of addresses in front of the counters: one for each class. */
#define KMA_CLASS_MARKS		ALIGN(KMA_CLASS_END, PAGE_SIZE)

/**
 * kma_class_marks() - the marks of a CPU
 * @counts: its counters
 *
 * Return: as many bytes as there are classes; those kma_class_mark_bytes apart are the same.
 */
static __always_inline u8 *kma_class_marks(struct kma_class_count *counts)
{
	return (u8 *)counts - KMA_CLASS_MARKS;
}

/* Which of the words of struct kma_class_count a counter is. */
#define KMA_CLASS_WORD(counter)	(offsetof(struct kma_class_count, counter) / sizeof(u64))

#ifdef CONFIG_64BIT
static __always_inline u64 kma_class_word_of(const struct kma_class_count *count, size_t word)
{
	return READ_ONCE(((const u64 *)count)[word]);
}

static __always_inline void kma_class_word_add(u64 *counter, size_t word, u64 n)
{
	*counter += n;
}
#else
/**
 * kma_class_word_of() - read a counter that any CPU may change during the read
 * @count: counters of a class
 * @word: KMA_CLASS_WORD() of the counter
 *
 * Context: any.
 * Return: its value.
 */
u64 kma_class_word_of(const struct kma_class_count *count, size_t word);

/**
 * kma_class_carry() - add to a counter of this CPU whose upper half changes as well
 * @count: counters of the class
 * @word: KMA_CLASS_WORD() of the counter
 * @n: how many
 *
 * Context: any but NMI, irqs off.
 */
void kma_class_carry(struct kma_class_count *count, size_t word, u64 n);

/* Which half of a word is the lower one. */
#define KMA_CLASS_LOW	(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static __always_inline void kma_class_word_add(u64 *counter, size_t word, u64 n)
{
	u32 *low = (u32 *)counter + KMA_CLASS_LOW, sum = *low + (u32)n;

	if (likely(!(n >> 32) && sum >= (u32)n))
		WRITE_ONCE(*low, sum);
	else
		kma_class_carry((struct kma_class_count *)(counter - word), word, n);
}
#endif

/**
 * kma_class_change() - add to a counter of this CPU that weighs nothing
 * @count: counters of a class, as of kma_class_count()
 * @word: KMA_CLASS_WORD() of the counter
 * @n: how many; -1 to take one back
 *
 * Context: any but NMI, irqs off.
 */
static __always_inline void kma_class_change(struct kma_class_count *count, size_t word, u64 n)
{
	kma_class_word_add((u64 *)count + word, word, n);
}

/**
 * kma_class_add_to() - add to a counter of this CPU, and mark it
 * @class: number of the class
 * @word: KMA_CLASS_WORD() of the counter
 * @n: how many
 *
 * The mark is stored after the count. A sample that has taken the mark therefore reads the
 * count, and a sample that came too early finds the mark the next time.
 *
 * What looks odd saves x86 one instruction each: counters that are indexed by words, because a
 * factor of 8 is part of an address; and a mark that is not WRITE_ONCE(), whose address gcc
 * would compute apart. The mark is a byte, which is stored in one piece.
 *
 * Context: any, irqs off; with 32 bits not an NMI.
 */
static __always_inline void kma_class_add_to(unsigned long class, size_t word, u64 n)
{
	struct kma_class_count *counts = this_cpu_read(kma_class_counts);
	unsigned long first = class * (sizeof(*counts) / sizeof(u64));
	u8 *mark = kma_class_marks(counts) + class;

	OPTIMIZER_HIDE_VAR(first);
	kma_class_word_add((u64 *)counts + word + first, word, n);
	if (!IS_ENABLED(CONFIG_X86)) {
		/* Pairs with the xchg() in kma_peak_scan_cpu(). */
		smp_store_release(mark, 1);
		return;
	}
	barrier(); /* the same: x86 stores in order */
	data_race(*mark = 1);
}

/**
 * kma_class_in() - count allocations on this CPU
 * @class: number of the class
 * @n: how many objects, or bytes; -1 to take one back
 *
 * Context: any, irqs off; with 32 bits not an NMI.
 */
static __always_inline void kma_class_in(unsigned long class, u64 n)
{
	kma_class_add_to(class, KMA_CLASS_WORD(in), n);
}

/**
 * kma_class_out() - count frees on this CPU
 * @class: number of the class
 * @n: how many objects, or bytes
 *
 * Context: any, irqs off; with 32 bits not an NMI.
 */
static __always_inline void kma_class_out(unsigned long class, u64 n)
{
	kma_class_add_to(class, KMA_CLASS_WORD(out), n);
}

#endif /* KMA_COUNT_H */
