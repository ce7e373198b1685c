/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcgraph.h - times of allocations out of a trace.dat, for the reader of these alone.
 */
#ifndef KMA_READER_FUNCGRAPH_H
#define KMA_READER_FUNCGRAPH_H

#include "reader.h"

/**
 * kma_funcgraph_read_dat() - read a trace.dat of function_graph
 * @input: a trace.dat
 * @account: gets sites, with times alone, and losses
 *
 * Return: NULL; or an error: damaged, no memory, no function that allocates is in it.
 */
struct kma_err *kma_funcgraph_read_dat(struct kma_input *input, struct kma_account *account);

#endif /* KMA_READER_FUNCGRAPH_H */
