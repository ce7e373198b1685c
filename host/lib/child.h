/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * child.h - a child process for a library that crashes on corrupt files.
 */
#ifndef KMA_LIB_CHILD_H
#define KMA_LIB_CHILD_H

#include <sys/types.h>

/**
 * kma_child_fork() - fork() for a child that may crash and must print nothing
 *
 * The child ends with its parent; it ignores Ctrl-C and leaves no core, and its standard output and
 * error are dropped. It must end by _exit(2), so that it neither flushes nor frees data of the
 * parent.
 *
 * Return: as fork(2); with an error, errno says why.
 */
pid_t kma_child_fork(void);

#endif /* KMA_LIB_CHILD_H */
