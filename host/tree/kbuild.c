// SPDX-License-Identifier: GPL-2.0
/*
 * kbuild.c - source files of call sites by the objects of a built kernel tree.
 *
 * Kbuild leaves a .foo.o.cmd beside each object, whose "source_" line names the
 * file it was compiled from. An object that has no such line was linked from
 * others (vmlinux.o, the parts of a module) and would count its functions twice,
 * so it is left out; so is what never runs in the kernel (scripts, tools, the
 * boot loader, the vDSO). The objects' symbols lead from a call site to its
 * object and so to its source, without any debugging information.
 *
 * Of functions of one name the size tells which: %pS gives the distance to the
 * next symbol, which is st_size and some padding. System.map says whether the
 * tree is the one that the account comes from.
 */
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../lib/cleanup.h"
#include "../lib/file.h"
#include "../symbol/elf.h"
#include "../symbol/srcpath.h"
#include "../symbol/symtab.h"
#include "../symbol/sysmap.h"
#include "source.h"

/*
 * The table of symbols is keyed by address; symbols of objects have none yet, so
 * that place holds the number of the object.
 */
#define KMA_OBJECT_OF(sym) ((size_t)(sym)->addr)

/* Bytes of a .cmd file that are looked at. */
#define KMA_CMD_HEAD 32768

struct kma_object {
	char *path;	    /* relative to the top: "fs/foo.o" */
	char *source;	    /* relative to the top of the source: "fs/foo.c" */
	const char *module; /* module that it belongs to, NULL for the kernel proper */
};

struct kma_kbuild {
	struct kma_source source; /* first, so that one is the other */
	char *dir;
	struct kma_object *objects;
	size_t nr;
	size_t alloc;
	char **modules; /* names, as the kernel prints them */
	size_t nr_modules;
	struct kma_symtab *symtab;
	struct kma_symtab *sysmap; /* NULL when the tree has none */
	char release[128];
};

static void kma_kbuild_destroy(struct kma_source *source)
{
	struct kma_kbuild *kb = (struct kma_kbuild *)source;

	for (size_t i = 0; i < kb->nr; i++) {
		free(kb->objects[i].path);
		free(kb->objects[i].source);
	}
	for (size_t i = 0; i < kb->nr_modules; i++)
		free(kb->modules[i]);
	free(kb->modules);
	free(kb->objects);
	kma_symtab_destroy(kb->symtab);
	kma_symtab_destroy(kb->sysmap);
	free(kb->dir);
	free(kb);
}

/* Takes both strings in any case. */
static struct kma_err *kma_kbuild_add_object(struct kma_kbuild *kb, char *path, char *source)
{
	struct kma_object *objects = kb->objects;

	if (kb->nr == kb->alloc) {
		size_t alloc = kb->alloc ? kb->alloc * 2 : 256;

		objects = realloc(kb->objects, alloc * sizeof(*objects));
		if (objects) {
			kb->objects = objects;
			kb->alloc = alloc;
		}
	}
	if (!path || !source || !objects) {
		free(path);
		free(source);
		return &kma_enomem;
	}
	kma_srcpath_normalise(source);
	objects[kb->nr++] = (struct kma_object){ .path = path, .source = source };
	return NULL;
}

/* The file that a .cmd file says its object was compiled from; NULL if it does not. */
static char *kma_kbuild_source_of(const char *cmd_path)
{
	/* The line stands right after the command, thousands of headers follow it. */
	_cleanup_free_ char *head = malloc(KMA_CMD_HEAD + 1);
	FILE *f = fopen(cmd_path, "re");
	char *line, *value;
	size_t len = 0;

	if (f && head)
		len = fread(head, 1, KMA_CMD_HEAD, f);
	if (f)
		fclose(f);
	if (!len)
		return NULL;
	head[len] = '\0';
	line = !strncmp(head, "source_", 7) ? head : strstr(head, "\nsource_");
	value = line ? strstr(line, ":= ") : NULL;
	if (!value)
		return NULL;
	value += 3;
	return strndup(value, strcspn(value, " \t\r\n"));
}

/* ".foo.o.cmd" -> length of "foo.o", 0 when it is another kind of file. */
static size_t kma_kbuild_object_len(const char *name)
{
	static const char *const skip[] = { "vmlinux.o", "built-in.o" };
	size_t len = strlen(name);

	if (name[0] != '.' || len < 8 || strcmp(name + len - 6, ".o.cmd") ||
	    !strncmp(name, ".tmp_", 5) || !strncmp(name, "..tmp_", 6))
		return 0;
	len -= 5; /* the dot and ".cmd" */
	if (len > 6 && !strncmp(name + 1 + len - 6, ".mod.o", 6))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(skip); i++)
		if (len == strlen(skip[i]) && !strncmp(name + 1, skip[i], len))
			return 0;
	return len;
}

static bool kma_kbuild_skip_dir(const FTSENT *entry)
{
	static const char *const top[] = { "scripts", "tools", "Documentation",
					   "include", "usr",   "samples" };
	static const char *const arch[] = {
		"boot", "purgatory", "realmode", "vdso", "vdso32", "hyp"
	};
	const char *name = entry->fts_name;

	if (name[0] == '.' && entry->fts_level)
		return true;
	for (size_t i = 0; entry->fts_level == 1 && i < ARRAY_SIZE(top); i++)
		if (!strcmp(name, top[i]))
			return true;
	for (size_t i = 0; strstr(entry->fts_path, "/arch/") && i < ARRAY_SIZE(arch); i++)
		if (!strcmp(name, arch[i]))
			return true;
	return false;
}

static struct kma_err *kma_kbuild_visit(struct kma_kbuild *kb, const FTSENT *entry)
{
	size_t len = kma_kbuild_object_len(entry->fts_name);
	size_t dir_len = entry->fts_pathlen - entry->fts_namelen;
	size_t top = strlen(kb->dir) + 1;
	char *source, *path;

	if (!len)
		return NULL;
	source = kma_kbuild_source_of(entry->fts_path);
	if (!source)
		return NULL;
	if (asprintf(&path, "%.*s%.*s", (int)(dir_len - top), entry->fts_path + top, (int)len,
		     entry->fts_name + 1) < 0)
		path = NULL;
	return kma_kbuild_add_object(kb, path, source);
}

static int kma_cmp_path(const void *a, const void *b)
{
	const struct kma_object *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* foo.mod lists the objects of a module, by path from the top. */
static struct kma_err *kma_kbuild_read_mod(struct kma_kbuild *kb, const char *path,
					   const char *file, size_t len)
{
	_cleanup_free_ char *text = NULL;
	struct kma_err *err;
	char **modules, *save = NULL, *name;
	size_t size;

	err = kma_file_slurp(path, &text, &size);
	if (err)
		return err;
	modules = realloc(kb->modules, (kb->nr_modules + 1) * sizeof(*modules));
	if (!modules)
		return &kma_enomem;
	kb->modules = modules;
	name = strndup(file, len);
	if (!name)
		return &kma_enomem;
	modules[kb->nr_modules++] = name;
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	for (char *word = strtok_r(text, " \t\n", &save); word;
	     word = strtok_r(NULL, " \t\n", &save)) {
		struct kma_object key = { .path = word }, *object;

		object = bsearch(&key, kb->objects, kb->nr, sizeof(key), kma_cmp_path);
		if (object)
			object->module = name;
	}
	return NULL;
}

struct kma_mod_file {
	char *path;
	char *file; /* last component of the path */
	size_t len; /* of the module's name in it */
};

/* The lists of modules are kept until all objects are known. */
struct kma_mod_list {
	struct kma_mod_file *mods;
	size_t nr;
};

static struct kma_err *kma_mod_list_add(struct kma_mod_list *list, const FTSENT *entry)
{
	size_t len = entry->fts_namelen;
	void *mods;

	if (len < 5 || strcmp(entry->fts_name + len - 4, ".mod"))
		return NULL;
	mods = realloc(list->mods, (list->nr + 1) * sizeof(*list->mods));
	if (!mods)
		return &kma_enomem;
	list->mods = mods;
	list->mods[list->nr].path = strdup(entry->fts_path);
	if (!list->mods[list->nr].path)
		return &kma_enomem;
	list->mods[list->nr].file = list->mods[list->nr].path + entry->fts_pathlen - len;
	list->mods[list->nr++].len = len - 4;
	return NULL;
}

static struct kma_err *kma_kbuild_walk(struct kma_kbuild *kb, struct kma_mod_list *list)
{
	char *roots[] = { kb->dir, NULL };
	struct kma_err *err = NULL;
	FTSENT *entry;
	FTS *fts;

	fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	if (!fts)
		return kma_err_create(kb->dir, 0, "cannot open: %s", strerror(errno));
	while (!err && (entry = fts_read(fts))) {
		if (entry->fts_info == FTS_D) {
			if (kma_kbuild_skip_dir(entry))
				fts_set(fts, entry, FTS_SKIP);
		} else if (entry->fts_info != FTS_DP) {
			err = kma_kbuild_visit(kb, entry);
			if (!err)
				err = kma_mod_list_add(list, entry);
		}
	}
	fts_close(fts);
	return err;
}

struct kma_object_symbols {
	struct kma_kbuild *kb;
	size_t object;
};

static struct kma_err *kma_kbuild_add_symbol(void *arg, const struct kma_elf_symbol *symbol)
{
	const struct kma_object_symbols *os = arg;

	return kma_symtab_add(os->kb->symtab, symbol->name, os->object, symbol->size);
}

static struct kma_err *kma_kbuild_read_symbols(struct kma_kbuild *kb)
{
	struct kma_err *err = kma_symtab_create(&kb->symtab);

	for (size_t i = 0; !err && i < kb->nr; i++) {
		struct kma_object_symbols os = { kb, i };
		_cleanup_free_ char *path = NULL;
		struct kma_elf_info info;

		if (asprintf(&path, "%s/%s", kb->dir, kb->objects[i].path) < 0) {
			path = NULL;
			return &kma_enomem;
		}
		/* An object that is gone or damaged has no symbols; that is no reason to stop. */
		err = kma_elf_walk(path, &info, kma_kbuild_add_symbol, NULL, &os);
		if (err && err != &kma_enomem) {
			kma_err_destroy(err);
			err = NULL;
		}
	}
	return err ? err : kma_symtab_finish(kb->symtab);
}

/* Strips a directory of the tree, by its real name, from absolute names below it. */
static struct kma_err *kma_kbuild_strip(struct kma_kbuild *kb, const char *below)
{
	char *name, *real;

	if (asprintf(&name, "%s%s", kb->dir, below) < 0)
		return &kma_enomem;
	real = realpath(name, NULL);
	free(name);
	for (size_t i = 0; real && i < kb->nr; i++)
		kma_srcpath_strip_dir(kb->objects[i].source, real);
	free(real);
	return NULL;
}

/* With O= the sources have absolute names or begin with "../". */
static struct kma_err *kma_kbuild_relative(struct kma_kbuild *kb)
{
	_cleanup_free_ char **sources = malloc(kb->nr * sizeof(*sources));
	struct kma_err *err;

	if (!sources)
		return &kma_enomem;
	err = kma_kbuild_strip(kb, "");
	if (!err)
		err = kma_kbuild_strip(kb, "/source"); /* a link that O= leaves */
	for (size_t i = 0; i < kb->nr; i++)
		sources[i] = kb->objects[i].source;
	return err ? err : kma_srcpath_relative(sources, kb->nr);
}

/* System.map and include/config/kernel.release; neither has to be there. */
static struct kma_err *kma_kbuild_read_top(struct kma_kbuild *kb)
{
	_cleanup_free_ char *map = NULL, *release = NULL, *text = NULL;
	struct kma_err *err;
	struct stat st;
	size_t len;

	if (asprintf(&map, "%s/System.map", kb->dir) < 0) {
		map = NULL;
		return &kma_enomem;
	}
	if (asprintf(&release, "%s/include/config/kernel.release", kb->dir) < 0) {
		release = NULL;
		return &kma_enomem;
	}
	err = kma_file_slurp(release, &text, &len);
	if (!err)
		snprintf(kb->release, sizeof(kb->release), "%.*s", (int)strcspn(text, "\n"), text);
	kma_err_destroy(err);
	return stat(map, &st) ? NULL : kma_sysmap_read(map, &kb->sysmap);
}

static struct kma_err *kma_kbuild_read(struct kma_kbuild *kb)
{
	struct kma_mod_list list = { 0 };
	struct kma_err *err;

	err = kma_kbuild_walk(kb, &list);
	if (!err && !kb->nr)
		err = kma_err_create(kb->dir, 0,
				     "is no built kernel tree: no object has its .cmd file");
	if (kb->nr)
		qsort(kb->objects, kb->nr, sizeof(*kb->objects), kma_cmp_path);
	for (size_t i = 0; i < list.nr; i++) {
		if (!err)
			err = kma_kbuild_read_mod(kb, list.mods[i].path, list.mods[i].file,
						  list.mods[i].len);
		free(list.mods[i].path);
	}
	free(list.mods);
	if (!err)
		err = kma_kbuild_relative(kb);
	if (!err)
		err = kma_kbuild_read_symbols(kb);
	return err ? err : kma_kbuild_read_top(kb);
}

static enum kma_fit kma_kbuild_fit(const struct kma_symbol *sym, const struct kma_site *site)
{
	if (!sym->size || !site->size)
		return KMA_FIT_GOOD; /* nothing speaks against it */
	if (site->offset > sym->size)
		return KMA_FIT_NONE;
	if (site->size < sym->size || site->size - sym->size >= KMA_SIZE_PAD)
		return KMA_FIT_POOR;
	return site->size - sym->size < KMA_SIZE_ALIGN ? KMA_FIT_BEST : KMA_FIT_GOOD;
}

/* Does System.map agree? Modules are not in it. */
static bool kma_kbuild_in_sysmap(const struct kma_kbuild *kb, const struct kma_site *site)
{
	const struct kma_symbol *const *syms;
	size_t nr;

	if (!kb->sysmap || site->module || !site->size)
		return true;
	syms = kma_symtab_named(kb->sysmap, site->symbol, &nr);
	for (size_t i = 0; i < nr; i++)
		if (syms[i]->span == site->size)
			return true;
	return false;
}

static bool kma_kbuild_in_module(const struct kma_object *object, const char *module)
{
	return module ? object->module && !strcmp(object->module, module) : !object->module;
}

static bool kma_kbuild_has_module(const struct kma_kbuild *kb, const char *module)
{
	for (size_t i = 0; i < kb->nr_modules; i++)
		if (!strcmp(kb->modules[i], module))
			return true;
	return false;
}

/*
 * A return address at the start of a symbol belongs to a call at the end of the one
 * before it; System.map knows which that is. Modules are not in it.
 */
static void kma_kbuild_call_of(const struct kma_kbuild *kb, struct kma_site *site)
{
	const struct kma_symbol *const *syms, *before;
	size_t nr;

	if (site->offset || site->module || !kb->sysmap || !site->symbol)
		return;
	syms = kma_symtab_named(kb->sysmap, site->symbol, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (site->size && syms[i]->span != site->size)
			continue;
		before = kma_symtab_at(kb->sysmap, syms[i]->addr - 1);
		if (!before)
			return;
		site->symbol = before->name;
		site->size = before->span;
		site->offset = 1;
		return;
	}
}

static struct kma_err *kma_kbuild_locate(struct kma_source *source, const struct kma_site *site,
					 struct kma_place *ret)
{
	struct kma_kbuild *kb = (struct kma_kbuild *)source;
	const struct kma_symbol *const *syms = NULL;
	struct kma_site call = *site;
	size_t nr = 0;

	memset(ret, 0, sizeof(*ret));
	ret->found = KMA_FOUND_UNKNOWN;
	if (site->module && !kma_kbuild_has_module(kb, site->module)) {
		ret->found = KMA_FOUND_NO_MODULE;
		return NULL;
	}
	kma_kbuild_call_of(kb, &call);
	if (call.symbol)
		syms = kma_symtab_named(kb->symtab, call.symbol, &nr);
	for (size_t i = 0; i < nr; i++) {
		const struct kma_object *object = &kb->objects[KMA_OBJECT_OF(syms[i])];

		if (kma_kbuild_in_module(object, call.module))
			kma_place_offer(ret, kma_kbuild_fit(syms[i], &call), object->source);
	}
	if (ret->fit >= KMA_FIT_GOOD && !kma_kbuild_in_sysmap(kb, site))
		ret->fit = KMA_FIT_POOR;
	return NULL;
}

static const struct kma_source_ops kma_kbuild_ops = {
	.locate = kma_kbuild_locate,
	.destroy = kma_kbuild_destroy,
};

struct kma_err *kma_kbuild_create(const char *dir, struct kma_source **ret)
{
	struct kma_kbuild *kb;
	struct kma_err *err;
	struct stat st;

	if (stat(dir, &st))
		return kma_err_create(dir, 0, "cannot open: %s", strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return kma_err_create(dir, 0, "is no directory");
	kb = calloc(1, sizeof(*kb));
	if (!kb)
		return &kma_enomem;
	kb->source.ops = &kma_kbuild_ops;
	kb->source.name = dir;
	kb->source.release = kb->release;
	kb->dir = strdup(dir);
	for (size_t len = kb->dir ? strlen(dir) : 0; len > 1 && kb->dir[len - 1] == '/'; len--)
		kb->dir[len - 1] = '\0';
	err = kb->dir ? kma_kbuild_read(kb) : &kma_enomem;
	if (err) {
		kma_kbuild_destroy(&kb->source);
		return err;
	}
	*ret = &kb->source;
	return NULL;
}
