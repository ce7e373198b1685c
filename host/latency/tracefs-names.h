/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs-names.h - write the names of shrinkers into the log.
 */
#ifndef KMA_LATENCY_TRACEFS_NAMES_H
#define KMA_LATENCY_TRACEFS_NAMES_H

#include "lib/err.h"

struct kma_tracefs;

/**
 * kma_tracefs_names() - write the current names of shrinkers into the log
 * @fs: kma_tracefs_begin() was called
 * @shrinkers: directory of shrinkers in debugfs
 *
 * After an error, further calls do nothing.
 *
 * Return: NULL, or an error with the reason: the kernel has no names, or a privilege is missing.
 */
struct kma_err *kma_tracefs_names(struct kma_tracefs *fs, const char *shrinkers);

/**
 * kma_tracefs_lists() - get the number of lists of names in the log
 * @fs: from kma_tracefs_open()
 *
 * Return: the number; 0 if there will be none.
 */
unsigned int kma_tracefs_lists(const struct kma_tracefs *fs);

#endif /* KMA_LATENCY_TRACEFS_NAMES_H */
