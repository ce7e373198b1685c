/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcgraph.h - reader of a trace.dat that has only the durations of functions, no allocations.
 */
#ifndef KMA_READER_FUNCGRAPH_H
#define KMA_READER_FUNCGRAPH_H

#include "reader.h"

/*
 * @account gets sites that have only times, and losses. It is an error if the file is corrupt, or
 * has no call of an allocating function.
 */
struct kma_err *kma_funcgraph_read_dat(struct kma_input *input, struct kma_account *account);

#endif /* KMA_READER_FUNCGRAPH_H */
