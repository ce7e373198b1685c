/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * word.h - 64-bit words that one CPU writes while other CPUs read them as a whole.
 *
 * A 64-bit CPU loads and stores such a word by an ordinary instruction. A 32-bit CPU needs a
 * special instruction, which the kernel's atomic64_t uses: cmpxchg8b on x86, ldrexd and strexd on
 * ARM. That costs about ten instructions more, so the counters that each event changes use another
 * method (count.h). A word must be aligned to 8 bytes, which i386 does not do by default.
 */
#ifndef KMA_WORD_H
#define KMA_WORD_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

static __always_inline u64 kma_word_get(const u64 *word)
{
#ifdef CONFIG_64BIT
	return READ_ONCE(*word);
#else
	return atomic64_read((const atomic64_t *)word);
#endif
}

/* Order all later reads after this one. */
static __always_inline u64 kma_word_acquire(const u64 *word)
{
#ifdef CONFIG_64BIT
	/* Pairs with kma_word_release(). */
	return smp_load_acquire(word);
#else
	u64 value = atomic64_read((const atomic64_t *)word);

	/*
	 * Pairs with kma_word_release(). atomic64_read_acquire() does the same, but with 32 bits it
	 * does not compile in v5.10.
	 */
	smp_mb__after_atomic();
	return value;
#endif
}

static __always_inline void kma_word_set(u64 *word, u64 value)
{
#ifdef CONFIG_64BIT
	WRITE_ONCE(*word, value);
#else
	atomic64_set((atomic64_t *)word, value);
#endif
}

/* Order all earlier writes before this one. */
static __always_inline void kma_word_release(u64 *word, u64 value)
{
#ifdef CONFIG_64BIT
	/* Pairs with kma_word_acquire(). */
	smp_store_release(word, value);
#else
	/* Pairs with kma_word_acquire(). */
	smp_mb__before_atomic();
	atomic64_set((atomic64_t *)word, value);
#endif
}

/* The word has no other writer meanwhile. Any context but NMI, irqs off. */
static __always_inline void kma_word_add(u64 *word, u64 n)
{
#ifdef CONFIG_64BIT
	/* The only writer; a reader takes the whole word, old or new. */
	data_race(*word += n);
#else
	atomic64_add(n, (atomic64_t *)word);
#endif
}

/* Add to a per-CPU word of this CPU. */
#ifdef CONFIG_64BIT
#define kma_cpu_add(word, n)	this_cpu_add(word, n)
#else
/* If the task moves to another CPU, the first CPU's word gets @n: only the sum has a meaning. */
#define kma_cpu_add(word, n)	atomic64_add(n, (atomic64_t *)raw_cpu_ptr(&(word)))
#endif

#endif /* KMA_WORD_H */
