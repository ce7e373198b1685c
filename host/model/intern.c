// SPDX-License-Identifier: GPL-2.0-only
/*
 * intern.c - a table that gives call sites numbers.
 *
 * There are three parts:
 *
 *	slots	(hash, number): open addressing with linear probing, at most half full. Finds the
 *		number of a text. It doubles when it is half full; the stored hashes make this cheap
 *	pages	arrays of 4,096 sites (text, length, kind) by number. A page never moves or grows,
 *		so that another thread can read a site without a lock while the table grows
 *	texts	an arena, in which no text moves either
 *
 * The hash reads 16 bytes per step and mixes them by a multiplication of 64 by 64 bits whose halves
 * are folded, as wyhash does. It is not safe against chosen collisions; these only cost time.
 */
#include <stdlib.h>
#include <string.h>

#include "intern.h"
#include "lib/arena.h"
#include "lib/cleanup.h"

#define KMA_SITES_PAGE	4096
#define KMA_SITES_PAGES (KMA_INTERN_MAX_SITES / KMA_SITES_PAGE)
#define KMA_SLOTS_MIN	1024			      /* a power of two */
#define KMA_GROUPED_MAX (2 * KMA_INTERN_MAX_TEXT + 1) /* a caller, a line end, and a group */

struct kma_known_site {
	const char *text;
	uint32_t len;
	uint8_t kind;
};

/* @number is 0 in a free slot. KMA_INTERN_REST is 0, too, and has no slot. */
struct kma_intern_slot {
	uint32_t hash;
	uint32_t number;
};

struct kma_intern {
	struct kma_intern_slot *slots;
	uint32_t mask; /* number of slots, a power of two, less 1 */
	uint32_t nr;   /* sites, including KMA_INTERN_REST */
	struct kma_known_site *pages[KMA_SITES_PAGES];
	struct kma_arena texts;
};

static struct kma_known_site *kma_known_site(const struct kma_intern *intern, uint32_t number)
{
	return &intern->pages[number / KMA_SITES_PAGE][number % KMA_SITES_PAGE];
}

/* Append a site with the next number; false without memory. */
static bool kma_intern_add(struct kma_intern *intern, enum kma_kind kind, const char *text,
			   size_t len)
{
	struct kma_known_site **page = &intern->pages[intern->nr / KMA_SITES_PAGE];
	struct kma_known_site site = { .len = len, .kind = kind };

	if (!*page)
		*page = calloc(KMA_SITES_PAGE, sizeof(**page));
	if (!*page)
		return false;
	site.text = kma_arena_text(&intern->texts, text, len);
	if (!site.text)
		return false;
	*kma_known_site(intern, intern->nr) = site;
	intern->nr++;
	return true;
}

struct kma_err *kma_intern_create(struct kma_intern **ret)
{
	struct kma_intern *intern = calloc(1, sizeof(*intern));

	if (!intern)
		return &kma_enomem;
	kma_arena_init(&intern->texts);
	intern->mask = KMA_SLOTS_MIN - 1;
	intern->slots = calloc(KMA_SLOTS_MIN, sizeof(*intern->slots));
	if (!intern->slots || !kma_intern_add(intern, KMA_KIND_UNKNOWN, KMA_INTERN_REST_NAME,
					      strlen(KMA_INTERN_REST_NAME))) {
		kma_intern_destroy(intern);
		return &kma_enomem;
	}
	*ret = intern;
	return NULL;
}

void kma_intern_destroy(struct kma_intern *intern)
{
	if (!intern)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(intern->pages); i++)
		free(intern->pages[i]);
	kma_arena_deinit(&intern->texts);
	free(intern->slots);
	free(intern);
}

static inline uint64_t kma_intern_load(const char *p, size_t len)
{
	uint64_t word = 0;

	memcpy(&word, p, len);
	return word;
}

/*
 * Multiply, and combine both halves of the product: each bit of the text reaches each of the hash.
 */
static inline uint64_t kma_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint32_t kma_text_hash(const char *text, size_t len, enum kma_kind kind)
{
	const uint64_t k1 = 0x9e3779b97f4a7c15, k2 = 0xd6e8feb86659fd93;
	uint64_t hash = (len << 8 | kind) + k2, a, b;
	const char *p = text;

	for (; len > 16; p += 16, len -= 16)
		hash = kma_fold(kma_intern_load(p, 8) ^ k1, kma_intern_load(p + 8, 8) ^ hash);
	if (len >= 8) {
		a = kma_intern_load(p, 8);
		b = kma_intern_load(p + len - 8, 8);
	} else if (len >= 4) {
		a = kma_intern_load(p, 4);
		b = kma_intern_load(p + len - 4, 4);
	} else {
		a = len ? (unsigned char)p[0] : 0;
		b = len ? (uint64_t)(unsigned char)p[len / 2] << 8 | (unsigned char)p[len - 1] : 0;
	}
	return kma_fold(kma_fold(a ^ k1, b ^ hash), k2);
}

/* Double the slots; false without memory: the table is then unchanged. */
static bool kma_intern_grow(struct kma_intern *intern)
{
	uint32_t mask = intern->mask * 2 + 1;
	struct kma_intern_slot *slots = calloc((size_t)mask + 1, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t i = 0; i <= intern->mask; i++) {
		struct kma_intern_slot slot = intern->slots[i];
		uint32_t at = slot.hash & mask;

		if (!slot.number)
			continue;
		while (slots[at].number)
			at = (at + 1) & mask;
		slots[at] = slot;
	}
	free(intern->slots);
	intern->slots = slots;
	intern->mask = mask;
	return true;
}

/* Give a site the next number. @slot: free, where the search for the site ended. */
static uint32_t kma_intern_new(struct kma_intern *intern, struct kma_intern_slot *slot,
			       enum kma_kind kind, const char *caller, size_t len, uint32_t hash)
{
	uint32_t number = intern->nr;

	if (kma_intern_is_full(intern))
		return KMA_INTERN_REST;
	/* At most half of the slots are used, so each search ends, after few steps. */
	if (number > intern->mask / 2) {
		if (!kma_intern_grow(intern))
			return KMA_INTERN_REST;
		for (uint32_t at = hash;; at++) {
			slot = &intern->slots[at & intern->mask];
			if (!slot->number)
				break;
		}
	}
	if (!kma_intern_add(intern, kind, caller, len))
		return KMA_INTERN_REST;
	slot->hash = hash;
	slot->number = number;
	return number;
}

static uint32_t kma_intern_text(struct kma_intern *intern, enum kma_kind kind, const char *text,
				size_t len)
{
	uint32_t hash = kma_text_hash(text, len, kind);

	for (uint32_t at = hash;; at++) {
		struct kma_intern_slot *slot = &intern->slots[at & intern->mask];
		const struct kma_known_site *site;

		if (!slot->number)
			return kma_intern_new(intern, slot, kind, text, len, hash);
		if (slot->hash != hash)
			continue;
		site = kma_known_site(intern, slot->number);
		if (site->len == len && site->kind == kind && !memcmp(site->text, text, len))
			return slot->number;
	}
}

struct kma_err *kma_intern_create_of(const struct kma_intern *from, const bool *which,
				     struct kma_intern **ret)
{
	struct kma_intern *intern;
	struct kma_err *err = kma_intern_create(&intern);

	if (err)
		return err;
	for (uint32_t i = KMA_INTERN_REST + 1; i < from->nr; i++) {
		const struct kma_known_site *site = kma_known_site(from, i);

		if (which[i - KMA_INTERN_REST - 1] &&
		    !kma_intern_text(intern, site->kind, site->text, site->len)) {
			kma_intern_destroy(intern);
			return &kma_enomem;
		}
	}
	*ret = intern;
	return NULL;
}

uint32_t kma_intern(struct kma_intern *intern, enum kma_kind kind, const char *caller, size_t len)
{
	return len > KMA_INTERN_MAX_TEXT ? KMA_INTERN_REST :
					   kma_intern_text(intern, kind, caller, len);
}

uint32_t kma_intern_grouped(struct kma_intern *intern, enum kma_kind kind, const char *caller,
			    size_t len, const char *group)
{
	char text[KMA_GROUPED_MAX];
	size_t name = strlen(group);

	if (len > KMA_INTERN_MAX_TEXT || name > KMA_INTERN_MAX_TEXT)
		return KMA_INTERN_REST;
	memcpy(text, caller, len);
	text[len] = '\n';
	memcpy(text + len + 1, group, name);
	return kma_intern_text(intern, kind, text, len + 1 + name);
}

const char *kma_intern_site(const struct kma_intern *intern, uint32_t site, enum kma_kind *kind,
			    size_t *len)
{
	const struct kma_known_site *known = kma_known_site(intern, site);

	*kind = known->kind;
	*len = known->len;
	return known->text;
}

bool kma_intern_is_full(const struct kma_intern *intern)
{
	return intern->nr >= KMA_INTERN_MAX_SITES ||
	       kma_arena_bytes(&intern->texts) >= KMA_INTERN_MAX_BYTES;
}

uint32_t kma_intern_count(const struct kma_intern *intern)
{
	return intern->nr;
}
