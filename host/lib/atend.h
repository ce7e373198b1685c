/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * atend.h - actions when a signal or missing memory ends the program: restore the terminal, remove
 * incomplete output files, name a mapped input file that another program has truncated, and undo
 * what must not last. Only main() installs the handlers, so tests and other programs are not
 * affected.
 *
 * Each of the three tables has eight slots. A file beyond these is not removed, or not named; an
 * action is not done.
 *
 * Locking: a slot is claimed by an atomic compare-and-exchange and released by an atomic store; a
 * handler only reads. A name is freed only after the threads of readers have ended, so no handler
 * in another thread can still read it.
 */
#ifndef KMA_LIB_ATEND_H
#define KMA_LIB_ATEND_H

#include <stddef.h>
#include <termios.h>

/*
 * Removes a file if a signal ends the program. @dir, the directory of @path or AT_FDCWD, stays open
 * until kma_atend_keep(), which gets the same arguments once the file is complete or removed. @path
 * is copied.
 */
void kma_atend_unlink(int dir, const char *path);
void kma_atend_keep(int dir, const char *path);

/*
 * Names a mapped file in the message about SIGBUS. @name must live until kma_atend_unmap(), which
 * must be called before the file is unmapped.
 */
void kma_atend_map(const void *map, size_t len, const char *name);
void kma_atend_unmap(const void *map);

/*
 * Restores the modes of a terminal, and writes @text (up to 63 bytes), which leaves the program's
 * screen and shows the cursor. Otherwise a message would be lost with the screen, and the shell
 * would have a terminal without echo. Both are copied. There is one terminal at a time; @modes is
 * NULL when it has been restored.
 */
void kma_atend_terminal(int fd, const struct termios *modes, const char *text);

/*
 * Registers what missing memory must not prevent: @fn restores settings of the kernel, saves an
 * output or wipes memory, with little memory or none. It is called at most once, perhaps in another
 * thread while all others run. Signals do not call it: its owner has to catch them. @arg must live
 * until kma_atend_forget(), which does nothing if the action is not registered.
 */
void kma_atend_call(void (*fn)(void *arg), void *arg);
void kma_atend_forget(void (*fn)(void *arg), void *arg);

/*
 * Installs the handlers, for the main program before it starts threads. A signal that is ignored
 * stays ignored. SIGXFSZ (the limit of a file's size) does not end the program: the write fails and
 * is reported.
 */
void kma_atend_signals(void);

/*
 * Ends the program for lack of memory (alloc.h): restores the terminal, prints one sentence, calls
 * the actions, removes the incomplete files and exits with 1. A child only prints and exits with 1.
 */
_Noreturn void kma_atend_no_memory(void);

#endif /* KMA_LIB_ATEND_H */
