// SPDX-License-Identifier: GPL-2.0-only
/*
 * db.c - list the snapshots of a file, and remove one.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

	err = kma_conn_open(&conn, path, path, KMA_CONN_READ) ?: kma_find_all(&conn, &list, &count);
	if (err) {
		kma_db_list_free(list, count);
		return err;
	}
	*ret = list;
	*nr = count;
	return NULL;
}

/* Opens the file of a snapshot and deletes it there, without a COMMIT. */
static struct kma_err *kma_db_delete_at(const struct kma_db_ref *ref, struct kma_conn *conn,
					int64_t *id)
{
	struct kma_snapshot snapshot = { 0 };
	struct kma_err *err;
	char sql[80];

	if (!ref->label)
		return kma_err_create(ref->path, 0,
				      "no snapshot given; use FILE@LABEL or FILE@#NUMBER");
	err = kma_conn_open(conn, ref->path, ref->path, KMA_CONN_WRITE) ?:
		      kma_find_snapshot(conn, ref->label, &snapshot);
	*id = snapshot.id;
	kma_snapshot_deinit(&snapshot);
	if (err)
		return err;
	snprintf(sql, sizeof(sql), "DELETE FROM snapshot WHERE id = %" PRId64, *id);
	return kma_conn_exec(conn, sql);
}

struct kma_err *kma_db_try_delete(const struct kma_db_ref *ref, struct kma_db_found *ret)
{
	_cleanup_conn_ struct kma_conn conn = { 0 };
	struct kma_err *err = kma_db_delete_at(ref, &conn, &ret->id);
	struct stat st;

	if (err)
		return err;
	if (stat(ref->path, &st))
		err = kma_err_create(ref->path, 0, "cannot open: %s", strerror(errno));
	if (err)
		return err;
	ret->dev = st.st_dev;
	ret->ino = st.st_ino;
	return NULL;
}

struct kma_err *kma_db_delete(const struct kma_db_ref *ref)
{
	_cleanup_conn_ struct kma_conn conn = { 0 };
	int64_t id;
	struct kma_err *err = kma_db_delete_at(ref, &conn, &id);

	return err ?: kma_conn_exec(&conn, "COMMIT");
}
