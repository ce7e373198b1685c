/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loaded.h - a loaded account: what all commands that show an account work on.
 */
#ifndef KMA_SESSION_LOADED_H
#define KMA_SESSION_LOADED_H

#include "db/snapshot.h"
#include "model/account.h"
#include "tree/kernel.h"

/* An account and its tree, ready to be shown. */
struct kma_loaded {
	struct kma_account *account;  /* what is shown */
	struct kma_account *whole;    /* as read, when @account is a part of it */
	struct kma_snapshot snapshot; /* with an id when it comes from a DB file */
	struct kma_kernel kernel;     /* and the tree */
	bool has_files;		      /* the kernel, or the account itself, knows files */
	struct kma_node *branch;      /* where to begin in the tree */
	unsigned int metrics;	      /* set of all: of the account, and static ones */
	enum kma_metric_id attr;      /* the default metric */
	const char *release;	      /* of the kernel, "" when not known */
	const char *build_id;	      /* the same */
	size_t objects;		      /* whose static sizes are in the tree */
	bool unsaved;		      /* it could not be saved, which was said */
};

#endif /* KMA_SESSION_LOADED_H */
