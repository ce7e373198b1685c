/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option-words.h - the words that the options of single commands take.
 */
#ifndef KMA_CLI_OPTION_WORDS_H
#define KMA_CLI_OPTION_WORDS_H

#include "model/site.h"
#include "session/options.h"

/* objects --show */
extern const char *const kma_show_words[KMA_NR_SHOWS];

/* --by of objects. NULL: not taken. */
extern const char *const kma_objects_by_words[KMA_NR_GROUPED];

#endif /* KMA_CLI_OPTION_WORDS_H */
