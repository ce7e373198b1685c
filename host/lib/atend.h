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

/**
 * kma_atend_unlink() - register a file that is removed if a signal ends the program
 * @dir: directory of @path, open until kma_atend_keep(), or AT_FDCWD
 * @path: name of the file, copied; ignored if the table is full
 */
void kma_atend_unlink(int dir, const char *path);

/**
 * kma_atend_keep() - forget a file, which is complete or removed
 * @dir: as given to kma_atend_unlink()
 * @path: as given to kma_atend_unlink()
 */
void kma_atend_keep(int dir, const char *path);

/**
 * kma_atend_map() - register a mapped file
 * @map: address of the mapping
 * @len: bytes of the mapping
 * @name: name of the file for a message; must live until kma_atend_unmap()
 */
void kma_atend_map(const void *map, size_t len, const char *name);

/**
 * kma_atend_unmap() - forget a mapped file, before it is unmapped
 * @map: as given to kma_atend_map()
 */
void kma_atend_unmap(const void *map);

/**
 * kma_atend_terminal() - register a terminal whose modes and screen are restored
 * @fd: the terminal
 * @modes: its modes, copied; NULL: forget the terminal, which is restored
 * @text: what leaves the program's screen and shows the cursor; copied, up to 63 bytes
 *
 * Without a program's screen that is open, a message would be lost with it, and the shell would
 * have a terminal without echo. One terminal at a time.
 */
void kma_atend_terminal(int fd, const struct termios *modes, const char *text);

/**
 * kma_atend_call() - register what missing memory must not prevent
 * @fn: puts settings of the kernel back, saves an output or wipes memory, with little memory or none.
 *	It is called at most once, perhaps in another thread while all others run. Signals do not
 *	call it: who registers it catches them
 * @arg: passed to @fn; must live until kma_atend_forget()
 */
void kma_atend_call(void (*fn)(void *arg), void *arg);

/**
 * kma_atend_forget() - forget an action, if it is registered
 * @fn: as given to kma_atend_call()
 * @arg: as given to kma_atend_call()
 */
void kma_atend_forget(void (*fn)(void *arg), void *arg);

/**
 * kma_atend_signals() - install handlers for SIGBUS, and for the signals that end a program
 *
 * For the main program, before it starts threads. A signal that is ignored stays ignored. SIGXFSZ
 * (the limit of a file's size) does not end the program: the write fails and is reported.
 */
void kma_atend_signals(void);

/**
 * kma_atend_no_memory() - end the program for lack of memory (alloc.h)
 *
 * Restores the terminal, prints one sentence, calls the actions, removes the incomplete files and
 * exits with 1. A child only prints and exits with 1.
 */
_Noreturn void kma_atend_no_memory(void);

#endif /* KMA_LIB_ATEND_H */
