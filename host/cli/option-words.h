/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option-words.h - the values that options of single commands accept.
 */
#ifndef KMA_CLI_OPTION_WORDS_H
#define KMA_CLI_OPTION_WORDS_H

#include "model/site.h"
#include "session/options.h"

/* Values of objects --show. */
extern const char *const kma_show_words[KMA_NR_SHOWS];

/* Values of objects --by, by enum kma_grouped. NULL: not accepted. */
extern const char *const kma_objects_by_words[KMA_NR_GROUPED];

#endif /* KMA_CLI_OPTION_WORDS_H */
