/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * relay.h - callbacks of relay channels.
 *
 * For relay.c alone.
 */
#ifndef KMA_COMPAT_RELAY_H
#define KMA_COMPAT_RELAY_H

#include <linux/relay.h>

#ifdef KMA_RELAY_CB_WRITTEN
/* Up to v5.10 relay_open() fills in the missing callbacks. */
#define KMA_RELAY_CB_CONST
#else
#define KMA_RELAY_CB_CONST	const
#endif

#ifdef KMA_RELAY_PADDING_ARG
/* @padding: number of unused bytes in the last sub-buffer (up to v6.16) */
#define KMA_RELAY_START_ARGS						\
	struct rchan_buf *buf, void *now, void *before, size_t padding
#else
#define KMA_RELAY_START_ARGS						\
	struct rchan_buf *buf, void *now, void *before
#endif

#endif /* KMA_COMPAT_RELAY_H */
