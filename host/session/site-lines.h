/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * site-lines.h - the source lines of call sites, for commands whose rows are call sites and not nodes
 * of a tree.
 *
 * Locking: none.
 */
#ifndef KMA_SESSION_SITE_LINES_H
#define KMA_SESSION_SITE_LINES_H

#include <stddef.h>

#include "tree/kernel.h"

/* A call site, and its place in the source. */
struct kma_site_line {
	const char *caller;
	size_t row;	    /* its place in the list */
	char *file;	    /* allocated; NULL: unknown */
	unsigned long line; /* 0: unknown */
};

/**
 * kma_site_lines_find() - find the places of call sites in a tree
 * @root: tree of an account with its kernel
 * @list: with the callers, otherwise zero; file and line are filled in where they are known
 * @nr: number of its elements; several may have the same caller
 */
void kma_site_lines_find(const struct kma_node *root, struct kma_site_line *list, size_t nr);

/**
 * kma_site_lines_read() - find the places of call sites of an account
 * @account: the account: the module's snapshot, or sites of a dump
 * @query: the files of the kernel; nothing is done if it names neither a tree nor a vmlinux
 * @list: as for kma_site_lines_find()
 * @nr: number of its elements
 *
 * Warnings are printed.
 *
 * Return: NULL or an error: @account cannot be read, or a file of @query does not exist.
 */
struct kma_err *kma_site_lines_read(const char *account, const struct kma_kernel_query *query,
				    struct kma_site_line *list, size_t nr);

/**
 * kma_site_lines_kept() - find the places of call sites that were kept
 * @query: as for kma_site_lines_read()
 * @account: as from kma_places_read() or a file of a scan; destroyed
 * @list: as for kma_site_lines_find()
 * @nr: number of its elements
 *
 * Return: NULL or an error: @account is NULL, or a file of @query does not exist.
 */
struct kma_err *kma_site_lines_kept(const struct kma_kernel_query *query,
				    struct kma_account *account, struct kma_site_line *list,
				    size_t nr);

#endif /* KMA_SESSION_SITE_LINES_H */
