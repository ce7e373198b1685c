/* SPDX-License-Identifier: GPL-2.0 */
/*
 * relay.h - relay channels of older kernels.
 *
 * For relay.c alone.
 */
#ifndef KMA_COMPAT_RELAY_H
#define KMA_COMPAT_RELAY_H

#include <linux/relay.h>

/* Up to v5.10 relay_open() fills in the callbacks that are missing. */
#ifdef KMA_RELAY_CB_WRITTEN
#define KMA_RELAY_CB_CONST
#else
#define KMA_RELAY_CB_CONST	const
#endif

/* Up to v6.16 it was told how much of the last sub-buffer was not used. */
#ifdef KMA_RELAY_PADDING_ARG
#define KMA_RELAY_START_ARGS						\
	struct rchan_buf *buf, void *now, void *before, size_t padding
#else
#define KMA_RELAY_START_ARGS						\
	struct rchan_buf *buf, void *now, void *before
#endif

#endif /* KMA_COMPAT_RELAY_H */
