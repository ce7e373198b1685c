/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline-frame.h - a function of a chain of inlined ones.
 */
#ifndef KMA_SYMBOL_INLINE_FRAME_H
#define KMA_SYMBOL_INLINE_FRAME_H

/* No chain of inlined functions in a kernel is as long (32 is the longest in a 6.1). */
#define KMA_FRAMES_MAX 64

/* One function of a chain, and the line in it that is executed or calls the next one. */
struct kma_frame {
	const char *function; /* "" when the debugging information names none */
	const char *file;     /* relative to the top of the source, "" when not known */
	unsigned int line;    /* 0 when not known */
};

#endif /* KMA_SYMBOL_INLINE_FRAME_H */
