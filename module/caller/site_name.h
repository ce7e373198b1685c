/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * site_name.h - the name and the place of a call site.
 *
 * A name is asked for when somebody reads: events know addresses alone. When the
 * code of a site is about to go (the text of a module, or its init text), the
 * name is kept with the site.
 *
 * Never done here: nothing at an event.
 *
 * Locking: kma_sites.names (site.h), around a look-up and around keeping.
 */
#ifndef KMA_SITE_NAME_H
#define KMA_SITE_NAME_H

#include <linux/kallsyms.h>
#include <linux/types.h>

#include "caller/place.h"

/**
 * kma_site_name_keep() - keep the names of sites in code that goes away
 * @inside: tells whether an address is in that code
 * @arg: handed to @inside
 *
 * A retired site keeps its counts under its name; another site that later has
 * the same address gets an id of its own.
 *
 * Context: process, may sleep.
 * Return: number of sites retired.
 */
unsigned int kma_site_name_keep(bool (*inside)(unsigned long addr, void *arg),
				void *arg);

/**
 * kma_site_name() - the name of a site, as %pS prints it
 * @id: the site
 * @call_site: its address: since a kma_site_reset() the id may be another's
 * @buf: where to print it
 *
 * Context: process, may sleep.
 */
void kma_site_name(unsigned int id, unsigned long call_site,
		   char buf[KSYM_SYMBOL_LEN]);

/**
 * kma_site_place() - where a site is, with its name
 * @id: the site
 * @call_site: its address
 * @buf: where to print it, as kma_place_print() does
 *
 * Context: process, may sleep.
 */
void kma_site_place(unsigned int id, unsigned long call_site,
		    char buf[KMA_PLACE_LEN]);

#endif /* KMA_SITE_NAME_H */
