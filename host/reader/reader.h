/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reader.h - readers of inputs. A reader turns one kind of file into an account.
 *
 * The content of a file decides which reader takes it, never its name. Each reader states how its
 * files are recognised: most kinds begin with a fixed text, others have lines that no other file
 * has (line), and others contain one of a few texts (signs). reader.c compares these with the head
 * of the file, in the order of its table. Only if a sign does not suffice, reader.c asks the
 * reader's probe. So the code of a reader runs for its own files, and for files that look like
 * them. If no reader takes the head, the readers that know lines are asked for each line of the
 * first MiB, and those of logs (@behind_text) for parts of it, because messages and prose may
 * precede what programs print; paste.h has what becomes of these. No reader is told what the user
 * expects, so a file that is renamed or comes through a pipe is read in the same way.
 *
 * A reader adds sites, totals, losses, notes and warnings to an empty account. It does not finish
 * the account (kma_account_finish()); read-as.c does that, and destroys the account if there is an
 * error. An account is therefore either complete or absent.
 */
#ifndef KMA_READER_READER_H
#define KMA_READER_READER_H

#include "read-as.h"
#include "reports.h"

/* The readers, one for each file in this directory. */
extern const struct kma_reader_ops kma_reader_account;
extern const struct kma_reader_ops kma_reader_allocinfo;
extern const struct kma_reader_ops kma_reader_caches;
extern const struct kma_reader_ops kma_reader_cgroups;
extern const struct kma_reader_ops kma_reader_nodes;
extern const struct kma_reader_ops kma_reader_kmemleak;
extern const struct kma_reader_ops kma_reader_log;
extern const struct kma_reader_ops kma_reader_memleak;
extern const struct kma_reader_ops kma_reader_memstrack;
extern const struct kma_reader_ops kma_reader_page_owner;
extern const struct kma_reader_ops kma_reader_perf_kmem;
extern const struct kma_reader_ops kma_reader_scan;
extern const struct kma_reader_ops kma_reader_sites;
extern const struct kma_reader_ops kma_reader_slub;
extern const struct kma_reader_ops kma_reader_snapshot;
extern const struct kma_reader_ops kma_reader_trace_dat;
extern const struct kma_reader_ops kma_reader_funcgraph;
extern const struct kma_reader_ops kma_reader_ftrace;
extern const struct kma_reader_ops kma_reader_bpftrace;
extern const struct kma_reader_ops kma_reader_hist;
extern const struct kma_reader_ops kma_reader_slab_list;
extern const struct kma_reader_ops kma_reader_vmallocinfo;
extern const struct kma_reader_ops kma_reader_waits;

/*
 * Does a reader recognise a file by its beginning, which need not be text? It does if @head begins
 * with the reader's text or, for a reader without such a text, if @head has one of its signs and
 * its probe accepts @head.
 */
bool kma_reader_takes(const struct kma_reader_ops *ops, const char *head, size_t len);

/* The key of a format as reports.h has it, if @name is one; else NULL. */
const char *kma_reader_format(const char *name, size_t len);

/*
 * Reads an input of any kind, of which nothing was consumed. @ret is a finished account; unchanged
 * after an error, which names the file and, if possible, the line.
 */
struct kma_err *kma_reader_read(struct kma_input *input, struct kma_account **ret);

/* Opens a file, reads it and closes it. */
struct kma_err *kma_reader_read_file(const char *path, struct kma_account **ret);

#endif /* KMA_READER_READER_H */
