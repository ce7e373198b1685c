// SPDX-License-Identifier: GPL-2.0-only
/*
 * kallsyms.c - lines "ffffffff81000000 T _text", those of modules with "\t[module]" at their end.
 *
 * symbol/sysmap.c reads such files for symbols of code; a table of all symbols of a kernel would
 * take 20 MB here, for four variables.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kallsyms.h"
#include "lib/cleanup.h"
#include "lib/file.h"

static void kma_kallsyms_line(char *line, struct kma_kallsyms_symbol *symbols, size_t nr)
{
	uint64_t addr;
	char *name;

	addr = strtoull(line, &name, 16);
	if (name == line || *name != ' ' || !name[1] || name[2] != ' ')
		return;
	name += 3;
	name[strcspn(name, "\n")] = '\0';
	for (size_t i = 0; i < nr; i++) {
		if (symbols[i].found || strcmp(symbols[i].name, name))
			continue;
		symbols[i].addr = addr;
		symbols[i].found = true;
	}
}

struct kma_err *kma_kallsyms_find(const char *path, struct kma_kallsyms_symbol *symbols, size_t nr)
{
	_cleanup_fclose_ FILE *f = NULL;
	struct kma_err *err = kma_file_stream(path, KMA_FILE_REGULAR, &f);
	char *line = NULL;
	size_t room = 0;

	if (err)
		return err;
	for (size_t i = 0; i < nr; i++)
		symbols[i].found = false;
	while (getline(&line, &room, f) > 0)
		if (!strchr(line, '['))
			kma_kallsyms_line(line, symbols, nr);
	if (ferror(f))
		err = kma_err_create_kind(KMA_ERR_NOT_READABLE, path, 0, "cannot read the file: %s",
					  strerror(errno));
	free(line);
	return err;
}
