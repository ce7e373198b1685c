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

/*
 * Shows the progress of an input, unless @quiet, and lets the first SIGINT end the input, not the
 * program; a second one ends the program. If SIGINT is ignored, it stays ignored. @progress must
 * live until kma_progress_end().
 */
void kma_progress_begin(struct kma_progress *progress, struct kma_input *input, bool quiet);

void kma_progress_end(struct kma_progress *progress);

/*
 * Appends "1.2 GiB of 2.4 GiB, 812.0 MiB/s, 2 s left". With @size = 0 (unknown) the size and the
 * time left are left out. @ns: time since the start of reading.
 */
void kma_progress_text(struct kma_strbuf *sb, uint64_t done, uint64_t size, uint64_t ns);

#endif /* KMA_INPUT_PROGRESS_H */
