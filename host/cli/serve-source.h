/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * serve-source.h - the account that serve serves, with its places in the kernel's source and the
 * call sites that have series.
 *
 * The account is read at most once a second, and all requests within a second get the same answer,
 * because a read costs the module some milliseconds. If a read fails (the module is not loaded),
 * there is no account for that second, and a later request tries again.
 *
 * Locking: none. Only one thread, that of the server, uses a source.
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
	struct kma_picks picks, group_picks;  /* sites and groups with series; set max and by */
	/* result of the last read */
	struct kma_series_own own;     /* cost of the reads, failures, and so on */
	struct kma_account *account;   /* NULL: it could not be read */
	struct kma_account *groups;    /* its rows by cgroup or node; NULL: it has none */
	struct kma_export_sites sites; /* places of the sites of @account */
	char *trouble;		       /* sentence with the reason if there is no account */
	/* private */
	struct kma_kernel kernel;
	bool has_kernel, told; /* the kernel was searched for; missing groups were reported */
	uint64_t read_at;      /* ns of CLOCK_MONOTONIC of the last read; 0: none */
	struct utsname here;
};

/**
 * kma_serve_source_open() - prepare a source; nothing is read yet
 * @source: the caller has set its members and zeroed the others
 */
void kma_serve_source_open(struct kma_serve_source *source);

/**
 * kma_serve_source_close() - free the account and the kernel
 * @source: from kma_serve_source_open()
 */
void kma_serve_source_close(struct kma_serve_source *source);

/**
 * kma_serve_source_read() - read the account, and choose the series
 * @source: the previous account is freed
 *
 * Return: NULL; or an error: then the members of @source may be incomplete.
 */
struct kma_err *kma_serve_source_read(struct kma_serve_source *source);

/**
 * kma_serve_source_refresh() - read the account unless it was read within the last second
 * @source: if the account cannot be read, @trouble has the reason, which is printed if it is new
 *
 * Return: true if the account was read, so that answers made from the previous one are outdated.
 */
bool kma_serve_source_refresh(struct kma_serve_source *source);

/**
 * kma_serve_source_export() - describe the account for a format of export/
 * @source: with an account
 *
 * Return: the description; it says that addresses of the running kernel are to be hidden.
 */
struct kma_export kma_serve_source_export(const struct kma_serve_source *source);

#endif /* KMA_CLI_SERVE_SOURCE_H */
