/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - the table of options of all commands that read accounts, logs and trees.
 * lib/option.h has the parser. Commands that are programs of their own for targets without
 * libraries (record, latency) have their rows in their own files.
 */
#ifndef KMA_CLI_OPTIONS_H
#define KMA_CLI_OPTIONS_H

#include "cmd.h"
#include "lib/option.h"

/**
 * kma_options_parse() - read the command line of a command
 * @cmd: the command
 * @argc: as for main(), the command's name first
 * @argv: as for main()
 * @ret: filled in
 * @ret_help: true if --help is given: its text was printed, and @ret is not filled in
 *
 * Return: NULL, or an error of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_options_parse(const struct kma_cmd *cmd, int argc, char **argv,
				  struct kma_options *ret, bool *ret_help);

/**
 * kma_options_words() - print the words that an option of a command accepts
 * @cmd: a command with bits
 * @name: the option as typed, see kma_option_words()
 */
void kma_options_words(const struct kma_cmd *cmd, const char *name);

#endif /* KMA_CLI_OPTIONS_H */
