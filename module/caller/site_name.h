/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * site_name.h - the name and the file position of a call site.
 *
 * Events use addresses only. A name is looked up when a file of the account is read. Before
 * the code of a site is removed (the text of a module, or its init text), the name is saved
 * with the site.
 *
 * Locking: kma_sites.names (site.h), for looking up a name and for saving it.
 *
 * Contexts: process, may sleep.
 */
#ifndef KMA_SITE_NAME_H
#define KMA_SITE_NAME_H

#include <linux/kallsyms.h>
#include <linux/types.h>

#include "caller/place.h"

/* Printed in place of a text of kma_site_place(), if there was no memory for it. */
#define KMA_SITE_NO_PLACE	"-\t-\t-\t[no memory for the name]"
extern const char kma_site_no_place[sizeof(KMA_SITE_NO_PLACE)];
/* The name in it: printed in place of any name, if there was no memory for that. */
#define KMA_SITE_NO_NAME	(kma_site_no_place + sizeof("-\t-\t-\t") - 1)

/*
 * Save the names of sites in code that is about to be removed. A retired site keeps its counts
 * under its name; a later site at the same address gets a new id. Return: number of sites retired.
 */
unsigned int kma_site_name_keep(bool (*inside)(unsigned long addr, void *arg), void *arg);

/*
 * The name of a site, as %pS prints it, and its file position, as kma_place_print() prints it.
 * @call_site is its address; it differs from that of @id if kma_site_reset() was called since.
 */
void kma_site_name(unsigned int id, unsigned long call_site, char buf[KSYM_SYMBOL_LEN]);
void kma_site_place(unsigned int id, unsigned long call_site, char buf[KMA_PLACE_LEN]);

#endif /* KMA_SITE_NAME_H */
