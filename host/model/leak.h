/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak.h - is a call site a leak? One series of samples of one call site goes in, and a
 * verdict with its evidence comes out. The evidence is of the minima of blocks, because bursts,
 * periods and sawteeth do not lift these. The verdict is the first row of a table that fits.
 *
 * Never done here: no file is read, nothing is printed, and no sample is changed. Evidence that
 * was not given is not guessed: the verdict is then a weaker one, and the reasons say what is
 * missing.
 */
#ifndef KMA_MODEL_LEAK_H
#define KMA_MODEL_LEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"
#include "lib/strbuf.h"
#include "trend.h"

#define KMA_LEAK_MIN_BLOCKS  8
#define KMA_LEAK_MAX_BLOCKS  12
#define KMA_LEAK_MIN_BLOCK   3	  /* samples */
#define KMA_LEAK_MIN_COVER   60.0 /* seconds */
#define KMA_LEAK_FLOOR	     4096 /* bytes per hour that commands ignore by default */
#define KMA_LEAK_MIN_SAMPLES (KMA_LEAK_MIN_BLOCKS * KMA_LEAK_MIN_BLOCK)

enum kma_leak_verdict {
	KMA_LEAK_LEAK,
	KMA_LEAK_GROWING,
	KMA_LEAK_FILLING,
	KMA_LEAK_CACHE,
	KMA_LEAK_TOO_EARLY,
	KMA_LEAK_FALLING,
	KMA_LEAK_PLATEAU,
	KMA_LEAK_NR_VERDICTS,
};

/* Their names, in the order in which a report ranks them. */
extern const char *const kma_leak_verdicts[KMA_LEAK_NR_VERDICTS];

/* A site at one time. */
struct kma_leak_sample {
	double time;	/* s */
	double live;	/* bytes */
	double objects; /* live objects */
	double allocs;	/* since the account began */
};

/* The objects of one site that were born in one epoch. Epochs are given oldest first. */
struct kma_leak_cohort {
	double age;    /* s, of the youngest of them, at the end of the series */
	double births; /* allocations in that epoch */
	double before; /* objects of this epoch that live a third of the series before its end */
	double now;    /* objects of this epoch that live at the end */
};

enum kma_leak_reclaim {
	KMA_LEAK_RECLAIM_UNKNOWN,
	KMA_LEAK_RECLAIM_NONE,	 /* the cache is not reclaimable */
	KMA_LEAK_RECLAIM_CACHE,	 /* it is, and no reclaim was seen or a reclaim shrank it */
	KMA_LEAK_RECLAIM_PASSED, /* it is, and a reclaim did not shrink it */
	KMA_LEAK_RECLAIM_LATE,	 /* the kernel frees its objects late, many at once */
};

/* What is known of a site. */
struct kma_leak_site {
	const struct kma_leak_sample
		*samples; /* in the order of time, equal steps as far as can be */
	size_t nr;
	bool has_allocs;		       /* allocs and objects are known */
	const struct kma_leak_cohort *cohorts; /* NULL: not known */
	size_t nr_cohorts;
	enum kma_leak_reclaim reclaim;
	double unloaded; /* s since its module was unloaded; negative: it is loaded, or not known */
	double floor;	 /* bytes per hour that are no leak yet */
	const char *advice; /* what would tell a leak from a cache that fills; NULL: nothing to say */
};

/* What the samples say. */
struct kma_leak_evidence {
	size_t nr, blocks;
	double covers;			    /* s */
	double period;			    /* s; 0: none is visible */
	double minima[KMA_LEAK_MAX_BLOCKS]; /* bytes */
	double times[KMA_LEAK_MAX_BLOCKS];  /* s, of the minima's blocks */
	double z;			    /* of the minima, kma_trend_z() */
	double steps_up;		    /* share of the steps between minima that go up */
	struct kma_trend_slope slope;	    /* of the minima, bytes per second */
	bool steady;			    /* a rise, whose slope is known well */
	bool rises, falls; /* the minima do; a rise is above the floor, and goes on */
	bool swings;	   /* live goes well above the minima, and back */
	double last;	   /* live bytes at the end */
	double leaked;	   /* share of the allocations that is never freed; <0: not known */
	double fading;	   /* that share in the second half relative to the first; <0: not known */
	bool load_changes; /* the rate of allocations changes enough to tell */
	bool follows_load; /* live rises no more than the rate of allocations */
	bool has_cohorts;
	bool residue;	       /* old cohorts leave objects, as many as a third before */
	double residue_fading; /* share left of younger cohorts relative to older; <0 */
	double survivors;      /* objects of old cohorts */
	enum kma_leak_reclaim reclaim;
	double unloaded;
	const char *advice;
};

struct kma_leak_result {
	enum kma_leak_verdict verdict;
	double confidence; /* 0 to 1 */
	struct kma_leak_evidence evidence;
};

/**
 * kma_leak_judge() - give a verdict
 * @site: what is known of it
 * @ret: filled in
 *
 * Return: NULL or &kma_enomem.
 */
struct kma_err *kma_leak_judge(const struct kma_leak_site *site, struct kma_leak_result *ret);

/**
 * kma_leak_say_share() - say which share of the allocations is never freed
 * @share: above 0
 * @brief: without the word for allocations, for a caption
 * @text: "1 of 98 allocations is never freed" is appended
 */
void kma_leak_say_share(double share, bool brief, struct kma_strbuf *text);

/**
 * kma_leak_reasons() - say why
 * @result: of kma_leak_judge()
 * @text: sentences are appended, separated by "; "
 */
void kma_leak_reasons(const struct kma_leak_result *result, struct kma_strbuf *text);

#endif /* KMA_MODEL_LEAK_H */
