// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-top-parts.c - cgroups in top and the details of a row: known answers, and screens.
 */
#include <stdlib.h>

#include "model/groups.h"
#include "model/regroup.h"
#include "view/screen/top-cgroups.h"

#include "top-account.h"

/* What the sites hold for each cgroup: the first three of two, the last of none. */
static const char *const cgroup_names[] = {
	"/system.slice", "/docker/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
};

static void update_cgroups(struct kma_rates *rates, struct kma_rates *like, const uint64_t *live,
			   uint64_t allocs, uint64_t ns)
{
	struct kma_account *made = account(live, allocs), *rows;
	struct kma_groups *groups;
	uint32_t nr;

	kma_groups_create(&groups);
	for (size_t i = 0; i < ARRAY_SIZE(cgroup_names); i++)
		kma_groups_name_add(groups, cgroup_names[i], &nr);
	for (size_t i = 0; i < NR - 1; i++)
		for (size_t n = 0; n < (i < 3 ? 2 : 1); n++) {
			/* the second has three quarters of the first three sites */
			const struct kma_values part = {
				.current = i < 3 ? live[i] * (n ? 3 : 1) / 4 : live[i],
				.allocs = allocs,
			};

			kma_groups_add(groups, i, n, &part);
		}
	kma_account_set_groups(made, KMA_GROUPED_CGROUP, groups);
	if (kma_regroup(made, KMA_GROUPED_CGROUP, &rows))
		abort();
	kma_rates_update(rates, rows, ns);
	kma_rates_place_as(rates, like);
	kma_account_destroy(rows);
	kma_account_destroy(made);
}

static struct kma_rates *cgroups_create(void)
{
	struct kma_rates *rates;

	kma_rates_create(true, &rates);
	return rates;
}

/* Cgroups hold what their sites hold, whichever row they are parts of. */
TEST(cgroups_of_rows)
{
	const struct kma_top_query by_cgroup = { .by = KMA_BY(KMA_KEY_CGROUP), .filter = "" };
	const struct kma_top_query tree = { .tree = true, .filter = "", .open = "" };
	struct kma_rates *rates = rates_create(), *cgroups = cgroups_create();
	const struct kma_top_facts facts = { .rates = rates, .cgroups = cgroups };
	const uint64_t live[NR] = { 400, 40, 4, 1000, 0, 0, 7 };
	struct kma_top_largest *largest;
	struct kma_top_rows rows, parts;

	update(rates, live, 1, SECOND);
	update_cgroups(cgroups, rates, live, 1, SECOND);
	EXPECT_EQ(kma_rates_unplaced(cgroups), 0);
	kma_top_rows_init(&rows, cgroups, &by_cgroup);
	EXPECT_EQ(rows.nr, 3);
	EXPECT_STR(rows.rows[0].key, "/system.slice");
	EXPECT_EQ(rows.rows[0].numbers.now.current, 111 + 1000);
	EXPECT_STR(rows.rows[1].key, cgroup_names[1]);
	EXPECT_STR(rows.rows[1].label, "container 0123456789ab (docker)");
	EXPECT_EQ(rows.rows[1].numbers.now.current, 333);
	EXPECT_STR(rows.rows[2].key, KMA_GROUP_NONE);
	EXPECT_EQ(rows.rows[2].numbers.now.current, 7);
	EXPECT_EQ(rows.total.now.current, 1451);
	kma_top_rows_deinit(&rows);
	kma_top_rows_init(&rows, rates, &tree);
	EXPECT_EQ(rows.nr, 3);
	largest = kma_top_largest_of(rows.rows, rows.nr, &facts, &tree);
	/* fs-crypt, fs, [no directory] */
	EXPECT_STR(largest[0].cgroup, cgroup_names[0]);
	EXPECT_EQ(largest[0].live, 1000);
	EXPECT_STR(largest[1].cgroup, cgroup_names[1]);
	EXPECT_EQ(largest[1].live, 333);
	EXPECT_STR(largest[2].cgroup, KMA_GROUP_NONE);
	free(largest);
	/* fs has fs/ext4, and not fs-crypt */
	kma_top_parts_init(&parts, cgroups, KMA_KEY_CGROUP, &tree, &rows.rows[1]);
	EXPECT_EQ(parts.nr, 2);
	EXPECT_EQ(parts.total.now.current, 444);
	EXPECT_EQ(parts.rows[0].numbers.now.current, 333);
	kma_top_rows_deinit(&parts);
	kma_top_rows_deinit(&rows);
	kma_rates_destroy(cgroups);
	kma_rates_destroy(rates);
}

/* The column of the largest cgroup, where there is space; the rows by cgroup; the key g. */
TEST(a_screen_of_cgroups)
{
	uint64_t live[NR] = { 4 << 20, 4096, 0, 4096, 5 };
	struct kma_rates *rates = rates_create(), *cgroups = cgroups_create();
	const struct kma_top_facts facts = { .rates = rates,
					     .cgroups = cgroups,
					     .source = "made",
					     .release = "",
					     .clock = "12:00:00" };
	struct kma_top_state state = { .metrics = 1U << KMA_CURRENT,
				       .cgroup_metrics = 1U << KMA_CURRENT,
				       .has_caches = true,
				       .has_cgroups = true,
				       .interval_ns = SECOND };
	const unsigned int groups[] = { 'g', 'g', 'g', 'g', 0 };
	struct kma_grid grid = { 0 };
	struct kma_top_rows rows;

	update(rates, live, 1, SECOND);
	update_cgroups(cgroups, rates, live, 1, SECOND);
	live[0] += 4 << 20;
	update(rates, live, 1, 2 * SECOND);
	update_cgroups(cgroups, rates, live, 1, 2 * SECOND);
	kma_top_rows_of(&rows, &facts, &state);
	kma_grid_init(&grid, 119, 14);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 1, "Live 8.0 MiB, +4.0 MiB/s, 4 of 7 sites; read made in 0 ns");
	expect_line(
		&grid, 2,
		"      LIVE      CHANGE    CHANGE/s  SHARE         LARGEST CGROUP                          CALL SITE");
	expect_line(
		&grid, 3,
		"   8.0 MiB    +4.0 MiB    +4.0 MiB  99.9% ######   75.0% container 0123456789ab (docker)  ext4_a+0x1/0x2 [ext4]");
	expect_line(
		&grid, 4,
		"   4.0 KiB         0 B         0 B  <0.1%         100.0% /system.slice                    crypt+0x1/0x2");
	expect_line(
		&grid, 5,
		"   4.0 KiB         0 B         0 B  <0.1%          75.0% container 0123456789ab (docker)  ext4_b+0x1/0x2 [ext4]");
	/* without the space for it, only that column is left out */
	kma_grid_init(&grid, 118, 14);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 2, "      LIVE      CHANGE    CHANGE/s  SHARE         CALL SITE");
	kma_top_rows_deinit(&rows);
	press(&state, &facts, groups);
	EXPECT(kma_keys_are(&state.by, KMA_KEY_CGROUP));
	kma_top_rows_of(&rows, &facts, &state);
	kma_grid_init(&grid, 100, 14);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 1, "Live 8.0 MiB, +4.0 MiB/s, 2 cgroups; read made in 0 ns");
	expect_line(&grid, 2, "      LIVE      CHANGE    CHANGE/s  SHARE         CGROUP");
	expect_line(&grid, 3,
		    "   6.0 MiB    +3.0 MiB    +3.0 MiB  75.0% #####   container 0123456789ab (docker)");
	expect_line(&grid, 4, "   2.0 MiB    +1.0 MiB    +1.0 MiB  25.0% ##      /system.slice");
	kma_top_rows_deinit(&rows);
	kma_grid_deinit(&grid);
	kma_rates_destroy(cgroups);
	kma_rates_destroy(rates);
}

/* An account without caches and cgroups has no such groups. */
TEST(groups_that_are_absent)
{
	const uint64_t live[NR] = { 4096 };
	struct kma_rates *rates = rates_create();
	const struct kma_top_facts facts = { .rates = rates, .source = "made" };
	struct kma_top_state state = { .metrics = 1U << KMA_CURRENT, .by = KMA_BY(KMA_KEY_MODULE) };
	const unsigned int next[] = { 'g', 0 };

	update(rates, live, 1, SECOND);
	press(&state, &facts, next);
	EXPECT(kma_keys_are(&state.by, KMA_KEY_CALLER));
	state.by = KMA_BY(KMA_KEY_MODULE);
	state.has_caches = true;
	press(&state, &facts, next);
	EXPECT(kma_keys_are(&state.by, KMA_KEY_CACHE));
	press(&state, &facts, next);
	EXPECT(kma_keys_are(&state.by, KMA_KEY_CALLER));
	kma_rates_destroy(rates);
}

static const char *const details_lines[] = {
	"ext4_a+0x1/0x2 [ext4]",
	"  .  live, from 4.0 KiB to 4.0 KiB",
	"  LIVE              4.0 KiB    CHANGE                0 B",
	"  CHANGE/s              0 B    SITES                   1",
	"  call site    ext4_a+0x1/0x2 [ext4]",
	"  line         fs/ext4/a.c:7",
	"  inlined      kmalloc slab.h:1",
	"               kzalloc slab.h:2",
	"  file         fs/ext4/a.c",
	"  slab cache   ext4_inode",
	"ages of 3 live objects, 1 unknown",
	"  < 4 s                   2    >= 65536 s              1",
	"cgroups",
	"     3.0 KiB  75.0%         0 B  container 0123456789ab (docker)",
	"     1.0 KiB  25.0%         0 B  /system.slice",
};

/* All that is known of a row, and what a small screen does not show at once. */
TEST(details)
{
	const uint64_t live[NR] = { 4096, 2048 };
	struct kma_rates *rates = rates_create(), *cgroups = cgroups_create();
	const struct kma_top_facts facts = { .rates = rates,
					     .cgroups = cgroups,
					     .source = "made",
					     .release = "",
					     .clock = "12:00:00" };
	struct kma_top_state state = { .metrics = 1U << KMA_CURRENT,
				       .has_cgroups = true,
				       .details = true,
				       .interval_ns = SECOND };
	const struct kma_rates_place place = { .dir = "fs/ext4",
					       .file = "fs/ext4/a.c",
					       .line = "fs/ext4/a.c:7",
					       .inlines = "kmalloc slab.h:1\nkzalloc slab.h:2" };
	const unsigned int down[] = { KMA_TOP_KEY_PAGE_DOWN, KMA_TOP_KEY_PAGE_DOWN, 0 };
	struct kma_grid grid = { 0 };
	struct kma_account *made = account(live, 1);
	struct kma_top_rows rows;

	kma_account_add_age(
		made, 0,
		&(struct kma_site_age){ .live = 2, .unknown = 1, .epochs = { [2] = 2, [17] = 1 } });
	kma_rates_update(rates, made, SECOND);
	kma_rates_place(rates, places[0].caller, &place);
	kma_account_destroy(made);
	update_cgroups(cgroups, rates, live, 1, SECOND);
	kma_top_rows_of(&rows, &facts, &state);
	kma_grid_init(&grid, 80, 30);
	kma_top_draw(&grid, &facts, &rows, &state);
	for (size_t i = 0; i < ARRAY_SIZE(details_lines); i++)
		expect_line(&grid, 2 + i, details_lines[i]);
	expect_line(&grid, 2 + ARRAY_SIZE(details_lines), "");
	/* ten lines: one of the head, the heading, seven of the details, the last one */
	kma_grid_init(&grid, 80, 10);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 1, "ext4_a+0x1/0x2 [ext4]  lines 1-7 of 14, PgDn PgUp");
	for (size_t i = 1; i < 8; i++)
		expect_line(&grid, 1 + i, details_lines[i]);
	press(&state, &facts, down);
	kma_grid_init(&grid, 80, 10);
	kma_top_draw(&grid, &facts, &rows, &state);
	expect_line(&grid, 1, "ext4_a+0x1/0x2 [ext4]  lines 8-14 of 14, PgDn PgUp");
	for (size_t i = 1; i < 8; i++)
		expect_line(&grid, 1 + i, details_lines[7 + i]);
	kma_grid_deinit(&grid);
	kma_top_rows_deinit(&rows);
	kma_rates_destroy(cgroups);
	kma_rates_destroy(rates);
}

/* f allocates in two ways, each for one cgroup; g in one way, for none. */
static void update_kinds(struct kma_rates *rates, struct kma_rates *cgroups)
{
	static const struct {
		const char *caller;
		enum kma_kind kind;
		uint64_t live;
	} sites[] = {
		{ "f+0x1/0x2", KMA_KIND_KMALLOC, 100 },
		{ "f+0x1/0x2", KMA_KIND_PAGE, 4096 },
		{ "g+0x1/0x2", KMA_KIND_CACHE, 1000 },
	};
	const struct kma_rates_place place = { .dir = "fs", .file = "fs/f.c" };
	struct kma_account *made, *rows;
	struct kma_groups *groups;
	uint32_t nr;

	made = kma_account_create("made");
	kma_groups_create(&groups);
	kma_account_set_metrics(made, 1U << KMA_CURRENT);
	for (size_t i = 0; i < ARRAY_SIZE(sites); i++) {
		const struct kma_values values = { .current = sites[i].live };

		if (kma_account_add_site(made, sites[i].caller, strlen(sites[i].caller), &values))
			abort();
		kma_account_set_place(made, sites[i].kind, NULL);
		if (i < ARRAY_SIZE(cgroup_names)) {
			kma_groups_name_add(groups, cgroup_names[i], &nr);
			kma_groups_add(groups, i, nr, &values);
		}
	}
	kma_account_set_groups(made, KMA_GROUPED_CGROUP, groups);
	if (kma_account_finish(made))
		abort();
	if (kma_regroup(made, KMA_GROUPED_CGROUP, &rows))
		abort();
	kma_rates_update(rates, made, SECOND);
	kma_rates_place(rates, "f+0x1/0x2", &place);
	kma_rates_update(cgroups, rows, SECOND);
	kma_rates_place_as(cgroups, rates);
	kma_account_destroy(rows);
	kma_account_destroy(made);
}

/* A caller has a row for each kind, with its own cgroups; the cursor reaches each. */
TEST(a_caller_of_two_kinds)
{
	struct kma_rates *rates = rates_create(), *cgroups = cgroups_create();
	const struct kma_top_query query = { .by = KMA_BY(KMA_KEY_CALLER), .filter = "" },
				   by_file = { .by = KMA_BY(KMA_KEY_FILE), .filter = "" };
	const struct kma_top_facts facts = {
		.rates = rates, .cgroups = cgroups, .source = "made", .release = "", .clock = ""
	};
	struct kma_top_state state = { .metrics = 1U << KMA_CURRENT, .page = 3 };
	const unsigned int down[] = { KMA_TOP_KEY_DOWN, KMA_TOP_KEY_DOWN, 0 };
	struct kma_top_largest *largest;
	struct kma_top_rows rows, parts;

	update_kinds(rates, cgroups);
	kma_top_rows_init(&rows, rates, &query);
	REQUIRE(rows.nr == 3);
	EXPECT_STR(rows.rows[0].label, "f+0x1/0x2 (page)");
	EXPECT_EQ(rows.rows[0].numbers.now.current, 4096);
	EXPECT_STR(rows.rows[1].label, "g+0x1/0x2");
	EXPECT_STR(rows.rows[2].label, "f+0x1/0x2 (kmalloc)");
	EXPECT_EQ(rows.rows[2].numbers.now.current, 100);
	largest = kma_top_largest_of(rows.rows, rows.nr, &facts, &query);
	EXPECT_STR(largest[0].cgroup, cgroup_names[1]);
	EXPECT_EQ(largest[0].live, 4096);
	EXPECT_STR(largest[1].cgroup, KMA_GROUP_NONE);
	EXPECT_STR(largest[2].cgroup, cgroup_names[0]);
	EXPECT_EQ(largest[2].live, 100);
	free(largest);
	kma_top_parts_init(&parts, cgroups, KMA_KEY_CGROUP, &query, &rows.rows[0]);
	EXPECT_EQ(parts.nr, 1);
	EXPECT_EQ(parts.total.now.current, 4096);
	kma_top_rows_deinit(&parts);
	press(&state, &facts, down);
	EXPECT_EQ(kma_top_cursor(&state, &rows), 2);
	kma_top_rows_deinit(&rows);
	/* both kinds have the place of the caller, and other keys add them up */
	kma_top_rows_init(&rows, rates, &by_file);
	REQUIRE(rows.nr == 2);
	EXPECT_STR(rows.rows[0].key, "fs/f.c");
	EXPECT_EQ(rows.rows[0].numbers.now.current, 4196);
	kma_top_rows_deinit(&rows);
	kma_rates_destroy(cgroups);
	kma_rates_destroy(rates);
}

/* Keys on screens of all sizes, with cgroups: the sanitizers look for what is outside. */
TEST(screens_of_all_sizes_with_cgroups)
{
	static const unsigned int keys[] = { KMA_TOP_KEY_DOWN,
					     KMA_TOP_KEY_UP,
					     't',
					     'g',
					     's',
					     'I',
					     KMA_TOP_KEY_PAGE_DOWN,
					     KMA_TOP_KEY_PAGE_UP,
					     KMA_TOP_KEY_ENTER,
					     KMA_TOP_KEY_RIGHT };
	static const size_t sizes[][2] = {
		{ 1, 1 }, { 20, 5 }, { 40, 10 }, { 105, 24 }, { 300, 80 }
	};
	const uint64_t live[NR] = { 100, 20, 3, 4000, 50000, 0, UINT64_MAX / 8 };
	struct kma_rates *rates = rates_create(), *cgroups = cgroups_create();
	const struct kma_top_facts facts = {
		.rates = rates, .cgroups = cgroups, .source = "made", .release = "", .clock = ""
	};
	struct kma_top_state state = { .metrics = ~0U,
				       .cgroup_metrics = 1U << KMA_CURRENT,
				       .has_files = true,
				       .has_caches = true,
				       .has_cgroups = true };
	unsigned int seed = 1;

	update(rates, live, 1, SECOND);
	update_cgroups(cgroups, rates, live, 1, SECOND);
	for (unsigned int i = 0; i < 5000; i++)
		draw_and_press(&facts, &state, sizes[rand_r(&seed) % ARRAY_SIZE(sizes)],
			       keys[rand_r(&seed) % ARRAY_SIZE(keys)]);
	kma_strbuf_deinit(&state.open);
	kma_rates_destroy(cgroups);
	kma_rates_destroy(rates);
}

TEST_MAIN()
