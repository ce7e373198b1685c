/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option-rules.h - sets of commands.
 */
#ifndef KMA_CLI_OPTION_RULES_H
#define KMA_CLI_OPTION_RULES_H

#include "cmd.h"
#include "lib/option.h"

#define KMA_CHARTS  (KMA_CMD_RINGS | KMA_CMD_TREEMAP | KMA_CMD_ICICLE | KMA_CMD_FLAME)
#define KMA_DIFFS   (KMA_CMD_DIFF | KMA_CMD_DIFF_TREES)
#define KMA_DRAWS   (KMA_DIFFS | KMA_CMD_STATIC)
#define KMA_DRAWN   (KMA_CHARTS | KMA_DRAWS)
#define KMA_BOTH    (KMA_CMD_REPORT | KMA_CHARTS)
#define KMA_SHOWN   (KMA_BOTH | KMA_CMD_DIFF)
#define KMA_KERNELS (KMA_SHOWN | KMA_CMD_TIMELINE | KMA_CMD_LEAKS | KMA_CMD_EXPORT)
#define KMA_SIZES   (KMA_CMD_STATIC | KMA_CMD_DIFF_TREES)
#define KMA_SHEETS  (KMA_CMD_WHERE | KMA_CMD_TABLE)
#define KMA_TABLES  (KMA_CMD_REPORT | KMA_DRAWS)
#define KMA_READS \
	(KMA_CMD_CHECK | KMA_CMD_OBJECTS | KMA_CMD_TIMELINE) /* logs; timeline also histories */
#define KMA_LOGS    (KMA_CMD_REPORT | KMA_CMD_WHERE | KMA_CMD_OBJECTS | KMA_CMD_EXPORT)
#define KMA_CHOOSES (KMA_SHOWN | KMA_CMD_EXPORT)     /* kinds of call sites */
#define KMA_SELECTS (KMA_CHOOSES | KMA_CMD_TIMELINE) /* call sites by rules */
#define KMA_ALL                                                                        \
	(KMA_SHOWN | KMA_SHEETS | KMA_CMD_DB | KMA_SIZES | KMA_READS | KMA_CMD_LEAKS | \
	 KMA_CMD_EXPORT)
#define KMA_PICTURED (KMA_DRAWN | KMA_CMD_TIMELINE | KMA_CMD_LEAKS)

#endif /* KMA_CLI_OPTION_RULES_H */
