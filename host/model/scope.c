// SPDX-License-Identifier: GPL-2.0-only
/*
 * scope.c - what the numbers of an account count, in words.
 *
 * An account of the module, and a log, begin at some time: memory from before is not in it. Such an
 * input states the frees of objects that it does not know. Other inputs, as /proc/allocinfo, have
 * all memory of their kind, or do not say.
 */
#include <time.h>

#include "lib/strbuf.h"
#include "moment.h"
#include "scope.h"

#define SLAB_KINDS (1U << KMA_KIND_KMALLOC | 1U << KMA_KIND_CACHE)

/* The kinds of the call sites that hold bytes; named rows have none. */
static unsigned int scope_kinds(const struct kma_account *account)
{
	const struct kma_site *sites;
	unsigned int kinds = 0;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++)
		if (sites[i].values.current && !sites[i].named)
			kinds |= 1U << sites[i].kind;
	return kinds;
}

static const char *scope_what(const struct kma_account *account)
{
	unsigned int kinds = scope_kinds(account);

	if (kma_account_note(account, KMA_NOTE_ALL_SLAB))
		return "All slab memory";
	if (kinds && !(kinds & ~SLAB_KINDS))
		return "Slab memory";
	if (kinds == 1U << KMA_KIND_PAGE)
		return "Pages";
	if (kinds == 1U << KMA_KIND_PERCPU)
		return "Per-CPU memory";
	return "Kernel memory";
}

/* Writes the time at which the account began; the day is left out if it is that of the account. */
static bool scope_begin(const struct kma_moment *moment, struct kma_strbuf *out)
{
	time_t end = moment->time / 1000000000, begin;
	struct tm to, from;
	char text[32];

	if (moment->generation > 1 || !moment->loaded || moment->loaded > moment->up)
		return false;
	begin = (moment->time - (moment->up - moment->loaded)) / 1000000000;
	if (!gmtime_r(&end, &to) || !gmtime_r(&begin, &from) ||
	    !strftime(text, sizeof(text),
		      to.tm_year == from.tm_year && to.tm_yday == from.tm_yday ? "%H:%M UTC" :
										 "%F %H:%M UTC",
		      &from))
		return false;
	kma_strbuf_printf(out, " allocated since %s", text);
	return true;
}

void kma_scope_text(const struct kma_account *account, const char *branch, struct kma_strbuf *out)
{
	struct kma_moment moment;
	uint64_t unused;

	kma_strbuf_puts(out, scope_what(account));
	if (*branch)
		kma_strbuf_printf(out, " in %s", branch);
	if (kma_account_note(account, KMA_NOTE_ALL_SLAB))
		return;
	if (kma_account_note(account, KMA_NOTE_CHOSEN)) {
		kma_strbuf_puts(out, " of the call sites in the input");
		return;
	}
	if (kma_moment_of(account, &moment) && scope_begin(&moment, out))
		return;
	kma_strbuf_puts(out, moment.generation > 1 ? " allocated since the last clear" :
			     kma_account_loss(account, KMA_LOSS_UNKNOWN_FREES, &unused) ?
						     " allocated since the account began" :
						     " allocated");
}

void kma_scope_amount(const struct kma_account *account, uint64_t live, enum kma_unit unit,
		      uint64_t slab, struct kma_strbuf *out)
{
	char number[KMA_NUMBER_LEN], share[KMA_NUMBER_LEN];
	unsigned int kinds = scope_kinds(account);

	kma_units_format(number, sizeof(number), live, unit);
	kma_strbuf_printf(out, ": %s", number);
	if (!slab || kma_account_note(account, KMA_NOTE_ALL_SLAB) || live > slab || !kinds ||
	    kinds & ~SLAB_KINDS)
		return;
	kma_percent_format(share, sizeof(share), live, slab);
	kma_strbuf_printf(out, ", %s of all slab", share);
}
