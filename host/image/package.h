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

/*
 * Finds the debug files of a kernel below @dir: a directory into which a package was unpacked ("/"
 * for an installed one), or one kernel's modules (/usr/lib/debug/lib/modules/RELEASE). An error of
 * kind KMA_ERR_NOT_FOUND means that there is no kernel, or that there are several, of which it
 * lists up to four. @ret has to be deinitialised also after an error.
 */
struct kma_err *kma_package_find(const char *dir, struct kma_package *ret);

/*
 * Does the directory look like an unpacked debug package, that is, does it have a vmlinux at a path
 * at which a built kernel tree has none?
 */
bool kma_package_is(const char *dir);

void kma_package_deinit(struct kma_package *package);

#endif /* KMA_IMAGE_PACKAGE_H */
