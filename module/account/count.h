/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * count.h - the counters that each CPU has for each class, and the marks of changed counters.
 *
 *  - The counters: each CPU has an array, by number of the class, of 32 bytes for each class.
 *    On a 32-bit CPU these are 40 bytes. Only that CPU counts there, with irqs off, or with
 *    preemption off and by one instruction. The counters
 *    of one CPU have no meaning, because an object may be freed on another CPU: only their sum
 *    over all CPUs has. A CPU gets its array before it comes online for the first time
 *    (kma_class_add_cpu()), and keeps it.
 *    On a 32-bit CPU an event changes only the lower half of a counter, by one store. When the
 *    lower half overflows, the upper half changes under a sequence count, which readers check.
 *  - The marks: each CPU has one byte for each class, in front of its counters. An event marks
 *    the class whose counter it has changed, so that a look at the peaks (peak.h) reads few other
 *    counters. The marks take kma_class_mark_bytes of memory, one or a few pages. These pages are
 *    mapped repeatedly, so that an event finds the byte of each class at a constant distance.
 *    Classes whose numbers differ by a multiple of kma_class_mark_bytes therefore share one byte.
 *
 * Locking: none; irqs or preemption are off while a CPU counts. A reader of the counters of other
 * CPUs is serialised with kma_class_grow().
 *
 * Contexts: any but NMI, irqs off, unless stated.
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

/* No class has this number, or a larger one. */
#define KMA_CLASS_END		0xc000u

/* What one CPU has counted of one class since the last reset. */
struct kma_class_count {
	u64 in;		/* objects allocated, or bytes; KMA_CLASS_RARE: frees of unknown objects */
	/* Objects freed, by any site, or bytes; KMA_CLASS_RARE: failed allocations */
	u64 out;
	u64 seen_in;	/* @in and @out at the last look at the peaks (peak.h) */
	u64 seen_out;
#ifndef CONFIG_64BIT
	u32 carries;	/* odd while the upper half of a counter changes */
	u32 unused;
#endif
};

/* Number of 64-bit counters in struct kma_class_count. */
#define KMA_CLASS_WORDS		4u

extern unsigned int kma_class_mark_bytes;	/* memory of a CPU's marks */
DECLARE_PER_CPU(struct kma_class_count *, kma_class_counts);

/*
 * This CPU's counters of a class, until irqs go on again. The caller may change counters of a class
 * whose counts add no bytes to its site (kma_class_weight() is 0), by kma_class_change().
 * kma_class_in() and kma_class_out() change all other counters, because they also mark the class.
 */
static __always_inline struct kma_class_count *kma_class_count(unsigned int class)
{
	return this_cpu_read(kma_class_counts) + class;
}

/* Address range in front of the counters: one byte for each class. */
#define KMA_CLASS_MARKS		ALIGN(KMA_CLASS_END, PAGE_SIZE)

/* A byte for each class; bytes kma_class_mark_bytes apart are the same byte. */
static __always_inline u8 *kma_class_marks(struct kma_class_count *counts)
{
	return (u8 *)counts - KMA_CLASS_MARKS;
}

/* Index of a counter among the 64-bit words of struct kma_class_count. */
#define KMA_CLASS_WORD(counter)	(offsetof(struct kma_class_count, counter) / sizeof(u64))

#ifdef CONFIG_64BIT
static __always_inline u64 kma_class_word_of(const struct kma_class_count *count, size_t word)
{
	return READ_ONCE(((const u64 *)count)[word]);
}

static __always_inline void kma_class_word_add(u64 *counter, size_t word, u64 n)
{
#ifdef CONFIG_X86_64
	/*
	 * Only this CPU writes, and a reader takes whole words, old or new. One instruction: an
	 * interrupt or an NMI comes before or after it.
	 */
	asm volatile("addq %1, %0" : "+m" (*counter) : "er" (n));
#else
	/* Only this CPU writes, with irqs off. */
	data_race(*counter += n);
#endif
}
#else
/*
 * Read a counter that its CPU may change during the read. @word is its KMA_CLASS_WORD(). Context:
 * any.
 */
u64 kma_class_word_of(const struct kma_class_count *count, size_t word);

/* Add to a counter of this CPU whose upper half changes as well. */
void kma_class_carry(struct kma_class_count *count, size_t word, u64 n);

/* Index of the lower half among the two halves of a counter. */
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

/* Add to a counter of this CPU without marking it; -1 takes one back. */
static __always_inline void kma_class_change(struct kma_class_count *count, size_t word, u64 n)
{
	kma_class_word_add((u64 *)count + word, word, n);
}

/*
 * Add to a counter of this CPU, and mark the class.
 *
 * The mark is stored after the count. A look that has taken the mark therefore reads the new count,
 * and a look that came before the mark finds it the next time.
 *
 * Two details save x86 one instruction each. The counters are indexed by words, because an address
 * can contain a factor of 8. The mark is not stored by WRITE_ONCE(), for which gcc would compute
 * the address separately; a byte is always stored in one piece.
 *
 * Context: any, irqs off; on x86-64 it is enough that preemption is off. On a 32-bit CPU not an
 * NMI.
 */
static __always_inline void kma_class_add_to(unsigned long class, size_t word, u64 n)
{
	struct kma_class_count *counts = this_cpu_read(kma_class_counts);
	unsigned long first = class * (sizeof(*counts) / sizeof(u64));
	u8 *mark = kma_class_marks(counts) + class;

	OPTIMIZER_HIDE_VAR(first);
	kma_class_word_add((u64 *)counts + word + first, word, n);
	if (!IS_ENABLED(CONFIG_X86)) {
		/* Pairs with smp_load_acquire() and xchg() in kma_peak_scan_cpu(). */
		smp_store_release(mark, 1);
		return;
	}
	barrier(); /* a release on x86, which stores in order; same partner as above */
	data_race(*mark = 1);
}

/*
 * Count allocations, and frees: @n objects, or bytes. -1 takes one object back. Context: as above.
 */
static __always_inline void kma_class_in(unsigned long class, u64 n)
{
	kma_class_add_to(class, KMA_CLASS_WORD(in), n);
}

static __always_inline void kma_class_out(unsigned long class, u64 n)
{
	kma_class_add_to(class, KMA_CLASS_WORD(out), n);
}

#endif /* KMA_COUNT_H */
