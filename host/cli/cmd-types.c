// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-types.c - kmem-account types: make a table of the types of a kernel, for targets without
 * debugging information.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/option.h"
#include "lib/say.h"
#include "rows.h"
#include "symbol/binary.h"
#include "symbol/dwarf.h"
#include "types/file.h"
#include "types/search.h"
#include "types/types.h"

struct types_args {
	const char *vmlinux, *output;
};

#define KMA_ARGS struct types_args

/* clang-format off */
static const struct kma_option options[] = {
	{ "vmlinux", .arg = "FILE", TO(TEXT, vmlinux),
	  .help = "the kernel, with debugging information (DWARF)" },
	{ "output", 'O', .arg = "FILE", TO(TEXT, output),
	  .help = "write to FILE (default: where other commands look for it)" },
	KMA_OPTION_END
};
/* clang-format on */

/* The name of a file as sites have it: that of a module without its directory and ending. */
static char *name_of(const char *path, bool module)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char *name;

	if (!module)
		return kma_xstrdup("vmlinux");
	name = kma_xstrndup(base, kma_binary_module_len(base) ?: strlen(base));
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

/*
 * Opens the output: a file that the user named, or the one that other commands find. @home: set to the
 * latter, to be freed.
 */
static struct kma_err *open_output(const struct types_args *args, const struct kma_types *types,
				   char **home, struct kma_outfile **ret)
{
	const char *build_id = kma_types_text(types, types->images->build_id);

	if (args->output)
		return kma_outfile_create(args->output, KMA_OUTFILE_USUAL, ret);
	*home = kma_types_home(build_id, true);
	if (!*home)
		return kma_err_create(
			args->vmlinux, 0,
			*build_id ?
				"no configuration directory of this user; give --output FILE" :
				"no build ID, by which other commands find a table; give --output FILE");
	return kma_outfile_create(*home, KMA_OUTFILE_USUAL, ret);
}

/* Adds the calls, the types and the variables of a file. */
static struct kma_err *add_file(const char *path, bool module, struct kma_types *types)
{
	_cleanup_free_ char *name = name_of(path, module);
	struct kma_types_wish wish = { .image = types->nr_images, .all = true, .variables = true };
	const struct kma_image *image;
	struct kma_dwarf *dwarf;
	struct kma_err *err = kma_dwarf_create(path, &dwarf);

	if (err)
		return err;
	image = kma_dwarf_image(dwarf);
	kma_types_add_image(types, name, kma_image_build_id(image));
	if (!kma_dwarf_units(dwarf))
		err = kma_err_create_kind(KMA_ERR_NOT_FOUND, path, 0,
					  "no debugging information (DWARF)");
	else
		err = kma_types_find(image, kma_dwarf_symtab(dwarf), &wish, types);
	if (!err)
		kma_types_add_functions(types, wish.image, kma_dwarf_symtab(dwarf));
	kma_dwarf_destroy(dwarf);
	return err;
}

static struct kma_err *run(const struct types_args *args, char **modules)
{
	_cleanup_(kma_types_deinit) struct kma_types types = { 0 };
	_cleanup_outfile_ struct kma_outfile *out = NULL;
	_cleanup_free_ char *home = NULL;
	_cleanup_free_ void *bytes = NULL;
	struct kma_err *err;
	size_t size;

	err = add_file(args->vmlinux, false, &types);
	for (; !err && *modules; modules++)
		err = add_file(*modules, true, &types);
	if (!err)
		err = open_output(args, &types, &home, &out);
	if (err)
		return err;
	bytes = kma_types_pack(&types, &size);
	fwrite(bytes, 1, size, kma_outfile_stream(out));
	err = kma_outfile_commit(out);
	if (!err && home)
		puts(home);
	return err;
}

static int main_types(int argc, char **argv)
{
	struct types_args args = { 0 };
	struct kma_err *err;
	int first;

	err = kma_option_read(&kma_cmd_types, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	if (!args.vmlinux)
		return kma_fail(kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
						    "types: give --vmlinux FILE"),
				KMA_EXIT_USAGE);
	return kma_fail_kind(run(&args, argv + first));
}

const struct kma_cmd kma_cmd_types = {
	.name = "types",
	.usage = "[OPTION...] --vmlinux FILE [MODULE...]",
	.about =
		"Make a table of the types of a kernel and of modules (.ko). Other commands take it in\n"
		"place of debugging information.",
	.examples = "  kmem-account types --vmlinux vmlinux\n"
		    "  kmem-account types --vmlinux vmlinux -O types.kmt\n"
		    "  kmem-account report --by type --types types.kmt\n",
	.options = options,
	.most = KMA_OPTION_ANY,
	.summary = "Make a table of types, for targets without debugging information.",
	.main = main_types,
};
