// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups.c - readers of debugfs' kmem_account/cgroups and nodes: the memory of each call site, by
 * cgroup or NUMA node. The tables are files, and sections of the file snapshot.
 *
 * Documentation/ABI/testing/debugfs-kmem_account has the formats (tabs.h). A row has the number of
 * a call site. In a snapshot, section sites explains the numbers. A site that the module added
 * after it had printed section sites is unknown there: its rows are left out, with a warning that
 * has their bytes. A table that is a file of its own has no names of call sites: the account then
 * has one row per group, the sum of the group's rows, so its total is that of the file.
 *
 * Table cgroups is followed by a table of ids and paths. An id is a positive number, or a negative
 * one for a row of the module's own (kma_group_ids_named). An id without a path is "[id N]".
 *
 * All rows are stored (208 bytes each) before they are joined with the sites, because
 * the paths come last. The number of a group is that of its id's text in an interned table.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "model/groups.h"
#include "model/intern.h"
#include "reader.h"
#include "tabs.h"

#define KMA_GROUPS_VERSION 1
#define KMA_CGROUPS_NAME   "kmem_account cgroups "
#define KMA_NODES_NAME	   "kmem_account nodes "
#define KMA_GROUPS_PATH	   16384 /* bytes of a path: PATH_MAX, each byte an octal escape */

/* The module's own rows; their ids are -1, -2 and so on. */
static const char *const kma_group_ids_named[] = { "[irq]", "[kthread]", KMA_GROUP_BEFORE, "[gone]",
						   "[other]" };

enum kma_groups_column {
	KMA_GROUPS_SITE,
	KMA_GROUPS_ID,
	KMA_GROUPS_ALLOCS,
	KMA_GROUPS_FREES,
	KMA_GROUPS_BYTES,
	KMA_GROUPS_REQUESTED,
	KMA_GROUPS_CHARGED, /* optional */
	KMA_GROUPS_NR_COLUMNS
};

/* The two tables. */
static const struct {
	const char *name; /* the first line, before the version */
	const char *id;	  /* column of the group */
} kma_group_tables[KMA_NR_GROUPED] = {
	[KMA_GROUPED_CGROUP] = { KMA_CGROUPS_NAME, "cgroup" },
	[KMA_GROUPED_NODE] = { KMA_NODES_NAME, "node" },
};

/* A group. */
struct kma_group {
	char *path;		  /* NULL if the table of paths does not have it */
	bool rows;		  /* the group has rows, not only a path */
	struct kma_values values; /* sum of its rows */
};

/* A row: the values of a call site in a group. */
struct kma_group_row {
	uint64_t site;
	uint32_t group; /* index in kma_group_table.groups */
	struct kma_values values;
};

struct kma_group_table {
	struct kma_tabs in;
	enum kma_grouped by;
	bool section; /* a section of a snapshot: it ends at the line of the next section */
	int column[KMA_GROUPS_NR_COLUMNS]; /* index of each column in the file */
	struct kma_intern *ids;		   /* texts of ids; their numbers index @groups */
	struct kma_group *groups;
	size_t alloc; /* allocated elements of @groups; unused ones are zero */
	struct kma_group_row *rows;
	size_t nr_rows, alloc_rows;
};

static struct kma_err *kma_groups_columns(struct kma_group_table *g)
{
	const char *names[] = { "site",	  kma_group_tables[g->by].id,
				"allocs", "frees",
				"bytes",  "requested",
				"charged" };

	for (int i = 0; i < KMA_GROUPS_NR_COLUMNS; i++) {
		g->column[i] = kma_tabs_find(&g->in, names[i]);
		if (g->column[i] < 0 && i != KMA_GROUPS_CHARGED)
			return kma_cursor_error(&g->in.cur, "no column '%s'", names[i]);
	}
	return NULL;
}

/* Find or add the group of an id; NULL if memory cannot be allocated. */
static struct kma_group *kma_groups_find(struct kma_group_table *g, const char *id)
{
	uint32_t i = kma_intern(g->ids, KMA_KIND_UNKNOWN, id, strlen(id));

	if (i == KMA_INTERN_REST)
		return NULL;
	kma_array_reach(g->groups, g->alloc, i);
	return g->groups + i;
}

/* Is it a number, or one of the negative numbers of kma_group_ids_named? */
static bool kma_groups_id_valid(const char *id)
{
	if (*id == '-')
		return id[1] >= '1' && id[1] <= '0' + (int)ARRAY_SIZE(kma_group_ids_named) &&
		       !id[2];
	return *id && strspn(id, "0123456789") == strlen(id) && strlen(id) <= 20;
}

static void kma_groups_keep(struct kma_group_table *g, const struct kma_group_row *row)
{
	kma_array_room(g->rows, g->nr_rows, g->alloc_rows);
	g->rows[g->nr_rows++] = *row;
}

static struct kma_err *kma_groups_row(struct kma_group_table *g)
{
	static const char *const names[] = { "site",  NULL,	   "allocs", "frees",
					     "bytes", "requested", "charged" };
	uint64_t numbers[KMA_GROUPS_NR_COLUMNS] = { 0 };
	struct kma_err *err = kma_tabs_row(&g->in);
	struct kma_group_row row;
	struct kma_group *group;
	const char *id;

	for (int i = 0; i < KMA_GROUPS_NR_COLUMNS && !err; i++)
		if (names[i] && g->column[i] >= 0)
			err = kma_tabs_number(&g->in, g->column[i], names[i], numbers + i);
	if (err)
		return err;
	id = g->in.cells[g->column[KMA_GROUPS_ID]];
	if (!kma_groups_id_valid(id))
		return kma_cursor_error(&g->in.cur, "invalid id '%.24s' in column '%s'", id,
					kma_group_tables[g->by].id);
	if (numbers[KMA_GROUPS_REQUESTED] > numbers[KMA_GROUPS_BYTES])
		return kma_cursor_error(&g->in.cur, "more bytes requested than allocated");
	if (numbers[KMA_GROUPS_CHARGED] > numbers[KMA_GROUPS_BYTES])
		return kma_cursor_error(&g->in.cur, "more bytes charged than allocated");
	if (numbers[KMA_GROUPS_FREES] > numbers[KMA_GROUPS_ALLOCS])
		return kma_cursor_error(&g->in.cur, "the row has more frees than allocs");
	group = kma_groups_find(g, id);
	if (!group)
		return kma_cursor_error(&g->in.cur, "too many groups");
	row = (struct kma_group_row){
		.site = numbers[KMA_GROUPS_SITE],
		.group = group - g->groups,
		.values = { .current = numbers[KMA_GROUPS_BYTES],
			    .req = numbers[KMA_GROUPS_REQUESTED],
			    .waste = numbers[KMA_GROUPS_BYTES] - numbers[KMA_GROUPS_REQUESTED],
			    .allocs = numbers[KMA_GROUPS_ALLOCS],
			    .frees = numbers[KMA_GROUPS_FREES],
			    .objects = numbers[KMA_GROUPS_ALLOCS] - numbers[KMA_GROUPS_FREES],
			    .charged = numbers[KMA_GROUPS_CHARGED] },
	};
	group->rows = true;
	kma_values_add(&group->values, &row.values);
	kma_groups_keep(g, &row);
	return NULL;
}

/* Read a row "id<TAB>path". A cgroup may be listed several times; the first path counts. */
static struct kma_err *kma_groups_path(struct kma_group_table *g)
{
	struct kma_err *err = kma_tabs_row(&g->in);
	struct kma_group *group;

	if (err)
		return err;
	if (!kma_groups_id_valid(g->in.cells[0]) || !*g->in.cells[1])
		return kma_cursor_error(&g->in.cur, "expected the id and the path of a cgroup");
	if (strlen(g->in.cells[1]) > KMA_GROUPS_PATH)
		return kma_cursor_error(&g->in.cur, "the path is longer than %d bytes",
					KMA_GROUPS_PATH);
	group = kma_groups_find(g, g->in.cells[0]);
	if (!group)
		return kma_cursor_error(&g->in.cur, "too many groups");
	if (!group->path)
		group->path = kma_xstrdup(g->in.cells[1]);
	return NULL;
}

static struct kma_err *kma_groups_rows(struct kma_group_table *g)
{
	bool more, paths = false;
	struct kma_err *err;

	for (;;) {
		err = kma_cursor_next(&g->in.cur, &more);
		if (err)
			return err;
		if (!more && !g->section)
			break;
		if (!more || g->in.cur.cut)
			return kma_cursor_error(&g->in.cur, "truncated in a row");
		if (g->section && !strncmp(g->in.cur.text, KMA_SECTION, strlen(KMA_SECTION)))
			break;
		if (!paths && !strcmp(g->in.cur.text, "# id\tpath")) {
			paths = true;
			err = kma_tabs_names(&g->in);
		} else {
			err = paths ? kma_groups_path(g) : kma_groups_row(g);
		}
		if (err)
			return err;
	}
	/* The module always writes the table of paths, so a file without it was truncated. */
	if (!paths && g->by == KMA_GROUPED_CGROUP)
		return kma_cursor_error(&g->in.cur, "truncated before the table of paths");
	return NULL;
}

/* Return the name of a group, which the caller frees; NULL if memory cannot be allocated. */
static char *kma_groups_text(const struct kma_group_table *g, uint32_t nr)
{
	const char *path = nr < g->alloc ? g->groups[nr].path : NULL, *id;
	enum kma_kind unused;
	size_t len;

	id = kma_intern_site(g->ids, nr, &unused, &len);
	if (*id == '-')
		return kma_xstrdup(kma_group_ids_named[id[1] - '1']);
	if (path)
		return kma_xstrdup(path);
	return kma_xasprintf(g->by == KMA_GROUPED_CGROUP ? "[id %s]" : "node %s", id);
}

/* Older modules, and those in kernels before 6.0, do not write what is charged. */
static unsigned int kma_groups_charged(const struct kma_group_table *g)
{
	return g->column[KMA_GROUPS_CHARGED] >= 0 ? 1U << KMA_CHARGED : 0;
}

static struct kma_err *kma_groups_account(const struct kma_group_table *g,
					  struct kma_account *account)
{
	for (uint32_t i = KMA_INTERN_REST + 1; i < kma_intern_count(g->ids); i++) {
		_cleanup_free_ char *name = NULL;
		struct kma_err *err;

		if (!g->groups[i].rows)
			continue;
		name = kma_groups_text(g, i);
		err = kma_account_add_site(account, name, strlen(name), &g->groups[i].values);
		if (err)
			return err;
		kma_account_set_group(account, g->by, name);
		kma_account_set_named(account);
	}
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_REQUESTED | 1U << KMA_WASTE |
						 1U << KMA_ALLOCS | 1U << KMA_FREES |
						 1U << KMA_OBJECTS | kma_groups_charged(g));
	return NULL;
}

/* Rows whose call site is not in section sites, because the module added it later. */
struct kma_groups_left {
	size_t rows;
	uint64_t live; /* bytes */
};

/* Add the names of all groups in the order of their numbers here, then that of unknown objects. */
static void kma_groups_names(const struct kma_group_table *g, struct kma_groups *groups)
{
	uint32_t nr;

	for (uint32_t i = 0; i < kma_intern_count(g->ids); i++) {
		_cleanup_free_ char *name = kma_groups_text(g, i);

		kma_groups_name_add(groups, name, &nr);
	}
	kma_groups_name_add(groups, KMA_GROUP_BEFORE, &nr);
}

static void kma_groups_join(const struct kma_group_table *g, const struct kma_sites_ids *ids,
			    struct kma_groups *groups, struct kma_groups_left *left)
{
	uint32_t before = kma_intern_count(g->ids);

	kma_groups_names(g, groups);
	for (size_t i = 0; i < g->nr_rows; i++) {
		const struct kma_group_row *row = &g->rows[i];
		const struct kma_sites_id *site = kma_sites_ids_find(ids, row->site);

		if (!site) {
			left->rows++;
			left->live += row->values.current;
			continue;
		}
		kma_groups_add(groups, site->site, row->group, &row->values);
	}
	/* Unknown objects are older than the account, so no group counted their allocations. */
	for (size_t i = 0; i < ids->nr; i++) {
		const struct kma_values frees = { .frees = ids->list[i].unknown };

		if (frees.frees)
			kma_groups_add(groups, ids->list[i].site, before, &frees);
	}
}

static struct kma_err *kma_groups_table(struct kma_group_table *g)
{
	struct kma_err *err;

	g->ids = kma_intern_new();
	err = kma_tabs_header(&g->in, kma_group_tables[g->by].name, KMA_GROUPS_VERSION);
	if (err)
		return err;
	err = kma_groups_columns(g);
	return err ? err : kma_groups_rows(g);
}

static void kma_groups_table_deinit(struct kma_group_table *g)
{
	for (size_t i = 0; i < g->alloc; i++)
		free(g->groups[i].path);
	free(g->groups);
	free(g->rows);
	kma_intern_destroy(g->ids);
}

static struct kma_err *kma_groups_read(struct kma_input *input, enum kma_grouped by,
				       struct kma_account *account)
{
	struct kma_group_table g = { .by = by };
	struct kma_err *err;

	kma_cursor_init(&g.in.cur, input);
	err = kma_groups_table(&g);
	if (!err)
		err = kma_groups_account(&g, account);
	kma_groups_table_deinit(&g);
	kma_cursor_deinit(&g.in.cur);
	return err;
}

struct kma_err *kma_groups_section(struct kma_cursor *cur, enum kma_grouped by,
				   const struct kma_sites_ids *ids, struct kma_account *account)
{
	struct kma_group_table g = { .by = by, .section = true, .in.cur = *cur };
	struct kma_groups_left left = { 0 };
	struct kma_groups *groups = NULL;
	struct kma_err *err;

	err = kma_groups_table(&g);
	*cur = g.in.cur;
	if (!err)
		kma_groups_create(&groups);
	if (!err) {
		kma_groups_set_more(groups, kma_groups_charged(&g));
		kma_groups_join(&g, ids, groups, &left);
	}
	if (!err && left.rows)
		kma_account_warn(
			account,
			"%zu %s of section '%ss', with %" PRIu64
			" live bytes, %s left out: section 'sites' does not have the call %s",
			left.rows, kma_plural(left.rows, "row", "rows"), kma_group_tables[by].id,
			left.live, kma_plural(left.rows, "is", "are"),
			kma_plural(left.rows, "site", "sites"));
	kma_groups_table_deinit(&g);
	if (err)
		kma_groups_destroy(groups);
	else
		kma_account_set_groups(account, by, groups);
	return err;
}

static struct kma_err *kma_cgroups_read(struct kma_input *input, struct kma_account *account)
{
	return kma_groups_read(input, KMA_GROUPED_CGROUP, account);
}

static struct kma_err *kma_nodes_read(struct kma_input *input, struct kma_account *account)
{
	return kma_groups_read(input, KMA_GROUPED_NODE, account);
}

const struct kma_reader_ops kma_reader_cgroups = {
	.name = "debugfs' kmem_account/cgroups",
	.begins = KMA_CGROUPS_NAME,
	.read = kma_cgroups_read,
};

const struct kma_reader_ops kma_reader_nodes = {
	.name = "debugfs' kmem_account/nodes",
	.begins = KMA_NODES_NAME,
	.read = kma_nodes_read,
};
