/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workqueue.h - the workqueue that is not bound to a CPU.
 *
 * For growth.c, peak_work.c, pressure.c, oom.c and cgroup.c.
 */
#ifndef KMA_COMPAT_WORKQUEUE_H
#define KMA_COMPAT_WORKQUEUE_H

#include <linux/workqueue.h>

#ifdef KMA_NO_DFL_WQ
#define kma_unbound_wq	system_unbound_wq
#else
/* system_unbound_wq may exist as well; 7.2 prints a warning if it is used. */
#define kma_unbound_wq	system_dfl_wq
#endif

#endif /* KMA_COMPAT_WORKQUEUE_H */
