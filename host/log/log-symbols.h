/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-symbols.h - the text that the recorder put into a log: the kernel's own symbols as in
 * /proc/kallsyms, the CPUs of each node, the tasks, and the totals at the end. Only for log*.c.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LOG_LOG_SYMBOLS_H
#define KMA_LOG_LOG_SYMBOLS_H

#include "log-file.h"
#include "log-tasks.h"

/* Of one CPU, as the module has counted; and what was read of its stream. */
struct kma_log_total {
	bool known;		  /* there is a line for this CPU */
	uint64_t records, lost;	  /* @records include @lost */
	uint64_t read, read_lost; /* the same of the stream in the file */
};

struct kma_log_totals {
	struct kma_log_total *cpus; /* nr_cpus of the header; NULL: there is no line */
	uint32_t nr;		    /* how many are known */
	bool whole;		    /* the last line is there, and agrees with @nr */
};

struct kma_log_symbol {
	uint64_t address, size; /* size: up to the next different address, as in %pS */
	const char *name;	/* both need not be terminated: len and module_len */
	const char *module;	/* NULL for the kernel */
	unsigned short len, module_len;
};

struct kma_log_symbols {
	struct kma_log_symbol *all; /* by address */
	size_t nr;
	char *text;
	uint16_t *nodes; /* by CPU; KMA_LOG_NO_NODE where it is not said */
	uint32_t nr_nodes;
	struct kma_log_totals totals;
	struct kma_log_tasks tasks;
};

/**
 * kma_log_symbols_read() - parse the symbols of a log
 * @symbols: zeroed
 * @file: opened
 *
 * Unknown lines and symbols that are not code are skipped.
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_log_symbols_read(struct kma_log_symbols *symbols,
				     const struct kma_log_file *file);

/**
 * kma_log_symbols_free() - free them
 * @symbols: as read
 */
void kma_log_symbols_free(struct kma_log_symbols *symbols);

/**
 * kma_log_symbols_at() - symbol at an address
 * @symbols: as read
 * @address: of code
 *
 * Return: the symbol that %pS prints; NULL if there is none.
 */
const struct kma_log_symbol *kma_log_symbols_at(const struct kma_log_symbols *symbols,
						uint64_t address);

#endif /* KMA_LOG_LOG_SYMBOLS_H */
