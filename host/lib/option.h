/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option.h - command lines by tables. An option is a row: its name, the commands that have it,
 * the type and range of its value, its line of the help. kma_option_read() checks and converts
 * each value once and stores it with its type; later code never looks at the text again.
 *
 * The values are members of a structure that the caller names by offsets:
 *
 *	type			member			values on the command line
 *	KMA_OPTION_FLAG		bool			none; sets it
 *	KMA_OPTION_BITS		unsigned int		none; adds the bits of min
 *	KMA_OPTION_TEXT		const char *		any text, which stays with argv
 *	KMA_OPTION_COUNT	unsigned long		5, 50K, 2M: K, M, G and T are powers of 1000
 *	KMA_OPTION_SIZE		uint64_t, bytes		4096, 64K, 1MiB: powers of 1024
 *	KMA_OPTION_TIME		uint64_t, ns		2, 0.5, 500ms: ns, us, ms, s, m, h, d
 *	KMA_OPTION_NAME		unsigned int or enum	a name of a list; stores its place
 *	KMA_OPTION_OWN		any			convert() checks and stores it
 *
 * A letter has one meaning in all commands. A letter that an older version had with another
 * meaning stays as an alias, which the help does not show.
 *
 * Needs no other component, for programs that are one command alone (make record-static).
 */
#ifndef KMA_LIB_OPTION_H
#define KMA_LIB_OPTION_H

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

/* Nanoseconds of the units that times are given in. */
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
	const char *name;	   /* without the dashes */
	char letter;		   /* short form, 0 for none */
	char alias;		   /* short form that the help does not show, 0 for none */
	bool optional;		   /* a word that begins with a dash is not its value */
	const char *arg;	   /* its value in the help, NULL for an option without */
	unsigned int cmds;	   /* set of the commands that have it */
	enum kma_option_type type; /* of the value, see above */
	size_t member;		   /* offset of the value */
	size_t given;		   /* offset of a bool that is set with the value; 0: none */
	uint64_t min, max; /* COUNT, SIZE, TIME: range; NAME: first place; BITS, OWN: bits */
	uint64_t scale;	   /* TIME: ns of a number without a unit */
	const char *unit;  /* COUNT, TIME: of the range in messages, "seconds" */
	const void *names; /* NAME: array whose elements begin with a const char *; NULL: a gap */
	size_t nr_names, stride; /* NAME: number of elements, bytes of one */
	/* OWN: check the value and store it at @member; a usage error if it is invalid. */
	struct kma_err *(*convert)(const struct kma_option_given *given, void *member);
	/* Lines are broken by hand. NULL: the help does not show the option. */
	const char *help;
};

/* C types of the members that values are stored in; of a NAME all that are as large. */
#define KMA_OPTION_C_FLAG  bool
#define KMA_OPTION_C_BITS  unsigned int
#define KMA_OPTION_C_TEXT  const char *
#define KMA_OPTION_C_COUNT unsigned long
#define KMA_OPTION_C_SIZE  uint64_t
#define KMA_OPTION_C_TIME  uint64_t

/* Does not compile if @ok is false; 0 if it does. */
#define KMA_OPTION_MUST(ok) (0 * sizeof(char[(ok) ? 1 : -1]))

/* Type and member of a row: KMA_OPTION_TO(SIZE, struct foo, bytes); the types have to agree. */
#define KMA_OPTION_TO(kind, s, m)                                                \
	.type = KMA_OPTION_##kind,                                               \
	.member = offsetof(s, m) + KMA_OPTION_MUST(__builtin_types_compatible_p( \
					   __typeof__(((s *)0)->m), KMA_OPTION_C_##kind))

/* The same of a NAME, with the array of names. */
#define KMA_OPTION_TO_NAME(s, m, array)                                                          \
	.type = KMA_OPTION_NAME,                                                                 \
	.member = offsetof(s, m) + KMA_OPTION_MUST(sizeof(((s *)0)->m) == sizeof(unsigned int)), \
	KMA_OPTION_NAMES(array)

/* The same of an option that takes only the first names of the array. */
#define KMA_OPTION_TO_FIRST_NAMES(s, m, array, nr)                                               \
	.type = KMA_OPTION_NAME,                                                                 \
	.member = offsetof(s, m) + KMA_OPTION_MUST(sizeof(((s *)0)->m) == sizeof(unsigned int)), \
	.names = (array), .nr_names = (nr), .stride = sizeof((array)[0])

/* The list of names of a KMA_OPTION_NAME, which is an array. */
#define KMA_OPTION_NAMES(array)                                           \
	.names = (array), .nr_names = sizeof(array) / sizeof((array)[0]), \
	.stride = sizeof((array)[0])

/* Two options that do not go together, or one that needs another one. */
struct kma_option_rule {
	unsigned int cmds; /* set of the commands that have the rule */
	enum { KMA_OPTION_EXCLUDES, KMA_OPTION_NEEDS } kind;
	const char *one;   /* names as in the table */
	const char *other; /* KMA_OPTION_ARGUMENTS: arguments that are not options */
	const char *third; /* NEEDS: this one also satisfies it; or NULL */
};

#define KMA_OPTION_ARGUMENTS ""

/* The options of one command line. */
struct kma_option_set {
	const char *command; /* prefix of messages, NULL for none */
	const char *program; /* for the hint at --help: "kmem-account report" */
	unsigned int cmds;   /* rows and rules of these commands */
	const struct kma_option *options;
	size_t nr_options;
	const struct kma_option_rule *rules;
	size_t nr_rules;
	bool stops;	    /* at the first argument that is not an option */
	unsigned int width; /* of the names in the help */

	/*
	 * Choose among the commands of @cmds by the arguments, or NULL. @ret_refusal says of an
	 * option that the chosen ones do not have: "is not for built trees".
	 */
	unsigned int (*choose)(char *const *args, int nr, const char **ret_refusal);
};

/* Seconds of most options: some 32 years. */
#define KMA_OPTION_SECONDS_MAX (1000000000 * KMA_OPTION_SECOND)

/**
 * kma_option_seconds() - convert a number of seconds that was read as text, because the input
 * decides what the text means
 * @command: for the message
 * @name: the option, with its dashes
 * @text: as typed
 * @ret: ns
 *
 * Return: NULL or an error of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_option_seconds(const char *command, const char *name, const char *text,
				   uint64_t *ret);

/**
 * kma_option_read() - check and convert a command line
 * @set: its options
 * @argc: as for main(), the command's name first
 * @argv: as for main(); arguments that are not options are moved to its end
 * @ret: structure that the offsets of @set are of, with the default values
 * @ret_first: place of the first argument in @argv; 0 after an error and if --help was given
 *
 * The rows of @set have an option "help"; if it is given, nothing is converted.
 *
 * Return: NULL or an error of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_option_read(const struct kma_option_set *set, int argc, char **argv, void *ret,
				int *ret_first);

/**
 * kma_option_invalid() - make the error for an invalid value
 * @given: the option
 * @fmt: printf format of what is expected
 *
 * Return: a usage error: "COMMAND: invalid NAME 'VALUE' (expected ...)".
 */
struct kma_err *kma_option_invalid(const struct kma_option_given *given, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kma_option_help() - print the lines of the options on the standard output
 * @set: the options
 */
void kma_option_help(const struct kma_option_set *set);

#endif /* KMA_LIB_OPTION_H */
