/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * library.h - load a shared library when it is needed.
 *
 * Most commands draw no picture and answer no request. Linked, the libraries for that, with the
 * libraries that they need, would take three quarters of the time in which each command starts.
 *
 * A user of a library lists the functions that it calls, once, with clang-format off:
 *
 *	#define KMA_CAIRO_FUNCTIONS(F) F(cairo, create) F(cairo, destroy)
 *	static struct {
 *		KMA_CAIRO_FUNCTIONS(KMA_LIBRARY_POINTER)
 *	} kma_cairo;
 *	static const char *const kma_cairo_names[] = { KMA_CAIRO_FUNCTIONS(KMA_LIBRARY_NAME) };
 *	static const struct kma_library kma_cairo_library = {
 *		"cairo", { "libcairo.so.2" }, "libcairo2",
 *		KMA_LIBRARY_FUNCTIONS(kma_cairo, kma_cairo_names)
 *	};
 *
 * After kma_library_load(), kma_cairo.create() is cairo_create().
 */
#ifndef KMA_LIB_LIBRARY_H
#define KMA_LIB_LIBRARY_H

#include <stddef.h>

#include "err.h"

/* A pointer to the function PREFIX_NAME, called NAME, and the function's name. */
#define KMA_LIBRARY_POINTER(prefix, name) typeof(prefix##_##name) *name;
#define KMA_LIBRARY_NAME(prefix, name)	  #prefix "_" #name,

/* Members @functions, @nr and @pointers of a library. */
#define KMA_LIBRARY_FUNCTIONS(table, names) \
	(names), sizeof(names) / sizeof(*(names)), (void **)&(table)

struct kma_library {
	const char *name;     /* as its project calls it */
	const char *files[2]; /* its sonames; the first one that can be loaded is used */
	const char *packages; /* that have it */
	const char *const *functions;
	size_t nr;
	void **pointers; /* set to the functions, in their order */
};

/*
 * The library stays loaded; a second call is fine. An error is of kind KMA_ERR_DATA, and names the
 * packages to install.
 */
struct kma_err *kma_library_load(const struct kma_library *library);

#endif /* KMA_LIB_LIBRARY_H */
