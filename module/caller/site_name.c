// SPDX-License-Identifier: GPL-2.0-only
/*
 * site_name.c - the name and the file position of a call site.
 *
 * The design and the locking are in site_name.h.
 */
#include <linux/kallsyms.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account/class.h"
#include "account/site.h"
#include "caller/place.h"
#include "caller/site_name.h"

const char kma_site_no_place[sizeof(KMA_SITE_NO_PLACE)] = KMA_SITE_NO_PLACE;

/*
 * If there is no memory for the name, the site is printed as an address later. Its counts
 * stay. An allocation of this size hardly ever fails.
 */
static void kma_site_keep_place(struct kma_site *site)
{
	char *buf = kmalloc(KMA_PLACE_LEN, GFP_KERNEL);

	if (!buf)
		return;
	kma_place_print(site->call_site, buf, true);
	site->place = kstrdup(buf, GFP_KERNEL);
	kfree(buf);
}

unsigned int kma_site_name_keep(bool (*inside)(unsigned long addr, void *arg), void *arg)
{
	unsigned int id, nr = kma_site_nr(), retired = 0;

	mutex_lock(&kma_sites.names);
	for (id = KMA_SITE_OTHER + 1; id < nr; id++) {
		struct kma_site *site = &kma_sites.sites[id];

		if (site->place || !inside(site->call_site, arg))
			continue;
		kma_site_keep_place(site);
		kma_site_retire(id);
		kma_class_retire(kma_sites.sites[id].call_site);
		retired++;
	}
	mutex_unlock(&kma_sites.names);
	return retired;
}

/* The saved name of a site, unless another site has its id now. */
static const char *kma_site_kept(unsigned int id, unsigned long call_site)
{
	const struct kma_site *site = &kma_sites.sites[id];

	return site->call_site == call_site ? site->place : NULL;
}

void kma_site_name(unsigned int id, unsigned long call_site, char buf[KSYM_SYMBOL_LEN])
{
	const char *place;

	if (id == KMA_SITE_OTHER) {
		strscpy(buf, "[site table full]", KSYM_SYMBOL_LEN);
		return;
	}
	mutex_lock(&kma_sites.names);
	place = kma_site_kept(id, call_site);
	if (place)
		strscpy(buf, strrchr(place, '\t') + 1, KSYM_SYMBOL_LEN);
	else
		sprint_symbol(buf, call_site);
	mutex_unlock(&kma_sites.names);
}

void kma_site_place(unsigned int id, unsigned long call_site, char buf[KMA_PLACE_LEN])
{
	const char *place;

	if (id == KMA_SITE_OTHER) {
		strscpy(buf, "-\t-\t-\t[site table full]", KMA_PLACE_LEN);
		return;
	}
	mutex_lock(&kma_sites.names);
	place = kma_site_kept(id, call_site);
	if (place)
		strscpy(buf, place, KMA_PLACE_LEN);
	else
		kma_place_print(call_site, buf, false);
	mutex_unlock(&kma_sites.names);
}
