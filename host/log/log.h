/* SPDX-License-Identifier: GPL-2.0 */
/*
 * log.h - events of a log of the module, in the order in which they happened: by time,
 * then CPU, then number. For the reader, and for who wants more than an account: when,
 * by whom, on which node.
 *
 * The log may come from a machine of another byte order and word size. A log that is packed
 * or comes through a pipe is unpacked into a temporary file first; from there on memory
 * grows with CPUs and chunks, not with events. Streams of CPUs are merged as they are: one
 * whose time goes back is said to, and its events keep their order.
 *
 * What is damaged is passed over up to the next block of its CPU; what was in between is
 * counted by the numbers of the records on both sides.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_READER_LOG_H
#define KMA_READER_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../module/uapi/kmem_account.h"
#include "input/input.h"
#include "lib/strbuf.h"
#include "model/event.h"

#define KMA_LOG_NO_CPU	     UINT32_MAX
#define KMA_LOG_BUILD_ID_MAX 41
#define KMA_LOG_NO_NODE	     UINT16_MAX

/* What may be wrong with a log. */
enum kma_log_what {
	KMA_LOG_BAD_CHUNK,    /* bytes between chunks that are none; number: of bytes */
	KMA_LOG_BAD_STREAM,   /* bytes of a stream that are no records; number: of bytes */
	KMA_LOG_MISSING,      /* records that are neither there nor said to be lost; number */
	KMA_LOG_CUT,	      /* the file ends too early; number: of bytes that it should have */
	KMA_LOG_OVERRUN,      /* events that the kernel had no room for; number */
	KMA_LOG_BAD_LOST,     /* a LOST that does not agree with the numbers; number: its events */
	KMA_LOG_BAD_SEQUENCE, /* numbers go back; number: by how many */
	KMA_LOG_BAD_TIME,     /* time goes back; number: by how many ns */
	KMA_LOG_EARLY,	      /* an event from before the log began; number: by how many ns */
	KMA_LOG_BAD_VALUE,    /* an event that cannot be; number: enum kma_log_value */
	KMA_LOG_NO_END,	      /* the log was cut short; number: streams without an END */
	KMA_LOG_MISSED,	      /* calls that no kprobe saw; number: of calls */
	KMA_LOG_REFUSED,      /* events of NMIs, which are not recorded; number: of events */
	KMA_LOG_NR_WHATS,
};

/* Why an event cannot be. */
enum kma_log_value {
	KMA_LOG_VALUE_KIND,    /* no such kind of allocation */
	KMA_LOG_VALUE_NULL,    /* an allocation at NULL that has not failed, or failed elsewhere */
	KMA_LOG_VALUE_SHORT,   /* fewer bytes than were asked for */
	KMA_LOG_VALUE_ALIGN,   /* an address that is not aligned */
	KMA_LOG_VALUE_ADDRESS, /* an address that is not the kernel's */
	KMA_LOG_VALUE_SITE,    /* a call site neither in the kernel's text nor in a module's */
	KMA_LOG_VALUE_NODE,    /* no such node */
	KMA_LOG_NR_VALUES,
};

/* As names in csv and json, and as sentences: "%u bytes ..." without the number. */
extern const char *const kma_log_what_names[KMA_LOG_NR_WHATS];
extern const char *const kma_log_what_titles[KMA_LOG_NR_WHATS];
extern const char *const kma_log_value_names[KMA_LOG_NR_VALUES];

struct kma_log_finding {
	enum kma_log_what what;
	uint32_t cpu;	 /* or KMA_LOG_NO_CPU */
	uint64_t pos;	 /* in the file as it is unpacked */
	uint64_t number; /* see enum kma_log_what */
};

typedef void(kma_log_found_fn)(void *arg, const struct kma_log_finding *finding);

/* The header, in this machine's byte order. */
struct kma_log_head {
	unsigned int version;
	bool big_endian;
	unsigned int word_bits, page_shift, clock, kinds;
	uint32_t nr_cpus, nr_nodes, header_len;
	bool bounds;	/* each stream has a START and an END */
	uint64_t start; /* time at which the log was switched on, as those of its events */
	uint64_t rate;	/* units of its clock in a second */
	uint64_t wall, stext, etext;
	char build_id[KMA_LOG_BUILD_ID_MAX]; /* hex, "" when not known */
	char release[65], machine[33];
};

enum kma_log_item_type {
	KMA_LOG_ITEM_ALLOC,
	KMA_LOG_ITEM_FREE,
	KMA_LOG_ITEM_LOST,   /* events of this CPU are not there: number is in @alloc */
	KMA_LOG_ITEM_MODULE, /* a module came or went: for who keeps what depends on sites */
};

struct kma_log_item {
	uint64_t time; /* ns, see log-ticks.h; never before that of the CPU's last one */
	uint64_t seq;  /* number on its CPU */
	uint64_t pos;  /* in the file */
	uint64_t ptr;  /* as struct kma_event has it */
	uint64_t site; /* address of the call site, 0 when it is not told */
	uint64_t req, alloc;
	uint32_t tid, gfp, cpu;
	uint16_t node; /* that an allocation asked for or is of, KMA_LOG_NO_NODE when not told */
	uint8_t type;  /* enum kma_log_item_type */
	uint8_t kind;  /* enum kma_kind */
	uint8_t part;  /* enum kma_log_kind: more exactly */
	bool quiet, failed;
};

/* What was read so far. */
struct kma_log_sums {
	uint64_t records[2];		  /* allocations, frees */
	uint64_t others;		  /* records that are not events, of known types */
	uint64_t unknown;		  /* records of types that are not known */
	uint64_t what[KMA_LOG_NR_WHATS];  /* sums of the findings' numbers */
	uint64_t times[KMA_LOG_NR_WHATS]; /* how many findings */
	uint64_t first, last;		  /* time of the first and last event */
	uint64_t began;			  /* time of the STARTs; 0: none was met */
	uint32_t ends, streams;		  /* ENDs met; ENDs that there are, as they say */
};

struct kma_log;

/**
 * kma_log_is() - is this the beginning of a log?
 * @head: first bytes
 * @len: how many
 *
 * Return: true if it is.
 */
bool kma_log_is(const char *head, size_t len);

/**
 * kma_log_open() - open a log
 * @input: nothing was taken yet; stays the caller's and outlives the log
 * @found: called for each finding, also while events are read; NULL: they are counted alone
 * @arg: for @found
 * @ret: the log
 *
 * Return: NULL, or an error that names the input: not readable, no log, a header that cannot be.
 */
struct kma_err *kma_log_open(struct kma_input *input, kma_log_found_fn *found, void *arg,
			     struct kma_log **ret);

/**
 * kma_log_open_memory() - a log in memory, for tests
 * @name: for messages
 * @bytes: plain; have to live as long as the log
 * @len: how many
 * @found: as for kma_log_open()
 * @arg: the same
 * @ret: the log
 *
 * Return: as kma_log_open().
 */
struct kma_err *kma_log_open_memory(const char *name, const void *bytes, size_t len,
				    kma_log_found_fn *found, void *arg, struct kma_log **ret);

/**
 * kma_log_close() - close it
 * @log: from kma_log_open(); NULL is fine
 */
void kma_log_close(struct kma_log *log);

/**
 * kma_log_interval() - let the log end early
 * @log: nothing was read yet
 * @interval: its end is where the log ends
 *
 * Return: the time at which @interval begins; 0: it is all from the beginning on.
 */
uint64_t kma_log_interval(struct kma_log *log, const struct kma_interval *interval);

/**
 * kma_log_head() - what the header says
 * @log: a log
 *
 * Return: it stays with the log.
 */
const struct kma_log_head *kma_log_head(const struct kma_log *log);

/**
 * kma_log_sums() - what was read so far
 * @log: a log
 *
 * Return: it stays with the log and changes with each event.
 */
const struct kma_log_sums *kma_log_sums(const struct kma_log *log);

/**
 * kma_log_sentence() - what a report says of one kind of findings
 * @sums: of a log
 * @what: the kind
 * @ret: appended to; nothing if there are none
 */
void kma_log_sentence(const struct kma_log_sums *sums, enum kma_log_what what,
		      struct kma_strbuf *ret);

/**
 * kma_log_lost() - events that happened and are not in the log
 * @sums: of a log
 *
 * Return: how many, said to be lost or gone without a word.
 */
uint64_t kma_log_lost(const struct kma_log_sums *sums);

/**
 * kma_log_next() - the next event
 * @log: a log
 * @ret: valid until the next call
 *
 * Events that cannot be are findings, and are given as they are, if their kind is known.
 * After kma_input_stop() the log ends.
 *
 * Return: false at the end.
 */
bool kma_log_next(struct kma_log *log, const struct kma_log_item **ret);

/**
 * kma_log_cpu_node() - node of a CPU
 * @log: a log
 * @cpu: its number
 *
 * Return: as the recorder has written it down; KMA_LOG_NO_NODE when it has not.
 */
uint16_t kma_log_cpu_node(const struct kma_log *log, uint32_t cpu);

#define KMA_LOG_SITE_MAX 640

/* A call site as %pS prints it, and where it lies in its file. */
struct kma_log_site {
	char text[KMA_LOG_SITE_MAX];
	char build_id[KMA_LOG_BUILD_ID_MAX]; /* "" when not known: then there is no offset */
	uint64_t offset; /* as debugfs' sites has it: from _stext, or from the module's base */
	bool in_init;	 /* from where that lies that goes when the module's init has run */
};

/**
 * kma_log_site() - name a call site, as of the last event that was read
 * @log: a log
 * @address: of the call site
 * @ret: filled in
 *
 * Names are those of the symbols that the log has; without them it is an address, or a
 * module and the offset in it.
 */
void kma_log_site(const struct kma_log *log, uint64_t address, struct kma_log_site *ret);

#endif /* KMA_READER_LOG_H */
