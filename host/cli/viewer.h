/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * viewer.h - open a file with a program of the desktop.
 */
#ifndef KMA_CLI_VIEWER_H
#define KMA_CLI_VIEWER_H

#include "lib/err.h"

/**
 * kma_viewer_open() - open a file
 * @path: the file
 *
 * The programs of $BROWSER are tried if it is set (a list with colons, %s is the file), then
 * xdg-open, gio open and others, until one exits with status 0. They are not run by a shell.
 *
 * Return: NULL, or an error that names the programs that were tried.
 */
struct kma_err *kma_viewer_open(const char *path);

#endif /* KMA_CLI_VIEWER_H */
