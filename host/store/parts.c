// SPDX-License-Identifier: GPL-2.0-only
/*
 * parts.c - read the memory of call sites by group from a file of a history.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "model/groups.h"
#include "parts.h"

void kma_parts_deinit(struct kma_parts *parts)
{
	for (size_t i = 0; i < parts->nr_groups; i++) {
		free(parts->groups[i].kind);
		free(parts->groups[i].name);
	}
	free(parts->groups);
	free(parts->list);
	kma_intern_destroy(parts->names);
	kma_intern_destroy(parts->keys);
	kma_code_deinit(&parts->code);
	kma_code_deinit(&parts->decoded);
	kma_code_deinit(&parts->charge);
	kma_code_deinit(&parts->charged);
	sqlite3_finalize(parts->stmt);
	sqlite3_finalize(parts->charge_stmt);
	*parts = (struct kma_parts){ 0 };
}

/* The kind of groups; names in a file are those of the command line. */
static enum kma_grouped parts_kind(const char *name)
{
	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++)
		if (!strcmp(name, kma_grouped_names[by]))
			return by;
	return KMA_GROUPED_NOT;
}

/* What the rows of the tables are read into. */
struct kma_parts_reader {
	struct kma_parts *parts;
	const struct kma_conn *conn;
	size_t nr_sites;
};

static struct kma_err *parts_group(void *arg, sqlite3_stmt *stmt)
{
	const struct kma_parts_reader *reader = arg;
	struct kma_parts *parts = reader->parts;
	const char *kind = (const char *)sqlite3_column_text(stmt, 1);
	const char *name = (const char *)sqlite3_column_text(stmt, 2);
	struct kma_parts_group *group;

	if (!kind || !name || sqlite3_column_int64(stmt, 0) != (int64_t)parts->nr_groups)
		return kma_conn_damaged(reader->conn, "a group is missing");
	kma_array_room(parts->groups, parts->nr_groups, parts->room_groups);
	group = &parts->groups[parts->nr_groups++];
	*group = (struct kma_parts_group){ .by = parts_kind(kind),
					   .kind = kma_xstrdup(kind),
					   .name = kma_xstrdup(name) };
	return NULL;
}

static struct kma_err *parts_part(void *arg, sqlite3_stmt *stmt)
{
	const struct kma_parts_reader *reader = arg;
	struct kma_parts *parts = reader->parts;
	uint64_t site = sqlite3_column_int64(stmt, 1), group = sqlite3_column_int64(stmt, 2);

	if (sqlite3_column_int64(stmt, 0) != (int64_t)parts->nr || site >= reader->nr_sites ||
	    !group || group >= parts->nr_groups)
		return kma_conn_damaged(reader->conn,
					"a row of table part has an invalid id, site or group");
	kma_array_room(parts->list, parts->nr, parts->room);
	parts->list[parts->nr++] = (struct kma_parts_key){ site, group };
	return NULL;
}

/* Begin both arrays with an element for number 0, which is not used. */
static void parts_begin(struct kma_parts *parts)
{
	kma_array_room(parts->groups, parts->nr_groups, parts->room_groups);
	kma_array_room(parts->list, parts->nr, parts->room);
	parts->groups[parts->nr_groups++] = (struct kma_parts_group){ 0 };
	parts->list[parts->nr++] = (struct kma_parts_key){ 0 };
}

struct kma_err *kma_parts_load(struct kma_parts *parts, const struct kma_conn *conn,
			       size_t nr_sites, const struct kma_columns_need *need)
{
	struct kma_parts_reader reader = { parts, conn, nr_sites };
	struct kma_err *err;

	parts_begin(parts);
	if (!kma_conn_has(conn, "parts", "sample"))
		return NULL;
	err = kma_conn_each(conn, "SELECT id, kind, name FROM grouped ORDER BY id", 0, parts_group,
			    &reader);
	err = err   ?:
		      kma_conn_each(conn, "SELECT id, site, grouped FROM part ORDER BY id", 0,
				    parts_part, &reader);
	if (err)
		return err;
	kma_columns_of_parts(&parts->columns);
	kma_columns_rules(&parts->columns, &parts->decoded);
	kma_columns_choose(&parts->columns, need, &parts->decoded);
	parts->charged.nr_columns = 1;
	err = kma_conn_prepare(conn, "SELECT kinds, live, data FROM parts WHERE sample = ?",
			       &parts->stmt);
	if (err || !kma_conn_has(conn, "charged", "sample"))
		return err;
	return kma_conn_prepare(conn, "SELECT kinds, charged, data FROM charged WHERE sample = ?",
				&parts->charge_stmt);
}

/* Read the kinds of groups, which are names, each followed by a blank. */
static unsigned int parts_kinds(const char *names)
{
	unsigned int kinds = 0;

	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++)
		if (names && kma_list_has(names, kma_grouped_names[by]))
			kinds |= 1U << by;
	return kinds;
}

static struct kma_err *parts_numbers(const struct kma_parts *parts, struct kma_code *code,
				     const struct kma_conn *conn, sqlite3_stmt *stmt)
{
	struct kma_err *placed, *err;

	err = kma_code_get(code, sqlite3_column_blob(stmt, 2), sqlite3_column_bytes(stmt, 2),
			   parts->nr);
	if (!err)
		return NULL;
	placed = kma_conn_damaged(conn, err->message);
	kma_err_destroy(err);
	return placed;
}

/*
 * Decode a row of table parts or charged, which have the same columns. *@kinds and *@sum are 0 if
 * the sample has no row.
 */
static struct kma_err *parts_row(const struct kma_parts *parts, struct kma_code *code,
				 const struct kma_conn *conn, sqlite3_stmt *stmt, int64_t sample,
				 unsigned int *kinds, uint64_t *sum)
{
	struct kma_err *err;
	bool row;

	*kinds = 0;
	*sum = 0;
	sqlite3_bind_int64(stmt, 1, sample);
	err = kma_conn_step(conn, stmt, &row);
	if (!err && row) {
		*kinds = parts_kinds((const char *)sqlite3_column_text(stmt, 0));
		*sum = sqlite3_column_int64(stmt, 1);
		err = parts_numbers(parts, code, conn, stmt);
	}
	sqlite3_reset(stmt);
	return err;
}

struct kma_err *kma_parts_decode(struct kma_parts *parts, const struct kma_conn *conn,
				 int64_t sample, bool key)
{
	struct kma_err *err;

	parts->kinds = 0;
	parts->charged_kinds = 0;
	if (!parts->stmt)
		return NULL;
	if (key) {
		kma_code_clear(&parts->decoded);
		kma_code_clear(&parts->charged);
	}
	err = parts_row(parts, &parts->decoded, conn, parts->stmt, sample, &parts->kinds,
			&parts->live);
	if (err)
		return err;
	if (parts->charge_stmt)
		err = parts_row(parts, &parts->charged, conn, parts->charge_stmt, sample,
				&parts->charged_kinds, &parts->charged_sum);
	if (err)
		return err;
	if (parts->charged_kinds & ~parts->kinds)
		return kma_conn_damaged(conn, "a sample has charged bytes of groups that it lacks");
	return NULL;
}

/* Get the numbers of a part of the decoded sample; false if the sample does not have the part. */
static bool parts_get(const struct kma_parts *parts, size_t i, struct kma_values *ret)
{
	const uint64_t *values = parts->decoded.values + i * parts->decoded.nr_columns;
	struct kma_site_age age;

	kma_columns_set(&parts->columns, values, 0, ret, &age);
	if (parts->charged_kinds && i < parts->charged.nr_sites)
		ret->charged = parts->charged.values[i];
	return kma_columns_any(&parts->columns, values);
}

void kma_parts_mark(const struct kma_parts *parts, bool *has)
{
	struct kma_values values;

	for (size_t i = 1; parts->kinds && i < parts->decoded.nr_sites; i++)
		if (parts_get(parts, i, &values))
			has[parts->list[i].site] = true;
}

void kma_parts_mark_groups(const struct kma_parts *parts, bool *used)
{
	struct kma_values values;

	for (size_t i = 1; parts->kinds && i < parts->decoded.nr_sites; i++)
		if (parts_get(parts, i, &values))
			used[parts->list[i].group] = true;
}

/*
 * Add the parts to @groups, one set for each kind that the sample has; group N of the file is group
 * N - 1 there. Groups of kinds that only a newer program knows are left out.
 */
static struct kma_err *parts_add(const struct kma_parts *parts, const struct kma_conn *conn,
				 const size_t *rows, struct kma_groups **groups)
{
	struct kma_values values;
	uint64_t live = 0, charged = 0;

	for (size_t i = 1; i < parts->decoded.nr_sites; i++) {
		const struct kma_parts_key *part = &parts->list[i];
		enum kma_grouped by = parts->groups[part->group].by;

		if (!parts_get(parts, i, &values))
			continue;
		live += values.current;
		charged += values.charged;
		if (values.charged > values.current)
			return kma_conn_damaged(conn, "more bytes charged than allocated");
		if (groups[by])
			kma_groups_add(groups[by], rows[part->site], part->group - 1, &values);
		else if (by != KMA_GROUPED_NOT)
			return kma_conn_damaged(conn,
						"a sample has a group of a kind that it lacks");
	}
	if (live != parts->live)
		return kma_conn_damaged(conn,
					"the groups of a sample do not add up to their total");
	if (parts->charged_kinds && charged != parts->charged_sum)
		return kma_conn_damaged(
			conn, "the charged bytes of a sample do not add up to their total");
	return NULL;
}

static struct kma_groups *parts_create(const struct kma_parts *parts)
{
	struct kma_groups *groups;
	uint32_t nr;

	kma_groups_create(&groups);
	for (size_t i = 1; i < parts->nr_groups; i++)
		kma_groups_name_add(groups, parts->groups[i].name, &nr);
	return groups;
}

struct kma_err *kma_parts_fill(const struct kma_parts *parts, const struct kma_conn *conn,
			       const size_t *rows, struct kma_account *account)
{
	struct kma_groups *groups[KMA_NR_GROUPED] = { 0 };
	struct kma_err *err;

	if (!parts->kinds)
		return NULL;
	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++)
		if (parts->kinds & 1U << by) {
			groups[by] = parts_create(parts);
			if (parts->charged_kinds & 1U << by)
				kma_groups_set_more(groups[by], 1U << KMA_CHARGED);
		}
	err = parts_add(parts, conn, rows, groups);
	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++) {
		if (err)
			kma_groups_destroy(groups[by]);
		else if (groups[by])
			kma_account_set_groups(account, by, groups[by]);
	}
	return err;
}
