// SPDX-License-Identifier: GPL-2.0-only
/*
 * survey.c - shows all live objects, each with its slab.
 *
 * The design is in survey.h.
 */
#include <linux/errno.h>
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/pfn.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "account/key.h"
#include "guard/serial.h"
#include "show/survey.h"

#define KMA_SURVEY_TRIES	8	/* maximum reads of a page that changes */
#define KMA_SURVEY_BATCH	64	/* pages that are read without releasing the locks */
#define KMA_SURVEY_ROOM		64	/* added to the number of objects when a buffer grows */

/* The objects of a page, their slabs, and the objects of a second read. */
struct kma_survey {
	u32 max;
	struct kma_live_object *objects;
	struct kma_live_object *again;
	struct kma_slab *slabs;		/* slab of each object; head is 0 for none */
};

void kma_survey_drop(struct kma_live_object *objects, u32 max)
{
	kvfree_sensitive(objects, max * sizeof(*objects));
}

static void kma_survey_free(struct kma_survey *s)
{
	kma_survey_drop(s->objects, s->max);
	kma_survey_drop(s->again, s->max);
	kvfree(s->slabs);
	*s = (struct kma_survey){};
}

static int kma_survey_room(struct kma_survey *s, u32 max)
{
	kma_survey_free(s);
	s->objects = kvcalloc(max, sizeof(*s->objects), GFP_KERNEL_ACCOUNT);
	s->again = kvcalloc(max, sizeof(*s->again), GFP_KERNEL_ACCOUNT);
	s->slabs = kvcalloc(max, sizeof(*s->slabs), GFP_KERNEL_ACCOUNT);
	if (!s->objects || !s->again || !s->slabs)
		return -ENOMEM;
	s->max = max;
	return 0;
}

/*
 * Find the slab of an object. Only this function knows which entries of the map are not in a slab.
 *
 * The map keeps an object whose free was missed, even after its memory was removed from the
 * machine. The page then has no struct page, which pfn_to_online_page() checks. Memory of a slab in
 * use cannot go offline, so between the check and the read only the memory of such an old
 * object can.
 */
static struct kma_slab kma_survey_slab(const struct kma_live_object *o)
{
	struct kma_slab slab;

	if (!kma_key_is_object(o->ptr) ||
	    !pfn_to_online_page(PHYS_PFN(virt_to_phys((void *)o->ptr))))
		return (struct kma_slab){};
	return kma_slab_of(o->ptr, &slab) ? slab : (struct kma_slab){};
}

static bool kma_survey_same(const struct kma_survey *s, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (s->objects[i].ptr != s->again[i].ptr ||
		    s->objects[i].class != s->again[i].class)
			return false;
	return true;
}

/* Read the objects of a page and their slabs. Return their number, or a negative error. */
static int kma_survey_read(struct kma_survey *s, u64 at)
{
	u32 n = kma_live_read(at, s->objects, s->max), i, m, tries;

	for (tries = 0;; tries++) {
		if (n > s->max) {
			int err = kma_survey_room(s, 2 * n);

			if (err)
				return err;
			n = kma_live_read(at, s->objects, s->max);
			continue;
		}
		if (tries >= KMA_SURVEY_TRIES)
			break;
		for (i = 0; i < n; i++)
			s->slabs[i] = kma_survey_slab(&s->objects[i]);
		m = kma_live_read(at, s->again, s->max);
		if (m == n && kma_survey_same(s, n))
			return n;
		swap(s->objects, s->again);
		n = m;
	}
	/* the page changes all the time: use the last read, without slabs */
	memset(s->slabs, 0, n * sizeof(*s->slabs));
	return n;
}

static int kma_survey_page(struct kma_survey *s, u64 at, kma_survey_fn see, void *arg)
{
	int n = kma_survey_read(s, at), i, err = min(n, 0);

	for (i = 0; i < n && !err; i++)
		err = see(arg, &s->objects[i], s->slabs[i].head ? &s->slabs[i] : NULL);
	return err;
}

int kma_survey(unsigned int generation, kma_survey_fn see, void *arg)
{
	int err = kma_serial_lock() == generation ? 0 : -ESTALE;
	struct kma_survey s = {};
	u64 at = err ? KMA_LIVE_END : kma_live_next(0);
	unsigned int pages = 0;

	while (at != KMA_LIVE_END && !err) {
		err = kma_survey_page(&s, at, see, arg);
		if (!err && ++pages % KMA_SURVEY_BATCH == 0) {
			kma_serial_unlock();
			cond_resched();
			if (kma_serial_lock() != generation)
				err = -ESTALE;
		}
		at = err ? at : kma_live_next(at + 1);
	}
	kma_serial_unlock();
	kma_survey_free(&s);
	return err;
}

int kma_survey_copy(u64 at, struct kma_live_object **objects, u32 *max)
{
	u32 n = kma_live_read(at, *objects, *max);

	while (n > *max) {
		kma_survey_drop(*objects, *max);
		*max = 0;
		n += KMA_SURVEY_ROOM;
		*objects = kvmalloc_array(n, sizeof(**objects), GFP_KERNEL_ACCOUNT);
		if (!*objects)
			return -ENOMEM;
		*max = n;
		n = kma_live_read(at, *objects, *max);
	}
	return n;
}
