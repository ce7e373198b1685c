/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sizes-account.h - load the static sizes of a kernel as an account, for formats that are made of
 * accounts. Each site is a symbol with its source file and module.
 */
#ifndef KMA_SESSION_SIZES_ACCOUNT_H
#define KMA_SESSION_SIZES_ACCOUNT_H

#include "loaded.h"
#include "options.h"

/**
 * kma_sizes_account() - load static sizes as an account
 * @name: a built tree, a vmlinux, or a directory of a kernel package
 * @ret: account, metrics, attr and release are filled in; has to be unloaded also after an error
 *
 * The sum of the sites is that of kma_sizes_load(). Files that cannot be read are reported on
 * stderr.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_sizes_account(const char *name, struct kma_loaded *ret);

#endif /* KMA_SESSION_SIZES_ACCOUNT_H */
