// SPDX-License-Identifier: GPL-2.0-only
/*
 * linker.c - find out which linker made a kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "linker.h"

/* Versions as in CONFIG_LD_VERSION: 2.40 is 24000. */
#define KMA_LD_2_41 24100

/* Value of the line CONFIG_LD_VERSION=24000 (kernels 5.12 and later); 0: not found. */
static unsigned long kma_linker_config(const char *text)
{
	static const char key[] = "CONFIG_LD_VERSION=";

	for (const char *at = text; (at = strstr(at, key)); at += sizeof(key) - 1)
		if (at == text || at[-1] == '\n')
			return strtoul(at + sizeof(key) - 1, NULL, 10);
	return 0;
}

/* "... GNU ld (GNU Binutils for Debian) 2.44) #1 ...": the version is the word after ")". */
static unsigned long kma_linker_version(const char *banner)
{
	const char *at = strstr(banner, "GNU ld ");
	unsigned int major, minor;

	if (!at)
		return 0;
	at += strlen("GNU ld ");
	if (*at == '(')
		at = strchr(at, ')') ? strchr(at, ')') + 1 : at;
	else if (!strncmp(at, "version ", 8))
		at += 8;
	return sscanf(at, " %u.%u", &major, &minor) == 2 ? major * 10000 + minor * 100 : 0;
}

/* Version of GNU ld in the text of the symbol linux_banner; 0: not found. */
static unsigned long kma_linker_banner(const struct kma_vmlinux *priv)
{
	const struct kma_binary_symbol *symbol = kma_vmlinux_symbol(priv, "linux_banner");
	const struct kma_binary *bin = priv->bin;

	for (size_t i = 0; symbol && i < bin->nr_sections; i++) {
		const struct kma_binary_section *section = &bin->sections[i];
		const unsigned char *bytes;
		char text[512];
		uint64_t at;
		size_t len;

		if (section->index != symbol->section)
			continue;
		at = symbol->value - section->addr;
		bytes = kma_binary_bytes(bin, section);
		if (!bytes || symbol->value < section->addr || at >= section->size)
			return 0;
		len = section->size - at < sizeof(text) - 1 ? section->size - at : sizeof(text) - 1;
		memcpy(text, bytes + at, len);
		text[len] = '\0';
		return kma_linker_version(text);
	}
	return 0;
}

struct kma_err *kma_linker_find(const char *dir, const struct kma_vmlinux *priv,
				enum kma_constants_linker *ret)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	unsigned long version = 0;
	struct kma_err *err;
	size_t len;

	*ret = KMA_LINKER_LLD;
	if (priv->bin->lld)
		return NULL;
	path = kma_xasprintf("%s/include/config/auto.conf", dir);
	err = kma_file_slurp_regular(path, &text, &len);
	if (err && !kma_err_is_of_file(err))
		return err;
	if (!err)
		version = kma_linker_config(text);
	kma_err_destroy(err);
	if (!version)
		version = kma_linker_banner(priv);
	*ret = version >= KMA_LD_2_41 ? KMA_LINKER_LD_2_41 : KMA_LINKER_LD;
	return NULL;
}
