// SPDX-License-Identifier: GPL-2.0-only
/*
 * join.c - put the call sites of an account into the tree of a kernel's source.
 *
 * Each site of the account becomes one caller of the tree with the site's numbers, so the root has
 * the totals of the account. The parent of a caller is the first of these that is known:
 *
 *	the file that the input itself names
 *	for a row in brackets of the input: a row of that name below the root
 *	the path of its place (model/place.h): a file, "DIR/[ambiguous]", "[no directory]/FILE",
 *	"[module NAME]", or another row in brackets
 *	the root, if no source has resolved it
 *
 * A site is never split among candidates and never dropped. Time is linear in the sites.
 */
#include "join.h"
#include "lib/cleanup.h"

/* The file or the row in brackets of a site below @root; @root itself if nothing is known. */
static struct kma_node *add_parent(struct kma_node *root, const struct kma_site *site)
{
	const struct kma_place *place = site->place;

	if (site->path)
		return kma_node_add_path(root, site->path);
	if (site->named)
		return kma_node_add_named(root, site->caller);
	if (!place || !place->path)
		return root;
	/* The name of a module may contain a slash: only these are paths. */
	if (kma_place_has_path(place))
		return kma_node_add_path(root, place->path);
	return kma_node_add_named(root, place->path);
}

struct kma_node *kma_join(const struct kma_account *account, const struct kma_only *only,
			  struct kma_maintainers *maintainers)
{
	_cleanup_free_ bool *keep = only ? kma_only_sites(only, account, maintainers) : NULL;
	struct kma_node *root = kma_node_create();
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++)
		if (!keep || keep[i])
			kma_node_add_site(add_parent(root, &sites[i]), &sites[i]);
	if (maintainers)
		kma_maintainers_apply(maintainers, root);
	kma_node_roll_up(root);
	return root;
}

struct kma_node *kma_join_by(const struct kma_account *account, const struct kma_keys *by,
			     const struct kma_only *only, struct kma_maintainers *maintainers)
{
	struct kma_node *dirs = kma_join(account, only, maintainers);
	struct kma_node *root = kma_keys_tree(dirs, by);

	kma_node_destroy(dirs);
	return root;
}
