// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reports as people paste them. The first byte, the size of blocks, also chooses the reader, or lets the content choose.
 */
#include "fuzz.h"
#include "lib/cleanup.h"

static const struct kma_reader_ops *const readers[] = {
	&kma_reader_slab_list, &kma_reader_vmallocinfo, &kma_reader_bpftrace,	&kma_reader_hist,
	&kma_reader_kmemleak,  &kma_reader_memleak,	&kma_reader_page_owner, &kma_reader_perf_kmem,
};

/* As kma_fuzz_reader(), but no reader is asked for by name. */
static void fuzz_any(const uint8_t *data, size_t size)
{
	struct kma_account *account = NULL;
	struct kma_input *input;
	struct kma_err *err;

	if (kma_input_memory("fuzz", (const char *)data + 1, size - 1, *data, &input))
		abort();
	err = kma_reader_read(input, &account);
	if (!err == !account)
		abort();
	kma_err_destroy(err);
	kma_account_destroy(account);
	kma_text_forget();
	kma_input_close(input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t which;

	if (!size)
		return 0;
	which = *data % (ARRAY_SIZE(readers) + 1);
	if (which < ARRAY_SIZE(readers))
		return kma_fuzz_reader(readers[which], data, size);
	fuzz_any(data, size);
	return 0;
}
