// SPDX-License-Identifier: GPL-2.0-only
/*
 * signals.c - how the program ends when it is told to, or when a file is taken from it.
 *
 * Ctrl-C, SIGTERM and SIGHUP remove the files that are not complete and then do what they
 * do by default, so the shell sees the signal. (While an input is read Ctrl-C ends the
 * input alone: progress.c.) SIGKILL cannot be handled: it leaves such a file.
 *
 * A mapped file that somebody cuts has pages that are not there: SIGBUS. There is nothing
 * to go back to in the middle of a reader, and another thread may be booking, so the
 * handler itself says which file it was, removes what is not complete and exits with 1.
 * The alternative, reading by read(2) into a buffer, is a copy of each byte of a log.
 *
 * Handlers call what signal-safety(7) lists, and nothing in a child: what it was
 * told of is its parent's.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "atend.h"
#include "cleanup.h"
#include "say.h"
#include "signals.h"

static pid_t kma_self;

/* By default, as if nobody had handled it. Comes again at once, or when unblocked. */
static void kma_signal_default(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

static void kma_signal_end(int sig)
{
	if (getpid() == kma_self)
		kma_atend_sweep();
	kma_signal_default(sig);
}

/* One write, so that the line is whole; names from outside say nothing to a terminal. */
static void kma_signal_say(const char *name)
{
	static const char *const parts[] = { NULL, ": ", NULL,
					     ": became shorter while it was read\n" };
	char line[512];
	size_t len = 0;
	ssize_t wrote;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char *part = parts[i] ?: i ? name : kma_program();
		bool ours = parts[i];

		for (; *part && len < sizeof(line) - 64 * !ours; part++) {
			bool plain = ours || ((unsigned char)*part >= 0x20 && *part != 0x7f);

			line[len++] = plain ? *part : '?';
		}
	}
	wrote = write(STDERR_FILENO, line, len);
	(void)wrote;
}

static void kma_signal_bus(int sig, siginfo_t *info, void *context)
{
	const char *name = kma_atend_mapped(info->si_addr);

	(void)context;
	/* Else it is a fault of the memory, or of ours, and a child's is its parent's to tell. */
	if (info->si_code != BUS_ADRERR || getpid() != kma_self) {
		kma_signal_default(sig);
		return;
	}
	kma_signal_say(name ?: "a mapped file");
	kma_atend_sweep();
	_exit(KMA_EXIT_DATA);
}

void kma_signals_init(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction end = { .sa_handler = kma_signal_end };
	struct sigaction bus = { .sa_sigaction = kma_signal_bus, .sa_flags = SA_SIGINFO };
	struct sigaction old;

	kma_self = getpid();
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ends[i], &end, NULL);
	sigaction(SIGBUS, &bus, NULL);
}
