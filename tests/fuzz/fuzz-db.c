// SPDX-License-Identifier: GPL-2.0-only
/*
 * DB files. A run has a file of its own, which is read as a file and as a copy, gets a
 * snapshot, and loses one. What cannot be read any more cannot be saved to either; what
 * was saved can be read.
 *
 * Changed bytes seldom are a file that SQLite takes; so half of the changes are made by
 * SQLite: statements on the tables, as somebody who is no friend of ours would.
 */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/db.h"
#include "store/snapshot.h"
#include "lib/cleanup.h"
#include "lib/texts.h"

#define KMA_FUZZ_LABEL "fuzz"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

static char kma_fuzz_path[64];

/* The file, and what SQLite may have left beside it. */
static void kma_fuzz_remove(void)
{
	static const char *const ends[] = { "", "-journal", "-wal", "-shm" };
	char path[sizeof(kma_fuzz_path) + 16];

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		snprintf(path, sizeof(path), "%s%s", kma_fuzz_path, ends[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s.v1", kma_fuzz_path);
	unlink(path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	snprintf(kma_fuzz_path, sizeof(kma_fuzz_path), "%s/kma-fuzz-%d.db",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (int)getpid());
	return atexit(kma_fuzz_remove);
}

static void kma_fuzz_write(const uint8_t *data, size_t size)
{
	_cleanup_fclose_ FILE *f = NULL;

	kma_fuzz_remove();
	f = fopen(kma_fuzz_path, "we");
	if (!f || fwrite(data, 1, size, f) != size)
		abort();
}

/* Read the newest snapshot, or that of @label; false if there was an error. */
static bool kma_fuzz_load(const char *label, const char *name)
{
	struct kma_db_ref ref = { .path = kma_fuzz_path, .label = (char *)label };
	struct kma_account *account = NULL;
	struct kma_snapshot snapshot;
	struct kma_err *err;
	bool loaded;

	err = kma_db_load(&ref, name, &snapshot, &account);
	if (!err == !account)
		abort();
	loaded = !err;
	kma_snapshot_deinit(&snapshot);
	kma_account_destroy(account);
	kma_err_destroy(err);
	return loaded;
}

static void kma_fuzz_list(void)
{
	struct kma_snapshot *list = NULL;
	size_t nr = 0;
	struct kma_err *err = kma_db_list(kma_fuzz_path, &list, &nr);

	if (!err)
		kma_db_list_free(list, nr);
	kma_err_destroy(err);
}

static void kma_fuzz_save(void)
{
	struct kma_db_ref ref = { .path = kma_fuzz_path, .label = KMA_FUZZ_LABEL };
	const struct kma_values values = { .current = 64, .req = 60, .waste = 4, .allocs = 1 };
	struct kma_snapshot snapshot = { .label = KMA_FUZZ_LABEL };
	struct kma_account *account;
	struct kma_db_found found;
	struct kma_err *err;

	account = kma_account_create("fuzz");
	if (kma_account_add_site(account, "f+0x1/0x2", 9, &values))
		abort();
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_REQUESTED | 1U << KMA_WASTE |
						 1U << KMA_ALLOCS);
	err = kma_db_save(kma_fuzz_path, &snapshot, account);
	if (!err && !kma_fuzz_load(KMA_FUZZ_LABEL, NULL))
		abort();
	kma_err_destroy(err);
	kma_account_destroy(account);
	kma_err_destroy(kma_db_delete(&ref, false, &found));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool as_file, as_copy;

	kma_fuzz_write(data, size);
	kma_fuzz_list();
	as_file = kma_fuzz_load(NULL, NULL);
	as_copy = kma_fuzz_load(NULL, "copy");
	/* A file and its copy say the same. */
	if (as_file != as_copy)
		abort();
	kma_fuzz_load("#1", NULL);
	kma_fuzz_save();
	kma_text_forget();
	return 0;
}

/* Of both versions. */
static const char *const kma_fuzz_tables[] = { "snapshot", "metric",  "loss",	  "note", "warning",
					       "site",	   "series",  "sample",	  "label", "parts",
					       "part",	   "grouped", "grouping", "charged" };

static const char *const kma_fuzz_columns[] = {
	"id",	    "label",  "time",	  "host",    "input",		"kernel_release",
	"build_id", "sites",  "snapshot", "name",    "total",		"nr",
	"events",   "key",    "value",	  "text",    "caller",		"kind",
	"path",	    "allocs", "frees",	  "requested", "current_dynamic", "uid",
	"columns",  "notes",  "why",	  "series",  "is_key",		"live",
	"data",	    "sample", "warnings", "tables",  "grouped",		"site",
};

static const char *const kma_fuzz_values[] = {
	"NULL",
	"-1",
	"0",
	"1",
	"9223372036854775807",
	"-9223372036854775808",
	"1.5",
	"'1'",
	"'x'",
	"x'00ff00'",
	"'a' || char(0) || 'b'",
	"zeroblob(5000)",
	"hex(zeroblob(20000))",
	"char(10, 27, 8238)",
	"'waste'",
	"'current_dynamic'",
	"'current_dynamic place '",
	"'current_dynamic novelty allocs place '",
	"'kmalloc'",
	"'#1'",
	"'a@b'",
};

static const char *const kma_fuzz_statements[] = {
	"UPDATE OR IGNORE %1$s SET %2$s = %3$s",
	"UPDATE OR IGNORE %1$s SET %2$s = %3$s WHERE %2$s = (SELECT min(%2$s) FROM %1$s)",
	"DELETE FROM %1$s WHERE %2$s = %3$s",
	"DELETE FROM %1$s WHERE %2$s = (SELECT max(%2$s) FROM %1$s)",
	"ALTER TABLE %1$s DROP COLUMN %2$s",
	"ALTER TABLE %1$s ADD COLUMN more DEFAULT (%3$s)",
	"ALTER TABLE %1$s RENAME COLUMN %2$s TO other",
	"ALTER TABLE %1$s RENAME TO other",
	"CREATE TABLE IF NOT EXISTS %1$s (%2$s)",
	"CREATE VIEW IF NOT EXISTS %1$s AS SELECT %3$s AS %2$s",
	"CREATE TRIGGER t AFTER INSERT ON %1$s BEGIN DELETE FROM site; END",
	"CREATE UNIQUE INDEX u ON %1$s (%2$s)",
	"INSERT OR REPLACE INTO metric VALUES (1, %3$s, 1)",
	"INSERT OR REPLACE INTO loss VALUES (1, %3$s, 1)",
	"INSERT OR REPLACE INTO note VALUES (1, %3$s, %3$s, %3$s)",
	"DROP TABLE %1$s",
	"PRAGMA user_version = 1",
	"PRAGMA user_version = 2",
	"PRAGMA application_id = 1",
	"PRAGMA journal_mode = WAL",
	"PRAGMA encoding = 'UTF-16'",
};

#define KMA_FUZZ_PICK(table, n) ((table)[(n) % ARRAY_SIZE(table)])

static void kma_fuzz_statement(sqlite3 *sql, unsigned int seed)
{
	char text[512];

	snprintf(text, sizeof(text), KMA_FUZZ_PICK(kma_fuzz_statements, seed),
		 KMA_FUZZ_PICK(kma_fuzz_tables, seed >> 5),
		 KMA_FUZZ_PICK(kma_fuzz_columns, seed >> 11),
		 KMA_FUZZ_PICK(kma_fuzz_values, seed >> 20));
	sqlite3_exec(sql, text, NULL, NULL, NULL);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	sqlite3 *sql = NULL;
	struct stat st;
	size_t ret = 0;
	int fd;

	if (seed & 1)
		return LLVMFuzzerMutate(data, size, max);
	kma_fuzz_write(data, size);
	if (!sqlite3_open(kma_fuzz_path, &sql))
		kma_fuzz_statement(sql, seed >> 1);
	sqlite3_close(sql);
	fd = open(kma_fuzz_path, O_RDONLY | O_CLOEXEC);
	if (!fstat(fd, &st) && st.st_size && (size_t)st.st_size <= max)
		ret = read(fd, data, st.st_size);
	close(fd);
	return ret ? ret : LLVMFuzzerMutate(data, size, max);
}
