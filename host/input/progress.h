/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.h - shows progress while an input is read, and handles Ctrl-C, which ends the input and
 * not the program. Nothing is shown during the first half second, or if stderr is not a terminal.
 */
#ifndef KMA_INPUT_PROGRESS_H
#define KMA_INPUT_PROGRESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "input.h"
#include "lib/strbuf.h"
#include "lib/statusline.h"

struct kma_progress {
	struct kma_statusline line;
	uint64_t began;		  /* start of reading, in ns of CLOCK_MONOTONIC */
	uint64_t last;		  /* time at which the line was last written */
	struct sigaction old_int; /* action of SIGINT that is restored at the end */
};

/**
 * kma_progress_begin() - show the progress of an input, and let Ctrl-C end it
 * @progress: owned by the caller; must live until kma_progress_end()
 * @input: the input
 * @quiet: show nothing
 *
 * The first SIGINT ends the input, a second one the program. If SIGINT is ignored, it stays
 * ignored.
 */
void kma_progress_begin(struct kma_progress *progress, struct kma_input *input, bool quiet);

/**
 * kma_progress_end() - erase the line, and restore the action of SIGINT
 * @progress: after kma_progress_begin()
 */
void kma_progress_end(struct kma_progress *progress);

/**
 * kma_progress_text() - append the line, "1.2 GiB of 2.4 GiB, 812.0 MiB/s, 2 s left"
 * @sb: appended to
 * @done: bytes that were read
 * @size: bytes of the input, 0 if unknown: the size and the time left are then left out
 * @ns: time since the start of reading
 */
void kma_progress_text(struct kma_strbuf *sb, uint64_t done, uint64_t size, uint64_t ns);

#endif /* KMA_INPUT_PROGRESS_H */
