/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * open.h - what an argument of a command line is, and the accounts that it has.
 *
 * kma_open() finds out once what a name stands for, by its content:
 *
 *	FILE, -			an account, a log or a trace: one account
 *	FILE[@LABEL]		a DB file: its snapshots
 *	FILE[@#N]		a text with several reports: the Nth; without N the last, or all
 *	FILE[@FORMAT[#N]]	the reports of one format, of a text with several formats
 *	DIR[@TIME]		a history: its samples
 *	BUNDLE[@TIME]		a snapshot with a history: its account; or the samples
 *
 * or a table of the module, a built tree or an ELF file, which are not accounts. It opens the input
 * once; the reader that the caller chooses continues with it. A series is then asked for its last
 * account, or for one account after the other.
 *
 * Commands that an input does not suit refuse it by the sentences of refuse.c.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_OPEN_OPEN_H
#define KMA_OPEN_OPEN_H

#include "series.h"

/*
 * Finds out what an argument is; "-" is the standard input. Waits for the first bytes of a pipe. It
 * is an error if the input cannot be opened; a directory is never an error here.
 */
struct kma_err *kma_open(const char *name, struct kma_series **ret);

/*
 * Which kind of input a name stands for, before a command is chosen. If this opens a file, the next
 * kma_open() of that name takes it over. KMA_SERIES_ACCOUNT if the name cannot be opened, and for
 * pipes, which are not opened here.
 */
enum kma_series_kind kma_open_kind(const char *name);

/*
 * Reads the next account, with its snapshot in @series->snapshot; NULL after the last one. Its
 * warnings are not printed. Between the start and the end, Ctrl-C ends the input, not the program;
 * the account then has a warning.
 */
struct kma_err *kma_series_next(struct kma_series *series, struct kma_account **ret);

/*
 * For a comparison, before anything is read: @ret is set to true if a text has at least two
 * reports. kma_series_next() then returns the first and the last one.
 */
struct kma_err *kma_series_pair(struct kma_series *series, bool *ret);

/* Prints a warning if Ctrl-C has ended an input. Returns true if it has. */
bool kma_series_stopped(const struct kma_input *input);

/*
 * The file of the module on this machine with the most information that the user may read; debugfs
 * is readable by root only. NULL: the module is not loaded, or none of its files can be read.
 */
const char *kma_open_own(void);

/*
 * The same for a command that was given no account; an error of kind KMA_ERR_USAGE if there is
 * none.
 */
struct kma_err *kma_open_own_or_refuse(const char *command, const char **ret);

#endif /* KMA_OPEN_OPEN_H */
