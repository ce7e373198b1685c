// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshot.c - reader of debugfs' kmem_account/snapshot, and of bundles, which are snapshots with
 * more sections (Documentation/format/snapshot.rst).
 *
 *	kmem_account snapshot 1
 *	KEY: VALUE
 *	...
 *	== sites
 *	(the content of that file)
 *	...
 *	== end
 *
 * The lines of the header become notes of the account; model/moment.h reads the times from them.
 * Five sections are read: sites has the call sites, ages the ages of their live objects, stats the
 * events that were not counted, and cgroups and nodes the memory of each site by group. Ages,
 * cgroups and nodes refer to sites, so they must follow it. Other sections are skipped.
 *
 * The text of all tables of the module is kept in the account, as a shorter snapshot, for commands
 * that show a table with its own columns (modtable.h).
 *
 * A section ends where the next one begins. The reader of a section leaves the cursor there. Only
 * the line "== end" ends a snapshot, so a truncated one is always an error.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input/cursor.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "model/account.h"
#include "model/groups.h"
#include "model/intern.h"
#include "model/modtable.h"
#include "model/moment.h"
#include "reader.h"
#include "sites.h"
#include "tabs.h"

/*
 * The tables of debugfs' cgroups and nodes, as sections of a snapshot.
 */

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

static struct kma_err *groups_columns(struct kma_group_table *g)
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

/* Finds or adds the group of an id; NULL beyond the limits of intern.h. */
static struct kma_group *groups_find(struct kma_group_table *g, const char *id)
{
	uint32_t i = kma_intern(g->ids, KMA_KIND_UNKNOWN, id, strlen(id));

	if (i == KMA_INTERN_REST)
		return NULL;
	kma_array_reach(g->groups, g->alloc, i);
	return g->groups + i;
}

/* Is it a number, or one of the negative numbers of kma_group_ids_named? */
static bool groups_id_valid(const char *id)
{
	if (*id == '-')
		return id[1] >= '1' && id[1] <= '0' + (int)ARRAY_SIZE(kma_group_ids_named) &&
		       !id[2];
	return *id && strspn(id, "0123456789") == strlen(id) && strlen(id) <= 20;
}

static void groups_keep(struct kma_group_table *g, const struct kma_group_row *row)
{
	kma_array_room(g->rows, g->nr_rows, g->alloc_rows);
	g->rows[g->nr_rows++] = *row;
}

static struct kma_err *groups_row(struct kma_group_table *g)
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
	if (!groups_id_valid(id))
		return kma_cursor_error(&g->in.cur, "invalid id '%.24s' in column '%s'", id,
					kma_group_tables[g->by].id);
	if (numbers[KMA_GROUPS_REQUESTED] > numbers[KMA_GROUPS_BYTES])
		return kma_cursor_error(&g->in.cur, "more bytes requested than allocated");
	if (numbers[KMA_GROUPS_CHARGED] > numbers[KMA_GROUPS_BYTES])
		return kma_cursor_error(&g->in.cur, "more bytes charged than allocated");
	if (numbers[KMA_GROUPS_FREES] > numbers[KMA_GROUPS_ALLOCS])
		return kma_cursor_error(&g->in.cur, "the row has more frees than allocs");
	group = groups_find(g, id);
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
	groups_keep(g, &row);
	return NULL;
}

/* Read a row "id<TAB>path". A cgroup may be listed several times; the first path counts. */
static struct kma_err *groups_path(struct kma_group_table *g)
{
	struct kma_err *err = kma_tabs_row(&g->in);
	struct kma_group *group;

	if (err)
		return err;
	if (!groups_id_valid(g->in.cells[0]) || !*g->in.cells[1])
		return kma_cursor_error(&g->in.cur, "expected the id and the path of a cgroup");
	if (strlen(g->in.cells[1]) > KMA_GROUPS_PATH)
		return kma_cursor_error(&g->in.cur, "the path is longer than %d bytes",
					KMA_GROUPS_PATH);
	group = groups_find(g, g->in.cells[0]);
	if (!group)
		return kma_cursor_error(&g->in.cur, "too many groups");
	if (!group->path)
		group->path = kma_xstrdup(g->in.cells[1]);
	return NULL;
}

static struct kma_err *groups_rows(struct kma_group_table *g)
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
			err = paths ? groups_path(g) : groups_row(g);
		}
		if (err)
			return err;
	}
	/* The module always writes the table of paths, so a file without it was truncated. */
	if (!paths && g->by == KMA_GROUPED_CGROUP)
		return kma_cursor_error(&g->in.cur, "truncated before the table of paths");
	return NULL;
}

/* The name of a group, which the caller frees. */
static char *groups_text(const struct kma_group_table *g, uint32_t nr)
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
static unsigned int groups_charged(const struct kma_group_table *g)
{
	return g->column[KMA_GROUPS_CHARGED] >= 0 ? 1U << KMA_CHARGED : 0;
}

static struct kma_err *groups_account(const struct kma_group_table *g, struct kma_account *account)
{
	for (uint32_t i = KMA_INTERN_REST + 1; i < kma_intern_count(g->ids); i++) {
		_cleanup_free_ char *name = NULL;
		struct kma_err *err;

		if (!g->groups[i].rows)
			continue;
		name = groups_text(g, i);
		err = kma_account_add_site(account, name, strlen(name), &g->groups[i].values);
		if (err)
			return err;
		kma_account_set_group(account, g->by, name);
		kma_account_set_named(account);
	}
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_REQUESTED | 1U << KMA_WASTE |
						 1U << KMA_ALLOCS | 1U << KMA_FREES |
						 1U << KMA_OBJECTS | groups_charged(g));
	return NULL;
}

/* Rows whose call site is not in section sites, because the module added it later. */
struct kma_groups_left {
	size_t rows;
	uint64_t live; /* bytes */
};

/* Add the names of all groups in the order of their numbers here, then that of unknown objects. */
static void groups_names(const struct kma_group_table *g, struct kma_groups *groups)
{
	uint32_t nr;

	for (uint32_t i = 0; i < kma_intern_count(g->ids); i++) {
		_cleanup_free_ char *name = groups_text(g, i);

		kma_groups_name_add(groups, name, &nr);
	}
	kma_groups_name_add(groups, KMA_GROUP_BEFORE, &nr);
}

static void groups_join(const struct kma_group_table *g, const struct kma_sites_ids *ids,
			struct kma_groups *groups, struct kma_groups_left *left)
{
	uint32_t before = kma_intern_count(g->ids);

	groups_names(g, groups);
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

static struct kma_err *groups_table(struct kma_group_table *g)
{
	struct kma_err *err;

	g->ids = kma_intern_new();
	err = kma_tabs_header(&g->in, kma_group_tables[g->by].name, KMA_GROUPS_VERSION);
	if (err)
		return err;
	err = groups_columns(g);
	return err ? err : groups_rows(g);
}

static void groups_table_deinit(struct kma_group_table *g)
{
	for (size_t i = 0; i < g->alloc; i++)
		free(g->groups[i].path);
	free(g->groups);
	free(g->rows);
	kma_intern_destroy(g->ids);
}

static struct kma_err *groups_read(struct kma_input *input, enum kma_grouped by,
				   struct kma_account *account)
{
	_cleanup_(groups_table_deinit) struct kma_group_table g = { .by = by };
	struct kma_err *err;

	kma_cursor_init(&g.in.cur, input);
	err = groups_table(&g) ?: groups_account(&g, account);
	kma_cursor_deinit(&g.in.cur);
	return err;
}

/*
 * Reads a table of groups into an account that has its sites, by their numbers @ids. @cur is before
 * the first line of the table; afterwards it is at the line that begins the next section.
 */
static struct kma_err *groups_section(struct kma_cursor *cur, enum kma_grouped by,
				      const struct kma_sites_ids *ids, struct kma_account *account)
{
	_cleanup_(groups_table_deinit) struct kma_group_table g = { .by = by,
								    .section = true,
								    .in.cur = *cur };
	struct kma_groups_left left = { 0 };
	struct kma_groups *groups;
	struct kma_err *err;

	err = groups_table(&g);
	*cur = g.in.cur;
	if (err)
		return err;
	kma_groups_create(&groups);
	kma_groups_set_more(groups, groups_charged(&g));
	groups_join(&g, ids, groups, &left);
	if (left.rows)
		kma_account_warn(
			account,
			"%zu %s of section '%ss', with %" PRIu64
			" live bytes, %s left out: section 'sites' does not have the call %s",
			left.rows, kma_plural(left.rows, "row", "rows"), kma_group_tables[by].id,
			left.live, kma_plural(left.rows, "is", "are"),
			kma_plural(left.rows, "site", "sites"));
	kma_account_set_groups(account, by, groups);
	return NULL;
}

static struct kma_err *cgroups_read(struct kma_input *input, struct kma_account *account)
{
	return groups_read(input, KMA_GROUPED_CGROUP, account);
}

static struct kma_err *nodes_read(struct kma_input *input, struct kma_account *account)
{
	return groups_read(input, KMA_GROUPED_NODE, account);
}

const struct kma_reader_ops kma_reader_cgroups = {
	.name = "debugfs' kmem_account/cgroups",
	.begins = KMA_CGROUPS_NAME,
	.read = cgroups_read,
};

const struct kma_reader_ops kma_reader_nodes = {
	.name = "debugfs' kmem_account/nodes",
	.begins = KMA_NODES_NAME,
	.read = nodes_read,
};

/*
 * Debugfs' kmem_account/stats as a section of a snapshot.
 */

/* Lines whose key begins with this text count as a loss. A loss is the sum of its lines. */
static const struct {
	const char *key;
	enum kma_loss_id id;
} kma_stats_losses[] = {
	{ "implied frees", KMA_LOSS_IMPLIED_FREES },
	{ "not recorded ", KMA_LOSS_NOT_RECORDED },
};

static struct kma_err *stats_add(struct kma_cursor *cur, enum kma_loss_id id,
				 struct kma_account *account)
{
	const char *colon = strstr(cur->text, ": ");
	uint64_t events = 0, sum;
	char *end;

	errno = 0;
	sum = colon ? strtoull(colon + 2, &end, 10) : 0;
	if (!colon || errno || *end || colon[2] < '0' || colon[2] > '9')
		return kma_cursor_error(cur, "expected 'KEY: ' and a decimal number");
	kma_account_loss(account, id, &events);
	if (__builtin_add_overflow(sum, events, &sum))
		return kma_cursor_error(cur, "the number of events exceeds 64 bits");
	kma_account_set_loss(account, id, sum);
	return NULL;
}

static struct kma_err *stats_line(struct kma_cursor *cur, struct kma_account *account)
{
	struct kma_err *err = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(kma_stats_losses) && !err; i++)
		if (!strncmp(cur->text, kma_stats_losses[i].key, strlen(kma_stats_losses[i].key)))
			err = stats_add(cur, kma_stats_losses[i].id, account);
	return err;
}

/*
 * Reads the events that the module did not count, from the lines of a section; afterwards @cur is
 * at the line that begins the next one.
 */
static struct kma_err *stats_section(struct kma_cursor *cur, struct kma_account *account)
{
	struct kma_err *err;
	bool more;

	for (;;) {
		err = kma_cursor_next(cur, &more);
		if (err)
			return err;
		if (!more || cur->cut)
			return kma_cursor_error(cur, "truncated: no line '" KMA_SECTION "end'");
		if (!strncmp(cur->text, KMA_SECTION, strlen(KMA_SECTION)))
			return NULL;
		err = stats_line(cur, account);
		if (err)
			return err;
	}
}

#define KMA_SNAPSHOT_NAME  "kmem_account snapshot "
#define KMA_SNAPSHOT_FIRST KMA_SNAPSHOT_NAME "1"

struct kma_snap {
	struct kma_cursor cur;
	struct kma_account *account;
	bool has_sites, ended;	       /* section sites was read; line "== end" was read */
	const struct kma_site *sites;  /* sites of the account */
	const struct kma_site **index; /* pointers to the same, sorted by caller */
	size_t nr;
	struct kma_sites_ids ids; /* numbers that other tables have for the sites */
	struct kma_strbuf tables; /* text of the module's tables, as a snapshot */
};

/* Header lines whose note in the account has another name. */
static const struct {
	const char *key, *note;
} kma_snap_notes[] = {
	{ "release", KMA_NOTE_RELEASE },
	{ "machine", KMA_NOTE_MACHINE },
	{ "version", "module version" },
};

static struct kma_err *snap_next(struct kma_snap *in)
{
	struct kma_err *err;
	bool more;

	err = kma_cursor_next(&in->cur, &more);
	if (err)
		return err;
	if (!more || in->cur.cut)
		return kma_cursor_error(&in->cur, "truncated: no line '" KMA_SECTION "end'");
	return NULL;
}

static bool snap_at_section(const struct kma_snap *in)
{
	return !strncmp(in->cur.text, KMA_SECTION, strlen(KMA_SECTION));
}

/* Keep a line of the header as a note, except the build ID, which section sites notes. */
static struct kma_err *snap_note(struct kma_snap *in)
{
	char *colon = strstr(in->cur.text, ": ");
	const char *key = in->cur.text;

	if (!colon)
		return kma_cursor_error(&in->cur, "expected 'KEY: VALUE' or a section");
	*colon = '\0';
	if (!strcmp(key, "build_id"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(kma_snap_notes); i++)
		if (!strcmp(key, kma_snap_notes[i].key))
			key = kma_snap_notes[i].note;
	kma_account_put_note(in->account, key, colon + 2);
	return NULL;
}

static struct kma_err *snap_header(struct kma_snap *in)
{
	struct kma_err *err = snap_next(in);

	if (err)
		return err;
	if (strncmp(in->cur.text, KMA_SNAPSHOT_NAME, strlen(KMA_SNAPSHOT_NAME)))
		return kma_cursor_error(&in->cur, "expected '%s' and a version", KMA_SNAPSHOT_NAME);
	if (strcmp(in->cur.text, KMA_SNAPSHOT_FIRST))
		return kma_cursor_error(&in->cur, "unsupported version '%.20s' (supported: 1)",
					in->cur.text + strlen(KMA_SNAPSHOT_NAME));
	for (;;) {
		err = snap_next(in);
		if (err || snap_at_section(in))
			return err;
		err = snap_note(in);
		if (err)
			return err;
	}
}

static struct kma_err *snap_skip(struct kma_snap *in)
{
	struct kma_err *err;

	do
		err = snap_next(in);
	while (!err && !snap_at_section(in));
	return err;
}

static int snap_by_caller(const void *a, const void *b)
{
	const struct kma_site *const *x = a, *const *y = b;

	return strcmp((*x)->caller, (*y)->caller);
}

static struct kma_err *snap_sites(struct kma_snap *in)
{
	struct kma_err *err;

	if (in->has_sites)
		return kma_cursor_error(&in->cur, "section 'sites' occurs twice");
	in->has_sites = true;
	err = kma_sites_table(&in->cur, in->account, &in->ids);
	if (err)
		return err;
	if (!snap_at_section(in))
		return kma_cursor_error(&in->cur, "truncated: no line '" KMA_SECTION "end'");
	in->sites = kma_account_sites(in->account, &in->nr);
	in->index = kma_xcalloc(in->nr + 1, sizeof(const struct kma_site *));
	for (size_t i = 0; i < in->nr; i++)
		in->index[i] = &in->sites[i];
	if (in->nr)
		qsort(in->index, in->nr, sizeof(const struct kma_site *), snap_by_caller);
	return NULL;
}

/* Index of each column of section ages; -1: absent. */
struct snap_ages {
	int caller, live, unknown, oldest, epochs, nr;
};

static void snap_column(struct snap_ages *at, const char *name, int i)
{
	const struct {
		const char *name;
		int *place;
	} columns[] = {
		{ "caller", &at->caller },	  { "live", &at->live },
		{ "live_unknown", &at->unknown }, { "oldest_ns", &at->oldest },
		{ "live_lt_1s", &at->epochs },
	};

	for (size_t n = 0; n < ARRAY_SIZE(columns); n++)
		if (!strcmp(columns[n].name, name))
			*columns[n].place = i;
}

static struct kma_err *snap_age_columns(struct kma_snap *in, struct snap_ages *at)
{
	struct kma_err *err = snap_next(in);
	char *line;

	if (err)
		return err;
	if (!strcmp(in->cur.text, "kmem_account ages 1"))
		err = snap_next(in);
	if (err)
		return err;
	*at = (struct snap_ages){ -1, -1, -1, -1, -1, 0 };
	line = in->cur.text;
	if (strncmp(line, "# ", 2))
		return kma_cursor_error(&in->cur, "expected '# ' and the names of the columns");
	for (line += 2; line; at->nr++)
		snap_column(at, strsep(&line, "\t"), at->nr);
	if (at->caller < 0 || at->live < 0 || at->unknown < 0 || at->oldest < 0)
		return kma_cursor_error(&in->cur, "a column of ages is missing");
	return NULL;
}

/* Read the cell of column @i as a number if it is needed; "-" is 0. False: not a number. */
static bool snap_age_cell(struct kma_site_age *age, const struct snap_ages *at, int i,
			  const char *cell)
{
	int epoch = i - at->epochs;
	uint64_t *place = i == at->live	   ? &age->live :
			  i == at->unknown ? &age->unknown :
			  i == at->oldest  ? &age->oldest :
			  at->epochs >= 0 && epoch >= 0 && epoch < KMA_SITE_EPOCHS ?
					    &age->epochs[epoch] :
					    NULL;
	char *end;

	if (!place || !strcmp(cell, "-"))
		return true;
	errno = 0;
	*place = strtoull(cell, &end, 10);
	return !errno && !*end && *cell >= '0' && *cell <= '9';
}

static struct kma_err *snap_age_row(struct kma_snap *in, const struct snap_ages *at)
{
	struct kma_site_age age = { 0 };
	struct kma_site key = { .caller = "" };
	const struct kma_site *want = &key, **found;
	char *line = in->cur.text, *cell;
	bool numbers = true;
	int nr = 0;

	for (; line; nr++) {
		cell = strsep(&line, "\t");
		if (nr == at->caller)
			key.caller = cell;
		else
			numbers &= snap_age_cell(&age, at, nr, cell);
	}
	if (nr != at->nr)
		return kma_cursor_error(&in->cur, "the row has %d columns (expected %d)", nr,
					at->nr);
	if (!numbers)
		return kma_cursor_error(&in->cur, "expected decimal numbers");
	/* A site that the module added after it had printed section sites is unknown. */
	found = bsearch(&want, in->index, in->nr, sizeof(const struct kma_site *), snap_by_caller);
	if (!found)
		return NULL;
	kma_account_add_age(in->account, *found - in->sites, &age);
	return NULL;
}

static struct kma_err *snap_ages(struct kma_snap *in)
{
	struct snap_ages at;
	struct kma_err *err;

	if (!in->has_sites)
		return kma_cursor_error(&in->cur, "section 'ages' comes before 'sites'");
	err = snap_age_columns(in, &at);
	while (!err) {
		err = snap_next(in);
		if (err || snap_at_section(in))
			return err;
		err = snap_age_row(in, &at);
	}
	return err;
}

static struct kma_err *snap_groups(struct kma_snap *in, enum kma_grouped by)
{
	if (!in->has_sites)
		return kma_cursor_error(&in->cur, "a table of groups comes before section 'sites'");
	return groups_section(&in->cur, by, &in->ids, in->account);
}

static struct kma_err *snap_cgroups(struct kma_snap *in)
{
	return snap_groups(in, KMA_GROUPED_CGROUP);
}

static struct kma_err *snap_nodes(struct kma_snap *in)
{
	return snap_groups(in, KMA_GROUPED_NODE);
}

static struct kma_err *snap_stats(struct kma_snap *in)
{
	return stats_section(&in->cur, in->account);
}

static struct kma_err *snap_end(struct kma_snap *in)
{
	in->ended = true;
	return NULL;
}

static const struct {
	const char *name;
	struct kma_err *(*read)(struct kma_snap *in); /* up to the next section */
} kma_snap_sections[] = {
	{ "sites", snap_sites }, { "ages", snap_ages },	  { "cgroups", snap_cgroups },
	{ "nodes", snap_nodes }, { "stats", snap_stats }, { "end", snap_end },
};

static struct kma_err *snap_read_section(struct kma_snap *in)
{
	const char *name = in->cur.text + strlen(KMA_SECTION);

	for (size_t i = 0; i < ARRAY_SIZE(kma_snap_sections); i++)
		if (!strcmp(name, kma_snap_sections[i].name))
			return kma_snap_sections[i].read(in);
	return snap_skip(in);
}

static bool snap_is_table(const struct kma_snap *in)
{
	for (size_t i = 0; i < KMA_NR_MODTABLES; i++)
		if (!strcmp(in->cur.text + strlen(KMA_SECTION), kma_modtable_names[i]))
			return true;
	return false;
}

/*
 * Read a section. The text of a table is kept, without the line after it, which begins the next
 * section.
 */
static struct kma_err *snap_section(struct kma_snap *in)
{
	struct kma_err *err;

	if (!snap_is_table(in))
		return snap_read_section(in);
	kma_strbuf_printf(&in->tables, "%s\n", in->cur.text);
	in->cur.keep = &in->tables;
	err = snap_read_section(in);
	in->cur.keep = NULL;
	if (err)
		return err;
	in->tables.len -= strlen(in->cur.text) + 1;
	return NULL;
}

static void snap_keep(struct kma_snap *in)
{
	kma_strbuf_puts(&in->tables, KMA_SECTION "end\n");
	kma_account_set_tables(in->account, in->tables.str);
	in->tables = (struct kma_strbuf){ 0 };
}

static void snap_deinit(struct kma_snap *in)
{
	kma_strbuf_deinit(&in->tables);
	kma_sites_ids_deinit(&in->ids);
	free(in->index);
	kma_cursor_deinit(&in->cur);
}

static struct kma_err *snapshot_read(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(snap_deinit) struct kma_snap in = { .account = account };
	struct kma_err *err;
	bool more;

	kma_cursor_init(&in.cur, input);
	kma_strbuf_puts(&in.tables, KMA_SNAPSHOT_FIRST "\n");
	err = snap_header(&in);
	while (!err && !in.ended)
		err = snap_section(&in);
	if (err)
		return err;
	if (!in.has_sites)
		return kma_cursor_error(&in.cur, "the snapshot has no section 'sites'");
	err = kma_cursor_next(&in.cur, &more);
	if (err)
		return err;
	if (more)
		return kma_cursor_error(&in.cur, "data after the end of the snapshot");
	snap_keep(&in);
	return NULL;
}

const struct kma_reader_ops kma_reader_snapshot = {
	.name = "debugfs' kmem_account/snapshot",
	.begins = KMA_SNAPSHOT_NAME,
	.read = snapshot_read,
};
