/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcgraph.h - reader of a trace.dat that has only the durations of functions, no allocations.
 */
#ifndef KMA_READER_FUNCGRAPH_H
#define KMA_READER_FUNCGRAPH_H

#include "reader.h"

/**
 * kma_funcgraph_read_dat() - read a trace.dat of the tracer function_graph
 * @input: a trace.dat
 * @account: empty; gets sites that have only times, and losses
 *
 * Return: NULL, or an error: the file is corrupt, memory cannot be allocated, or the file has no
 * call of an allocating function.
 */
struct kma_err *kma_funcgraph_read_dat(struct kma_input *input, struct kma_account *account);

#endif /* KMA_READER_FUNCGRAPH_H */
