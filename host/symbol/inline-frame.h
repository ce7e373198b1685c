/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline-frame.h - one function of a chain of inlined functions.
 */
#ifndef KMA_SYMBOL_INLINE_FRAME_H
#define KMA_SYMBOL_INLINE_FRAME_H

/* Longest chain. The longest one in a Debian 6.1 has 32 functions; a longer one is cut. */
#define KMA_FRAMES_MAX 64

/* One function of a chain, and the line in it that is executed, or that calls the next one. */
struct kma_frame {
	const char *function; /* "" if the debugging information has no name */
	const char *file;     /* relative to the top of the source; "" if unknown */
	unsigned int line;    /* 0 if unknown */
};

#endif /* KMA_SYMBOL_INLINE_FRAME_H */
