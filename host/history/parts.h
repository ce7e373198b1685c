/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts.h - what the call sites of a sample hold for each cgroup and each NUMA node.
 *
 * A part is a call site and a group. The file of a day has the name of each group and of each part
 * once. A sample of an account with groups has a row with the numbers of its parts: those that
 * changed since the sample before (code.h), from key sample to key sample, like the numbers of its
 * call sites. A sample of an account without groups has no such row.
 *
 * The tables are made when a sample has groups for the first time, so a file without them is one
 * of an account without groups, or of an older program. Older programs read the file and do not
 * see the tables.
 *
 * Groups and parts beyond the limits of intern.h are counted in a group of each kind that is named
 * KMA_PARTS_OTHER, so that sums stay whole.
 */
#ifndef KMA_HISTORY_PARTS_H
#define KMA_HISTORY_PARTS_H

#include "columns.h"
#include "db/conn.h"
#include "model/account.h"
#include "model/intern.h"

#define KMA_PARTS_OTHER "[other]"

struct kma_parts_group {
	enum kma_grouped by; /* KMA_GROUPED_NOT: of a newer program */
	char *kind, *name;   /* as in the file */
	const char *kept;    /* the same text, in an account; NULL: not yet */
};

struct kma_parts_key {
	uint32_t site, group;
};

/* Numbers in the file of what is beyond the limits, of a kind of groups; 0: not yet known. */
struct kma_parts_other {
	uint32_t group, part;
};

struct kma_parts {
	/* As the file has them; a number is a place, and 0 is not used. */
	struct kma_parts_group *groups;
	struct kma_parts_key *list;
	size_t nr_groups, room_groups, nr, room;
	/* writing */
	struct kma_intern *names; /* key texts of the groups: a number is that of the group */
	struct kma_intern *keys;  /* the same of the parts */
	size_t written_groups, written;
	struct kma_parts_other others[KMA_NR_GROUPED];
	struct kma_code code;
	/* reading */
	struct sqlite3_stmt *stmt;  /* NULL: not prepared, because there are no tables */
	struct kma_columns columns; /* of @decoded */
	struct kma_code decoded;
	unsigned int kinds; /* set of enum kma_grouped that the decoded sample has */
	uint64_t live;	    /* bytes of its parts */
};

/**
 * kma_parts_deinit() - forget all, so that the file has to be loaded again
 * @parts: zeroed or in use
 */
void kma_parts_deinit(struct kma_parts *parts);

/**
 * kma_parts_load() - read the names of groups and parts
 * @parts: zeroed
 * @conn: the file; its tables may be missing
 * @nr_sites: call sites of the file
 * @need: what of a part is read
 *
 * Return: NULL or an error that names the file.
 */
struct kma_err *kma_parts_load(struct kma_parts *parts, const struct kma_conn *conn,
			       size_t nr_sites, const struct kma_columns_need *need);

/**
 * kma_parts_keep() - keep the names of groups where accounts can use them
 * @parts: loaded
 * @known: the names are copied into it. Accounts of kma_parts_fill() use its texts
 *
 * Return: NULL or &kma_enomem.
 */
struct kma_err *kma_parts_keep(struct kma_parts *parts, struct kma_account *known);

/**
 * kma_parts_decode() - read the numbers of a sample
 * @parts: loaded; has those of the sample before, if @key is false
 * @conn: the file
 * @sample: its number
 * @key: it is a key sample
 *
 * Return: NULL or an error that names the file.
 */
struct kma_err *kma_parts_decode(struct kma_parts *parts, const struct kma_conn *conn,
				 int64_t sample, bool key);

/**
 * kma_parts_mark() - which call sites have parts with numbers
 * @parts: with a decoded sample
 * @has: a flag for each call site of the file; set for these
 */
void kma_parts_mark(const struct kma_parts *parts, bool *has);

/**
 * kma_parts_fill() - give an account the groups of the decoded sample
 * @parts: with a decoded sample, and kept names
 * @conn: the file, for messages
 * @rows: for each call site of the file its number in the account
 * @account: has the call sites that kma_parts_mark() found
 *
 * Return: NULL or an error: no memory, or the parts do not add up to what the sample says.
 */
struct kma_err *kma_parts_fill(const struct kma_parts *parts, const struct kma_conn *conn,
			       const size_t *rows, struct kma_account *account);

#endif /* KMA_HISTORY_PARTS_H */
