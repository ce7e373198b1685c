/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * heads.h - the objects of a set from which the others are reached.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_HEADS_H
#define KMA_HEAP_HEADS_H

#include "graph.h"

/*
 * Sets @head for the objects of @set, sorted numbers, that are heads. A chain has its first object
 * as its head, a ring any one of its objects. No head is reached from another head inside @set, and
 * every object of @set is reached from a head.
 */
void kma_graph_heads(const struct kma_graph *graph, const uint32_t *set, uint32_t nr, bool *head);

#endif /* KMA_HEAP_HEADS_H */
