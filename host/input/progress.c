// SPDX-License-Identifier: GPL-2.0-only
/*
 * progress.c - show the progress of an input, and handle Ctrl-C.
 */
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "input.h"
#include "lib/clock.h"
#include "progress.h"
#include "lib/units.h"

#define KMA_PROGRESS_GAP (KMA_NS_PER_S / 2)

void kma_progress_text(struct kma_strbuf *sb, uint64_t done, uint64_t size, uint64_t ns)
{
	double rate = ns ? (double)done * KMA_NS_PER_S / ns : 0;
	char buf[3][24];

	kma_units_format(buf[0], sizeof(buf[0]), done, KMA_UNIT_BYTES);
	kma_units_format(buf[1], sizeof(buf[1]), rate, KMA_UNIT_BYTES);
	kma_units_format(buf[2], sizeof(buf[2]), size, KMA_UNIT_BYTES);
	if (size < done || !size) {
		kma_strbuf_printf(sb, "%s, %s/s", buf[0], buf[1]);
		return;
	}
	kma_strbuf_printf(sb, "%s of %s, %s/s", buf[0], buf[2], buf[1]);
	if (rate > 0)
		kma_strbuf_printf(sb, ", %.0f s left", (size - done) / rate);
}

static void progress_show(const struct kma_input *input, void *arg)
{
	_cleanup_strbuf_ struct kma_strbuf line = { 0 };
	struct kma_progress *progress = arg;
	uint64_t now, done, size;

	now = kma_clock(CLOCK_MONOTONIC);
	if (now - progress->last < KMA_PROGRESS_GAP)
		return;
	progress->last = now;
	kma_input_progress(input, &done, &size);
	kma_progress_text(&line, done, size, now - progress->began);
	kma_statusline_show(&progress->line, line.str);
}

static void progress_stop(int sig)
{
	(void)sig;
	kma_input_stop();
}

void kma_progress_begin(struct kma_progress *progress, struct kma_input *input, bool quiet)
{
	struct sigaction stop = { .sa_handler = progress_stop, .sa_flags = SA_RESETHAND };

	*progress = (struct kma_progress){ .began = kma_clock(CLOCK_MONOTONIC) };
	progress->last = progress->began;
	if (!quiet && isatty(STDERR_FILENO))
		kma_input_watch(input, progress_show, progress);
	sigaction(SIGINT, NULL, &progress->old_int);
	if (progress->old_int.sa_handler != SIG_IGN)
		sigaction(SIGINT, &stop, NULL);
}

void kma_progress_end(struct kma_progress *progress)
{
	if (progress->old_int.sa_handler != SIG_IGN)
		sigaction(SIGINT, &progress->old_int, NULL);
	if (progress->line.shown)
		kma_statusline_end(&progress->line);
}
