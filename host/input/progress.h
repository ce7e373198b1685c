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
	uint64_t began; /* ns of the monotonic clock */
	uint64_t last;	/* when the line was written */
	struct sigaction old_int;
};

/**
 * kma_progress_begin() - from now on an input is read
 * @progress: owned by the caller
 * @input: that is watched
 * @quiet: say nothing
 *
 * The first SIGINT ends the input, a second one the program. Where SIGINT is
 * ignored, it stays so.
 */
void kma_progress_begin(struct kma_progress *progress, struct kma_input *input, bool quiet);

/**
 * kma_progress_end() - the input was read: take the line off the terminal
 * @progress: as begun
 */
void kma_progress_end(struct kma_progress *progress);

/**
 * kma_progress_text() - the line, "1.2 GiB of 2.4 GiB, 812.0 MiB/s, 2 s left"
 * @sb: where to
 * @done: bytes that were read
 * @size: bytes of the input, 0 if unknown
 * @ns: time since the start of reading
 */
void kma_progress_text(struct kma_strbuf *sb, uint64_t done, uint64_t size, uint64_t ns);

#endif /* KMA_INPUT_PROGRESS_H */
