// SPDX-License-Identifier: GPL-2.0-only
/*
 * db.c - list the snapshots of a file, and remove one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "conn.h"
#include "db.h"
#include "find.h"

void kma_db_list_free(struct kma_snapshot *snapshots, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		kma_snapshot_deinit(&snapshots[i]);
	free(snapshots);
}

struct kma_err *kma_db_list(const char *path, struct kma_snapshot **ret, size_t *nr)
{
	_cleanup_conn_ struct kma_conn conn = { 0 };
	struct kma_snapshot *list = NULL;
	struct kma_err *err;
	size_t count = 0;

	err = kma_conn_open(&conn, path, path, KMA_CONN_READ);
	if (!err)
		err = kma_find_all(&conn, &list, &count);
	if (err) {
		kma_db_list_free(list, count);
		return err;
	}
	*ret = list;
	*nr = count;
	return NULL;
}

/* Opens the file of a snapshot and finds it there. */
static struct kma_err *kma_db_open_at(const struct kma_db_ref *ref, enum kma_conn_mode mode,
				      struct kma_conn *conn, struct kma_snapshot *ret)
{
	struct kma_err *err;

	if (!ref->label)
		return kma_err_create(ref->path, 0,
				      "no snapshot given; use FILE@LABEL or FILE@#NUMBER");
	err = kma_conn_open(conn, ref->path, ref->path, mode);
	return err ? err : kma_find_snapshot(conn, ref->label, ret);
}

struct kma_err *kma_db_find(const struct kma_db_ref *ref)
{
	_cleanup_conn_ struct kma_conn conn = { 0 };
	struct kma_snapshot snapshot = { 0 };
	struct kma_err *err = kma_db_open_at(ref, KMA_CONN_READ, &conn, &snapshot);

	kma_snapshot_deinit(&snapshot);
	return err;
}

struct kma_err *kma_db_delete(const struct kma_db_ref *ref)
{
	_cleanup_conn_ struct kma_conn conn = { 0 };
	struct kma_snapshot snapshot = { 0 };
	struct kma_err *err = kma_db_open_at(ref, KMA_CONN_WRITE, &conn, &snapshot);
	char sql[80];

	snprintf(sql, sizeof(sql), "DELETE FROM snapshot WHERE id = %" PRId64 "; COMMIT",
		 snapshot.id);
	if (!err)
		err = kma_conn_exec(&conn, sql);
	kma_snapshot_deinit(&snapshot);
	return err;
}
