/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lds.h - of a linker script only this: which section of an object goes to which section
 * of the image. kbuild leaves the kernel's as arch/ARCH/kernel/vmlinux.lds.
 *
 * Other parts (expressions, program headers, regions) are skipped, because sizes and addresses come
 * from the image itself. A truncated script is not an error: the rules before its end are used.
 */
#ifndef KMA_IMAGE_LDS_H
#define KMA_IMAGE_LDS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

#define KMA_LDS_DISCARD "/DISCARD/"
#define KMA_LDS_SORTED	(1U << 31)

struct kma_lds;

/**
 * kma_lds_parse() - read a script
 * @text: the script, preprocessed, need not be terminated
 * @len: bytes in @text
 * @ret: its rules
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_lds_parse(const char *text, size_t len, struct kma_lds **ret);

/**
 * kma_lds_destroy() - forget a script
 * @lds: from kma_lds_parse(); NULL is fine
 */
void kma_lds_destroy(struct kma_lds *lds);

/**
 * kma_lds_output() - where does a section go?
 * @lds: the script
 * @object: path of the object, as the linker was given it
 * @section: name of its section, "COMMON" for common symbols
 * @rank: which statement of the script it matches, in their order: 1 for the first, 0: none;
 *	  KMA_LDS_SORTED is added where the statement has an order of its own
 *
 * Return: name of the section of the image, KMA_LDS_DISCARD, or NULL when no rule of the
 * script matches (the linker then has a section of that name).
 */
const char *kma_lds_output(struct kma_lds *lds, const char *object, const char *section,
			   uint32_t *rank);

#endif /* KMA_IMAGE_LDS_H */
