// SPDX-License-Identifier: GPL-2.0-only
/*
 * package.c - find the debug files of a kernel in the packages of distributions.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/strbuf.h"
#include "package.h"

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

struct kma_err *kma_package_find(const char *dir, struct kma_package *ret)
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

bool kma_package_is(const char *dir)
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

void kma_package_deinit(struct kma_package *package)
{
	free(package->vmlinux);
	free(package->modules);
}
