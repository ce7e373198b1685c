/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak-site.h - the data of a call site that leak.h gives a verdict on, and the evidence that is
 * found in them. The files leak*.c share these.
 */
#ifndef KMA_MODEL_LEAK_SITE_H
#define KMA_MODEL_LEAK_SITE_H

#include <stdbool.h>
#include <stddef.h>

#include "trend.h"

#define KMA_LEAK_MIN_BLOCKS  8
#define KMA_LEAK_MAX_BLOCKS  12
#define KMA_LEAK_MIN_BLOCK   3	  /* samples in a block */
#define KMA_LEAK_MIN_COVER   60.0 /* seconds that a series has to cover */
#define KMA_LEAK_PERIODS     3	  /* periods that a series has to cover */
#define KMA_LEAK_FLOOR	     4096 /* growth in bytes per hour that commands ignore by default */
#define KMA_LEAK_MIN_SAMPLES (KMA_LEAK_MIN_BLOCKS * KMA_LEAK_MIN_BLOCK)

/* A site at one time. */
struct kma_leak_sample {
	double time;	/* s */
	double live;	/* live bytes */
	double objects; /* live objects */
	double allocs;	/* allocations since the account began */
};

/*
 * A cohort: the objects of a site that were allocated in one interval. Cohorts are in the order of
 * their intervals, oldest first. Their survivors are counted at two times.
 */
struct kma_leak_cohort {
	double age;    /* s from the end of the interval to the end of the series */
	double births; /* allocations in the interval */
	double before; /* survivors at the earlier time */
	double now;    /* survivors at the later time */
};

/* The slab cache of a site, and what a reclaim by the kernel did to it. */
enum kma_leak_reclaim {
	KMA_LEAK_RECLAIM_UNKNOWN,
	KMA_LEAK_RECLAIM_NONE,	 /* not reclaimable */
	KMA_LEAK_RECLAIM_CACHE,	 /* reclaimable; no reclaim was seen, or a reclaim shrank it */
	KMA_LEAK_RECLAIM_PASSED, /* reclaimable; a reclaim did not shrink it */
	KMA_LEAK_RECLAIM_LATE,	 /* the kernel frees its objects late, in batches */
};

/* The data of a site. */
struct kma_leak_site {
	const struct kma_leak_sample *samples; /* in the order of time, at nearly equal steps */
	size_t nr;
	bool has_allocs;		       /* the samples have objects and allocations */
	const struct kma_leak_cohort *cohorts; /* NULL: unknown */
	size_t nr_cohorts;
	enum kma_leak_reclaim reclaim;
	double unloaded; /* s since its module was unloaded; negative: it is loaded, or unknown */
	double floor;	 /* growth in bytes per hour up to which a site does not rise */
	double run; /* s of the time of the samples that are a run of a workload; 0: time is time */
	size_t missing;	    /* accounts of the series that do not tell what the site held */
	const char *advice; /* how to get data that tell a leak from a filling cache; or NULL */
};

/* The evidence that was found in the data of a site. */
struct kma_leak_evidence {
	size_t nr, blocks;		    /* samples; blocks of samples */
	double covers;			    /* s from the first to the last sample */
	double period;			    /* s; 0: none is visible */
	double minima[KMA_LEAK_MAX_BLOCKS]; /* live bytes of the lowest sample of each block */
	double times[KMA_LEAK_MAX_BLOCKS];  /* s: times of these samples */
	double z;			    /* trend score of the minima, kma_trend_z() */
	double steps_up;	      /* share of the steps between minima that go up, 0 to 1 */
	struct kma_trend_slope slope; /* of the minima, bytes per second */
	bool steady;		      /* the slope is positive, and its interval is narrow */
	bool rises, falls; /* of the minima; a rise is above the floor and continues at the end */
	bool unsteady; /* no steady rise, but the whole interval of the slope is above the floor */
	bool swings;   /* live goes well above all minima, and there is no rise */
	double top, high; /* live bytes of the highest sample, and of the highest minimum */
	double above;	  /* the floor, bytes per second */
	double last;	  /* live bytes of the last sample */
	double leaked;	  /* share of the allocations that is never freed; negative: unknown */
	double grown, allocated; /* its two numbers: growth of live objects, and allocations */
	double events; /* allocations from the first to the last sample; negative: unknown */
	double gained; /* growth of live bytes from the first to the last sample */
	double freed;  /* frees since the account began; negative: unknown */
	double fading; /* this share in the second half relative to the first; negative: unknown */
	bool load_changes; /* the rate of allocations changes by more than a tenth */
	bool follows_load; /* load may explain the rise of live */
	double load_rise,
		live_rise; /* of the rate of allocations and of live, relative to their begin */
	double sizes[3];   /* bytes of an object in each third of the minima; 0: unknown */
	bool resized;	   /* the size of the objects rises, and not their number */
	bool fades;	   /* the share that stays decreases */
	bool may_fade;	   /* it does, but as much may be chance */
	bool orphan;	   /* its module was unloaded, and live bytes stay */
	bool few;	   /* the allocations are too few to tell a leak from an accident */
	bool has_cohorts;
	bool residue;		 /* most old cohorts have survivors, which are not freed any more */
	double residue_fading;	 /* survivors per birth, younger by older; negative: unknown */
	double residue_noise;	 /* standard deviation of its logarithm, if births stay by chance */
	double old_births;	 /* allocations of old cohorts */
	double survivors;	 /* objects of old cohorts at the later time */
	double survivors_before; /* at the earlier time */
	enum kma_leak_reclaim reclaim;
	double unloaded;
	double run;
	size_t missing;
	const char *advice;
};

#endif /* KMA_MODEL_LEAK_SITE_H */
