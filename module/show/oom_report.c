// SPDX-License-Identifier: GPL-2.0-only
/*
 * oom_report.c - the largest call sites as lines of the kernel log.
 *
 * The design and the locking are in oom_report.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account/budget.h"
#include "account/class.h"
#include "account/live.h"
#include "account/site.h"
#include "account/sum.h"
#include "show/oom_report.h"

#define KMA_OOM_ROWS		10
#define KMA_OOM_ROOM_MIN	2048u
#define KMA_OOM_AHEAD		512u
#define KMA_OOM_PATH_LEN	100
#define KMA_OOM_KB(bytes)	((bytes) >> 10)

/*
 * The data of a call site: the bytes that it holds, which the report sums, and the KiB that
 * it held at the last two samples, the older one first.
 */
struct kma_oom_site {
	u64 live;
	u32 held[2];
};

struct kma_oom_table {
	u32 nr;
	struct kma_oom_site sites[];	/* by id; KMA_SITE_OTHER includes sites from @nr on */
};

struct kma_oom_row {
	unsigned int site;
	u64 live;
	u64 req;
};

static struct kma_oom_table *kma_oom_table;
static unsigned long kma_oom_sampled[2];	/* jiffies of the samples */
static unsigned long kma_oom_busy;

/* Return the requested bytes in one count of a class; 0 if the class does not count them. */
static u64 kma_oom_req(const struct kma_class *c)
{
	if (c->size.bytes)
		return kma_class_req(c->size);
	return c->size.req == KMA_CLASS_SIZED_REQ;
}

/*
 * Return the call site of a class, also for a path; KMA_SITE_OTHER if it is beyond the table;
 * KMA_SITE_NONE for a number that is not in use, or that is about to be folded.
 */
static unsigned int kma_oom_owner(const struct kma_oom_table *t, const struct kma_class *c)
{
	unsigned int site = kma_class_site_of(*c);

	if (kma_class_kind(c) == KMA_CLASS_FREE || c->group & KMA_CLASS_HIDDEN ||
	    site >= kma_site_nr())
		return KMA_SITE_NONE;
	site = kma_sites.sites[site].base;
	return site < t->nr ? site : KMA_SITE_OTHER;
}

/* In the second walk: add requested bytes to the row of a site. */
static void kma_oom_add_req(struct kma_oom_row *rows, unsigned int site, u64 req)
{
	unsigned int i;

	for (i = 0; i < KMA_OOM_ROWS; i++)
		if (rows[i].live && rows[i].site == site)
			rows[i].req += req;
}

/* Return the current count of a class, over all CPUs. */
static u64 kma_oom_count(unsigned int class)
{
	u64 n = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct kma_class_count *c = READ_ONCE(per_cpu(kma_class_counts, cpu));

		if (c)
			n += kma_class_word_of(&c[class], KMA_CLASS_WORD(in)) -
			     kma_class_word_of(&c[class], KMA_CLASS_WORD(out));
	}
	return n;
}

/*
 * Sum all classes: live bytes in the first walk, in which @rows is NULL; then requested bytes of
 * @rows. Each class is read once, because its number may go to another class. Before the counts of
 * a class go to another class (class.c), it is hidden, a grace period earlier.
 */
static void kma_oom_walk(struct kma_oom_table *t, struct kma_oom_row *rows)
{
	unsigned int sized = kma_class_sized_nr(), end = kma_class_nr(), class;

	for (class = 1; class < end; class++) {
		struct kma_class c;
		unsigned int site;
		u64 n;

		if (class == sized)
			class = KMA_CLASS_FIRST;
		c = kma_class_get(class);
		site = kma_oom_owner(t, &c);
		if (site == KMA_SITE_NONE)
			continue;
		smp_rmb(); /* the class before its counts; pairs with kma_class_write() */
		n = kma_oom_count(class);
		if (rows)
			kma_oom_add_req(rows, site, n * kma_oom_req(&c));
		else
			t->sites[site].live += n * kma_class_weight(&c);
	}
}

/* Counters are read one after the other, so a busy site may seem to hold less than 0 bytes. */
static u64 kma_oom_live(const struct kma_oom_site *site)
{
	return max_t(s64, site->live, 0);
}

/* Keep the largest sites, sorted. */
static void kma_oom_pick(const struct kma_oom_table *t, struct kma_oom_row *rows)
{
	unsigned int site;
	int i;

	for (site = 0; site < t->nr; site++) {
		u64 live = kma_oom_live(&t->sites[site]);

		if (live <= rows[KMA_OOM_ROWS - 1].live)
			continue;
		for (i = KMA_OOM_ROWS - 1; i && rows[i - 1].live < live; i--)
			rows[i] = rows[i - 1];
		rows[i] = (struct kma_oom_row){ .site = site, .live = live };
	}
}

/*
 * Get the path of a task's cgroup of the memory controller. The lock of cgroup_path() sleeps with
 * PREEMPT_RT, and before 7.2 probes run with preemption off.
 */
static void kma_oom_cgroup(struct task_struct *task, char buf[KMA_OOM_PATH_LEN])
{
	strscpy(buf, "-", KMA_OOM_PATH_LEN);
#ifdef CONFIG_MEMCG
	if (!IS_ENABLED(CONFIG_PREEMPT_RT) || preemptible())
		cgroup_path(task_css_check(task, memory_cgrp_id, true)->cgroup, buf,
			    KMA_OOM_PATH_LEN);
#endif
}

/* Print the first line. Characters that control a terminal are escaped. */
static void kma_oom_header(enum kma_oom_cause cause, struct task_struct *victim)
{
	static const char *const causes[] = {
		[KMA_OOM_MACHINE] = "out of memory",
		[KMA_OOM_CGROUP] = "out of memory in a cgroup",
		[KMA_OOM_PANIC] = "panic",
	};
	char comm[TASK_COMM_LEN], path[KMA_OOM_PATH_LEN];

	if (!victim) {
		pr_warn("%s: the largest call sites\n", causes[cause]);
		return;
	}
	strscpy(comm, victim->comm, sizeof(comm));
	kma_oom_cgroup(victim, path);
	pr_warn("%s, victim %d (%*pE) of cgroup %*pE: the largest call sites\n", causes[cause],
		victim->pid, (int)strlen(comm), comm, (int)strlen(path), path);
}

static void kma_oom_row(const struct kma_oom_table *t, const struct kma_oom_row *row)
{
	const struct kma_site *site = &kma_sites.sites[row->site];
	s64 change = KMA_OOM_KB(row->live) - t->sites[row->site].held[0];
	const char *place = READ_ONCE(site->place);
	char sums[64];

	if (row->site == KMA_SITE_OTHER)
		place = "\t[new call sites]";
	snprintf(sums, sizeof(sums), "%12llu %12llu %+12lld", KMA_OOM_KB(row->live),
		 KMA_OOM_KB(row->req), change);
	if (place)
		pr_warn("%s  %s\n", sums, strrchr(place, '\t') + 1);
	else
		pr_warn("%s  %pS\n", sums, (void *)site->call_site);
}

static void kma_oom_print(struct kma_oom_table *t, enum kma_oom_cause cause,
			  struct task_struct *victim)
{
	struct kma_oom_row rows[KMA_OOM_ROWS] = {};
	u32 i;

	for (i = 0; i < t->nr; i++)
		t->sites[i].live = 0;
	kma_oom_walk(t, NULL);
	kma_oom_pick(t, rows);
	kma_oom_walk(t, rows);
	kma_oom_header(cause, victim);
	pr_warn("    live KiB    requested   in %5lu s  caller\n",
		(jiffies - READ_ONCE(kma_oom_sampled[0])) / HZ);
	for (i = 0; i < KMA_OOM_ROWS && rows[i].live; i++)
		kma_oom_row(t, &rows[i]);
}

void kma_oom_report(enum kma_oom_cause cause, struct task_struct *victim)
{
	struct kma_oom_table *t;

	rcu_read_lock();
	t = READ_ONCE(kma_oom_table);
	if (t && kma_live_is_open() && !test_and_set_bit_lock(0, &kma_oom_busy)) {
		kma_oom_print(t, cause, victim);
		clear_bit_unlock(0, &kma_oom_busy);
	}
	rcu_read_unlock();
}

static size_t kma_oom_bytes(u32 nr)
{
	return sizeof(struct kma_oom_table) + nr * sizeof(struct kma_oom_site);
}

int kma_oom_room(void)
{
	u32 nr = max(kma_site_nr() + KMA_OOM_AHEAD, KMA_OOM_ROOM_MIN);
	struct kma_oom_table *old = kma_oom_table, *new;

	nr = min(nr, kma_sites.max);
	if (old && nr <= old->nr)
		return 0;
	new = kma_budget_zalloc(kma_oom_bytes(nr), NUMA_NO_NODE);
	if (!new)
		return -ENOMEM;
	if (old)
		memcpy(new->sites, old->sites, old->nr * sizeof(*old->sites));
	new->nr = nr;
	/* Publishes the table; pairs with the READ_ONCE() in kma_oom_report(). */
	smp_store_release(&kma_oom_table, new);
	if (old) {
		synchronize_rcu();
		kma_budget_free(old, kma_oom_bytes(old->nr));
	}
	return 0;
}

void kma_oom_sample(void)
{
	struct kma_oom_table *t = kma_oom_table;
	unsigned int nr = kma_site_nr(), id;
	struct kma_site_count *sums = kvmalloc_array(nr, sizeof(*sums), GFP_KERNEL);

	if (!sums)
		return;
	kma_site_fold(nr, sums);
	for (id = 0; id < t->nr; id++) {
		t->sites[id].held[0] = t->sites[id].held[1];
		t->sites[id].held[1] = 0;
	}
	for (id = 0; id < nr; id++) {
		unsigned int site = kma_sites.sites[id].base;

		if (site < t->nr)
			t->sites[site].held[1] += KMA_OOM_KB(sums[id].bytes - sums[id].freed_bytes);
	}
	kvfree(sums);
	kma_oom_sampled[0] = kma_oom_sampled[1];
	kma_oom_sampled[1] = jiffies;
}

void kma_oom_forget(void)
{
	u32 id;

	for (id = 0; kma_oom_table && id < kma_oom_table->nr; id++)
		kma_oom_table->sites[id] = (struct kma_oom_site){};
	kma_oom_sampled[0] = jiffies;
	kma_oom_sampled[1] = jiffies;
}

void kma_oom_release(void)
{
	if (kma_oom_table)
		kma_budget_free(kma_oom_table, kma_oom_bytes(kma_oom_table->nr));
	kma_oom_table = NULL;
}

size_t kma_oom_memory(void)
{
	return kma_oom_table ? kma_oom_bytes(kma_oom_table->nr) : 0;
}
