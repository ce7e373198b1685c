// SPDX-License-Identifier: GPL-2.0-only
/*
 * atend.c - the end of the program by a signal, a mapped file that is truncated, or missing memory.
 *
 * Signals that end a program (Ctrl-C, SIGTERM, SIGHUP, SIGPIPE and others) remove the incomplete
 * files and then have their default effect, so the shell sees the signal. (While an input is read,
 * Ctrl-C ends only the input: progress.c.) SIGKILL cannot be handled and leaves such a file.
 *
 * If another program truncates a mapped file, access to the missing pages causes SIGBUS. A reader
 * cannot be resumed, and another thread may be counting events, so the handler itself prints the
 * name of the file, removes incomplete files and exits with 1. The alternative, read(2) into a
 * buffer, would copy each byte of a log.
 *
 * Missing memory ends the program in the same way, in any thread.
 *
 * Handlers call only functions that signal-safety(7) lists. They do nothing in a child, because the
 * registered files belong to its parent.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "atend.h"
#include "cleanup.h"
#include "program.h"

/* Incomplete output files. A command writes few files at a time. */
static struct {
	char *_Atomic name; /* NULL: the slot is not complete; a handler ignores it */
	atomic_bool used;
	atomic_int dir; /* directory of the file, or AT_FDCWD */
} kma_unfinished[8];

/* Mapped input files. */
static struct {
	const char *_Atomic name; /* NULL: the slot is not complete; a handler ignores it */
	atomic_uintptr_t begin;	  /* address; 0: a free slot */
	atomic_size_t len;	  /* bytes */
} kma_maps[8];

/* Actions of kma_atend_call(). */
static struct {
	void (*_Atomic fn)(void *arg); /* NULL: the slot is not complete, or the action was called */
	void *_Atomic arg;
	_Atomic pid_t pid; /* of the process that has registered it */
	atomic_bool used;
} actions[8];

/* The terminal. A handler that sees @used also sees the rest. */
static struct {
	atomic_bool used;
	int fd;
	struct termios modes;
	char text[64];
	size_t len;
} kma_screen;

void kma_atend_terminal(int fd, const struct termios *modes, const char *text)
{
	atomic_store(&kma_screen.used, false);
	if (!modes)
		return;
	kma_screen.fd = fd;
	kma_screen.modes = *modes;
	kma_screen.len = strnlen(text, sizeof(kma_screen.text) - 1);
	memcpy(kma_screen.text, text, kma_screen.len);
	atomic_store(&kma_screen.used, true);
}

/* Leave the program's screen. For handlers of signals, before a message. */
static void atend_leave_screen(void)
{
	ssize_t wrote;

	if (!atomic_exchange(&kma_screen.used, false))
		return;
	wrote = write(kma_screen.fd, kma_screen.text, kma_screen.len);
	(void)wrote;
	tcsetattr(kma_screen.fd, TCSANOW, &kma_screen.modes);
}

void kma_atend_unlink(int dir, const char *path)
{
	char *copy = strdup(path);

	for (size_t i = 0; i < ARRAY_SIZE(kma_unfinished) && copy; i++) {
		bool used = false;

		if (!atomic_compare_exchange_strong(&kma_unfinished[i].used, &used, true))
			continue;
		/* A handler that sees the name also sees the directory. */
		atomic_store(&kma_unfinished[i].dir, dir);
		atomic_store(&kma_unfinished[i].name, copy);
		return;
	}
	free(copy);
}

void kma_atend_keep(int dir, const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_unfinished); i++) {
		char *name = atomic_load(&kma_unfinished[i].name);

		if (!name || atomic_load(&kma_unfinished[i].dir) != dir || strcmp(name, path))
			continue;
		atomic_store(&kma_unfinished[i].name, NULL);
		atomic_store(&kma_unfinished[i].used, false);
		free(name);
		return;
	}
}

/* Remove the files that are not complete. For handlers of signals. */
static void atend_sweep(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_unfinished); i++) {
		const char *name = atomic_load(&kma_unfinished[i].name);

		if (name)
			unlinkat(atomic_load(&kma_unfinished[i].dir), name, 0);
	}
}

void kma_atend_map(const void *map, size_t len, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_maps); i++) {
		uintptr_t none = 0;

		if (!atomic_compare_exchange_strong(&kma_maps[i].begin, &none, (uintptr_t)map))
			continue;
		/*
		 * The name is stored last. Pairs with the load of the name in atend_mapped():
		 * a handler that sees the name also sees begin and len.
		 */
		atomic_store(&kma_maps[i].len, len);
		atomic_store(&kma_maps[i].name, name);
		return;
	}
}

void kma_atend_unmap(const void *map)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_maps); i++) {
		if (atomic_load(&kma_maps[i].begin) != (uintptr_t)map)
			continue;
		atomic_store(&kma_maps[i].name, NULL);
		atomic_store(&kma_maps[i].begin, 0);
		return;
	}
}

/* Name of the mapped file that contains an address, or NULL. For handlers of signals. */
static const char *atend_mapped(const void *addr)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_maps); i++) {
		const char *name = atomic_load(&kma_maps[i].name);
		uintptr_t begin = atomic_load(&kma_maps[i].begin);

		if (name && (uintptr_t)addr - begin < atomic_load(&kma_maps[i].len))
			return name;
	}
	return NULL;
}

void kma_atend_call(void (*fn)(void *arg), void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		bool used = false;

		if (!atomic_compare_exchange_strong(&actions[i].used, &used, true))
			continue;
		/* Who sees the function also sees the rest. */
		atomic_store(&actions[i].arg, arg);
		atomic_store(&actions[i].pid, getpid());
		atomic_store(&actions[i].fn, fn);
		return;
	}
}

void kma_atend_forget(void (*fn)(void *arg), void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		if (atomic_load(&actions[i].fn) != fn || atomic_load(&actions[i].arg) != arg)
			continue;
		atomic_store(&actions[i].fn, NULL);
		atomic_store(&actions[i].used, false);
		return;
	}
}

/*
 * Another thread without memory must not end the program meanwhile. An action that lacks memory itself
 * comes here again, for those after it.
 */
static void call_actions(void)
{
	static _Thread_local bool here;
	static atomic_bool begun;

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		void (*fn)(void *arg);

		if (!atomic_load(&actions[i].used) || atomic_load(&actions[i].pid) != getpid())
			continue;
		while (!here && atomic_exchange(&begun, true))
			pause();
		here = true;
		fn = atomic_exchange(&actions[i].fn, NULL);
		if (fn)
			fn(atomic_load(&actions[i].arg));
	}
}

static pid_t self;

/* Restore the default effect and raise the signal again; it arrives at once, or when unblocked. */
static void signal_default(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

static void signal_end(int sig)
{
	if (getpid() == self) {
		atend_leave_screen();
		atend_sweep();
	}
	signal_default(sig);
}

/*
 * Print the message in one write, so that the line is not mixed with others. Control characters in
 * the name are replaced, because a terminal would execute them.
 */
static void signal_say(const char *name)
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

void kma_atend_no_memory(void)
{
	static const char text[] = ": out of memory\n";
	struct iovec parts[] = {
		{ (char *)kma_program(), strlen(kma_program()) },
		{ (char *)text, sizeof(text) - 1 },
	};
	bool own = getpid() == self;
	ssize_t wrote;

	if (own)
		atend_leave_screen();
	wrote = writev(STDERR_FILENO, parts, ARRAY_SIZE(parts));
	(void)wrote;
	call_actions();
	if (own)
		atend_sweep();
	/* Another thread may use what exit() would free. */
	_exit(KMA_EXIT_DATA);
}

/* The write that exceeds the limit returns EFBIG. Children would inherit SIG_IGN. */
static void signal_nothing(int sig)
{
	(void)sig;
}

static void signal_bus(int sig, siginfo_t *info, void *context)
{
	const char *name = atend_mapped(info->si_addr);

	(void)context;
	/*
	 * Any other cause is a hardware fault or a bug, and gets the default effect. So does a
	 * fault in a child: its parent reports it.
	 */
	if (info->si_code != BUS_ADRERR || getpid() != self) {
		signal_default(sig);
		return;
	}
	atend_leave_screen();
	signal_say(name ?: "a mapped file");
	atend_sweep();
	_exit(KMA_EXIT_DATA);
}

void kma_atend_signals(void)
{
	static const int ends[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
				    SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU };
	struct sigaction end = { .sa_handler = signal_end };
	struct sigaction nothing = { .sa_handler = signal_nothing };
	struct sigaction bus = { .sa_sigaction = signal_bus, .sa_flags = SA_SIGINFO };
	struct sigaction old;

	self = getpid();
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ends[i], &end, NULL);
	sigaction(SIGXFSZ, &nothing, NULL);
	sigaction(SIGBUS, &bus, NULL);
}
