/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts.h - the memory of the call sites of a sample by cgroup and by NUMA node.
 *
 * A part is a pair of a call site and a group. A file of a history has the name of each group, and
 * the pair of each part, once (tables grouped and part). A sample of an account with groups has a
 * row in table parts. Its data is what changed since the last sample (code.h), with a row of the
 * matrix for each part, and key samples at the same times as for the call sites. A sample of an
 * account without groups has no such row.
 *
 * The tables are created when a sample has groups for the first time. A file without them is that
 * of an account without groups, or of an older program. Older programs read the file and ignore the
 * tables.
 *
 * What memcg was asked to charge is in table charged, for accounts that tell it. It is not a column
 * of parts, because older programs decode the columns by their order. Its data is coded like that
 * of the parts, with one column. A sample without a row there does not tell the charged bytes.
 *
 * Groups and parts beyond the limits of model/intern.h are added to the group KMA_PARTS_OTHER of
 * their kind, so that sums remain complete. Each sample stores the sum of its parts, and a reader
 * compares it.
 */
#ifndef KMA_STORE_PARTS_H
#define KMA_STORE_PARTS_H

#include "columns.h"
#include "store/conn.h"
#include "model/account.h"
#include "model/intern.h"

#define KMA_PARTS_OTHER "[other]"

/* A group. */
struct kma_parts_group {
	enum kma_grouped by; /* its kind; KMA_GROUPED_NOT: a kind that only a newer program knows */
	char *kind, *name;   /* texts in the file */
};

/* A part: the number of a call site and of a group. */
struct kma_parts_key {
	uint32_t site, group;
};

/* Numbers of the group and the part for what is beyond the limits; 0: not known yet. */
struct kma_parts_other {
	uint32_t group, part;
};

struct kma_parts {
	/* the rows of the file: an index is the number, and 0 is not used */
	struct kma_parts_group *groups;
	struct kma_parts_key *list;
	size_t nr_groups, room_groups, nr, room;
	/* for writing */
	struct kma_intern *names;	/* numbers of the groups by their key texts */
	struct kma_intern *keys;	/* numbers of the parts by their key texts */
	size_t written_groups, written; /* first number of a group, of a part, not in the file */
	struct kma_parts_other others[KMA_NR_GROUPED];
	struct kma_code code, charge;
	/* for reading */
	struct sqlite3_stmt *stmt;  /* reads a sample; NULL: there are no tables */
	struct kma_columns columns; /* of @decoded */
	struct kma_code decoded;    /* the sample that was decoded last */
	unsigned int kinds;	    /* kinds of groups that it has, bits 1 << enum kma_grouped */
	uint64_t live;		    /* live bytes of its parts, as stored */
	/* the charged bytes of that sample */
	struct sqlite3_stmt *charge_stmt; /* reads them; NULL: there is no table */
	struct kma_code charged;	  /* one column */
	unsigned int charged_kinds;	  /* kinds of groups that tell them */
	uint64_t charged_sum;		  /* of all parts, as stored */
};

/* Afterwards the file must be loaded again. */
void kma_parts_deinit(struct kma_parts *parts);

/* Loads the groups and parts of a file, whose tables may be missing. @parts is zeroed. */
struct kma_err *kma_parts_load(struct kma_parts *parts, const struct kma_conn *conn,
			       size_t nr_sites, const struct kma_columns_need *need);

/*
 * Decodes the numbers of a sample, by its row. Unless it is a key sample (@key), the sample before
 * was decoded.
 */
struct kma_err *kma_parts_decode(struct kma_parts *parts, const struct kma_conn *conn,
				 int64_t sample, bool key);

/*
 * Marks the call sites that have parts in the decoded sample; @has: a flag for each site of the
 * file.
 */
void kma_parts_mark(const struct kma_parts *parts, bool *has);

/*
 * Marks the groups that have parts in the decoded sample; @used: a flag for each group of the file.
 */
void kma_parts_mark_groups(const struct kma_parts *parts, bool *used);

/*
 * Adds the groups of the decoded sample to an account that has the call sites which
 * kma_parts_mark() marks. @rows has for each call site of the file its
 * index in the account. It is an error if the parts do not add up to the stored sum.
 */
struct kma_err *kma_parts_fill(const struct kma_parts *parts, const struct kma_conn *conn,
			       const size_t *rows, struct kma_account *account);

#endif /* KMA_STORE_PARTS_H */
