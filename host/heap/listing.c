// SPDX-License-Identifier: GPL-2.0-only
/*
 * listing.c - read debugfs' kmem_account/live and kmem_account/sites, which
 * Documentation/ABI/testing/debugfs-kmem_account describes.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/cleanup.h"
#include "listing.h"
#include "reader/tabs.h"

/* The largest number of a site; the module has fewer. */
#define KMA_LISTING_SITES (1U << 24)

enum { KMA_LIVE_ADDRESS, KMA_LIVE_SITE, KMA_LIVE_TOTAL, KMA_LIVE_KIND, KMA_LIVE_AGE, KMA_LIVE_NR };

static const char *const live_names[KMA_LIVE_NR] = { "address", "site", "total", "kind", "age_ns" };

static const char *const site_names[] = { "id", "caller" };

struct kma_listing {
	struct kma_tabs tabs;
	int column[KMA_LIVE_NR]; /* index; -1: absent */
	kma_listing_fn fn;
	void *arg;
	struct kma_listing_sites *sites;
};

/* Read the header, and find the columns. */
static struct kma_err *listing_begin(struct kma_listing *in, const char *title,
				     const char *const *names, size_t nr, size_t optional)
{
	struct kma_err *err;
	char name[32];

	snprintf(name, sizeof(name), "kmem_account %s%c", title, ' ');
	err = kma_tabs_header(&in->tabs, name, 1);
	if (err)
		return err;
	for (size_t i = 0; i < nr; i++) {
		in->column[i] = kma_tabs_find(&in->tabs, names[i]);
		if (in->column[i] < 0 && i + optional < nr)
			return kma_cursor_error(&in->tabs.cur, "no column '%s'", names[i]);
	}
	return NULL;
}

/* Read an address, "0x" and digits; by hand, because a pass reads one of each live object. */
static bool listing_address(const char *text, uint64_t *ret)
{
	size_t len = strnlen(text, 19);

	*ret = 0;
	if (len < 3 || len > 18 || text[0] != '0' || text[1] != 'x')
		return false;
	for (text += 2; *text; text++) {
		char c = *text;
		bool digit = c >= '0' && c <= '9';

		if (!digit && (c < 'a' || c > 'f'))
			return false;
		*ret = *ret << 4 | (digit ? c - '0' : c - 'a' + 10);
	}
	return true;
}

static struct kma_err *listing_object(struct kma_listing *in)
{
	struct kma_listing_object object = { 0 };
	struct kma_tabs *tabs = &in->tabs;
	const char *age;
	struct kma_err *err;
	uint64_t site;

	if (!listing_address(tabs->cells[in->column[KMA_LIVE_ADDRESS]], &object.addr))
		return kma_cursor_error(&tabs->cur, "invalid address '%.20s'",
					tabs->cells[in->column[KMA_LIVE_ADDRESS]]);
	if (strcmp(tabs->cells[in->column[KMA_LIVE_KIND]], "object"))
		return NULL;
	if (!object.addr)
		return kma_cursor_error(
			&tabs->cur,
			"addresses are hidden; run as root with CAP_SYSLOG and kptr_restrict below 2");
	age = in->column[KMA_LIVE_AGE] < 0 ? "-" : tabs->cells[in->column[KMA_LIVE_AGE]];
	object.has_age = strcmp(age, "-");
	err = kma_tabs_number(tabs, in->column[KMA_LIVE_SITE], "site", &site) ?:
		      kma_tabs_number(tabs, in->column[KMA_LIVE_TOTAL], "total", &object.total);
	if (!err && object.has_age)
		err = kma_tabs_number(tabs, in->column[KMA_LIVE_AGE], "age_ns", &object.age);
	if (err)
		return err;
	if (site >= KMA_LISTING_SITES)
		return kma_cursor_error(&tabs->cur, "invalid site");
	object.site = site;
	in->fn(in->arg, &object);
	return NULL;
}

static struct kma_err *listing_site(struct kma_listing *in)
{
	struct kma_listing_sites *sites = in->sites;
	struct kma_tabs *tabs = &in->tabs;
	const char *caller = tabs->cells[in->column[1]];
	struct kma_err *err;
	uint64_t id;

	err = kma_tabs_number(tabs, in->column[0], "id", &id);
	if (err)
		return err;
	if (id >= KMA_LISTING_SITES)
		return kma_cursor_error(&tabs->cur, "invalid site");
	kma_array_reach(sites->callers, sites->nr, id);
	if (sites->callers[id])
		return NULL;
	sites->callers[id] = kma_arena_text(&sites->texts, caller, strlen(caller));
	return NULL;
}

/* Call @row for each row of a table. All columns but the last @optional are needed. */
static struct kma_err *listing_file(struct kma_listing *in, const char *path, const char *title,
				    const char *const *names, size_t nr, size_t optional,
				    struct kma_err *(*row)(struct kma_listing *in))
{
	struct kma_input *input;
	struct kma_err *err;
	bool more = true;

	err = kma_input_open(path, &input);
	if (err)
		return err;
	kma_cursor_init(&in->tabs.cur, input);
	err = listing_begin(in, title, names, nr, optional);
	while (!err) {
		err = kma_cursor_next(&in->tabs.cur, &more);
		if (err || !more)
			break;
		if (in->tabs.cur.cut)
			err = kma_cursor_error(&in->tabs.cur, "truncated in a row");
		else
			err = kma_tabs_row(&in->tabs) ?: row(in);
	}
	kma_cursor_deinit(&in->tabs.cur);
	kma_input_close(input);
	return err;
}

struct kma_err *kma_listing_read(const char *path, kma_listing_fn fn, void *arg)
{
	struct kma_listing in = { .fn = fn, .arg = arg };

	return listing_file(&in, path, "live", live_names, KMA_LIVE_NR, 1, listing_object);
}

struct kma_err *kma_listing_sites(const char *path, struct kma_listing_sites *sites)
{
	struct kma_listing in = { .sites = sites };

	return listing_file(&in, path, "sites", site_names, ARRAY_SIZE(site_names), 0,
			    listing_site);
}

void kma_listing_sites_deinit(struct kma_listing_sites *sites)
{
	free(sites->callers);
	kma_arena_deinit(&sites->texts);
	*sites = (struct kma_listing_sites){ 0 };
}

const char *kma_listing_caller(const struct kma_listing_sites *sites, uint32_t site)
{
	return site < sites->nr && sites->callers[site] ? sites->callers[site] :
							  "[unknown call site]";
}
