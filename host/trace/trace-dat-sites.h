/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-dat-sites.h - texts of the call sites of a trace.dat, by address, as %pS prints them.
 *
 * The symbols are those of the recorded kernel, which are in the file. Used only in the child, by
 * trace-dat*.c.
 *
 * Locking: none; the child has one thread.
 */
#ifndef KMA_TRACE_TRACE_DAT_SITES_H
#define KMA_TRACE_TRACE_DAT_SITES_H

#include <event-parse.h>

#include "ftrace-stack.h"
#include "trace-dat.h"

/* An address that is a call site or a frame of a stack. */
struct kma_dat_place {
	uint64_t address;
	uint32_t site[KMA_NR_KINDS]; /* number by kind of the event; KMA_DAT_NONE: none yet */
	enum kma_frame_kind frame;   /* class of the function that the address is in */
	bool used;
};

#define KMA_DAT_NONE (UINT32_MAX - 1)

struct kma_dat_places;

/**
 * kma_dat_places_create() - read the symbols of a file and create an empty table of addresses
 * @tep: handle of the file
 * @ret: the table
 *
 * Redirects the standard output for a moment: libtraceevent gives the names of modules only when it
 * prints its table of symbols.
 *
 * Return: true; false if memory cannot be allocated.
 */
bool kma_dat_places_create(struct tep_handle *tep, struct kma_dat_places **ret);

/**
 * kma_dat_places_named() - test whether the file has symbols
 * @places: the table
 *
 * Return: false if it has none, or if the kernel hid their addresses.
 */
bool kma_dat_places_named(const struct kma_dat_places *places);

/**
 * kma_dat_place() - find or add an address
 * @places: the table
 * @address: a call site or a return address
 *
 * Return: the entry, valid until the next call; NULL if the table is full.
 */
struct kma_dat_place *kma_dat_place(struct kma_dat_places *places, uint64_t address);

/**
 * kma_dat_place_text() - write an address as %pS prints it
 * @places: the table
 * @address: a call site
 * @buf: KMA_DAT_SITE_MAX bytes
 *
 * Return: @buf with "name+0x1/0x2 [module]", or "0xffffffff81000000" if no symbol has the address.
 */
const char *kma_dat_place_text(const struct kma_dat_places *places, uint64_t address, char *buf);

#endif /* KMA_TRACE_TRACE_DAT_SITES_H */
