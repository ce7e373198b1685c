// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaks-made.c - made series of call sites (leaks-made.h).
 */
#include <math.h>
#include <stdint.h>

#include "leaks-made.h"
#include "lib/cleanup.h"

#define WIDTH (MADE_SAMPLES / MADE_COHORTS) /* samples of an epoch */

const char *const made_names[MADE_NR_CLASSES] = {
	[MADE_LEAK] = "leak",
	[MADE_FLAT] = "flat",
	[MADE_AUTOCORRELATED] = "autocorrelated",
	[MADE_FILLING] = "filling",
	[MADE_PERIODIC] = "periodic",
	[MADE_STEP_UP] = "step",
	[MADE_SAWTOOTH] = "sawtooth",
	[MADE_DRIFT] = "drift of load",
	[MADE_LEAK_BASE] = "leak on a base",
	[MADE_DRIFT_BASE] = "drift on a base",
	[MADE_DRIFT_LONG] = "drift, long lives",
	[MADE_TABLE_FILLS] = "tables that fill",
	[MADE_TABLE_STAYS] = "tables that stay",
	[MADE_TABLE_MOST] = "tables of a maximum",
	[MADE_ARRAYS] = "arrays that grow",
};

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t made_state;

static uint64_t made_random(void)
{
	uint64_t z = made_state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static double made_uniform(double from, double to)
{
	return from + (to - from) * ((made_random() >> 11) * 0x1p-53);
}

static unsigned int made_below(unsigned int n)
{
	return made_uniform(0, n);
}

static double made_gauss(double mean, double sd)
{
	double radius = sqrt(-2 * log(1 - made_uniform(0, 1)));

	return mean + sd * radius * cos(made_uniform(0, 2 * M_PI));
}

/* Allocations of each step: a swing, noise, and a drift over the whole series. */
static void made_load(struct made *made, double drift)
{
	double base = made_uniform(500, 5000), swing = made_uniform(0.1, 0.5);
	double period = made_uniform(8, 16), phase = made_uniform(0, 2 * M_PI);

	for (int i = 0; i < MADE_SAMPLES; i++)
		made->births[i] = fmax(1, base * (1 + drift * i / MADE_SAMPLES) *
						  (1 + swing * sin(phase + 2 * M_PI * i / period)) *
						  made_gauss(1, 0.05));
}

/* A level that wanders: AR(1), in steady state from the start. */
static void made_noise(struct made *made, double level, double rho)
{
	double x = made_gauss(0, 1), sd = made_uniform(0.02, 0.1) * level;

	for (int i = 0; i < MADE_SAMPLES; i++) {
		x = rho * x + sqrt(1 - rho * rho) * made_gauss(0, 1);
		made->live[i] = level + sd * x;
	}
}

/* Which share of the births of sample @i lives at sample @t. */
struct made_life {
	double stays;		    /* share that is never freed */
	double passes;		    /* mean life of the others, in samples */
	double at[MADE_SAMPLES];    /* share of the births of a sample that stays besides */
	unsigned int period, first; /* of a cache: what was born since it was emptied */
};

static double made_left(const struct made_life *life, int i, int t)
{
	double stays = life->stays + life->at[i], rest = 0;

	if (life->period)
		return (life->first + i) / life->period == (life->first + t) / life->period ? 0.3 :
											      0;
	if (life->passes && (t - i < 12 || life->passes > 12))
		rest = exp(-(t - i) / life->passes);
	return fmin(1, stays + (1 - stays) * rest);
}

static void made_cohorts(struct made *made, const struct made_life *life)
{
	const int before = MADE_SAMPLES * 2 / 3;

	for (int k = 0; k < MADE_COHORTS; k++) {
		struct kma_leak_cohort *c = &made->cohorts[k];

		*c = (struct kma_leak_cohort){ .age = (MADE_COHORTS - 1 - k) * WIDTH * MADE_STEP };
		for (int i = k * WIDTH; i < (k + 1) * WIDTH; i++) {
			c->births += made->births[i];
			c->before += i <= before ? made->births[i] * made_left(life, i, before) : 0;
			c->now += made->births[i] * made_left(life, i, MADE_SAMPLES - 1);
		}
		c->before = rint(c->before);
		c->now = rint(c->now);
	}
}

static void made_leak(struct made *made, struct made_life *life)
{
	double level = made_uniform(2000, 20000), births = 0, total = 0;

	made_load(made, 0);
	made_noise(made, level, made_uniform(0, 0.6));
	for (int i = 0; i < MADE_SAMPLES; i++)
		births += made->births[i];
	life->stays = level * made_uniform(0.6, 5) / births;
	life->passes = made_uniform(0.5, 4);
	for (int i = 0; i < MADE_SAMPLES; i++) {
		total += made->births[i] * life->stays * made_gauss(1, 0.1);
		made->live[i] += total;
	}
}

static void made_flat(struct made *made, struct made_life *life)
{
	made_load(made, 0);
	made_noise(made, made_uniform(2000, 20000), 0);
	life->passes = made_uniform(0.5, 4);
}

static void made_autocorrelated(struct made *made, struct made_life *life)
{
	made_load(made, 0);
	made_noise(made, made_uniform(2000, 20000), made_uniform(0.85, 0.99));
	life->passes = made_uniform(0.5, 4);
}

static enum kma_leak_reclaim made_cache(void)
{
	return made_below(2) ? KMA_LEAK_RECLAIM_UNKNOWN : KMA_LEAK_RECLAIM_CACHE;
}

/* A cache of bounded size: each birth stays with the chance that there is room. */
static void made_filling(struct made *made, struct made_life *life)
{
	double tau = made_uniform(8, 60), size = made_uniform(5000, 50000);

	made_load(made, 0);
	for (int i = 0; i < MADE_SAMPLES; i++) {
		double before = size * (1 - exp(-i / tau)), now = size * (1 - exp(-(i + 1) / tau));

		made->live[i] = now + made_gauss(0, 0.01) * size + 1000;
		life->at[i] = fmin(1, (now - before) / made->births[i]);
	}
	made->reclaim = made_cache();
}

static void made_periodic(struct made *made, struct made_life *life)
{
	double level = made_uniform(2000, 20000), period = made_uniform(6, 60);
	double phase = made_uniform(0, 2 * M_PI), swing = made_uniform(0.1, 0.8);

	made_load(made, 0);
	for (int i = 0; i < MADE_SAMPLES; i++)
		made->live[i] = level * (1 + swing * sin(phase + 2 * M_PI * i / period)) *
				made_gauss(1, 0.02);
	life->passes = made_uniform(0.5, 4);
}

/* What one event makes once stays; everything else passes. */
static void made_step(struct made *made, struct made_life *life)
{
	double level = made_uniform(2000, 20000), up = level * made_uniform(0.2, 2);
	int at = 10 + made_below(76);

	made_load(made, 0);
	made_noise(made, level, 0.3);
	for (int i = at; i < MADE_SAMPLES; i++)
		made->live[i] += up;
	made->births[at] += up;
	life->at[at] = up / made->births[at];
	life->passes = made_uniform(0.5, 4);
}

/* A cache that a shrinker empties from time to time. */
static void made_sawtooth(struct made *made, struct made_life *life)
{
	double level = made_uniform(2000, 20000), keep = made_uniform(0, 0.3);

	made_load(made, 0);
	life->period = 6 + made_below(42);
	life->first = made_below(48);
	for (int i = 0; i < MADE_SAMPLES; i++)
		made->live[i] =
			level *
			(0.3 + keep + (double)((life->first + i) % life->period) / life->period) *
			made_gauss(1, 0.02);
	made->reclaim = made_cache();
}

/* Live objects follow a load that rises. */
static void made_drift(struct made *made, struct made_life *life)
{
	double mean = made_uniform(1, 5);

	made_load(made, made_uniform(0.2, 3));
	for (int i = 0; i < MADE_SAMPLES; i++) {
		made->live[i] = 0;
		for (int j = i - 15; j <= i; j++)
			made->live[i] += made->births[j < 0 ? 0 : j] * exp(-(i - j) / mean);
	}
	life->passes = made_uniform(0.5, 4);
}

/* Objects that were there before, and stay: they have no births in any cohort. */
static void made_base(struct made *made)
{
	double base = made->live[0] * made_uniform(2, 50);

	for (int i = 0; i < MADE_SAMPLES; i++)
		made->live[i] += base;
}

static void made_leak_base(struct made *made, struct made_life *life)
{
	made_leak(made, life);
	made_base(made);
}

static void made_drift_base(struct made *made, struct made_life *life)
{
	made_drift(made, life);
	made_base(made);
}

/* Live objects follow a load that rises slowly, but no swing of it; the load was steady before. */
static void made_drift_long(struct made *made, struct made_life *life)
{
	double mean = made_uniform(MADE_SAMPLES / 4, MADE_SAMPLES), rate = 0, live;

	made_load(made, made_uniform(0.05, 0.5));
	for (int i = 0; i < MADE_SAMPLES / 8; i++)
		rate += made->births[i] / (MADE_SAMPLES / 8);
	live = rate * mean;
	for (int i = 0; i < MADE_SAMPLES; i++) {
		live += made->births[i] - live / mean;
		made->live[i] = live;
	}
	life->passes = mean;
}

/* A table: a block for as many entries as there were at most, of a power of two bytes from 64 on. */
struct made_table {
	double level, tau, stop, rho; /* of its number of entries, by class */
	double noise, most;
	double size;
	int born; /* sample in which its block was allocated; -1: before the first */
};

/* Bytes that the entries of a table need at a sample. */
static double made_entries(struct made_table *table, enum made_class class, int i)
{
	double share = (i + 1.0) / MADE_SAMPLES, rho = table->rho;

	if (class == MADE_TABLE_FILLS)
		return table->level * (1 - exp(-(i + 1) / table->tau));
	if (class == MADE_ARRAYS)
		return table->level * (table->tau / MADE_SAMPLES + share);
	if (class == MADE_TABLE_STAYS)
		return table->level * fmin(share, table->stop);
	table->noise = rho * table->noise + sqrt(1 - rho * rho) * made_gauss(0, 1);
	table->most = fmax(table->most, 1 + table->noise / 2);
	return table->level / 2 * table->most;
}

static void made_table(struct made *made, enum made_class class, struct made_table *table)
{
	const int before = MADE_SAMPLES * 2 / 3;

	for (int i = 0; i < MADE_SAMPLES; i++) {
		double need = made_entries(table, class, i);

		if (need > table->size) {
			while (table->size < need)
				table->size *= 2;
			table->born = i;
			made->births[i]++;
			made->cohorts[i / WIDTH].births++;
		}
		made->live[i]++;
		made->size[i] += table->size;
		if (i == before && table->born >= 0)
			made->cohorts[table->born / WIDTH].before++;
	}
	if (table->born >= 0)
		made->cohorts[table->born / WIDTH].now++;
}

/* Objects of 64 bytes at the same call site, which are freed before the next sample but a few. */
static void made_pass(struct made *made)
{
	double births = made_uniform(20, 2000), level = made_uniform(1, 30);

	for (int i = 0; i < MADE_SAMPLES; i++) {
		double live = rint(fmax(0, level + made_gauss(0, 1) * sqrt(level)));

		made->births[i] += births;
		made->cohorts[i / WIDTH].births += births;
		made->live[i] += live;
		made->size[i] += 64 * live;
	}
}

/* 1 to 60 tables, of which a few may be alike. */
static void made_tables(struct made *made, enum made_class class)
{
	unsigned int nr = 1 + made_below(60);
	bool alike = nr < 4;
	struct made_table first = { .level = exp(made_uniform(log(4e3), log(4e6))),
				    .tau = made_uniform(8, 60),
				    .stop = made_uniform(0.1, 1) };

	for (int k = 0; k < MADE_COHORTS; k++)
		made->cohorts[k] = (struct kma_leak_cohort){ .age = (MADE_COHORTS - 1 - k) * WIDTH *
								    MADE_STEP };
	for (int i = 0; i < MADE_SAMPLES; i++)
		made->size[i] = 0;
	for (unsigned int n = 0; n < nr; n++) {
		struct made_table table = first;

		if (!alike) {
			table.level *= exp(made_uniform(-1.5, 1.5));
			table.tau = made_uniform(8, 60);
			table.stop = made_uniform(0.1, 1);
		}
		table.rho = made_uniform(0.85, 0.99);
		table.noise = made_gauss(0, 1);
		table.size = 64;
		table.born = -1;
		made_table(made, class, &table);
	}
	if (made_below(2))
		made_pass(made);
	for (int i = 0; i < MADE_SAMPLES; i++)
		made->size[i] /= made->live[i];
}

static void (*const made_makers[MADE_TABLE_FILLS])(struct made *made, struct made_life *life) = {
	[MADE_LEAK] = made_leak,
	[MADE_FLAT] = made_flat,
	[MADE_AUTOCORRELATED] = made_autocorrelated,
	[MADE_FILLING] = made_filling,
	[MADE_PERIODIC] = made_periodic,
	[MADE_STEP_UP] = made_step,
	[MADE_SAWTOOTH] = made_sawtooth,
	[MADE_DRIFT] = made_drift,
	[MADE_LEAK_BASE] = made_leak_base,
	[MADE_DRIFT_BASE] = made_drift_base,
	[MADE_DRIFT_LONG] = made_drift_long,
};

bool made_is_leak(enum made_class class)
{
	return class == MADE_LEAK || class == MADE_LEAK_BASE || class == MADE_ARRAYS;
}

void made_series(enum made_part part, enum made_class class, unsigned int number, struct made *ret)
{
	struct made_life life = { 0 };

	*ret = (struct made){ .reclaim = KMA_LEAK_RECLAIM_NONE };
	/* the first numbers of neighbours are alike, the mixed ones are not */
	made_state = (uint64_t)part << 56 | (uint64_t) class << 48 | number;
	made_state = made_random();
	for (int i = 0; i < MADE_SAMPLES; i++)
		ret->size[i] = MADE_SIZE;
	if (class >= MADE_TABLE_FILLS) {
		made_tables(ret, class);
		return;
	}
	made_makers[class](ret, &life);
	made_cohorts(ret, &life);
	for (int i = 0; i < MADE_SAMPLES; i++)
		ret->live[i] = fmax(0, ret->live[i]);
}
