// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-flags.c - read struct page.
 *
 * Offsets, bits and types are those of VMCOREINFO.
 *
 * Type and number of mappings share a word. Up to 6.10 a type has all bits of its constant; since
 * 6.12 its upper byte is the type, and the constants have no other bits.
 */

#include "lib/cleanup.h"
#include "page-flags.h"

#define KMA_PAGE_ANON	   1 /* PAGE_MAPPING_ANON */
#define KMA_PAGE_NO_OFFSET UINT64_MAX
#define KMA_PAGE_ORDERS	   11

/* A number of VMCOREINFO, and where it goes. */
struct kma_page_value {
	const char *key;
	int base;
	bool needed;
	uint64_t *to;
};

struct kma_err *kma_page_flags_init(struct kma_page_flags *flags, const struct kma_dump_file *file)
{
	uint64_t orders = KMA_PAGE_ORDERS;
	uint64_t bits[] = { [0 ... 8] = UINT64_MAX };
	const struct kma_page_value values[] = {
		{ "OFFSET(page.flags)", 10, true, &flags->flags },
		{ "OFFSET(page.mapping)", 10, true, &flags->mapping },
		{ "OFFSET(page._mapcount)", 10, true, &flags->type },
		{ "OFFSET(page.compound_head)", 10, true, &flags->head },
		{ "OFFSET(page._refcount)", 10, true, &flags->count },
		{ "OFFSET(page.private)", 10, true, &flags->order },
		{ "OFFSET(page.compound_dtor)", 10, false, &flags->dtor },
		{ "LENGTH(zone.free_area)", 10, false, &orders },
		{ "NUMBER(PG_lru)", 10, true, &bits[0] },
		{ "NUMBER(PAGE_BUDDY_MAPCOUNT_VALUE)", 10, true, &bits[1] },
		{ "NUMBER(PG_slab)", 10, false, &bits[2] },
		{ "NUMBER(PG_hwpoison)", 10, false, &bits[3] },
		{ "NUMBER(PAGE_OFFLINE_MAPCOUNT_VALUE)", 10, false, &bits[4] },
		{ "NUMBER(PAGE_SLAB_MAPCOUNT_VALUE)", 10, false, &bits[5] },
		{ "NUMBER(PAGE_HUGETLB_MAPCOUNT_VALUE)", 10, false, &bits[6] },
		{ "NUMBER(HUGETLB_PAGE_DTOR)", 10, false, &bits[7] },
		{ "NUMBER(PG_head_mask)", 10, false, &bits[8] },
	};

	*flags = (struct kma_page_flags){ .dtor = KMA_PAGE_NO_OFFSET };
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (!kma_vmcoreinfo_number(file->info, values[i].key, values[i].base,
					   values[i].to) &&
		    values[i].needed)
			return kma_err_create_kind(KMA_ERR_NOT_FOUND, file->path, 0,
						   "VMCOREINFO lacks %s", values[i].key);
	flags->orders = orders < 32 ? orders : KMA_PAGE_ORDERS;
	flags->lru = bits[0];
	flags->is_buddy = bits[1];
	flags->slab = bits[2];
	flags->poisoned = bits[3];
	flags->is_offline = bits[4];
	flags->is_slab = bits[5];
	flags->is_huge = bits[6];
	flags->huge_dtor = bits[7];
	flags->head_mask = bits[8] == UINT64_MAX ? 0 : bits[8];
	flags->reserved = -1;
	return kma_frames_init(&flags->frames, file->info, KMA_HEAP_PAGE, file->path);
}

/* The word at an address; 0 if it cannot be read. */
static uint64_t page_word(const struct kma_words *words, uint64_t addr)
{
	uint64_t word;

	return words->word(words->arg, addr & ~7ULL, &word) ? word : 0;
}

static bool page_bit(uint64_t word, int64_t bit)
{
	return bit >= 0 && bit < 64 && word >> bit & 1;
}

static bool page_is(uint32_t type, int64_t constant)
{
	if (constant == -1)
		return false;
	return constant & 0xffffff ? type == (uint32_t)constant :
				     type >> 24 == (uint32_t)constant >> 24;
}

/* A huge page of hugetlbfs. The first page after the head says so, up to 6.5. */
static bool page_huge(const struct kma_page_flags *flags, const struct kma_words *words,
		      uint64_t page, uint64_t bits, uint32_t type)
{
	uint64_t at = page + flags->frames.page_size + flags->dtor;

	if (page_is(type, flags->is_huge))
		return true;
	return flags->dtor != KMA_PAGE_NO_OFFSET && flags->huge_dtor >= 0 &&
	       bits & flags->head_mask &&
	       (page_word(words, at) >> 8 * (at & 7) & 0xff) == (uint64_t)flags->huge_dtor;
}

/* The set of a page that is not a tail of another one. */
static unsigned int page_one(const struct kma_page_flags *flags, const struct kma_words *words,
			     uint64_t page)
{
	uint64_t bits = page_word(words, page + flags->flags);
	uint32_t type = kma_words_u32(words, page + flags->type);
	unsigned int ret = 0;

	if (page_bit(bits, flags->reserved))
		ret |= KMA_PAGE_IS_RESERVED;
	if (page_bit(bits, flags->poisoned) || page_is(type, flags->is_offline))
		ret |= KMA_PAGE_IS_ABSENT;
	/* Slabs use the member of the mapping for something else. */
	if (page_bit(bits, flags->slab) || page_is(type, flags->is_slab))
		return ret | KMA_PAGE_IS_SLAB;
	if (page_bit(bits, flags->lru) || page_is(type, flags->is_buddy) ||
	    page_word(words, page + flags->mapping) & KMA_PAGE_ANON ||
	    page_huge(flags, words, page, bits, type))
		ret |= KMA_PAGE_IS_SKIPPED;
	return ret;
}

/* Is a page in a free block? Only the first page of the block has the type. */
static bool page_free(const struct kma_page_flags *flags, const struct kma_words *words,
		      uint64_t page, uint64_t pfn)
{
	if (kma_words_u32(words, page + flags->count))
		return false;
	for (unsigned int order = 1; order < flags->orders; order++) {
		uint64_t head = pfn & ~((UINT64_C(1) << order) - 1);
		uint64_t at = page - (pfn - head) * flags->frames.page_size;

		if (page_is(kma_words_u32(words, at + flags->type), flags->is_buddy))
			return page_word(words, at + flags->order) >= order;
	}
	return false;
}

unsigned int kma_page_flags_get(const struct kma_page_flags *flags, const struct kma_words *words,
				uint64_t pfn)
{
	uint64_t page = kma_frames_page(&flags->frames, words, pfn), head;
	unsigned int ret;

	if (!page)
		return KMA_PAGE_IS_ABSENT;
	head = page_word(words, page + flags->head);
	ret = page_one(flags, words, head & 1 ? head - 1 : page);
	if (head & 1 && page_bit(page_word(words, page + flags->flags), flags->poisoned))
		ret |= KMA_PAGE_IS_ABSENT;
	if (!ret && page_free(flags, words, page, pfn))
		ret |= KMA_PAGE_IS_SKIPPED;
	return ret;
}

bool kma_page_flags_tail(const struct kma_page_flags *flags, const struct kma_words *words,
			 uint64_t pfn)
{
	return page_word(words, kma_frames_page(&flags->frames, words, pfn) + flags->head) & 1;
}
