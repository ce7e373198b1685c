/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cleanup.h - scope guards: a variable declared with one of these attributes releases its resource
 * when its scope ends, on every path.
 */
#ifndef KMA_LIB_CLEANUP_H
#define KMA_LIB_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define _cleanup_(fn) __attribute__((cleanup(fn)))

static inline void kma_cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void kma_cleanup_fclose(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline void kma_cleanup_closedir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

#define _cleanup_free_	 _cleanup_(kma_cleanup_free)
#define _cleanup_fclose_ _cleanup_(kma_cleanup_fclose)
#define _cleanup_dir_	 _cleanup_(kma_cleanup_closedir)

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif /* KMA_LIB_CLEANUP_H */
