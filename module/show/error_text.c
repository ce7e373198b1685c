// SPDX-License-Identifier: GPL-2.0-only
/*
 * error_text.c - the text of the debugfs file errors.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "account/site.h"
#include "account/word.h"
#include "guard/access.h"
#include "guard/hide.h"
#include "guard/serial.h"
#include "show/debugfs.h"
#include "show/report_text.h"
#include "show/rows.h"
#include "watch/errors.h"

static const char *const kma_error_names[KMA_NR_ERRORS] = {
	[KMA_ERROR_KFREE] = "kfree_of_cache_object",
	[KMA_ERROR_CACHE_FREE] = "cache_free_of_kmalloc",
	[KMA_ERROR_CACHE] = "wrong_cache",
	[KMA_ERROR_TWICE] = "double_free",
};

static void kma_errors_show_id(struct seq_file *m, unsigned int id)
{
	if (id == KMA_SITE_NONE)
		seq_puts(m, "\t-");
	else
		seq_printf(m, "\t%u", id);
}

static void kma_errors_show_name(struct seq_file *m, unsigned int id, bool shown)
{
	seq_puts(m, "\t");
	if (id == KMA_SITE_NONE)
		seq_puts(m, "-");
	else
		kma_show_name(m, id, kma_sites.sites[id].call_site, shown);
}

static void kma_errors_show_row(struct seq_file *m, unsigned int nr, bool shown)
{
	const struct kma_error_row *row = kma_errors_row(nr);

	seq_printf(m, "%s\t%llu\t0x%lx\t%s\t%s", kma_error_names[row->error],
		   kma_word_get(&row->count),
		   kma_hide_address((unsigned long)row->ptr, shown),
		   row->cache, row->given);
	kma_errors_show_id(m, row->first);
	kma_errors_show_id(m, row->now);
	kma_errors_show_name(m, row->first, shown);
	kma_errors_show_name(m, row->now, shown);
	seq_puts(m, "\n");
}

/* One reader of errors. Until the next clear or on, rows are added and never removed. */
struct kma_errors_reader {
	unsigned int generation, nr;
	bool shown;
};

static void *kma_errors_create(void)
{
	struct kma_errors_reader *r = kmalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);

	if (!r)
		return ERR_PTR(-ENOMEM);
	r->shown = kma_access_addresses();
	r->generation = kma_serial_lock();
	r->nr = kma_errors_rows();
	kma_serial_unlock();
	return r;
}

static void kma_errors_destroy(void *reader)
{
	kfree(reader);
}

static size_t kma_errors_nr(const void *reader)
{
	const struct kma_errors_reader *r = reader;

	return r->nr;
}

static void kma_errors_show_header(struct seq_file *m, const void *reader)
{
	seq_puts(m, "kmem_account errors 1\n"
		 "# error\tcount\taddress\tcache\tgiven\tfirst\tnow\tfirst_caller\tnow_caller\n");
}

static void kma_errors_show(struct seq_file *m, const void *reader, size_t row)
{
	const struct kma_errors_reader *r = reader;

	if (kma_serial_lock() == r->generation)
		kma_errors_show_row(m, row, r->shown);
	kma_serial_unlock();
}

const struct kma_rows kma_error_rows = {
	kma_errors_create, false, kma_errors_destroy, kma_errors_nr,
	kma_errors_show_header, kma_errors_show
};

void kma_errors_show_stats(struct seq_file *m)
{
	struct kma_error_sums sums;
	int i;

	if (!kma_errors_sums(&sums))
		return;
	for (i = 0; i < KMA_NR_ERRORS; i++)
		seq_printf(m, "errors %s: %llu\n", kma_error_names[i],
			   sums.totals[i]);
	seq_printf(m, "errors beyond the rows: %llu\n", sums.beyond);
	seq_printf(m, "errors not watched: %llu\n", sums.unwatched);
	seq_printf(m, "errors not certain: %llu\n", sums.uncertain);
}
