/* SPDX-License-Identifier: GPL-2.0 */
/*
 * workqueue.h - the workqueue of older kernels that is bound to no CPU.
 *
 * It is called system_dfl_wq in 6.12.95 and 7.2, but not in 6.1. The former name is
 * there beside it, in 7.2 for a queue that says in the kernel's log who has used it.
 *
 * For control.c alone.
 */
#ifndef KMA_COMPAT_WORKQUEUE_H
#define KMA_COMPAT_WORKQUEUE_H

#include <linux/workqueue.h>

#ifdef KMA_NO_DFL_WQ
#define kma_unbound_wq	system_unbound_wq
#else
#define kma_unbound_wq	system_dfl_wq
#endif

#endif /* KMA_COMPAT_WORKQUEUE_H */
