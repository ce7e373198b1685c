// SPDX-License-Identifier: GPL-2.0-only
/*
 * sizes.c - load the static sizes of a built tree, or of debug files, as the options say.
 *
 * Sizes come from one of two sources: debug files (image/stock.h), if --vmlinux, --kernel-package
 * or the name itself says so; else a built tree: its objects (kbuild/static.h) and with --image the
 * linked vmlinux by the linker's map (image/linked.h), or without a map by its debugging information.
 * All fill in struct kma_static, and tree/footprint.c makes the rows. A vmlinux that cannot be used
 * leaves the sizes of the objects, with a warning.
 */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/notes.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/strbuf.h"
#include "model/account.h"
#include "sizes.h"
#include "tree/kernel.h"
#include "tree/maintainers.h"
#include "tree/node.h"

/*
 * Find the debug files of a kernel in the packages of distributions.
 */

/* The layouts of packages, in order of preference: the first that matches any file is used. */
static const struct kma_package_form {
	const char *vmlinux; /* pattern of the kernel */
	const char *modules; /* directory of its modules, %s is the release; NULL: as vmlinux */
	bool tree;	     /* a built kernel tree has this file, too */
} kma_package_forms[] = {
	{ "usr/lib/debug/boot/vmlinux-*", "usr/lib/debug/lib/modules/%s/kernel",
	  false },						    /* Debian */
	{ "usr/lib/debug/lib/modules/*/vmlinux", NULL, false },	    /* Fedora, Debian 13 */
	{ "usr/lib/debug/usr/lib/modules/*/vmlinux", NULL, false }, /* merged /usr */
	{ "usr/lib/modules/*/vmlinux", NULL, false },
	{ "boot/vmlinux-*", "lib/modules/%s/kernel", false },
	{ "vmlinux-*", NULL, true },
	{ "vmlinux", NULL, true },
};

/* Returns the number of kernels in a directory that have this form. */
static size_t package_glob(const char *dir, const struct kma_package_form *form, glob_t *ret)
{
	_cleanup_free_ char *pattern = kma_xasprintf("%s/%s", *dir ? dir : ".", form->vmlinux);
	int status = glob(pattern, 0, NULL, ret);

	if (status == GLOB_NOSPACE)
		kma_atend_no_memory();
	return status ? 0 : ret->gl_pathc;
}

static struct kma_err *package_several(const char *dir, const glob_t *found)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };

	for (size_t i = 0; i < found->gl_pathc && i < 4; i++)
		kma_strbuf_printf(&names, "%s%s", i ? ", " : "", found->gl_pathv[i]);
	if (found->gl_pathc > 4)
		kma_strbuf_puts(&names, ", ...");
	return kma_err_create_kind(KMA_ERR_NOT_FOUND, dir, 0,
				   "has %zu kernels (%s); choose one with --vmlinux FILE",
				   (size_t)found->gl_pathc, names.str);
}

static void package_take(const char *dir, const struct kma_package_form *form, const char *vmlinux,
			 struct kma_package *ret)
{
	const char *base = strrchr(vmlinux, '/') ? strrchr(vmlinux, '/') + 1 : vmlinux;
	const char *release = strchrnul(base, '-');
	_cleanup_free_ char *below = NULL;

	ret->vmlinux = kma_xstrdup(vmlinux);
	if (!form->modules) {
		ret->modules = kma_xstrndup(vmlinux, base - vmlinux);
		return;
	}
	/* The release comes from a name of a file: %s is the only conversion of the table. */
	below = kma_xstrdup(form->modules);
	*strstr(below, "%s") = '\0';
	ret->modules = kma_xasprintf("%s/%s%s%s", dir, below, *release ? release + 1 : "",
				     strstr(form->modules, "%s") + 2);
	if (!kma_file_is_dir(ret->modules)) {
		free(ret->modules);
		ret->modules = NULL;
	}
}

/*
 * Finds the debug files of a kernel below @dir: a directory into which a package was unpacked ("/"
 * for an installed one), or one kernel's modules (/usr/lib/debug/lib/modules/RELEASE). An error of
 * kind KMA_ERR_NOT_FOUND means that there is no kernel, or that there are several, of which it
 * lists up to four. @ret has to be deinitialised also after an error.
 */
static struct kma_err *package_find(const char *dir, struct kma_package *ret)
{
	*ret = (struct kma_package){ 0 };
	if (!kma_file_is_dir(dir))
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, dir, 0, "not a directory");
	for (size_t i = 0; i < ARRAY_SIZE(kma_package_forms); i++) {
		const struct kma_package_form *form = &kma_package_forms[i];
		struct kma_err *err = NULL;
		glob_t found = { 0 };
		size_t nr = package_glob(dir, form, &found);

		if (nr > 1)
			err = package_several(dir, &found);
		else if (nr)
			package_take(dir, form, found.gl_pathv[0], ret);
		globfree(&found);
		if (err || ret->vmlinux)
			return err;
	}
	return kma_err_create_kind(
		KMA_ERR_NOT_FOUND, dir, 0,
		"has no vmlinux; give the directory with the files of the kernel's debug package, or / if it is installed");
}

/*
 * Does the directory look like an unpacked debug package, that is, does it have a vmlinux at a path
 * at which a built kernel tree has none?
 */
static bool package_is(const char *dir)
{
	bool is = false;

	for (size_t i = 0; i < ARRAY_SIZE(kma_package_forms) && !is; i++) {
		glob_t found = { 0 };

		if (kma_package_forms[i].tree)
			continue;
		is = package_glob(dir, &kma_package_forms[i], &found);
		globfree(&found);
	}
	return is;
}

static void package_deinit(struct kma_package *package)
{
	free(package->vmlinux);
	free(package->modules);
}

void kma_sizes_deinit(struct kma_sizes *sizes)
{
	kma_account_destroy(sizes->account);
	kma_node_destroy(sizes->root);
	kma_maintainers_destroy(sizes->maintainers);
	kma_linked_destroy(sizes->image);
	if (!sizes->stock)
		kma_static_destroy(sizes->st);
	kma_stock_destroy(sizes->stock);
	package_deinit(&sizes->package);
	kma_objects_destroy(sizes->objects);
}

static void sizes_note(const struct kma_sizes *sizes, struct kma_notes *notes)
{
	const struct kma_static_stats *stats = &sizes->st->stats;

	kma_notes_gaps(notes, sizes->dir, &sizes->gaps, KMA_GAPS_SIZES);
	if (sizes->stock && sizes->stock->missing)
		kma_notes_add(notes,
			      "%s: %" PRIu64
			      " compilation %s corrupt or missing, so the code has no source file",
			      sizes->dir, sizes->stock->missing,
			      kma_plural(sizes->stock->missing, "unit is", "units are"));
	if (sizes->stock && sizes->stock->nr_twice)
		kma_notes_add(notes,
			      "%s: %zu %s left out, because another file has the same module (%s)",
			      sizes->dir, sizes->stock->nr_twice,
			      kma_plural(sizes->stock->nr_twice, "file is", "files are"),
			      sizes->stock->twice ?: "");
	if (stats->lto)
		kma_notes_add(
			notes,
			"%s: %zu of %zu objects %s for link-time optimisation; the code is only in vmlinux%s",
			sizes->dir, stats->lto, stats->objects, kma_plural(stats->lto, "is", "are"),
			sizes->no_image ? "" : "; use --image to show it");
	if (sizes->image && sizes->image->differ)
		kma_notes_add(
			notes,
			"%s: %zu %s another size than when vmlinux was linked; the tree was built again, or in part",
			sizes->dir, sizes->image->differ,
			kma_plural(sizes->image->differ, "section of an object has",
				   "sections of objects have"));
}

static void sizes_say(const struct kma_sizes *sizes)
{
	struct kma_notes notes = { 0 };

	sizes_note(sizes, &notes);
	for (const char *note = NULL; (note = kma_notes_next(&notes, note));)
		kma_warn("%s", note);
	kma_notes_deinit(&notes);
}

/*
 * Compares the objects with vmlinux by the linker's map. Without a map of use, vmlinux is shown by its
 * debugging information, which knows files, but not objects; without that, the objects are shown.
 */
static struct kma_err *sizes_link(const struct kma_sizes_options *opts, struct kma_sizes *sizes)
{
	_cleanup_free_ char *why = NULL, *vmlinux = kma_xasprintf("%s/vmlinux", sizes->dir);
	struct kma_err *err, *no_stock = NULL;

	err = kma_linked_create(sizes->dir, sizes->st, &sizes->image);
	if (!kma_err_is_of_file(err))
		return err;
	why = kma_err_text(err);
	kma_err_destroy(err);
	sizes->metrics = KMA_STATIC_METRICS;
	if (opts->key != KMA_FOOTPRINT_OBJECT) {
		struct kma_static *objects = sizes->st;

		no_stock = kma_stock_read(vmlinux, NULL, &sizes->stock);
		if (!no_stock) {
			sizes->st = sizes->stock->st;
			kma_static_destroy(objects);
			kma_warn(
				"%s; showing vmlinux by its debugging information (the linker's map, CONFIG_VMLINUX_MAP=y, also tells objects, merged and discarded bytes)",
				why);
			return NULL;
		}
	}
	kma_err_destroy(no_stock);
	kma_warn(
		"%s; showing the objects as they were compiled (the linker's map, CONFIG_VMLINUX_MAP=y, tells what was linked)",
		why);
	sizes->no_image = true;
	return NULL;
}

/* Reads the release that kbuild has stored. A missing file is not an error. */
static struct kma_err *sizes_release(struct kma_sizes *sizes)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_free_ char *text = NULL;
	struct kma_err *err;
	size_t len;

	path = kma_xasprintf("%s/include/config/kernel.release", sizes->dir);
	err = kma_file_slurp_regular(path, &text, &len);
	if (err && !kma_err_is_of_file(err))
		return err;
	kma_err_destroy(err);
	if (text)
		snprintf(sizes->release, sizeof(sizes->release), "%.*s", (int)strcspn(text, "\n"),
			 text);
	return NULL;
}

/* Finds the debug files that the options or the name specify. *vmlinux is NULL for a built tree. */
static struct kma_err *sizes_find(const struct kma_sizes_options *opts, struct kma_sizes *sizes,
				  const char **vmlinux, const char **modules)
{
	struct kma_err *err;

	*vmlinux = *modules = NULL;
	if (opts->kernel.vmlinux && !opts->trees) {
		*vmlinux = opts->kernel.vmlinux;
		*modules = opts->kernel.modules;
		return NULL;
	}
	if (opts->trees && !kma_file_is_dir(sizes->dir)) {
		*vmlinux = sizes->dir;
		return NULL;
	}
	if (!opts->package && (!opts->trees || !package_is(sizes->dir)))
		return NULL;
	err = package_find(sizes->dir, &sizes->package);
	*vmlinux = sizes->package.vmlinux;
	*modules = sizes->package.modules;
	return err;
}

static struct kma_err *sizes_read_stock(const struct kma_sizes_options *opts, const char *vmlinux,
					const char *modules, struct kma_sizes *sizes)
{
	struct kma_err *err;

	if (opts->image)
		return kma_err_create_kind(
			KMA_ERR_USAGE, sizes->dir, 0,
			"--image needs a built tree (-k DIR); a vmlinux is always shown as linked");
	if (opts->key == KMA_FOOTPRINT_OBJECT)
		return kma_err_create_kind(KMA_ERR_USAGE, sizes->dir, 0,
					   "debug files have no objects; use --by file");
	sizes->metrics = KMA_STATIC_METRICS;
	err = kma_stock_read(vmlinux, modules, &sizes->stock);
	if (err)
		return err;
	sizes->st = sizes->stock->st;
	sizes->gaps = sizes->stock->gaps;
	strcpy(sizes->release, sizes->stock->release);
	sizes_say(sizes);
	sizes->account = kma_account_create(sizes->dir);
	return kma_account_finish(sizes->account);
}

static struct kma_err *sizes_read_tree(const struct kma_sizes_options *opts, bool pieces,
				       struct kma_sizes *sizes)
{
	struct kma_err *err;

	sizes->metrics = opts->image ? KMA_IMAGE_METRICS : KMA_STATIC_METRICS;
	err = sizes_release(sizes);
	if (err)
		return err;
	err = kma_objects_create(sizes->dir, &sizes->objects);
	if (err)
		return err;
	err = kma_static_read(sizes->objects, pieces, &sizes->st);
	if (err)
		return err;
	if (opts->image) {
		err = sizes_link(opts, sizes);
		if (err)
			return err;
	}
	sizes->gaps = sizes->stock ? sizes->stock->gaps : *kma_objects_gaps(sizes->objects);
	kma_gaps_merge(&sizes->gaps, &sizes->st->stats.gaps);
	sizes_say(sizes);
	sizes->account = kma_account_create(sizes->dir);
	return kma_account_finish(sizes->account);
}

static struct kma_err *sizes_read(const struct kma_sizes_options *opts, bool pieces,
				  struct kma_sizes *sizes)
{
	const char *vmlinux, *modules;
	struct kma_err *err = sizes_find(opts, sizes, &vmlinux, &modules);

	if (err)
		return err;
	return vmlinux ? sizes_read_stock(opts, vmlinux, modules, sizes) :
			 sizes_read_tree(opts, pieces, sizes);
}

/* Finds the subsystems of files, by the tree's MAINTAINERS if the user named no other. */
static struct kma_err *sizes_owners(const struct kma_sizes_options *opts, struct kma_sizes *sizes)
{
	struct kma_kernel_query here = opts->kernel;
	struct kma_kernel kernel = { .root = sizes->root };
	struct kma_err *err;

	here.tree = sizes->stock ? NULL : sizes->dir;
	here.owners = opts->key == KMA_FOOTPRINT_SUBSYSTEM;
	err = kma_kernel_owners(&here, &kernel);
	sizes->maintainers = kernel.maintainers;
	return err;
}

struct kma_err *kma_sizes_load(const struct kma_sizes_options *opts, const char *dir, bool plain,
			       struct kma_sizes *ret)
{
	const struct kma_footprint_by *by = &kma_footprint_bys[opts->key];
	struct kma_footprint fp = { .by = by, .branch = opts->branch, .plain = plain };
	struct kma_err *err;

	memset(ret, 0, sizeof(*ret));
	ret->dir = dir;
	err = sizes_read(opts, by->pieces, ret);
	if (err)
		return err;
	fp.st = ret->st;
	fp.image = ret->image;
	err = kma_footprint_tree(&fp, &ret->root) ?: sizes_owners(opts, ret);
	if (err || !by->tree || !opts->branch) {
		ret->branch = ret->root;
		return err;
	}
	return kma_node_find(ret->root, opts->branch, &ret->branch);
}

struct kma_keys kma_sizes_by(enum kma_footprint_key key)
{
	/* the others are leaves of the tree */
	static const enum kma_key_id lists[KMA_NR_FOOTPRINT_KEYS] = {
		[KMA_FOOTPRINT_DIR] = KMA_KEY_DIR,
		[KMA_FOOTPRINT_FILE] = KMA_KEY_FILE,
		[KMA_FOOTPRINT_SUBSYSTEM] = KMA_KEY_SUBSYSTEM,
	};

	return KMA_BY(lists[key]);
}

void kma_sizes_loaded(const struct kma_sizes *sizes, enum kma_footprint_key key,
		      struct kma_loaded *ret)
{
	*ret = (struct kma_loaded){
		.account = sizes->account,
		.has_files = kma_footprint_bys[key].tree,
		.kernel.root = sizes->root,
		.branch = sizes->branch,
		.metrics = sizes->metrics,
		.attr = KMA_STATIC,
		.release = "",
		.build_id = "",
		.objects = sizes->st->stats.objects,
	};
}
