/* SPDX-License-Identifier: GPL-2.0 */
/*
 * loaded.h - a loaded account: what all commands that show an account work on.
 */
#ifndef KMA_SESSION_LOADED_H
#define KMA_SESSION_LOADED_H

#include "db/snapshot.h"
#include "lib/gaps.h"
#include "model/account.h"
#include "tree/join.h"
#include "tree/maintainers.h"

/* An account and its tree, ready to be shown. */
struct kma_loaded {
	struct kma_account *account;	     /* what is shown */
	struct kma_account *whole;	     /* as read, when @account is a part of it */
	struct kma_snapshot snapshot;	     /* with an id when it comes from a DB file */
	struct kma_source *source;	     /* NULL when no kernel is there, or of no use */
	bool has_files;			     /* the source, or the account itself, knows files */
	struct kma_maintainers *maintainers; /* of the subsystems in @root, or NULL */
	struct kma_node *root;
	struct kma_node *branch; /* where to begin, in @root */
	struct kma_join_stats stats;
	unsigned int metrics; /* of the tree, beyond those of the account */
	struct kma_gaps gaps; /* what of the kernel could not be read */
	size_t objects;	      /* whose static sizes are in the tree */
};

/**
 * kma_unload() - free all that was loaded
 * @loaded: as filled in by kma_load()
 */
void kma_unload(struct kma_loaded *loaded);

/**
 * kma_release() - release of the kernel
 * @loaded: from kma_load()
 *
 * Return: as the kernel image or the account says, "" when neither does.
 */
const char *kma_release(const struct kma_loaded *loaded);

/**
 * kma_build_id() - build ID of the kernel
 * @loaded: from kma_load()
 *
 * Return: hex digits, as the account or the kernel image says, "" when neither does.
 */
const char *kma_build_id(const struct kma_loaded *loaded);

/**
 * kma_default_attr() - the metric to show when none was asked for
 * @loaded: from kma_load()
 *
 * Return: live bytes, or the first metric that the input has.
 */
enum kma_metric_id kma_default_attr(const struct kma_loaded *loaded);

#endif /* KMA_SESSION_LOADED_H */
