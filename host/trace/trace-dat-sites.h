/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-dat-sites.h - call sites of a trace.dat by address, in the child: their text
 * as %pS prints it, from the kernel's own symbols that are in the file; only for
 * trace-dat*.c.
 *
 * Locking: none; the child has one thread.
 */
#ifndef KMA_TRACE_TRACE_DAT_SITES_H
#define KMA_TRACE_TRACE_DAT_SITES_H

#include <event-parse.h>

#include "ftrace-stack.h"
#include "trace-dat.h"

/* An address that was met. */
struct kma_dat_place {
	uint64_t address;
	uint32_t site[KMA_NR_KINDS]; /* the child's number by kind, KMA_DAT_NONE: not yet */
	enum kma_frame_kind frame;   /* whose function it is in */
	bool used;
};

#define KMA_DAT_NONE (UINT32_MAX - 1)

struct kma_dat_places;

/**
 * kma_dat_places_create() - no place yet
 * @tep: with the symbols of the file
 * @ret: the places
 *
 * Prints the table of symbols on the standard output, which it catches: the one way
 * to the modules' names that libtraceevent has.
 *
 * Return: true; false without memory.
 */
bool kma_dat_places_create(struct tep_handle *tep, struct kma_dat_places **ret);

/**
 * kma_dat_places_named() - has the file symbols?
 * @places: the places
 *
 * Return: false if it has none, or if they have no addresses.
 */
bool kma_dat_places_named(const struct kma_dat_places *places);

/**
 * kma_dat_place() - find or add an address
 * @places: the places
 * @address: of a call site, a return address
 *
 * Return: the entry, valid until the next call; NULL if the table is full.
 */
struct kma_dat_place *kma_dat_place(struct kma_dat_places *places, uint64_t address);

/**
 * kma_dat_place_text() - as %pS prints it
 * @places: the places
 * @address: of a call site
 * @buf: KMA_DAT_SITE_MAX bytes
 *
 * Return: "name+0x1/0x2 [module]", "0xffffffff81000000" where there is no symbol.
 */
const char *kma_dat_place_text(const struct kma_dat_places *places, uint64_t address, char *buf);

#endif /* KMA_TRACE_TRACE_DAT_SITES_H */
