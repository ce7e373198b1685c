/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kunit.h - KUnit, or its replacement in a module.
 */
#ifndef KMA_TEST_KUNIT_H
#define KMA_TEST_KUNIT_H

#ifndef KMA_KUNIT_SHIM
#include <kunit/test.h>
#else
#include "shim.h"
#endif

#endif /* KMA_TEST_KUNIT_H */
