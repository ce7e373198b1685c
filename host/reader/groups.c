// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups.c - readers of debugfs' kmem_account/cgroups and nodes: what each cgroup or NUMA node
 * holds.
 *
 * Documentation/ABI/testing/debugfs-kmem_account has the formats (tabs.h). A row of the file is
 * a call site and a group; the account has one named site for each group, with the sum of its
 * rows, so the total is that of the file. Call sites have numbers there, which only file sites
 * of the same moment explains: they are not joined.
 *
 * File cgroups has a second table of ids and paths. A negative id is one of the module's own rows
 * (kma_groups_named); an id that has no path is "[id N]".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tabs.h"
#include "lib/cleanup.h"
#include "model/intern.h"
#include "reader.h"

#define KMA_GROUPS_VERSION 1
#define KMA_CGROUPS_NAME   "kmem_account cgroups "
#define KMA_NODES_NAME	   "kmem_account nodes "

/* The module's own rows, by the number -1, -2 and so on. */
static const char *const kma_groups_named[] = { "[irq]", "[kthread]", "[before]", "[gone]",
						"[other]" };

enum kma_groups_column {
	KMA_GROUPS_ID,
	KMA_GROUPS_ALLOCS,
	KMA_GROUPS_FREES,
	KMA_GROUPS_BYTES,
	KMA_GROUPS_REQUESTED,
	KMA_GROUPS_NR_COLUMNS
};

/* A group: the numbers of its rows, and its path if the file has one. */
struct kma_group {
	char *path;
	bool rows;
	struct kma_values values;
};

struct kma_groups {
	struct kma_tabs in;
	const char *id_name; /* of the column: "cgroup" or "node" */
	int column[KMA_GROUPS_NR_COLUMNS];
	struct kma_intern *ids; /* texts of ids; the number indexes @groups */
	struct kma_group *groups;
	size_t alloc;
};

static struct kma_err *kma_groups_columns(struct kma_groups *g)
{
	const char *names[] = { g->id_name, "allocs", "frees", "bytes", "requested" };

	for (int i = 0; i < KMA_GROUPS_NR_COLUMNS; i++) {
		g->column[i] = kma_tabs_find(&g->in, names[i]);
		if (g->column[i] < 0)
			return kma_cursor_error(&g->in.cur, "no column '%s'", names[i]);
	}
	return NULL;
}

/* The group of an id, which is new or has been met; NULL without memory. */
static struct kma_group *kma_groups_find(struct kma_groups *g, const char *id)
{
	uint32_t i = kma_intern(g->ids, KMA_KIND_UNKNOWN, id, strlen(id));

	if (i == KMA_INTERN_REST)
		return NULL;
	if (i >= g->alloc) {
		size_t alloc = i * 2 + 64;
		struct kma_group *bigger = reallocarray(g->groups, alloc, sizeof(*bigger));

		if (!bigger)
			return NULL;
		memset(bigger + g->alloc, 0, (alloc - g->alloc) * sizeof(*bigger));
		g->groups = bigger;
		g->alloc = alloc;
	}
	return g->groups + i;
}

/* Is it a number, or a negative number that kma_groups_named has? */
static bool kma_groups_id_valid(const char *id)
{
	if (*id == '-')
		return id[1] >= '1' && id[1] <= '0' + (int)ARRAY_SIZE(kma_groups_named) && !id[2];
	return *id && strspn(id, "0123456789") == strlen(id) && strlen(id) <= 20;
}

static struct kma_err *kma_groups_row(struct kma_groups *g)
{
	static const char *const names[] = { NULL, "allocs", "frees", "bytes", "requested" };
	uint64_t numbers[KMA_GROUPS_NR_COLUMNS];
	struct kma_err *err = kma_tabs_row(&g->in);
	struct kma_group *group;
	const char *id;

	for (int i = KMA_GROUPS_ALLOCS; i < KMA_GROUPS_NR_COLUMNS && !err; i++)
		err = kma_tabs_number(&g->in, g->column[i], names[i], numbers + i);
	if (err)
		return err;
	id = g->in.cells[g->column[KMA_GROUPS_ID]];
	if (!kma_groups_id_valid(id))
		return kma_cursor_error(&g->in.cur, "invalid id '%.24s' in column '%s'", id,
					g->id_name);
	if (numbers[KMA_GROUPS_REQUESTED] > numbers[KMA_GROUPS_BYTES])
		return kma_cursor_error(&g->in.cur, "more bytes requested than allocated");
	group = kma_groups_find(g, id);
	if (!group)
		return &kma_enomem;
	group->rows = true;
	kma_values_add(&group->values,
		       &(struct kma_values){
			       .current = numbers[KMA_GROUPS_BYTES],
			       .req = numbers[KMA_GROUPS_REQUESTED],
			       .waste = numbers[KMA_GROUPS_BYTES] - numbers[KMA_GROUPS_REQUESTED],
			       .allocs = numbers[KMA_GROUPS_ALLOCS],
			       .frees = numbers[KMA_GROUPS_FREES],
		       });
	return NULL;
}

/* A row "id<TAB>path"; a cgroup may be listed once for each node. */
static struct kma_err *kma_groups_path(struct kma_groups *g)
{
	struct kma_err *err = kma_tabs_row(&g->in);
	struct kma_group *group;

	if (err)
		return err;
	if (!kma_groups_id_valid(g->in.cells[0]) || !*g->in.cells[1])
		return kma_cursor_error(&g->in.cur, "expected the id and the path of a cgroup");
	group = kma_groups_find(g, g->in.cells[0]);
	if (group && !group->path)
		group->path = strdup(g->in.cells[1]);
	return group && group->path ? NULL : &kma_enomem;
}

static struct kma_err *kma_groups_rows(struct kma_groups *g)
{
	bool more, paths = false;
	struct kma_err *err;

	for (;;) {
		err = kma_cursor_next(&g->in.cur, &more);
		if (err)
			return err;
		if (!more)
			break;
		if (g->in.cur.cut)
			return kma_cursor_error(&g->in.cur, "truncated in a row");
		if (!paths && !strcmp(g->in.cur.text, "# id\tpath")) {
			paths = true;
			err = kma_tabs_names(&g->in);
		} else {
			err = paths ? kma_groups_path(g) : kma_groups_row(g);
		}
		if (err)
			return err;
	}
	/* The module always writes the table of paths, so a file without one was cut. */
	if (!paths && !strcmp(g->id_name, "cgroup"))
		return kma_cursor_error(&g->in.cur, "truncated before the table of paths");
	return NULL;
}

/* The name of the row for a group; to be freed, NULL without memory. */
static char *kma_groups_name(const struct kma_groups *g, const char *id, const char *path)
{
	char *name;

	if (*id == '-')
		return strdup(kma_groups_named[id[1] - '1']);
	if (path)
		return strdup(path);
	if (asprintf(&name, strcmp(g->id_name, "node") ? "[id %s]" : "node %s", id) < 0)
		return NULL;
	return name;
}

static struct kma_err *kma_groups_account(struct kma_groups *g, struct kma_account *account)
{
	for (uint32_t i = KMA_INTERN_REST + 1; i < kma_intern_count(g->ids); i++) {
		const struct kma_group *group = g->groups + i;
		struct kma_err *err;
		enum kma_kind kind;
		char *name;
		size_t len;

		if (!group->rows)
			continue;
		name = kma_groups_name(g, kma_intern_site(g->ids, i, &kind, &len), group->path);
		if (!name)
			return &kma_enomem;
		err = kma_account_add_site(account, name, strlen(name), &group->values);
		free(name);
		if (err)
			return err;
	}
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_REQUESTED | 1U << KMA_WASTE |
						 1U << KMA_ALLOCS | 1U << KMA_FREES);
	return NULL;
}

static struct kma_err *kma_groups_read(struct kma_input *input, struct kma_account *account,
				       const char *name, const char *id_name)
{
	struct kma_groups g = { .id_name = id_name };
	struct kma_err *err = kma_intern_create(&g.ids);

	if (err)
		return err;
	kma_cursor_init(&g.in.cur, input);
	err = kma_tabs_header(&g.in, name, KMA_GROUPS_VERSION) ?:
		      kma_groups_columns(&g)		       ?:
		      kma_groups_rows(&g)		       ?:
								 kma_groups_account(&g, account);
	kma_cursor_deinit(&g.in.cur);
	for (size_t i = 0; i < g.alloc; i++)
		free(g.groups[i].path);
	free(g.groups);
	kma_intern_destroy(g.ids);
	return err;
}

static bool kma_cgroups_probe(const char *head, size_t len)
{
	return len >= strlen(KMA_CGROUPS_NAME) &&
	       !memcmp(head, KMA_CGROUPS_NAME, strlen(KMA_CGROUPS_NAME));
}

static struct kma_err *kma_cgroups_read(struct kma_input *input, struct kma_account *account)
{
	return kma_groups_read(input, account, KMA_CGROUPS_NAME, "cgroup");
}

static bool kma_nodes_probe(const char *head, size_t len)
{
	return len >= strlen(KMA_NODES_NAME) &&
	       !memcmp(head, KMA_NODES_NAME, strlen(KMA_NODES_NAME));
}

static struct kma_err *kma_nodes_read(struct kma_input *input, struct kma_account *account)
{
	return kma_groups_read(input, account, KMA_NODES_NAME, "node");
}

const struct kma_reader_ops kma_reader_cgroups = {
	.name = "debugfs' kmem_account/cgroups",
	.probe = kma_cgroups_probe,
	.read = kma_cgroups_read,
};

const struct kma_reader_ops kma_reader_nodes = {
	.name = "debugfs' kmem_account/nodes",
	.probe = kma_nodes_probe,
	.read = kma_nodes_read,
};
