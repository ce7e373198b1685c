// SPDX-License-Identifier: GPL-2.0-only
/*
 * pass.c - the steps of one pass.
 */
#include <errno.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/module-files.h"
#include "pass.h"

struct pass_list {
	struct kma_pass *pass;
	struct kma_graph *graph; /* gets the objects; NULL: none does */
	uint32_t (*site)(void *arg, const struct kma_listing_object *object);
	kma_listing_fn fn;
	void *arg;
};

/* The module's file in /proc is there as long as the module, also where debugfs is not mounted. */
static bool pass_has_module(const struct kma_heap_source *source)
{
	return source->vmcore || !access(KMA_FILE_ACCOUNT, F_OK) || errno != ENOENT;
}

struct kma_err *kma_pass_open(struct kma_pass *pass, const struct kma_heap_source *source,
			      struct kma_notes *notes)
{
	struct kma_err *err;

	*pass = (struct kma_pass){ .dumpable = prctl(PR_GET_DUMPABLE),
				   .has_module = pass_has_module(source) };
	pass->before = source->before || !pass->has_module;
	/* A core would have pages of the kernel's memory. */
	prctl(PR_SET_DUMPABLE, 0);
	err = kma_running_open(&pass->running, source, notes);
	if (!err && pass->has_module)
		err = kma_listing_sites(pass->running.sites, &pass->sites);
	if (err)
		return err;
	/* One number is left for all sites that the module meets during the scan. */
	kma_array_reach(pass->sites.callers, pass->sites.nr, pass->sites.nr);
	pass->listed = pass->sites.nr;
	if (!pass->has_module)
		kma_notes_add(
			notes,
			"the module is not loaded: objects are known by their slab cache only, and an object that takes the address of a freed one during the scan counts as the same");
	return NULL;
}

void kma_pass_close(struct kma_pass *pass)
{
	kma_running_close(&pass->running);
	kma_graph_deinit(&pass->graph);
	kma_listing_sites_deinit(&pass->sites);
	kma_census_deinit(&pass->census);
	if (pass->dumpable)
		prctl(PR_SET_DUMPABLE, pass->dumpable);
}

static void pass_add(struct pass_list *list, const struct kma_listing_object *object)
{
	const char *caller = kma_listing_caller(&list->pass->sites, object->site);
	uint32_t site = kma_running_site(caller, object->site);

	if (site != KMA_HEAP_IGNORED && list->site)
		site = list->site(list->arg, object);
	if (list->graph)
		kma_graph_add(list->graph, object->addr, object->total, site);
	if (list->fn)
		list->fn(list->arg, object);
}

/* An object that the module lists. */
static void pass_listed(void *arg, const struct kma_listing_object *from)
{
	struct pass_list *list = arg;
	struct kma_listing_object object = *from;

	if (object.site >= list->pass->listed)
		object.site = list->pass->listed - 1;
	pass_add(list, &object);
}

static void pass_older(void *arg, const struct kma_listing_object *object)
{
	pass_add(arg, object);
}

/* Fill in the graph with the objects and the ranges that are free. */
static struct kma_err *pass_objects(struct pass_list *list)
{
	struct kma_pass *pass = list->pass;
	const struct kma_heap_target *target = &pass->running.target;
	struct kma_graph *graph = list->graph;
	struct kma_err *err = NULL;

	if (pass->has_module)
		err = kma_listing_read(pass->running.live, pass_listed, list);
	if (err)
		return err;
	kma_running_free(&pass->running, graph, &pass->free);
	kma_graph_finish(graph);
	if (graph->nr && !pass->found)
		err = target->ops->find(target->arg, kma_graph_addr(graph->objects));
	if (err)
		return err;
	pass->found = graph->nr;
	if (!pass->before)
		return NULL;
	err = kma_census_walk(&pass->census, &pass->running, graph, &pass->sites, pass_older, list);
	kma_graph_finish(graph);
	return err;
}

struct kma_err *kma_pass_list(struct kma_pass *pass, kma_listing_fn fn, void *arg)
{
	_cleanup_graph_ struct kma_graph graph = { 0 };
	struct pass_list list = { .pass = pass, .fn = fn, .arg = arg };

	if (!pass->before)
		return kma_listing_read(pass->running.live, pass_listed, &list);
	list.graph = &graph;
	return pass_objects(&list);
}

struct kma_err *kma_pass_read(struct kma_pass *pass,
			      uint32_t (*site)(void *arg, const struct kma_listing_object *object),
			      void *arg, const int *stop)
{
	struct kma_graph *graph = &pass->graph;
	struct pass_list list = { .pass = pass, .graph = graph, .site = site, .arg = arg };
	const struct kma_heap_target *target = &pass->running.target;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	bool keep = graph->keep;
	struct kma_err *err;

	kma_graph_deinit(graph);
	graph->keep = keep;
	err = pass_objects(&list);
	if (err)
		return err;
	if (!graph->nr)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, pass->running.live, 0,
					   "no live objects; is the account on?");
	pass->passes++;
	err = kma_graph_scan(graph, target->ops->memory(target->arg), cpus > 1 ? 2 : 1, stop);
	if (err)
		return err;
	kma_running_still_free(&pass->running, graph);
	return NULL;
}

void kma_pass_lacks(const struct kma_pass *pass, struct kma_notes *notes)
{
	const struct kma_heap_target *target = &pass->running.target;
	uint64_t unknown = pass->census.unknown;

	if (unknown)
		kma_notes_add(
			notes,
			"%llu of %llu slabs were left out, with their objects: KFENCE has them, or they were not understood",
			(unsigned long long)unknown, (unsigned long long)pass->census.slabs);

	if (target->ops->lacks)
		target->ops->lacks(target->arg, notes);
}

struct kma_err *kma_pass_named(struct kma_pass *pass, const struct kma_heap_source *source,
			       struct kma_root_groups *groups, const int *stop,
			       struct kma_notes *notes)
{
	_cleanup_roots_ struct kma_root_names *names = NULL;
	struct kma_err *err;

	err = kma_pass_open(pass, source, notes);
	if (err)
		return err;
	pass->graph.keep = true;
	err = kma_pass_read(pass, NULL, NULL, stop) ?:
		      kma_roots_read(&pass->running, kma_graph_addr(pass->graph.objects), &names);
	if (err)
		return err;
	kma_root_groups_make(&pass->graph, names, groups);
	kma_pass_lacks(pass, notes);
	return NULL;
}
