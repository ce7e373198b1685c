// SPDX-License-Identifier: GPL-2.0
/*
 * reader.c - choose a reader by the content of the input.
 */
#include <string.h>

#include "../lib/cleanup.h"
#include "reader.h"

static const struct kma_reader_ops *const kma_readers[] = {
	&kma_reader_account,
};

/* Files that are no account, but that people try: the cause is named. */
static const struct {
	unsigned char magic[4];
	size_t len;
	const char *sentence;
} kma_refused[] = {
	{ { 0x1f, 0x8b }, 2, "is compressed with gzip; unpack it first" },
	{ { 0xfd, '7', 'z', 'X' }, 4, "is compressed with xz; unpack it first" },
	{ { 0x28, 0xb5, 0x2f, 0xfd }, 4, "is compressed with zstd; unpack it first" },
	{ { 0x7f, 'E', 'L', 'F' }, 4, "is an ELF file, no account; vmlinux goes with --vmlinux" },
};

struct kma_err *kma_reader_read(const struct kma_input *input, struct kma_account **ret)
{
	const char *nul;

	if (!input->len)
		return kma_err_create(input->name, 1, "the file is empty");
	for (size_t i = 0; i < ARRAY_SIZE(kma_refused); i++)
		if (input->len >= kma_refused[i].len &&
		    !memcmp(input->text, kma_refused[i].magic, kma_refused[i].len))
			return kma_err_create(input->name, 1, "%s", kma_refused[i].sentence);
	nul = memchr(input->text, '\0', input->len);
	if (nul) {
		unsigned int line = 1;

		for (const char *p = input->text; p < nul; p++)
			line += *p == '\n';
		return kma_err_create(input->name, line, "is binary, not an account");
	}
	for (size_t i = 0; i < ARRAY_SIZE(kma_readers); i++)
		if (kma_readers[i]->probe(input))
			return kma_readers[i]->read(input, ret);
	return kma_err_create(input->name, 1, "is not an account: it does not begin as %s does",
			      kma_readers[0]->name);
}
