/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * count.h - what each CPU counts of each class of objects, and the marks of what has changed.
 *
 *  - The counters: for each CPU an array by number of the class, 32 bytes a class. Only that CPU
 *    counts there, with interrupts off. The counters of one CPU have no meaning, only
 *    their sum over all CPUs has: an object may be freed on another CPU.
 *    A CPU gets its array before it comes online for the first time
 *    (kma_class_add_cpu()), and keeps it.
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
 */
struct kma_class_count {
	u64 in;
	u64 out;
	u64 seen_in;
	u64 seen_out;
};

extern unsigned int kma_class_mark_bytes;	/* marks of a CPU */
DECLARE_PER_CPU(struct kma_class_count *, kma_class_counts);

/**
 * kma_class_count() - this CPU's counters of a class
 * @class: its number
 *
 * For counts that weigh nothing (kma_class_weight() in class.h). All others are changed by
 * kma_class_in() and kma_class_out().
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
 * Context: any, irqs off.
 */
static __always_inline void kma_class_add_to(unsigned long class, size_t word, u64 n)
{
	struct kma_class_count *counts = this_cpu_read(kma_class_counts);
	unsigned long first = class * (sizeof(*counts) / sizeof(u64));
	u8 *mark = kma_class_marks(counts) + class;

	OPTIMIZER_HIDE_VAR(first);
	((u64 *)counts + word)[first] += n;
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
 * Context: any, irqs off.
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
 * Context: any, irqs off.
 */
static __always_inline void kma_class_out(unsigned long class, u64 n)
{
	kma_class_add_to(class, KMA_CLASS_WORD(out), n);
}

#endif /* KMA_COUNT_H */
