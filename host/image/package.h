/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * package.h - find the debug files of a kernel in the packages of distributions.
 */
#ifndef KMA_IMAGE_PACKAGE_H
#define KMA_IMAGE_PACKAGE_H

#include "lib/err.h"

/* The files of one kernel; the paths are allocated. */
struct kma_package {
	char *vmlinux; /* the kernel with debugging information */
	char *modules; /* directory of its modules with debugging information; NULL if missing */
};

/**
 * kma_package_find() - find the debug files of a kernel
 * @dir: directory into which a package was unpacked ("/" for an installed one), or the directory of
 *	one kernel's modules (/usr/lib/debug/lib/modules/RELEASE)
 * @ret: the files; has to be deinitialised also after an error
 *
 * Return: NULL; or an error of kind KMA_ERR_NOT_FOUND: there is no kernel, or there are several,
 * and the error lists up to four of them.
 */
struct kma_err *kma_package_find(const char *dir, struct kma_package *ret);

/**
 * kma_package_is() - test whether a directory looks like an unpacked debug package
 * @dir: the directory
 *
 * Return: true if it has a vmlinux at a path at which a built kernel tree has none.
 */
bool kma_package_is(const char *dir);

/* Free the paths. */
void kma_package_deinit(struct kma_package *package);

#endif /* KMA_IMAGE_PACKAGE_H */
