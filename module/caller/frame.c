// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame.c - to what kind of function a return address belongs.
 *
 * The design is in frame.h.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/numa.h>

#include "account/budget.h"
#include "account/word.h"
#include "caller/frame.h"
#include "caller/symbol.h"

#define KMA_MEMO_WAYS		4
#define KMA_MEMO_SETS		4096
#define KMA_MEMO_SLOTS		(KMA_MEMO_WAYS * KMA_MEMO_SETS)
#define KMA_MEMO_BITS		56
#define KMA_MEMO_ADDR		((1ull << KMA_MEMO_BITS) - 1)

/*
 * In each slot the lower 56 bits are those of an address, whose upper eight bits are ones in
 * every kernel. The upper eight bits of the slot are the kind.
 */
static u64 *kma_memo;

/* The first of the KMA_MEMO_WAYS slots that may contain the address. */
static u64 *kma_memo_set(unsigned long addr)
{
	return kma_memo + (u32)addr % KMA_MEMO_SETS * KMA_MEMO_WAYS;
}

static void kma_memo_keep(unsigned long addr, unsigned int kind)
{
	u64 *set = kma_memo_set(addr);
	unsigned int i;

	for (i = 0; i < KMA_MEMO_WAYS && kma_word_get(&set[i]); i++)
		;
	/* All in use: replace one of them, chosen by the address. */
	if (i == KMA_MEMO_WAYS)
		i = addr / KMA_MEMO_SETS % KMA_MEMO_WAYS;
	kma_word_set(&set[i], (u64)kind << KMA_MEMO_BITS | (addr & KMA_MEMO_ADDR));
}

unsigned int kma_frame_kind(unsigned long addr)
{
	const u64 *set = kma_memo_set(addr);
	unsigned int kind, i;

	for (i = 0; i < KMA_MEMO_WAYS; i++) {
		u64 slot = kma_word_get(&set[i]);

		if (!((slot ^ addr) & KMA_MEMO_ADDR))
			return slot >> KMA_MEMO_BITS;
	}
	kind = kma_symbol_kind(addr);
	kma_memo_keep(addr, kind);
	return kind;
}

/* Drop the addresses that are in some code from the memo. */
static __cold void kma_memo_forget(bool (*inside)(unsigned long addr, void *arg), void *arg)
{
	unsigned int i;

	for (i = 0; kma_memo && i < KMA_MEMO_SLOTS; i++) {
		u64 slot = kma_word_get(&kma_memo[i]);

		if (slot && inside(slot | ~KMA_MEMO_ADDR, arg))
			kma_word_set(&kma_memo[i], 0);
	}
}

__cold void kma_frame_forget(bool (*inside)(unsigned long addr, void *arg), void *arg)
{
	kma_symbol_forget(inside, arg);
	kma_memo_forget(inside, arg);
}

static bool kma_frame_inside(unsigned long addr, void *mod)
{
	return within_module(addr, mod);
}

__cold void kma_frame_learn(struct module *mod)
{
	if (kma_symbol_learn(mod))
		kma_memo_forget(kma_frame_inside, mod);
}

void kma_frame_settle(void)
{
	unsigned int i;

	kma_symbol_settle();
	for (i = 0; kma_memo && i < KMA_MEMO_SLOTS; i++)
		kma_word_set(&kma_memo[i], 0);
}

__cold int kma_frame_init(const char *wrappers)
{
	int err = kma_symbol_wrap(wrappers);

	if (err)
		return err;
	/* last, so that a failure never releases it: a module notifier may be using the memo */
	kma_memo = kma_budget_zalloc(KMA_MEMO_SLOTS * sizeof(*kma_memo), NUMA_NO_NODE);
	if (!kma_memo) {
		kma_symbol_deinit();
		return -ENOMEM;
	}
	return 0;
}

__cold void kma_frame_deinit(void)
{
	kma_symbol_deinit();
	kma_budget_free(kma_memo, KMA_MEMO_SLOTS * sizeof(*kma_memo));
	kma_memo = NULL;
}

__cold size_t kma_frame_memory(void)
{
	return kma_memo ? KMA_MEMO_SLOTS * sizeof(*kma_memo) + kma_symbol_memory() : 0;
}
