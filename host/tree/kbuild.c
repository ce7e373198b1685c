// SPDX-License-Identifier: GPL-2.0-only
/*
 * kbuild.c - source files of call sites by the objects of a built kernel tree.
 *
 * A call site is "symbol+offset/size [module]". The tree need not have debugging information: each
 * object has symbols, and its .cmd file names its source (kbuild/objects.h). So a site's function
 * leads to an object, and the object to a file. Two tables of symbols are used:
 *
 *	symtab	the symbols of all objects by name. An object is not linked, so its symbols have
 *		no addresses; the table holds the number of the object in their place.
 *	sysmap	the symbols of the linked kernel by name and address, from System.map or vmlinux.
 *		Modules are not in it. NULL if the tree has neither file.
 *
 * A site is looked up in the first of these ways that applies:
 *
 *	1. The site is an address, or the build ID of vmlinux is that of the input: the address
 *	   gives a symbol of sysmap. If several objects have that function, the neighbours decide:
 *	   the right object places other symbols of the section at the distances that sysmap has.
 *	2. The site is in a module: the build ID of the tree's .ko must be that of the input.
 *	3. The name: every object with such a symbol is a candidate. The size selects among them.
 *	   %pS prints the distance to the next symbol, which is st_size plus padding.
 *
 * Candidates that fit equally well leave the site ambiguous (kma_spot_offer()); none is guessed.
 * The symbols are read once, when the first site is looked up: 32 bytes and the name for each.
 * An object or a .ko that cannot be read is counted in the gaps, and its symbols are missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kbuild.h"
#include "kbuild/objects.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "symbol/elf.h"
#include "symbol/symtab.h"
#include "symbol/sysmap.h"

/* Number of the object of a symbol of the table symtab, which has it in place of an address. */
#define KMA_OBJECT_OF(sym) ((size_t)(sym)->addr)

/* The build ID of a module, read when the first of its sites was looked up. */
struct kma_kbuild_module {
	const char *file;		   /* path of the .ko; the text is that of the objects */
	char build_id[KMA_BUILD_ID_CHARS]; /* in hex; "" if the .ko has none or is unreadable */
};

struct kma_kbuild {
	struct kma_source source; /* first member, so that a pointer to it is one to this */
	struct kma_objects *objects;
	struct kma_symtab *symtab; /* of the objects; NULL until the first site is looked up */
	struct kma_symtab *sysmap; /* of the linked kernel; NULL when the tree has none */
	struct kma_image *image;   /* vmlinux: which build it is; NULL when the tree has none */
	bool has_dwarf;		   /* @image has debugging information */
	struct kma_kbuild_module *modules; /* the modules that sites were looked up in */
	size_t nr_modules;
	char release[128]; /* of include/config/kernel.release, for messages */
};

static void kbuild_destroy(struct kma_source *source)
{
	struct kma_kbuild *kb = (struct kma_kbuild *)source;

	kma_objects_destroy(kb->objects);
	kma_symtab_destroy(kb->symtab);
	kma_symtab_destroy(kb->sysmap);
	kma_image_close(kb->image);
	free(kb->modules);
	free(kb);
}

static char *kbuild_path(const struct kma_kbuild *kb, const char *file)
{
	return kma_xasprintf("%s/%s", kma_objects_dir(kb->objects), file);
}

struct kma_object_symbols {
	struct kma_symtab *symtab;
	size_t object;
};

static struct kma_err *kbuild_add_symbol(void *arg, const struct kma_elf_symbol *symbol)
{
	const struct kma_object_symbols *os = arg;

	kma_symtab_add(os->symtab, symbol->name, os->object, symbol->size);
	return NULL;
}

static struct kma_err *kbuild_read_symbols(struct kma_kbuild *kb)
{
	const struct kma_object *objects;
	struct kma_err *err;
	size_t nr;

	kma_symtab_create(&kb->symtab);
	objects = kma_objects_list(kb->objects, &nr);
	for (size_t i = 0; i < nr; i++) {
		_cleanup_free_ char *path = kbuild_path(kb, objects[i].path);
		struct kma_object_symbols os = { kb->symtab, i };
		struct kma_elf_info info;

		err = kma_gaps_note(&kb->source.gaps, KMA_GAP_SYMBOLS,
				    kma_elf_walk(path, &info, kbuild_add_symbol, NULL, &os));
		if (err)
			return err;
	}
	kma_symtab_finish(kb->symtab);
	return NULL;
}

static struct kma_err *kbuild_add_linked(void *arg, const struct kma_elf_symbol *symbol)
{
	kma_symtab_add(arg, symbol->name, symbol->value, symbol->size);
	return NULL;
}

static struct kma_err *kbuild_add_end(void *arg, uint64_t addr)
{
	kma_symtab_add_end(arg, addr);
	return NULL;
}

/* Reads the symbols of a vmlinux, which replace a System.map. */
static struct kma_err *kbuild_read_vmlinux(const char *path, struct kma_symtab **ret)
{
	struct kma_elf_info info;
	struct kma_err *err;

	kma_symtab_create(ret);
	err = kma_elf_walk(path, &info, kbuild_add_linked, kbuild_add_end, *ret);
	if (err)
		return err;
	kma_symtab_finish(*ret);
	return kma_symtab_count(*ret) ? NULL :
					kma_err_create_kind(KMA_ERR_OTHER_FORMAT, path, 0,
							    "no symbols in this file");
}

/* Reads the file that the user gave: an image, or a System.map. */
static struct kma_err *kbuild_read_given(struct kma_kbuild *kb, const char *vmlinux)
{
	struct kma_err *err = kma_image_open(vmlinux, &kb->image);

	if (err)
		return kma_err_is_of_file(err) ? kma_sysmap_try(vmlinux, err, &kb->sysmap) : err;
	return kma_image_rename(kb->image,
				kbuild_read_vmlinux(kma_image_path(kb->image), &kb->sysmap));
}

/* Reads System.map or vmlinux of the tree; both may be missing. */
static struct kma_err *kbuild_read_own(struct kma_kbuild *kb)
{
	_cleanup_free_ char *map = kbuild_path(kb, "System.map");
	_cleanup_free_ char *vmlinux = kbuild_path(kb, "vmlinux");
	struct kma_err *err = NULL;

	/* The objects can be used even if vmlinux is truncated. */
	if (!access(vmlinux, F_OK))
		err = kma_gaps_note(&kb->source.gaps, KMA_GAP_IMAGE,
				    kma_image_open(vmlinux, &kb->image));
	if (err)
		return err;
	if (!access(map, F_OK))
		return kma_sysmap_read(map, &kb->sysmap);
	return access(vmlinux, F_OK) ? NULL : kbuild_read_vmlinux(vmlinux, &kb->sysmap);
}

/* Reads the release and the symbols of the kernel that was linked from the tree. */
static struct kma_err *kbuild_read_top(struct kma_kbuild *kb, const char *given)
{
	_cleanup_free_ char *release = kbuild_path(kb, "include/config/kernel.release");
	_cleanup_free_ char *text = NULL;
	struct kma_err *err, *unread;
	size_t len;

	/* The release is only shown. */
	err = kma_file_slurp_regular(release, &text, &len);
	if (err && !kma_err_is_of_file(err))
		return err;
	if (!err)
		snprintf(kb->release, sizeof(kb->release), "%.*s", (int)strcspn(text, "\n"), text);
	kma_err_destroy(err);
	err = given ? kbuild_read_given(kb, given) : kbuild_read_own(kb);
	if (!err && kb->image) {
		kb->source.build_id = kma_image_build_id(kb->image);
		kb->source.kernel = kb->image;
		unread = kma_image_dwarf(kb->image, &kb->source.has_types);
		/* what cannot be read says so when types are asked for */
		kb->has_dwarf = unread || kb->source.has_types;
		kma_err_destroy(unread);
	}
	return err;
}

static enum kma_fit kbuild_fit(const struct kma_symbol *sym, const struct kma_site *site)
{
	if (!sym->size || !site->size)
		return KMA_FIT_GOOD; /* without sizes, the name is all that can be compared */
	if (site->offset > sym->size)
		return KMA_FIT_NONE;
	if (site->size < sym->size || site->size - sym->size >= KMA_SIZE_PAD)
		return KMA_FIT_POOR;
	return site->size - sym->size < KMA_SIZE_ALIGN ? KMA_FIT_BEST : KMA_FIT_GOOD;
}

/* Does the linked kernel have this symbol with this size? True for modules: sysmap lacks them. */
static bool kbuild_in_sysmap(const struct kma_kbuild *kb, const struct kma_site *site)
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

static bool kbuild_in_module(const struct kma_object *object, const char *module)
{
	return module ? object->module && !strcmp(object->module, module) : !object->module;
}

/*
 * A return address at offset 0 of a symbol belongs to a call at the end of the symbol before it.
 * Replaces the site by that symbol, if sysmap has it. Sites of modules are left as they are.
 */
static void kbuild_call_of(const struct kma_kbuild *kb, struct kma_site *site)
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

/* Offers each object that has a function of that name, and is in the site's module, as a place. */
static void kbuild_by_name(const struct kma_kbuild *kb, const struct kma_site *call,
			   struct kma_spot *ret)
{
	const struct kma_symbol *const *syms;
	const struct kma_object *objects;
	size_t nr, nr_objects;

	objects = kma_objects_list(kb->objects, &nr_objects);
	syms = kma_symtab_named(kb->symtab, call->symbol, &nr);
	for (size_t i = 0; i < nr; i++) {
		const struct kma_object *object = &objects[KMA_OBJECT_OF(syms[i])];

		if (kbuild_in_module(object, call->module))
			kma_spot_offer(ret, kbuild_fit(syms[i], call), object->source);
	}
}

/* Compares the symbols around a function in an object with those around it in the kernel. */
struct kma_neighbours {
	const struct kma_symtab *sysmap; /* of the linked kernel */
	const struct kma_symbol *linked; /* the function in the linked kernel */
	bool known;			 /* the object has the function: here is set */
	struct kma_elf_symbol here;	 /* the function in the object */
	size_t agree; /* symbols of its section at the same distance from it in the kernel */
};

static struct kma_err *neighbours_find(void *arg, const struct kma_elf_symbol *symbol)
{
	struct kma_neighbours *nb = arg;

	if (!strcmp(symbol->name, nb->linked->name)) {
		nb->known = true;
		nb->here = *symbol;
	}
	return NULL;
}

static struct kma_err *neighbours_count(void *arg, const struct kma_elf_symbol *symbol)
{
	struct kma_neighbours *nb = arg;
	const struct kma_symbol *const *syms;
	size_t nr;

	if (symbol->section != nb->here.section)
		return NULL;
	syms = kma_symtab_named(nb->sysmap, symbol->name, &nr);
	for (size_t i = 0; i < nr; i++)
		nb->agree += syms[i]->addr - nb->linked->addr == symbol->value - nb->here.value;
	return NULL;
}

/* Counts the neighbours of a function that show that it is the one of this object. */
static struct kma_err *kbuild_agree(const struct kma_kbuild *kb, const struct kma_symbol *linked,
				    const struct kma_object *object, size_t *ret)
{
	struct kma_neighbours nb = { .sysmap = kb->sysmap, .linked = linked };
	_cleanup_free_ char *path = kbuild_path(kb, object->path);
	struct kma_elf_info info;
	struct kma_err *err;

	err = kma_elf_walk(path, &info, neighbours_find, NULL, &nb);
	if (!err && nb.known)
		err = kma_elf_walk(path, &info, neighbours_count, NULL, &nb);
	*ret = err ? 0 : nb.agree;
	/* kbuild_read_symbols() has counted objects that cannot be read. */
	if (err && !kma_err_is_of_file(err))
		return err;
	kma_err_destroy(err);
	return NULL;
}

/*
 * Selects the object of a function by the number of neighbours that agree. A symbol always agrees
 * with itself, so a count of 1 is not evidence. Without evidence the place stays as it is.
 */
static struct kma_err *kbuild_by_neighbours(const struct kma_kbuild *kb,
					    const struct kma_symbol *linked, struct kma_spot *ret)
{
	const struct kma_symbol *const *syms;
	const struct kma_object *objects;
	size_t nr, nr_objects, agree, best = 1;
	struct kma_err *err;

	objects = kma_objects_list(kb->objects, &nr_objects);
	syms = kma_symtab_named(kb->symtab, linked->name, &nr);
	for (size_t i = 0; i < nr; i++) {
		const struct kma_object *object = &objects[KMA_OBJECT_OF(syms[i])];

		if (object->module)
			continue;
		err = kbuild_agree(kb, linked, object, &agree);
		if (err)
			return err;
		if (agree < best || agree == 1)
			continue;
		ret->found = agree > best ? KMA_FOUND_FILE : KMA_FOUND_AMBIGUOUS;
		ret->path = object->source;
		best = agree;
	}
	return NULL;
}

static const struct kma_symbol *kbuild_symbol_at(const struct kma_source *source, uint64_t addr)
{
	const struct kma_kbuild *kb = (const struct kma_kbuild *)source;

	return kb->sysmap ? kma_symtab_at(kb->sysmap, addr) : NULL;
}

/* Finds the place of a return address. The call is the instruction before it. */
static struct kma_err *kbuild_by_address(const struct kma_kbuild *kb, uint64_t addr,
					 struct kma_spot *ret)
{
	const struct kma_symbol *linked = kbuild_symbol_at(&kb->source, addr - 1);
	struct kma_site call = { 0 };

	if (!linked) {
		ret->found = KMA_FOUND_NO_SYMBOL;
		return NULL;
	}
	call.symbol = linked->name;
	call.size = linked->span;
	call.offset = addr - linked->addr;
	ret->addr = addr;
	kbuild_by_name(kb, &call, ret);
	if (ret->found != KMA_FOUND_AMBIGUOUS && ret->found != KMA_FOUND_DIR)
		return NULL;
	return kbuild_by_neighbours(kb, linked, ret);
}

/* Linked address of a site of the kernel proper, if the tree is of its build; else 0. */
static uint64_t kbuild_address(const struct kma_kbuild *kb, const struct kma_site *site)
{
	const struct kma_symbol *const *syms;
	uint64_t addr;
	size_t nr;

	if (!kb->sysmap || !kb->image || site->module || !site->build_id ||
	    strcmp(site->build_id, kb->source.build_id))
		return 0;
	syms = kma_symtab_named(kb->sysmap, "_stext", &nr);
	if (!nr)
		return 0;
	addr = syms[0]->addr + site->text;
	/* The name has to agree: an address alone gives some function in any case. */
	syms = kma_symtab_named(kb->sysmap, site->symbol, &nr);
	for (size_t i = 0; i < nr; i++)
		if (syms[i]->addr + site->offset == addr)
			return addr;
	return 0;
}

/* Linked address of a site by its symbol, if just one has that name and size; else 0. */
static uint64_t kbuild_named(const struct kma_kbuild *kb, const struct kma_site *site)
{
	const struct kma_symbol *const *syms;
	uint64_t addr = 0;
	size_t nr;

	if (!kb->sysmap || site->module)
		return 0;
	syms = kma_symtab_named(kb->sysmap, site->symbol, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (site->size && syms[i]->span != site->size)
			continue;
		if (addr)
			return 0;
		addr = syms[i]->addr + site->offset;
	}
	return addr;
}

/* Finds the build ID of a module; each .ko is opened once. */
static struct kma_err *kbuild_module(struct kma_kbuild *kb, const char *name,
				     const struct kma_kbuild_module **ret)
{
	const char *file = kma_objects_module_file(kb->objects, name);
	struct kma_kbuild_module *module;
	struct kma_image *image = NULL;
	struct kma_err *err = NULL;

	for (size_t i = 0; i < kb->nr_modules; i++) {
		*ret = &kb->modules[i];
		if ((*ret)->file == file)
			return NULL;
	}
	kb->modules = kma_xrealloc(kb->modules, kb->nr_modules + 1, sizeof(*module));
	module = &kb->modules[kb->nr_modules++];
	*module = (struct kma_kbuild_module){ .file = file };
	if (file && !access(file, F_OK))
		err = kma_gaps_note(&kb->source.gaps, KMA_GAP_MODULE, kma_image_open(file, &image));
	if (err)
		return err;
	if (image)
		snprintf(module->build_id, sizeof(module->build_id), "%s",
			 kma_image_build_id(image));
	kma_image_close(image);
	*ret = module;
	return NULL;
}

/* Sets @ret if the tree cannot place the sites of a module: not built here, or another build. */
static struct kma_err *kbuild_check_module(struct kma_kbuild *kb, const struct kma_site *site,
					   enum kma_found *ret)
{
	const struct kma_kbuild_module *module;
	struct kma_err *err;

	if (!kma_objects_have_module(kb->objects, site->module)) {
		*ret = KMA_FOUND_NO_MODULE;
		return NULL;
	}
	if (!site->build_id || kb->source.force)
		return NULL;
	err = kbuild_module(kb, site->module, &module);
	if (!err && *module->build_id && strcmp(module->build_id, site->build_id))
		*ret = KMA_FOUND_OTHER_BUILD;
	return err;
}

static struct kma_err *kbuild_locate(struct kma_source *source, const struct kma_site *site,
				     struct kma_spot *ret)
{
	struct kma_kbuild *kb = (struct kma_kbuild *)source;
	struct kma_site call = *site;
	struct kma_err *err;
	uint64_t addr;

	memset(ret, 0, sizeof(*ret));
	ret->found = KMA_FOUND_UNKNOWN;
	if (!kb->symtab) {
		err = kbuild_read_symbols(kb);
		if (err)
			return err;
	}
	addr = site->symbol ? kbuild_address(kb, site) : site->offset;
	if (addr || !site->symbol)
		return kbuild_by_address(kb, addr, ret);
	if (site->module) {
		err = kbuild_check_module(kb, site, &ret->found);
		if (err || ret->found != KMA_FOUND_UNKNOWN)
			return err;
	}
	kbuild_call_of(kb, &call);
	kbuild_by_name(kb, &call, ret);
	if (ret->fit >= KMA_FIT_GOOD && !kbuild_in_sysmap(kb, site))
		ret->fit = KMA_FIT_POOR;
	ret->addr = kbuild_named(kb, site);
	return NULL;
}

static bool kbuild_text(const struct kma_source *source, uint64_t *start, uint64_t *end)
{
	const struct kma_kbuild *kb = (const struct kma_kbuild *)source;

	return kb->image && kma_image_main_text(kb->image, start, end);
}

static int kbuild_calls(const struct kma_source *source, uint64_t addr)
{
	return kma_image_calls(((const struct kma_kbuild *)source)->image, addr);
}

/* Modules have a file for each object, with other addresses: their types are not looked for. */
static const struct kma_image *kbuild_image(const struct kma_source *source,
					    const struct kma_site *site,
					    const struct kma_symtab **symtab)
{
	const struct kma_kbuild *kb = (const struct kma_kbuild *)source;

	*symtab = kb->sysmap;
	return site->module || !kb->has_dwarf ? NULL : kb->image;
}

static const struct kma_objects *kbuild_objects(const struct kma_source *source)
{
	return ((const struct kma_kbuild *)source)->objects;
}

static const struct kma_source_ops kma_kbuild_ops = {
	.locate = kbuild_locate,
	.symbol_at = kbuild_symbol_at,
	.text = kbuild_text,
	.calls = kbuild_calls,
	.image = kbuild_image,
	.objects = kbuild_objects,
	.destroy = kbuild_destroy,
};

struct kma_err *kma_kbuild_create(const char *dir, const char *vmlinux, struct kma_source **ret)
{
	struct kma_objects *objects;
	struct kma_kbuild *kb;
	struct kma_err *err;

	err = kma_objects_create(dir, &objects);
	if (err)
		return err;
	kb = kma_xcalloc(1, sizeof(*kb));
	kb->source.ops = &kma_kbuild_ops;
	kb->source.name = dir;
	kb->source.release = kb->release;
	kb->source.gaps = *kma_objects_gaps(objects);
	kb->objects = objects;
	err = kbuild_read_top(kb, vmlinux);
	if (err) {
		kbuild_destroy(&kb->source);
		return err;
	}
	*ret = &kb->source;
	return NULL;
}
