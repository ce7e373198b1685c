/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option.h - read command lines by tables. A command has a table, and an option is a row of it: its
 * name, the type and range of its value, what it needs and excludes, its line of the help.
 * kma_option_read() checks and converts each value once and stores it with its type, so later code
 * never reads the text again.
 *
 * The values are stored in members of a structure of the caller, whose offsets are in the rows. The
 * macros KMA_OPTION_TO*() check the C type of the member when the table is compiled:
 *
 *	type			member			values on the command line
 *	KMA_OPTION_FLAG		bool			none; the member is set to true
 *	KMA_OPTION_BITS		unsigned int		none; the bits of min are set
 *	KMA_OPTION_TEXT		const char *		any text, which is not copied from argv
 *	KMA_OPTION_COUNT	unsigned long		5, 50K, 2M: K, M, G and T are powers of 1000
 *	KMA_OPTION_SIZE		uint64_t, bytes		4096, 64K, 1MiB: powers of 1024
 *	KMA_OPTION_TIME		uint64_t, ns		2, 0.5, 500ms: ns, us, ms, s, m, h, d
 *	KMA_OPTION_NAME		unsigned int or enum	a name of a list; its index is stored
 *	KMA_OPTION_OWN		any			convert() checks and stores it
 *
 * A command whose arguments choose what it does (diff of accounts, diff of built trees) has forms.
 * Several rows may have the same name for different forms, as long as all of them have a value or
 * none has.
 *
 * A letter has one meaning in all commands. A letter that an older version had with another
 * meaning stays as an alias, which the help does not show.
 *
 * This file needs only other files of lib/, for programs that are one command (make record-static).
 */
#ifndef KMA_LIB_OPTION_H
#define KMA_LIB_OPTION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

enum kma_option_type {
	KMA_OPTION_FLAG,
	KMA_OPTION_BITS,
	KMA_OPTION_TEXT,
	KMA_OPTION_COUNT,
	KMA_OPTION_SIZE,
	KMA_OPTION_TIME,
	KMA_OPTION_NAME,
	KMA_OPTION_OWN,
};

/* Nanoseconds of some units of time. */
#define KMA_OPTION_US	  1000ULL
#define KMA_OPTION_SECOND 1000000000ULL

struct kma_option;

/* An option as given on the command line. */
struct kma_option_given {
	const struct kma_option *option;
	const char *command; /* name of the command for messages, NULL for none */
	const char *value;   /* as typed; NULL without one */
	char name[32];	     /* as typed: "-k" or "--kernel" */
};

struct kma_option {
	const char *name;	   /* without the dashes; "": a heading; NULL ends the table */
	char letter;		   /* short form, 0 for none */
	char alias;		   /* short form that the help does not show, 0 for none */
	bool optional;		   /* its value may be missing; a word with a dash is not a value */
	const char *arg;	   /* name of the value in the help; NULL: it has no value */
	unsigned int forms;	   /* set of the forms of the command that have it; 0: all */
	enum kma_option_type type; /* of the value, see above */
	void *variable;		   /* where the value is stored; NULL: at @member */
	size_t member;		   /* offset of the value */
	size_t given;		   /* offset of a bool that is set with the value; 0: none */
	uint64_t min, max; /* COUNT, SIZE, TIME: range. NAME: first index. BITS, OWN: bits */
	uint64_t scale;	   /* TIME: ns of a number without a unit */
	const char *unit;  /* COUNT, TIME: unit of the range in messages, "seconds" */
	/*
	 * NAME: array of elements that begin with a const char *, or NULL. OWN: the same, only for
	 * kma_option_words(); if min is not 0, it is the set of the elements that are valid.
	 */
	const void *names;
	size_t nr_names, stride; /* NAME: number of elements, bytes of an element */
	/* OWN: check the value and store it at @member; a usage error if it is invalid. */
	struct kma_err *(*convert)(const struct kma_option_given *given, void *member);
	/*
	 * Names of options, separated by blanks: those that it cannot be combined with, where
	 * KMA_OPTION_ARGUMENTS are words that are not options; and those of which it needs one,
	 * with the value @needs_value unless that is NULL. Options that the command does not have
	 * are ignored.
	 */
	const char *excludes, *needs, *needs_value;
	/* Lines are broken by hand. NULL: the help does not show the option. */
	const char *help;
};

#define KMA_OPTION_ARGUMENTS "[arguments]"

/* A line of the help above the rows that follow. */
#define KMA_OPTION_HEADING(text)         \
	{                                \
		.name = "", .help = text \
	}

/* The last rows of a table. */
#define KMA_OPTION_END                                                      \
	{ "help", 'h', .type = KMA_OPTION_FLAG, .help = "show this text" }, \
	{                                                                   \
		.name = NULL                                                \
	}

/* C types of the members. That of a NAME is any type of the size of an unsigned int. */
#define KMA_OPTION_C_FLAG  bool
#define KMA_OPTION_C_BITS  unsigned int
#define KMA_OPTION_C_TEXT  const char *
#define KMA_OPTION_C_COUNT unsigned long
#define KMA_OPTION_C_SIZE  uint64_t
#define KMA_OPTION_C_TIME  uint64_t

/* 0 if @ok is true; otherwise it does not compile. */
#define KMA_OPTION_MUST(ok) (0 * sizeof(char[(ok) ? 1 : -1]))

/* Type and member of a row: KMA_OPTION_TO(SIZE, struct foo, bytes). The C type is checked. */
#define KMA_OPTION_TO(kind, s, m)                                                \
	.type = KMA_OPTION_##kind,                                               \
	.member = offsetof(s, m) + KMA_OPTION_MUST(__builtin_types_compatible_p( \
					   __typeof__(((s *)0)->m), KMA_OPTION_C_##kind))

/* Type and member of a KMA_OPTION_NAME, with its array of names. */
#define KMA_OPTION_TO_NAME(s, m, array)                                                          \
	.type = KMA_OPTION_NAME,                                                                 \
	.member = offsetof(s, m) + KMA_OPTION_MUST(sizeof(((s *)0)->m) == sizeof(unsigned int)), \
	KMA_OPTION_NAMES(array)

/* As KMA_OPTION_TO_NAME(), for an option that accepts only the first @nr names of the array. */
#define KMA_OPTION_TO_FIRST_NAMES(s, m, array, nr)                                               \
	.type = KMA_OPTION_NAME,                                                                 \
	.member = offsetof(s, m) + KMA_OPTION_MUST(sizeof(((s *)0)->m) == sizeof(unsigned int)), \
	.names = (array), .nr_names = (nr), .stride = sizeof((array)[0])

/* The names of a KMA_OPTION_NAME: all elements of an array. */
#define KMA_OPTION_NAMES(array)                                           \
	.names = (array), .nr_names = sizeof(array) / sizeof((array)[0]), \
	.stride = sizeof((array)[0])

/* A form of a command. */
struct kma_option_form {
	unsigned int form;   /* its bit; a row with it comes before one for all forms */
	const char *lacks;   /* names of options that it does not have, separated by blanks */
	const char *refusal; /* rest of the message about these: "is not for built trees" */
};

/* A command: its options, its help, what it does. */
struct kma_cmd {
	const char *name;     /* as typed, and prefix of messages */
	const char *program;  /* how it is called; NULL: "kmem-account " and the name */
	bool bare;	      /* messages have no prefix */
	const char *usage;    /* for the help: the words after the program */
	const char *about;    /* for the help: what it does */
	const char *summary;  /* the same in a line, for the list of commands; NULL: @about */
	void (*more)(void);   /* print more of the help after the options; NULL: nothing */
	const char *examples; /* for the help: lines, or NULL */
	const struct kma_option *options;
	unsigned int most;  /* most arguments */
	bool stops;	    /* stop at the first word that is not an option */
	unsigned int width; /* columns of the names in the help; 0: 17 */

	/* Choose a form by the arguments; NULL: there are none. */
	void (*choose)(char *const *args, int nr, struct kma_option_form *ret);

	/* For completion: get the i-th of the words that the first argument may be; or NULL. */
	const char *(*word)(size_t i);

	/* argv[0] is its name. Returns the exit status. */
	int (*main)(int argc, char **argv);
};

#define KMA_OPTION_ANY UINT_MAX /* of arguments: the command counts them itself */

/* Upper limit, in ns, of most options in seconds: about 32 years. */
#define KMA_OPTION_SECONDS_MAX (1000000000 * KMA_OPTION_SECOND)

/* Read a number of bytes: "4096", "64K", "1MiB". Returns false if the text has another form. */
bool kma_option_size(const char *text, uint64_t *ret);

/*
 * Converts a value that was stored as a text to ns. For options whose value may also have another
 * form, depending on the input. An error is of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_option_seconds(const char *command, const char *name, const char *text,
				   uint64_t *ret);

struct kma_err *kma_option_read(const struct kma_cmd *cmd, int argc, char **argv, void *ret,
				int *ret_first);

/* "COMMAND: invalid NAME 'VALUE' (expected ...)"; @fmt is the text after "expected". */
struct kma_err *kma_option_invalid(const struct kma_option_given *given, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

struct kma_err *kma_option_no_name(const struct kma_option_given *given, const char *value,
				   uint64_t set, const char *more);

/* A file that a command writes: the option as typed, and its value; NULL: not given. */
struct kma_option_output {
	const char *name, *path;
};

/* Refuses outputs of which one would replace another. An error is of kind KMA_ERR_USAGE. */
struct kma_err *kma_option_outputs(const char *command, const struct kma_option_output *list,
				   size_t nr);

/*
 * Prints the words that the option @name ("--by", "-a") accepts as its value, one in a line, for
 * completion. Nothing is printed if the option is unknown, or if its values are not a list of
 * words.
 */
void kma_option_words(const struct kma_cmd *cmd, const char *name);

#endif /* KMA_LIB_OPTION_H */
