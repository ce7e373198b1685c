// SPDX-License-Identifier: GPL-2.0-only
/*
 * statusline.c - one line on the terminal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "statusline.h"

#define KMA_STATUSLINE_WIDTH 80 /* columns of a terminal whose width is unknown */

/* Is stderr a terminal that can erase a line? */
static bool statusline_fits(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb");
}

/*
 * Does this job own the terminal? A job in the background would write into the screen of another.
 */
static bool statusline_ours(void)
{
	pid_t group = tcgetpgrp(STDERR_FILENO);

	return group < 0 || group == getpgrp();
}

/* Columns of the line. The last column stays free: some terminals start a new line after it. */
static size_t statusline_room(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return KMA_STATUSLINE_WIDTH - 1;
	return size.ws_col - 1;
}

void kma_statusline_show(struct kma_statusline *line, const char *text)
{
	size_t len = strlen(text), room;

	if (line->quiet || !statusline_fits() || !statusline_ours())
		return;
	room = statusline_room();
	while (len > room) {
		const char *comma = memrchr(text, ',', len);

		len = comma ? (size_t)(comma - text) : 0;
	}
	fprintf(stderr, "\r%.*s\033[K\r", (int)len, text);
	fflush(stderr);
	line->shown = true;
}

void kma_statusline_end(struct kma_statusline *line)
{
	if (line->shown && statusline_ours())
		fprintf(stderr, "\r\033[K");
	line->shown = false;
}
