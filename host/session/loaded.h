/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loaded.h - a loaded account, which all commands that show an account use.
 */
#ifndef KMA_SESSION_LOADED_H
#define KMA_SESSION_LOADED_H

#include "store/snapshot.h"
#include "lib/strbuf.h"
#include "model/account.h"
#include "tree/kernel.h"

/* An account and its tree, ready to be shown. */
struct kma_loaded {
	struct kma_account *account; /* the account to show */
	struct kma_account *whole;   /* the account as read, if @account is a part of it; or NULL */
	struct kma_snapshot snapshot; /* its id is not 0 if the account comes from a DB file */
	struct kma_kernel kernel;     /* the kernel, and the tree of @account */
	bool has_files;		      /* the files of call sites are known */
	struct kma_node *branch;      /* node of the tree to show; NULL if it was not found */
	unsigned int metrics;	      /* set of 1 << enum kma_metric_id that the tree has */
	enum kma_metric_id attr;      /* the default metric */
	const char *release;	      /* of the kernel, "" when unknown */
	const char *build_id;	      /* of the kernel in hex, "" when unknown */
	size_t objects;		      /* number of objects whose static sizes are in the tree */
	struct kma_strbuf only;	      /* rules, and what they leave out; "": none */
	bool selected;		      /* call sites were selected before they were divided */
	uint64_t slab;		      /* slab memory of the machine by its meminfo; 0: unknown */
	bool unsaved;		      /* saving a snapshot failed, and the error was printed */
};

#endif /* KMA_SESSION_LOADED_H */
