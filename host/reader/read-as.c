// SPDX-License-Identifier: GPL-2.0-only
/*
 * read-as.c - call a reader.
 */
#include "read-as.h"
#include "reports.h"

struct kma_err *kma_reader_read_as(const struct kma_reader_ops *ops, struct kma_input *input,
				   struct kma_account **ret)
{
	_cleanup_account_ struct kma_account *account = NULL;
	struct kma_reports own = { 0 }, *reports = kma_input_reports(input) ?: &own;
	struct kma_paste paste = { .line_of = ops->line,
				   .format_of = reports->format_of,
				   .times = reports->keep == KMA_REPORTS_ALL ? &reports->times :
									       NULL };
	unsigned int unended;
	struct kma_err *err;
	bool name;

	if (kma_input_interval(input)->is && !ops->times)
		return kma_err_create(
			kma_input_name(input), 0,
			"--from and --to need an event log of 'kmem-account record'; this input is of another type");
	if (reports->keep == KMA_REPORTS_ENDS && !ops->several)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, kma_input_name(input), 0,
					   "one account, which has no earlier reports");
	kma_input_set_reports(input, reports);
	account = kma_account_create(kma_input_name(input));
	if (ops->line)
		kma_input_set_filter(input, kma_paste_line, &paste);
	err = ops->read(input, account);
	unended = kma_input_unended(input, &name);
	kma_input_set_filter(input, NULL, NULL);
	kma_input_set_reports(input, NULL);
	if (err)
		return err;
	kma_paste_close(&paste, reports->part && reports->nr_list ? reports->list[0] : account);
	if (reports->nr && reports->keep == KMA_REPORTS_LAST && !reports->part)
		kma_account_warn(account, "%u reports; the last one is used (FILE@#1 is the first)",
				 reports->nr + 1);
	if (unended)
		kma_account_warn(account, "line %u, the last one, has no line end: %s", unended,
				 name ? "the name at its end may be cut" :
					"if the text is cut there, rows may be missing");
	if (name)
		kma_account_set_partial(account);
	for (size_t i = 0; i < reports->nr_list; i++) {
		err = kma_account_finish(reports->list[i]);
		if (err)
			return err;
	}
	err = kma_account_finish(account);
	if (err)
		return err;
	*ret = account;
	account = NULL;
	return NULL;
}
