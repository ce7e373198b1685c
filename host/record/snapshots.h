/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshots.h - write the module's snapshots one after the other to a file descriptor, such as a
 * pipe to another machine (`kmem-account top -`). A snapshot is only checked to be complete; its
 * content is neither changed nor examined.
 */
#ifndef KMA_RECORD_SNAPSHOTS_H
#define KMA_RECORD_SNAPSHOTS_H

#include <stdint.h>

#include "lib/err.h"

struct kma_snapshots {
	const char *path;      /* the module's file snapshot */
	int fd;		       /* where to write */
	uint64_t interval;     /* ns between the starts of two snapshots */
	unsigned long samples; /* number of snapshots to write; 0: until a signal comes */
};

/*
 * Writes until there are enough, or SIGINT, SIGTERM or SIGHUP comes, unless it is ignored; the
 * snapshot that is being written is completed. If a snapshot cannot be read, a warning is printed
 * and the next one is tried at its time, so the module may be loaded again. If the first one cannot
 * be read, that is an error.
 */
struct kma_err *kma_snapshots_write(const struct kma_snapshots *snapshots);

#endif /* KMA_RECORD_SNAPSHOTS_H */
