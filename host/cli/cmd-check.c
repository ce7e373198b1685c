// SPDX-License-Identifier: GPL-2.0
/*
 * cmd-check.c - kmem-account check: is an event log sound? What was kmemtrace_check.
 *
 * The log is read as for a report; what the reader finds is summed up by kind and listed
 * with its place in the file (as it is unpacked). Nothing is repaired.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "input/input.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "lib/file.h"
#include "lib/strbuf.h"
#include "log/log.h"
#include "session/load.h"
#include "session/options.h"
#include "input/progress.h"
#include "lib/say.h"

/* Findings that are listed without --top. */
#define KMA_CHECK_SHOWN	 20
#define KMA_CHECK_LISTED 10000

struct kma_check {
	const char *name;
	const struct kma_log_head *head;
	const struct kma_log_sums *sums;
	bool stopped;		     /* by Ctrl-C: nobody knows what is in the rest */
	struct kma_log_finding *all; /* the first ones */
	size_t nr, room, most;
	uint64_t found;
	struct kma_log_finding first[KMA_LOG_NR_WHATS];
	uint64_t values[KMA_LOG_NR_VALUES];
};

/* Without memory there is no more room: what is not listed is counted. */
static bool kma_check_room(struct kma_check *check)
{
	size_t room = check->room ? check->room * 2 : 64;
	struct kma_log_finding *all;

	if (check->nr < check->room)
		return true;
	all = reallocarray(check->all, room, sizeof(*all));
	if (!all)
		return false;
	check->all = all;
	check->room = room;
	return true;
}

static void kma_check_found(void *arg, const struct kma_log_finding *finding)
{
	struct kma_check *check = arg;

	check->found++;
	if (check->nr < check->most && kma_check_room(check))
		check->all[check->nr++] = *finding;
	if (!check->first[finding->what].pos)
		check->first[finding->what] = *finding;
	if (finding->what == KMA_LOG_BAD_VALUE && finding->number < KMA_LOG_NR_VALUES)
		check->values[finding->number]++;
}

/* Of which kind of sum is it: how many there were, or of how many they speak? */
static uint64_t kma_check_number(const struct kma_check *check, enum kma_log_what what)
{
	return what == KMA_LOG_BAD_VALUE ? check->sums->times[what] : check->sums->what[what];
}

static void kma_check_sentence(const struct kma_check *check, const struct kma_log_finding *finding,
			       struct kma_strbuf *out)
{
	if (finding->what == KMA_LOG_NO_END)
		kma_log_sentence(check->sums, finding->what, out);
	else if (finding->what == KMA_LOG_BAD_VALUE)
		kma_strbuf_puts(out, kma_log_value_names[finding->number % KMA_LOG_NR_VALUES]);
	else
		kma_strbuf_printf(out, "%" PRIu64 " %s", finding->number,
				  kma_log_what_titles[finding->what]);
}

static void kma_check_row(const struct kma_check *check, const struct kma_log_finding *finding,
			  struct kma_strbuf *out)
{
	kma_strbuf_printf(out, "0x%-12" PRIx64, finding->pos);
	if (finding->cpu == KMA_LOG_NO_CPU)
		kma_strbuf_puts(out, "      -  ");
	else
		kma_strbuf_printf(out, "  %5u  ", finding->cpu);
	kma_check_sentence(check, finding, out);
	kma_strbuf_puts(out, "\n");
}

static void kma_check_head(const struct kma_check *check, struct kma_strbuf *out)
{
	const struct kma_log_head *head = check->head;
	const struct kma_log_sums *sums = check->sums;

	kma_escape_plain(out, check->name);
	kma_strbuf_puts(out, ": ");
	kma_escape_plain(out, head->release);
	kma_strbuf_puts(out, ", ");
	kma_escape_plain(out, head->machine);
	kma_strbuf_printf(out, ", %u bits, %s-endian, %u CPUs, %.3f s\n", head->word_bits,
			  head->big_endian ? "big" : "little", head->nr_cpus,
			  (sums->last - sums->first) / 1e9);
	kma_strbuf_printf(out,
			  "allocations: %" PRIu64 "\nfrees: %" PRIu64 "\nother records: %" PRIu64
			  "\nrecords of unknown types: %" PRIu64 "\nfindings: %" PRIu64 "\n",
			  sums->records[0], sums->records[1], sums->others, sums->unknown,
			  check->found);
}

static void kma_check_table(const struct kma_check *check, struct kma_strbuf *out)
{
	kma_check_head(check, out);
	if (!check->found)
		return;
	kma_strbuf_printf(out, "\n%-16s %12s %16s  %s\n", "FINDING", "TIMES", "NUMBER", "FIRST AT");
	for (unsigned int what = 0; what < KMA_LOG_NR_WHATS; what++)
		if (check->sums->times[what])
			kma_strbuf_printf(out, "%-16s %12" PRIu64 " %16" PRIu64 "  0x%" PRIx64 "\n",
					  kma_log_what_names[what], check->sums->times[what],
					  kma_check_number(check, what), check->first[what].pos);
	kma_strbuf_printf(out, "\n%-14s  %5s  %s\n", "OFFSET", "CPU", "WHAT");
	for (size_t i = 0; i < check->nr; i++)
		kma_check_row(check, &check->all[i], out);
	if (check->found > check->nr)
		kma_strbuf_printf(out, "%" PRIu64 " more are not listed (--top N)\n",
				  check->found - check->nr);
}

/* A last row says how many have none. */
static void kma_check_csv(const struct kma_check *check, struct kma_strbuf *out)
{
	kma_strbuf_puts(out, "finding,cpu,offset,number,what\n");
	for (size_t i = 0; i < check->nr; i++) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };
		const struct kma_log_finding *finding = &check->all[i];

		kma_check_sentence(check, finding, &text);
		kma_strbuf_printf(out, "%s,", kma_log_what_names[finding->what]);
		if (finding->cpu != KMA_LOG_NO_CPU)
			kma_strbuf_printf(out, "%u", finding->cpu);
		kma_strbuf_printf(out, ",%" PRIu64 ",%" PRIu64 ",", finding->pos, finding->number);
		kma_escape_csv(out, text.str ?: "");
		kma_strbuf_puts(out, "\n");
	}
	if (check->found > check->nr)
		kma_strbuf_printf(out, "[not listed],,,%" PRIu64 ",\n", check->found - check->nr);
}

static void kma_check_json_sums(const struct kma_check *check, struct kma_strbuf *out)
{
	const char *comma = "";

	kma_strbuf_puts(out, "  \"summary\": {");
	for (unsigned int what = 0; what < KMA_LOG_NR_WHATS; what++) {
		if (!check->sums->times[what])
			continue;
		kma_strbuf_printf(out,
				  "%s\n    \"%s\": { \"times\": %" PRIu64 ", \"number\": %" PRIu64
				  ", \"first_offset\": %" PRIu64,
				  comma, kma_log_what_names[what], check->sums->times[what],
				  kma_check_number(check, what), check->first[what].pos);
		if (what == KMA_LOG_NO_END)
			kma_strbuf_printf(out, ", \"last_event_ns\": %" PRIu64,
					  kma_log_last(check->sums));
		kma_strbuf_puts(out, " }");
		comma = ",";
	}
	kma_strbuf_puts(out, "\n  },\n");
}

static void kma_check_json(const struct kma_check *check, struct kma_strbuf *out)
{
	const struct kma_log_sums *sums = check->sums;

	kma_strbuf_puts(out, "{\n  \"input\": ");
	kma_escape_json(out, check->name);
	kma_strbuf_puts(out, ",\n  \"kernel_release\": ");
	kma_escape_json(out, check->head->release);
	kma_strbuf_printf(out,
			  ",\n  \"allocations\": %" PRIu64 ",\n  \"frees\": %" PRIu64
			  ",\n  \"other_records\": %" PRIu64 ",\n  \"unknown_records\": %" PRIu64
			  ",\n  \"findings\": %" PRIu64 ",\n",
			  sums->records[0], sums->records[1], sums->others, sums->unknown,
			  check->found);
	kma_check_json_sums(check, out);
	kma_strbuf_puts(out, "  \"list\": [");
	for (size_t i = 0; i < check->nr; i++) {
		const struct kma_log_finding *finding = &check->all[i];

		kma_strbuf_printf(out, "%s\n    { \"finding\": \"%s\", \"cpu\": ", i ? "," : "",
				  kma_log_what_names[finding->what]);
		if (finding->cpu == KMA_LOG_NO_CPU)
			kma_strbuf_puts(out, "null");
		else
			kma_strbuf_printf(out, "%u", finding->cpu);
		kma_strbuf_printf(out, ", \"offset\": %" PRIu64 ", \"number\": %" PRIu64 " }",
				  finding->pos, finding->number);
	}
	kma_strbuf_puts(out, "\n  ]\n}\n");
}

static const struct {
	void (*write)(const struct kma_check *check, struct kma_strbuf *out);
	size_t most;
} kma_check_formats[KMA_NR_FORMATS] = {
	[KMA_FORMAT_TABLE] = { kma_check_table, KMA_CHECK_SHOWN },
	[KMA_FORMAT_CSV] = { kma_check_csv, KMA_CHECK_LISTED },
	[KMA_FORMAT_JSON] = { kma_check_json, KMA_CHECK_LISTED },
};

static struct kma_err *kma_check_read(struct kma_check *check, const struct kma_options *opts)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const struct kma_log_item *item;
	struct kma_progress progress;
	struct kma_input *input;
	struct kma_log *log = NULL;
	struct kma_err *err;

	err = kma_input_open(opts->account, &input);
	if (err)
		return err;
	kma_progress_begin(&progress, input, opts->quiet);
	err = kma_log_open(input, kma_check_found, check, &log);
	while (!err && kma_log_next(log, &item))
		;
	kma_progress_end(&progress);
	if (!err) {
		check->stopped = kma_load_stopped(input);
		check->name = kma_input_name(input);
		check->head = kma_log_head(log);
		check->sums = kma_log_sums(log);
		kma_check_formats[opts->format].write(check, &text);
		err = kma_outfile_write(opts->output, &text);
	}
	kma_log_close(log);
	kma_input_close(input);
	return err;
}

static int kma_check_run(const struct kma_options *opts)
{
	struct kma_check check = { .most = opts->top ?: kma_check_formats[opts->format].most };
	struct kma_err *err;

	err = kma_check_read(&check, opts);
	free(check.all);
	if (err)
		return kma_fail(err, KMA_EXIT_DATA);
	return check.found || check.stopped ? KMA_EXIT_DATA : KMA_EXIT_OK;
}

const struct kma_cmd kma_cmd_check = {
	.name = "check",
	.bits = KMA_CMD_CHECK,
	.args = "[[-f] LOG]",
	.nr_args = 1,
	.summary = "Check an event log: structure, numbers, times, losses, values.",
	.examples = "  kmem-account check kmem.log\n"
		    "  kmem-account check --format csv kmem.log.zst\n",
	.run = kma_check_run,
};
