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
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"

/*
 * Bytes of one read. A line takes the kernel 2 us, and it makes all lines of a read without letting other
 * tasks of the CPU run.
 */
#define KMA_KALLSYMS_STEP 256

/* Divide a line into address, type and name; false if it is not a line of the format. */
static bool kallsyms_split(char *line, uint64_t *addr, char *type, char **name)
{
	*addr = strtoull(line, name, 16);
	if (*name == line || **name != ' ' || !(*name)[1] || (*name)[2] != ' ')
		return false;
	*type = (*name)[1];
	*name += 3;
	(*name)[strcspn(*name, "\n")] = '\0';
	return true;
}

/* Call @fn with the parts of each line. */
static struct kma_err *kallsyms_each(const char *path,
				     void (*fn)(void *arg, uint64_t addr, char type, char *name),
				     void *arg)
{
	_cleanup_fclose_ FILE *f = NULL;
	struct kma_err *err = kma_file_stream(path, KMA_FILE_REGULAR, &f);
	char *line = NULL, *name, type, buf[KMA_KALLSYMS_STEP];
	size_t room = 0;
	uint64_t addr;

	if (err)
		return err;
	setvbuf(f, buf, _IOFBF, sizeof(buf));
	while (getline(&line, &room, f) > 0)
		if (kallsyms_split(line, &addr, &type, &name))
			fn(arg, addr, type, name);
	free(line);
	if (ferror(f))
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, path, 0,
					   "cannot read the file: %s", strerror(errno));
	return NULL;
}

/* Some symbols that are looked up. */
struct kma_kallsyms_few {
	struct kma_kallsyms_symbol *symbols;
	size_t nr;
};

static void kallsyms_one(void *arg, uint64_t addr, char type, char *name)
{
	const struct kma_kallsyms_few *few = arg;

	(void)type;
	if (strchr(name, '['))
		return;
	for (size_t i = 0; i < few->nr; i++) {
		if (few->symbols[i].found || strcmp(few->symbols[i].name, name))
			continue;
		few->symbols[i].addr = addr;
		few->symbols[i].found = true;
	}
}

struct kma_err *kma_kallsyms_find(const char *path, struct kma_kallsyms_symbol *symbols, size_t nr)
{
	struct kma_kallsyms_few few = { symbols, nr };

	for (size_t i = 0; i < nr; i++)
		symbols[i].found = false;
	return kallsyms_each(path, kallsyms_one, &few);
}

static void kallsyms_add(void *arg, uint64_t addr, char type, char *name)
{
	struct kma_kallsyms *table = arg;
	char *tab = strchr(name, '\t');

	if (tab)
		*tab = ' ';
	table->nr_variables += strchr("bBdDrR", type) != NULL;
	kma_array_room(table->list, table->nr, table->room);
	table->list[table->nr++] =
		(struct kma_kallsyms_entry){ addr,
					     kma_arena_text(&table->texts, name, strlen(name)) };
}

/* Names like __bss_start, which mark the beginning of a section, come before others. */
static int kallsyms_compare(const void *a, const void *b)
{
	const struct kma_kallsyms_entry *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if ((*x->name == '_') != (*y->name == '_'))
		return *x->name == '_' ? -1 : 1;
	return strcmp(y->name, x->name);
}

struct kma_err *kma_kallsyms_load(const char *path, struct kma_kallsyms *table)
{
	struct kma_err *err = kallsyms_each(path, kallsyms_add, table);

	if (table->nr)
		qsort(table->list, table->nr, sizeof(*table->list), kallsyms_compare);
	return err;
}

bool kma_kallsyms_has_variables(const struct kma_kallsyms *table)
{
	return table->nr_variables > table->nr / 100;
}

const struct kma_kallsyms_entry *kma_kallsyms_at(const struct kma_kallsyms *table, uint64_t addr)
{
	size_t i = kma_array_search(table->nr, n, table->list[n].addr <= addr);

	return i ? &table->list[i - 1] : NULL;
}

bool kma_kallsyms_value(const struct kma_kallsyms *table, const char *name, uint64_t *ret)
{
	for (size_t i = 0; i < table->nr; i++)
		if (!strcmp(table->list[i].name, name)) {
			*ret = table->list[i].addr;
			return true;
		}
	return false;
}

void kma_kallsyms_deinit(struct kma_kallsyms *table)
{
	free(table->list);
	kma_arena_deinit(&table->texts);
	*table = (struct kma_kallsyms){ 0 };
}
