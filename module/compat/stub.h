/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stub.h - functions that a KUnit test may replace, for its own thread alone.
 *
 * KUnit has had it since v6.5. Without its tests a kernel has nothing of it.
 */
#ifndef KMA_COMPAT_STUB_H
#define KMA_COMPAT_STUB_H

#ifdef KMA_KUNIT_STUBS
#include <kunit/static_stub.h>

/* The first statement of function @fn, which has these arguments. */
#define KMA_STUB(fn, args...)	KUNIT_STATIC_STUB_REDIRECT(fn, ##args)
#else
#define KMA_STUB(fn, args...)	((void)(fn))
#endif

#endif /* KMA_COMPAT_STUB_H */
