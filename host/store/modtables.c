// SPDX-License-Identifier: GPL-2.0-only
/*
 * modtables.c - save and load the module's tables in a DB file.
 */
#include <string.h>

#include "lib/gzip.h"
#include "modtables.h"

#define KMA_MODTABLES_MAX (1UL << 30) /* bytes of a snapshot's tables after decompression */

struct kma_err *kma_modtables_save(const struct kma_conn *conn, int64_t id,
				   const struct kma_account *account)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	_cleanup_strbuf_ struct kma_strbuf packed = { 0 };
	const char *text = kma_account_tables(account);
	struct kma_err *err;

	if (!text)
		return NULL;
	err = kma_gzip(&(struct kma_strbuf){ .str = (char *)text, .len = strlen(text) },
		       KMA_GZIP_SMALL, &packed);
	if (err)
		return err;
	err = kma_conn_exec(
		conn, "CREATE TABLE IF NOT EXISTS module_tables (snapshot INTEGER PRIMARY KEY\n"
		      " REFERENCES snapshot ON DELETE CASCADE, text BLOB NOT NULL)");
	if (err)
		return err;
	err = kma_conn_prepare(conn, "INSERT INTO module_tables (snapshot, text) VALUES (?, ?)",
			       &stmt);
	if (err)
		return err;
	sqlite3_bind_int64(stmt, 1, id);
	sqlite3_bind_blob64(stmt, 2, packed.str, packed.len, SQLITE_STATIC);
	return kma_conn_run(conn, stmt);
}

bool kma_modtables_private(const struct kma_account *account)
{
	const char *text = kma_account_tables(account);

	return text && (strstr(text, "\taddress\t") || strstr(text, "\n# address\t"));
}

struct kma_err *kma_modtables_load(const struct kma_conn *conn, int64_t id,
				   struct kma_account *account)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_strbuf text = { 0 };
	struct kma_err *err;
	bool row = false;

	if (sqlite3_table_column_metadata(conn->sql, NULL, "module_tables", "text", NULL, NULL,
					  NULL, NULL, NULL))
		return NULL;
	err = kma_conn_prepare(conn, "SELECT text FROM module_tables WHERE snapshot = ?", &stmt);
	if (err)
		return err;
	sqlite3_bind_int64(stmt, 1, id);
	err = kma_conn_step(conn, stmt, &row);
	if (err || !row)
		return err;
	err = kma_gunzip(sqlite3_column_blob(stmt, 0), sqlite3_column_bytes(stmt, 0),
			 KMA_MODTABLES_MAX, &text);
	if (!err && text.len && !memchr(text.str, '\0', text.len)) {
		kma_account_set_tables(account, text.str);
		return NULL;
	}
	kma_strbuf_deinit(&text);
	if (kma_err_is(err, KMA_ERR_NO_MEMORY))
		return err;
	kma_err_destroy(err);
	return kma_conn_damaged(conn, "cannot decompress the tables of a snapshot");
}
