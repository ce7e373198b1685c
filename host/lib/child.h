/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * child.h - a process of ours for a library that crashes on damaged files.
 */
#ifndef KMA_LIB_CHILD_H
#define KMA_LIB_CHILD_H

#include <sys/types.h>

/**
 * kma_child_fork() - fork() for a child that may crash, and has nothing to say to people
 *
 * The child ends with its parent; Ctrl-C is not for it; it leaves no core, and what it writes to
 * the standard output or error is dropped. It has to end by _exit(2), so that nothing of the
 * parent's is flushed or freed.
 *
 * Return: as fork(2); with an error, errno says why.
 */
pid_t kma_child_fork(void);

#endif /* KMA_LIB_CHILD_H */
