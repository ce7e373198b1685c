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
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "input/cursor.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "model/moment.h"
#include "model/modtable.h"
#include "reader.h"
#include "sites.h"
#include "stats.h"

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

static struct kma_err *kma_snap_next(struct kma_snap *in)
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

static bool kma_snap_at_section(const struct kma_snap *in)
{
	return !strncmp(in->cur.text, KMA_SECTION, strlen(KMA_SECTION));
}

/* Keep a line of the header as a note, except the build ID, which section sites notes. */
static struct kma_err *kma_snap_note(struct kma_snap *in)
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

static struct kma_err *kma_snap_header(struct kma_snap *in)
{
	struct kma_err *err = kma_snap_next(in);

	if (!err && strncmp(in->cur.text, KMA_SNAPSHOT_NAME, strlen(KMA_SNAPSHOT_NAME)))
		err = kma_cursor_error(&in->cur, "expected '%s' and a version", KMA_SNAPSHOT_NAME);
	if (!err && strcmp(in->cur.text, KMA_SNAPSHOT_FIRST))
		err = kma_cursor_error(&in->cur, "unsupported version '%.20s' (supported: 1)",
				       in->cur.text + strlen(KMA_SNAPSHOT_NAME));
	for (;;) {
		if (!err)
			err = kma_snap_next(in);
		if (err || kma_snap_at_section(in))
			return err;
		err = kma_snap_note(in);
	}
}

static struct kma_err *kma_snap_skip(struct kma_snap *in)
{
	struct kma_err *err;

	do
		err = kma_snap_next(in);
	while (!err && !kma_snap_at_section(in));
	return err;
}

static int kma_snap_by_caller(const void *a, const void *b)
{
	const struct kma_site *const *x = a, *const *y = b;

	return strcmp((*x)->caller, (*y)->caller);
}

static struct kma_err *kma_snap_sites(struct kma_snap *in)
{
	struct kma_err *err;

	if (in->has_sites)
		return kma_cursor_error(&in->cur, "section 'sites' occurs twice");
	in->has_sites = true;
	err = kma_sites_table(&in->cur, in->account, &in->ids);
	if (err)
		return err;
	if (!kma_snap_at_section(in))
		return kma_cursor_error(&in->cur, "truncated: no line '" KMA_SECTION "end'");
	in->sites = kma_account_sites(in->account, &in->nr);
	in->index = kma_xcalloc(in->nr + 1, sizeof(const struct kma_site *));
	for (size_t i = 0; i < in->nr; i++)
		in->index[i] = &in->sites[i];
	if (in->nr)
		qsort(in->index, in->nr, sizeof(const struct kma_site *), kma_snap_by_caller);
	return NULL;
}

/* Index of each column of section ages; -1: absent. */
struct kma_snap_ages {
	int caller, live, unknown, oldest, epochs, nr;
};

static void kma_snap_column(struct kma_snap_ages *at, const char *name, int i)
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

static struct kma_err *kma_snap_age_columns(struct kma_snap *in, struct kma_snap_ages *at)
{
	struct kma_err *err = kma_snap_next(in);
	char *line;

	if (err)
		return err;
	if (!strcmp(in->cur.text, "kmem_account ages 1"))
		err = kma_snap_next(in);
	if (err)
		return err;
	*at = (struct kma_snap_ages){ -1, -1, -1, -1, -1, 0 };
	line = in->cur.text;
	if (strncmp(line, "# ", 2))
		return kma_cursor_error(&in->cur, "expected '# ' and the names of the columns");
	for (line += 2; line; at->nr++)
		kma_snap_column(at, strsep(&line, "\t"), at->nr);
	if (at->caller < 0 || at->live < 0 || at->unknown < 0 || at->oldest < 0)
		return kma_cursor_error(&in->cur, "a column of ages is missing");
	return NULL;
}

/* Read the cell of column @i as a number if it is needed; "-" is 0. False: not a number. */
static bool kma_snap_age_cell(struct kma_site_age *age, const struct kma_snap_ages *at, int i,
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

static struct kma_err *kma_snap_age_row(struct kma_snap *in, const struct kma_snap_ages *at)
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
			numbers &= kma_snap_age_cell(&age, at, nr, cell);
	}
	if (nr != at->nr)
		return kma_cursor_error(&in->cur, "the row has %d columns (expected %d)", nr,
					at->nr);
	if (!numbers)
		return kma_cursor_error(&in->cur, "expected decimal numbers");
	/* A site that the module added after it had printed section sites is unknown. */
	found = bsearch(&want, in->index, in->nr, sizeof(const struct kma_site *),
			kma_snap_by_caller);
	if (!found)
		return NULL;
	kma_account_add_age(in->account, *found - in->sites, &age);
	return NULL;
}

static struct kma_err *kma_snap_ages(struct kma_snap *in)
{
	struct kma_snap_ages at;
	struct kma_err *err;

	if (!in->has_sites)
		return kma_cursor_error(&in->cur, "section 'ages' comes before 'sites'");
	err = kma_snap_age_columns(in, &at);
	for (;;) {
		if (!err)
			err = kma_snap_next(in);
		if (err || kma_snap_at_section(in))
			return err;
		err = kma_snap_age_row(in, &at);
	}
}

static struct kma_err *kma_snap_groups(struct kma_snap *in, enum kma_grouped by)
{
	if (!in->has_sites)
		return kma_cursor_error(&in->cur, "a table of groups comes before section 'sites'");
	return kma_groups_section(&in->cur, by, &in->ids, in->account);
}

static struct kma_err *kma_snap_cgroups(struct kma_snap *in)
{
	return kma_snap_groups(in, KMA_GROUPED_CGROUP);
}

static struct kma_err *kma_snap_nodes(struct kma_snap *in)
{
	return kma_snap_groups(in, KMA_GROUPED_NODE);
}

static struct kma_err *kma_snap_stats(struct kma_snap *in)
{
	return kma_stats_section(&in->cur, in->account);
}

static struct kma_err *kma_snap_end(struct kma_snap *in)
{
	in->ended = true;
	return NULL;
}

static const struct {
	const char *name;
	struct kma_err *(*read)(struct kma_snap *in); /* up to the next section */
} kma_snap_sections[] = {
	{ "sites", kma_snap_sites }, { "ages", kma_snap_ages },	  { "cgroups", kma_snap_cgroups },
	{ "nodes", kma_snap_nodes }, { "stats", kma_snap_stats }, { "end", kma_snap_end },
};

static struct kma_err *kma_snap_read_section(struct kma_snap *in)
{
	const char *name = in->cur.text + strlen(KMA_SECTION);

	for (size_t i = 0; i < ARRAY_SIZE(kma_snap_sections); i++)
		if (!strcmp(name, kma_snap_sections[i].name))
			return kma_snap_sections[i].read(in);
	return kma_snap_skip(in);
}

static bool kma_snap_is_table(const struct kma_snap *in)
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
static struct kma_err *kma_snap_section(struct kma_snap *in)
{
	struct kma_err *err;

	if (!kma_snap_is_table(in))
		return kma_snap_read_section(in);
	kma_strbuf_printf(&in->tables, "%s\n", in->cur.text);
	in->cur.keep = &in->tables;
	err = kma_snap_read_section(in);
	in->cur.keep = NULL;
	if (err)
		return err;
	in->tables.len -= strlen(in->cur.text) + 1;
	return NULL;
}

static void kma_snap_keep(struct kma_snap *in)
{
	kma_strbuf_puts(&in->tables, KMA_SECTION "end\n");
	kma_account_set_tables(in->account, in->tables.str);
	in->tables = (struct kma_strbuf){ 0 };
}

static struct kma_err *kma_snapshot_read(struct kma_input *input, struct kma_account *account)
{
	struct kma_snap in = { .account = account };
	struct kma_err *err;
	bool more;

	kma_cursor_init(&in.cur, input);
	kma_strbuf_puts(&in.tables, KMA_SNAPSHOT_FIRST "\n");
	err = kma_snap_header(&in);
	while (!err && !in.ended)
		err = kma_snap_section(&in);
	if (!err && !in.has_sites)
		err = kma_cursor_error(&in.cur, "the snapshot has no section 'sites'");
	if (!err)
		err = kma_cursor_next(&in.cur, &more);
	if (!err && more)
		err = kma_cursor_error(&in.cur, "data after the end of the snapshot");
	if (!err)
		kma_snap_keep(&in);
	kma_strbuf_deinit(&in.tables);
	kma_sites_ids_deinit(&in.ids);
	free(in.index);
	kma_cursor_deinit(&in.cur);
	return err;
}

const struct kma_reader_ops kma_reader_snapshot = {
	.name = "debugfs' kmem_account/snapshot",
	.begins = KMA_SNAPSHOT_NAME,
	.read = kma_snapshot_read,
};
