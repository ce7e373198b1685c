/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kunit.h - KUnit, or what stands in for it where the kernel has none.
 */
#ifndef KMA_TEST_KUNIT_H
#define KMA_TEST_KUNIT_H

#if IS_ENABLED(CONFIG_KUNIT)
#include <kunit/test.h>
#else
#include "shim.h"
#endif

#endif /* KMA_TEST_KUNIT_H */
