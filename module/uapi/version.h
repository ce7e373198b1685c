/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * version.h - the version of the project.
 *
 * This is the only place that a release changes by hand. The module (modinfo), the host
 * program (--version, event logs, pages), `make dist` and the packages read the version here;
 * scripts/version.sh checks that the change logs name the same version.
 */
#ifndef _UAPI_KMA_VERSION_H
#define _UAPI_KMA_VERSION_H

#define KMA_VERSION "0.1"

#endif /* _UAPI_KMA_VERSION_H */
