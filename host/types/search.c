// SPDX-License-Identifier: GPL-2.0-only
/*
 * search.c - find a table of types.
 *
 * A table is taken only if it has vmlinux with the build ID that is asked for: wrong types are worse
 * than none. A name tells nothing, because a kernel is often built again in one directory.
 */
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cachefile.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "search.h"

#define PACKAGED "/usr/share/kmem-account/types"

/* Reads a table that the program found by itself; false if it is not there, or not the kernel's. */
static bool take(const char *path, const char *build_id, struct kma_notes *notes,
		 struct kma_types *types)
{
	_cleanup_free_ char *why = NULL, *bytes = NULL;
	struct kma_err *err;
	size_t len;

	if (!path || access(path, F_OK))
		return false;
	err = kma_file_slurp_regular(path, &bytes, &len);
	err = err ?: kma_types_unpack(path, bytes, len, types);
	if (!err && kma_types_is_of(types, build_id))
		return true;
	if (err)
		why = kma_err_text(err);
	if (err)
		kma_notes_add(notes, "%s; the table is not used", why);
	else
		kma_notes_add(notes, "%s: the table of types is of another build; it is not used",
			      path);
	kma_err_destroy(err);
	kma_types_deinit(types);
	return false;
}

char *kma_types_home(const char *build_id, bool make)
{
	_cleanup_free_ char *name = kma_xasprintf("%s.kmt", build_id);

	return *build_id ? kma_cachefile_config("types", name, make) : NULL;
}

char *kma_types_search(const char *vmlinux, const char *build_id, struct kma_notes *notes,
		       struct kma_types *types)
{
	const char *slash = vmlinux ? strrchr(vmlinux, '/') : NULL;
	char *const paths[] = {
		vmlinux ? kma_xasprintf("%s.kmt", vmlinux) : NULL,
		vmlinux ? kma_xasprintf("%.*stypes.kmt", slash ? (int)(slash + 1 - vmlinux) : 0,
					vmlinux) :
			  NULL,
		kma_types_home(build_id, false),
		kma_xasprintf(PACKAGED "/%s.kmt", build_id),
	};
	char *found = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		if (!found && *build_id && take(paths[i], build_id, notes, types))
			found = paths[i];
		else
			free(paths[i]);
	}
	return found;
}
