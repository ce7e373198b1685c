/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * build-id.h - the build ID of a file, in hexadecimal digits; "" for none. No library of ELF is
 * needed here, because the program for targets has none.
 */
#ifndef KMA_SYMBOL_BUILD_ID_H
#define KMA_SYMBOL_BUILD_ID_H

#include <stddef.h>

#define KMA_BUILD_ID_MAX   32 /* bytes of a build ID */
#define KMA_BUILD_ID_CHARS (2 * KMA_BUILD_ID_MAX + 1)

/* Of @len bytes; "" if there are more than KMA_BUILD_ID_MAX. */
void kma_build_id_set(const void *bytes, size_t len, char build_id[KMA_BUILD_ID_CHARS]);

/* Of the running kernel, by /sys/kernel/notes. */
void kma_build_id_running(char build_id[KMA_BUILD_ID_CHARS]);

#endif /* KMA_SYMBOL_BUILD_ID_H */
