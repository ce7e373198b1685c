/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - what the program is to its shell: a name, three standard streams, and an exit code.
 *
 * Needs nothing else of the program, because the end without memory (atend.h) uses it.
 */
#ifndef KMA_LIB_PROGRAM_H
#define KMA_LIB_PROGRAM_H

enum { KMA_EXIT_OK = 0, KMA_EXIT_DATA = 1, KMA_EXIT_USAGE = 2, KMA_EXIT_THRESHOLD = 3 };

/*
 * For messages: "kmem-account", or the name of a program or link that is one command. The name is
 * not copied.
 */
const char *kma_program(void);
void kma_program_set(const char *name);

/*
 * Puts /dev/null in place of standard streams that are closed, at the start of a program. Otherwise
 * a file that it opens gets the number of the stream, and messages are written into an output.
 * Writing to the standard output still fails then, and so does reading the standard input.
 */
void kma_program_streams(void);

#endif /* KMA_LIB_PROGRAM_H */
