/* SPDX-License-Identifier: GPL-2.0 */
/*
 * workqueue.h - the workqueue that is not bound to a CPU.
 *
 * For control.c alone.
 */
#ifndef KMA_COMPAT_WORKQUEUE_H
#define KMA_COMPAT_WORKQUEUE_H

#include <linux/workqueue.h>

#ifdef KMA_NO_DFL_WQ
#define kma_unbound_wq	system_unbound_wq
#else
/* Some kernels have both names. Then the use of the other queue causes a warning (7.2). */
#define kma_unbound_wq	system_dfl_wq
#endif

#endif /* KMA_COMPAT_WORKQUEUE_H */
