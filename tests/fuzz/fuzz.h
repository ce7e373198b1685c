/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz.h - a fuzz target is a reader that gets any bytes, whether it would have
 * chosen them or not, in blocks of a size that the first byte says. It may make an
 * account or an error, nothing else. A target is two lines:
 *
 *	#include "fuzz.h"
 *	KMA_FUZZ_READER(kma_reader_ftrace)
 */
#ifndef KMA_FUZZ_H
#define KMA_FUZZ_H

#include <stdlib.h>

#include "lib/texts.h"
#include "reader/reader.h"

static inline int kma_fuzz_reader(const struct kma_reader_ops *ops, const uint8_t *data,
				  size_t size)
{
	struct kma_account *account = NULL;
	struct kma_input *input;
	struct kma_err *err;
	const char *head;
	size_t len;

	if (!size)
		return 0;
	err = kma_input_memory("fuzz", (const char *)data + 1, size - 1, *data, &input);
	if (err)
		abort();
	err = kma_input_head(input, &head, &len);
	if (err)
		abort();
	kma_reader_takes(ops, head, len);
	err = kma_reader_read_as(ops, input, &account);
	/* One of the two, and never both. */
	if (!err == !account)
		abort();
	kma_err_destroy(err);
	kma_account_destroy(account);
	kma_text_forget();
	kma_input_close(input);
	return 0;
}

#define KMA_FUZZ_READER(ops)                                          \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)  \
	{                                                             \
		return kma_fuzz_reader(&(ops), data, size);           \
	}

#endif /* KMA_FUZZ_H */
