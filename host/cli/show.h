/* SPDX-License-Identifier: GPL-2.0 */
/*
 * show.h - commands that read an account and show it.
 */
#ifndef KMA_CLI_SHOW_H
#define KMA_CLI_SHOW_H

#include "cmd.h"
#include "view/text/view.h"

/**
 * kma_cmd_show() - run of a command that reads an account and shows it
 * @cmd: with check and show
 * @argc: as for main(), the command's name first
 * @argv: as for main()
 *
 * Return: the exit code.
 */
int kma_cmd_show(const struct kma_cmd *cmd, int argc, char **argv);

/**
 * kma_by_find() - what a row shall be
 * @opts: options
 * @ret: as --by says; a directory by default, which only files allow
 *
 * Return: NULL, or a sentence for the user.
 */
struct kma_err *kma_by_find(const struct kma_options *opts, enum kma_by *ret);

/**
 * kma_by_suits() - does the input have what --by, --depth and -b ask for?
 * @cmd: the command
 * @opts: options
 * @loaded: from kma_load()
 *
 * Return: NULL, or a sentence for the user.
 */
struct kma_err *kma_by_suits(const struct kma_cmd *cmd, const struct kma_options *opts,
			     const struct kma_loaded *loaded);

/**
 * kma_needs_files() - refuse an option that needs to know source files
 * @opts: options
 * @loaded: from kma_load()
 * @option: as typed, "--by dir"; NULL: it was not given
 *
 * Return: NULL, also when a kernel was given and is of no use; or a sentence for the user.
 */
struct kma_err *kma_needs_files(const struct kma_options *opts, const struct kma_loaded *loaded,
				const char *option);

#endif /* KMA_CLI_SHOW_H */
