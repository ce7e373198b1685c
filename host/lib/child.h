/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * child.h - a child process for a library that crashes on corrupt files.
 */
#ifndef KMA_LIB_CHILD_H
#define KMA_LIB_CHILD_H

#include <sys/types.h>

/*
 * Returns as fork(2). The child is killed when its parent ends. It ignores Ctrl-C, leaves no core,
 * and its standard output and error go to /dev/null. It must end by _exit(2), so that it neither
 * flushes nor frees data of the parent.
 */
pid_t kma_child_fork(void);

#endif /* KMA_LIB_CHILD_H */
