/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * refuse.h - the errors about inputs of the wrong kind: all sentences that say what an input is,
 * and what to give instead. Functions that take a name return NULL if the input suits.
 */
#ifndef KMA_OPEN_REFUSE_H
#define KMA_OPEN_REFUSE_H

#include "series.h"

/* Why one sample is not enough. */
#define KMA_REFUSE_CHOOSES "--from and --to need all samples"

/* A command that needs all samples, as "a timeline needs all samples", is given one of them. */
struct kma_err *kma_refuse_sample(const struct kma_series *series, const char *why);

/*
 * --from and --to cannot choose among the samples of an input that has none. NULL for a file: the
 * command says which input it needs.
 */
struct kma_err *kma_refuse_interval(const struct kma_series *series);

/* For a file; kma_refuse_interval() has said what else is wrong. */
struct kma_err *kma_refuse_no_past(const struct kma_series *series);

/* A command that reads an account repeatedly takes no history. */
struct kma_err *kma_refuse_live(const char *name);

/* A command that needs an event log takes no directory. */
struct kma_err *kma_refuse_no_log(const struct kma_series *series);

/* A history has no tables of the module. */
struct kma_err *kma_refuse_tables(const struct kma_series *series);

/* A table of the module has columns of its own, and no call sites to select. */
struct kma_err *kma_refuse_rules(const struct kma_series *series);

struct kma_err *kma_refuse_not_db(const struct kma_series *series);
struct kma_err *kma_refuse_events_of_db(const struct kma_series *series);
struct kma_err *kma_refuse_events_of_history(const struct kma_series *series);
struct kma_err *kma_refuse_tasks(const struct kma_series *series);
struct kma_err *kma_refuse_no_groups(const char *path, enum kma_grouped by);
struct kma_err *kma_refuse_empty_interval(bool has_from);
struct kma_err *kma_refuse_nothing(const char *command);

/* Some samples have no such groups: adds a note. */
void kma_note_left_out(struct kma_series *series);

#endif /* KMA_OPEN_REFUSE_H */
