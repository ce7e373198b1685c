// SPDX-License-Identifier: GPL-2.0-only
/*
 * file.c - write and read tables of types.
 *
 * The checksum detects damage, but not manipulation. So all numbers are checked when a file is read:
 * what uses a table does not have to.
 */
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "file.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"

#define MAGIC	"KMATYPES"
#define VERSION 1
#define ORDER	0x01020304	      /* in the byte order of the machine that wrote the file */
#define MOST	(UINT64_C(256) << 20) /* bytes of a table */
#define LEVEL	9		      /* of the compression */

/* The arrays of a table, in the order of the file; the texts, each with a NUL, follow them. */
enum types_part {
	PART_IMAGES,
	PART_FUNCTIONS,
	PART_CALLS,
	PART_CANDIDATES,
	PART_TYPES,
	PART_MEMBERS,
	PART_VARIABLES,
	PART_TEXTS, /* bytes */
	NR_PARTS
};

static const unsigned char widths[NR_PARTS] = {
	[PART_IMAGES] = sizeof(struct kma_types_image),
	[PART_FUNCTIONS] = sizeof(struct kma_types_function),
	[PART_CALLS] = sizeof(struct kma_types_call),
	[PART_CANDIDATES] = sizeof(struct kma_types_candidate),
	[PART_TYPES] = sizeof(struct kma_types_type),
	[PART_MEMBERS] = sizeof(struct kma_types_member),
	[PART_VARIABLES] = sizeof(struct kma_types_member),
	[PART_TEXTS] = 1,
};

/* The file: this header, and the parts as one frame of zstd. */
struct types_header {
	char magic[8];
	uint32_t version;
	uint32_t order;
	uint64_t hash; /* XXH3, 64 bits, of the parts */
	uint64_t nr[NR_PARTS];
};

static uint64_t bytes_of(const struct types_header *header)
{
	uint64_t size = 0;

	for (unsigned int i = 0; i < NR_PARTS; i++) {
		if (header->nr[i] > MOST)
			return UINT64_MAX;
		size += header->nr[i] * widths[i];
	}
	return size;
}

void *kma_types_pack(const struct kma_types *types, size_t *ret_size)
{
	struct types_header header = { .magic = MAGIC, .version = VERSION, .order = ORDER };
	const void *const parts[NR_PARTS] = {
		types->images,	   types->functions,	 NULL,
		types->candidates, types->types,	 types->members,
		types->variables,  types->texts.pool.str
	};
	_cleanup_free_ char *raw = NULL;
	size_t size, room, at = 0;
	char *packed;

	for (uint32_t i = 0; i < types->nr_calls; i++)
		header.nr[PART_CALLS] += types->calls[i].nr > 0;
	header.nr[PART_IMAGES] = types->nr_images;
	header.nr[PART_FUNCTIONS] = types->nr_functions;
	header.nr[PART_CANDIDATES] = types->nr_candidates;
	header.nr[PART_TYPES] = types->nr_types;
	header.nr[PART_MEMBERS] = types->nr_members;
	header.nr[PART_VARIABLES] = types->nr_variables;
	header.nr[PART_TEXTS] = types->texts.pool.len;
	size = bytes_of(&header);
	raw = kma_xmalloc(size + 1);
	for (unsigned int part = 0; part < NR_PARTS; part++) {
		size_t len = header.nr[part] * widths[part];

		if (part != PART_CALLS && len)
			memcpy(raw + at, parts[part], len);
		for (uint32_t i = 0, n = 0; part == PART_CALLS && i < types->nr_calls; i++)
			if (types->calls[i].nr)
				memcpy(raw + at + n++ * widths[part], &types->calls[i],
				       widths[part]);
		at += len;
	}
	header.hash = XXH3_64bits(raw, size);
	room = ZSTD_compressBound(size);
	packed = kma_xmalloc(sizeof(header) + room);
	memcpy(packed, &header, sizeof(header));
	room = ZSTD_compress(packed + sizeof(header), room, raw, size, LEVEL);
	if (ZSTD_isError(room))
		kma_atend_no_memory();
	*ret_size = sizeof(header) + room;
	return packed;
}

/* Are all numbers of a member, or of a variable, in the table? @types: before the type of the member. */
static bool is_member(const struct kma_types *types, const struct kma_types_member *member,
		      uint32_t nr_types)
{
	return member->name < types->texts.map.nr && member->word <= KMA_TYPES_POINTER &&
	       (member->type == KMA_TYPES_NONE || member->type < nr_types);
}

static bool is_range(uint32_t first, uint32_t nr, uint32_t all)
{
	return first <= all && nr <= all - first;
}

static bool is_type(const struct kma_types *types, uint32_t number)
{
	const struct kma_types_type *type = &types->types[number];

	if (type->name >= types->texts.map.nr ||
	    !is_range(type->first, type->nr, types->nr_members))
		return false;
	for (uint32_t i = 0; i < type->nr; i++)
		if (!is_member(types, &types->members[type->first + i], number))
			return false;
	return true;
}

/* Are all numbers of a table in it, and its arrays sorted? */
static bool is_sound(const struct kma_types *types)
{
	uint32_t texts = types->texts.map.nr;

	for (uint32_t i = 0; i < types->nr_types; i++)
		if (!is_type(types, i))
			return false;
	for (uint32_t i = 0; i < types->nr_variables; i++)
		if (!is_member(types, &types->variables[i], types->nr_types) ||
		    types->variables[i].offset >= types->nr_images)
			return false;
	for (uint32_t i = 0; i < types->nr_candidates; i++)
		if (types->candidates[i].type >= types->nr_types)
			return false;
	for (uint32_t i = 0; i < types->nr_calls; i++)
		if (types->calls[i].image >= types->nr_images ||
		    !is_range(types->calls[i].first, types->calls[i].nr, types->nr_candidates))
			return false;
	for (uint32_t i = 0; i < types->nr_functions; i++)
		if (types->functions[i].name >= texts ||
		    types->functions[i].image >= types->nr_images)
			return false;
	for (uint32_t i = 0; i < types->nr_images; i++)
		if (types->images[i].name >= texts || types->images[i].build_id >= texts)
			return false;
	return true;
}

/* Adds the texts, which have to be different. */
static bool add_texts(struct kma_types *types, const char *texts, size_t size)
{
	if (size && texts[size - 1])
		return false;
	for (size_t at = 0, number = 0; at < size; at += strlen(texts + at) + 1, number++)
		if (kma_types_name(types, texts + at) != number)
			return false;
	return true;
}

static void *copy(const char **from, uint64_t nr, enum types_part part)
{
	void *to = kma_xmalloc(nr * widths[part] + 1);

	memcpy(to, *from, nr * widths[part]);
	*from += nr * widths[part];
	return to;
}

/* Fills in a table; false if it is damaged. */
static bool fill(const struct types_header *header, const char *raw, struct kma_types *types)
{
	types->images = copy(&raw, header->nr[PART_IMAGES], PART_IMAGES);
	types->functions = copy(&raw, header->nr[PART_FUNCTIONS], PART_FUNCTIONS);
	types->calls = copy(&raw, header->nr[PART_CALLS], PART_CALLS);
	types->candidates = copy(&raw, header->nr[PART_CANDIDATES], PART_CANDIDATES);
	types->types = copy(&raw, header->nr[PART_TYPES], PART_TYPES);
	types->members = copy(&raw, header->nr[PART_MEMBERS], PART_MEMBERS);
	types->variables = copy(&raw, header->nr[PART_VARIABLES], PART_VARIABLES);
	types->nr_images = types->room_images = header->nr[PART_IMAGES];
	types->nr_functions = types->room_functions = header->nr[PART_FUNCTIONS];
	types->nr_calls = types->room_calls = header->nr[PART_CALLS];
	types->nr_candidates = types->room_candidates = header->nr[PART_CANDIDATES];
	types->nr_types = types->room_types = header->nr[PART_TYPES];
	types->nr_members = types->room_members = header->nr[PART_MEMBERS];
	types->nr_variables = types->room_variables = header->nr[PART_VARIABLES];
	if (!add_texts(types, raw, header->nr[PART_TEXTS]) || !is_sound(types))
		return false;
	kma_types_index(types);
	return true;
}

bool kma_types_is_table(const void *bytes, size_t size)
{
	return size >= strlen(MAGIC) && !memcmp(bytes, MAGIC, strlen(MAGIC));
}

struct kma_err *kma_types_unpack(const char *name, const void *bytes, size_t size,
				 struct kma_types *types)
{
	_cleanup_free_ char *raw = NULL;
	struct types_header header;
	uint64_t len, got;

	if (size < sizeof(header) || memcmp(bytes, MAGIC, sizeof(header.magic)) != 0)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, name, 0,
					   "not a table of types, as kmem-account types writes it");
	memcpy(&header, bytes, sizeof(header));
	if (header.version != VERSION || header.order != ORDER)
		return kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, name, 0,
			"a table of types of another version or byte order; make it again with kmem-account types");
	len = bytes_of(&header);
	bytes = (const char *)bytes + sizeof(header);
	size -= sizeof(header);
	got = ZSTD_getFrameContentSize(bytes, size);
	if (len <= MOST && got == len) {
		raw = kma_xmalloc(len + 1);
		got = ZSTD_decompress(raw, len, bytes, size);
	}
	if (!raw || got != len || XXH3_64bits(raw, len) != header.hash ||
	    !fill(&header, raw, types))
		return kma_err_create_kind(
			KMA_ERR_DAMAGED, name, 0,
			"the checksum or a number of the table of types is wrong; make it again with kmem-account types");
	return NULL;
}
