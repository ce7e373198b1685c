// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text of function_graph, by each kind of rows: what is counted adds up, what is shown is a
 * line of the input, and every format can be written.
 */
#include <stdlib.h>
#include <string.h>

#include "latency/show.h"

struct fuzz_input {
	const char *text;
	size_t size;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_shown(void *arg, const char *line, size_t len)
{
	const struct fuzz_input *input = arg;

	if (memchr(line, '\n', len) || (len && !memmem(input->text, input->size, line, len)))
		abort();
}

static void fuzz_rows(const struct kma_lat *lat, enum kma_lat_by by)
{
	const struct kma_lat_sums *sums = kma_lat_sums(lat);
	uint64_t calls = 0, want = 0, shares = 0;
	const struct kma_lat_row **rows;
	size_t nr;

	rows = kma_lat_rows_sorted(kma_lat_rows(lat), KMA_LAT_OF_BY,
				   KMA_LAT_OF_BY + KMA_LAT_NR_CAUSES - 1, &nr);
	for (size_t i = 0; i < nr; i++)
		calls += rows[i]->stat.calls;
	for (unsigned int i = 0; i < KMA_LAT_NR_CAUSES; i++)
		want += sums->causes[i].calls;
	for (unsigned int i = 0; i < KMA_LAT_NR_SHARES; i++)
		shares += sums->shares[i];
	if (shares != sums->causes[KMA_LAT_ALLOC].total)
		abort();
	if (calls != (by >= KMA_LAT_BY_TASK ? want : 0) || sums->read > sums->lines)
		abort();
	free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = { (const char *)data + 1, size - 1 };
	struct kma_lat_options opts = { .threshold = 1000, .show = fuzz_shown, .arg = &input };
	struct kma_lat_report report = { .input = "fuzz", .threshold = 1000 };
	struct kma_lat *lat;

	if (!size)
		return 0;
	opts.by = report.by = *data % KMA_LAT_NR_BY;
	lat = kma_lat_create(&opts);
	kma_lat_text(lat, input.text, input.size);
	kma_lat_end(lat);
	fuzz_rows(lat, opts.by);
	report.lat = lat;
	for (enum kma_format i = 0; i < KMA_NR_FORMATS; i++) {
		struct kma_strbuf out = { 0 };

		kma_lat_show_text(&report, i, &out);
		kma_strbuf_deinit(&out);
	}
	kma_lat_destroy(lat);
	return 0;
}
