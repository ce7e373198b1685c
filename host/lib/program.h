/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - what the program is to its shell: a name, three standard streams, and an exit code.
 *
 * Needs nothing else of the program, because the end without memory (atend.h) uses it.
 */
#ifndef KMA_LIB_PROGRAM_H
#define KMA_LIB_PROGRAM_H

enum { KMA_EXIT_OK = 0, KMA_EXIT_DATA = 1, KMA_EXIT_USAGE = 2, KMA_EXIT_THRESHOLD = 3 };

/**
 * kma_program() - get the name of the program for messages
 *
 * Return: "kmem-account", or the name of a program or link that is one command.
 */
const char *kma_program(void);

/**
 * kma_program_set() - set the name of the program for messages
 * @name: the name, not copied
 */
void kma_program_set(const char *name);

/**
 * kma_program_streams() - put /dev/null in place of standard streams that are closed
 *
 * For the start of a program: otherwise a file that it opens gets the number of the stream, and
 * messages are written into an output. Writing to the standard output still fails then, and so does
 * reading the standard input.
 */
void kma_program_streams(void);

#endif /* KMA_LIB_PROGRAM_H */
