// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace-dat-sites.c - call sites of a trace.dat by address.
 *
 * Symbols: libtraceevent tells the size and the module of a function only when it prints its whole
 * table. The table is therefore printed into memory, where it is sorted by address, and searched
 * there. A function's size is the distance to the next different address, as for %pS. The end of
 * the last function of a module is unknown: kallsyms uses the end of its section. A function that
 * would be larger than KMA_DAT_SIZE_MAX is treated as unknown, as is the last one in the table. If
 * an address has several names, kallsyms uses the first one in its list; libtraceevent prints the
 * names of an address in reverse order.
 *
 * Addresses: a hash table with open addressing, at most half full, so that each address is searched
 * and classified once. An entry takes 40 bytes; at 4 million addresses the table is full, and
 * further addresses share one row.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/array.h"
#include "trace-dat-sites.h"

#define KMA_DAT_SIZE_MAX   (16U << 20)
#define KMA_DAT_PLACES_MAX (1U << 22)

struct kma_dat_symbol {
	uint64_t address;
	const char *name; /* up to the end of the line: "name" or "name [module]" */
};

struct kma_dat_places {
	char *text; /* the printed table of symbols */
	size_t len;
	struct kma_dat_symbol *symbols;
	size_t nr_symbols;
	struct kma_dat_place *slots; /* open addressing, at most half full */
	size_t nr_slots, nr_places;
};

/* Map what the library prints about its symbols on the standard output. */
static bool dat_catch(struct tep_handle *tep, char **text, size_t *len)
{
	int fd = memfd_create("symbols", MFD_CLOEXEC), out;
	struct stat st;
	void *map;

	out = dup(STDOUT_FILENO);
	if (fd < 0 || out < 0)
		return false;
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	tep_print_funcs(tep);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	if (fstat(fd, &st))
		return false;
	*len = st.st_size;
	map = *len ? mmap(NULL, *len, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
	close(fd);
	if (map == MAP_FAILED)
		return false;
	*text = map;
	return true;
}

static bool dat_add_symbol(struct kma_dat_places *places, size_t *alloc, uint64_t address,
			   const char *name)
{
	kma_array_room(places->symbols, places->nr_symbols, *alloc);
	places->symbols[places->nr_symbols++] = (struct kma_dat_symbol){ address, name };
	return true;
}

/* Parse the lines "ffffffff81000000 name" and "ffffffffc0000000 name [module]". */
static bool dat_parse(struct kma_dat_places *places)
{
	const char *p = places->text, *end, *nl;
	size_t alloc = 0;

	if (!p)
		return true;
	end = p + places->len;
	for (; p < end && (nl = memchr(p, '\n', end - p)); p = nl + 1) {
		char *name = NULL;
		/* strtoull() would skip newlines, and the end of the text: check for a digit. */
		uint64_t address = isxdigit((unsigned char)*p) ? strtoull(p, &name, 16) : 0;

		/* The address is 0 if the recorder was not allowed to see it. */
		if (!address || *name != ' ' || name + 1 >= nl)
			continue;
		if (!dat_add_symbol(places, &alloc, address, name + 1))
			return false;
	}
	return true;
}

bool kma_dat_places_create(struct tep_handle *tep, struct kma_dat_places **ret)
{
	struct kma_dat_places *places = calloc(1, sizeof(*places));

	if (!places)
		return false;
	places->nr_slots = 1 << 12;
	places->slots = calloc(places->nr_slots, sizeof(*places->slots));
	*ret = places;
	return places->slots && dat_catch(tep, &places->text, &places->len) && dat_parse(places);
}

bool kma_dat_places_named(const struct kma_dat_places *places)
{
	return places->nr_symbols;
}

/* The last symbol at or below an address and its size; NULL if there is none. */
static const struct kma_dat_symbol *dat_find(const struct kma_dat_places *places, uint64_t address,
					     uint64_t *size)
{
	size_t low = kma_array_search(places->nr_symbols, i, places->symbols[i].address <= address);

	if (!low || low == places->nr_symbols)
		return NULL;
	*size = places->symbols[low].address - places->symbols[low - 1].address;
	return *size <= KMA_DAT_SIZE_MAX ? &places->symbols[low - 1] : NULL;
}

const char *kma_dat_place_text(const struct kma_dat_places *places, uint64_t address, char *buf)
{
	const struct kma_dat_symbol *symbol;
	const char *nl, *module;
	uint64_t size;

	symbol = dat_find(places, address, &size);
	if (!symbol) {
		snprintf(buf, KMA_DAT_SITE_MAX, "0x%" PRIx64, address);
		return buf;
	}
	nl = strchrnul(symbol->name, '\n');
	module = memmem(symbol->name, nl - symbol->name, " [", 2) ?: nl;
	snprintf(buf, KMA_DAT_SITE_MAX, "%.*s+0x%" PRIx64 "/0x%" PRIx64 "%.*s",
		 (int)(module - symbol->name), symbol->name, address - symbol->address, size,
		 (int)(nl - module), module);
	return buf;
}

static struct kma_dat_place *dat_slot(struct kma_dat_place *slots, size_t nr, uint64_t address)
{
	size_t i = address * 0x9e3779b97f4a7c15ULL >> 32 & (nr - 1);

	while (slots[i].used && slots[i].address != address)
		i = (i + 1) & (nr - 1);
	return &slots[i];
}

static bool dat_grow_places(struct kma_dat_places *places)
{
	size_t nr = places->nr_slots * 2;
	struct kma_dat_place *slots;

	if (places->nr_places * 2 < places->nr_slots)
		return true;
	if (places->nr_places >= KMA_DAT_PLACES_MAX)
		return false;
	slots = calloc(nr, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < places->nr_slots; i++)
		if (places->slots[i].used)
			*dat_slot(slots, nr, places->slots[i].address) = places->slots[i];
	free(places->slots);
	places->slots = slots;
	places->nr_slots = nr;
	return true;
}

struct kma_dat_place *kma_dat_place(struct kma_dat_places *places, uint64_t address)
{
	struct kma_dat_place *place = dat_slot(places->slots, places->nr_slots, address);
	char text[KMA_DAT_SITE_MAX];

	if (place->used)
		return place;
	if (!dat_grow_places(places))
		return NULL;
	place = dat_slot(places->slots, places->nr_slots, address);
	place->used = true;
	place->address = address;
	for (unsigned int kind = 0; kind < KMA_NR_KINDS; kind++)
		place->site[kind] = KMA_DAT_NONE;
	kma_dat_place_text(places, address, text);
	place->frame = kma_frame_class(text, strlen(text));
	places->nr_places++;
	return place;
}
