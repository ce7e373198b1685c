/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sized.h - objects whose sizes are in the live map.
 *
 * A site has a class for each pair of sizes that its objects have, but at most
 * KMA_CLASS_SIZES. Further objects belong to a class without a size. Their sizes, 32 bits as
 * packed by size.h, are in the live map as well, in three parts of 14 bits, under the
 * addresses 8, 16 and 24 bytes after the object's own. No other object of the slab allocator
 * has one of these addresses, because the object has KMA_SIZED_MIN bytes or more. The parts
 * of a per-CPU object, which has half as many bytes or more, have the keys of the addresses 4, 8
 * and 12 bytes after its own (key.h). Each part is stored as a value from KMA_LIVE_PART on, which
 * is never a class, so no part is mistaken for an object.
 *
 * Such an object takes four slots of the map, and its events take the long way.
 *
 * The parts are added to the map after the object, and removed after it. The CPU that removes the
 * object also removes its parts: the allocator does not reuse the memory before the event of
 * the free has ended. If the account ends in between, the event still adds or removes the parts
 * (kma_live_relock()). If the free was not seen, the memory may have become other objects,
 * which replace the parts. Then the sizes of the first object are lost. Such losses are counted
 * (kma_sized_lost()), and the site keeps the bytes of the object.
 *
 * Never done here: waiting, except for the lock of a bucket. One bucket is locked at a time.
 */
#ifndef KMA_SIZED_H
#define KMA_SIZED_H

#include <linux/types.h>

#include "account/class.h"
#include "account/live.h"
#include "account/size.h"

/**
 * typedef kma_sized_fn - called for an object whose address gets a part of another object's sizes
 * @class: number of the object's class
 * @ptr: the object, which was freed without an event and is not in the map any more
 */
typedef void (*kma_sized_fn)(unsigned int class, const void *ptr);

/**
 * kma_sized_put() - put the sizes of an object into the map
 * @ptr: the object
 * @size: its sizes
 * @replaced: called for each object that is replaced
 *
 * Context: any but NMI, irqs off.
 * Return: true; false, with no part in the map, if the map has no free slot.
 */
bool kma_sized_put(const void *ptr, struct kma_size size, kma_sized_fn replaced);

/**
 * kma_sized_attach() - put the sizes of an object that the map has just got
 * @class: class of the object
 * @ptr: the object
 * @size: its sizes
 * @replaced: as for kma_sized_put()
 *
 * Without a free slot for the sizes the object is removed, too.
 *
 * Context: any but NMI, irqs off; no bucket locked.
 * Return: true; false if the object was removed.
 */
static inline bool kma_sized_attach(unsigned int class, const void *ptr, struct kma_size size,
				    kma_sized_fn replaced)
{
	struct kma_birth birth;
	struct kma_bucket *home;
	u32 head;

	if (likely(!kma_class_is_sized(class)) || kma_sized_put(ptr, size, replaced))
		return true;
	home = kma_live_relock(ptr, &head);
	kma_live_take(home, head, ptr, &birth);
	return false;
}

/**
 * kma_sized_get() - look up the sizes of an object in the map
 * @ptr: the object
 * @size: set to the sizes of the object; to 0 bytes if a part is missing
 * @take: remove the parts from the map
 *
 * Context: any but NMI, irqs off.
 * Return: true; false if a part is missing.
 */
bool kma_sized_get(const void *ptr, struct kma_size *size, bool take);

/**
 * kma_sized_take() - get the sizes of an object that was removed from the map
 * @class: number of the object's class
 * @ptr: the object
 *
 * Context: any but NMI, irqs off.
 * Return: the sizes of the class if the class has sizes, else those in the map; 0 bytes if
 * they are lost.
 */
struct kma_size kma_sized_take(unsigned int class, const void *ptr);

/**
 * kma_sized_lost() - get the number of objects whose sizes were lost
 *
 * Context: any.
 * Return: the number since kma_sized_reset().
 */
u64 kma_sized_lost(void);

/**
 * kma_sized_reset() - set the number of objects whose sizes were lost to 0
 *
 * Context: process; no event is in progress.
 */
void kma_sized_reset(void);

/**
 * kma_object_removed() - describe an object that the caller has removed from the map
 * @class: number of the object's class
 * @ptr: the object
 *
 * Called before the class is credited. The sizes of the object that are in the map are removed.
 *
 * Context: any but NMI, irqs off; no bucket locked.
 * Return: the object, without a birth.
 */
struct kma_live_object kma_object_removed(unsigned int class, const void *ptr);

/**
 * kma_object_take() - remove an object from the map, because it is freed
 * @home: home bucket of the object, locked; unlocked on return
 * @head: the bucket's head
 * @ptr: the object's address
 * @o: set to all that the event may need of the object; unchanged if it is not found
 *
 * The caller credits the class next, and does not read it any more after that (class.h).
 *
 * Context: any but NMI, irqs off.
 * Return: true; false if the map does not have the object.
 */
bool kma_object_take(struct kma_bucket *home, u32 head, const void *ptr,
		     struct kma_live_object *o);

/**
 * kma_object_look() - look up an object and leave it in the map
 * @home: home bucket of the object, locked; still locked on return
 * @head: the bucket's head
 * @ptr: the object's address
 * @o: set to the object, but sizes that are in the map are not looked up
 *
 * Context: any but NMI, irqs off.
 * Return: true; false if the map does not have the object.
 */
bool kma_object_look(struct kma_bucket *home, u32 head, const void *ptr,
		     struct kma_live_object *o);

/**
 * kma_object_find() - look up an object by its address alone, and leave it in the map
 * @ptr: the object's address
 * @o: as for kma_object_look()
 *
 * Context: any but NMI, irqs off.
 * Return: true; false if the map does not have the object, or is closed.
 */
bool kma_object_find(const void *ptr, struct kma_live_object *o);

/**
 * kma_object_read() - copy the objects of one home bucket, with their sites and sizes
 * @home: as for kma_live_read()
 * @homes: as for kma_live_read()
 * @buf: array that receives the objects
 * @max: number of elements of @buf
 *
 * Context: as for kma_live_read().
 * Return: number of objects in the bucket. If the number is above @max, some objects are
 * missing in @buf: the caller allocates a larger buffer and reads the bucket again.
 */
u32 kma_object_read(u32 home, u32 homes, struct kma_live_object *buf, u32 max);

#endif /* KMA_SIZED_H */
