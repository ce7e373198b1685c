// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reports that are made, changed as people do, and read. The bytes choose the format, its numbers and the changes, so
 * the right answer is known from the generator alone (as in tests/host/mutate.py, which knows more formats): the account
 * has exactly these numbers, or there is an error. A report that is only decorated has to be read.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "lib/texts.h"

#define ROWS 12

struct row {
	unsigned int name; /* different for each row */
	uint64_t bytes, objects;
};

struct report {
	const uint8_t *data;
	size_t left;
	struct row rows[ROWS];
	unsigned int nr;
	bool refusable; /* something may be missing, so an error is right, too */
	bool cut;
};

static unsigned int take(struct report *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->data++;
}

static unsigned int take_number(struct report *in)
{
	unsigned int low = take(in), high = take(in);

	return 1 + low + (high << 8);
}

/* Each format writes its title, or one row, and the key that the row has in the account. */

static void write_allocinfo(const struct row *row, struct kma_strbuf *out)
{
	if (!row)
		kma_strbuf_puts(out, "allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n");
	else
		kma_strbuf_printf(out, "%12llu %8llu fs/demo.c:%u func:demo_%u%c\n",
				  (unsigned long long)row->bytes, (unsigned long long)row->objects,
				  row->name, row->name, ' ');
}

static void allocinfo_key(unsigned int name, char *key, size_t size)
{
	snprintf(key, size, "fs/demo.c:%u demo_%u", name, name);
}

/* The bytes are those of the objects in use. */
static void write_slabinfo(const struct row *row, struct kma_strbuf *out)
{
	if (!row)
		kma_strbuf_puts(out, "slabinfo - version: 2.1\n");
	else
		kma_strbuf_printf(
			out,
			"demo_%-12u %6llu %6llu %6llu 32 1 : tunables 0 0 0 : slabdata %6u %6u 0\n",
			row->name, (unsigned long long)row->objects,
			(unsigned long long)row->objects,
			(unsigned long long)(row->bytes / row->objects), 1, 1);
}

static void slabinfo_key(unsigned int name, char *key, size_t size)
{
	snprintf(key, size, "demo_%u", name);
}

static void write_kmemleak(const struct row *row, struct kma_strbuf *out)
{
	if (row)
		kma_strbuf_printf(
			out,
			"unreferenced object 0xffff8881%08x (size %llu):\n"
			"  comm \"insmod\", pid 4086, jiffies 42948%05u (age 27.850s)\n"
			"  hex dump (first 32 bytes):\n"
			"    00 00 00 00 ad 4e ad de ff ff ff ff 00 00 00 00  .....N..........\n"
			"  backtrace (crc 8fd8d4e2):\n    __kmalloc_noprof+0x335/0x450\n"
			"    demo_%u+0x22/0x4f0 [demo]\n    do_one_initcall+0x5a/0x310\n",
			row->name * 64, (unsigned long long)row->bytes, row->name, row->name);
}

static void kmemleak_key(unsigned int name, char *key, size_t size)
{
	snprintf(key, size, "demo_%u+0x22/0x4f0 [demo]", name);
}

static void write_vmallocinfo(const struct row *row, struct kma_strbuf *out)
{
	uint64_t start;

	if (!row)
		return;
	start = 0xffffc90000000000ULL + (uint64_t)row->name * (1ULL << 32);
	kma_strbuf_printf(out, "0x%llx-0x%llx %7llu demo_%u+0xcf/0x100 pages=%llu vmalloc N0=1\n",
			  (unsigned long long)start,
			  (unsigned long long)(start + row->bytes + 4096),
			  (unsigned long long)(row->bytes + 4096), row->name,
			  (unsigned long long)(row->bytes / 4096));
}

static void vmallocinfo_key(unsigned int name, char *key, size_t size)
{
	snprintf(key, size, "demo_%u+0xcf/0x100", name);
}

enum format { ALLOCINFO, SLABINFO, KMEMLEAK, VMALLOCINFO, NR_FORMATS };

static const struct {
	void (*write)(const struct row *row, struct kma_strbuf *out);
	void (*key)(unsigned int name, char *key, size_t size);
} formats[NR_FORMATS] = {
	[ALLOCINFO] = { write_allocinfo, allocinfo_key },
	[SLABINFO] = { write_slabinfo, slabinfo_key },
	[KMEMLEAK] = { write_kmemleak, kmemleak_key },
	[VMALLOCINFO] = { write_vmallocinfo, vmallocinfo_key },
};

static void make_rows(struct report *in, enum format kind)
{
	in->nr = 1 + take(in) % ROWS;
	for (unsigned int i = 0; i < in->nr; i++) {
		struct row *row = &in->rows[i];

		row->name = 1 + i * 256 + take(in);
		row->objects = kind == SLABINFO || kind == ALLOCINFO ? take_number(in) : 1;
		row->bytes = take_number(in) * row->objects;
		if (kind == VMALLOCINFO)
			row->bytes *= 4096;
	}
	/* one of them first: lists are sorted by anything */
	if (in->nr > 1 && take(in) & 1) {
		struct row first = in->rows[0];

		in->rows[0] = in->rows[in->nr - 1];
		in->rows[in->nr - 1] = first;
	}
}

static void write_report(struct report *in, enum format kind, struct kma_strbuf *out)
{
	if (!(take(in) & 1))
		formats[kind].write(NULL, out);
	for (unsigned int i = 0; i < in->nr; i++)
		formats[kind].write(&in->rows[i], out);
}

/* Put something before each line, and maybe a line end of Windows behind it. */
static void decorate(struct report *in, const struct kma_strbuf *text, struct kma_strbuf *out)
{
	static const char *const prefixes[] = { "",
						"> ",
						"    ",
						"[   12.345678] ",
						"[   12.345678][    T1] ",
						"Nov 30 02:37:24 box kernel: ",
						"dracut-pre-pivot[519]: ",
						"2026-11-30T02:37:24.123456+00:00 box kernel: " };
	const char *prefix = prefixes[take(in) % ARRAY_SIZE(prefixes)];
	bool windows = take(in) & 1;

	for (const char *line = text->str, *nl; line && *line; line = nl + 1) {
		nl = strchr(line, '\n');
		kma_strbuf_printf(out, "%s%.*s%s\n", prefix, (int)(nl - line), line,
				  windows ? "\r" : "");
	}
}

static const struct row *row_of(const struct report *in, enum format kind, const char *caller)
{
	char key[80];

	for (unsigned int i = 0; i < in->nr; i++) {
		formats[kind].key(in->rows[i].name, key, sizeof(key));
		if (!strcmp(key, caller))
			return &in->rows[i];
	}
	return NULL;
}

/* In a text that is cut the last name may be cut: a row with its numbers has a name that begins so. */
static bool is_cut_name(const struct report *in, enum format kind, const struct kma_site *site)
{
	char key[80];

	for (unsigned int i = 0; i < in->nr && in->cut; i++) {
		formats[kind].key(in->rows[i].name, key, sizeof(key));
		if (!strncmp(key, site->caller, strlen(site->caller)) &&
		    in->rows[i].bytes == site->values.current)
			return true;
	}
	return false;
}

static void check(const struct report *in, enum format kind, const struct kma_account *account)
{
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	if (nr > in->nr || (!in->cut && nr != in->nr))
		abort();
	for (size_t i = 0; i < nr; i++) {
		const struct row *row = row_of(in, kind, sites[i].caller);

		/* an object that is cut before its frames has no call site */
		if (!row && (is_cut_name(in, kind, &sites[i]) || (in->cut && *sites[i].caller == '[')))
			continue;
		if (!row || sites[i].values.current != row->bytes ||
		    sites[i].values.objects != row->objects)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_strbuf_ struct kma_strbuf plain = { 0 }, text = { 0 };
	struct report in = { .data = data, .left = size };
	unsigned int block = take(&in), changes = take(&in);
	enum format kind = take(&in) % NR_FORMATS;
	struct kma_account *account = NULL;
	struct kma_input *input;
	struct kma_err *err;
	size_t len;

	make_rows(&in, kind);
	if (changes & 1)
		kma_strbuf_puts(&plain, "Hello,\nthis is what I see after two hours:\n\n");
	write_report(&in, kind, &plain);
	if (changes & 2) {
		kma_strbuf_puts(&plain, "and once more:\n");
		write_report(&in, kind, &plain);
	}
	if (changes & 4)
		kma_strbuf_puts(&plain, "\nRegards, A. User\n");
	decorate(&in, &plain, &text);
	len = text.len;
	if (changes & 8) {
		/* two texts that are cut are neither the one nor the other */
		in.cut = in.refusable = true;
		len = changes & 2 ? len : 1 + take_number(&in) % len;
	} else if (changes & 16) {
		len -= text.str[len - 2] == '\r' ? 2 : 1;
		in.cut = true;
	}
	if (kma_input_memory("fuzz", text.str, len, block, &input))
		abort();
	err = kma_reader_read(input, &account);
	if (!err == !account || (err && !in.refusable))
		abort();
	if (account)
		check(&in, kind, account);
	kma_err_destroy(err);
	kma_account_destroy(account);
	kma_text_forget();
	kma_input_close(input);
	return 0;
}
