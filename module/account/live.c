// SPDX-License-Identifier: GPL-2.0-only
/*
 * live.c - the live map: what events and readers call, and how it gets and releases memory.
 *
 * The design and the locking are in live.h.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "account/area.h"
#include "account/budget.h"
#include "account/class.h"
#include "account/key.h"
#include "account/live.h"
#include "account/lock.h"
#include "account/pool.h"

#define KMA_LIVE_LOCKS		64	/* a power of two */
#define KMA_GRID		8u	/* stride of a grid */
/*
 * What one kma_live_shrink() does: some 15 us, and in a large map a part of all. The unit is a
 * look at an entry that is empty; one at an array takes as long as 32.
 */
#define KMA_LIVE_STEP		4096
#define KMA_LIVE_PART		1024
#define KMA_LIVE_LOOK		32
#define KMA_READ_STEP		64u	/* elements that are read at once, with irqs off */
#define KMA_LIVE_DEAD		256u	/* arrays to release that wake the worker */

/* Each has a root: objects, and keys (key.h); the tail are per-CPU objects at vmalloc's end. */
enum kma_live_tree { KMA_TREE_OBJECT, KMA_TREE_PAGE, KMA_TREE_PERCPU, KMA_TREE_TAIL, KMA_NR_TREES };

/* So many elements have births and sizes together. */
#define KMA_MORE_SLOTS		128u

struct kma_more_part {
	struct kma_birth *births;
	struct kma_size *sizes;
};

/* The parts of an array; NULL members are not made yet. Used under the lock of the array's page. */
struct kma_more {
	u32 nr;
	struct kma_more_part part[];
};

#define KMA_SLOTS_IDLE		1ul	/* no object when kma_live_shrink() looked at it last */

/* What an address leads to: entries below @root at a distance, changed under @lock. */
struct kma_live_place {
	enum kma_live_tree tree;
	unsigned long distance;
	raw_spinlock_t *lock;
};

/* These stand for tables that do not exist. */
static struct kma_live_leaf kma_no_leaf;
static struct kma_live_mid kma_no_mid;
static struct kma_live_root kma_no_root;

static struct kma_live_row kma_no_row;

struct kma_live_root *kma_live __read_mostly = &kma_no_root;
struct kma_live_row *kma_live_row __read_mostly = &kma_no_row;
DEFINE_STATIC_KEY_FALSE(kma_live_deep);
bool kma_births_on __read_mostly;

static struct kma_live_root *kma_live_roots[KMA_NR_TREES] = {
	&kma_no_root, &kma_no_root, &kma_no_root, &kma_no_root,
};

/* Each has a line of its own. */
struct kma_live_lock {
	raw_spinlock_t lock;
	char byte;	/* a lock of a kernel for one CPU has none */
} ____cacheline_aligned_in_smp;

static struct kma_live_lock *kma_live_locks;

/* What kma_live_row is while the map is open. */
static struct kma_live_row *kma_live_all = &kma_no_row;

/* For the entries of roots and of the tables below them. */
static DEFINE_RAW_SPINLOCK(kma_live_top_lock);

/* A table that nobody finds any more. */
struct kma_dead_table {
	struct kma_dead_table *next;
	void *table;
};

struct kma_dead {
	struct kma_slots *slots;
	struct kma_dead_table *tables;
};

static struct {
	raw_spinlock_t lock;
	struct kma_dead now;	/* not found any more since a moment ago */
	u32 nr;			/* arrays of @now */
	struct kma_dead then;	/* since before @ticket (area.h); changed by the worker alone */
	u64 ticket;
} kma_dead = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(kma_dead.lock),
};

/* The state of the worker, and figures. */
static struct {
	void (*wake)(void);
	bool keys;		/* some addresses are keys (key.h) */
	u64 at;			/* where kma_live_shrink() continues */
	u64 ticket;		/* of the strides that it has set to 0 */
	bool tagged;
	u32 idle;		/* empty arrays that its walk has met */
	atomic_long_t arrays;
	atomic_long_t slots;
	unsigned long grow_runs;
	unsigned long grow_refused;
	unsigned long given_back;
	atomic_long_t settled;
} kma_live_state;

/* Is a table of the second level part of the row? */
static bool kma_live_in_row(const struct kma_live_mid *mid)
{
	const void *first = kma_live_all->of;

	return (const void *)mid >= first && (const void *)mid < first + kma_live_all->nr *
							       sizeof(kma_live_all->of[0]);
}

static u32 kma_slots_step(const struct kma_slots *s)
{
	return s->recip == 1 ? PAGE_SIZE : ~0u / s->recip + 1;
}

static u32 kma_slots_nr(const struct kma_slots *s)
{
	return s->recip == 1 ? 1 : (PAGE_SIZE - 1 - s->phase) / kma_slots_step(s) + 1;
}

static size_t kma_slots_bytes(u32 nr)
{
	return sizeof(struct kma_slots) + ALIGN(nr * sizeof(u16), sizeof(u64));
}

/* Only a grid has an array behind it. One of stride 8 that is being retired will do as a grid. */
static bool kma_slots_is_grid(const struct kma_slots *s)
{
	return kma_slots_step(s) == KMA_GRID && !READ_ONCE(s->stride);
}

/* Classes are read as whole words; the last word is filled up with 0. */
static bool kma_slots_empty(const struct kma_slots *s)
{
	u32 words = (kma_slots_bytes(kma_slots_nr(s)) - sizeof(*s)) / sizeof(u64), i;

	for (i = 0; i < words; i++)
		if (READ_ONCE(((const u64 *)s->class)[i]))
			return false;
	return true;
}

static struct kma_more *kma_slots_more(const struct kma_slots *s)
{
	return (struct kma_more *)(READ_ONCE(s->more) & ~KMA_SLOTS_IDLE);
}

/* Return the part of element @i; NULL if there is none and it is not to be made, or no memory. */
static struct kma_more_part *kma_slots_part(struct kma_slots *s, u32 i, bool make)
{
	struct kma_more *more = kma_slots_more(s);
	u32 nr = DIV_ROUND_UP(kma_slots_nr(s), KMA_MORE_SLOTS);

	if (!more && make) {
		more = kma_pool_get(struct_size(more, part, nr));
		if (!more)
			return NULL;
		more->nr = nr;
		/* Pairs with the address dependency in kma_slots_size(). */
		smp_store_release(&s->more, (unsigned long)more | (s->more & KMA_SLOTS_IDLE));
	}
	return more ? &more->part[i / KMA_MORE_SLOTS] : NULL;
}

/* Return the number of elements that share the part of element @i. */
static u32 kma_slots_share(const struct kma_slots *s, u32 i)
{
	return min(kma_slots_nr(s) - round_down(i, KMA_MORE_SLOTS), KMA_MORE_SLOTS);
}

/*
 * Where the sizes of an object are, if its class has none; NULL without memory for that. Who takes
 * the class of the object from the array takes its sizes, too: a size that is not 0 is in use.
 */
static struct kma_size *kma_slots_size(const struct kma_slots *s, u32 i)
{
	const struct kma_more *more = kma_slots_more(s);
	struct kma_size *sizes = more ? READ_ONCE(more->part[i / KMA_MORE_SLOTS].sizes) : NULL;

	return sizes ? &sizes[i % KMA_MORE_SLOTS] : NULL;
}

static struct kma_size kma_slots_take_size(const struct kma_slots *s, u32 i)
{
	struct kma_size *at = kma_slots_size(s, i), size = {};

	if (!at)
		return size;
	size = *at;
	/* Pairs with the smp_load_acquire() in kma_slots_put_sized(). */
	smp_store_release(&at->bytes, 0);
	return size;
}

/* With the lock held: make the part where the sizes of an object are. */
static bool kma_slots_make_size(struct kma_slots *s, u32 i)
{
	struct kma_more_part *part = kma_slots_part(s, i, true);

	if (part && !part->sizes)
		/* Pairs with the address dependency in kma_slots_size(). */
		smp_store_release(&part->sizes, kma_pool_get(kma_slots_share(s, i) *
							     sizeof(*part->sizes)));
	return part && part->sizes;
}

/* With the lock held: set the birth of an object. Without memory for it, the birth is unknown. */
static void kma_slots_set_birth(struct kma_slots *s, u32 i, const struct kma_birth *birth)
{
	bool known = birth && kma_birth_known(birth);
	struct kma_more_part *part = kma_slots_part(s, i, known);

	if (part && !part->births && known)
		part->births = kma_pool_get(kma_slots_share(s, i) * sizeof(*part->births));
	if (part && part->births)
		part->births[i % KMA_MORE_SLOTS] = known ? *birth : (struct kma_birth){};
}

static struct kma_birth kma_slots_birth(const struct kma_slots *s, u32 i)
{
	const struct kma_more *more = kma_slots_more(s);
	const struct kma_birth *births = more ? more->part[i / KMA_MORE_SLOTS].births : NULL;

	return births ? births[i % KMA_MORE_SLOTS] : (struct kma_birth){};
}

/* Describe an object, but for its birth, and its sizes if its class has none. */
static struct kma_live_object kma_live_describe(u16 class, const void *ptr)
{
	const struct kma_class c = kma_class_get(class);

	return (struct kma_live_object){
		.ptr = (unsigned long)ptr, .class = class, .site = kma_class_site_of(c),
		.group = kma_class_group_of(c), .made = kma_class_made_of(c), .size = c.size,
	};
}

struct kma_live_object kma_live_taken(const struct kma_slots *slots, u32 index, u16 class,
				      const void *ptr)
{
	struct kma_live_object o = kma_live_describe(class, ptr);

	if (kma_class_is_sized(class))
		o.size = kma_slots_take_size(slots, index);
	return o;
}

/* Credit an object that was taken from the map, and whose free nobody has seen. */
static void kma_slots_credit(const struct kma_slots *s, u32 i, u16 class)
{
	const struct kma_live_object o = kma_live_taken(s, i, class, NULL);

	kma_class_credit(class, o.size);
	atomic_long_add(1, &kma_live_state.settled);
}

/* Make an array for the page of an object. */
static struct kma_slots *kma_slots_make(unsigned long offset, u32 bytes)
{
	struct kma_slots head = { .recip = 1, .phase = offset }, *s;

	if (bytes < PAGE_SIZE) {
		head.recip = ~0u / bytes + 1;
		head.phase = offset % bytes;
	}
	s = kma_pool_get(kma_slots_bytes(kma_slots_nr(&head)));
	if (!s)
		return NULL;
	*s = head;
	atomic_long_add(1, &kma_live_state.arrays);
	atomic_long_add(kma_slots_nr(s), &kma_live_state.slots);
	return s;
}

static void kma_slots_free_births(struct kma_slots *s)
{
	struct kma_more *more = kma_slots_more(s);
	u32 i;

	for (i = 0; more && i < more->nr; i++) {
		if (more->part[i].births)
			kma_pool_put(more->part[i].births);
		more->part[i].births = NULL;
	}
}

static void kma_slots_free(struct kma_slots *s)
{
	struct kma_more *more = kma_slots_more(s);
	u32 i;

	kma_slots_free_births(s);
	for (i = 0; more && i < more->nr; i++)
		if (more->part[i].sizes)
			kma_pool_put(more->part[i].sizes);
	if (more)
		kma_pool_put(more);
	atomic_long_add(-1, &kma_live_state.arrays);
	atomic_long_add(-(long)kma_slots_nr(s), &kma_live_state.slots);
	kma_pool_put(s);
}

/* An array, and the one behind it, are not found any more: release them after a grace period. */
static void kma_slots_bury(struct kma_slots *s)
{
	struct kma_slots *behind = s->next;

	kma_lock(&kma_dead.lock);
	s->next = kma_dead.now.slots;
	kma_dead.now.slots = s;
	if (behind) {
		behind->next = s;
		kma_dead.now.slots = behind;
	}
	WRITE_ONCE(kma_dead.nr, kma_dead.nr + 1);
	kma_unlock(&kma_dead.lock);
}

#ifdef CONFIG_64BIT
/* Keys of per-CPU objects in vmalloc's range lie below its end: their distance is from there. */
#define KMA_TAIL_END		(BIT(KMA_KEY_VMALLOC_BIT) - 8)

static enum kma_live_tree kma_live_tree(unsigned long *distance)
{
	if (!kma_live_state.keys || !(*distance & BIT(KMA_KEY_BIT)))
		return KMA_TREE_OBJECT;
	*distance &= BIT(KMA_KEY_BIT) - 1;
	if (*distance & BIT(KMA_KEY_VMALLOC_BIT)) {
		*distance = KMA_TAIL_END - (*distance & (BIT(KMA_KEY_VMALLOC_BIT) - 1));
		return KMA_TREE_TAIL;
	}
	if (!(*distance & BIT(KMA_KEY_PERCPU_BIT)))
		return KMA_TREE_PAGE;
	*distance &= BIT(KMA_KEY_PERCPU_BIT) - 1;
	return KMA_TREE_PERCPU;
}

static unsigned long kma_live_address(enum kma_live_tree tree, unsigned long distance)
{
	static const unsigned long bits[KMA_NR_TREES] = {
		[KMA_TREE_PAGE] = BIT(KMA_KEY_BIT),
		[KMA_TREE_PERCPU] = BIT(KMA_KEY_BIT) | BIT(KMA_KEY_PERCPU_BIT),
		[KMA_TREE_TAIL] = BIT(KMA_KEY_BIT) | BIT(KMA_KEY_VMALLOC_BIT),
	};

	if (tree == KMA_TREE_TAIL)
		distance = KMA_TAIL_END - distance;
	return KMA_LIVE_BASE + (bits[tree] | distance);
}
#else
/* All keys are in one tree. */
static enum kma_live_tree kma_live_tree(unsigned long *distance)
{
	return KMA_TREE_OBJECT;
}

static unsigned long kma_live_address(enum kma_live_tree tree, unsigned long distance)
{
	return distance;
}
#endif

static raw_spinlock_t *kma_live_lock(unsigned long distance)
{
	return &kma_live_locks[(distance >> KMA_LIVE_LEAF_SHIFT) % KMA_LIVE_LOCKS].lock;
}

static unsigned long kma_live_top(unsigned long distance)
{
	return (u64)distance >> KMA_LIVE_ROOT_SHIFT;
}

bool kma_live_holds(const void *ptr)
{
	unsigned long distance = (unsigned long)kasan_reset_tag(ptr) - KMA_LIVE_BASE;

	return kma_live_top(distance) < kma_live_roots[KMA_TREE_OBJECT]->nr;
}

/* Return false if the map has no place for an address: a wild one, or one that is not aligned. */
static bool kma_live_find(const void *ptr, struct kma_live_place *p)
{
	p->distance = (unsigned long)kasan_reset_tag(ptr) - KMA_LIVE_BASE;
	p->tree = kma_live_tree(&p->distance);
	p->lock = kma_live_lock(p->distance);
	return kma_live_top(p->distance) < kma_live_roots[p->tree]->nr && !(p->distance % KMA_GRID);
}

/* What kma_slots_fit() takes: the offset of a key is that of its distance. */
static const void *kma_live_offset(const struct kma_live_place *p)
{
	return (const void *)p->distance;
}

/* Return the entry of a page; NULL if its tables do not exist. */
static struct kma_slots **kma_live_entry(enum kma_live_tree tree, unsigned long distance)
{
	struct kma_live_root *root = kma_live_roots[tree];
	struct kma_live_mid *mid = READ_ONCE(root->of[kma_live_top(distance)]);
	struct kma_live_leaf *leaf =
		READ_ONCE(mid->of[distance >> KMA_LIVE_LEAF_SHIFT & (KMA_LIVE_ENTRIES - 1)]);

	return leaf == &kma_no_leaf ? NULL :
	       &leaf->of[distance >> PAGE_SHIFT & (KMA_LIVE_ENTRIES - 1)];
}

static struct kma_slots *kma_live_at(const struct kma_live_place *p)
{
	struct kma_slots **entry = kma_live_entry(p->tree, p->distance);

	return entry ? READ_ONCE(*entry) : NULL;
}

/* With the lock of the address held: make the tables that lead to it. */
static bool kma_live_make_tables(const struct kma_live_place *p)
{
	struct kma_live_mid **mid = &kma_live_roots[p->tree]->of[kma_live_top(p->distance)], *new;
	struct kma_live_leaf *leaf;
	unsigned long i;

	kma_lock(&kma_live_top_lock);
	if (*mid == &kma_no_mid) {
		new = kma_pool_get_page();
		for (i = 0; new && i < KMA_LIVE_ENTRIES; i++)
			new->of[i] = &kma_no_leaf;
		if (new)
			/* Pairs with the address dependency in kma_live_slots(). */
			smp_store_release(mid, new);
	}
	kma_unlock(&kma_live_top_lock);
	if (READ_ONCE(*mid) == &kma_no_mid)
		return false;
	leaf = kma_pool_get_page();
	if (leaf)
		/* Pairs with the address dependency in kma_live_slots(). */
		smp_store_release(&(*mid)->of[p->distance >> KMA_LIVE_LEAF_SHIFT &
					      (KMA_LIVE_ENTRIES - 1)], leaf);
	return leaf;
}

/* With the lock held: return the array of a page and publish it, if @bytes suit what it has. */
static struct kma_slots *kma_live_suit(const struct kma_live_place *p, u32 bytes)
{
	struct kma_slots **entry = kma_live_entry(p->tree, p->distance), *s, *new;
	unsigned long offset = p->distance & (PAGE_SIZE - 1), index;
	bool fits;

	if (!entry) {
		if (!kma_live_make_tables(p))
			return NULL;
		entry = kma_live_entry(p->tree, p->distance);
	}
	s = *entry;
	fits = s && kma_slots_fit(s, kma_live_offset(p), &index);
	if (fits && kma_slots_step(s) == min_t(u32, bytes, PAGE_SIZE))
		return s;
	/*
	 * A grid stays until the worker retires it: if each event replaced the array of a page, all
	 * memory would wait for a grace period. The same stride with another phase gets one, too: a
	 * page has one place in the slabs of an order, so this is rare.
	 */
	if (!s || (!kma_slots_is_grid(s) && kma_slots_empty(s) &&
		   kma_slots_step(s) != min_t(u32, bytes, PAGE_SIZE))) {
		new = kma_slots_make(offset, bytes);
	} else {
		if (fits)
			return s;
		new = kma_slots_make(0, KMA_GRID);
		if (new)
			new->next = s;
	}
	if (!new)
		return fits ? s : NULL;
	/* Publishes the head; pairs with the address dependency in kma_live_slots(). */
	smp_store_release(entry, new);
	if (s && !new->next) {
		kma_slots_bury(s);
		if (READ_ONCE(kma_dead.nr) > KMA_LIVE_DEAD)
			kma_live_state.wake();
	}
	return new;
}

/* Let the inline half add objects of these bytes, unless it would not see what is behind a grid. */
static void kma_slots_admit(struct kma_slots *s, size_t bytes)
{
	if (s->stride != bytes && kma_size_is_slab(bytes) && !s->next &&
	    kma_slots_step(s) == min_t(u32, bytes, PAGE_SIZE)) {
		WRITE_ONCE(s->more, s->more & ~KMA_SLOTS_IDLE);
		WRITE_ONCE(s->stride, bytes);
	}
}

/*
 * Store the sizes of an object, and then its class. What was in the array is taken first, as by a
 * free: its sizes were in the same place. Sizes that are still there belong to a CPU that has taken
 * their class a moment ago: after a double free, the object may be allocated again by then.
 */
static enum kma_live_found kma_slots_put_sized(struct kma_slots *s, u32 i, const void *ptr,
					       u16 class, struct kma_size size,
					       struct kma_live_object *old)
{
	u16 before = kma_slot_xchg(&s->class[i], 0), again;
	struct kma_size *at = kma_slots_size(s, i);

	if (before)
		*old = kma_live_taken(s, i, before, ptr);
	/* Pairs with the smp_store_release() in kma_slots_take_size(). */
	if (unlikely(smp_load_acquire(&at->bytes))) {
		if (before)
			kma_slots_credit(s, i, before);
		return KMA_LIVE_FULL;
	}
	*at = size;
	again = kma_slot_xchg(&s->class[i], class);
	/* two allocations of one object at once, which no allocator has without a double free */
	if (unlikely(again))
		kma_slots_credit(s, i, again);
	return before ? KMA_LIVE_OLD : KMA_LIVE_NONE;
}

/* With the lock held: store an object. Return what the array had. */
static enum kma_live_found kma_slots_put(struct kma_slots *s, u32 i, const void *ptr, u16 class,
					 struct kma_size size, struct kma_live_object *old)
{
	u16 before;

	if (kma_class_is_sized(class))
		return kma_slots_make_size(s, i) ?
		       kma_slots_put_sized(s, i, ptr, class, size, old) : KMA_LIVE_FULL;
	before = kma_slot_xchg(&s->class[i], class);
	if (likely(!before))
		return KMA_LIVE_NONE;
	*old = kma_live_taken(s, i, before, ptr);
	return KMA_LIVE_OLD;
}

static bool kma_slots_take(struct kma_slots *s, const struct kma_live_place *p, const void *ptr,
			   struct kma_live_object *o)
{
	unsigned long i;
	u16 class;

	if (!kma_slots_fit(s, kma_live_offset(p), &i))
		return false;
	class = kma_slot_xchg(&s->class[i], 0);
	if (!class)
		return false;
	*o = kma_live_taken(s, i, class, ptr);
	o->birth = kma_slots_birth(s, i);
	return true;
}

enum kma_live_found kma_live_put(const void *ptr, u16 class, struct kma_size size,
				 const struct kma_birth *birth, struct kma_live_object *old)
{
	enum kma_live_found found = KMA_LIVE_FULL;
	struct kma_live_place p;
	unsigned long i = 0;
	struct kma_slots *s;
	u32 bytes;

	if (!kma_live_find(ptr, &p))
		return KMA_LIVE_NO_PLACE;
	bytes = min_t(size_t, kma_size_bytes(size), PAGE_SIZE);
	if (!bytes || bytes % KMA_GRID || KMA_MIXED_SLABS || !kma_key_is_object((unsigned long)ptr))
		bytes = KMA_GRID;
	kma_lock(p.lock);
	s = kma_live_suit(&p, bytes);
	if (likely(s)) {
		kma_slots_fit(s, kma_live_offset(&p), &i);
		found = kma_slots_put(s, i, ptr, class, size, old);
		if (found != KMA_LIVE_FULL)
			kma_slots_set_birth(s, i, birth);
		if (found != KMA_LIVE_FULL && s->next && kma_slots_take(s->next, &p, ptr, old))
			found = KMA_LIVE_OLD;
		if (kma_key_is_object((unsigned long)ptr))
			kma_slots_admit(s, kma_size_bytes(size));
	}
	kma_unlock(p.lock);
	return found;
}

bool kma_live_take(const void *ptr, struct kma_live_object *o)
{
	struct kma_live_place p;
	struct kma_slots *s;
	bool found = false;

	if (!kma_live_find(ptr, &p))
		return false;
	kma_lock(p.lock);
	for (s = kma_live_at(&p); s && !found; s = s->next)
		found = kma_slots_take(s, &p, ptr, o);
	kma_unlock(p.lock);
	return found;
}

/* With the lock held: describe the object of an element. Return false if there is none. */
static bool kma_slots_look(const struct kma_slots *s, u32 i, unsigned long ptr,
			   struct kma_live_object *o)
{
	u16 class = READ_ONCE(s->class[i]);
	const struct kma_size *size;

	if (!class)
		return false;
	*o = kma_live_describe(class, (void *)ptr);
	o->birth = kma_slots_birth(s, i);
	if (!kma_class_is_sized(class))
		return true;
	size = kma_slots_size(s, i);
	o->size.req = size->req;
	o->size.bytes = READ_ONCE(size->bytes);
	/* 0 if the object is being freed */
	return o->size.bytes;
}

bool kma_live_look(const void *ptr, struct kma_live_object *o)
{
	struct kma_live_place p;
	struct kma_slots *s;
	bool found = false;
	unsigned long i;

	if (!kma_live_is_open() || !kma_live_find(ptr, &p))
		return false;
	kma_lock(p.lock);
	for (s = kma_live_at(&p); s && !found; s = s->next)
		found = kma_slots_fit(s, kma_live_offset(&p), &i) &&
			kma_slots_look(s, i, (unsigned long)ptr, o);
	kma_unlock(p.lock);
	return found;
}

/* The position of a walk: a tree, and the number of a page in it. */
#define KMA_AT_SHIFT		56
#define KMA_AT(tree, page)	((u64)(tree) << KMA_AT_SHIFT | (page))

static enum kma_live_tree kma_at_tree(u64 at)
{
	return at >> KMA_AT_SHIFT;
}

static unsigned long kma_at_distance(u64 at)
{
	return (at & (BIT_ULL(KMA_AT_SHIFT) - 1)) << PAGE_SHIFT;
}

/* Return the first page of a tree, at or after @page, that has an array; ~0 if there is none. */
static u64 kma_live_next_in(enum kma_live_tree tree, u64 page)
{
	const struct kma_live_root *root = kma_live_roots[tree];
	u64 end = (u64)root->nr << (2 * KMA_LIVE_BITS);

	while (page < end) {
		const struct kma_live_mid *mid = READ_ONCE(root->of[page >> (2 * KMA_LIVE_BITS)]);
		const struct kma_live_leaf *leaf;

		if (mid == &kma_no_mid) {
			page = round_up(page + 1, BIT_ULL(2 * KMA_LIVE_BITS));
			continue;
		}
		leaf = READ_ONCE(mid->of[page >> KMA_LIVE_BITS & (KMA_LIVE_ENTRIES - 1)]);
		if (leaf == &kma_no_leaf) {
			page = round_up(page + 1, BIT_ULL(KMA_LIVE_BITS));
			continue;
		}
		if (READ_ONCE(leaf->of[page & (KMA_LIVE_ENTRIES - 1)]))
			return page;
		page++;
	}
	return ~0ull;
}

u64 kma_live_next(u64 at)
{
	enum kma_live_tree tree = kma_at_tree(at);
	u64 page = at & (BIT_ULL(KMA_AT_SHIFT) - 1);

	for (; (unsigned int)tree < KMA_NR_TREES; tree++, page = 0) {
		page = kma_live_next_in(tree, page);
		if (page != ~0ull)
			return KMA_AT(tree, page);
	}
	return KMA_LIVE_END;
}

/* Copy the objects that begin at an offset from @from to @to. Return @n and their number. */
static u32 kma_slots_read(const struct kma_slots *s, u64 at, unsigned long from, unsigned long to,
			  struct kma_live_object *buf, u32 n, u32 max)
{
	u32 step = kma_slots_step(s), i = DIV_ROUND_UP(max_t(u32, from, s->phase) - s->phase, step);
	struct kma_live_object o;

	for (; i < kma_slots_nr(s) && s->phase + i * step < to; i++) {
		unsigned long ptr = kma_live_address(kma_at_tree(at), kma_at_distance(at) +
						     s->phase + i * step);

		if (!READ_ONCE(s->class[i]) || !kma_slots_look(s, i, ptr, &o))
			continue;
		if (n++ < max)
			buf[n - 1] = o;
	}
	return n;
}

/* In steps, between which interrupts are on: a page of 64 KiB may have 8,192 objects. */
u32 kma_live_read(u64 at, struct kma_live_object *buf, u32 max)
{
	unsigned long from = 0, to, flags;
	raw_spinlock_t *lock = kma_live_lock(kma_at_distance(at));
	struct kma_slots **entry, *s;
	u32 n = 0;

	for (; from < PAGE_SIZE; from = to) {
		kma_lock_irqsave(lock, flags);
		entry = kma_live_entry(kma_at_tree(at), kma_at_distance(at));
		s = entry ? *entry : NULL;
		to = s ? from + KMA_READ_STEP * kma_slots_step(s) : PAGE_SIZE;
		for (; s; s = s->next)
			n = kma_slots_read(s, at, from, to, buf, n, max);
		kma_unlock_irqrestore(lock, flags);
	}
	return n;
}

/* No event can find an array any more: what is left in it was freed without an event. */
static __cold void kma_slots_settle(struct kma_slots *s)
{
	u32 nr = kma_slots_nr(s), i;
	unsigned long flags;

	for (i = 0; i < nr; i++) {
		u16 class = READ_ONCE(s->class[i]);

		if (!class)
			continue;
		local_irq_save(flags);
		kma_slots_credit(s, i, class);
		local_irq_restore(flags);
	}
}

static __cold void kma_dead_free(struct kma_dead *dead, bool settle)
{
	while (dead->slots) {
		struct kma_slots *s = dead->slots;

		dead->slots = s->next;
		if (settle)
			kma_slots_settle(s);
		kma_slots_free(s);
		cond_resched();
	}
	while (dead->tables) {
		struct kma_dead_table *t = dead->tables;

		dead->tables = t->next;
		kma_pool_put_page(t->table);
		kma_pool_put(t);
	}
}

/* Release what is not found any more, in two steps. Return true if something is left. */
static __cold bool kma_dead_reap(void)
{
	unsigned long flags;

	if (!kma_area_passed(kma_dead.ticket))
		return true;
	kma_dead_free(&kma_dead.then, true);
	kma_lock_irqsave(&kma_dead.lock, flags);
	kma_dead.then = kma_dead.now;
	kma_dead.now = (struct kma_dead){};
	WRITE_ONCE(kma_dead.nr, 0);
	kma_unlock_irqrestore(&kma_dead.lock, flags);
	if (!kma_dead.then.slots && !kma_dead.then.tables)
		return false;
	kma_dead.ticket = kma_area_publish();
	return true;
}

unsigned long kma_live_settled(void)
{
	return atomic_long_read(&kma_live_state.settled);
}

__cold int kma_live_grow(void)
{
	bool left = kma_dead_reap();
	int err = kma_pool_refill();

	if (!err && left)
		return -EAGAIN;
	kma_live_state.grow_runs++;
	kma_live_state.grow_refused += err == -ENOMEM;
	return err;
}

/*
 * One look at an array. A stride of 0 has been so since an earlier walk, and so for a grace period,
 * or else only events with the lock add objects to the array.
 */
static __cold void kma_live_retire(struct kma_slots **entry, bool hard, bool look)
{
	struct kma_slots *s = *entry;

	if (!kma_slots_empty(s) || (s->next && !kma_slots_empty(s->next))) {
		if (s->more & KMA_SLOTS_IDLE)
			WRITE_ONCE(s->more, s->more & ~KMA_SLOTS_IDLE);
		return;
	}
	kma_live_state.idle++;
	if (!s->stride) {
		WRITE_ONCE(*entry, NULL);
		kma_slots_bury(s);
	} else if (look && (hard || s->more & KMA_SLOTS_IDLE)) {
		WRITE_ONCE(s->stride, 0);
		kma_live_state.tagged = true;
	} else if (look) {
		WRITE_ONCE(s->more, s->more | KMA_SLOTS_IDLE);
	}
}

/* Retire a table of the last level if it has no entry; without memory for that, it stays. */
static __cold void kma_live_retire_leaf(struct kma_live_leaf **at)
{
	struct kma_live_leaf *leaf = *at;
	struct kma_dead_table *dead;
	unsigned long i;

	for (i = 0; i < KMA_LIVE_ENTRIES; i++)
		if (leaf->of[i])
			return;
	dead = kma_pool_get(sizeof(*dead));
	if (!dead)
		return;
	WRITE_ONCE(*at, &kma_no_leaf);
	dead->table = leaf;
	kma_lock(&kma_dead.lock);
	dead->next = kma_dead.now.tables;
	kma_dead.now.tables = dead;
	kma_unlock(&kma_dead.lock);
}

/* Look at arrays of a last table from @at on, while @left is positive. Return where to go on. */
static __cold u64 kma_live_shrink_leaf(u64 at, long *left, bool hard, bool look)
{
	unsigned long distance = kma_at_distance(at), flags;
	raw_spinlock_t *lock = kma_live_lock(distance);
	struct kma_live_mid *mid = kma_live_roots[kma_at_tree(at)]->of[kma_live_top(distance)];
	unsigned long number = distance >> KMA_LIVE_LEAF_SHIFT & (KMA_LIVE_ENTRIES - 1);
	struct kma_live_leaf *leaf = mid->of[number];
	u64 end = round_up(at + 1, (u64)KMA_LIVE_ENTRIES);

	for (; at < end; at++, --*left) {
		struct kma_slots **entry = &leaf->of[at & (KMA_LIVE_ENTRIES - 1)];

		if (!READ_ONCE(*entry))
			continue;
		/* not before: without a look at its end an empty table would stay */
		if (*left <= 0)
			return at;
		*left -= KMA_LIVE_LOOK;
		kma_lock_irqsave(lock, flags);
		kma_live_retire(entry, hard, look);
		kma_unlock_irqrestore(lock, flags);
	}
	kma_lock_irqsave(lock, flags);
	kma_live_retire_leaf(&mid->of[number]);
	kma_unlock_irqrestore(lock, flags);
	return at;
}

__cold int kma_live_shrink(bool hard, bool look)
{
	long all = atomic_long_read(&kma_live_state.arrays);
	long step = max_t(long, all / KMA_LIVE_PART * KMA_LIVE_LOOK, KMA_LIVE_STEP);
	bool left;

	/* before a walk, and between two walks of which the first has set strides to 0 */
	if (!kma_area_passed(kma_live_state.ticket))
		return -EINPROGRESS;
	/* there is much to give back: 2 ms at a time */
	if (kma_live_state.idle > all / 16)
		step = max_t(long, step, KMA_LIVE_STEP << 7);
	while (step > 0) {
		kma_live_state.at = kma_live_next(kma_live_state.at);
		if (kma_live_state.at == KMA_LIVE_END)
			break;
		kma_live_state.at = kma_live_shrink_leaf(kma_live_state.at, &step, hard, look);
	}
	if (kma_live_state.at != KMA_LIVE_END)
		return -EAGAIN;
	kma_live_state.at = 0;
	kma_live_state.idle = 0;
	left = kma_dead_reap();
	if (kma_live_state.tagged) {
		kma_live_state.tagged = false;
		kma_live_state.ticket = kma_area_publish();
		left = true;
	}
	kma_live_state.given_back += kma_pool_release(hard);
	return left ? -EINPROGRESS : 0;
}

__cold unsigned long kma_live_excess(void)
{
	return kma_pool_excess();
}

__cold unsigned long kma_live_pages(void)
{
	return kma_pool_stats().pages;
}

/* Call a function for each array. The map is serialised with the worker. */
static __cold void kma_live_each(void (*fn)(struct kma_slots **entry))
{
	unsigned long flags;
	u64 at;

	for (at = kma_live_next(0); at != KMA_LIVE_END; at = kma_live_next(at + 1)) {
		unsigned long distance = kma_at_distance(at);
		raw_spinlock_t *lock = kma_live_lock(distance);
		struct kma_slots **entry;

		kma_lock_irqsave(lock, flags);
		entry = kma_live_entry(kma_at_tree(at), distance);
		if (entry && *entry)
			fn(entry);
		kma_unlock_irqrestore(lock, flags);
		cond_resched();
	}
}

static __cold void kma_live_drop_births(struct kma_slots **entry)
{
	struct kma_slots *s;

	for (s = *entry; s; s = s->next)
		kma_slots_free_births(s);
}

/* Births are used with the lock held only, so nobody has one when the lock is released. */
__cold void kma_live_detach(void)
{
	kma_live_each(kma_live_drop_births);
}

static __cold void kma_live_drop(struct kma_slots **entry)
{
	struct kma_slots *s = *entry, *behind = s->next;

	WRITE_ONCE(*entry, NULL);
	if (behind)
		kma_slots_free(behind);
	kma_slots_free(s);
}

/* Release the tables below a root, but for those of the row. */
static __cold void kma_live_drop_tables(struct kma_live_root *root)
{
	unsigned long i, j;

	for (i = 0; i < root->nr; i++) {
		struct kma_live_mid *mid = root->of[i];

		if (mid == &kma_no_mid)
			continue;
		for (j = 0; j < KMA_LIVE_ENTRIES; j++) {
			if (mid->of[j] != &kma_no_leaf)
				kma_pool_put_page(mid->of[j]);
			mid->of[j] = &kma_no_leaf;
		}
		if (!kma_live_in_row(mid)) {
			root->of[i] = &kma_no_mid;
			kma_pool_put_page(mid);
		}
		cond_resched();
	}
}

__cold void kma_live_reset(void)
{
	int tree;

	kma_live_each(kma_live_drop);
	for (tree = 0; tree < KMA_NR_TREES; tree++)
		kma_live_drop_tables(kma_live_roots[tree]);
	kma_dead_free(&kma_dead.then, false);
	kma_dead_free(&kma_dead.now, false);
	kma_dead.nr = 0;
	kma_live_state.at = 0;
	atomic_long_set(&kma_live_state.settled, 0);
	kma_live_state.tagged = false;
	/* before the worker has run, the reserve is that of the start, which events at boot need */
	if (kma_live_state.grow_runs)
		kma_live_state.given_back += kma_pool_release(true);
}

__cold void kma_live_open(void)
{
	/* Publishes the tables; pairs with the address dependency in kma_live_slots(). */
	smp_store_release(&kma_live, kma_live_roots[KMA_TREE_OBJECT]);
	/* Publishes the row; pairs with the same. */
	smp_store_release(&kma_live_row, kma_live_all);
}

__cold void kma_live_close(void)
{
	WRITE_ONCE(kma_live_row, &kma_no_row);
	WRITE_ONCE(kma_live, &kma_no_root);
}

static __cold size_t kma_root_bytes(unsigned long nr)
{
	return sizeof(struct kma_live_root) + nr * sizeof(struct kma_live_mid *);
}

static __cold int kma_root_make(enum kma_live_tree tree, u64 distances)
{
	unsigned long nr = kma_live_top(min_t(u64, distances - 1, ~0ul)) + 1, i;
	struct kma_live_root *root = kma_budget_zalloc(kma_root_bytes(nr), NUMA_NO_NODE);

	if (!root)
		return -ENOMEM;
	root->nr = nr;
	for (i = 0; i < nr; i++)
		root->of[i] = &kma_no_mid;
	kma_live_roots[tree] = root;
	return 0;
}

static __cold size_t kma_row_bytes(unsigned long nr)
{
	return sizeof(struct kma_live_row) + nr * sizeof(struct kma_live_leaf *);
}

/* Make the tables of the second level for the lowest @distances, in a row. */
static __cold int kma_row_make(u64 distances)
{
	struct kma_live_root *root = kma_live_roots[KMA_TREE_OBJECT];
	unsigned long nr = min(kma_live_top(distances - 1) + 1, root->nr) << KMA_LIVE_BITS, i;
	struct kma_live_row *row = kma_budget_zalloc(kma_row_bytes(nr), NUMA_NO_NODE);

	if (!row)
		return -ENOMEM;
	row->nr = nr;
	for (i = 0; i < nr; i++) {
		root->of[i >> KMA_LIVE_BITS] =
			(struct kma_live_mid *)&row->of[i & ~(KMA_LIVE_ENTRIES - 1ul)];
		row->of[i] = &kma_no_leaf;
	}
	kma_live_all = row;
	return 0;
}

/* The memory that is there, as much again for what is added, and 512 GiB at least. */
#ifdef CONFIG_64BIT
static __cold int kma_roots_make(void)
{
	u64 end = (unsigned long)high_memory - KMA_LIVE_BASE, most = BIT_ULL(KMA_KEY_BIT);
	u64 room = min(max(2 * end, end + BIT_ULL(39)), kma_live_state.keys ? most : 2 * most);
	u64 pages = (u64)__pa((unsigned long)high_memory - 1) + PAGE_SIZE;
	u64 percpu = BIT_ULL(KMA_KEY_PERCPU_BIT);
	bool deep = end > KMA_LIVE_FLAT;

	if (deep)
		static_branch_enable(&kma_live_deep);
	return kma_root_make(KMA_TREE_OBJECT, room) ?: (deep ? 0 : kma_row_make(2 * end)) ?:
	       kma_root_make(KMA_TREE_PAGE, min((2 * pages + BIT_ULL(39)) >>
						(PAGE_SHIFT - KMA_KEY_SHIFT), percpu)) ?:
	       kma_root_make(KMA_TREE_PERCPU, min(2 * room, percpu)) ?:
	       kma_root_make(KMA_TREE_TAIL, min(2 * room, 2 * percpu));
}
#else
static __cold int kma_roots_make(void)
{
	return kma_root_make(KMA_TREE_OBJECT, BIT_ULL(32)) ?: kma_row_make(BIT_ULL(32));
}
#endif

#define KMA_LOCKS_BYTES		(KMA_LIVE_LOCKS * sizeof(struct kma_live_lock))

static __cold int kma_locks_make(void)
{
	int i;

	kma_live_locks = kma_budget_zalloc(KMA_LOCKS_BYTES, NUMA_NO_NODE);
	if (!kma_live_locks)
		return -ENOMEM;
	for (i = 0; i < KMA_LIVE_LOCKS; i++)
		raw_spin_lock_init(&kma_live_locks[i].lock);
	return 0;
}

__cold int kma_live_init(unsigned long max_bytes, void (*wake)(void))
{
	unsigned long i;
	int err;

	BUILD_BUG_ON(sizeof(struct kma_live_leaf) != PAGE_SIZE);
	kma_direct_init();
	if (!kma_direct_fits(KMA_PTR_BITS))
		return -EOPNOTSUPP;
	for (i = 0; i < KMA_LIVE_ENTRIES; i++)
		kma_no_mid.of[i] = &kma_no_leaf;
	memset(&kma_live_state, 0, sizeof(kma_live_state));
	kma_live_state.wake = wake;
	kma_live_state.keys = kma_key_fits();
	kma_pool_init(max_bytes >> PAGE_SHIFT, wake);
	err = kma_locks_make() ?: kma_roots_make();
	/* a smaller reserve will do: the worker goes on */
	if (!err && kma_pool_refill() == -ENOMEM) {
		kma_live_state.grow_refused++;
		err = kma_pool_stats().spare < KMA_POOL_LEAST ? -ENOMEM : 0;
	}
	if (err)
		kma_live_deinit();
	return err;
}

__cold void kma_live_deinit(void)
{
	int tree;

	kma_live_close();
	kma_live_reset();
	kma_area_drain();
	for (tree = 0; tree < KMA_NR_TREES; tree++) {
		struct kma_live_root *root = kma_live_roots[tree];

		kma_live_roots[tree] = &kma_no_root;
		if (root != &kma_no_root)
			kma_budget_free(root, kma_root_bytes(root->nr));
	}
	if (kma_live_all != &kma_no_row)
		kma_budget_free(kma_live_all, kma_row_bytes(kma_live_all->nr));
	kma_live_all = &kma_no_row;
	static_branch_disable(&kma_live_deep);
	kma_budget_free(kma_live_locks, KMA_LOCKS_BYTES);
	kma_live_locks = NULL;
	kma_pool_deinit();
}

struct kma_live_stats kma_live_stats(void)
{
	const struct kma_pool_stats pool = kma_pool_stats();
	size_t roots = kma_live_all == &kma_no_row ? 0 : kma_row_bytes(kma_live_all->nr);
	int tree;

	for (tree = 0; tree < KMA_NR_TREES; tree++)
		if (kma_live_roots[tree] != &kma_no_root)
			roots += kma_root_bytes(kma_live_roots[tree]->nr);
	return (struct kma_live_stats){
		.bytes = roots + (pool.pages << PAGE_SHIFT),
		.max_bytes = roots + (pool.max << PAGE_SHIFT),
		.spare = pool.spare << PAGE_SHIFT,
		.arrays = atomic_long_read(&kma_live_state.arrays),
		.slots = atomic_long_read(&kma_live_state.slots),
		.grow_runs = kma_live_state.grow_runs,
		.grow_refused = kma_live_state.grow_refused,
		.given_back = kma_live_state.given_back,
	};
}
