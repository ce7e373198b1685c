/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * viewer.h - open a file with whatever the desktop has for it.
 */
#ifndef KMA_CLI_VIEWER_H
#define KMA_CLI_VIEWER_H

#include "lib/err.h"

/**
 * kma_viewer_open() - open a file
 * @path: the file
 *
 * The programs of $BROWSER are tried if it is set (a list with colons, %s is the file),
 * then xdg-open, gio and others; the first that exits with 0 has done it. No shell is
 * involved.
 *
 * Return: NULL, or a sentence that names what was tried.
 */
struct kma_err *kma_viewer_open(const char *path);

#endif /* KMA_CLI_VIEWER_H */
