// SPDX-License-Identifier: GPL-2.0-only
/*
 * sized.c - objects whose sizes are in the live map.
 *
 * The design is in sized.h.
 */
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/percpu.h>

#include "account/sized.h"
#include "account/word.h"

#define KMA_SIZED_PARTS		3
#define KMA_SIZED_BITS		14	/* bits of a part */

static DEFINE_PER_CPU(u64, kma_sized_losses) __aligned(8);

static const void *kma_sized_address(const void *ptr, unsigned int part)
{
	return ptr + ((part + 1ul) << KMA_PTR_SHIFT);
}

bool kma_sized_put(const void *ptr, struct kma_size size, kma_sized_fn replaced)
{
	u64 bits = (u32)size.bytes << 16 | size.req;
	unsigned int i;

	for (i = 0; i < KMA_SIZED_PARTS; i++, bits >>= KMA_SIZED_BITS) {
		const void *at = kma_sized_address(ptr, i);
		u16 part = KMA_LIVE_PART | (bits & ((1u << KMA_SIZED_BITS) - 1));
		struct kma_live_entry old;
		struct kma_bucket *home;
		u32 head;

		home = kma_live_relock(at, &head);
		old = kma_live_put(home, head, at, part, NULL);
		if (old.found == KMA_LIVE_FULL)
			break;
		if (old.found == KMA_LIVE_OLD)
			replaced(old.class, at);
	}
	if (i == KMA_SIZED_PARTS)
		return true;
	while (i--)
		kma_live_part(kma_sized_address(ptr, i), true);
	return false;
}

bool kma_sized_get(const void *ptr, struct kma_size *size, bool take)
{
	u64 bits = 0;
	bool all = true;
	int i;

	for (i = 0; i < KMA_SIZED_PARTS; i++) {
		u64 part = kma_live_part(kma_sized_address(ptr, i), take);

		all &= !!part;
		bits |= (part & ((1u << KMA_SIZED_BITS) - 1)) << (i * KMA_SIZED_BITS);
	}
	if (!all)
		bits = 0;
	*size = (struct kma_size){ .bytes = bits >> 16, .req = bits };
	return all;
}

/* Set the members of an object that its class knows, from one reading of the class. */
static void kma_object_describe(struct kma_live_object *o)
{
	struct kma_class c = kma_class_get(o->class);

	o->site = kma_class_site_of(c);
	o->group = kma_class_group_of(c);
	o->made = kma_class_made_of(c);
	o->size = c.size;
}

struct kma_size kma_sized_take(unsigned int class, const void *ptr)
{
	struct kma_size size;

	if (likely(!kma_class_is_sized(class)))
		return kma_class_size(class);
	if (!kma_sized_get(ptr, &size, true))
		kma_cpu_add(kma_sized_losses, 1);
	return size;
}

u64 kma_sized_lost(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += kma_word_get(&per_cpu(kma_sized_losses, cpu));
	return sum;
}

void kma_sized_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kma_word_set(&per_cpu(kma_sized_losses, cpu), 0);
}

/* Return false if @o is not an object, or if it was freed since its bucket was read. */
static bool kma_object_fill(struct kma_live_object *o)
{
	unsigned long flags;
	bool found;

	if (o->class >= KMA_LIVE_PART)
		return false;
	kma_object_describe(o);
	if (!kma_class_is_sized(o->class))
		return true;
	local_irq_save(flags);
	found = kma_sized_get((void *)o->ptr, &o->size, false);
	local_irq_restore(flags);
	return found;
}

struct kma_live_object kma_object_removed(unsigned int class, const void *ptr)
{
	struct kma_live_object o = { .ptr = (unsigned long)ptr, .class = class };

	kma_object_describe(&o);
	o.size = kma_sized_take(class, ptr);
	return o;
}

bool kma_object_take(struct kma_bucket *home, u32 head, const void *ptr,
		     struct kma_live_object *o)
{
	struct kma_birth birth = {};
	struct kma_live_entry e = kma_live_take(home, head, ptr, &birth);

	if (e.found != KMA_LIVE_OLD)
		return false;
	*o = kma_object_removed(e.class, ptr);
	o->birth = birth;
	return true;
}

bool kma_object_look(struct kma_bucket *home, u32 head, const void *ptr,
		     struct kma_live_object *o)
{
	struct kma_live_entry e;

	*o = (struct kma_live_object){ .ptr = (unsigned long)ptr };
	e = kma_live_look(home, head, ptr, &o->birth);
	if (e.found != KMA_LIVE_OLD)
		return false;
	o->class = e.class;
	kma_object_describe(o);
	return true;
}

bool kma_object_find(const void *ptr, struct kma_live_object *o)
{
	struct kma_bucket *home;
	bool found;
	u32 head;

	home = kma_live_lock(ptr, &head);
	if (!home)
		return false;
	found = kma_object_look(home, head, ptr, o);
	kma_bucket_unlock(home, head);
	return found;
}

u32 kma_object_read(u32 home, u32 homes, struct kma_live_object *buf, u32 max)
{
	u32 n = kma_live_read(home, homes, buf, max), i, objects = 0;

	if (n > max)
		return n;
	for (i = 0; i < n; i++) {
		if (!kma_object_fill(&buf[i]))
			continue;
		buf[objects++] = buf[i];
	}
	return objects;
}
