// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel.c - the kernel of an account: the source of the files of its call sites, whether it is the
 * right build, and the owners of the files.
 *
 * The steps: open the source (a tree by kbuild.c, else an image by debug.c); refuse it if both
 * build IDs are known and differ; undo KASLR for bare addresses (slide.c); resolve; refuse the source
 * after all if too few call sites agree in name and size, and take the places away again.
 *
 * Wrong directories are worse than none. So a source that is refused or cannot be read leaves a
 * report by caller only, and a note has the reason. --force skips both checks. A file that the user
 * named and that does not exist is an error, as it is probably mistyped.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug.h"
#include "join.h"
#include "kbuild.h"
#include "kernel.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "maintainers.h"
#include "model/account.h"
#include "node.h"
#include "slide.h"
#include "types/file.h"
#include "types/search.h"

/* Reports a file that the user named and that cannot be accessed. */
static struct kma_err *kernel_readable(const struct kma_kernel_query *query)
{
	const char *const names[] = { query->tree, query->vmlinux, query->modules };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && access(names[i], R_OK))
			return kma_err_create(names[i], 0, "cannot open: %s", strerror(errno));
	return NULL;
}

/* Opens the source of the files. If it cannot be used, adds a note; ret->source is then NULL. */
static struct kma_err *kernel_source(const struct kma_kernel_query *query, struct kma_notes *notes,
				     struct kma_kernel *ret)
{
	_cleanup_free_ char *why = NULL;
	struct kma_err *err;

	if (!query->tree && !query->vmlinux)
		return NULL;
	err = kernel_readable(query);
	if (err)
		return err;
	if (query->tree)
		err = kma_kbuild_create(query->tree, query->vmlinux, &ret->source);
	else
		err = kma_debug_create(query->vmlinux, query->modules, &ret->source);
	if (err) {
		if (!kma_err_is_of_file(err))
			return err;
		why = kma_err_text(err);
		kma_notes_add(notes, "%s; reporting by caller only", why);
		kma_err_destroy(err);
		ret->source = NULL;
		return NULL;
	}
	ret->source->inlines = query->inlines;
	ret->source->force = query->force;
	ret->source->types = query->types;
	if (ret->source->lack)
		kma_notes_add(notes, "%s: %s", ret->source->name, ret->source->lack);
	return NULL;
}

/* Is the source another build than the account, by both build IDs? Adds a note if it is. */
static bool kernel_is_other(const struct kma_account *account, const struct kma_source *source,
			    struct kma_notes *notes)
{
	const char *note = kma_account_note(account, KMA_NOTE_BUILD_ID);

	if (!source || source->force || !note || !source->build_id || !*source->build_id ||
	    !strcmp(note, source->build_id))
		return false;
	kma_notes_add(notes,
		      "%s: another build: its build ID is %.12s, that of the input is %.12s; %s",
		      source->name, source->build_id, note,
		      "reporting by caller only (override with --force)");
	return true;
}

/*
 * The build of an account: by itself, by the source, or, if it was read from the running kernel, by
 * that. @running: room for it.
 */
static const char *kernel_build(const struct kma_account *account, const struct kma_source *source,
				char running[KMA_BUILD_ID_CHARS])
{
	const char *name = kma_account_name(account);
	const char *id = kma_account_note(account, KMA_NOTE_BUILD_ID);

	*running = '\0';
	if (!id && !source && (!strncmp(name, "/proc/", 6) || !strncmp(name, "/sys/", 5)))
		kma_build_id_running(running);
	return id ?: source && source->build_id ? source->build_id : running;
}

/* What is read of types besides debugging information. */
struct kernel_types {
	struct kma_types table; /* @has_table */
	struct kma_btf *btf;	/* NULL: none */
	char *stated;		/* text; NULL: none */
	bool has_table;
};

static void kernel_types_deinit(struct kernel_types *types)
{
	kma_types_deinit(&types->table);
	kma_btf_destroy(types->btf);
	free(types->stated);
}

/* Reads the types that the user named: a table, BTF, or a text. */
static struct kma_err *kernel_read_types(const char *path, const char *build_id,
					 struct kma_notes *notes, struct kernel_types *ret)
{
	_cleanup_free_ char *bytes = NULL;
	struct kma_err *err;
	size_t len;

	err = kma_file_slurp(path, &bytes, &len);
	if (err)
		return err;
	/* A text has no zero byte. */
	if (strlen(bytes) == len) {
		ret->stated = bytes;
		bytes = NULL;
		return NULL;
	}
	if (!kma_types_is_table(bytes, len))
		return kma_btf_parse(path, bytes, len, &ret->btf);
	ret->has_table = true;
	err = kma_types_unpack(path, bytes, len, &ret->table);
	if (!err && *build_id && !kma_types_is_of(&ret->table, build_id))
		kma_notes_add(
			notes,
			"%s: the table of types is not of the build of the input, %.12s; only modules of its builds have types",
			path, build_id);
	return err;
}

/* BTF of the account's kernel: in its vmlinux, or of the running kernel; NULL: there is none. */
static struct kma_btf *kernel_btf(const struct kma_source *source, const char *build_id)
{
	char running[KMA_BUILD_ID_CHARS];
	struct kma_btf *btf = NULL;
	const void *data;
	size_t len;

	data = source && source->kernel ? kma_image_btf(source->kernel, &len) : NULL;
	if (data)
		kma_err_destroy(kma_btf_parse(source->name, data, len, &btf));
	kma_build_id_running(running);
	if (!btf && *running && !strcmp(running, build_id))
		kma_err_destroy(kma_btf_read(KMA_BTF_VMLINUX, &btf));
	return btf;
}

/*
 * Finds what says types besides debugging information: what the user named, a table in the usual places
 * if there is no debugging information, and BTF. Without a kernel, these are a source by themselves.
 */
static struct kma_err *kernel_types(const struct kma_kernel_query *query,
				    const struct kma_account *account, struct kma_notes *notes,
				    struct kma_kernel *ret)
{
	_cleanup_(kernel_types_deinit) struct kernel_types types = { 0 };
	_cleanup_free_ char *found = NULL;
	char running[KMA_BUILD_ID_CHARS];
	const char *build_id = kernel_build(account, ret->source, running);
	struct kma_source *source;
	struct kma_err *err = NULL;

	if (!query->types)
		return NULL;
	if (query->types_file)
		err = kernel_read_types(query->types_file, build_id, notes, &types);
	if (err)
		return err;
	if (!types.has_table && !(ret->source && ret->source->has_types)) {
		found = kma_types_search(query->vmlinux, build_id, notes, &types.table);
		types.has_table = found;
	}
	types.btf = types.btf ?: kernel_btf(ret->source, build_id);
	if (!types.has_table && !types.btf && !types.stated)
		return NULL;
	if (!ret->source) {
		ret->source = kma_source_bare();
		ret->source->types = true;
	}
	source = ret->source;
	if (types.has_table)
		kma_source_take_types(source, &types.table);
	if (types.btf)
		kma_source_take_btf(source, types.btf);
	types.btf = NULL;
	return types.stated ? kma_source_take_stated(source, query->types_file, types.stated) :
			      NULL;
}

/* Adds notes on files that could not be read and on sites that the source could not place. */
static void kernel_note(const struct kma_kernel *kernel, struct kma_notes *notes)
{
	const struct kma_resolve_stats *stats = &kernel->stats;
	const char *name = kernel->source->name;

	kma_notes_gaps(notes, name, &kernel->gaps, KMA_GAPS_SITES);
	if (stats->strange)
		kma_notes_add(
			notes,
			"%s: %zu of %zu addresses %s not in any symbol, but may be of a module or another kernel, or shifted by KASLR",
			name, stats->strange, stats->addresses,
			kma_plural(stats->strange, "is", "are"));
	if (stats->other_build)
		kma_notes_add(
			notes,
			"%s: %zu call %s in modules of another build and %s no source file; use --force to look up such sites anyway",
			name, stats->other_build,
			kma_plural(stats->other_build, "site is", "sites are"),
			kma_plural(stats->other_build, "has", "have"));
}

static struct kma_err *kernel_resolve(const struct kma_kernel_query *query,
				      struct kma_account *account, struct kma_notes *notes,
				      struct kma_kernel *ret)
{
	struct kma_err *err;

	if (kernel_is_other(account, ret->source, notes)) {
		kma_source_destroy(ret->source);
		ret->source = NULL;
	}
	if (ret->source && kma_slide_find(account, ret->source, &ret->source->slide))
		kma_notes_add(notes,
			      "%s: input addresses are shifted by 0x%" PRIx64
			      " bytes (KASLR); corrected",
			      ret->source->name, ret->source->slide);
	err = kernel_types(query, account, notes, ret) ?:
		      kma_resolve(account, ret->source, &ret->stats);
	if (!err && ret->source)
		kma_source_note_stated(ret->source, notes);
	if (err || !kma_source_has_files(ret->source))
		return err;
	ret->gaps = ret->source->gaps;
	kernel_note(ret, notes);
	if (ret->source->force || kma_resolve_plausible(&ret->stats))
		return NULL;
	kma_notes_add(
		notes,
		"%s: does not match the input: only %zu of %zu call sites %s in name and size; reporting by caller only",
		ret->source->name, ret->stats.fitting, ret->stats.compared,
		kma_plural(ret->stats.fitting, "agrees", "agree"));
	kma_source_destroy(ret->source);
	ret->source = NULL;
	return kma_resolve(account, NULL, &ret->stats);
}

struct kma_err *kma_kernel_maintainers(const struct kma_kernel_query *query,
				       struct kma_kernel *kernel)
{
	_cleanup_free_ char *guess = NULL;
	const char *path = query->maintainers;

	if (kernel->maintainers || (!query->owners && !query->owners_if_there))
		return NULL;
	if (!path && query->tree)
		guess = kma_xasprintf("%s/MAINTAINERS", query->tree);
	/* A tree that was built with O= has a link "source" to its source. */
	if (guess && access(guess, R_OK)) {
		free(guess);
		guess = kma_xasprintf("%s/source/MAINTAINERS", query->tree);
	}
	path = path ?: guess;
	if (!query->owners && (!path || access(path, R_OK)))
		return NULL;
	return kma_maintainers_create(path, &kernel->maintainers);
}

struct kma_err *kma_kernel_owners(const struct kma_kernel_query *query, struct kma_kernel *kernel)
{
	struct kma_err *err = kma_kernel_maintainers(query, kernel);

	if (!err && kernel->maintainers)
		kma_maintainers_apply(kernel->maintainers, kernel->root);
	return err;
}

struct kma_err *kma_kernel_find(const struct kma_kernel_query *query, struct kma_account *account,
				struct kma_notes *notes, struct kma_kernel *ret)
{
	struct kma_err *err = kernel_source(query, notes, ret);

	return err ?: kernel_resolve(query, account, notes, ret);
}

struct kma_err *kma_kernel_tree(const struct kma_kernel_query *query,
				const struct kma_account *account, struct kma_kernel *ret)
{
	struct kma_node *dirs;
	struct kma_err *err;

	err = kma_kernel_maintainers(query, ret);
	if (err)
		return err;
	dirs = ret->root = kma_join(account, query->only, ret->maintainers);
	if (!query->by)
		return NULL;
	ret->root = kma_keys_tree(dirs, query->by);
	kma_node_destroy(dirs);
	return NULL;
}

void kma_kernel_deinit(struct kma_kernel *kernel)
{
	kma_node_destroy(kernel->root);
	if (kernel->maintainers)
		kma_maintainers_destroy(kernel->maintainers);
	if (kernel->source)
		kma_source_destroy(kernel->source);
}
