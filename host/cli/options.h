/* SPDX-License-Identifier: GPL-2.0 */
/*
 * options.h - the table of options, and the command line by it.
 */
#ifndef KMA_CLI_OPTIONS_H
#define KMA_CLI_OPTIONS_H

#include "cmd.h"

/**
 * kma_options_parse() - read the command line of a command
 * @cmd: the command
 * @argc: as for main(), the command's name first
 * @argv: as for main()
 * @ret: filled in
 *
 * Return: NULL, or a sentence for the user.
 */
struct kma_err *kma_options_parse(const struct kma_cmd *cmd, int argc, char **argv,
				  struct kma_options *ret);

/**
 * kma_options_help() - print the help of a command on the standard output
 * @cmd: the command
 */
void kma_options_help(const struct kma_cmd *cmd);

#endif /* KMA_CLI_OPTIONS_H */
