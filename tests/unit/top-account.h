/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-account.h - an account of known numbers for the tests of top, and screens as text.
 */
#ifndef TESTS_UNIT_TOP_ACCOUNT_H
#define TESTS_UNIT_TOP_ACCOUNT_H

#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "view/screen/top-draw.h"
#include "view/screen/top-keys.h"

#include "ktap.h"

#define SECOND 1000000000ULL

static const struct {
	const char *caller, *dir, *file;
} places[] = {
	{ "ext4_a+0x1/0x2 [ext4]", "fs/ext4", "fs/ext4/a.c" },
	{ "ext4_b+0x1/0x2 [ext4]", "fs/ext4", "fs/ext4/b.c" },
	{ "d_alloc+0x1/0x2", "fs", "fs/dcache.c" },
	{ "crypt+0x1/0x2", "fs-crypt", "fs-crypt/c.c" }, /* sorts between fs and fs/ext4 */
	{ "skb+0x1/0x2", "net/core", "net/core/skbuff.c" },
	{ "[frees of unknown objects]", NULL, NULL },
	{ "0xffffffff81000000", NULL, NULL },
};

#define NR ARRAY_SIZE(places)

/* ext4_b has objects of another cache, too; the last four have neither cache nor age. */
static inline void add_cache_and_age(struct kma_account *to, size_t i)
{
	static const char *const caches[NR] = { "ext4_inode", "ext4_inode", "dentry" };
	const struct kma_site_age age = { .live = 1, .oldest = (i + 1) * SECOND };

	if (!caches[i])
		return;
	kma_account_set_cache(to, caches[i], i == 1);
	kma_account_add_age(to, i, &age);
}

static inline struct kma_account *account(const uint64_t *live, uint64_t allocs)
{
	struct kma_account *ret;

	ret = kma_account_create("made");
	kma_account_set_metrics(ret, 1U << KMA_CURRENT | 1U << KMA_ALLOCS | 1U << KMA_FREES |
					     1U << KMA_WASTE);
	for (size_t i = 0; i < NR; i++) {
		const struct kma_values values = { .current = live[i], .allocs = allocs + i };

		if (kma_account_add_site(ret, places[i].caller, strlen(places[i].caller), &values))
			abort();
		add_cache_and_age(ret, i);
	}
	if (kma_account_finish(ret))
		abort();
	return ret;
}

static inline void update(struct kma_rates *rates, const uint64_t *live, uint64_t allocs,
			  uint64_t ns)
{
	struct kma_account *made = account(live, allocs);

	kma_rates_update(rates, made, ns);
	kma_account_destroy(made);
	for (size_t i = 0; i < NR; i++) {
		const struct kma_rates_place place = {
			.dir = places[i].dir,
			.file = places[i].file,
			.line = places[i].file,
			.module = i < 2		? "ext4" :
				  places[i].dir ? "vmlinux" :
						  NULL,
		};

		kma_rates_place(rates, places[i].caller, &place);
	}
}

static inline struct kma_rates *rates_create(void)
{
	struct kma_rates *rates;

	kma_rates_create(false, &rates);
	return rates;
}

static inline void press(struct kma_top_state *state, const struct kma_top_facts *facts,
			 const unsigned int *keys)
{
	for (; *keys; keys++) {
		struct kma_top_rows rows;

		kma_top_rows_of(&rows, facts, state);
		kma_top_key(state, &rows, *keys);
		kma_top_rows_deinit(&rows);
	}
}

/* draw_and_press - draw a screen of SIZE columns and rows, then press KEY */
static inline void draw_and_press(const struct kma_top_facts *facts, struct kma_top_state *state,
				  const size_t *size, unsigned int key)
{
	struct kma_grid grid = { 0 };
	struct kma_top_rows rows;

	kma_top_rows_of(&rows, facts, state);
	kma_grid_init(&grid, size[0], size[1]);
	kma_top_draw(&grid, facts, &rows, state);
	/* the title, or on a screen of one line the foot */
	EXPECT(grid.cells[0].text != L' ');
	kma_top_key(state, &rows, key);
	kma_grid_deinit(&grid);
	kma_top_rows_deinit(&rows);
}

static inline void expect_line(const struct kma_grid *grid, size_t y, const char *want)
{
	char text[512] = "";
	size_t len = 0;

	for (size_t x = 0; x < grid->columns; x++) {
		text[x] = grid->cells[y * grid->columns + x].text;
		if (text[x] != ' ')
			len = x + 1;
	}
	text[len] = '\0';
	EXPECT_STR(text, want);
}

#endif /* TESTS_UNIT_TOP_ACCOUNT_H */
