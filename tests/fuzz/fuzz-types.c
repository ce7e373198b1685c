// SPDX-License-Identifier: GPL-2.0-only
/*
 * Table of types, without the checksum and the compression of its file: what is answered from it.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "types/choose.h"
#include "types/file.h"
#include "types/path.h"

#define HEAD  88 /* bytes of the header: hash at 16, numbers of elements from 24 on */
#define ASKED 16 /* most calls and types that are asked for */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(struct kma_types *types)
{
	struct kma_strbuf text = { 0 };

	for (uint32_t i = 0; i < types->nr_calls && i < ASKED; i++) {
		struct kma_type_ask one = { .call = &types->calls[i], .objects = i, .bytes = 64 * i };
		struct kma_type_answer answer = kma_types_choose(types, &one);

		if (answer.type != KMA_TYPES_NONE && answer.type >= types->nr_types)
			abort();
		free(answer.text);
	}
	for (uint32_t i = 0; i < types->nr_variables && i < ASKED; i++)
		kma_types_path(types, &types->variables[i], 8 * i, i & 1, &text);
	for (uint32_t i = 0; i < types->nr_functions && i < ASKED; i++)
		kma_types_call_in(types, types->functions[i].image,
				  kma_types_text(types, types->functions[i].name), i,
				  types->functions[i].span);
	kma_strbuf_deinit(&text);
}

/* The first bytes are the numbers of elements, of 16 bits each; the parts follow. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kma_types types = { 0 };
	uint32_t numbers[2] = { 1, 0x01020304 };
	struct kma_err *err;
	size_t bound, len;
	uint64_t hash;
	char *file;

	if (size < 16)
		return 0;
	bound = ZSTD_compressBound(size);
	file = calloc(1, HEAD + bound);
	memcpy(file, "KMATYPES", 8);
	memcpy(file + 8, numbers, sizeof(numbers));
	for (int i = 0; i < 8; i++)
		memcpy(file + 24 + 8 * i, data + 2 * i, 2);
	hash = XXH3_64bits(data + 16, size - 16);
	memcpy(file + 16, &hash, sizeof(hash));
	len = ZSTD_compress(file + HEAD, bound, data + 16, size - 16, 1);
	err = kma_types_unpack("fuzz", file, HEAD + len, &types);
	if (!err)
		ask(&types);
	kma_err_destroy(err);
	kma_types_deinit(&types);
	free(file);
	return 0;
}
