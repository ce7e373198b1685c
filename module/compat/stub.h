/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stub.h - functions that a KUnit test may replace, for its own thread alone.
 */
#ifndef KMA_COMPAT_STUB_H
#define KMA_COMPAT_STUB_H

#if defined(KMA_KUNIT_SHIM) || defined(KMA_NO_KUNIT_STUBS)
/* Without static stubs, which are new in v6.5, a test cannot replace the function. */
#define KMA_STUB(fn, args...)	((void)(fn))
#else
#ifdef KMA_KUNIT
#include <kunit/static_stub.h>

/* KMA_STUB() is the first statement of function @fn; @args are the arguments of @fn. */
#define KMA_STUB(fn, args...)	KUNIT_STATIC_STUB_REDIRECT(fn, ##args)
#else
#define KMA_STUB(fn, args...)	((void)(fn))
#endif
#endif

#endif /* KMA_COMPAT_STUB_H */
