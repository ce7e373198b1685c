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

/* Compressed inputs are not read yet, but their cause is named. */
static const struct {
	const char *magic;
	size_t len;
	const char *sentence;
} kma_refused[] = {
	{ "\x1f\x8b", 2, "is compressed with gzip; unpack it first" },
	{ "\xfd"
	  "7zXZ",
	  5, "is compressed with xz; unpack it first" },
	{ "\x28\xb5\x2f\xfd", 4, "is compressed with zstd; unpack it first" },
	{ "\x7f"
	  "ELF",
	  4, "is an ELF file, not an account; a vmlinux goes with --vmlinux" },
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
