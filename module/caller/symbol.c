// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbol.c - the kind of the function at an address: a table of addresses.
 *
 * The design is in symbol.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/numa.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "account/budget.h"
#include "caller/name.h"
#include "caller/symbol.h"
#include "caller/text.h"

/* Number of ranges of the first table; stock kernels have 400 to 800. */
#define KMA_RANGES_MIN		1024u
#define KMA_RANGES_MODULE	64u

/**
 * struct kma_range - the addresses of functions of the same kind that are next to each other
 * @at: first address
 * @bytes: their length
 * @kind: KMA_FRAME_* flags; 0 if their module was removed
 */
struct kma_range {
	unsigned long at;
	u32 bytes;
	u32 kind;
};

/**
 * struct kma_ranges - a table of addresses
 * @nr: number of ranges, in the order of their addresses
 * @room: number of ranges for which there is memory
 * @range: the ranges
 */
struct kma_ranges {
	u32 nr;
	u32 room;
	struct kma_range range[];
};

/*
 * What a table is made with. @symbol is a buffer for a symbol. After the first error, nothing is
 * added any more.
 */
struct kma_ranges_maker {
	struct kma_ranges *ranges;
	const struct kma_names *names;
	char *symbol;
	int err;
};

/* Serialises what replaces a table, and keeps modules loaded that it looks into. */
static DEFINE_MUTEX(kma_symbol_mutex);

static struct kma_names *kma_symbol_names;
static struct kma_ranges *kma_symbol_ranges;	/* events read it */
static struct kma_ranges *kma_symbol_old;	/* until kma_symbol_settle() */

static size_t kma_ranges_bytes(u32 room)
{
	return struct_size(kma_symbol_ranges, range, room);
}

static void kma_ranges_free(struct kma_ranges *ranges)
{
	if (ranges)
		kma_budget_free(ranges, kma_ranges_bytes(ranges->room));
}

/* Create a table for @room ranges, with the first ranges of @from if that is not NULL. */
static struct kma_ranges *kma_ranges_create(u32 room, const struct kma_ranges *from)
{
	struct kma_ranges *ranges = kma_budget_zalloc(kma_ranges_bytes(room), NUMA_NO_NODE);

	if (!ranges)
		return NULL;
	if (from)
		memcpy(ranges, from, kma_ranges_bytes(min(room, from->nr)));
	ranges->room = room;
	return ranges;
}

static void kma_ranges_add(struct kma_ranges_maker *m, struct kma_range range)
{
	struct kma_ranges *ranges = m->ranges;
	struct kma_range *last = ranges->nr ? &ranges->range[ranges->nr - 1] : NULL;

	if (last && last->kind == range.kind && last->at + last->bytes == range.at) {
		last->bytes += range.bytes;
		return;
	}
	if (ranges->nr == ranges->room) {
		ranges = kma_ranges_create(2 * ranges->room, m->ranges);
		if (!ranges) {
			m->err = -ENOMEM;
			return;
		}
		kma_ranges_free(m->ranges);
		m->ranges = ranges;
	}
	ranges->range[ranges->nr++] = range;
}

/*
 * Find the function at @addr: its name in @m->symbol, its addresses and its kind in @range. Return
 * false if no function of vmlinux (@mod is false) or of a module (@mod is true) is there.
 */
static bool kma_ranges_look(struct kma_ranges_maker *m, unsigned long addr, bool mod,
			    struct kma_range *range)
{
	unsigned long offset, bytes;
	char *rest;

	/* "name+0xoffset/0xbytes", "name+0xoffset/0xbytes [module]", or an address */
	sprint_symbol(m->symbol, addr);
	rest = strrchr(m->symbol, '+');
	if (!rest || sscanf(rest, "+%lx/%lx", &offset, &bytes) != 2 || !bytes ||
	    !strchr(rest, '[') == mod)
		return false;
	*rest = '\0';
	kma_name_cut(m->symbol);
	*range = (struct kma_range){
		.at = addr - offset, .bytes = bytes, .kind = kma_name_kind(m->names, m->symbol),
	};
	return true;
}

/* Add the functions of vmlinux, by stepping through its text from symbol to symbol. */
static void kma_ranges_add_vmlinux(struct kma_ranges_maker *m)
{
	unsigned long addr = kma_text_start(m->symbol);
	struct kma_range range;

	if (!addr)
		m->err = -EOPNOTSUPP;
	while (!m->err && kma_ranges_look(m, addr, false, &range)) {
		/* with CONFIG_KALLSYMS_ALL, data follows */
		if (!strcmp(m->symbol, "_etext"))
			break;
		if (range.kind)
			kma_ranges_add(m, range);
		addr = range.at + range.bytes;
		cond_resched();
	}
}

/* Add a function of a module, which may have other names as well: kallsyms knows one of them. */
static void kma_ranges_add_name(unsigned long addr, const char *name, void *arg)
{
	struct kma_ranges_maker *m = arg;
	struct kma_range range;

	strscpy(m->symbol, name, KSYM_SYMBOL_LEN);
	kma_name_cut(m->symbol);
	if (!m->err && kma_name_kind(m->names, m->symbol) &&
	    kma_ranges_look(m, addr, true, &range) && range.kind)
		kma_ranges_add(m, range);
}

static void kma_ranges_add_module(struct module *mod, void *m)
{
	kma_text_each_name(mod, kma_ranges_add_name, m);
}

static int kma_range_cmp(const void *a, const void *b)
{
	const struct kma_range *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Sort a table, and remove what it has twice. */
static void kma_ranges_sort(struct kma_ranges *ranges)
{
	u32 nr = 0, i;

	sort(ranges->range, ranges->nr, sizeof(*ranges->range), kma_range_cmp, NULL);
	for (i = 0; i < ranges->nr; i++)
		if (!nr || ranges->range[nr - 1].at != ranges->range[i].at)
			ranges->range[nr++] = ranges->range[i];
	ranges->nr = nr;
}

/* Make a table of the functions of @mod; or of vmlinux and all modules, if @mod is NULL. */
static struct kma_ranges *kma_ranges_make(const struct kma_names *names, struct module *mod)
{
	struct kma_ranges_maker m = { .names = names };
	int err = 0;

	m.symbol = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	m.ranges = kma_ranges_create(mod ? KMA_RANGES_MODULE : KMA_RANGES_MIN, NULL);
	if (!m.symbol || !m.ranges) {
		m.err = -ENOMEM;
	} else if (mod) {
		kma_ranges_add_module(mod, &m);
	} else {
		kma_ranges_add_vmlinux(&m);
		err = kma_text_each_module(kma_ranges_add_module, &m);
	}
	kfree(m.symbol);
	if (m.err || err < 0) {
		kma_ranges_free(m.ranges);
		return ERR_PTR(m.err ?: err);
	}
	kma_ranges_sort(m.ranges);
	return m.ranges;
}

static bool kma_symbol_own(unsigned long addr)
{
#ifdef MODULE
	return within_module(addr, THIS_MODULE);
#else
	return false;
#endif
}

unsigned int kma_symbol_kind(unsigned long addr)
{
	/* Pairs with the smp_store_release() in kma_symbol_replace(). */
	const struct kma_ranges *ranges = smp_load_acquire(&kma_symbol_ranges);
	const struct kma_range *range;
	u32 from = 0, to = ranges->nr;

	if (kma_symbol_own(addr))
		return KMA_FRAME_TRACE;
	/* A call that never returns may be the last instruction of its function. */
	addr--;
	/* find the number of ranges that begin at this address or before it */
	while (from < to) {
		u32 middle = (from + to) / 2;

		if (ranges->range[middle].at <= addr)
			from = middle + 1;
		else
			to = middle;
	}
	range = &ranges->range[from - 1];
	return from && addr - range->at < range->bytes ? READ_ONCE(range->kind) : 0;
}

/* Replace the table that events read. Return the old one, which they may still use. */
static struct kma_ranges *kma_symbol_replace(struct kma_ranges *ranges)
{
	struct kma_ranges *old = kma_symbol_ranges;

	/* Publishes the contents; pairs with the smp_load_acquire() in kma_symbol_kind(). */
	smp_store_release(&kma_symbol_ranges, ranges);
	return old;
}

__cold int kma_symbol_wrap(const char *wrappers)
{
	struct kma_names *names = kma_names_create(wrappers);
	struct kma_ranges *ranges;

	if (IS_ERR(names))
		return PTR_ERR(names);
	mutex_lock(&kma_symbol_mutex);
	ranges = IS_ENABLED(CONFIG_KALLSYMS) ? kma_ranges_make(names, NULL) :
		 ERR_PTR(-EOPNOTSUPP);
	if (!IS_ERR(ranges)) {
		swap(names, kma_symbol_names);
		kma_symbol_old = kma_symbol_replace(ranges);
	}
	mutex_unlock(&kma_symbol_mutex);
	kma_names_free(names);
	if (!IS_ERR(ranges))
		return 0;
	if (PTR_ERR(ranges) == -EOPNOTSUPP)
		pr_err("cannot look up names of functions: the kernel is built without CONFIG_KALLSYMS\n");
	return PTR_ERR(ranges);
}

__cold void kma_symbol_settle(void)
{
	kma_ranges_free(kma_symbol_old);
	kma_symbol_old = NULL;
}

/* Copy the ranges of @from that are not in @mod, and count those that are. */
static u32 kma_ranges_copy(struct kma_ranges *to, const struct kma_ranges *from,
			   const struct module *mod)
{
	u32 inside = 0, i;

	for (i = 0; i < from->nr; i++) {
		if (!within_module(from->range[i].at, mod)) {
			if (to)
				to->range[to->nr++] = from->range[i];
		} else if (from->range[i].kind) {
			inside++;
		}
	}
	return inside;
}

/* Add the functions of @mod to the table. Return 1 if they were not there. */
static __cold int kma_symbol_add(struct module *mod)
{
	struct kma_ranges *ranges, *more = kma_ranges_make(kma_symbol_names, mod);

	if (IS_ERR(more))
		return PTR_ERR(more);
	if (more->nr == kma_ranges_copy(NULL, kma_symbol_ranges, mod)) {
		kma_ranges_free(more);
		return 0;
	}
	ranges = kma_ranges_create(kma_symbol_ranges->nr + more->nr, NULL);
	if (ranges) {
		kma_ranges_copy(ranges, kma_symbol_ranges, mod);
		memcpy(&ranges->range[ranges->nr], more->range, more->nr * sizeof(*more->range));
		ranges->nr += more->nr;
		kma_ranges_sort(ranges);
	}
	kma_ranges_free(more);
	if (!ranges)
		return -ENOMEM;
	more = kma_symbol_replace(ranges);
	/* until no event uses the old table: irqs are off while one does */
	synchronize_rcu();
	kma_ranges_free(more);
	return 1;
}

__cold bool kma_symbol_learn(struct module *mod)
{
	int added = 0;

	mutex_lock(&kma_symbol_mutex);
	if (kma_symbol_ranges)
		added = kma_symbol_add(mod);
	mutex_unlock(&kma_symbol_mutex);
	if (added < 0)
		pr_err("no memory for names of functions of module %s: its wrappers count as callers\n",
		       module_name(mod));
	return added > 0;
}

__cold void kma_symbol_forget(bool (*inside)(unsigned long addr, void *arg), void *arg)
{
	struct kma_ranges *ranges;
	u32 i;

	mutex_lock(&kma_symbol_mutex);
	ranges = kma_symbol_ranges;
	for (i = 0; ranges && i < ranges->nr; i++)
		if (inside(ranges->range[i].at, arg))
			WRITE_ONCE(ranges->range[i].kind, 0);
	mutex_unlock(&kma_symbol_mutex);
}

__cold void kma_symbol_deinit(void)
{
	mutex_lock(&kma_symbol_mutex);
	kma_symbol_settle();
	kma_ranges_free(kma_symbol_replace(NULL));
	kma_names_free(kma_symbol_names);
	kma_symbol_names = NULL;
	mutex_unlock(&kma_symbol_mutex);
}

__cold size_t kma_symbol_memory(void)
{
	size_t bytes;

	mutex_lock(&kma_symbol_mutex);
	bytes = kma_symbol_ranges ? kma_ranges_bytes(kma_symbol_ranges->room) : 0;
	mutex_unlock(&kma_symbol_mutex);
	return bytes;
}
