/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tables.h - reserves and releases the tables of all components.
 *
 * Tables that the parameters need are reserved at once. A command that switches a feature on
 * later reserves the tables of that feature (control.h). All are kept until
 * kma_tables_deinit().
 */
#ifndef KMA_TABLES_H
#define KMA_TABLES_H

struct kma_features;

/* As kma_control_init(). */
int kma_tables_init(unsigned int max_sites, unsigned long max_objects,
		    const struct kma_features *features);

/* Context: process, may sleep. No event is in progress. */
void kma_tables_deinit(void);

#endif /* KMA_TABLES_H */
