// SPDX-License-Identifier: GPL-2.0-only
/*
 * objects.c - the objects of a built kernel tree.
 *
 * The tree is walked once. Kbuild leaves a .foo.o.cmd next to each object, whose "source_" line
 * names the file it was compiled from. An object without that line was linked from others
 * (vmlinux.o, the parts of a module) and would count twice, so it is left out.
 *
 * Then the objects are classified: foo.mod lists the objects of a module, and the commands that
 * made the archives (commands.h) list those of the kernel. Objects in neither list (the boot
 * loader, the vDSO, host programs) never run in the kernel, and are dropped. An entry of an archive
 * that was not compiled is either linked from several objects, which count instead, or a copy by
 * objcopy, which has the source of its only input.
 *
 * Kernels before 6.1 do not keep all of these commands. Then directories decide: those of programs
 * and of the boot loader are skipped.
 */
#include <errno.h>
#include <fts.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "objects.h"
#include "symbol/srcpath.h"

/* Steps from a linked object to compiled ones: arm64's nvhe takes three. */
#define KMA_MAX_STEPS 8

struct kma_objects {
	char *dir;		 /* top of the tree, without a final slash */
	struct kma_object *list; /* sorted by path */
	size_t nr;
	size_t alloc;
	size_t sorted;		       /* the first elements of the list, which are sorted */
	struct kma_archives *archives; /* NULL: the tree does not have the commands */
	struct kma_gaps gaps;	       /* what could not be read in the tree */
	void *linked;		       /* tsearch(3): paths of objects whose parts count instead */
	char **modules;		       /* names of modules, as the kernel prints them */
	char **files;		       /* paths of their .ko */
	size_t nr_modules;
};

void kma_objects_destroy(struct kma_objects *objs)
{
	if (!objs)
		return;
	for (size_t i = 0; i < objs->nr; i++) {
		free(objs->list[i].path);
		free(objs->list[i].source);
	}
	tdestroy(objs->linked, free);
	for (size_t i = 0; i < objs->nr_modules; i++)
		free(objs->modules[i]);
	for (size_t i = 0; i < objs->nr_modules; i++)
		free(objs->files[i]);
	free(objs->files);
	kma_archives_destroy(objs->archives);
	free(objs->modules);
	free(objs->list);
	free(objs->dir);
	free(objs);
}

/* Add an object, which takes over both strings. */
static struct kma_object *objects_add(struct kma_objects *objs, char *path, char *source)
{
	kma_array_room(objs->list, objs->nr, objs->alloc);
	kma_srcpath_normalise(source);
	objs->list[objs->nr] = (struct kma_object){ .path = path, .source = source, .whole = path };
	return &objs->list[objs->nr++];
}

/* For ".foo.o.cmd" the length of "foo.o"; 0 for another kind of file. */
static size_t objects_name_len(const char *name)
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

/* Does a directory never have objects of the kernel? @path is relative to the top. */
static bool objects_skip_dir(const struct kma_objects *objs, const FTSENT *entry, const char *path)
{
	static const char *const top[] = { "scripts", "tools", "Documentation", "include",
					   "samples" };
	static const char *const arch[] = { "boot", "rm", "tools" };
	const char *name = entry->fts_name;

	if (name[0] == '.' && entry->fts_level)
		return true;
	for (size_t i = 0; entry->fts_level == 1 && i < ARRAY_SIZE(top); i++)
		if (!strcmp(name, top[i]))
			return true;
	if (objs->archives || strncmp(path, "arch/", 5))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(arch); i++)
		if (!strcmp(name, arch[i]))
			return true;
	return false;
}

/*
 * Is an object part of a program that the kernel contains as data? On x86, the object that contains
 * the program is in the same directory, and counts.
 */
static bool objects_skip_object(const char *dir, size_t len, const char *name)
{
	static const char *const dirs[] = { "vdso", "vdso32", "purgatory" };
	static const char *const carriers[] = { "vma.", "extable.", "vdso-image-", "vdso32-setup.",
						"kexec-purgatory." };
	const char *slash = memrchr(dir, '/', len);
	const char *last = slash ? slash + 1 : dir;
	bool skip = false;

	len -= last - dir;
	for (size_t i = 0; !strncmp(dir, "arch/", 5) && i < ARRAY_SIZE(dirs); i++)
		skip |= len == strlen(dirs[i]) && !strncmp(last, dirs[i], len);
	for (size_t i = 0; skip && i < ARRAY_SIZE(carriers); i++)
		skip = strncmp(name, carriers[i], strlen(carriers[i]));
	return skip;
}

static struct kma_err *objects_visit(struct kma_objects *objs, const FTSENT *entry)
{
	size_t len = objects_name_len(entry->fts_name);
	size_t dir_len = entry->fts_pathlen - entry->fts_namelen;
	size_t top = strlen(objs->dir) + 1;
	const char *dir = entry->fts_path + top;
	struct kma_err *err;
	char *source, *path;

	if (!len || (!objs->archives && dir_len > top &&
		     objects_skip_object(dir, dir_len - top - 1, entry->fts_name + 1)))
		return NULL;
	err = kma_gaps_note(&objs->gaps, KMA_GAP_CMD, kma_cmd_source(entry->fts_path, &source));
	if (err || !source)
		return err;
	path = kma_xasprintf("%.*s%.*s", (int)(dir_len - top), entry->fts_path + top, (int)len,
			     entry->fts_name + 1);
	objects_add(objs, path, source);
	return NULL;
}

static int cmp_path(const void *a, const void *b)
{
	const struct kma_object *x = a, *y = b;

	return strcmp(x->path, y->path);
}

struct kma_mod_file {
	char *path;
	char *file; /* last component of the path */
	size_t len; /* bytes of the module's name in @file */
};

/* Read foo.mod, which lists the objects of a module by path from the top of the tree. */
static struct kma_err *objects_read_mod(struct kma_objects *objs, const struct kma_mod_file *mod)
{
	_cleanup_free_ char *text = NULL;
	struct kma_err *err;
	char *save = NULL, *name;
	size_t size;

	err = kma_file_slurp_regular(mod->path, &text, &size);
	if (err)
		return kma_gaps_note(&objs->gaps, KMA_GAP_MODULE, err);
	objs->modules = kma_xrealloc(objs->modules, objs->nr_modules + 1, sizeof(*objs->modules));
	objs->files = kma_xrealloc(objs->files, objs->nr_modules + 1, sizeof(*objs->files));
	name = kma_xstrndup(mod->file, mod->len);
	objs->modules[objs->nr_modules] = name;
	objs->files[objs->nr_modules] =
		kma_xasprintf("%.*s.ko", (int)(mod->file - mod->path + mod->len), mod->path);
	objs->nr_modules++;
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	for (char *word = strtok_r(text, " \t\n", &save); word;
	     word = strtok_r(NULL, " \t\n", &save)) {
		struct kma_object key = { .path = word }, *object;

		object = bsearch(&key, objs->list, objs->sorted, sizeof(key), cmp_path);
		if (object)
			object->module = name;
	}
	return NULL;
}

/* The files foo.mod, which are read when all objects are known. */
struct kma_mod_list {
	struct kma_mod_file *mods;
	size_t nr;
};

static void mod_list_deinit(struct kma_mod_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->mods[i].path);
	free(list->mods);
}

static void mod_list_add(struct kma_mod_list *list, const FTSENT *entry)
{
	size_t len = entry->fts_namelen;
	struct kma_mod_file *mod;

	if (len < 5 || strcmp(entry->fts_name + len - 4, ".mod"))
		return;
	list->mods = kma_xrealloc(list->mods, list->nr + 1, sizeof(*list->mods));
	mod = &list->mods[list->nr++];
	mod->path = kma_xstrdup(entry->fts_path);
	mod->file = mod->path + entry->fts_pathlen - len;
	mod->len = len - 4;
}

static struct kma_err *objects_enter(struct kma_objects *objs, FTS *fts, FTSENT *entry,
				     const char *path)
{
	if (!objects_skip_dir(objs, entry, path))
		return NULL;
	fts_set(fts, entry, FTS_SKIP);
	if (!objects_name_len(entry->fts_name))
		return NULL;
	return kma_gaps_note(&objs->gaps, KMA_GAP_CMD,
			     kma_err_create_kind(KMA_ERR_NOT_READABLE, entry->fts_path, 0,
						 "cannot read: %s", strerror(EISDIR)));
}

/* A directory cannot be read. At the top that is an error; below it is a gap. */
static struct kma_err *objects_no_dir(struct kma_objects *objs, const FTSENT *entry)
{
	struct kma_err *err = kma_err_create_kind(KMA_ERR_NOT_READABLE, entry->fts_path, 0,
						  "cannot open: %s", strerror(entry->fts_errno));

	return entry->fts_level ? kma_gaps_note(&objs->gaps, KMA_GAP_DIR, err) : err;
}

static struct kma_err *objects_meet(struct kma_objects *objs, FTS *fts, FTSENT *entry,
				    struct kma_mod_list *list)
{
	const char *path = entry->fts_path + strlen(objs->dir);
	struct kma_err *err;

	path += *path == '/';
	switch (entry->fts_info) {
	case FTS_D:
		return objects_enter(objs, fts, entry, path);
	case FTS_DP:
		return NULL;
	case FTS_DNR:
	case FTS_NS:
	case FTS_ERR:
		return objects_no_dir(objs, entry);
	default:
		err = objects_visit(objs, entry);
		if (err)
			return err;
		mod_list_add(list, entry);
		return NULL;
	}
}

static struct kma_err *objects_walk(struct kma_objects *objs, struct kma_mod_list *list)
{
	char *roots[] = { objs->dir, NULL };
	struct kma_err *err = NULL;
	FTSENT *entry;
	FTS *fts;

	fts = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	if (!fts)
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, objs->dir, 0, "cannot open: %s",
					   strerror(errno));
	while (!err && (errno = 0, entry = fts_read(fts)))
		err = objects_meet(objs, fts, entry, list);
	if (!err && errno)
		err = kma_err_create_kind(KMA_ERR_NOT_READABLE, objs->dir, 0, "cannot read: %s",
					  strerror(errno));
	fts_close(fts);
	return err;
}

/* Strip a directory of the tree, by its real path, from absolute names of sources below it. */
static void objects_strip(struct kma_objects *objs, const char *below)
{
	char *name, *real;

	name = kma_xasprintf("%s%s", objs->dir, below);
	real = realpath(name, NULL);
	free(name);
	for (size_t i = 0; real && i < objs->nr; i++)
		kma_srcpath_strip_dir(objs->list[i].source, real);
	free(real);
}

/* Make the names of sources relative: with O= they are absolute or begin with "../". */
static void objects_relative(struct kma_objects *objs)
{
	_cleanup_free_ char **sources = kma_xmalloc(objs->nr * sizeof(*sources));

	objects_strip(objs, "");
	objects_strip(objs, "/source"); /* a link that O= leaves */
	for (size_t i = 0; i < objs->nr; i++)
		sources[i] = objs->list[i].source;
	kma_srcpath_relative(sources, objs->nr);
}

static void objects_sort(struct kma_objects *objs)
{
	if (objs->nr)
		qsort(objs->list, objs->nr, sizeof(*objs->list), cmp_path);
	objs->sorted = objs->nr;
}

static int cmp_linked(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Note an object that was linked from others. Returns false if it was noted before. */
static bool objects_note_linked(struct kma_objects *objs, const char *path)
{
	char *name = kma_xstrdup(path);
	char **node = kma_xmem(tsearch(name, &objs->linked, cmp_linked));

	if (*node == name)
		return true;
	free(name);
	return false;
}

/*
 * Mark an object of the kernel. If it was not compiled, it is a copy that objcopy made of another
 * object, and has the source of that; or it was linked from several, which count instead.
 */
static struct kma_err *objects_link(struct kma_objects *objs, const char *path, const char *whole,
				    unsigned int step)
{
	struct kma_object key = { .path = (char *)path }, *object;
	_cleanup_free_ char **inputs = NULL;
	struct kma_err *err;

	object = bsearch(&key, objs->list, objs->sorted, sizeof(key), cmp_path);
	if (object) {
		object->linked = true;
		object->whole = whole;
		return NULL;
	}
	err = step < KMA_MAX_STEPS ? kma_cmd_inputs(objs->dir, path, &inputs) : NULL;
	/* A .cmd file or directory that cannot be read was counted while the tree was walked. */
	if (err && !kma_err_is_of_file(err))
		return err;
	kma_err_destroy(err);
	if (inputs && inputs[0] && !inputs[1]) {
		key.path = inputs[0];
		object = bsearch(&key, objs->list, objs->sorted, sizeof(key), cmp_path);
	}
	if (!inputs || !inputs[0] || object) {
		object = objects_add(objs, kma_xstrdup(path),
				     kma_xstrdup(object ? object->source : path));
		object->linked = true;
		object->whole = whole;
		return NULL;
	}
	/* A .cmd file may name its own object, or an object twice. */
	if (!objects_note_linked(objs, path))
		return NULL;
	for (size_t i = 0; inputs[i]; i++) {
		err = objects_link(objs, inputs[i], whole, step + 1);
		if (err)
			return err;
	}
	return NULL;
}

/* Drop the objects that belong neither to the kernel nor to a module. */
static void objects_drop_unused(struct kma_objects *objs)
{
	size_t kept = 0;

	for (size_t i = 0; i < objs->nr; i++) {
		struct kma_object *object = &objs->list[i];

		if (object->linked || object->module) {
			objs->list[kept++] = *object;
			continue;
		}
		free(object->path);
		free(object->source);
	}
	objs->nr = kept;
	objs->sorted = kept;
}

static struct kma_err *objects_choose(struct kma_objects *objs)
{
	struct kma_err *err;
	char *const *linked;
	size_t nr;

	if (!objs->archives)
		return NULL;
	linked = kma_archives_list(objs->archives, &nr);
	for (size_t i = 0; i < nr; i++) {
		err = objects_link(objs, linked[i], linked[i], 0);
		if (err)
			return err;
	}
	objects_sort(objs);
	objects_drop_unused(objs);
	return objs->nr ? NULL :
			  kma_err_create_kind(KMA_ERR_OTHER_FORMAT, objs->dir, 0,
					      "no kernel object in this directory");
}

static struct kma_err *objects_read(struct kma_objects *objs)
{
	_cleanup_(mod_list_deinit) struct kma_mod_list list = { 0 };
	struct kma_err *err;

	err = kma_archives_read(objs->dir, &objs->archives, &objs->gaps) ?:
									   objects_walk(objs, &list);
	if (err)
		return err;
	if (!objs->nr)
		return kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, objs->dir, 0,
			"not a built kernel tree: no object file has a .cmd file");
	objects_sort(objs);
	for (size_t i = 0; i < list.nr; i++) {
		err = objects_read_mod(objs, &list.mods[i]);
		if (err)
			return err;
	}
	err = objects_choose(objs);
	if (err)
		return err;
	objects_relative(objs);
	return NULL;
}

struct kma_err *kma_objects_create(const char *dir, struct kma_objects **ret)
{
	struct kma_objects *objs;
	struct kma_err *err;
	struct stat st;

	if (stat(dir, &st))
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, dir, 0, "cannot open: %s",
					   strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, dir, 0, "not a directory");
	objs = kma_xcalloc(1, sizeof(*objs));
	objs->dir = kma_xstrdup(dir);
	for (size_t len = strlen(dir); len > 1 && objs->dir[len - 1] == '/'; len--)
		objs->dir[len - 1] = '\0';
	err = objects_read(objs);
	if (err) {
		kma_objects_destroy(objs);
		return err;
	}
	*ret = objs;
	return NULL;
}

const struct kma_object *kma_objects_list(const struct kma_objects *objs, size_t *nr)
{
	*nr = objs->nr;
	return objs->list;
}

const char *kma_objects_dir(const struct kma_objects *objs)
{
	return objs->dir;
}

const struct kma_gaps *kma_objects_gaps(const struct kma_objects *objs)
{
	return &objs->gaps;
}

bool kma_objects_have_module(const struct kma_objects *objs, const char *module)
{
	for (size_t i = 0; i < objs->nr_modules; i++)
		if (!strcmp(objs->modules[i], module))
			return true;
	return false;
}

const char *kma_objects_module_file(const struct kma_objects *objs, const char *module)
{
	for (size_t i = 0; i < objs->nr_modules; i++)
		if (!strcmp(objs->modules[i], module))
			return objs->files[i];
	return NULL;
}
