/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live.h - the live map: which objects exist, and the class of each object.
 *
 * There is no search. The slab allocator has placed the objects: all objects of a page have one
 * stride, and that is the number of bytes that each event reports. So the page frame number of an
 * address leads, through levels of tables, to the array of the page, and the offset in the page
 * divided by the stride is the index into the array. An element is the 16-bit number of the
 * object's class (class.h); 0 is no object. An account of any size costs an event what an empty
 * one costs.
 *
 *  - There are three levels, of which the lower two exist only where slabs are. If memory ends
 *    below KMA_LIVE_FLAT, all tables of the second level lie in a row from the beginning, and the
 *    inline half of an event reads the row instead of the first table. Only that differs: other
 *    functions use the three levels. A static key tells which of both the inline half reads; it
 *    changes while the map is closed. Memory that is added behind the row has no inline half.
 *  - The head of an array has the stride, its reciprocal, and the phase: the offset of the page's
 *    first object modulo the stride (red zones, strides that cross pages). The product of offset
 *    and reciprocal has the index in its upper half, and its lower half tells whether an object
 *    can begin at the offset (D. Lemire et al., "Faster remainder by direct computation", 2019).
 *    An object of a page or more has an array of one element.
 *  - A page that is given back and taken again has another stride or phase. If the array is
 *    empty, another one takes its place. If it is not, frees were missed, and the page gets a grid:
 *    an array of stride 8, which can have any object. The array of before lies behind the grid. So
 *    an object is known by its address alone. SLOB (up to v6.3) puts objects of any sizes into one
 *    page: there, each page has a grid from the beginning.
 *  - Pages and per-CPU objects have keys (key.h), which are addresses elsewhere. Their arrays are
 *    grids, and their tables begin at roots of their own.
 *  - The birth of an object, and its sizes if its class has none, are in parts of an array that
 *    are made when they are first needed.
 *  - Arrays and tables are pieces of the pool (pool.h). Nothing is ever moved.
 *
 * Locking. Preemption is off from the first read of a table to the last access of the array, and
 * that is a read-side section of RCU, also in the preemptible probes of 7.x. There are two kinds
 * of events:
 *
 *  The inline half of an event (account.h) takes no lock. It reads the tables, and exchanges an
 *  element: an allocation stores its class, a free stores 0. So of two frees of one object (a
 *  double free, or a late event) only one gets the class, and no class is credited twice. An
 *  allocation that finds a class has the implied free of that object, and nobody else has it. Who
 *  gets a class without a size has the sizes as well, and sets them to 0: before that, no other
 *  object gets this place for its sizes. The exchange orders the count of an allocation before the
 *  count of its free, for sum.c.
 *
 *  All other events, and readers, hold the lock of the address, one of KMA_LIVE_LOCKS. Everything
 *  but an element changes under it: entries of tables, strides, births, sizes. All addresses of
 *  one last-level table have the same lock. An event that comes while its CPU has a lock is
 *  refused (lock.h), because it might wait for itself.
 *
 *  Publishing: an array is complete before its entry is stored by a release; readers follow the
 *  address.
 *
 *  Replacing: an event that read the old array may still exchange an element of it. Its object
 *  would be one of the old stride, and live, so the page would not have been given back: an
 *  allocation event comes before the caller has the object, and a free event before the allocator
 *  has it. A source that breaks this (late events of v5.10) loses at most an entry: the array is
 *  released after a grace period, and what is found in it then is credited as an implied free.
 *
 *  Retiring: the worker first sets the stride of an empty array to 0. No allocation fits from then
 *  on, so each one takes the lock, and restores the stride. After a grace period no inline half
 *  that saw the stride is left: an array that is still empty, with a stride of 0, is not in use,
 *  and is unpublished under the lock. A second grace period passes before it is released. The
 *  inline half of a free may take an element at any time; it makes no array less empty. A table of
 *  the last level without entries is unpublished and released in the same way. Those of the level
 *  above stay until the map is reset.
 *
 *  The map is closed when events find a root, and a row, without entries.
 *
 * Never done here: allocating, or waiting for anything but a lock.
 *
 * Contexts: any but NMI, irqs off, for events; process, may sleep, for all others; unless stated.
 */
#ifndef KMA_LIVE_H
#define KMA_LIVE_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/kasan.h>
#include <linux/jump_label.h>
#include <linux/kconfig.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/types.h>

#include "account/birth.h"
#include "account/direct_map.h"
#include "account/size.h"

/* A table is a page. */
#define KMA_LIVE_BITS		(PAGE_SHIFT - (BITS_PER_LONG == 64 ? 3 : 2))
#define KMA_LIVE_ENTRIES	BIT(KMA_LIVE_BITS)
#define KMA_LIVE_LEAF_SHIFT	(PAGE_SHIFT + KMA_LIVE_BITS)
#define KMA_LIVE_ROOT_SHIFT	(KMA_LIVE_LEAF_SHIFT + KMA_LIVE_BITS)

/* An object that is alone in its page takes so many bytes of the map, with its part of a table. */
#define KMA_OBJECT_BYTES	48ul

#define KMA_PTR_BITS		47	/* bits of an address's distance from kma_direct_base */

/* Distances of objects begin here; with 32 bits they are whole addresses. */
#ifdef CONFIG_64BIT
#define KMA_LIVE_BASE		kma_direct_base
#else
#define KMA_LIVE_BASE		0ul
#endif

/* The array of a page. */
struct kma_slots {
	u32 recip;	/* 2^32 / stride, rounded up; 1 for an array of one element */
	u16 stride;	/* bytes of each object; 0 if the inline half must not add an object */
	u16 phase;	/* offset of the first element */
	/* The array behind a grid; of one that is to be released, the next such */
	struct kma_slots *next;
	/* Address of births and sizes (live.c), and KMA_SLOTS_IDLE */
	unsigned long more;
	u16 class[];	/* 0 for no object */
};

/* The last table leads to arrays, the one above to last tables. */
struct kma_live_leaf {
	struct kma_slots *of[KMA_LIVE_ENTRIES];
};

struct kma_live_mid {
	struct kma_live_leaf *of[KMA_LIVE_ENTRIES];
};

/* The first table. */
struct kma_live_root {
	unsigned long nr;
	/* Never NULL: one table without entries stands for those that do not exist */
	struct kma_live_mid *of[];
};

/* The tables of the second level in a row. */
struct kma_live_row {
	unsigned long nr;	/* number of entries; 0 if memory ends above KMA_LIVE_FLAT */
	/* The last tables, as in struct kma_live_mid */
	struct kma_live_leaf *of[];
};

#define KMA_LIVE_FLAT		BIT_ULL(36)	/* bytes: then the row takes 512 KiB at most */

/*
 * The root, and the row, that events read: those of objects, or one without entries while the map
 * is closed.
 */
extern struct kma_live_root *kma_live;
extern struct kma_live_row *kma_live_row;
DECLARE_STATIC_KEY_FALSE(kma_live_deep);	/* there is no row */

/* Was the address in the map? */
enum kma_live_found {
	KMA_LIVE_NONE,
	KMA_LIVE_OLD,
	KMA_LIVE_FULL,		/* no, and there is no memory for it */
	KMA_LIVE_NO_PLACE,	/* no, and it is no address of the map */
};

/* An object that exists, or that an event has just taken. */
struct kma_live_object {
	unsigned long ptr;
	u16 class;
	u16 site;		/* id, or an owner that is not a site (pages.h) */
	u16 group;		/* 0 for none */
	u16 made;		/* enum kma_made */
	struct kma_size size;	/* of a per-CPU object, of one copy */
	struct kma_birth birth;	/* if the map stores births */
};

/* Open the map for events on all CPUs, or close it. Events in progress may still finish. */
void kma_live_open(void);
void kma_live_close(void);

static inline bool kma_live_is_open(void)
{
	return READ_ONCE(kma_live)->nr;
}

/*
 * May the map have an object there? Not outside of all memory: an error pointer, a wild one,
 * vmalloc's. Any context.
 */
bool kma_live_holds(const void *ptr);

/*
 * Add an object to the map; the caller has tested that it is open. @birth is NULL if unknown. With
 * KMA_LIVE_OLD, @old is set to the object that the map had there, without a birth: it was freed
 * without an event. KMA_LIVE_FULL and KMA_LIVE_NO_PLACE: nothing has changed.
 */
enum kma_live_found kma_live_put(const void *ptr, u16 class, struct kma_size size,
				 const struct kma_birth *birth, struct kma_live_object *old);

/*
 * Remove an object, because it is freed, and set @o to all that the event may need of it. The
 * caller credits the class next, and does not read it any more after that (class.h). False, with @o
 * unchanged, if the map does not have the object.
 */
bool kma_live_take(const void *ptr, struct kma_live_object *o);

/* Look up an object and leave it in the map. False also if the map is closed. */
bool kma_live_look(const void *ptr, struct kma_live_object *o);

/*
 * Describe an object, without a birth, whose element the inline half has exchanged in the same
 * section with preemption off; @class is what the element had. Before the class is credited, and
 * once: it takes the sizes, too. Any context, preemption off.
 */
struct kma_live_object kma_live_taken(const struct kma_slots *slots, u32 index, u16 class,
				      const void *ptr);

/*
 * The next page that has an array, from @at on, for kma_live_read(); 0 begins, and KMA_LIVE_END
 * ends. Serialised with kma_live_shrink() and kma_live_reset().
 */
u64 kma_live_next(u64 at);
#define KMA_LIVE_END		(~0ull >> 1)

/*
 * Copy the objects of a page from kma_live_next(). No object moves, so one that exists during a
 * whole walk is read once. The page's lock is held while a part of it is copied.
 *
 * Return: number of objects. If it is above @max, some are missing in @buf: the caller allocates a
 * larger buffer and reads the page again.
 */
u32 kma_live_read(u64 at, struct kma_live_object *buf, u32 max);

/*
 * Reserve an empty map, closed. It never has less than the smallest map. @wake is called when
 * kma_live_grow() should run; in any context but NMI, with irqs off, maybe often.
 *
 * Return: 0; -ENOMEM; -EOPNOTSUPP if addresses of this machine do not fit.
 */
int kma_live_init(unsigned long max_bytes, void (*wake)(void));

/* Objects that were found in arrays of no page, and credited: implied frees. */
unsigned long kma_live_settled(void);

/* Only when no event may use the map from now on. */
void kma_live_deinit(void);

/* Forget all objects. The map is closed, and no event uses it. */
void kma_live_reset(void);

/*
 * Release all births, when no event uses them any more; other events go on. Serialised as
 * kma_live_next().
 */
void kma_live_detach(void);

/*
 * Refill the reserve, and release what a grace period has passed for. One caller at a time; events
 * go on.
 *
 * Return: 0, -ENOMEM, or -ENOSPC when the map has its full size; -EAGAIN if the caller is to call
 * again when kma_area_settle() has been called for the last ticket (area.h).
 */
int kma_live_grow(void);

/*
 * Release memory that the map does not need; if @hard, memory is short: also what was in use a
 * moment ago. @look is true for the first walk of a run, which looks for arrays without objects;
 * others go on with these. One caller at a time; events go on.
 *
 * Return: 0 when nothing is left to release; -EAGAIN to be called again; -EINPROGRESS to be called
 * again when kma_area_settle() has been called for the last ticket.
 */
int kma_live_shrink(bool hard, bool look);

/*
 * Pages that kma_live_shrink() could release by what it has found last, and all pages of the map.
 * Any context.
 */
unsigned long kma_live_excess(void);
unsigned long kma_live_pages(void);

/* How the map is used, since kma_live_init(). */
struct kma_live_stats {
	size_t bytes;			/* memory that the map takes */
	size_t max_bytes;		/* most that it may take */
	size_t spare;			/* of @bytes, kept ready for new arrays */
	unsigned long arrays;
	unsigned long slots;		/* objects that fit into them */
	unsigned long grow_runs;	/* calls of kma_live_grow() */
	unsigned long grow_refused;	/* those that were refused memory */
	unsigned long given_back;	/* pages */
};

/* Serialised with kma_live_grow(). */
struct kma_live_stats kma_live_stats(void);

/* What follows is the inline half of an event; see account.h. */

/*
 * The array of an object's page; NULL if there is none, or the map is closed. Any context,
 * preemption off.
 */
static __always_inline struct kma_slots *kma_live_slots(const void *ptr)
{
	unsigned long d = (unsigned long)kasan_reset_tag(ptr) - KMA_LIVE_BASE, i;
	const struct kma_live_leaf *leaf;

	/* address dependencies order these reads; pairs with the releases in live.c */
	if (static_branch_unlikely(&kma_live_deep)) {
		const struct kma_live_root *root = READ_ONCE(kma_live);
		const struct kma_live_mid *mid;

		i = (u64)d >> KMA_LIVE_ROOT_SHIFT;
		if (unlikely(i >= root->nr))
			return NULL;
		mid = READ_ONCE(root->of[i]);
		leaf = READ_ONCE(mid->of[d >> KMA_LIVE_LEAF_SHIFT & (KMA_LIVE_ENTRIES - 1)]);
	} else {
		const struct kma_live_row *row = READ_ONCE(kma_live_row);

		i = d >> KMA_LIVE_LEAF_SHIFT;
		if (unlikely(i >= row->nr))
			return NULL;
		leaf = READ_ONCE(row->of[i]);
	}
	return READ_ONCE(leaf->of[d >> PAGE_SHIFT & (KMA_LIVE_ENTRIES - 1)]);
}

/*
 * May the inline half add an object of so many bytes, kma_size_is_slab()? The two bytes are read in
 * one piece. A READ_ONCE() would take x86 an instruction of its own.
 */
static __always_inline bool kma_slots_admits(const struct kma_slots *slots, size_t bytes)
{
	/* old or new: an event with the old one is one that the change waits for */
	return data_race(slots->stride == (u16)bytes);
}

/*
 * Can an object begin there? Then @index is that of its element. The offset and the phase are
 * multiples of 8, and so is each stride that is below a page. So an offset below the phase never
 * passes.
 */
static __always_inline bool kma_slots_fit(const struct kma_slots *slots, const void *ptr,
					  unsigned long *index)
{
	u32 offset = ((unsigned long)ptr & (PAGE_SIZE - 1)) - slots->phase;
	u64 recip = slots->recip, at;

	/* else x86 would extend it to 64 bits for the product, beside the 32 to compare with */
	OPTIMIZER_HIDE_VAR(recip);
	at = offset * recip;
	if ((u32)at >= (u32)recip)
		return false;
	*index = at >> 32;
	return true;
}

/* Not every CPU exchanges 16 bits. */
static __always_inline u16 kma_slot_xchg(u16 *slot, u16 class)
{
#if defined(CONFIG_X86) || defined(CONFIG_ARM64) || !defined(__KERNEL__)
	return xchg(slot, class);
#else
	u32 *word = (u32 *)((unsigned long)slot & ~3ul), was, now;
	unsigned int shift = (unsigned long)slot & 2 ? 16 : 0;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	shift ^= 16;
#endif
	do {
		was = READ_ONCE(*word);
		now = (was & ~(0xffffu << shift)) | (u32)class << shift;
	} while (cmpxchg(word, was, now) != was);
	return was >> shift;
#endif
}

#endif /* KMA_LIVE_H */
