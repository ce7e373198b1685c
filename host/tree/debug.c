// SPDX-License-Identifier: GPL-2.0-only
/*
 * debug.c - source files of call sites by the debugging information of vmlinux
 * and of the modules.
 *
 * A site becomes one or more addresses in vmlinux or in the .ko of its module. If the build ID is
 * that of the input, the input's offset gives the address, and a symbol of the site's name has to
 * be there: an address alone would give some function in any file. Otherwise each symbol of that
 * name is a candidate, and the size selects among them; candidates that fit equally well in
 * different files leave the site ambiguous (kma_spot_offer()). An address gives its frames and
 * file (symbol/dwarf.h).
 *
 * A vmlinux without debugging information still gives symbols for addresses, identifies the build,
 * corrects KASLR by its code, and has the names of most files. If it is also stripped of its
 * symbols, those of the System.map in the same directory are used. source.lack says what is
 * missing.
 *
 * Modules are found by name below one directory, which is listed when the first site in a module is
 * looked up. Only modules of such sites are opened, each at most once. The directory of a module
 * that cannot be read is known from its path: kernel/fs/ext4/ext4.ko was built in fs/ext4.
 */
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debug.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "symbol/binary.h"
#include "symbol/dwarf.h"
#include "symbol/origin.h"
#include "symbol/sysmap.h"

struct kma_module {
	char *name;	      /* as the kernel prints it, with "_" for each "-" */
	char *path;	      /* path of the .ko */
	char *fallback;	      /* file to show without debugging information: "fs/ext4/ext4.ko" */
	bool tried;	      /* the program has tried to open it */
	struct kma_dwarf *dw; /* NULL until it is tried, or if it cannot be read */
};

struct kma_debug {
	struct kma_source source;    /* first member, so that a pointer to it is one to this */
	struct kma_dwarf *vmlinux;   /* NULL when the user gave a System.map */
	struct kma_symtab *sysmap;   /* System.map, if vmlinux is missing or has no symbols */
	struct kma_origins *origins; /* if vmlinux has no debugging information; else NULL */
	struct kma_module *modules;  /* all .ko files below modules_dir */
	size_t nr_modules;
	bool modules_read; /* modules_dir was listed */
	char *modules_dir; /* NULL when there is none */
};

static void debug_destroy(struct kma_source *source)
{
	struct kma_debug *debug = (struct kma_debug *)source;

	for (size_t i = 0; i < debug->nr_modules; i++) {
		free(debug->modules[i].name);
		free(debug->modules[i].path);
		free(debug->modules[i].fallback);
		kma_dwarf_destroy(debug->modules[i].dw);
	}
	free(debug->modules);
	free(debug->modules_dir);
	kma_dwarf_destroy(debug->vmlinux);
	kma_symtab_destroy(debug->sysmap);
	kma_origins_destroy(debug->origins);
	free(debug);
}

/* Returns the symbols of the kernel proper. */
static const struct kma_symtab *debug_symtab(const struct kma_debug *debug)
{
	return debug->sysmap ?: kma_dwarf_symtab(debug->vmlinux);
}

static void debug_add_module(struct kma_debug *debug, const FTSENT *entry)
{
	size_t len = kma_binary_module_len(entry->fts_name);
	const char *below = entry->fts_path + strlen(debug->modules_dir);
	struct kma_module mod = { 0 };

	debug->modules = kma_xrealloc(debug->modules, debug->nr_modules + 1, sizeof(mod));
	below += strspn(below, "/");
	if (!strncmp(below, "kernel/", 7))
		below += 7;
	mod.name = kma_xstrndup(entry->fts_name, len);
	mod.path = kma_xstrdup(entry->fts_path);
	mod.fallback = kma_xstrdup(below);
	debug->modules[debug->nr_modules++] = mod;
	for (char *p = mod.name; *p; p++)
		if (*p == '-')
			*p = '_';
}

static struct kma_err *debug_list_modules(struct kma_debug *debug)
{
	char *roots[] = { debug->modules_dir, NULL };
	struct kma_err *err = NULL;
	FTSENT *entry;
	FTS *fts;

	debug->modules_read = true;
	if (!debug->modules_dir)
		return NULL;
	fts = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	if (!fts)
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, debug->modules_dir, 0,
					   "cannot open: %s", strerror(errno));
	while (!err && (entry = fts_read(fts))) {
		/* "build" and "source" are links to trees of their own: do not search them. */
		if (entry->fts_info == FTS_D && entry->fts_level &&
		    (!strcmp(entry->fts_name, "build") || !strcmp(entry->fts_name, "source")))
			fts_set(fts, entry, FTS_SKIP);
		else if (entry->fts_info == FTS_DNR)
			err = kma_gaps_note(
				&debug->source.gaps, KMA_GAP_DIR,
				kma_err_create_kind(KMA_ERR_NOT_READABLE, entry->fts_path, 0,
						    "cannot open: %s", strerror(entry->fts_errno)));
		else if (entry->fts_info != FTS_D && entry->fts_info != FTS_DP &&
			 kma_binary_module_len(entry->fts_name))
			debug_add_module(debug, entry);
	}
	fts_close(fts);
	return err;
}

/*
 * Finds the module of a site. There may be several of one name (in kernel/, in updates/): takes the
 * one with the build ID of the site, or the first if there is none or the ID is unknown.
 */
static struct kma_err *debug_find_module(struct kma_debug *debug, const struct kma_site *site,
					 struct kma_module **ret)
{
	struct kma_err *err;

	*ret = NULL;
	if (!debug->modules_read) {
		err = debug_list_modules(debug);
		if (err)
			return err;
	}
	for (size_t i = 0; i < debug->nr_modules; i++) {
		struct kma_module *mod = &debug->modules[i];

		if (strcmp(mod->name, site->module))
			continue;
		if (!mod->tried) {
			mod->tried = true;
			/* If the module cannot be read, its path in the tree is sufficient. */
			err = kma_gaps_note(&debug->source.gaps, KMA_GAP_MODULE,
					    kma_dwarf_create(mod->path, &mod->dw));
			if (err)
				return err;
		}
		*ret = *ret ?: mod;
		if (!site->build_id)
			return NULL;
		if (!mod->dw ||
		    strcmp(site->build_id, kma_image_build_id(kma_dwarf_image(mod->dw))))
			continue;
		*ret = mod;
		return NULL;
	}
	return NULL;
}

static enum kma_fit debug_fit(const struct kma_symbol *sym, const struct kma_site *site)
{
	if (site->offset > sym->span && site->offset > sym->size)
		return KMA_FIT_NONE;
	if (!site->size || site->size == sym->span)
		return KMA_FIT_BEST;
	/* Ends of sections and symbols that kallsyms leaves out change a span by some bytes. */
	if (sym->size && site->size >= sym->size && site->size - sym->size < KMA_SIZE_PAD)
		return KMA_FIT_GOOD;
	return KMA_FIT_POOR;
}

/* Offers a return address as the place of a site, with its file and its frames. */
static void debug_offer(const struct kma_debug *debug, const struct kma_dwarf *dw, uint64_t addr,
			enum kma_fit fit, struct kma_spot *ret)
{
	const struct kma_symbol *sym;
	bool better = fit > ret->fit;
	struct kma_call call;
	const char *path = NULL;

	call.nr_frames = 0;
	if (dw && kma_dwarf_call(dw, addr, &call)) {
		path = kma_call_file(&call, debug->source.inlines);
	} else if (debug->origins && dw == debug->vmlinux) {
		sym = kma_symtab_at(debug_symtab(debug), kma_dwarf_return(dw, addr) - 1);
		path = sym ? kma_origins_at(debug->origins, sym->addr) : NULL;
	}
	kma_spot_offer(ret, fit, path && *path ? path : NULL);
	/* Two addresses that fit equally well: neither is known to be the right one. */
	if (better)
		ret->addr = addr;
	else if (fit == ret->fit && ret->addr != addr)
		ret->addr = 0;
	if (ret->found != KMA_FOUND_FILE)
		ret->call.nr_frames = 0;
	else if (ret->path == path)
		ret->call = call;
}

/* Address of a site by its offset in the text, if @dw is of the site's build; else 0. */
static uint64_t debug_address(const struct kma_dwarf *dw, const struct kma_symtab *symtab,
			      const struct kma_site *site)
{
	const struct kma_symbol *const *syms;
	size_t nr;

	if (!dw || !site->build_id ||
	    strcmp(site->build_id, kma_image_build_id(kma_dwarf_image(dw))))
		return 0;
	if (site->module)
		return site->text + (site->in_init ? KMA_IMAGE_INIT : 0);
	syms = kma_symtab_named(symtab, "_stext", &nr);
	return nr ? syms[0]->addr + site->text : 0;
}

/*
 * Finds the place of a site with a name: by its address if the build is the right one and a symbol
 * of that name is there, else by all symbols of that name.
 */
static void debug_by_name(const struct kma_debug *debug, const struct kma_dwarf *dw,
			  const struct kma_site *site, struct kma_spot *ret)
{
	const struct kma_symtab *symtab = site->module ? kma_dwarf_symtab(dw) : debug_symtab(debug);
	uint64_t addr = debug_address(dw, symtab, site);
	const struct kma_symbol *const *syms;
	size_t nr;

	syms = kma_symtab_named(symtab, site->symbol, &nr);
	for (size_t i = 0; i < nr && addr; i++)
		if (syms[i]->addr + site->offset == addr) {
			debug_offer(debug, dw, addr, KMA_FIT_BEST, ret);
			return;
		}
	for (size_t i = 0; i < nr; i++)
		debug_offer(debug, dw, syms[i]->addr + site->offset, debug_fit(syms[i], site), ret);
}

static const struct kma_symbol *debug_symbol_at(const struct kma_source *source, uint64_t addr)
{
	const struct kma_debug *debug = (const struct kma_debug *)source;

	return kma_symtab_at(debug_symtab(debug), addr);
}

static bool debug_text(const struct kma_source *source, uint64_t *start, uint64_t *end)
{
	const struct kma_debug *debug = (const struct kma_debug *)source;

	return debug->vmlinux && kma_image_main_text(kma_dwarf_image(debug->vmlinux), start, end);
}

static int debug_calls(const struct kma_source *source, uint64_t addr)
{
	const struct kma_debug *debug = (const struct kma_debug *)source;

	return debug->vmlinux ? kma_image_calls(kma_dwarf_image(debug->vmlinux), addr) : -1;
}

/* Finds the place of a return address in vmlinux as it was linked. */
static void debug_by_address(const struct kma_debug *debug, uint64_t addr, struct kma_spot *ret)
{
	debug_offer(debug, debug->vmlinux, addr, KMA_FIT_BEST, ret);
	if (ret->found != KMA_FOUND_FILE && !debug_symbol_at(&debug->source, addr - 1))
		ret->found = KMA_FOUND_NO_SYMBOL;
}

static bool debug_other_build(const struct kma_debug *debug, const struct kma_dwarf *dw,
			      const struct kma_site *site)
{
	const char *build_id = kma_image_build_id(kma_dwarf_image(dw));

	return !debug->source.force && site->build_id && *build_id &&
	       strcmp(build_id, site->build_id);
}

static struct kma_err *debug_in_module(struct kma_debug *debug, const struct kma_site *site,
				       struct kma_spot *ret)
{
	struct kma_module *mod;
	struct kma_err *err;

	err = debug_find_module(debug, site, &mod);
	if (err)
		return err;
	if (!mod) {
		ret->found = KMA_FOUND_NO_MODULE;
		return NULL;
	}
	if (mod->dw && debug_other_build(debug, mod->dw, site)) {
		ret->found = KMA_FOUND_OTHER_BUILD;
		return NULL;
	}
	if (mod->dw)
		debug_by_name(debug, mod->dw, site, ret);
	if (!mod->dw || ret->found == KMA_FOUND_NO_FILE || ret->found == KMA_FOUND_UNKNOWN) {
		ret->found = KMA_FOUND_FILE;
		ret->path = mod->fallback;
		ret->call.nr_frames = 0;
	}
	return NULL;
}

static struct kma_err *debug_locate(struct kma_source *source, const struct kma_site *site,
				    struct kma_spot *ret)
{
	struct kma_debug *debug = (struct kma_debug *)source;

	memset(ret, 0, sizeof(*ret));
	ret->found = KMA_FOUND_UNKNOWN;
	if (!site->symbol)
		debug_by_address(debug, site->offset, ret);
	else if (!site->module)
		debug_by_name(debug, debug->vmlinux, site, ret);
	else
		return debug_in_module(debug, site, ret);
	if (debug->origins && ret->found == KMA_FOUND_FILE && !strchr(ret->path, '/'))
		ret->found = KMA_FOUND_NAME;
	return NULL;
}

static const struct kma_image *debug_image(const struct kma_source *source,
					   const struct kma_site *site,
					   const struct kma_symtab **symtab)
{
	const struct kma_debug *debug = (const struct kma_debug *)source;
	const struct kma_dwarf *dw = site->module ? NULL : debug->vmlinux;

	/* the module that debug_find_module() has taken */
	for (size_t i = 0; site->module && i < debug->nr_modules; i++) {
		const struct kma_module *mod = &debug->modules[i];

		if (strcmp(mod->name, site->module) || !mod->dw)
			continue;
		dw = dw ?: mod->dw;
		if (!site->build_id ||
		    strcmp(site->build_id, kma_image_build_id(kma_dwarf_image(mod->dw))))
			continue;
		dw = mod->dw;
		break;
	}
	if (!dw || !kma_dwarf_units(dw))
		return NULL;
	*symtab = kma_dwarf_symtab(dw);
	return kma_dwarf_image(dw);
}

static const struct kma_source_ops kma_debug_ops = {
	.locate = debug_locate,
	.symbol_at = debug_symbol_at,
	.text = debug_text,
	.calls = debug_calls,
	.image = debug_image,
	.destroy = debug_destroy,
};

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/*
 * Guesses the directory of modules. For X/boot/vmlinux-REL it is X/lib/modules/REL (Debian, where X
 * is /usr/lib/debug); X/lib/modules/REL/vmlinux is in it (Fedora). NULL if neither exists.
 */
static char *debug_guess_modules(const char *vmlinux)
{
	_cleanup_free_ char *below = NULL;
	static const char name[] = "vmlinux-";
	const char *slash = strrchr(vmlinux, '/');
	const char *base = slash ? slash + 1 : vmlinux;
	const char *dir = slash ? vmlinux : ".";
	int len = slash ? slash - vmlinux : 1;

	if (!strncmp(base, name, strlen(name))) {
		char *guess =
			kma_xasprintf("%.*s/../lib/modules/%s", len, dir, base + strlen(name));

		if (is_dir(guess))
			return guess;
		free(guess);
	}
	below = kma_xasprintf("%.*s/kernel", len, dir);
	return strcmp(base, "vmlinux") || !is_dir(below) ? NULL : kma_xstrndup(dir, len);
}

static const char kma_lack_dirs[] =
	"no debugging information; files are shown by name, without directories (use -k DIR for directories)";
static const char kma_lack_files[] =
	"no debugging information; functions are shown without files (use -k DIR for files)";

static const char kma_lack_units[] =
	"its debugging information is incomplete: corrupt, or .dwo files are missing";

/* Reads the System.map of a vmlinux: System.map-REL for vmlinux-REL, System.map for vmlinux. */
static struct kma_err *debug_read_sysmap(const char *vmlinux, struct kma_symtab **ret)
{
	const char *slash = strrchr(vmlinux, '/'), *base = slash ? slash + 1 : vmlinux;
	_cleanup_free_ char *path = NULL;

	path = kma_xasprintf("%.*sSystem.map%s", (int)(base - vmlinux), vmlinux,
			     strchrnul(base, '-'));
	if (access(path, F_OK))
		return kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, vmlinux, 0,
			"no debugging information (DWARF), no symbols, and no file %s", path);
	return kma_sysmap_read(path, ret);
}

/* Prepares a source without debugging information: symbols, and the names of files. */
static struct kma_err *debug_by_symbols(struct kma_debug *debug)
{
	const struct kma_image *image = kma_dwarf_image(debug->vmlinux);
	struct kma_err *err;

	if (!kma_symtab_count(kma_dwarf_symtab(debug->vmlinux))) {
		err = debug_read_sysmap(debug->source.name, &debug->sysmap);
		if (err)
			return err;
	}
	err = kma_image_rename(image, kma_origins_create(kma_image_path(image), &debug->origins));
	if (err)
		return err;
	debug->source.lack = kma_origins_count(debug->origins) ? kma_lack_dirs : kma_lack_files;
	return NULL;
}

/* Opens the file that the user gave: a vmlinux or a System.map. */
static struct kma_err *debug_read(struct kma_debug *debug)
{
	struct kma_err *err = kma_dwarf_create(debug->source.name, &debug->vmlinux);

	if (err) {
		debug->source.lack = kma_lack_files;
		return kma_err_is_of_file(err) ?
			       kma_sysmap_try(debug->source.name, err, &debug->sysmap) :
			       err;
	}
	debug->source.has_types = kma_dwarf_units(debug->vmlinux);
	if (!debug->source.has_types) {
		err = debug_by_symbols(debug);
		if (err)
			return err;
	} else if (!kma_dwarf_is_whole(debug->vmlinux)) {
		debug->source.lack = kma_lack_units;
	}
	debug->source.release = kma_dwarf_release(debug->vmlinux);
	debug->source.kernel = kma_dwarf_image(debug->vmlinux);
	debug->source.build_id = kma_image_build_id(debug->source.kernel);
	return NULL;
}

struct kma_err *kma_debug_create(const char *vmlinux, const char *modules, struct kma_source **ret)
{
	struct kma_debug *debug;
	struct kma_err *err;

	if (modules && !is_dir(modules))
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, modules, 0,
					   "not a directory of modules");
	debug = kma_xcalloc(1, sizeof(*debug));
	debug->source.ops = &kma_debug_ops;
	debug->source.name = vmlinux;
	debug->modules_dir = modules ? kma_xstrdup(modules) : debug_guess_modules(vmlinux);
	err = debug_read(debug);
	if (err) {
		debug_destroy(&debug->source);
		return err;
	}
	*ret = &debug->source;
	return NULL;
}
