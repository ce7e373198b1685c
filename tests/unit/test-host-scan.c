// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-scan.c - host/heap/scan-write.c and scan-read.c: what is written comes back, and damaged
 * files are refused.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/lost-text.h"
#include "cli/scan-kernel.h"
#include "heap/scan-read.h"
#include "heap/scan-write.h"
#include "heap/why.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "model/moment.h"
#include "session/load.h"

#include "ktap.h"
#include "rnd.h"

#define OBJECTS 300
#define SITES	6
#define UNSEEN	"hsc_msg_alloc+0x10/0x40 [hsi_char]"

static char path[] = "/tmp/test-host-scan.XXXXXX";

static const char *text_of(struct kma_arena *arena, const char *name, unsigned int number)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%u+0x1/0x2 [mod]", name, number);
	return kma_arena_text(arena, text, strlen(text));
}

/* Objects with random holders before them, as kma_paths_make() leaves them. */
static void make_paths(struct kma_scan *scan)
{
	scan->keys = calloc(OBJECTS, sizeof(*scan->keys));
	REQUIRE(scan->keys);
	for (uint32_t i = 0; i < OBJECTS; i++) {
		bool held = i > 10 && rnd(10);
		struct kma_path one = { .holder = held ? rnd(i) : KMA_HEAP_NONE,
					.group = KMA_HEAP_NONE,
					.site = rnd(20) ? rnd(SITES) : KMA_HEAP_FREE,
					.bytes = 8 * (1 + rnd(9)),
					.offset = rnd(5) ? (int)(8 * rnd(9)) : -1 };

		if (!held && rnd(5))
			one.group = one.site == KMA_HEAP_FREE ? 3 : rnd(3);
		scan->keys[i] = (0xffff888000000000ULL + 128 * i) ^ KMA_HEAP_KEY;
		kma_paths_add(&scan->paths, &one);
	}
}

/* Places of the call sites, one of which has no symbol, and none of which is known of another. */
static void make_account(struct kma_scan *scan)
{
	static const char address[] = "0xffffffff81234567";
	const struct kma_values none = { 0 };

	scan->account = kma_account_create("made");
	for (uint32_t i = 0; i < SITES; i++) {
		const char *caller = scan->sites.callers[i];

		REQUIRE(!kma_account_add_site(scan->account, caller, strlen(caller), &none));
		if (i)
			kma_account_set_image(scan->account, "0123456789abcdef", 16 * i, i == 2);
	}
	REQUIRE(!kma_account_add_site(scan->account, address, strlen(address), &none));
	kma_account_put_note(scan->account, KMA_NOTE_RELEASE, "6.1.0");
	kma_account_put_note(scan->account, KMA_NOTE_BUILD_ID, "fedcba98");
	kma_account_put_note(scan->account, KMA_NOTE_MODULES, "ext4");
	kma_moment_keep(scan->account, &(struct kma_moment){ "1234-5678", 12, 345, 67, 8 });
	REQUIRE(!kma_account_finish(scan->account));
}

/* What lost shows besides its rows. */
static void make_unseen(struct kma_scan *scan)
{
	scan->lost.rows[SITES] = (struct kma_lost_row){ .caller = UNSEEN,
							.lost = 7,
							.live = 9,
							.bytes = 448,
							.heads = 7,
							.unseen = kma_unseen_find(UNSEEN) };
	scan->lost.nr_unseen = 1;
	scan->lost.live = 4321;
	for (unsigned int i = 0; i < 2; i++)
		scan->lost.passes[i] = (struct kma_lost_pass){ .objects = rnd(99),
							       .unreached = rnd(99),
							       .ns = rnd(UINT64_MAX) };
	scan->lost.nr_passes = 2;
	kma_notes_add(&scan->lost.notes, "a sentence");
	kma_notes_add(&scan->notes, "a sentence");
	kma_notes_add(&scan->notes, "another one");
}

/* What each root retains of each call site, and of the scan itself, whose row is the last one. */
static void make_parts(struct kma_retained *retained)
{
	for (uint32_t i = 0; i < 5; i++)
		for (uint32_t n = 0; n <= SITES; n++) {
			struct kma_retained_part *part = &retained->parts[retained->nr_parts];

			if (rnd(3) == 0 || (n == SITES && i < 4))
				continue;
			*part = (struct kma_retained_part){ i, n < SITES ? n : KMA_HEAP_NONE,
							    rnd(1000), 1 + rnd(100) };
			retained->roots[i].bytes += part->bytes;
			retained->roots[i].objects += part->objects;
			retained->nr_parts++;
		}
}

static void make_roots(struct kma_retained *retained, struct kma_arena *texts)
{
	for (uint32_t i = 0; i < 5; i++)
		retained->roots[i] = (struct kma_retained_row){
			text_of(texts, "root", i), 0, 0, rnd(10), 0, i == 4, 0
		};
	for (uint32_t i = 0; i < 3; i++)
		retained->modules[i] = (struct kma_retained_row){
			text_of(texts, "module", i), rnd(1000), rnd(100), rnd(10), 0, i == 2, 0
		};
	retained->nr_roots = 5;
	retained->nr_modules = 3;
}

static void make_scan(struct kma_scan *scan)
{
	static const struct kma_scan_lost losses[] = {
		{ .key = 0xffff888012345678ULL ^ KMA_HEAP_KEY,
		  .site = 1,
		  .len = 24,
		  .head = true,
		  .nr = 2,
		  .content = { 1 ^ KMA_HEAP_KEY, 2 ^ KMA_HEAP_KEY } },
		{ .key = 0xffff888012345680ULL ^ KMA_HEAP_KEY, .site = 2, .len = 32 },
	};

	scan->sites.nr = SITES;
	scan->sites.callers = calloc(SITES, sizeof(*scan->sites.callers));
	scan->groups.nr = 4;
	scan->groups.list = calloc(4, sizeof(*scan->groups.list));
	scan->retained.roots = calloc(5, sizeof(*scan->retained.roots));
	scan->retained.modules = calloc(3, sizeof(*scan->retained.modules));
	scan->retained.callers = calloc(SITES, sizeof(*scan->retained.callers));
	scan->retained.parts = calloc(5 * (SITES + 1), sizeof(*scan->retained.parts));
	scan->lost.rows = calloc(SITES + 1, sizeof(*scan->lost.rows));
	scan->lost.passes = calloc(2, sizeof(*scan->lost.passes));
	scan->objects = malloc(sizeof(losses));
	REQUIRE(scan->sites.callers && scan->groups.list && scan->retained.roots &&
		scan->retained.modules && scan->retained.callers && scan->retained.parts &&
		scan->lost.rows && scan->lost.passes && scan->objects);
	memcpy(scan->objects, losses, sizeof(losses));
	scan->nr_objects = 2;
	for (uint32_t i = 0; i < SITES; i++) {
		scan->sites.callers[i] = text_of(&scan->texts, "site", i);
		scan->retained.callers[i] = (struct kma_retained_row){
			scan->sites.callers[i], rnd(1000), rnd(100), rnd(10), rnd(1000), false, 0
		};
		scan->lost.rows[i] = (struct kma_lost_row){ .caller = scan->sites.callers[i],
							    .lost = 10 + rnd(90),
							    .live = 100 + rnd(900),
							    .bytes = rnd(10000),
							    .oldest = rnd(2),
							    .heads = rnd(10) };
		scan->lost.lost += scan->lost.rows[i].lost;
		scan->lost.bytes += scan->lost.rows[i].bytes;
	}
	scan->retained.nr_callers = scan->lost.nr = SITES;
	make_unseen(scan);
	for (uint32_t i = 0; i < 4; i++)
		scan->groups.list[i] =
			(struct kma_root_group){ text_of(&scan->texts, "variable ", i),
						 i == 3 ? KMA_ROOT_WAS_FREE : KMA_ROOT_VARIABLE };
	make_roots(&scan->retained, &scan->texts);
	make_parts(&scan->retained);
	scan->retained.bytes = 123456;
	scan->retained.objects = 789;
	make_account(scan);
	make_paths(scan);
}

/* Write bytes into the file, and read it as a scan. */
static struct kma_err *load(const char *text, size_t len, struct kma_scan *scan)
{
	FILE *f = fopen(path, "w");

	EXPECT(f && fwrite(text, 1, len, f) == len);
	if (f)
		fclose(f);
	return kma_scan_load(path, scan, NULL);
}

static void check_rows(const struct kma_retained_row *x, const struct kma_retained_row *y,
		       size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		EXPECT_STR(y[i].name, x[i].name);
		EXPECT_EQ(y[i].bytes, x[i].bytes);
		EXPECT_EQ(y[i].objects, x[i].objects);
		EXPECT_EQ(y[i].own, x[i].own);
		EXPECT_EQ(y[i].rest, x[i].rest);
		EXPECT(x[i].rest || y[i].direct == x[i].direct);
	}
}

/* The output of lost is the same, in each format. */
static void check_lost(const struct kma_lost *x, const struct kma_lost *y)
{
	static const struct kma_place place = { .found = KMA_FOUND_FILE, .path = "a/b.c", .line = 12 };
	const struct kma_place *places[SITES + 1] = { &place };

	for (unsigned int format = KMA_FORMAT_TABLE; format <= KMA_FORMAT_JSON; format++) {
		_cleanup_strbuf_ struct kma_strbuf one = { 0 }, two = { 0 };
		struct kma_lost_text text = {
			.lost = x, .places = places, .has_places = true,
			.opts = { .format = format, .all = true },
		};

		kma_lost_write(&text, &one);
		text.lost = y;
		kma_lost_write(&text, &two);
		EXPECT_STR(two.str, one.str);
		EXPECT(strstr(one.str, "held in a way that a scan cannot see"));
	}
}

/* The places of call sites, and what names the kernel, are the same. */
static void check_account(const struct kma_account *x, const struct kma_account *y, bool addresses)
{
	const struct kma_site *a, *b;
	struct kma_moment one, two;
	size_t nr, nr_b;

	REQUIRE(y);
	EXPECT_STR(kma_account_note(y, KMA_NOTE_RELEASE), "6.1.0");
	EXPECT_STR(kma_account_note(y, KMA_NOTE_BUILD_ID), "fedcba98");
	EXPECT(!kma_account_note(y, KMA_NOTE_MACHINE));
	EXPECT(kma_moment_of(x, &one) && kma_moment_of(y, &two) && kma_moment_same(&one, &two));
	EXPECT_STR(two.boot, "1234-5678");
	EXPECT_EQ(two.up, 12);
	EXPECT_EQ(two.time, 345);
	a = kma_account_sites(x, &nr);
	b = kma_account_sites(y, &nr_b);
	REQUIRE(nr == SITES + 1 && nr_b == nr);
	for (size_t i = 0; i < nr; i++) {
		EXPECT_STR(b[i].caller, i == SITES && !addresses ? "0x0" : a[i].caller);
		EXPECT(!a[i].build_id == !b[i].build_id &&
		       (!a[i].build_id || !strcmp(a[i].build_id, b[i].build_id)));
		EXPECT_EQ(b[i].text, a[i].text);
		EXPECT_EQ(b[i].in_init, a[i].in_init);
	}
}

/* The answers to a question are the same. */
static void check_why(const struct kma_scan *x, const struct kma_scan *y, const char *caller,
		      const char *from, uint32_t object)
{
	struct kma_why_wish wish = { .caller = caller, .from = from, .object = object, .depth = 8 };
	struct kma_why a = { 0 }, b = { 0 };
	struct kma_err *one = kma_why_make(x, &wish, &a), *two = kma_why_make(y, &wish, &b);

	EXPECT_EQ(!one, !two);
	EXPECT_EQ(a.objects, b.objects);
	EXPECT_EQ(a.nr, b.nr);
	for (size_t i = 0; i < a.nr && i < b.nr; i++) {
		EXPECT_EQ(a.rows[i].kind, b.rows[i].kind);
		EXPECT_EQ(a.rows[i].depth, b.rows[i].depth);
		EXPECT_EQ(a.rows[i].objects, b.rows[i].objects);
		EXPECT_EQ(a.rows[i].offset, b.rows[i].offset);
		EXPECT_STR(a.rows[i].name, b.rows[i].name);
	}
	kma_err_destroy(one);
	kma_err_destroy(two);
	kma_why_deinit(&a);
	kma_why_deinit(&b);
}

/* The file of a scan as a text. */
static void write_to(const struct kma_scan *scan, bool addresses, struct kma_strbuf *ret)
{
	struct kma_outfile *out;
	char *text;
	size_t len;

	unlink(path);
	REQUIRE(!kma_outfile_create(path, KMA_OUTFILE_PRIVATE, &out));
	kma_scan_write(scan, addresses, out);
	REQUIRE(!kma_outfile_commit(out) && !kma_file_slurp(path, &text, &len));
	kma_strbuf_add(ret, text, len);
	kma_outfile_destroy(out);
	free(text);
	unlink(path);
}

TEST(what_is_written_comes_back)
{
	for (int addresses = 0; addresses < 2; addresses++) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };
		struct kma_scan x = { 0 }, y = { 0 };

		make_scan(&x);
		write_to(&x, addresses, &text);
		EXPECT_EQ(!strstr(text.str, "ffff8880"), !addresses);
		EXPECT_EQ(!strstr(text.str, "ffffffff"), !addresses);
		REQUIRE(!load(text.str, text.len, &y));
		REQUIRE(y.paths.nr == OBJECTS);
		for (uint32_t i = 0; i < OBJECTS; i++)
			EXPECT(!memcmp(&x.paths.list[i], &y.paths.list[i], sizeof(*x.paths.list)));
		REQUIRE(y.retained.nr_roots == 5 && y.retained.nr_callers == SITES &&
			y.lost.nr == SITES && y.lost.nr_passes == 2);
		check_rows(x.retained.roots, y.retained.roots, 5);
		REQUIRE(y.retained.nr_modules == 3);
		check_rows(x.retained.modules, y.retained.modules, 3);
		check_rows(x.retained.callers, y.retained.callers, SITES);
		EXPECT_EQ(y.retained.bytes, 123456);
		EXPECT_EQ(y.retained.objects, 789);
		EXPECT_EQ(y.lost.live, 4321);
		EXPECT_EQ(y.lost.lost, x.lost.lost);
		EXPECT_EQ(y.lost.bytes, x.lost.bytes);
		for (uint32_t i = 0; i < SITES; i++) {
			EXPECT_STR(y.lost.rows[i].caller, x.lost.rows[i].caller);
			EXPECT_EQ(y.lost.rows[i].lost, x.lost.rows[i].lost);
			EXPECT_EQ(y.lost.rows[i].live, x.lost.rows[i].live);
			EXPECT_EQ(y.lost.rows[i].bytes, x.lost.rows[i].bytes);
			EXPECT_EQ(y.lost.rows[i].oldest, x.lost.rows[i].oldest);
			EXPECT_EQ(y.lost.rows[i].heads, x.lost.rows[i].heads);
		}
		EXPECT_EQ(y.lost.passes[1].ns, x.lost.passes[1].ns);
		check_lost(&x.lost, &y.lost);
		check_account(x.account, y.account, addresses);
		EXPECT_STR(y.lost.notes.text.str, y.retained.notes.text.str);
		EXPECT_STR(kma_notes_next(&y.notes, NULL), "a sentence");
		EXPECT_STR(kma_notes_next(&y.notes, kma_notes_next(&y.notes, NULL)), "another one");
		EXPECT_EQ(kma_scan_find(&y, 0xffff888000000000ULL + 128 * 50) != KMA_HEAP_NONE,
			  addresses && x.paths.list[50].site != KMA_HEAP_FREE);
		check_why(&x, &y, "site3", NULL, 0);
		check_why(&x, &y, NULL, "mod", 0);
		check_why(&x, &y, NULL, NULL, 70);
		kma_scan_deinit(&x);
		kma_scan_deinit(&y);
	}
	unlink(path);
}

TEST(damaged)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_scan x = { 0 };
	unsigned int refused = 0;

	make_scan(&x);
	write_to(&x, true, &text);
	kma_scan_deinit(&x);
	/* cut anywhere */
	for (size_t len = 0; len < text.len; len += 1 + rnd(97)) {
		struct kma_scan y = { 0 };
		struct kma_err *err = load(text.str, len, &y);

		EXPECT(err);
		kma_err_destroy(err);
		kma_scan_deinit(&y);
	}
	/* a byte that is another one; a number or a name may be right by chance */
	for (unsigned int i = 0; i < 300; i++) {
		struct kma_scan y = { 0 };
		size_t at = rnd(text.len);
		char old = text.str[at];
		struct kma_err *err;

		text.str[at] = "\t\n-0123456789ax"[rnd(15)];
		err = load(text.str, text.len, &y);
		if (!err)
			check_why(&y, &y, NULL, "mod", 0);
		refused += !!err;
		kma_err_destroy(err);
		kma_scan_deinit(&y);
		text.str[at] = old;
	}
	EXPECT(refused > 50);
	unlink(path);
}

/* The type of "[before: thing, merged]" by a statement; NULL: none. */
static const char *stated_type(struct kma_scan *scan)
{
	static char said[64];
	const struct kma_kernel_query query = { .types_file = path };
	const struct kma_heap_source heap = { 0 };
	struct kma_loaded loaded = { 0 };
	const struct kma_place *place = NULL;

	EXPECT(!kma_scan_kernel(&query, &heap, false, scan, &loaded));
	if (loaded.kernel.source)
		place = kma_resolved_place(loaded.kernel.source, "[before: thing, merged]");
	snprintf(said, sizeof(said), "%s", place && place->type ? place->type : "");
	kma_unload(&loaded);
	return said;
}

/*
 * Without the module, and without a file of the kernel: of a scan for lost objects, which has rows alone,
 * and of one with all objects.
 */
TEST(types_of_older_objects)
{
	static const char caller[] = "[before: thing, merged]";
	struct kma_lost_row row = { .caller = caller, .lost = 2, .live = 3, .bytes = 144 };
	const char *callers[] = { NULL, caller };
	struct kma_scan scan = { 0 };
	FILE *f = fopen(path, "w");

	REQUIRE(f);
	fprintf(f, "[before: thing] stated\n");
	fclose(f);
	scan.lost.rows = &row;
	scan.lost.nr = 1;
	EXPECT(!strcmp(stated_type(&scan), "stated"));
	scan = (struct kma_scan){ .sites = { .callers = callers, .nr = 2 } };
	kma_paths_add(&scan.paths, &(struct kma_path){ .site = 1, .bytes = 72 });
	EXPECT(!strcmp(stated_type(&scan), "stated"));
	kma_paths_deinit(&scan.paths);
	unlink(path);
}

int main(void)
{
	close(mkstemp(path));
	return ktap_run();
}
