/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * own.h - the account of the machine that the program runs on.
 */
#ifndef KMA_SESSION_OWN_H
#define KMA_SESSION_OWN_H

struct kma_err;

/**
 * kma_own_account() - find the file of the loaded module that knows most
 *
 * Only files that this user may read are found. debugfs is readable by root only.
 *
 * Return: a path, which stays valid; NULL if the module is not loaded, or none of its files can be
 * read.
 */
const char *kma_own_account(void);

/**
 * kma_own_need() - the same for a command that was given no account
 * @command: its name, for the message
 * @ret: the path
 *
 * Return: NULL, or an error (KMA_ERR_USAGE: there is none) that says what to do.
 */
struct kma_err *kma_own_need(const char *command, const char **ret);

#endif /* KMA_SESSION_OWN_H */
