// SPDX-License-Identifier: GPL-2.0-only
/*
 * read-as.c - call a reader.
 */
#include "lib/plural.h"
#include "read-as.h"

struct kma_err *kma_reader_read_as(const struct kma_reader_ops *ops, struct kma_input *input,
				   struct kma_account **ret)
{
	struct kma_paste paste = {
		.line_of = ops->line,
		.begins_report = ops->begins_report,
		.part = kma_input_part(input),
		.parts = 1,
	};
	struct kma_account *account;
	struct kma_err *err;

	if (kma_input_interval(input)->is && !ops->times)
		return kma_err_create(
			kma_input_name(input), 0,
			"--from and --to need an event log of 'kmem-account record'; this input is of another type");
	if (paste.part && !ops->begins_report)
		return kma_err_create(kma_input_name(input), 0,
				      "not a text with several reports, so it has no report %u",
				      paste.part);
	account = kma_account_create(kma_input_name(input));
	if (ops->line)
		kma_input_set_filter(input, kma_paste_line, &paste);
	err = ops->read(input, account);
	kma_input_set_filter(input, NULL, NULL);
	if (paste.part > paste.parts) {
		kma_err_destroy(err);
		err = kma_err_create(kma_input_name(input), 0, "no report %u (%u %s)", paste.part,
				     paste.parts, kma_plural(paste.parts, "report", "reports"));
	}
	if (!err)
		kma_paste_close(&paste, account);
	if (!err)
		err = kma_account_finish(account);
	if (err) {
		kma_account_destroy(account);
		return err;
	}
	*ret = account;
	return NULL;
}
