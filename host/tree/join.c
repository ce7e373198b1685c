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
#include <string.h>

#include "join.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "model/container.h"

/*
 * From this component on, the rest of a group's name is one node. Functions that walk the tree are
 * recursive, so its depth is limited.
 */
#define GROUP_DEEP 60

/*
 * Finds or creates the node of a group, the parent of the group's sites or files. Each component of
 * the group's name is a node. If a component is a container's long ID, the node has the runtime
 * and the short ID instead. "[irq]" and the root cgroup "/" are one node each.
 */
static struct kma_node *add_group(struct kma_node *root, const char *group)
{
	_cleanup_strbuf_ struct kma_strbuf label = { 0 };
	struct kma_node *node = root;
	unsigned int depth = 0;

	if (*group != '/' || !group[1])
		return kma_node_add_dir(root, group);
	while (*group) {
		size_t len;

		group += strspn(group, "/");
		len = ++depth < GROUP_DEEP ? strcspn(group, "/") : strlen(group);
		if (len) {
			_cleanup_free_ char *name = kma_xstrndup(group, len);

			label.len = 0;
			if (!kma_container_component(name, &label))
				kma_strbuf_puts(&label, name);
			node = kma_node_add_dir(node, label.str);
		}
		group += len;
	}
	return node;
}

/* The file or the row in brackets of a site below @root; @root itself if nothing is known. */
static struct kma_node *add_parent(struct kma_node *root, const struct kma_site *site)
{
	const struct kma_place *place = site->place;

	if (site->path)
		return kma_node_add_path(root, site->path);
	if (site->named)
		return kma_node_add_named(root, site->caller);
	if (!place)
		return root;
	/* The name of a module may contain a slash: only these are paths. */
	if (kma_place_has_path(place))
		return kma_node_add_path(root, place->path);
	return kma_node_add_named(root, place->path);
}

struct kma_node *kma_join(const struct kma_account *account, enum kma_join_levels levels)
{
	struct kma_node *root = kma_node_create();
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct kma_node *parent = root;

		if (levels != KMA_JOIN_FILES && sites[i].group)
			parent = add_group(parent, sites[i].group);
		if (levels != KMA_JOIN_GROUPS)
			parent = add_parent(parent, &sites[i]);
		kma_node_add_site(parent, &sites[i]);
	}
	kma_node_roll_up(root);
	return root;
}
