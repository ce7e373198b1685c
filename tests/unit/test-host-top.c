// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-top.c - host/model/rates and host/view/screen: known answers, sums over all groups,
 * and screens of all sizes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "view/screen/top-draw.h"
#include "view/screen/top-keys.h"

#include "top-account.h"

static const struct kma_rates_numbers *numbers_of(const struct kma_rates *rates, size_t i)
{
	const struct kma_rates_site *sites;
	size_t nr;

	sites = kma_rates_sites(rates, &nr);
	for (size_t n = 0; n < nr; n++)
		if (!strcmp(sites[n].caller, places[i].caller))
			return &sites[n].numbers;
	abort();
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6 * (1 + fabs(b));
}

TEST(rates_of_a_steady_growth)
{
	struct kma_rates *rates = rates_create();
	uint64_t live[NR] = { 1000 };

	for (unsigned int i = 0; i < 100; i++) {
		update(rates, live, 100 + 3 * i, (1 + i) * SECOND / 2);
		live[0] += 50;
		/* 50 bytes and 3 allocations in each half of a second */
		if (i) {
			EXPECT(near(numbers_of(rates, 0)->rates[KMA_RATE_BYTES], 100));
			EXPECT(near(numbers_of(rates, 0)->rates[KMA_RATE_ALLOCS], 6));
		}
	}
	EXPECT_EQ(numbers_of(rates, 0)->base, 1000);
	EXPECT_EQ(numbers_of(rates, 0)->history[KMA_RATES_HISTORY - 1], 1000 + 99 * 50);
	EXPECT_EQ(numbers_of(rates, 0)->history[0], 1000 + (100 - KMA_RATES_HISTORY) * 50);
	kma_rates_rebase(rates);
	EXPECT_EQ(numbers_of(rates, 0)->base, 1000 + 99 * 50);
	kma_rates_destroy(rates);
}

/* The age of a row is that of its oldest object; a site whose objects are of two caches is in neither. */
TEST(caches_and_ages)
{
	struct kma_top_query query = { .by = KMA_BY(KMA_KEY_CACHE), .filter = "", .open = "" };
	static const struct {
		const char *key;
		uint64_t live, oldest;
	} want[] = {
		/* as in a report, also of a row that is not a place in the code */
		{ "[no cache]", 40 + 50 + 60 + 70, 0 },
		{ "dentry", 30, 3 * SECOND },
		{ "[several caches]", 20, 2 * SECOND },
		{ "ext4_inode", 10, SECOND },
	};
	struct kma_rates *rates = rates_create();
	const uint64_t live[NR] = { 10, 20, 30, 40, 50, 60, 70 };
	struct kma_top_rows rows;

	update(rates, live, 1, SECOND);
	update(rates, live, 1, 2 * SECOND);
	kma_top_rows_init(&rows, rates, &query);
	EXPECT_EQ(rows.nr, ARRAY_SIZE(want));
	for (size_t i = 0; i < rows.nr && i < ARRAY_SIZE(want); i++) {
		EXPECT(!strcmp(rows.rows[i].key, want[i].key));
		EXPECT_EQ(rows.rows[i].numbers.now.current, want[i].live);
		EXPECT_EQ(rows.rows[i].numbers.age.oldest, want[i].oldest);
	}
	EXPECT_EQ(rows.total.age.oldest, 3 * SECOND);
	kma_top_rows_deinit(&rows);
	kma_rates_destroy(rates);
}

TEST(rates_after_a_step)
{
	struct kma_rates *rates = rates_create();
	uint64_t live[NR] = { 0, 5000 };

	update(rates, live, 1, 10 * SECOND);
	update(rates, live, 1, 11 * SECOND);
	live[1] = 0;
	update(rates, live, 1, 16 * SECOND);
	/* -1000 bytes per second for one time constant: 1 - 1/e of that */
	EXPECT(near(numbers_of(rates, 1)->rates[KMA_RATE_BYTES], -632.120559));
	update(rates, live, 1, 21 * SECOND);
	EXPECT(near(numbers_of(rates, 1)->rates[KMA_RATE_BYTES], -632.120559 * 0.367879441));
	EXPECT_EQ(kma_rates_restarts(rates), 0);
	kma_rates_destroy(rates);
}

TEST(an_account_that_begins_anew)
{
	struct kma_rates *rates = rates_create();
	uint64_t live[NR] = { 1000, 2000 };

	update(rates, live, 100, SECOND);
	live[0] = 1500;
	update(rates, live, 110, 2 * SECOND);
	live[0] = 10;
	live[1] = 20;
	update(rates, live, 5, 3 * SECOND);
	EXPECT_EQ(kma_rates_restarts(rates), 1);
	EXPECT_EQ(kma_rates_samples(rates), 1);
	EXPECT_EQ(numbers_of(rates, 0)->base, 10);
	EXPECT(near(numbers_of(rates, 0)->rates[KMA_RATE_BYTES], 0));
	live[0] = 30;
	update(rates, live, 6, 4 * SECOND);
	EXPECT(near(numbers_of(rates, 0)->rates[KMA_RATE_BYTES], 20));
	kma_rates_destroy(rates);
}

/* Whatever the rows are, they hold what all sites hold. */
TEST(rows_add_up)
{
	const uint64_t live[NR] = { 100, 20, 3, 4000, 50000, 0, 7 };
	struct kma_rates *rates = rates_create();

	update(rates, live, 1, SECOND);
	for (unsigned int i = 0; i <= KMA_NR_KEYS * KMA_NR_KEYS; i++) {
		const enum kma_key_id one = i % KMA_NR_KEYS, two = i / KMA_NR_KEYS % KMA_NR_KEYS;
		const struct kma_top_query query = {
			.by = { .nr = one == two ? 1 : 2, .list = { one, two } },
			.tree = i == KMA_NR_KEYS * KMA_NR_KEYS,
			.filter = "",
			.open = "\nfs\n",
		};
		struct kma_top_rows rows;
		uint64_t sum = 0;

		kma_top_rows_init(&rows, rates, &query);
		for (size_t i = 0; i < rows.nr; i++)
			sum += rows.rows[i].depth ? 0 : rows.rows[i].numbers.now.current;
		EXPECT_EQ(sum, 54130);
		EXPECT_EQ(rows.total.now.current, 54130);
		EXPECT_EQ(rows.sites, 6); /* one holds nothing */
		kma_top_rows_deinit(&rows);
	}
	kma_rates_destroy(rates);
}

static void expect_rows(const struct kma_rates *rates, const struct kma_top_query *query,
			const char *want)
{
	struct kma_strbuf text = { 0 };
	struct kma_top_rows rows;

	kma_top_rows_init(&rows, rates, query);
	for (size_t i = 0; i < rows.nr; i++)
		kma_strbuf_printf(&text, "%u%s%s %llu, ", rows.rows[i].depth,
				  rows.rows[i].is_open	    ? "-" :
				  rows.rows[i].has_children ? "+" :
							      " ",
				  rows.rows[i].label,
				  (unsigned long long)rows.rows[i].numbers.now.current);
	EXPECT_STR(text.str ?: "", want);
	kma_strbuf_deinit(&text);
	kma_top_rows_deinit(&rows);
}

TEST(a_tree_of_directories)
{
	const uint64_t live[NR] = { 100, 20, 3, 4000, 50000, 0, 7 };
	struct kma_top_query query = { .tree = true, .filter = "", .open = "" };
	struct kma_rates *rates = rates_create();

	update(rates, live, 1, SECOND);
	expect_rows(rates, &query, "0+net 50000, 0+fs-crypt 4000, 0+fs 123, 0+[no file] 7, ");
	query.open = "\nfs\n";
	expect_rows(rates, &query,
		    "0+net 50000, 0+fs-crypt 4000, 0-fs 123, 1+ext4 120, 1 d_alloc+0x1/0x2 3, 0+[no file] 7, ");
	query.open = "\nfs/ext4\nnet\n";
	expect_rows(rates, &query,
		    "0-net 50000, 1+core 50000, 0+fs-crypt 4000, 0+fs 123, 0+[no file] 7, ");
	query.reversed = true;
	query.open = "";
	expect_rows(rates, &query, "0+[no file] 7, 0+fs 123, 0+fs-crypt 4000, 0+net 50000, ");
	query.filter = "EXT4";
	expect_rows(rates, &query, "0+fs 120, ");
	/* down to the call sites */
	query.filter = "";
	query.reversed = false;
	query.open = "\nfs\nfs/ext4\n[no file]\n";
	expect_rows(rates, &query,
		    "0+net 50000, 0+fs-crypt 4000, 0-fs 123, 1-ext4 120, 2 ext4_a+0x1/0x2 [ext4] 100, 2 ext4_b+0x1/0x2 [ext4] 20, 1 d_alloc+0x1/0x2 3, 0-[no file] 7, 1 0xffffffff81000000 7, ");
	kma_rates_destroy(rates);
}

TEST(the_cursor_stays_on_its_row)
{
	uint64_t live[NR] = { 100, 20, 3, 4000, 50000, 0, 7 };
	struct kma_rates *rates = rates_create();
	const struct kma_top_facts facts = {
		.rates = rates, .source = "made", .release = "", .clock = ""
	};
	struct kma_top_state state = { .metrics = 1U << KMA_CURRENT, .page = 3 };
	const unsigned int down[] = { KMA_TOP_KEY_DOWN, KMA_TOP_KEY_DOWN, 0 };
	const unsigned int search[] = { 'f', 's', 'K', 'x', KMA_TOP_KEY_BACKSPACE, 'b',
					KMA_TOP_KEY_ENTER, 0 };
	const unsigned int nothing[] = { 'f', 'q', 'q', KMA_TOP_KEY_ENTER, 0 };
	struct kma_top_rows rows;

	update(rates, live, 1, SECOND);
	press(&state, &facts, down);
	EXPECT_STR(state.chosen, places[0].caller);
	live[0] = 100000;
	update(rates, live, 2, 2 * SECOND);
	kma_top_rows_of(&rows, &facts, &state);
	EXPECT_EQ(kma_top_cursor(&state, &rows), 0);
	kma_top_rows_deinit(&rows);
	press(&state, &facts, search);
	EXPECT_STR(state.chosen, places[4].caller);
	press(&state, &facts, nothing);
	EXPECT_STR(state.chosen, places[4].caller);
	EXPECT_STR(state.message, "no row contains 'qq'");
	kma_rates_destroy(rates);
}

/* Each key in each state on screens of all sizes: the sanitizers look for what is outside. */
TEST(screens_of_all_sizes)
{
	static const unsigned int keys[] = {
		KMA_TOP_KEY_DOWN, 't', KMA_TOP_KEY_RIGHT, KMA_TOP_KEY_LEFT, 'g', 's', 'I',
		KMA_TOP_KEY_ENTER, 'h', KMA_TOP_KEY_ESCAPE, '\\', 'f', KMA_TOP_KEY_ENTER, ' ', 'b',
		'd', '9', KMA_TOP_KEY_ENTER, 'd', 'x', KMA_TOP_KEY_ENTER, 'w', 'f',
		KMA_TOP_KEY_ENTER, KMA_TOP_KEY_END, KMA_TOP_KEY_PAGE_UP, 0x10ffff, 'n', '/',
		KMA_TOP_KEY_ESCAPE, KMA_TOP_KEY_HOME, KMA_TOP_KEY_PAGE_DOWN,
		KMA_TOP_KEY_F0 + 2, KMA_TOP_KEY_F0 + 6, KMA_TOP_KEY_UP, KMA_TOP_KEY_SORT + 1,
	};
	static const size_t sizes[][2] = { { 1, 1 },   { 2, 3 },   { 20, 5 },
					   { 40, 10 }, { 80, 24 }, { 300, 80 } };
	const uint64_t live[NR] = { 100, 20, 3, 4000, 50000, 0, UINT64_MAX / 2 };
	struct kma_rates *rates = rates_create();
	struct kma_top_facts facts = { .rates = rates,
				       .source = "made",
				       .release = "6.1.0",
				       .clock = "12:00:00",
				       .trouble = "gone",
				       .memory = { .total = 1ULL << 40, .slab = 1 } };
	struct kma_top_state state = {
		.metrics = ~0U, .has_files = true, .has_caches = true, .interval_ns = SECOND
	};
	unsigned int seed = 1;

	update(rates, live, 1, SECOND);
	update(rates, live, 2, 2 * SECOND);
	facts.losses[KMA_LOSS_NOT_RECORDED] = UINT64_MAX;
	for (unsigned int i = 0; i < 20000; i++) {
		facts.wide = i & 1;
		draw_and_press(&facts, &state, sizes[rand_r(&seed) % ARRAY_SIZE(sizes)],
			   keys[rand_r(&seed) % ARRAY_SIZE(keys)]);
		state.quit = state.save = state.rebase = false;
	}
	EXPECT_EQ(state.interval_ns, 9 * SECOND);
	kma_strbuf_deinit(&state.open);
	kma_rates_destroy(rates);
}

/* The directory of each row, where a kernel knows it and the rows are places in the code. */
TEST(directories)
{
	const uint64_t live[NR] = { 1 << 20, 2048, 30, 4096, 5, 0, 6 };
	struct kma_rates *rates = rates_create();
	const struct kma_top_facts facts = {
		.rates = rates, .source = "made", .release = "", .clock = ""
	};
	struct kma_top_state state = { .metrics = 1U << KMA_CURRENT | 1U << KMA_ALLOCS,
				       .has_files = true,
				       .sort = KMA_TOP_DIRECTORY,
				       .interval_ns = SECOND };
	const unsigned int module[] = { 'g', 'g', 'g', 'g', 'g', 0 };
	struct kma_grid grid = { 0 };
	struct kma_top_rows rows;

	update(rates, live, 1, SECOND);
	kma_top_rows_of(&rows, &facts, &state);
	kma_grid_init(&grid, 102, 10);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 1, "      LIVE      CHANGE    CHANGE/s  ALLOCS/s  DIRECTORY                 CALL SITE");
	expect_line(&grid, 2, "       6 B         0 B         0 B         0                            0xffffffff81000000");
	expect_line(&grid, 3, "      30 B         0 B         0 B         0  fs                        d_alloc+0x1/0x2");
	expect_line(&grid, 4, "   4.0 KiB         0 B         0 B         0  fs-crypt                  crypt+0x1/0x2");
	expect_line(&grid, 5, "   1.0 MiB         0 B         0 B         0  fs/ext4                   ext4_a+0x1/0x2 [ext4]");
	expect_line(&grid, 6, "   2.0 KiB         0 B         0 B         0  fs/ext4                   ext4_b+0x1/0x2 [ext4]");
	EXPECT_EQ(grid.cells[1 * 102 + 46].style, KMA_GRID_BOLD);
	/* three numbers and the directory; then no directory, so that three numbers stay */
	kma_grid_init(&grid, 91, 10);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 1, "      LIVE      CHANGE    CHANGE/s  DIRECTORY                 CALL SITE");
	kma_grid_init(&grid, 90, 10);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 1, "      LIVE      CHANGE    CHANGE/s  SHARE         ALLOCS/s  CALL SITE");
	kma_top_rows_deinit(&rows);
	/* names from the last one on */
	state.sort = KMA_TOP_NAME;
	state.reversed = true;
	kma_top_rows_of(&rows, &facts, &state);
	EXPECT_STR(rows.rows[0].key, "skb+0x1/0x2");
	EXPECT_STR(rows.rows[rows.nr - 1].key, "0xffffffff81000000");
	kma_top_rows_deinit(&rows);
	/* a module is no place: no directory to show or to sort by */
	state.sort = KMA_TOP_DIRECTORY;
	state.reversed = false;
	press(&state, &facts, module);
	EXPECT(kma_keys_are(&state.by, KMA_KEY_MODULE));
	EXPECT_EQ(state.sort, KMA_TOP_LIVE);
	kma_top_rows_of(&rows, &facts, &state);
	EXPECT_STR(rows.rows[0].key, "ext4");
	EXPECT_STR(rows.rows[0].directory, "fs/ext4");
	EXPECT_STR(rows.rows[1].key, "vmlinux");
	EXPECT_STR(rows.rows[1].directory, KMA_TOP_SEVERAL);
	kma_grid_init(&grid, 102, 10);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 1, "      LIVE      CHANGE    CHANGE/s  SHARE         ALLOCS/s  MODULE");
	kma_grid_deinit(&grid);
	kma_top_rows_deinit(&rows);
	kma_rates_destroy(rates);
}

TEST(a_screen)
{
	uint64_t live[NR] = { 1 << 20, 2048, 0, 4096, 5 };
	struct kma_rates *rates = rates_create();
	const struct kma_top_facts facts = { .rates = rates,
					     .release = "6.1.0",
					     .clock = "12:00:00",
					     .source = "/proc/kmem_account",
					     .read_ns = 1500000,
					     .memory = { .total = 1 << 30,
							 .free = 1 << 29,
							 .slab = 2 << 20 } };
	struct kma_top_state state = { .metrics = 1U << KMA_CURRENT, .interval_ns = SECOND };
	struct kma_grid grid = { 0 };
	struct kma_top_rows rows;

	update(rates, live, 1, SECOND);
	live[1] += 1024;
	live[3] = 1024;
	update(rates, live, 1, 3 * SECOND);
	kma_top_rows_of(&rows, &facts, &state);
	kma_grid_init(&grid, 90, 14);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 0, "kmem-account top - 12:00:00, every 1.0 s  6.1.0");
	expect_line(&grid, 1,
		    "Live 1.0 MiB (50.2% of 2.0 MiB slab), -1.0 KiB/s, 4 of 7 sites; read in 1.5 ms");
	expect_line(&grid, 2, "Memory 1.0 GiB: slab 2.0 MiB, free 512.0 MiB, other 510.0 MiB");
	expect_line(&grid, 3, "      LIVE      CHANGE    CHANGE/s  SHARE         CALL SITE");
	expect_line(&grid, 4, "   1.0 MiB         0 B         0 B  99.6% ######  ext4_a+0x1/0x2 [ext4]");
	expect_line(&grid, 5, "   3.0 KiB    +1.0 KiB      +512 B   0.3%         ext4_b+0x1/0x2 [ext4]");
	expect_line(&grid, 6, "   1.0 KiB    -3.0 KiB    -1.5 KiB   0.1%         crypt+0x1/0x2");
	expect_line(&grid, 7, "       5 B         0 B         0 B  <0.1%         skb+0x1/0x2");
	expect_line(&grid, 8, "");
	EXPECT_EQ(grid.cells[4 * 90].style, KMA_GRID_CHOSEN);
	EXPECT_EQ(grid.cells[5 * 90 + 20].style, KMA_GRID_RISING);
	EXPECT_EQ(grid.cells[6 * 90 + 20].style, KMA_GRID_FALLING);
	kma_grid_init(&grid, 110, 14);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 1,
		    "Live 1.0 MiB (50.2% of 2.0 MiB slab), -1.0 KiB/s, 4 of 7 sites; read /proc/kmem_account in 1.5 ms");
	/* what has no room is left out whole, and nothing is cut */
	kma_grid_init(&grid, 72, 14);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 1, "Live 1.0 MiB (50.2% of 2.0 MiB slab), -1.0 KiB/s; read in 1.5 ms");
	kma_grid_init(&grid, 45, 10);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 0, "kmem-account top - 12:00:00, every 1.0 s");
	expect_line(&grid, 9, "F1 Help  F2 Group  F3 Find  F5 Tree  F10 Quit");
	kma_grid_init(&grid, 30, 10);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 0, "top 12:00:00, every 1.0 s");
	kma_grid_deinit(&grid);
	kma_top_rows_deinit(&rows);
	kma_rates_destroy(rates);
}

/* What the keys do is in lines that a screen of 80 columns has. */
TEST(the_help_is_not_cut)
{
	const char *keys, *what;

	for (size_t i = 0; (keys = kma_top_help(i, &what)); i++) {
		EXPECT(strlen(keys) <= 10);
		EXPECT(strlen("  ") + 10 + 1 + strlen(what) <= 80);
	}
}

/* Draws the rows of a state on a screen of 100 columns and 14 lines. */
static void draw(struct kma_grid *grid, const struct kma_top_facts *facts,
		 struct kma_top_rows *rows, struct kma_top_state *state)
{
	kma_top_rows_deinit(rows);
	kma_top_rows_of(rows, facts, state);
	kma_grid_init(grid, 100, 14);
	kma_top_draw(grid, facts, rows, state);
}

/* A filter has a sum; menus choose the order and the rows; clicks do what the keys do. */
TEST(sums_menus_and_clicks)
{
	const uint64_t live[NR] = { 1 << 20, 2048, 0, 4096, 5 };
	struct kma_rates *rates = rates_create();
	const struct kma_top_facts facts = {
		.rates = rates, .source = "made", .release = "", .clock = "12:00:00"
	};
	struct kma_top_state state = { .metrics = 1U << KMA_CURRENT | 1U << KMA_ALLOCS,
				       .interval_ns = SECOND };
	const unsigned int filter[] = { KMA_TOP_KEY_F0 + 4, 'e', 'x', 't', '4', KMA_TOP_KEY_ENTER, 0 };
	const unsigned int none[] = { KMA_TOP_KEY_ESCAPE, 0 };
	const unsigned int sort[] = { KMA_TOP_KEY_F0 + 6, KMA_TOP_KEY_END, KMA_TOP_KEY_ENTER, 0 };
	const unsigned int group[] = { KMA_TOP_KEY_F0 + 2, 0 };
	struct kma_top_rows rows = { 0 };
	struct kma_grid grid = { 0 };

	update(rates, live, 1, SECOND);
	press(&state, &facts, filter);
	draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 2, "Filtered 1.0 MiB (99.6% of live), 0 B/s, 2 of 4 sites");
	press(&state, &facts, none);
	press(&state, &facts, sort);
	EXPECT_EQ(state.sort, KMA_TOP_NAME);
	draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 2, "      LIVE      CHANGE    CHANGE/s  SHARE         ALLOCS/s  CALL SITE");
	/* the heading of the first column, twice */
	kma_top_click(&state, &rows, 8, 2);
	EXPECT(state.sort == KMA_TOP_LIVE && !state.reversed);
	kma_top_click(&state, &rows, 8, 2);
	EXPECT(state.sort == KMA_TOP_LIVE && state.reversed);
	kma_top_click(&state, &rows, 8, 2);
	draw(&grid, &facts, &rows, &state);
	/* the third row, then its details */
	kma_top_click(&state, &rows, 60, 5);
	EXPECT_STR(state.chosen, places[1].caller);
	EXPECT(!state.details);
	kma_top_click(&state, &rows, 60, 5);
	EXPECT(state.details);
	draw(&grid, &facts, &rows, &state);
	press(&state, &facts, none);
	press(&state, &facts, group);
	draw(&grid, &facts, &rows, &state);
	for (size_t y = 0; y < 14; y++)
		if (grid.cells[y * 100 + 1].text == L'M' && grid.cells[y * 100 + 2].text == L'O')
			kma_top_click(&state, &rows, 3, y);
	EXPECT(kma_keys_are(&state.by, KMA_KEY_MODULE));
	draw(&grid, &facts, &rows, &state);
	/* the foot: F10 */
	for (size_t x = 0; x < 100; x++)
		if (grid.cells[13 * 100 + x].text == L'Q')
			kma_top_click(&state, &rows, x, 13);
	EXPECT(state.quit);
	kma_grid_deinit(&grid);
	kma_top_rows_deinit(&rows);
	kma_rates_destroy(rates);
}

TEST_MAIN()
