/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * day.h - one file of samples: a DB file, or a day (UTC) of a history. Both are SQLite files with
 * the same tables; a DB file has labels, too.
 *
 * A series has the samples that may be compared: one account of one boot, written by one program,
 * with a clock that was not set. A sample is one row of table sample. Its data is what changed
 * since the last sample of the series (code.h). In a history each KMA_DAY_KEY-th sample, and the
 * first one that a program writes into a file, is a key sample, so a read decodes at most
 * KMA_DAY_KEY samples. In a DB file each snapshot is a series of its own with one key sample, and
 * has a row in table label: so it can be deleted, and has no time but that of its saving.
 *
 * Names of call sites are written once for each file (table site); a site's number is the row of
 * the matrix. In a DB file a column of the matrix has the place of a site in its account, so that
 * rows come back in their order, those without numbers too.
 *
 * A sample is one transaction, and is on the disk when the call returns. If the writer is killed,
 * the sample that it was writing is lost. The next program that opens the file rolls it back; a
 * reader opens the file for writing to do so.
 *
 * Another program may write into the same file. A writer therefore checks at each sample, within
 * its transaction, whether sites or parts were added, and if so loads the tables again.
 *
 * Documentation/format/history.rst and db.rst describe the tables, and
 * Documentation/design/history.rst the decisions.
 *
 * Never done: changing an existing sample; changing a file of another version.
 */
#ifndef KMA_STORE_DAY_H
#define KMA_STORE_DAY_H

#include "columns.h"
#include "store/conn.h"
#include "model/account.h"
#include "model/intern.h"
#include "model/moment.h"
#include "pack.h"
#include "parts.h"

#define KMA_DAY_KEY 64 /* samples from one key sample to the next */

/* A series, in the form of the file. */
struct kma_day_series {
	int64_t uid; /* random number, the same in all files of the history */
	char *boot, *host, *release, *build_id, *notes, *columns;
	uint64_t loaded, generation; /* see model/moment.h */
	char *why;		     /* why it began: "the machine was booted" */
};

/* A sample without its numbers. */
struct kma_day_sample {
	int64_t id, series; /* rows of this file */
	int64_t uid;	    /* of the series */
	uint64_t time, up;  /* ns since 1970; ns since boot */
	bool key;
	uint64_t live; /* live bytes of all sites */
	size_t bytes;  /* bytes of its data */
};

#define KMA_DAY_LISTS 2

#define KMA_DAY_LOSSES 3

/* Notes that may change within a series; written when they change, and with each key sample. */
extern const char *const kma_day_lists[KMA_DAY_LISTS];

/* A call site, in the form of the file. */
struct kma_day_site {
	char *caller, *path, *build_id, *cache;
	enum kma_kind kind;
	uint64_t text; /* offset of its code in the file @build_id */
	/* the code is freed after init; the site has objects of several caches */
	bool in_init, caches;
};

struct kma_day {
	struct kma_conn conn;
	char *path;
	bool db;     /* a DB file */
	bool labels; /* the file has table label */
	struct kma_day_series *series;
	int64_t *ids; /* row of each series */
	size_t nr_series;
	struct kma_day_site *sites; /* by number; 0 stands for sites beyond the limit */
	size_t nr_sites, room_sites;
	struct kma_parts parts; /* empty unless the file was opened to write or to read groups */
	/* for writing */
	struct kma_intern *intern;  /* numbers of the sites by their key texts */
	size_t written;		    /* number of the first site that is not in the file */
	int64_t current;	    /* row of the series */
	struct kma_columns columns; /* of the series */
	unsigned int since_key;	    /* samples since the last key sample; 0: the next one is one */
	char *lists[KMA_DAY_LISTS]; /* as they were written last */
	struct kma_code code;
	/* for reading */
	struct kma_columns_need need;
	struct kma_account
		*known; /* sites of the file, for the accounts of all samples; NULL: not yet made */
	struct sqlite3_stmt *stmt; /* reads a sample; NULL: not compiled */
	struct kma_code decoded;   /* the sample that was decoded last */
	struct kma_columns decoded_columns;
	struct {
		char *lists[KMA_DAY_LISTS]; /* NULL: unknown */
		bool has_loss[KMA_DAY_LOSSES];
		uint64_t losses[KMA_DAY_LOSSES];
	} read;			/* belongs to @decoded */
	int64_t decoded_series; /* row of its series */
	size_t decoded_at;	/* its index in the list of samples + 1; 0: none */
	/* the sample that could not be decoded last, for those that are decoded from it */
	struct {
		char *why; /* the sentence of the error; NULL: there is none */
		int64_t series;
		size_t at; /* its index in the list of samples */
	} broken;
};

enum kma_day_mode {
	KMA_DAY_READ,
	KMA_DAY_READ_GROUPS, /* read the memory by group, too */
	KMA_DAY_WRITE,	     /* create the file if it does not exist */
};

/* A file that is not open. @path is its name, for messages. */
struct kma_day *kma_day_new(const char *path);

/*
 * Checks a file of which conn is open, and loads its tables; an empty file gets its tables if it is
 * written. The transaction of the connection goes on. It is an error if the file has another
 * version, is not of this kind, or is corrupt.
 */
struct kma_err *kma_day_load(struct kma_day *day, enum kma_day_mode mode);

/*
 * Opens a file of a history. @image: NULL; or its bytes, which must stay until kma_day_close(), in
 * a mode that reads. @need: what is read of a call site; NULL: everything. A mode that reads begins
 * a transaction, which kma_day_samples() or kma_day_close() ends.
 */
struct kma_err *kma_day_open(const char *path, const struct kma_packed *image,
			     enum kma_day_mode mode, const struct kma_columns_need *need,
			     struct kma_day **ret);

/*
 * Reads a file as bytes, for sqlite3_free(), in a consistent state even while watch writes it. @len
 * is 0 for an empty file, which a killed program may leave.
 */
struct kma_err *kma_day_image(const char *path, unsigned char **ret, size_t *len);

void kma_day_series_deinit(struct kma_day_series *series);
void kma_day_close(struct kma_day *day);

/*
 * All samples, in the order in which they were written: an array for free(3), also after an error.
 */
struct kma_err *kma_day_samples(struct kma_day *day, struct kma_day_sample **ret, size_t *nr);

/* A series by its row, valid as long as @day; NULL if there is none. */
const struct kma_day_series *kma_day_series(const struct kma_day *day, int64_t id);

/* Reads the table of sites, of which none are in memory. */
struct kma_err *kma_day_load_sites(struct kma_day *day);

/* Drops the sites that are in memory. */
void kma_day_forget_sites(struct kma_day *day);

/*
 * Reads sample @i of kma_day_samples() into a finished account, with its times as notes. It is an
 * error, too, if the call sites do not add up to the sample's total.
 */
struct kma_err *kma_day_read(struct kma_day *day, const struct kma_day_sample *samples, size_t i,
			     const char *name, struct kma_account **ret);

/* The first part of kma_day_read(): decodes the numbers of a sample into memory. */
struct kma_err *kma_day_decode(struct kma_day *day, const struct kma_day_sample *samples, size_t i);

/*
 * Locks the file for several samples, which is cheaper than a lock for each. A lock that it already
 * holds is released first, so that a writer can go on.
 */
struct kma_err *kma_day_hold(struct kma_day *day);

/* Releases the lock of kma_day_hold(). NULL, and a file without a lock, are fine. */
void kma_day_release(struct kma_day *day);

/* Adds a note about the kernel, unless the account has it. Not if @value is NULL or "". */
void kma_day_identity(struct kma_account *account, const char *key, const char *value);

/* Adds the tables of the module to an account. The column has their text, compressed by gzip. */
struct kma_err *kma_day_unpack_tables(const struct kma_conn *conn, sqlite3_stmt *stmt, int column,
				      struct kma_account *account);

#endif /* KMA_STORE_DAY_H */
