/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcu.h - where the objects end that are passed to kfree_rcu().
 */
#ifndef KMA_COMPAT_RCU_H
#define KMA_COMPAT_RCU_H

#ifdef KMA_NO_SHEAVES
/* kfree_bulk() frees the objects that are passed to kfree_rcu(). */
#define KMA_RCU_ENDS_IN_BULK	1
#else
/* kfree_rcu() puts objects into sheaves, and kfree_bulk() frees only the others. */
#define KMA_RCU_ENDS_IN_BULK	0
#endif

#endif /* KMA_COMPAT_RCU_H */
