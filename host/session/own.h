/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * own.h - find the account of the machine that the program runs on.
 */
#ifndef KMA_SESSION_OWN_H
#define KMA_SESSION_OWN_H

struct kma_err;

/**
 * kma_own_account() - find the module's file with the most information
 *
 * Only files that the user may read are considered. debugfs is readable by root only.
 *
 * Return: a constant path; NULL if the module is not loaded or none of its files can be read.
 */
const char *kma_own_account(void);

/**
 * kma_own_need() - find the module's file for a command that was given no account
 * @command: name of the command, for the message
 * @ret: the path, see kma_own_account()
 *
 * Return: NULL; or an error of kind KMA_ERR_USAGE, which says what to do, if there is no file.
 */
struct kma_err *kma_own_need(const char *command, const char **ret);

#endif /* KMA_SESSION_OWN_H */
