// SPDX-License-Identifier: GPL-2.0-only
/*
 * sizes-account.c - load the static sizes of a kernel as an account.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "model/account.h"
#include "sizes-account.h"
#include "sizes.h"
#include "tree/footprint.h"

/* Adds a symbol as a call site at its first byte, a text that the account can parse. */
static struct kma_err *sizes_add(void *arg, const struct kma_footprint_part *part)
{
	_cleanup_strbuf_ struct kma_strbuf site = { 0 };
	struct kma_account *account = arg;
	struct kma_values values = { 0 };
	struct kma_err *err;

	kma_metrics[part->kind].set(&values, part->bytes);
	kma_strbuf_printf(&site, "%s+0x0/0x%" PRIx64, part->name, part->bytes);
	if (part->module)
		kma_strbuf_printf(&site, " [%s]", part->module);
	err = kma_account_add_site(account, site.str, site.len, &values);
	if (err)
		return err;
	kma_account_set_place(account, KMA_KIND_UNKNOWN, part->file);
	return NULL;
}

static struct kma_err *sizes_fill(const struct kma_sizes *sizes, struct kma_account *account)
{
	const struct kma_footprint fp = {
		.st = sizes->st,
		.by = &kma_footprint_bys[KMA_FOOTPRINT_SYMBOL],
	};
	struct kma_err *err = NULL;

	kma_account_set_metrics(account, KMA_STATIC_METRICS);
	if (*sizes->release)
		kma_account_put_note(account, KMA_NOTE_RELEASE, sizes->release);
	err = kma_footprint_each(&fp, sizes_add, account);
	return err ?: kma_account_finish(account);
}

struct kma_err *kma_sizes_account(const char *name, struct kma_loaded *ret)
{
	_cleanup_(kma_sizes_deinit) struct kma_sizes sizes = { 0 };
	const struct kma_sizes_options one = { .trees = true, .key = KMA_FOOTPRINT_SYMBOL };
	struct kma_err *err;

	*ret = (struct kma_loaded){ .build_id = "", .attr = KMA_STATIC };
	err = kma_sizes_load(&one, name, false, &sizes);
	if (err)
		return err;
	ret->account = kma_account_create(name);
	err = sizes_fill(&sizes, ret->account);
	if (err)
		return err;
	ret->metrics = kma_account_metrics(ret->account);
	ret->release = kma_account_note(ret->account, KMA_NOTE_RELEASE) ?: "";
	return NULL;
}
