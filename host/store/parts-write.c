// SPDX-License-Identifier: GPL-2.0-only
/*
 * parts-write.c - write the memory of call sites by group to a file of a history.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "model/groups.h"
#include "parts-write.h"

static const char kma_parts_tables[] =
	"CREATE TABLE grouped (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL);\n"
	"CREATE TABLE part (id INTEGER PRIMARY KEY, site INTEGER NOT NULL, grouped INTEGER NOT NULL);\n"
	"CREATE TABLE parts (sample INTEGER PRIMARY KEY, kinds TEXT NOT NULL, live INTEGER NOT NULL,\n"
	" data BLOB NOT NULL);\n";

/* A file of an older program has the tables above without this one. */
static const char kma_parts_charged_table[] =
	"CREATE TABLE IF NOT EXISTS charged (sample INTEGER PRIMARY KEY, kinds TEXT NOT NULL,\n"
	" charged INTEGER NOT NULL, data BLOB NOT NULL);\n";

/*
 * Get the number of a group, and insert it if it is new; beyond the limits it is @other. A kind is
 * identified by its name, because a newer program may have written kinds that this one does not
 * know.
 */
static struct kma_err *kma_parts_group_of(struct kma_parts *parts, struct kma_conn *conn,
					  const char *kind, const char *name, uint32_t other,
					  uint32_t *ret)
{
	_cleanup_free_ char *key = kma_xasprintf("%s\t%s", kind, name);

	*ret = kma_intern(parts->names, KMA_KIND_UNKNOWN, key, strlen(key)) ?: other;
	if (*ret != parts->written_groups)
		return NULL;
	parts->written_groups++;
	return kma_conn_put(conn, "INSERT INTO grouped (id, kind, name) VALUES (?,?,?)", "itt",
			    (int64_t)*ret, kind, name);
}

/* Get the number of a part, and insert it if it is new; beyond the limits it is @other. */
static struct kma_err *kma_parts_part_of(struct kma_parts *parts, struct kma_conn *conn,
					 uint32_t site, uint32_t group, uint32_t other,
					 uint32_t *ret)
{
	char key[32];

	snprintf(key, sizeof(key), "%" PRIu32 "\t%" PRIu32, site, group);
	*ret = kma_intern(parts->keys, KMA_KIND_UNKNOWN, key, strlen(key)) ?: other;
	if (*ret != parts->written)
		return NULL;
	parts->written++;
	return kma_conn_put(conn, "INSERT INTO part (id, site, grouped) VALUES (?,?,?)", "iii",
			    (int64_t)*ret, (int64_t)site, (int64_t)group);
}

/*
 * Insert group [other] of each kind, and a part of it at site 0, before all others: they get what
 * is beyond the limits. Samples of a history are of snapshots, which have no roots.
 */
static struct kma_err *kma_parts_others(struct kma_parts *parts, struct kma_conn *conn, bool roots)
{
	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++) {
		struct kma_parts_other *other = &parts->others[by];
		struct kma_err *err;

		if (other->part || (by == KMA_GROUPED_ROOT && !roots))
			continue;
		err = kma_parts_group_of(parts, conn, kma_grouped_names[by], KMA_PARTS_OTHER, 0,
					 &other->group);
		err = err ?: kma_parts_part_of(parts, conn, 0, other->group, 0, &other->part);
		if (err)
			return err;
		if (!other->group || !other->part)
			return kma_conn_damaged(conn,
						"too many groups, and none named " KMA_PARTS_OTHER);
	}
	return NULL;
}

/* Number the groups and parts of the file; they must get the numbers that they have there. */
static struct kma_err *kma_parts_known(struct kma_parts *parts, struct kma_conn *conn)
{
	struct kma_err *err;
	uint32_t id;

	parts->written_groups = parts->nr_groups;
	parts->written = parts->nr;
	for (size_t i = 1; i < parts->nr_groups; i++) {
		err = kma_parts_group_of(parts, conn, parts->groups[i].kind, parts->groups[i].name,
					 0, &id);
		if (err)
			return err;
		if (id != i)
			return kma_conn_damaged(conn, "a group occurs twice");
	}
	for (size_t i = 1; i < parts->nr; i++) {
		const struct kma_parts_key *part = &parts->list[i];

		err = kma_parts_part_of(parts, conn, part->site, part->group, 0, &id);
		if (err)
			return err;
		if (id != i)
			return kma_conn_damaged(conn, "a row of table part occurs twice");
	}
	return NULL;
}

static struct kma_err *kma_parts_prepare(struct kma_parts *parts, struct kma_conn *conn, bool roots)
{
	struct kma_columns columns;
	struct kma_err *err = NULL;

	if (!parts->keys) {
		kma_columns_of_parts(&columns);
		kma_columns_rules(&columns, &parts->code);
		parts->charge.nr_columns = 1;
		parts->names = kma_intern_new();
		parts->keys = kma_intern_new();
		err = kma_parts_known(parts, conn);
		if (!err && parts->nr == 1)
			err = kma_conn_exec(conn, kma_parts_tables);
	}
	return err ?: kma_parts_others(parts, conn, roots);
}

/* The numbers of a sample before they are coded. */
struct kma_parts_sample {
	uint64_t *values; /* the matrix, a row for each part */
	struct kma_columns columns;
	struct kma_strbuf kinds;
	uint64_t live;
	/* the charged bytes: one for each part; the kinds that tell them; their sum */
	uint64_t *charges;
	struct kma_strbuf charged_kinds;
	uint64_t charged;
};

static void kma_parts_sample_deinit(struct kma_parts_sample *sample)
{
	free(sample->values);
	free(sample->charges);
	kma_strbuf_deinit(&sample->kinds);
	kma_strbuf_deinit(&sample->charged_kinds);
}

static struct kma_err *kma_parts_take(struct kma_parts *parts, struct kma_conn *conn,
				      const struct kma_groups *groups, enum kma_grouped by,
				      const uint32_t *sites, struct kma_parts_sample *sample)
{
	bool told = kma_groups_more(groups) & 1U << KMA_CHARGED;
	const struct kma_group_part *list;
	size_t nr;

	list = kma_groups_parts(groups, &nr);
	for (size_t i = 0; i < nr; i++) {
		const struct kma_site row = { .values = list[i].values };
		uint64_t numbers[KMA_CODE_MAX_COLUMNS];
		uint32_t group, part;
		struct kma_err *err;

		err = kma_parts_group_of(parts, conn, kma_grouped_names[by],
					 kma_groups_name(groups, list[i].group),
					 parts->others[by].group, &group);
		if (err)
			return err;
		err = kma_parts_part_of(parts, conn, sites[list[i].site], group,
					parts->others[by].part, &part);
		if (err)
			return err;
		kma_columns_get(&sample->columns, &row, 0, numbers);
		for (size_t c = 0; c < sample->columns.nr; c++)
			sample->values[part * sample->columns.nr + c] += numbers[c];
		sample->live += row.values.current;
		if (told) {
			sample->charges[part] += row.values.charged;
			sample->charged += row.values.charged;
		}
	}
	kma_strbuf_printf(&sample->kinds, "%s ", kma_grouped_names[by]);
	if (told)
		kma_strbuf_printf(&sample->charged_kinds, "%s ", kma_grouped_names[by]);
	return NULL;
}

/* Code and insert the charged bytes of a sample, if it tells them. */
static struct kma_err *kma_parts_charge(struct kma_parts *parts, struct kma_conn *conn, int64_t id,
					const struct kma_parts_sample *sample, size_t *bytes)
{
	_cleanup_strbuf_ struct kma_strbuf data = { 0 };
	struct kma_err *err;

	if (!sample->charged_kinds.len)
		return NULL;
	err = kma_conn_exec(conn, kma_parts_charged_table);
	if (err)
		return err;
	kma_code_put(&parts->charge, sample->charges, kma_intern_count(parts->keys), &data);
	*bytes += data.len;
	return kma_conn_put(conn,
			    "INSERT INTO charged (sample, kinds, charged, data) VALUES (?,?,?,?)",
			    "itib", id, sample->charged_kinds.str, sample->charged, &data);
}

struct kma_err *kma_parts_put(struct kma_parts *parts, struct kma_conn *conn, int64_t id,
			      const struct kma_account *account, const uint32_t *sites, bool key,
			      size_t *bytes)
{
	_cleanup_(kma_parts_sample_deinit) struct kma_parts_sample sample = { 0 };
	_cleanup_strbuf_ struct kma_strbuf data = { 0 };
	const struct kma_groups *groups[KMA_NR_GROUPED] = { 0 };
	size_t room = 0, nr;
	struct kma_err *err;

	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++) {
		groups[by] = kma_account_groups(account, by);
		if (groups[by]) {
			kma_groups_parts(groups[by], &nr);
			room += nr + 1;
		}
	}
	if (key) {
		kma_code_clear(&parts->code);
		kma_code_clear(&parts->charge);
	}
	if (!room)
		return NULL;
	err = kma_parts_prepare(parts, conn, groups[KMA_GROUPED_ROOT]);
	if (err)
		return err;
	kma_columns_of_parts(&sample.columns);
	room += kma_intern_count(parts->keys);
	sample.values = kma_xcalloc(room * sample.columns.nr, sizeof(*sample.values));
	sample.charges = kma_xcalloc(room, sizeof(*sample.charges));
	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++) {
		if (!groups[by])
			continue;
		err = kma_parts_take(parts, conn, groups[by], by, sites, &sample);
		if (err)
			return err;
	}
	kma_code_put(&parts->code, sample.values, kma_intern_count(parts->keys), &data);
	*bytes += data.len;
	err = kma_conn_put(conn, "INSERT INTO parts (sample, kinds, live, data) VALUES (?,?,?,?)",
			   "itib", id, sample.kinds.str, sample.live, &data);
	return err ?: kma_parts_charge(parts, conn, id, &sample, bytes);
}

struct kma_err *kma_parts_changed(const struct kma_parts *parts, struct kma_conn *conn, bool *ret)
{
	size_t known = parts->keys ? parts->written : parts->nr;
	struct kma_err *err;
	int64_t nr = 0;

	*ret = false;
	err = kma_conn_has(conn, "part", "id") ?
		      kma_conn_number(conn, "SELECT count(*) FROM part", &nr) :
		      NULL;
	if (!err)
		*ret = nr + 1 != (int64_t)known;
	return err;
}
