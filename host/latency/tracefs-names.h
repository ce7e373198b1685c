/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs-names.h - names of shrinkers, written into the log.
 */
#ifndef KMA_LATENCY_TRACEFS_NAMES_H
#define KMA_LATENCY_TRACEFS_NAMES_H

#include "lib/err.h"

struct kma_tracefs;

/**
 * kma_tracefs_names() - write the current names of shrinkers into the log
 * @fs: after kma_tracefs_begin()
 * @shrinkers: directory of shrinkers in debugfs
 *
 * After an error the function does nothing.
 *
 * Return: NULL; or an error with the reason: the kernel has no names, or no permission.
 */
struct kma_err *kma_tracefs_names(struct kma_tracefs *fs, const char *shrinkers);

/**
 * kma_tracefs_lists() - has kma_tracefs_names() done something?
 * @fs: from kma_tracefs_open()
 *
 * Return: how many lists there are in the log; 0 if there will be none.
 */
unsigned int kma_tracefs_lists(const struct kma_tracefs *fs);

#endif /* KMA_LATENCY_TRACEFS_NAMES_H */
