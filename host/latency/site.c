// SPDX-License-Identifier: GPL-2.0-only
/*
 * site.c - find the call site that waited, from stacks or from enclosing functions.
 */
#include <string.h>

#include "count.h"
#include "function.h"
#include "lib/cleanup.h"
#include "site.h"

struct kma_lat_text kma_lat_site(const struct kma_lat *lat, struct kma_lat_task *task,
				 const struct kma_lat_line *line)
{
	struct kma_lat_text site = { task->site.str, task->site.len };
	bool timed = task->site_has_time && line->has_time;

	/* The stack belongs to this call. Times are rounded to microseconds: tolerate one. */
	if (site.len && (!timed || task->site_time + line->duration + 1000 >= line->time)) {
		task->site.len = 0;
		return site;
	}
	for (unsigned int up = 0; kma_lat_task_function(task, up, &site); up++)
		if (!lat->opts.allocator || !lat->opts.allocator(site.str, site.len))
			return site;
	return (struct kma_lat_text){ "", 0 };
}

void kma_lat_settle(struct kma_lat *lat, struct kma_lat_task *task, const struct kma_lat_text *site)
{
	static const struct kma_lat_text none = { "", 0 };

	if (!task->ended.set)
		return;
	task->ended.set = false;
	kma_lat_count(lat, task->ended.cause, task, site ?: &none, task->ended.took);
}

/* Functions that charge memory to a cgroup and may then reach its limit. */
static bool kma_lat_charges(const struct kma_lat_text *name)
{
	static const struct kma_lat_text charges[] = {
		KMA_LAT_NAME("try_charge"),
		KMA_LAT_NAME("try_charge_memcg"),
		KMA_LAT_NAME("charge_memcg"),
		KMA_LAT_NAME("__mem_cgroup_charge"),
		KMA_LAT_NAME("mem_cgroup_charge"),
		KMA_LAT_NAME("mem_cgroup_try_charge"),
		KMA_LAT_NAME("mem_cgroup_try_charge_delay"),
		KMA_LAT_NAME("mem_cgroup_charge_hugetlb"),
		KMA_LAT_NAME("mem_cgroup_swapin_charge_page"),
		KMA_LAT_NAME("mem_cgroup_swapin_charge_folio"),
		KMA_LAT_NAME("mem_cgroup_charge_skmem"),
		KMA_LAT_NAME("mem_cgroup_sk_charge"),
		KMA_LAT_NAME("obj_cgroup_charge"),
		KMA_LAT_NAME("obj_cgroup_charge_pages"),
		KMA_LAT_NAME("obj_cgroup_charge_account"),
		KMA_LAT_NAME("__memcg_kmem_charge"),
		KMA_LAT_NAME("__memcg_kmem_charge_page"),
		KMA_LAT_NAME("__memcg_kmem_charge_memcg"),
		KMA_LAT_NAME("memcg_charge_slab"),
		KMA_LAT_NAME("memcg_slab_pre_alloc_hook"),
		KMA_LAT_NAME("__memcg_slab_post_alloc_hook"),
		KMA_LAT_NAME("reclaim_high"),
	};
	const char *dot = memchr(name->str, '.', name->len);
	struct kma_lat_text plain = { name->str, dot ? (size_t)(dot - name->str) : name->len };

	for (size_t i = 0; i < ARRAY_SIZE(charges); i++)
		if (kma_lat_same(&plain, &charges[i]))
			return true;
	return false;
}

void kma_lat_stack_begin(struct kma_lat *lat, struct kma_lat_task *task,
			 const struct kma_lat_line *line)
{
	if (lat->opts.by != KMA_LAT_BY_SITE)
		return;
	lat->stack = (struct kma_lat_reading){ .task = task };
	task->site.len = 0;
	task->site_has_time = line->has_time;
	task->site_time = line->time;
}

void kma_lat_stack_frame(struct kma_lat *lat, const struct kma_lat_text *frame)
{
	struct kma_lat_reading *stack = &lat->stack;
	struct kma_lat_text name = { frame->str, 0 };
	bool allocates;

	if (!stack->task || stack->found)
		return;
	while (name.len < frame->len && !strchr("+ ", name.str[name.len]))
		name.len++;
	allocates = kma_lat_allocates(&name) || kma_lat_charges(&name);
	stack->allocates |= allocates;
	if (!stack->allocates || allocates ||
	    (lat->opts.allocator && lat->opts.allocator(name.str, name.len)))
		return;
	stack->found = true;
	kma_lat_keep(&stack->task->site, frame->str, frame->len);
}

void kma_lat_stack_end(struct kma_lat *lat)
{
	static const struct kma_lat_text no_alloc = KMA_LAT_NAME(KMA_LAT_NO_ALLOC);
	struct kma_lat_task *task = lat->stack.task;
	struct kma_lat_text site = no_alloc;

	if (!task)
		return;
	if (lat->stack.found)
		site = (struct kma_lat_text){ task->site.str, task->site.len };
	lat->stack.task = NULL;
	kma_lat_settle(lat, task, &site);
}
