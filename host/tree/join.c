// SPDX-License-Identifier: GPL-2.0
/*
 * join.c - put the call sites of an account into the tree of a kernel's source.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/cleanup.h"
#include "join.h"

/* Names of the rows for what has no file. */
static const char *const kma_row_names[] = {
	[KMA_FOUND_UNKNOWN] = "[unknown symbol]",
	[KMA_FOUND_AMBIGUOUS] = "[ambiguous]",
	[KMA_FOUND_NO_FILE] = "[no source file]",
	[KMA_FOUND_NO_SYMBOL] = "[unknown address]",
};

/* Several files of one directory fit: the directory has them as if they were one. */
static struct kma_err *kma_join_dir(struct kma_node *root, const char *path, struct kma_node **ret)
{
	const char *ambiguous = kma_row_names[KMA_FOUND_AMBIGUOUS];
	struct kma_err *err;
	char *row;

	if (asprintf(&row, "%.*s/%s", (int)(strrchr(path, '/') - path), path, ambiguous) < 0)
		return &kma_enomem;
	err = kma_node_add_path(root, row, ret);
	free(row);
	return err;
}

static struct kma_err *kma_join_parent(struct kma_node *root, const struct kma_site *site,
				       const struct kma_place *place, struct kma_node **ret)
{
	char name[96];

	switch (place->found) {
	case KMA_FOUND_FILE:
		return kma_node_add_path(root, place->path, ret);
	case KMA_FOUND_DIR:
		return kma_join_dir(root, place->path, ret);
	case KMA_FOUND_NO_MODULE:
		snprintf(name, sizeof(name), "[module %.70s]", site->module);
		return kma_node_add_named(root, name, ret);
	default:
		return kma_node_add_named(root, kma_row_names[place->found], ret);
	}
}

/* An address as %pS prints it; *ret stays NULL when the source has no symbol there. */
static struct kma_err *kma_join_name(const struct kma_site *site, const struct kma_source *source,
				     char **ret)
{
	const struct kma_symbol *sym = source->ops->symbol_at(source, site->offset);

	if (sym && asprintf(ret, "%s+0x%" PRIx64 "/0x%" PRIx64, sym->name, site->offset - sym->addr,
			    sym->span) < 0) {
		*ret = NULL;
		return &kma_enomem;
	}
	return NULL;
}

static struct kma_err *kma_join_site(struct kma_node *root, const struct kma_site *site,
				     struct kma_source *source, struct kma_join_stats *stats)
{
	_cleanup_free_ char *name = NULL;
	struct kma_place place = { .found = KMA_FOUND_UNKNOWN };
	struct kma_node *parent = root;
	struct kma_err *err;

	/* The input itself knows best. */
	if (site->path) {
		stats->sites++;
		err = kma_node_add_path(root, site->path, &parent);
		return err ? err : kma_node_add_caller(parent, site->caller, &site->values);
	}
	if (site->named) {
		stats->unresolved += site->values.current;
		err = kma_node_add_named(root, site->caller, &parent);
		return err ? err : kma_node_add_caller(parent, site->caller, &site->values);
	}
	stats->sites++;
	if (source) {
		err = source->ops->locate(source, site, &place);
		if (!err)
			err = kma_join_parent(root, site, &place, &parent);
		if (!err && !site->symbol)
			err = kma_join_name(site, source, &name);
		if (err)
			return err;
	}
	stats->addresses += !site->symbol;
	stats->strange += place.found == KMA_FOUND_NO_SYMBOL;
	if (place.found != KMA_FOUND_FILE && place.found != KMA_FOUND_DIR)
		stats->unresolved += site->values.current;
	/*
	 * A module that was built elsewhere says nothing of the kernel, so only the
	 * kernel's own sites tell one build from another.
	 */
	if (site->symbol && site->size && !site->module) {
		stats->compared++;
		stats->fitting += place.fit >= KMA_FIT_GOOD;
	}
	return kma_node_add_caller(parent, name ?: site->caller, &site->values);
}

struct kma_err *kma_join(const struct kma_account *account, struct kma_source *source,
			 struct kma_node **ret, struct kma_join_stats *stats)
{
	const struct kma_site *sites;
	struct kma_node *root;
	struct kma_err *err;
	size_t nr;

	memset(stats, 0, sizeof(*stats));
	err = kma_node_create(&root);
	if (err)
		return err;
	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr && !err; i++)
		err = kma_join_site(root, &sites[i], source, stats);
	if (err) {
		kma_node_destroy(root);
		return err;
	}
	kma_node_roll_up(root);
	*ret = root;
	return NULL;
}

bool kma_join_plausible(const struct kma_join_stats *stats)
{
	/*
	 * A kernel compared with its own image agrees in all but a few symbols: 431 of
	 * 431 on a stock 6.1. The limit leaves room for symbols that only one side
	 * has; where other builds of the same source lie was not measured.
	 */
	return stats->fitting * 10 >= stats->compared * 8;
}
