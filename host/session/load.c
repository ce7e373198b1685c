// SPDX-License-Identifier: GPL-2.0
/*
 * load.c - from options to a loaded account: the input, its kernel, the branch.
 */
#include <string.h>

#include "kernel.h"
#include "load.h"
#include "snapshot.h"
#include "tree/node.h"

struct kma_err *kma_load(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_err *err;

	memset(ret, 0, sizeof(*ret));
	err = kma_load_account(opts, ret);
	if (!err)
		err = kma_load_kernel(opts, ret);
	if (err)
		return err;
	ret->branch = ret->root;
	ret->has_files = ret->source || kma_account_has_paths(ret->account);
	if (!opts->branch || !ret->has_files)
		return NULL;
	return kma_node_find(ret->root, opts->branch, &ret->branch);
}
