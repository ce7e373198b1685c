/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * serve-source.h - the account that serve serves, with its places in the kernel's source and the
 * call sites that have series.
 *
 * It is read once for all requests of a second: reading takes the module some milliseconds, and a
 * thousand clients get the same answer. If it cannot be read (the module is not loaded), the next
 * request tries again.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_CLI_SERVE_SOURCE_H
#define KMA_CLI_SERVE_SOURCE_H

#include <sys/utsname.h>

#include "export/series.h"
#include "tree/kernel.h"

struct kma_serve_source {
	/* set by the caller */
	const char *path, *stats;	      /* paths of the account and of debugfs' stats */
	const struct kma_kernel_query *query; /* source of files and lines */
	enum kma_grouped by;		      /* groups with series of their own */
	struct kma_picks picks, group_picks;  /* max is the caller's */
	/* as read last */
	struct kma_series_own own;
	struct kma_account *account; /* NULL: it could not be read */
	struct kma_account *groups;  /* its rows by cgroup or node; NULL: it has none */
	struct kma_export_sites sites;
	char *trouble; /* why there is no account */
	/* for itself */
	struct kma_kernel kernel;
	bool has_kernel, told; /* that there are no groups */
	uint64_t read_at;
	struct utsname here;
};

/**
 * kma_serve_source_open() - get ready; nothing is read
 * @source: with what the caller sets, zeroes elsewhere
 */
void kma_serve_source_open(struct kma_serve_source *source);

/**
 * kma_serve_source_close() - free all of it
 * @source: from kma_serve_source_open()
 */
void kma_serve_source_close(struct kma_serve_source *source);

/**
 * kma_serve_source_read() - read the account, and choose the series
 * @source: what it had before is forgotten
 *
 * Return: NULL or an error; then there is no account that is whole.
 */
struct kma_err *kma_serve_source_read(struct kma_serve_source *source);

/**
 * kma_serve_source_refresh() - read the account unless that was done within a second
 * @source: if the account cannot be read, the reason is in @trouble, and printed when it is news
 *
 * Return: true if what was made of the account before is old.
 */
bool kma_serve_source_refresh(struct kma_serve_source *source);

/**
 * kma_serve_source_export() - what is to be written
 * @source: with an account
 *
 * Return: the account, without addresses of the running kernel.
 */
struct kma_export kma_serve_source_export(const struct kma_serve_source *source);

#endif /* KMA_CLI_SERVE_SOURCE_H */
