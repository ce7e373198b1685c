/* SPDX-License-Identifier: GPL-2.0 */
/*
 * conflict.h - options that contradict each other, as a table.
 *
 * Needs no library, for programs that are one command alone (make record-static).
 */
#ifndef KMA_CLI_CONFLICT_H
#define KMA_CLI_CONFLICT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"

/* Two options; which were given, and their names with the dashes. */
struct kma_conflict {
	bool one;
	const char *one_name;
	bool other;
	const char *other_name;
};

/**
 * kma_conflict_check() - refuse options that contradict each other
 * @command: name of the command, for the message
 * @list: pairs of options
 * @nr: length of @list
 *
 * Return: NULL; or an error of kind KMA_ERR_USAGE for the first pair of which both were
 * given, which names both.
 */
struct kma_err *kma_conflict_check(const char *command, const struct kma_conflict *list, size_t nr);

#endif /* KMA_CLI_CONFLICT_H */
