// SPDX-License-Identifier: GPL-2.0-only
/*
 * sysmap.c - symbols of a System.map, which has lines "ffffffff81000000 T _text".
 *
 * A copy of /proc/kallsyms has the same lines with the addresses of a running kernel, followed by
 * those of modules, "ffffffffc0001000 t foo\t[mod]". Modules are at other addresses after each
 * boot, and their symbols may have the names of kernel symbols. They are therefore not added; they
 * only end the symbols before them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/file.h"
#include "sysmap.h"

/* Split one line, which is terminated; false if it is not a symbol. */
static bool sysmap_split(char *line, uint64_t *addr, char *type, char **name)
{
	char *end;

	errno = 0;
	*addr = strtoull(line, &end, 16);
	if (errno || end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !end[3])
		return false;
	*type = end[1];
	*name = end + 3;
	return true;
}

/* An error in the first line means that the file is of another type. */
static struct kma_err *sysmap_error(const char *path, unsigned int line, const char *what)
{
	return kma_err_create_kind(line == 1 ? KMA_ERR_OTHER_FORMAT : KMA_ERR_DAMAGED, path, line,
				   "%s", what);
}

static struct kma_err *sysmap_parse(const char *path, char *text, struct kma_symtab *tab)
{
	unsigned int number = 0;
	bool hidden = true;
	char *line, *next;

	for (line = text; *line; line = next) {
		uint64_t addr;
		char type, *name;

		number++;
		next = strchrnul(line, '\n');
		if (*next)
			*next++ = '\0';
		if (!sysmap_split(line, &addr, &type, &name))
			return sysmap_error(path, number, "not a line of a System.map");
		if (strstr(name, "real System.map"))
			return sysmap_error(
				path, number,
				"a placeholder; the real System.map is in the package with the kernel's debug symbols");
		hidden = hidden && !addr;
		/*
		 * Symbols of data only end the ones before them. So do the paddings of functions,
		 * which some kernels have in their table of symbols (seen on 6.12).
		 */
		if (strchr("tTwW", type) && !strchr(name, '\t') && strncmp(name, "__pfx_", 6) != 0)
			kma_symtab_add(tab, name, addr, 0);
		else
			kma_symtab_add_end(tab, addr);
	}
	if (number && hidden)
		return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0,
					   "all addresses are 0; read /proc/kallsyms as root");
	return NULL;
}

struct kma_err *kma_sysmap_read(const char *path, struct kma_symtab **ret)
{
	_cleanup_free_ char *text = NULL;
	struct kma_symtab *tab;
	struct kma_err *err;
	size_t len;

	err = kma_file_slurp(path, &text, &len);
	if (err)
		return err;
	kma_symtab_create(&tab);
	err = sysmap_parse(path, text, tab);
	if (err) {
		kma_symtab_destroy(tab);
		return err;
	}
	kma_symtab_finish(tab);
	if (!kma_symtab_count(tab)) {
		kma_symtab_destroy(tab);
		return sysmap_error(path, 1, "no symbols in this file");
	}
	*ret = tab;
	return NULL;
}

struct kma_err *kma_sysmap_try(const char *path, struct kma_err *err, struct kma_symtab **ret)
{
	struct kma_err *own = kma_sysmap_read(path, ret);

	if (kma_err_is(own, KMA_ERR_OTHER_FORMAT)) {
		kma_err_destroy(own);
		return err;
	}
	kma_err_destroy(err);
	return own;
}
