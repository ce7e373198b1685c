/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lds.h - read from a linker script which section of an object goes to which section of the image.
 *
 * kbuild leaves the kernel's script, preprocessed, as arch/ARCH/kernel/vmlinux.lds. Other parts of
 * it (expressions, program headers, regions) are skipped, because sizes and addresses come from the
 * image itself. EXCLUDE_FILE() is ignored, so a pattern with it also matches the excluded files. A
 * truncated script is not an error: the rules before its end are used.
 */
#ifndef KMA_IMAGE_LDS_H
#define KMA_IMAGE_LDS_H

#include <stddef.h>
#include <stdint.h>

/* Name of the output section whose input is dropped. */
#define KMA_LDS_DISCARD "/DISCARD/"
/* Flag of a rank: the statement sorts its input (SORT...), so the order of objects is not kept. */
#define KMA_LDS_SORTED (1U << 31)

struct kma_lds;

/**
 * kma_lds_parse() - read a script
 * @text: the script, preprocessed; it need not be terminated
 * @len: bytes of @text
 *
 * Return: its rules, which do not refer to @text; to be freed by kma_lds_destroy().
 */
struct kma_lds *kma_lds_parse(const char *text, size_t len);

/* Free a script. */
void kma_lds_destroy(struct kma_lds *lds);

/**
 * kma_lds_output() - find the output section of a section of an object
 * @lds: the script; answers are remembered in it
 * @object: path of the object, as the linker was given it
 * @section: name of its section, "COMMON" for common symbols
 * @rank: set to the number of the statement that matches, from 1 in the order of the script, with
 *	  KMA_LDS_SORTED if the statement sorts; 0 if none matches
 *
 * Return: name of the section of the image, which belongs to @lds; KMA_LDS_DISCARD; or NULL if no
 * rule matches (the linker then creates a section of that name).
 */
const char *kma_lds_output(struct kma_lds *lds, const char *object, const char *section,
			   uint32_t *rank);

#endif /* KMA_IMAGE_LDS_H */
