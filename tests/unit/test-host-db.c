// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-db.c - host/store: what is saved comes back, what cannot be is refused in
 * words. What the file holds is checked by tests/host/db.sh, with sqlite3.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/conn.h"
#include "store/db.h"
#include "store/snapshot.h"
#include "lib/cleanup.h"

#include "ktap.h"

#define SITES 300

static char dir[] = "/tmp/kma-test-db-XXXXXX";
static char path[64];
static unsigned int seed = 7;

static const enum kma_metric_id saved[] = { KMA_CURRENT, KMA_ALLOCS, KMA_PEAK };

/* The file of a case; none is there yet. */
static void begin(void)
{
	static bool made;

	if (!made && !mkdtemp(dir))
		abort();
	made = true;
	snprintf(path, sizeof(path), "%s/x.db", dir);
	unlink(path);
}

__attribute__((destructor)) static void end(void)
{
	unlink(path);
	rmdir(dir);
}

static struct kma_account *make(unsigned int sites)
{
	struct kma_account *account;
	unsigned int have = 0;
	char caller[64];

	for (size_t i = 0; i < ARRAY_SIZE(saved); i++)
		have |= 1U << saved[i];
	account = kma_account_create("made");
	kma_account_set_metrics(account, have);
	kma_account_set_loss(account, KMA_LOSS_NOT_RECORDED, 5);
	kma_account_put_note(account, "b", "2");
	kma_account_put_note(account, "a", "1");
	kma_account_warn(account, "a finding");
	for (unsigned int i = 0; i < sites; i++) {
		struct kma_values values = { 0 };

		for (size_t m = 0; m < ARRAY_SIZE(saved); m++)
			kma_metrics[saved[m]].set(&values, (uint64_t)rand_r(&seed) << i % 20);
		snprintf(caller, sizeof(caller), i % 9 ? "f%u+0x1/0x20 [m\xff\"';]" : "[row %u]",
			 i);
		if (kma_account_add_site(account, caller, strlen(caller), &values))
			abort();
		kma_account_set_place(account, i % KMA_NR_KINDS, i % 2 ? "mm/slab.c" : NULL);
	}
	if (kma_account_finish(account))
		abort();
	return account;
}

static struct kma_err *save(const char *label, int64_t time, const struct kma_account *account)
{
	struct kma_snapshot snapshot = {
		.label = (char *)label,
		.time = time,
		.host = "here",
		.release = "6.1.0-test",
	};

	return kma_db_save(path, &snapshot, account);
}

static struct kma_err *load(const char *label, struct kma_snapshot *snapshot,
			    struct kma_account **ret)
{
	struct kma_db_ref ref = { path, (char *)label };

	*ret = NULL;
	return kma_db_load(&ref, NULL, snapshot, ret);
}

/* Is it an error with this in its sentence? Frees it. */
static bool refused(struct kma_err *err, const char *words)
{
	bool as_expected = err && strstr(err->message, words);

	if (err && !as_expected)
		printf("# %s\n", err->message);
	kma_err_destroy(err);
	return as_expected;
}

static void sql(const char *text)
{
	sqlite3 *db;

	if (sqlite3_open(path, &db) || sqlite3_exec(db, text, NULL, NULL, NULL)) {
		printf("# %s: %s\n", text, sqlite3_errmsg(db));
		abort();
	}
	sqlite3_close(db);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void expect_same(const struct kma_account *a, const struct kma_account *b)
{
	const struct kma_site *x, *y;
	uint64_t events;
	size_t nr, nr_b;

	x = kma_account_sites(a, &nr);
	y = kma_account_sites(b, &nr_b);
	REQUIRE(nr == nr_b);
	for (size_t i = 0; i < nr; i++) {
		EXPECT_STR(y[i].caller, x[i].caller);
		EXPECT(same_text(x[i].symbol, y[i].symbol));
		EXPECT(same_text(x[i].path, y[i].path));
		EXPECT_EQ(y[i].kind, x[i].kind);
		EXPECT(!memcmp(&x[i].values, &y[i].values, sizeof(x[i].values)));
	}
	EXPECT(!memcmp(kma_account_total(a), kma_account_total(b), sizeof(x->values)));
	EXPECT_EQ(kma_account_metrics(b), kma_account_metrics(a));
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		EXPECT_EQ(kma_account_loss(b, id, &events), id == KMA_LOSS_NOT_RECORDED);
	EXPECT(kma_account_loss(b, KMA_LOSS_NOT_RECORDED, &events) && events == 5);
	EXPECT_STR(kma_account_warning(b, 0), "a finding");
	EXPECT(!kma_account_warning(b, 1));
}

TEST(what_is_saved_comes_back)
{
	struct kma_account *account = make(SITES), *back;
	struct kma_snapshot snapshot;
	const char *value;

	begin();
	REQUIRE(!save("first", 1000, account));
	REQUIRE(!load("first", &snapshot, &back));
	expect_same(account, back);
	EXPECT_STR(snapshot.label, "first");
	EXPECT_STR(snapshot.host, "here");
	EXPECT_EQ(snapshot.time, 1000);
	EXPECT_EQ(snapshot.sites, SITES);
	EXPECT(snapshot.has_live);
	EXPECT_EQ(snapshot.live, kma_account_total(account)->current);
	EXPECT(!snapshot.build_id);
	EXPECT_STR(kma_account_note_at(back, 0, &value), "b");
	EXPECT_STR(kma_account_note_at(back, 1, &value), "a");
	EXPECT_STR(kma_account_note(back, KMA_NOTE_RELEASE), "6.1.0-test");
	EXPECT(!kma_account_note(back, KMA_NOTE_BUILD_ID));
	kma_snapshot_deinit(&snapshot);
	kma_account_destroy(back);
	kma_account_destroy(account);
}

TEST(many_in_one_file)
{
	struct kma_account *accounts[3] = { make(10), make(0), make(40) }, *back;
	static const char *const labels[] = { "a", NULL, "c" };
	/* The last one saved is not the newest: it was imported. */
	static const int64_t times[] = { 10, 30, 20 };
	struct kma_snapshot snapshot, *list;
	size_t nr;

	begin();
	for (size_t i = 0; i < 3; i++)
		REQUIRE(!save(labels[i], times[i], accounts[i]));
	REQUIRE(!load(NULL, &snapshot, &back));
	EXPECT_EQ(snapshot.id, 2);
	EXPECT_EQ(snapshot.sites, 0);
	kma_snapshot_deinit(&snapshot);
	kma_account_destroy(back);
	REQUIRE(!load("#3", &snapshot, &back));
	expect_same(accounts[2], back);
	EXPECT_STR(snapshot.label, "c");
	kma_snapshot_deinit(&snapshot);
	kma_account_destroy(back);
	REQUIRE(!kma_db_list(path, &list, &nr));
	REQUIRE(nr == 3);
	for (size_t i = 0; i < 3; i++) {
		EXPECT(same_text(list[i].label, labels[i]));
		EXPECT_EQ(list[i].live, kma_account_total(accounts[i])->current);
		kma_account_destroy(accounts[i]);
	}
	kma_db_list_free(list, nr);
}

TEST(delete_means_one)
{
	struct kma_account *account = make(10), *back;
	struct kma_db_ref ref = { path, NULL };
	struct kma_snapshot snapshot;
	struct kma_db_found found;

	begin();
	REQUIRE(!save("a", 1, account) && !save("b", 2, account));
	EXPECT(refused(kma_db_delete(&ref, false, &found), "no snapshot given"));
	ref.label = "c";
	EXPECT(refused(kma_db_delete(&ref, false, &found), "no snapshot 'c' in this file (available: b, a)"));
	ref.label = "b";
	EXPECT(!kma_db_delete(&ref, false, &found));
	EXPECT(refused(load("b", &snapshot, &back), "no snapshot 'b' in this file (available: a)"));
	REQUIRE(!load(NULL, &snapshot, &back));
	EXPECT_STR(snapshot.label, "a");
	kma_snapshot_deinit(&snapshot);
	kma_account_destroy(back);
	/* Numbers are not used again. */
	REQUIRE(!save(NULL, 3, account));
	EXPECT(refused(load("#2", &snapshot, &back),
		       "no snapshot '#2' in this file (available: #3, a)"));
	ref.label = "a";
	EXPECT(!kma_db_delete(&ref, false, &found));
	ref.label = "#3";
	EXPECT(!kma_db_delete(&ref, false, &found));
	EXPECT(refused(load(NULL, &snapshot, &back), "no snapshots in this file"));
	kma_account_destroy(account);
}

TEST(labels)
{
	static const struct {
		const char *label, *words;
	} bad[] = {
		{ "", "is empty" },
		{ "#3", "cannot begin with '#'" },
		{ "a/b", "cannot contain '/'" },
		{ "a@b", "cannot contain '/', '@'" },
		{ "a\nb", "control character" },
	};
	struct kma_account *account = make(3);
	char label[102];

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT(refused(save(bad[i].label, 1, account), bad[i].words));
	memset(label, 'x', 101);
	label[101] = '\0';
	EXPECT(refused(save(label, 1, account), "longer than 100 bytes"));
	EXPECT(access(path, F_OK));
	EXPECT(!save(label + 1, 1, account));
	EXPECT(!save("v6.1 \xc3\xa9'\";--", 1, account));
	EXPECT(refused(save(label + 1, 1, account), "already"));
	EXPECT(!save(NULL, 1, account) && !save(NULL, 1, account));
	kma_account_destroy(account);
}

TEST(names)
{
	static const struct {
		const char *text, *path, *label;
	} names[] = {
		{ "x.db", "x.db", NULL },
		{ "x.db@a", "x.db", "a" },
		{ "x.db@#3", "x.db", "#3" },
		{ "a@b/x.db", "a@b/x.db", NULL },
		{ "a@b/x.db@c", "a@b/x.db", "c" },
		{ "x@y@z", "x@y", "z" },
		{ "@a", "@a", NULL },
		{ "-", "-", NULL },
	};
	struct kma_db_ref ref;
	char at[80];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		EXPECT(!kma_db_ref_parse(names[i].text, &ref));
		EXPECT_STR(ref.path, names[i].path);
		EXPECT(same_text(ref.label, names[i].label));
		kma_db_ref_deinit(&ref);
	}
	EXPECT(refused(kma_db_ref_parse("x.db@", &ref), "is empty"));
	kma_db_ref_deinit(&ref);

	/* A file of that very name is meant. */
	begin();
	snprintf(at, sizeof(at), "%s@x", path);
	close(open(at, O_CREAT | O_WRONLY, 0600));
	EXPECT(!kma_db_ref_parse(at, &ref));
	EXPECT_STR(ref.path, at);
	EXPECT(!ref.label);
	kma_db_ref_deinit(&ref);
	unlink(at);
}

TEST(numbers_that_do_not_fit)
{
	struct kma_values values = { .current = 1ULL << 63 };
	struct kma_account *account;

	begin();
	account = kma_account_create("made");
	kma_account_set_metrics(account, 1U << KMA_CURRENT);
	REQUIRE(!kma_account_add_site(account, "f+0x1", 5, &values));
	REQUIRE(!kma_account_finish(account));
	EXPECT(refused(save(NULL, 1, account), "cannot save 9223372036854775808 live bytes"));
	EXPECT(access(path, F_OK));
	kma_account_destroy(account);
}

/* A file that was meddled with is refused, or read with a word on what was left out. */
TEST(not_as_it_was_saved)
{
	static const struct {
		const char *sql, *words;
	} cases[] = {
		{ "UPDATE sample SET live = live + 1", "do not add up to its total" },
		{ "UPDATE sample SET live = 'x'", "do not add up to its total" },
		{ "UPDATE sample SET data = x'00'", "cannot decode a sample" },
		{ "UPDATE sample SET data = substr(data, 1, length(data) - 1)",
		  "cannot decode a sample" },
		{ "UPDATE sample SET series = 7", "belongs to no series" },
		{ "UPDATE sample SET is_key = 0", "begins without a key sample" },
		{ "UPDATE sample SET id = 5", "a label belongs to no snapshot" },
		{ "DELETE FROM site WHERE id = 5", "a call site is missing" },
		{ "DELETE FROM site WHERE id = 10", "invalid number of call sites" },
		{ "UPDATE series SET columns = 'place ' || columns", "" },
		{ "UPDATE series SET columns = ''", "unknown column" },
		{ "UPDATE series SET columns = substr(columns, 1, length(columns) - 6)",
		  "cannot decode a sample" },
		{ "ALTER TABLE sample DROP COLUMN data", "a table is missing" },
		{ "DROP TABLE label", "a table is missing" },
		{ "DROP TABLE label; CREATE VIEW label AS SELECT 1 AS sample", "it has views" },
		{ "PRAGMA user_version = 3", "unsupported DB file version 3 (supported: 1 and 2)" },
		{ "PRAGMA user_version = 0", "unsupported DB file version 0" },
		{ "PRAGMA application_id = 1",
		  "an SQLite file, but not a DB file of kmem-account" },
		{ "DELETE FROM label; DELETE FROM sample", "no snapshots in this file" },
	};
	struct kma_account *account = make(10), *back;
	struct kma_snapshot snapshot;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		begin();
		REQUIRE(!save(NULL, 1, account));
		sql(cases[i].sql);
		EXPECT(refused(load(NULL, &snapshot, &back), cases[i].words));
		kma_snapshot_deinit(&snapshot);
	}
	begin();
	REQUIRE(!save(NULL, 1, account));
	sql("UPDATE series SET columns = replace(columns, 'peak', 'novelty');"
	    "UPDATE site SET kind = 'new'; ALTER TABLE sample ADD COLUMN more INTEGER");
	REQUIRE(!load(NULL, &snapshot, &back));
	EXPECT(strstr(kma_account_warning(back, 0), "1 column of a newer program is left out"));
	EXPECT_EQ(kma_account_metrics(back), 1U << KMA_CURRENT | 1U << KMA_ALLOCS);
	EXPECT_EQ(kma_account_total(back)->current, kma_account_total(account)->current);
	EXPECT_EQ(kma_account_total(back)->allocs, kma_account_total(account)->allocs);
	kma_snapshot_deinit(&snapshot);
	kma_account_destroy(back);
	kma_account_destroy(account);
}

/* The tables of version 1 that have the data of one snapshot. */
static const char version_1[] =
	"PRAGMA application_id = 0x6b6d6163; PRAGMA user_version = 1;\n"
	"CREATE TABLE snapshot (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT UNIQUE,\n"
	" time INTEGER NOT NULL, host TEXT, input TEXT, kernel_release TEXT, build_id TEXT,\n"
	" sites INTEGER NOT NULL);\n"
	"CREATE TABLE metric (snapshot, name, total); CREATE TABLE loss (snapshot, name, events);\n"
	"CREATE TABLE note (snapshot, nr, key, value); CREATE TABLE warning (snapshot, nr, text);\n"
	"CREATE TABLE site (snapshot, nr, caller, kind, path, peak, allocs);\n"
	"INSERT INTO snapshot VALUES (1, 'a', 5, 'here', 'in', '6.1', NULL, 2);\n"
	"INSERT INTO metric VALUES (1, 'peak', 30), (1, 'allocs', 3);\n"
	"INSERT INTO loss VALUES (1, 'events_not_recorded', 4);\n"
	"INSERT INTO site VALUES (1, 0, 'f+0x1/0x2', 'page', 'mm/a.c', 10, 1),\n"
	" (1, 1, 'g+0x1/0x2', NULL, NULL, 20, 2);";

/* A file of version 1 that was meddled with. */
TEST(old_not_as_it_was_saved)
{
	static const struct {
		const char *sql, *words;
	} cases[] = {
		{ "DELETE FROM site WHERE nr = 1", "was saved with 2 call sites, but has 1" },
		{ "UPDATE site SET peak = peak + 1 WHERE nr = 1",
		  "bytes at their peaks, but its call" },
		{ "UPDATE site SET peak = -1 WHERE nr = 1", "peak of snapshot #1 is not a number" },
		{ "UPDATE site SET peak = NULL", "peak of snapshot #1 is not a number" },
		{ "UPDATE site SET allocs = 'many'", "allocs of snapshot #1 is not a number" },
		{ "UPDATE metric SET total = total + 1", "its call sites add up to" },
		{ "UPDATE metric SET total = 'x' WHERE name = 'peak'", "peak of snapshot #1 is" },
		{ "UPDATE loss SET events = 1.5", "events_not_recorded of snapshot #1 is not" },
		{ "ALTER TABLE site DROP COLUMN peak", "peak" },
		{ "DROP TABLE loss", "no table 'loss'" },
		{ "DELETE FROM snapshot", "no snapshots in this file" },
	};
	struct kma_snapshot snapshot;
	struct kma_account *back;
	const struct kma_site *sites;
	size_t nr;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		begin();
		sql(version_1);
		sql(cases[i].sql);
		EXPECT(refused(load(NULL, &snapshot, &back), cases[i].words));
		EXPECT(!back);
		kma_snapshot_deinit(&snapshot);
	}
	begin();
	sql(version_1);
	sql("INSERT INTO metric VALUES (1, 'novelty', 3); INSERT INTO loss VALUES (1, 'new', 4);"
	    "ALTER TABLE site ADD COLUMN novelty INTEGER");
	REQUIRE(!load("a", &snapshot, &back));
	EXPECT_EQ(snapshot.time, 5);
	EXPECT_EQ(kma_account_metrics(back), 1U << KMA_PEAK | 1U << KMA_ALLOCS);
	sites = kma_account_sites(back, &nr);
	REQUIRE(nr == 2);
	EXPECT_STR(sites[0].path, "mm/a.c");
	EXPECT_EQ(sites[0].kind, KMA_KIND_PAGE);
	EXPECT_EQ(sites[1].values.peak, 20);
	EXPECT(strstr(kma_account_warning(back, 0), "unknown metric 'novelty'"));
	EXPECT_STR(kma_account_warning(back, 1), "not counted: 4 new");
	kma_snapshot_deinit(&snapshot);
	kma_account_destroy(back);
}

/* Rows that are the same, rows of zeros and rows of other orders come back as they were. */
TEST(twins_and_order)
{
	static const struct kma_values zero, one = { .current = 1 }, two = { .current = 2 };
	static const struct {
		const char *caller, *path;
		const struct kma_values *values;
	} rows[2][5] = {
		{ { "f+0x1", NULL, &one }, { "g+0x1", "a.c", &zero }, { "f+0x1", NULL, &two },
		  { "f+0x1", "b.c", &one }, { "f+0x1", NULL, &zero } },
		{ { "g+0x1", NULL, &two }, { "f+0x1", "b.c", &zero }, { "f+0x1", NULL, &two },
		  { "f+0x1", NULL, &one }, { "g+0x1", "a.c", &one } },
	};
	static const char *const labels[] = { "a", "b" };
	const struct kma_site *sites;
	struct kma_snapshot snapshot;
	struct kma_account *account;
	size_t nr;

	begin();
	for (size_t i = 0; i < 2; i++) {
		account = kma_account_create("made");
		kma_account_set_metrics(account, 1U << KMA_CURRENT);
		for (size_t n = 0; n < 5; n++) {
			REQUIRE(!kma_account_add_site(account, rows[i][n].caller, 5,
						      rows[i][n].values));
			kma_account_set_place(account, KMA_KIND_CACHE, rows[i][n].path);
		}
		REQUIRE(!kma_account_finish(account) && !save(labels[i], i, account));
		kma_account_destroy(account);
	}
	for (size_t i = 0; i < 2; i++) {
		REQUIRE(!load(labels[i], &snapshot, &account));
		sites = kma_account_sites(account, &nr);
		REQUIRE(nr == 5);
		for (size_t n = 0; n < 5; n++) {
			EXPECT_STR(sites[n].caller, rows[i][n].caller);
			EXPECT(same_text(sites[n].path, rows[i][n].path));
			EXPECT_EQ(sites[n].values.current, rows[i][n].values->current);
		}
		kma_snapshot_deinit(&snapshot);
		kma_account_destroy(account);
	}
}

/* A time is the newest snapshot that is not after it; a label comes first. */
TEST(times)
{
	struct kma_account *account = make(2), *back;
	struct kma_snapshot snapshot;
	static const struct {
		const char *time;
		int64_t id;
	} times[] = { { "@1000000150", 1 }, { "@1000000300", 3 }, { "@1000000250", 2 },
		      { "@2000000000", 3 }, { "12:00", 2 } };

	begin();
	REQUIRE(!save("x", 1000000100, account) && !save("12:00", 1000000200, account) &&
		!save(NULL, 1000000300, account));
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		REQUIRE(!load(times[i].time, &snapshot, &back));
		EXPECT_EQ(snapshot.id, times[i].id);
		kma_snapshot_deinit(&snapshot);
		kma_account_destroy(back);
	}
	EXPECT(refused(load("@1000000050", &snapshot, &back), "no snapshot '@1000000050' in this"));
	EXPECT(refused(load("noon", &snapshot, &back), "no snapshot 'noon' in this file"));
	kma_account_destroy(account);
}

/* A file by an older program of the same version lacks columns. */
TEST(columns_are_added)
{
	struct kma_account *few, *many = make(10), *back;
	struct kma_values values = { .waste = 3 };
	struct kma_snapshot snapshot;

	begin();
	few = kma_account_create("few");
	kma_account_set_metrics(few, 1U << KMA_WASTE);
	REQUIRE(!kma_account_add_site(few, "f+0x1", 5, &values) && !kma_account_finish(few));
	REQUIRE(!save("few", 1, few) && !save("many", 2, many));
	REQUIRE(!load("few", &snapshot, &back));
	EXPECT_EQ(kma_account_metrics(back), 1U << KMA_WASTE);
	EXPECT_EQ(kma_account_total(back)->waste, 3);
	EXPECT(!snapshot.has_live);
	kma_snapshot_deinit(&snapshot);
	kma_account_destroy(back);
	REQUIRE(!load("many", &snapshot, &back));
	expect_same(many, back);
	kma_snapshot_deinit(&snapshot);
	kma_account_destroy(back);
	kma_account_destroy(few);
	kma_account_destroy(many);
}

static void write_file(const void *bytes, size_t len)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(bytes, 1, len, f) != len || fclose(f))
		abort();
}

/* Any byte of a file may be wrong: no crash, and no number that was not saved. */
TEST(damaged_files)
{
	struct kma_account *account = make(SITES), *back;
	const struct kma_values *total = kma_account_total(account);
	struct kma_snapshot snapshot;
	static uint8_t good[1 << 18], bad[1 << 18];
	unsigned int read = 0, refusals = 0;
	size_t len;
	FILE *f;

	begin();
	REQUIRE(!save("a", 1, account));
	f = fopen(path, "r");
	REQUIRE(f);
	len = fread(good, 1, sizeof(good), f);
	fclose(f);
	REQUIRE(len > 4096 && len < sizeof(good));
	for (unsigned int i = 0; i < 1000; i++) {
		struct kma_err *err;

		memcpy(bad, good, len);
		for (unsigned int n = 0; n < 1 + i % 8; n++)
			bad[rand_r(&seed) % (i % 3 ? len : 4096)] = rand_r(&seed);
		write_file(bad, i % 5 ? len : rand_r(&seed) % len);
		err = load(NULL, &snapshot, &back);
		if (err) {
			refusals++;
			EXPECT(err->file && *err->message);
			kma_err_destroy(err);
		} else {
			read++;
			EXPECT_EQ(kma_account_total(back)->current, total->current);
			kma_account_destroy(back);
		}
		kma_snapshot_deinit(&snapshot);
	}
	printf("# %u read, %u refused\n", read, refusals);
	EXPECT(refusals > 100);
	kma_account_destroy(account);
}

TEST(other_files)
{
	struct kma_account *account = make(3), *back;
	struct kma_snapshot snapshot;

	begin();
	EXPECT(refused(load(NULL, &snapshot, &back), "cannot open: No such file"));
	write_file("hello", 5);
	EXPECT(refused(load(NULL, &snapshot, &back), "not a DB file"));
	EXPECT(refused(save(NULL, 1, account), "not a DB file"));
	write_file("", 0);
	EXPECT(refused(load(NULL, &snapshot, &back), "is empty"));
	EXPECT(!save(NULL, 1, account));
	unlink(path);
	sql("CREATE TABLE t (a)");
	EXPECT(refused(save(NULL, 1, account), "an SQLite file, but not a DB file"));
	unlink(path);
	REQUIRE(!mkdir(path, 0700));
	EXPECT(refused(save(NULL, 1, account), "a directory, not a file"));
	rmdir(path);
	kma_account_destroy(account);
}

/* A statement that would never end, and values that would need much memory, are refused. */
TEST(limits)
{
	static const char endless[] =
		"WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t)\n"
		" SELECT max(x) FROM t";
	static const char large[] = "SELECT length(hex(zeroblob(200000000)))";
	struct kma_account *account = make(3);
	struct kma_conn conn = { 0 };

	begin();
	REQUIRE(!save(NULL, 1, account));
	/* the limit of a larger file would stay */
	sqlite3_hard_heap_limit64(0);
	REQUIRE(!kma_conn_open(&conn, path, path, KMA_CONN_READ));
	EXPECT_EQ(conn.guard->limit, 10000000000ULL);
	EXPECT_EQ(sqlite3_hard_heap_limit64(-1), 512000000LL);
	conn.guard->limit = 1000000;
	EXPECT(refused(kma_conn_exec(&conn, endless), "refused: SQLite needs more than"));
	/* the next statement has its own time */
	EXPECT(!kma_conn_exec(&conn, "SELECT count(*) FROM site"));
	EXPECT(refused(kma_conn_exec(&conn, large), "a text is too long"));
	EXPECT(refused(kma_conn_exec(&conn, "ATTACH ':memory:' AS other"), "too many attached"));
	kma_conn_close(&conn);
	kma_account_destroy(account);
}

TEST_MAIN()
