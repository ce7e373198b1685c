// SPDX-License-Identifier: GPL-2.0-only
/*
 * System.map, and names of source files: the file's lines are tried as such, too.
 */
#include <string.h>

#include "symbol/srcpath.h"
#include "symbol/sysmap.h"

#include "fuzz-file.h"

#define KMA_FUZZ_PATHS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Names get shorter at most, and stay texts. */
static void kma_fuzz_paths(const uint8_t *data, size_t size)
{
	char *copy = strndup((const char *)data, size), *save = NULL;
	char *paths[KMA_FUZZ_PATHS];
	size_t nr = 0, len;

	if (!copy)
		abort();
	for (char *line = strtok_r(copy, "\n", &save); line && nr < KMA_FUZZ_PATHS;
	     line = strtok_r(NULL, "\n", &save)) {
		len = strlen(line);
		/* A block of its own, so that a byte too far is seen. */
		paths[nr] = strdup(line);
		if (!paths[nr])
			abort();
		kma_srcpath_normalise(paths[nr]);
		if (strlen(paths[nr]) > len || strstr(paths[nr], "//"))
			abort();
		nr++;
	}
	kma_srcpath_relative(paths, nr);
	while (nr)
		free(paths[--nr]);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = kma_fuzz_file(data, size);
	struct kma_symtab *tab = NULL;
	struct kma_err *err = kma_sysmap_read(path, &tab);
	const struct kma_symbol *at;

	if (!err == !tab)
		abort();
	kma_err_destroy(err);
	if (tab) {
		/* What is found by an address covers it. */
		for (uint64_t addr = 1; addr; addr <<= 1) {
			at = kma_symtab_at(tab, -addr);
			if (at && (at->addr > -addr || -addr - at->addr >= at->span))
				abort();
		}
	}
	kma_symtab_destroy(tab);
	kma_fuzz_paths(data, size);
	return 0;
}
