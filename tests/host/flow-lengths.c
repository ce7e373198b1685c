// SPDX-License-Identifier: GPL-2.0-only
/*
 * flow-lengths: standard input is what objdump -d --insn-width=16 prints. Decodes each instruction by the
 * decoder of host/types/flow.c, and prints those whose length differs, at most 20, then the number of all
 * and of those that the decoder does not know. The status is 1 if there was a difference.
 */
#include <stdio.h>
#include <stdlib.h>

#include "types/flow.c"

int main(void)
{
	unsigned long all = 0, wrong = 0, unknown = 0;
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		unsigned char bytes[32] = { 0 };
		struct flow_insn insn;
		unsigned int len = 0;
		char *at;
		uint64_t pc = strtoull(line, &at, 16);
		int used;

		if (*at++ != ':')
			continue;
		while (len < 16 && sscanf(at, "%2hhx%n", &bytes[len], &used) == 1 && at[used] == ' ') {
			at += used;
			len++;
		}
		if (!len)
			continue;
		all++;
		if (!decode(bytes, sizeof(bytes), pc, &insn))
			unknown++;
		else if (insn.len != len && wrong++ < 20)
			printf("%u bytes: %s", insn.len, line);
	}
	free(line);
	printf("%lu instructions, %lu not known, %lu of another length\n", all, unknown, wrong);
	return wrong || !all;
}
