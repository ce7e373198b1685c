/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshots.h - the module's snapshots, one after the other, to a file descriptor: for a pipe to
 * another machine (`kmem-account top -`). Nothing in them is changed or looked at, except that each
 * is whole.
 */
#ifndef KMA_RECORD_SNAPSHOTS_H
#define KMA_RECORD_SNAPSHOTS_H

#include <stdint.h>

#include "lib/err.h"

struct kma_snapshots {
	const char *path;      /* of the module's snapshot */
	int fd;		       /* to write to */
	uint64_t interval;     /* ns from one to the next */
	unsigned long samples; /* that are written; 0: until a signal */
};

/**
 * kma_snapshots_write() - write snapshots until there are enough, or a signal comes
 * @snapshots: what to do
 *
 * SIGINT, SIGTERM and SIGHUP end it after the snapshot that is being written. A snapshot that
 * cannot be read is a line on stderr, and the next one is tried at its time, so that the module can
 * be loaded again; only if the first one cannot be read is that an error.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_snapshots_write(const struct kma_snapshots *snapshots);

#endif /* KMA_RECORD_SNAPSHOTS_H */
