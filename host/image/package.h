/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * package.h - the positions of a kernel's debug files in the packages of distributions.
 */
#ifndef KMA_IMAGE_PACKAGE_H
#define KMA_IMAGE_PACKAGE_H

#include "lib/err.h"

/* The files of one kernel. */
struct kma_package {
	char *vmlinux;
	char *modules; /* directory below which its modules lie, NULL: none is there */
};

/**
 * kma_package_find() - find the debug files of a kernel
 * @dir: where a package was unpacked ("/" for an installed one), or the directory of one
 *	kernel's modules (/usr/lib/debug/lib/modules/RELEASE)
 * @ret: the files, to be deinitialised in any case
 *
 * Return: NULL; or an error of kind KMA_ERR_NOT_FOUND: there is no kernel, or several, whose
 * names the error lists.
 */
struct kma_err *kma_package_find(const char *dir, struct kma_package *ret);

/**
 * kma_package_is() - does a directory look like an unpacked debug package?
 * @dir: the directory
 *
 * Return: true if a pattern of kma_package_find() fits that a built kernel tree has not.
 */
bool kma_package_is(const char *dir);

/**
 * kma_package_deinit() - free the names
 * @package: as filled in
 */
void kma_package_deinit(struct kma_package *package);

#endif /* KMA_IMAGE_PACKAGE_H */
