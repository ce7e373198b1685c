// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packed bytes: gzip, xz, zstd. The first byte says how many come at a time. What comes
 * out is bounded, as a reader of it would be: a few bytes may unpack to a lot.
 */
#include <stdlib.h>

#include "lib/unpack.h"

#define KMA_FUZZ_OUT_MAX (1U << 20)

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	size_t piece = size ? *data + 1U : 1, done = 1, total = 0;
	struct kma_unpack *unpack = NULL;
	struct kma_err *err = NULL;
	char out[4096];

	if (!size)
		return 0;
	unpack = kma_unpack_create("fuzz", (const char *)data + 1, size - 1);
	while (unpack && !err && total < KMA_FUZZ_OUT_MAX) {
		size_t len = size - done < piece ? size - done : piece;
		struct kma_unpack_io io = {
			.in = (const char *)data + done,
			.in_len = len,
			.in_last = done + len == size,
			.out = out,
			.out_len = sizeof(out),
		};

		err = kma_unpack_step(unpack, &io);
		if (io.in_len > len || io.out_len > sizeof(out))
			abort();
		done += len - io.in_len;
		total += sizeof(out) - io.out_len;
		if (io.in_len == len && io.out_len == sizeof(out)) {
			/* It wants more of what follows, or is done. */
			if (io.in_last)
				break;
			piece += piece;
		}
	}
	kma_err_destroy(err);
	kma_unpack_destroy(unpack);
	return 0;
}
