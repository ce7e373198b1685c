/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-made.h - made series of call sites, of which it is known what they are.
 *
 * A series is the objects of one call site in 96 samples of 5 minutes. Allocations follow a load
 * with a swing and noise. Cohorts are the births of 12 epochs, with what is left of them a third
 * before the end and at the end; a series has them as the lifetimes of its class say.
 *
 * A series is made of its part, class and number alone: the same call makes the same series.
 */
#ifndef KMA_BENCH_LEAKS_MADE_H
#define KMA_BENCH_LEAKS_MADE_H

#include "model/leak.h"

#define MADE_SAMPLES 96
#define MADE_STEP    300.0 /* s */
#define MADE_COHORTS 12
#define MADE_SIZE    192 /* bytes of an object, but of tables */

enum made_class {
	MADE_LEAK,
	MADE_FLAT,
	MADE_AUTOCORRELATED,
	MADE_FILLING,
	MADE_PERIODIC,
	MADE_STEP_UP,
	MADE_SAWTOOTH,
	MADE_DRIFT,
	MADE_LEAK_BASE,	  /* beside much memory that was there before and stays */
	MADE_DRIFT_BASE,  /* the same */
	MADE_DRIFT_LONG,  /* objects live for a quarter to all of the series */
	MADE_TABLE_FILLS, /* tables that krealloc() makes larger, of a cache that fills */
	MADE_TABLE_STAYS, /* the same, of entries that get more at a steady rate, and then stay */
	MADE_TABLE_MOST,  /* the same, of entries that get more and fewer */
	MADE_ARRAYS,	  /* the same, of entries that get more for ever: none is ever removed */
	MADE_NR_CLASSES,
};

/* Thresholds are chosen by series of the first part alone. */
enum made_part {
	MADE_OPEN,
	MADE_HELD_OUT,
};

struct made {
	double births[MADE_SAMPLES], live[MADE_SAMPLES]; /* objects */
	double size[MADE_SAMPLES];			 /* mean bytes of an object */
	struct kma_leak_cohort cohorts[MADE_COHORTS];
	enum kma_leak_reclaim reclaim;
};

extern const char *const made_names[MADE_NR_CLASSES];

/**
 * made_is_leak() - do the call sites of a class leak?
 * @class: a class
 *
 * Return: true if they do.
 */
bool made_is_leak(enum made_class class);

/**
 * made_series() - make a series
 * @part: of the series
 * @class: what it is
 * @number: of the series in its part and class
 * @ret: the series
 */
void made_series(enum made_part part, enum made_class class, unsigned int number, struct made *ret);

#endif /* KMA_BENCH_LEAKS_MADE_H */
