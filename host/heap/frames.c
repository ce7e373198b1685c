// SPDX-License-Identifier: GPL-2.0-only
/*
 * frames.c - read VMCOREINFO and the kernel's table of sections.
 */
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "lib/cleanup.h"

#define SECTION_PRESENT 2    /* SECTION_HAS_MEM_MAP */
#define SECTION_FLAGS	4095 /* low bits of an address that are flags */
/* Bits of an address in a section; x86-64 has 27. */
#define SECTION_LEAST 24
#define SECTION_MOST  40

bool kma_vmcoreinfo_number(const char *info, const char *key, int base, uint64_t *ret)
{
	size_t len = strlen(key);

	for (const char *line = info; line && *line;) {
		if (!strncmp(line, key, len) && line[len] == '=') {
			const char *digits = line + len + 1;
			char *end;

			*ret = strtoull(digits, &end, base);
			return end > digits && (*end == '\n' || !*end);
		}
		line = strchr(line, '\n');
		line += !!line;
	}
	return false;
}

struct kma_err *kma_frames_init(struct kma_frame_table *frames, const char *info, uint64_t page,
				const char *path)
{
	uint64_t bits;
	const struct {
		const char *key;
		int base;
		uint64_t *to;
	} numbers[] = {
		{ "SYMBOL(mem_section)", 16, &frames->roots },
		{ "LENGTH(mem_section)", 10, &frames->nr_roots },
		{ "SIZE(mem_section)", 10, &frames->section_size },
		{ "OFFSET(mem_section.section_mem_map)", 10, &frames->section_map },
		{ "NUMBER(SECTION_SIZE_BITS)", 10, &bits },
		{ "SIZE(page)", 10, &frames->page_size },
	};

	frames->page = page;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!kma_vmcoreinfo_number(info, numbers[i].key, numbers[i].base, numbers[i].to))
			return kma_err_create_kind(KMA_ERR_NOT_FOUND, path, 0,
						   "VMCOREINFO lacks %s", numbers[i].key);
	if (bits < SECTION_LEAST || bits > SECTION_MOST || frames->page_size < 8 ||
	    frames->page_size > page || frames->section_size < 8 || frames->section_size > page)
		return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0,
					   "corrupt: VMCOREINFO has impossible sizes");
	frames->section_shift = bits - __builtin_ctzll(page);
	return NULL;
}

static uint64_t frames_word(const struct kma_words *words, uint64_t addr)
{
	uint64_t word;

	return words->word(words->arg, addr & ~7ULL, &word) ? word : 0;
}

uint64_t kma_frames_page(const struct kma_frame_table *frames, const struct kma_words *words,
			 uint64_t pfn)
{
	uint64_t section = pfn >> frames->section_shift;
	uint64_t each = frames->page / frames->section_size, root, map;

	if (section / each >= frames->nr_roots)
		return 0;
	root = frames_word(words, frames->roots + 8 * (section / each));
	if (!root)
		return 0;
	map = frames_word(words,
			  root + section % each * frames->section_size + frames->section_map);
	if (!(map & SECTION_PRESENT))
		return 0;
	return (map & ~(uint64_t)SECTION_FLAGS) + pfn * frames->page_size;
}
