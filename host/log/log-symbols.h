/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-symbols.h - the text that the recorder has written into a log: the symbols of the kernel and
 * its modules as in /proc/kallsyms, the CPUs of each node, the tasks, and the totals at the end.
 * Only for log*.c.
 *
 * The text is copied into one buffer, because its lines may be in two chunks. A symbol takes 40
 * bytes and points into this buffer.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LOG_LOG_SYMBOLS_H
#define KMA_LOG_LOG_SYMBOLS_H

#include "log-file.h"
#include "log-tasks.h"

/* Numbers of one CPU: those that the module has counted, and those of its stream in the file. */
struct kma_log_total {
	bool known;		  /* the text has a line for this CPU */
	uint64_t records, lost;	  /* counted by the module: records, including lost events */
	uint64_t read, read_lost; /* the same numbers of the stream */
};

struct kma_log_totals {
	struct kma_log_total *cpus; /* by CPU, nr_cpus of the header; NULL: no line was read */
	uint32_t nr;		    /* number of CPUs that are known */
	bool whole;		    /* the last line of the totals was read, and agrees with @nr */
};

struct kma_log_symbol {
	uint64_t address, size; /* bytes up to the next different address, as in %pS; 0: unknown */
	const char *name;	/* not terminated, see @len */
	const char *module;	/* not terminated, see @module_len; NULL for the kernel */
	unsigned short len, module_len;
};

struct kma_log_symbols {
	struct kma_log_symbol *all; /* sorted by address, each address once */
	size_t nr;
	char *text;	   /* the text of the log, terminated */
	uint16_t *nodes;   /* NUMA node by CPU; KMA_LOG_NO_NODE: unknown */
	uint32_t nr_nodes; /* elements of @nodes */
	struct kma_log_totals totals;
	struct kma_log_tasks tasks;
};

/*
 * Parses the text of a log into zeroed @symbols. Unknown lines and symbols that are not code are
 * skipped.
 */
void kma_log_symbols_read(struct kma_log_symbols *symbols, const struct kma_log_file *file);

void kma_log_symbols_free(struct kma_log_symbols *symbols);

/* The symbol that %pS prints for an address; NULL if there is none. */
const struct kma_log_symbol *kma_log_symbols_at(const struct kma_log_symbols *symbols,
						uint64_t address);

#endif /* KMA_LOG_LOG_SYMBOLS_H */
