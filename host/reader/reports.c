// SPDX-License-Identifier: GPL-2.0-only
/*
 * reports.c - the reports of a text that has several.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "reports.h"

/* Add the account of a report; @several: the text has other ones, so its name gets the number. */
static void add(struct kma_reports *reports, struct kma_account *account, bool several)
{
	_cleanup_free_ char *name = NULL;

	if (several) {
		name = kma_xasprintf("%s@#%u", kma_account_name(account), reports->nr);
		kma_account_rename(account, name);
	}
	kma_array_room(reports->stamps, reports->nr_list, reports->room_stamps);
	reports->stamps[reports->nr_list] = reports->times.report;
	kma_array_room(reports->list, reports->nr_list, reports->room);
	reports->list[reports->nr_list++] = account;
}

struct kma_account *kma_reports_end(struct kma_input *input)
{
	struct kma_reports *reports = kma_input_reports(input);
	struct kma_account *account = NULL;
	bool wanted;

	if (!reports)
		return NULL;
	reports->nr++;
	wanted = reports->part ? reports->part == reports->nr :
				 reports->keep == KMA_REPORTS_ALL ||
					 (reports->keep == KMA_REPORTS_ENDS && reports->nr == 1);
	if (wanted) {
		account = kma_account_create(kma_input_name(input));
		add(reports, account, true);
	}
	reports->times.report = reports->times.head;
	return account;
}

bool kma_reports_want_last(const struct kma_input *input)
{
	const struct kma_reports *reports = kma_input_reports(input);

	return !reports || !reports->part || reports->part == reports->nr + 1;
}

void kma_reports_add_last(struct kma_reports *reports, struct kma_account *account)
{
	reports->nr++;
	if (!reports->part || reports->part == reports->nr)
		add(reports, account,
		    reports->nr > 1 && (reports->part || reports->keep != KMA_REPORTS_LAST));
	else
		kma_account_destroy(account);
}

struct kma_account *kma_reports_take(struct kma_reports *reports)
{
	return reports->next < reports->nr_list ? reports->list[reports->next++] : NULL;
}

void kma_reports_deinit(struct kma_reports *reports)
{
	struct kma_account *account;

	while ((account = kma_reports_take(reports)))
		kma_account_destroy(account);
	free(reports->list);
	free(reports->stamps);
	*reports = (struct kma_reports){ 0 };
}
