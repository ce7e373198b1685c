// SPDX-License-Identifier: GPL-2.0
#include "cmd.h"
static int run(const struct kma_cmd *c, int a, char **v)
{
	(void)c;
	(void)a;
	(void)v;
	return 2;
}
const struct kma_cmd kma_cmd_rings = {
	.name = "rings", .bit = KMA_CMD_RINGS, .summary = "x", .examples = "", .run = run
};
