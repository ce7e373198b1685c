// SPDX-License-Identifier: GPL-2.0-only
/*
 * pass.c - the steps of one pass.
 */
#include <sys/prctl.h>
#include <unistd.h>

#include "pass.h"

struct kma_pass_list {
	struct kma_pass *pass;
	uint32_t (*site)(void *arg, const struct kma_listing_object *object);
	void *arg;
};

struct kma_err *kma_pass_open(struct kma_pass *pass, const struct kma_heap_source *source,
			      struct kma_notes *notes)
{
	struct kma_err *err;

	*pass = (struct kma_pass){ .dumpable = prctl(PR_GET_DUMPABLE) };
	/* A core would have pages of the kernel's memory. */
	prctl(PR_SET_DUMPABLE, 0);
	err = kma_running_open(&pass->running, source, notes);
	return err ?: kma_listing_sites(pass->running.sites, &pass->sites);
}

void kma_pass_close(struct kma_pass *pass)
{
	kma_running_close(&pass->running);
	kma_graph_deinit(&pass->graph);
	kma_listing_sites_deinit(&pass->sites);
	if (pass->dumpable)
		prctl(PR_SET_DUMPABLE, pass->dumpable);
}

static void pass_object(void *arg, const struct kma_listing_object *object)
{
	struct kma_pass_list *list = arg;
	const char *caller = kma_listing_caller(&list->pass->sites, object->site);
	uint32_t site = kma_running_site(caller, object->site);

	if (site != KMA_HEAP_IGNORED && list->site)
		site = list->site(list->arg, object);
	kma_graph_add(&list->pass->graph, object->addr, object->total, site);
}

struct kma_err *kma_pass_read(struct kma_pass *pass,
			      uint32_t (*site)(void *arg, const struct kma_listing_object *object),
			      void *arg, const int *stop)
{
	struct kma_pass_list list = { pass, site, arg };
	const struct kma_heap_target *target = &pass->running.target;
	struct kma_graph *graph = &pass->graph;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	bool keep = graph->keep;
	struct kma_err *err;

	kma_graph_deinit(graph);
	graph->keep = keep;
	err = kma_listing_read(pass->running.live, pass_object, &list);
	if (err)
		return err;
	kma_running_free(&pass->running, graph, &pass->free);
	kma_graph_finish(graph);
	if (!graph->nr)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, pass->running.live, 0,
					   "no live objects; is the account on?");
	if (!pass->passes++)
		err = target->ops->find(target->arg, graph->objects->key ^ KMA_HEAP_KEY);
	if (err)
		return err;
	err = kma_graph_scan(graph, target->ops->memory(target->arg), cpus > 1 ? 2 : 1, stop);
	if (err)
		return err;
	kma_running_still_free(&pass->running, graph);
	return NULL;
}

void kma_pass_lacks(const struct kma_pass *pass, struct kma_notes *notes)
{
	const struct kma_heap_target *target = &pass->running.target;

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
