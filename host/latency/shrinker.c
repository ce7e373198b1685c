// SPDX-License-Identifier: GPL-2.0-only
/*
 * shrinker.c - rows for runs of shrinkers: by function, as in the RFC, and by function and name or
 * address, which distinguishes superblocks.
 *
 * Names are in the log as two lines of one task (tracefs-names.c):
 *
 *	kma_open: (single_open+0x0/0x70) shrinker=0xffff888003d5c000
 *	kma_shrinker: sb-ext4:vda1-37
 *
 * An address may be reused, so a name applies to the runs after it, up to the next name of that
 * address. The first name of an address also applies to the runs before it: their rows are renamed
 * when a list of names is complete. Names are in a hash table with open addressing, at most half
 * full: up to 8,192 names, 3 MiB. Further names are counted as a loss.
 *
 * The texts of rows must be formatted, which is slow, so the rows of the last shrinkers are cached
 * (kma_lat.known).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "lib/alloc.h"
#include "shrinker.h"

#define KMA_LAT_NAMES	  16384 /* slots of the table */
#define KMA_LAT_MAX_NAMES (KMA_LAT_NAMES / 2)
#define KMA_LAT_NAMED	  96 /* bytes of a name, including the NUL; longer ones are cut */

/* The names of an address. */
struct kma_lat_named {
	uint64_t address;			       /* 0: the slot is free */
	char first[KMA_LAT_NAMED], now[KMA_LAT_NAMED]; /* the first and the current name */
};

struct kma_lat_names {
	unsigned int nr; /* used slots */
	bool unused;	 /* rows must be renamed: there is a new first name */
	struct kma_lat_named table[KMA_LAT_NAMES];
};

struct kma_lat_text kma_lat_shrinker(const struct kma_lat_text *args)
{
	const char *end = args->str + args->len, *colon = args->str;

	while ((colon = memchr(colon, ':', end - colon)) && ++colon < end)
		if (*colon == ' ')
			return (struct kma_lat_text){ args->str, colon - 1 - args->str };
	return *args;
}

uint64_t kma_lat_address(const struct kma_lat_text *text)
{
	const char *p = text->str, *end = p + text->len;
	uint64_t address = 0;

	if (end - p > 2 && p[0] == '0' && p[1] == 'x')
		p += 2;
	if (p == end || end - p > 16)
		return 0;
	for (; p < end; p++) {
		char c = *p | 0x20;

		if (*p >= '0' && *p <= '9')
			address = address << 4 | (*p - '0');
		else if (c >= 'a' && c <= 'f')
			address = address << 4 | (c - 'a' + 10);
		else
			return 0;
	}
	return address;
}

/* The slot of an address, or the free one where it belongs. The table is never full. */
static struct kma_lat_named *kma_lat_named(struct kma_lat_names *names, uint64_t address)
{
	uint64_t i = (address ^ address >> 29) * 0x9e3779b97f4a7c15ULL >> 32;

	for (;; i++) {
		struct kma_lat_named *named = &names->table[i % KMA_LAT_NAMES];

		if (!named->address || named->address == address)
			return named;
	}
}

static void kma_lat_name_copy(char *to, const struct kma_lat_text *name)
{
	size_t len = name->len < KMA_LAT_NAMED ? name->len : KMA_LAT_NAMED - 1;

	memcpy(to, name->str, len);
	to[len] = '\0';
}

void kma_lat_name_shrinker(struct kma_lat *lat, uint64_t address, const struct kma_lat_text *name)
{
	struct kma_lat_named *named;

	if (!address || !name->len)
		return;
	if (!lat->names)
		lat->names = kma_xcalloc(1, sizeof(*lat->names));
	named = kma_lat_named(lat->names, address);
	if (!named->address && lat->names->nr == KMA_LAT_MAX_NAMES) {
		lat->sums.losses[KMA_LAT_NO_ROOM]++;
		return;
	}
	if (!named->address) {
		lat->names->nr++;
		lat->names->unused = true;
		named->address = address;
		kma_lat_name_copy(named->first, name);
	}
	kma_lat_name_copy(named->now, name);
	/* The cached rows may be those of the previous name. */
	memset(lat->known, 0, sizeof(lat->known));
}

/* The text after the last blank. */
static struct kma_lat_text kma_lat_last_word(const struct kma_lat_text *text)
{
	const char *blank = memrchr(text->str, ' ', text->len);
	struct kma_lat_text word = *text;

	if (blank) {
		word.str = blank + 1;
		word.len = text->str + text->len - word.str;
	}
	return word;
}

void kma_lat_name_rows(struct kma_lat *lat)
{
	const struct kma_lat_row **rows;
	size_t nr;

	if (!lat->names || !lat->names->unused)
		return;
	lat->names->unused = false;
	memset(lat->known, 0, sizeof(lat->known));
	rows = kma_lat_rows_sorted(lat->rows, KMA_LAT_OF_SHRINKER, KMA_LAT_OF_SHRINKER, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct kma_lat_text text = { rows[i]->text, rows[i]->len };
		struct kma_lat_text word = kma_lat_last_word(&text);
		uint64_t address = kma_lat_address(&word);
		const struct kma_lat_named *named = kma_lat_named(lat->names, address ?: 1);
		char both[KMA_LAT_MAX_TEXT + KMA_LAT_NAMED];
		int len;

		if (!address || !named->address)
			continue;
		len = snprintf(both, sizeof(both), "%.*s%s", (int)(word.str - text.str), text.str,
			       named->first);
		kma_lat_rows_rename(lat->rows, (struct kma_lat_row *)rows[i],
				    (struct kma_lat_text){ both, len });
	}
	free(rows);
}

/*
 * Find the rows of "super_cache_scan+0x0/0x1b0 00000000deadbeef": that of its function, and that of
 * its function with its name or, if it has none, the address.
 */
static void kma_lat_find_shrinker(struct kma_lat *lat, const struct kma_lat_text *shrinker,
				  struct kma_lat_row **by_name, struct kma_lat_row **by_both)
{
	struct kma_lat_text name = { shrinker->str, 0 }, word = kma_lat_last_word(shrinker);
	uint64_t address = lat->names ? kma_lat_address(&word) : 0;
	char both[KMA_LAT_MAX_TEXT + KMA_LAT_NAMED];
	int len;

	while (name.len < shrinker->len && name.len < KMA_LAT_MAX_TEXT - 32 &&
	       !strchr("+ ", name.str[name.len]))
		name.len++;
	*by_name = kma_lat_rows_get(lat->rows, KMA_LAT_OF_SHRINKER_NAME, name);
	if (address) {
		const struct kma_lat_named *named = kma_lat_named(lat->names, address);

		if (named->address)
			word = (struct kma_lat_text){ named->now, strlen(named->now) };
	} else if (word.len > 24) {
		word.len = 24;
	}
	len = snprintf(both, sizeof(both), "%.*s %.*s", (int)name.len, name.str, (int)word.len,
		       word.str);
	*by_both = kma_lat_rows_get(lat->rows, KMA_LAT_OF_SHRINKER,
				    (struct kma_lat_text){ both, len });
}

void kma_lat_count_shrinker(struct kma_lat *lat, const struct kma_lat_text *shrinker, uint64_t ns)
{
	size_t len = shrinker->len;
	struct kma_lat_known *known =
		&lat->known[(len ? (unsigned char)shrinker->str[len - 1] +
					     7 * (unsigned char)*shrinker->str :
				   0) %
			    KMA_LAT_KNOWN];

	if (len > sizeof(known->text) || known->len != len || !known->by_name ||
	    memcmp(known->text, shrinker->str, len)) {
		kma_lat_find_shrinker(lat, shrinker, &known->by_name, &known->by_both);
		known->len = len;
		memcpy(known->text, shrinker->str, len < sizeof(known->text) ? len : 0);
	}
	kma_lat_stat_add(&known->by_name->stat, ns);
	kma_lat_stat_add(&known->by_both->stat, ns);
}
