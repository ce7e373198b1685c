// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups.c - save and load the memory of call sites by cgroup, NUMA node or task.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "groups.h"
#include "lib/cleanup.h"
#include "model/groups.h"

static const char *const kma_db_group_tables[] = {
	"CREATE TABLE IF NOT EXISTS grouping\n"
	" (snapshot INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,\n"
	" kind TEXT NOT NULL, parts INTEGER NOT NULL, current_dynamic INTEGER NOT NULL,\n"
	" PRIMARY KEY (snapshot, kind)) WITHOUT ROWID",
	"CREATE TABLE IF NOT EXISTS grouped\n"
	" (snapshot INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,\n"
	" kind TEXT NOT NULL, nr INTEGER NOT NULL, name TEXT NOT NULL,\n"
	" PRIMARY KEY (snapshot, kind, nr)) WITHOUT ROWID",
	"CREATE TABLE IF NOT EXISTS part\n"
	" (snapshot INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,\n"
	" kind TEXT NOT NULL, nr INTEGER NOT NULL, site INTEGER NOT NULL,\n"
	" grouped INTEGER NOT NULL, current_dynamic INTEGER NOT NULL,\n"
	" requested INTEGER NOT NULL, allocs INTEGER NOT NULL, frees INTEGER NOT NULL,\n"
	" objects INTEGER NOT NULL, PRIMARY KEY (snapshot, kind, nr)) WITHOUT ROWID",
};

/*
 * What a memory cgroup was to be charged for, of snapshots that tell it. Tables of their own, because
 * older programs write all columns of table part by their order.
 */
static const char *const kma_db_charge_tables[] = {
	"CREATE TABLE IF NOT EXISTS charging\n"
	" (snapshot INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,\n"
	" kind TEXT NOT NULL, charged INTEGER NOT NULL,\n"
	" PRIMARY KEY (snapshot, kind)) WITHOUT ROWID",
	"CREATE TABLE IF NOT EXISTS charged\n"
	" (snapshot INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,\n"
	" kind TEXT NOT NULL, nr INTEGER NOT NULL, charged INTEGER NOT NULL,\n"
	" PRIMARY KEY (snapshot, kind, nr)) WITHOUT ROWID",
};

/*
 * Columns of table part from the site on; the five numbers begin at KMA_PART_CURRENT. A row that is
 * loaded has the charged bytes behind these.
 */
enum { KMA_PART_SITE, KMA_PART_GROUP, KMA_PART_CURRENT, KMA_PART_NUMBERS = 7 };

static struct kma_err *kma_groups_create_tables(const struct kma_conn *conn,
						const char *const *tables, size_t nr)
{
	struct kma_err *err = NULL;

	for (size_t i = 0; i < nr; i++) {
		err = kma_conn_exec(conn, tables[i]);
		if (err)
			return err;
	}
	return NULL;
}

static void kma_groups_bind(sqlite3_stmt *stmt, int64_t id, const char *kind, int64_t nr)
{
	sqlite3_bind_int64(stmt, 1, id);
	sqlite3_bind_text(stmt, 2, kind, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 3, nr);
}

static struct kma_err *kma_groups_save_parts(const struct kma_conn *conn, int64_t id,
					     const char *kind, const struct kma_group_part *parts,
					     size_t nr)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;

	err = kma_conn_prepare(conn, "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			       &stmt);
	if (err)
		return err;
	for (size_t i = 0; i < nr; i++) {
		const struct kma_values *values = &parts[i].values;
		const uint64_t numbers[KMA_PART_NUMBERS] = {
			parts[i].site,	parts[i].group, values->current, values->req,
			values->allocs, values->frees,	values->objects,
		};

		kma_groups_bind(stmt, id, kind, i);
		for (int n = 0; n < KMA_PART_NUMBERS; n++)
			sqlite3_bind_int64(stmt, 4 + n, numbers[n]);
		err = kma_conn_run(conn, stmt);
		if (err)
			return err;
	}
	return NULL;
}

static struct kma_err *kma_groups_save_names(const struct kma_conn *conn, int64_t id,
					     const char *kind, const struct kma_groups *groups,
					     uint32_t nr)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;

	err = kma_conn_prepare(conn, "INSERT INTO grouped VALUES (?, ?, ?, ?)", &stmt);
	if (err)
		return err;
	for (uint32_t i = 0; i < nr; i++) {
		kma_groups_bind(stmt, id, kind, i);
		sqlite3_bind_text(stmt, 4, kma_groups_name(groups, i), -1, SQLITE_STATIC);
		err = kma_conn_run(conn, stmt);
		if (err)
			return err;
	}
	return NULL;
}

/* Save the sum of the charged bytes, and those of each part that has some. */
static struct kma_err *kma_groups_save_charged(const struct kma_conn *conn, int64_t id,
					       const char *kind, const struct kma_groups *groups)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL, *sum = NULL;
	const struct kma_group_part *parts;
	uint64_t charged = 0;
	struct kma_err *err;
	size_t nr;

	if (!(kma_groups_more(groups) & 1U << KMA_CHARGED))
		return NULL;
	err = kma_groups_create_tables(conn, kma_db_charge_tables,
				       ARRAY_SIZE(kma_db_charge_tables));
	if (err)
		return err;
	err = kma_conn_prepare(conn, "INSERT INTO charged VALUES (?, ?, ?, ?)", &stmt);
	if (err)
		return err;
	err = kma_conn_prepare(conn, "INSERT INTO charging VALUES (?, ?, ?)", &sum);
	if (err)
		return err;
	parts = kma_groups_parts(groups, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!parts[i].values.charged)
			continue;
		charged += parts[i].values.charged;
		kma_groups_bind(stmt, id, kind, i);
		sqlite3_bind_int64(stmt, 4, parts[i].values.charged);
		err = kma_conn_run(conn, stmt);
		if (err)
			return err;
	}
	kma_groups_bind(sum, id, kind, charged);
	return kma_conn_run(conn, sum);
}

static struct kma_err *kma_groups_save_kind(const struct kma_conn *conn, int64_t id,
					    const char *kind, const struct kma_groups *groups)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	const struct kma_group_part *parts;
	uint64_t current = 0;
	struct kma_err *err;
	uint32_t names = 0;
	size_t nr;

	parts = kma_groups_parts(groups, &nr);
	for (size_t i = 0; i < nr; i++) {
		current += parts[i].values.current;
		if (parts[i].group >= names)
			names = parts[i].group + 1;
	}
	err = kma_conn_prepare(conn, "INSERT INTO grouping VALUES (?, ?, ?, ?)", &stmt);
	if (err)
		return err;
	kma_groups_bind(stmt, id, kind, nr);
	sqlite3_bind_int64(stmt, 4, current);
	err = kma_conn_run(conn, stmt);
	if (err)
		return err;
	err = kma_groups_save_names(conn, id, kind, groups, names);
	if (err)
		return err;
	err = kma_groups_save_parts(conn, id, kind, parts, nr);
	return err ?: kma_groups_save_charged(conn, id, kind, groups);
}

struct kma_err *kma_db_groups_save(const struct kma_conn *conn, int64_t id,
				   const struct kma_account *account)
{
	struct kma_err *err;

	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++) {
		const struct kma_groups *groups = kma_account_groups(account, by);

		if (!groups)
			continue;
		err = kma_groups_create_tables(conn, kma_db_group_tables,
					       ARRAY_SIZE(kma_db_group_tables));
		if (err)
			return err;
		err = kma_groups_save_kind(conn, id, kma_grouped_names[by], groups);
		if (err)
			return err;
	}
	return NULL;
}

/* State while one kind of groups is loaded. */
struct kma_groups_load {
	const struct kma_conn *conn;
	const struct kma_snapshot *snapshot;
	const char *kind;
	struct kma_groups *groups;
	size_t sites;	  /* call sites of the account */
	uint32_t names;	  /* names of groups so far */
	uint64_t parts;	  /* parts so far */
	uint64_t current; /* live bytes of these parts */
	uint64_t charged; /* charged bytes of these parts; 0 if the snapshot does not tell them */
};

static struct kma_err *kma_groups_damaged(const struct kma_groups_load *load)
{
	char text[120];

	snprintf(text, sizeof(text),
		 "the rows by %.40s of snapshot #%" PRId64 " do not add up to the saved totals",
		 load->kind, load->snapshot->id);
	return kma_conn_damaged(load->conn, text);
}

static struct kma_err *kma_groups_load_name(struct kma_groups_load *load, sqlite3_stmt *stmt)
{
	const char *name = (const char *)sqlite3_column_text(stmt, 1);
	uint32_t nr;

	if (!name || sqlite3_column_int64(stmt, 0) != load->names)
		return kma_groups_damaged(load);
	load->names++;
	kma_groups_name_add(load->groups, name, &nr);
	return NULL;
}

static struct kma_err *kma_groups_load_part(struct kma_groups_load *load, sqlite3_stmt *stmt)
{
	uint64_t n[KMA_PART_NUMBERS + 1];

	for (size_t i = 0; i < ARRAY_SIZE(n); i++) {
		n[i] = sqlite3_column_int64(stmt, i);
		if (sqlite3_column_type(stmt, i) != SQLITE_INTEGER || n[i] > INT64_MAX)
			return kma_groups_damaged(load);
	}
	if (n[KMA_PART_SITE] >= load->sites || n[KMA_PART_GROUP] >= load->names ||
	    n[KMA_PART_CURRENT + 1] > n[KMA_PART_CURRENT] ||
	    n[KMA_PART_NUMBERS] > n[KMA_PART_CURRENT])
		return kma_groups_damaged(load);
	load->parts++;
	load->current += n[KMA_PART_CURRENT];
	load->charged += n[KMA_PART_NUMBERS];
	kma_groups_add(load->groups, n[KMA_PART_SITE], n[KMA_PART_GROUP],
		       &(struct kma_values){
			       .current = n[KMA_PART_CURRENT],
			       .req = n[KMA_PART_CURRENT + 1],
			       .waste = n[KMA_PART_CURRENT] - n[KMA_PART_CURRENT + 1],
			       .allocs = n[KMA_PART_CURRENT + 2],
			       .frees = n[KMA_PART_CURRENT + 3],
			       .objects = n[KMA_PART_CURRENT + 4],
			       .charged = n[KMA_PART_NUMBERS],
		       });
	return NULL;
}

static struct kma_err *kma_groups_load_rows(struct kma_groups_load *load, const char *sql,
					    struct kma_err *(*take)(struct kma_groups_load *load,
								    sqlite3_stmt *stmt))
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;
	bool row = true;

	err = kma_conn_prepare(load->conn, sql, &stmt);
	if (err)
		return err;
	sqlite3_bind_int64(stmt, 1, load->snapshot->id);
	sqlite3_bind_text(stmt, 2, load->kind, -1, SQLITE_STATIC);
	while (!err && row) {
		err = kma_conn_step(load->conn, stmt, &row);
		if (!err && row)
			err = take(load, stmt);
	}
	return err;
}

static bool kma_groups_table(const struct kma_conn *conn, const char *name)
{
	return !sqlite3_table_column_metadata(conn->sql, NULL, name, "kind", NULL, NULL, NULL, NULL,
					      NULL);
}

/* Load the saved sum of the charged bytes. *@ret is false if the snapshot does not tell them. */
static struct kma_err *kma_groups_load_charging(const struct kma_groups_load *load, bool *ret,
						uint64_t *charged)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;

	*ret = false;
	*charged = 0;
	if (!kma_groups_table(load->conn, "charging") || !kma_groups_table(load->conn, "charged"))
		return NULL;
	err = kma_conn_prepare(
		load->conn, "SELECT charged FROM charging WHERE snapshot = ? AND kind = ?", &stmt);
	if (err)
		return err;
	sqlite3_bind_int64(stmt, 1, load->snapshot->id);
	sqlite3_bind_text(stmt, 2, load->kind, -1, SQLITE_STATIC);
	err = kma_conn_step(load->conn, stmt, ret);
	if (err)
		return err;
	if (*ret)
		*charged = sqlite3_column_int64(stmt, 0);
	return NULL;
}

static const char kma_groups_sql_parts[] =
	"SELECT site, grouped, current_dynamic, requested, allocs, frees, objects, 0\n"
	" FROM part WHERE snapshot = ? AND kind = ? ORDER BY nr";

static const char kma_groups_sql_charged_parts[] =
	"SELECT site, grouped, current_dynamic, requested, allocs, frees, objects,\n"
	" ifnull(charged, 0) FROM part LEFT JOIN charged USING (snapshot, kind, nr)\n"
	" WHERE snapshot = ? AND kind = ? ORDER BY nr";

/* Load one kind of groups into @load->groups, which stays with the caller. */
static struct kma_err *kma_groups_load_kind(struct kma_groups_load *load, uint64_t parts,
					    uint64_t current)
{
	uint64_t charged = 0;
	struct kma_err *err;
	bool has;

	err = kma_groups_load_rows(
		load, "SELECT nr, name FROM grouped WHERE snapshot = ? AND kind = ? ORDER BY nr",
		kma_groups_load_name);
	if (err)
		return err;
	err = kma_groups_load_charging(load, &has, &charged);
	if (err)
		return err;
	err = kma_groups_load_rows(load, has ? kma_groups_sql_charged_parts : kma_groups_sql_parts,
				   kma_groups_load_part);
	if (err)
		return err;
	if (load->parts != parts || load->current != current || load->charged != charged)
		return kma_groups_damaged(load);
	kma_groups_set_more(load->groups, has ? 1U << KMA_CHARGED : 0);
	return NULL;
}

static enum kma_grouped kma_groups_kind(const char *name)
{
	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++)
		if (name && !strcmp(name, kma_grouped_names[by]))
			return by;
	return KMA_GROUPED_NOT;
}

static struct kma_err *kma_groups_load_one(struct kma_groups_load *load, sqlite3_stmt *stmt,
					   struct kma_account *account)
{
	const char *name = (const char *)sqlite3_column_text(stmt, 0);
	enum kma_grouped by = kma_groups_kind(name);
	struct kma_err *err;

	/* A newer program may have other kinds of groups. */
	if (!by) {
		kma_account_warn(account, "unknown groups '%.40s'; they are left out", name ?: "");
		return NULL;
	}
	load->kind = kma_grouped_names[by];
	load->names = 0;
	load->parts = load->current = load->charged = 0;
	kma_groups_create(&load->groups);
	err = kma_groups_load_kind(load, sqlite3_column_int64(stmt, 1),
				   sqlite3_column_int64(stmt, 2));
	if (err)
		kma_groups_destroy(load->groups);
	else
		kma_account_set_groups(account, by, load->groups);
	return err;
}

/* Does the file have the tables? A file of an older program does not. */
static bool kma_groups_there(const struct kma_conn *conn)
{
	static const char *const names[] = { "grouping", "grouped", "part" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!kma_groups_table(conn, names[i]))
			return false;
	return true;
}

struct kma_err *kma_db_groups_load(const struct kma_conn *conn, const struct kma_snapshot *snapshot,
				   struct kma_account *account)
{
	struct kma_groups_load load = { .conn = conn, .snapshot = snapshot };
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;
	bool row = true;

	if (!kma_groups_there(conn))
		return NULL;
	kma_account_sites(account, &load.sites);
	err = kma_conn_prepare(
		conn, "SELECT kind, parts, current_dynamic FROM grouping WHERE snapshot = ?",
		&stmt);
	if (err)
		return err;
	sqlite3_bind_int64(stmt, 1, snapshot->id);
	while (!err && row) {
		err = kma_conn_step(conn, stmt, &row);
		if (!err && row)
			err = kma_groups_load_one(&load, stmt, account);
	}
	return err;
}
