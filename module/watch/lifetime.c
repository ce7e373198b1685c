// SPDX-License-Identifier: GPL-2.0-only
/*
 * lifetime.c - how long the objects of a site live, and on which CPUs they are freed.
 *
 * The design is in lifetime.h.
 */
#include <linux/build_bug.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "account/budget.h"
#include "account/word.h"
#include "compat/stub.h"
#include "watch/lifetime.h"

/* struct kma_birth has 3 bits for a kind and 13 for a CPU */
static_assert(KMA_NR_KINDS <= 8 && CONFIG_NR_CPUS <= 8192);

bool kma_age_asked;

static bool kma_age_reserved;
static DEFINE_PER_CPU(struct kma_age_count *, kma_age_counts);

/* Upper bounds of the classes; most objects die young. */
static const struct {
	u64 ns;
	const char *name;
} kma_age_classes[KMA_AGE_CLASSES] = {
	{ 1000ull, "lt_1us" },
	{ 10000ull, "lt_10us" },
	{ 100000ull, "lt_100us" },
	{ 1 * (u64)NSEC_PER_MSEC, "lt_1ms" },
	{ 10 * (u64)NSEC_PER_MSEC, "lt_10ms" },
	{ 100 * (u64)NSEC_PER_MSEC, "lt_100ms" },
	{ 1 * (u64)NSEC_PER_SEC, "lt_1s" },
	{ 10 * (u64)NSEC_PER_SEC, "lt_10s" },
	{ 100 * (u64)NSEC_PER_SEC, "lt_100s" },
	{ 1000 * (u64)NSEC_PER_SEC, "lt_1000s" },
	{ 10000 * (u64)NSEC_PER_SEC, "lt_10000s" },
	{ 100000 * (u64)NSEC_PER_SEC, "lt_100000s" },
	{ 1000000 * (u64)NSEC_PER_SEC, "lt_1000000s" },
	{ ~0ull, "ge_1000000s" },
};

const char *kma_age_class_name(unsigned int class)
{
	return kma_age_classes[class].name;
}

static size_t kma_age_bytes(void)
{
	return array_size(kma_sites.max, sizeof(struct kma_age_count));
}

void kma_age_end(unsigned int site, const struct kma_birth *birth)
{
	struct kma_age_count *c = this_cpu_read(kma_age_counts) + site;
	u64 ns = kma_birth_age(birth, local_clock());
	unsigned int cpu = smp_processor_id(), i;

	if (unlikely(!kma_birth_known(birth))) {
		kma_word_add(&c->unknown, 1);
		return;
	}
	for (i = 0; ns >= kma_age_classes[i].ns; i++)
		;
	kma_word_add(&c->lives[i], 1);
	if (birth->cpu == cpu)
		return;
	kma_word_add(&c->remote_cpu, 1);
	kma_word_add(&c->remote_node, cpu_to_node(birth->cpu) != cpu_to_node(cpu));
}

__cold int kma_age_add_cpu(unsigned int cpu)
{
	struct kma_age_count *c = per_cpu(kma_age_counts, cpu);

	if (!kma_age_reserved || c)
		return 0;
	if (cpu_online(cpu)) {
		c = kma_budget_zalloc(kma_age_bytes(), cpu_to_node(cpu));
	} else {
		/* a CPU must be able to come online even if max_memory= is used up */
		c = vzalloc_node(kma_age_bytes(), cpu_to_node(cpu));
		if (c)
			kma_budget_add(kma_age_bytes());
	}
	per_cpu(kma_age_counts, cpu) = c;
	return c ? 0 : -ENOMEM;
}

__cold int kma_age_reserve(void)
{
	int cpu, err = 0;

	cpus_read_lock();
	kma_age_reserved = true;
	for_each_online_cpu(cpu) {
		err = kma_age_add_cpu(cpu);
		if (err)
			break;
	}
	cpus_read_unlock();
	if (err)
		kma_age_release();
	return err;
}

__cold void kma_age_release(void)
{
	int cpu;

	cpus_read_lock();
	kma_age_reserved = false;
	for_each_possible_cpu(cpu) {
		kma_budget_free(per_cpu(kma_age_counts, cpu), kma_age_bytes());
		per_cpu(kma_age_counts, cpu) = NULL;
	}
	cpus_read_unlock();
}

__cold int kma_age_init(void)
{
	KMA_STUB(kma_age_init);
	return kma_age_asked ? kma_age_reserve() : 0;
}

__cold void kma_age_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(kma_age_counts, cpu))
			memset(per_cpu(kma_age_counts, cpu), 0, kma_age_bytes());
}

struct kma_age_count kma_age_sum(unsigned int site)
{
	struct kma_age_count sum = {};
	int cpu, i;

	if (!kma_births_on)
		return sum;
	for_each_possible_cpu(cpu) {
		const struct kma_age_count *c = per_cpu(kma_age_counts, cpu);

		if (!c)
			continue;
		c += site;
		sum.remote_cpu += kma_word_get(&c->remote_cpu);
		sum.remote_node += kma_word_get(&c->remote_node);
		sum.unknown += kma_word_get(&c->unknown);
		for (i = 0; i < KMA_AGE_CLASSES; i++)
			sum.lives[i] += kma_word_get(&c->lives[i]);
	}
	return sum;
}

__cold size_t kma_age_memory(void)
{
	size_t bytes = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(kma_age_counts, cpu))
			bytes += kma_age_bytes();
	return bytes;
}
