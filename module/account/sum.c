// SPDX-License-Identifier: GPL-2.0-only
/*
 * sum.c - what each site has counted: the sums of its classes over all CPUs.
 *
 * The design is in sum.h.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account/class.h"
#include "account/sum.h"

/* Add the count @n of a class to the sums of one flow. */
static void kma_sum_add(struct kma_flow_count *sum, const struct kma_class *c, u64 n)
{
	switch (kma_class_kind(c)) {
	case KMA_CLASS_PLAIN:
		sum->objects += n;
		sum->req += n * kma_class_req(c->size);
		sum->bytes += n * kma_class_bytes(c->size);
		break;
	case KMA_CLASS_SIZED:
		sum->objects += n;
		break;
	case KMA_CLASS_SIZED_REQ:
		sum->req += n;
		break;
	case KMA_CLASS_SIZED_BYTES:
		sum->bytes += n;
		break;
	default:
		sum->rare += n;
	}
}

/* The destination of counts: a sum for each site, or for each class. */
struct kma_sums {
	unsigned int nr;
	bool classes;
	struct kma_site_count *sums;
};

/* Add what one CPU has counted of the classes from @from up to, but not including, @to. */
static void kma_sum_cpu(const struct kma_class_count *count, u32 from, u32 to,
			const struct kma_sums *sums, bool in)
{
	u32 class;

	for (class = from; class < to; class++) {
		u64 n = kma_class_word_of(&count[class],
					  in ? KMA_CLASS_WORD(in) : KMA_CLASS_WORD(out));
		unsigned int of;

		if (!n)
			continue;
		/* An event may have given the number to a class. Pairs with kma_class_add(). */
		smp_rmb();
		of = sums->classes ? class : kma_class_owner(class);
		if (of >= sums->nr)
			continue;
		kma_sum_add(in ? &sums->sums[of].in : &sums->sums[of].out, &kma_classes[class], n);
	}
}

static void kma_sum_all(const struct kma_sums *sums, bool in)
{
	u32 sized = kma_class_sized_nr(), end = kma_class_nr();
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct kma_class_count *count = per_cpu(kma_class_counts, cpu);

		if (!count)
			continue;
		kma_sum_cpu(count, 1, sized, sums, in);
		kma_sum_cpu(count, KMA_CLASS_FIRST, end, sums, in);
		cond_resched();
	}
}

static void kma_sum(const struct kma_sums *sums)
{
	memset(sums->sums, 0, array_size(sums->nr, sizeof(*sums->sums)));
	/*
	 * The frees first: an object that is counted as freed was allocated
	 * before, so the second walk counts its allocation as well, and no difference is
	 * negative. The writers' half of this order is the exchange of the object's
	 * element in the live map: the allocation is counted before the object
	 * is added to the map, and the free after the object was removed.
	 */
	kma_sum_all(sums, false);
	smp_rmb(); /* pairs with the exchange, see above */
	kma_sum_all(sums, true);
}

/* The sums of kma_sum_hold(); NULL if none are held. */
static struct kma_sums kma_sum_held;

/* Copy the sums that are held to others. Return false if none are held. */
static bool kma_sum_from_held(const struct kma_sums *to)
{
	u32 class;

	if (!kma_sum_held.sums)
		return false;
	memset(to->sums, 0, array_size(to->nr, sizeof(*to->sums)));
	for (class = 1; class < kma_sum_held.nr; class++) {
		unsigned int of = to->classes ? class : kma_class_owner(class);

		if (of < to->nr)
			kma_site_count_add(&to->sums[of], &kma_sum_held.sums[class]);
	}
	return true;
}

void kma_site_fold(unsigned int nr, struct kma_site_count *sums)
{
	const struct kma_sums to = { .nr = nr, .sums = sums };

	if (kma_sum_from_held(&to))
		return;
	kma_sum(&to);
}

void kma_sum_classes(unsigned int nr, struct kma_site_count *sums)
{
	const struct kma_sums to = { .nr = nr, .classes = true, .sums = sums };

	if (kma_sum_from_held(&to))
		return;
	kma_sum(&to);
}

/*
 * The counters of a class without a size are read one after the other. An object that is freed in
 * between may have given back its bytes and not yet what was requested. A row then shows no slack
 * (report.c), and the sum of such rows would depend on how classes are put together. So the bytes
 * are corrected here, before they are.
 */
static void kma_sum_settle(const struct kma_sums *held)
{
	u32 class;

	for (class = 1; class < held->nr; class++) {
		const struct kma_site_count *req = &held->sums[class];
		u64 live = req->req - req->freed_req;
		struct kma_site_count *bytes;

		if (kma_class_kind(&kma_classes[class]) != KMA_CLASS_SIZED_REQ)
			continue;
		bytes = &held->sums[class + 1];
		if (bytes->bytes - bytes->freed_bytes < live)
			bytes->bytes = bytes->freed_bytes + live;
	}
}

int kma_sum_hold(void)
{
	struct kma_sums held = { .nr = kma_class_nr(), .classes = true };

	held.sums = kvmalloc_array(held.nr, sizeof(*held.sums), GFP_KERNEL_ACCOUNT);
	if (!held.sums)
		return -ENOMEM;
	kma_sum(&held);
	kma_sum_settle(&held);
	kma_sum_held = held;
	return 0;
}

void kma_sum_free(void)
{
	kvfree(kma_sum_held.sums);
	kma_sum_held.sums = NULL;
}

void kma_site_count_add(struct kma_site_count *sum, const struct kma_site_count *count)
{
	sum->allocs += count->allocs;
	sum->req += count->req;
	sum->bytes += count->bytes;
	sum->frees += count->frees;
	sum->freed_req += count->freed_req;
	sum->freed_bytes += count->freed_bytes;
	sum->unknown += count->unknown;
	sum->failed += count->failed;
}
