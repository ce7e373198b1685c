/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flow.h - where the result of a call goes: follow a register through the machine code after it.
 *
 * Registers have the numbers of DWARF.
 */
#ifndef KMA_TYPES_FLOW_H
#define KMA_TYPES_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KMA_FLOW_STEPS 160 /* most instructions that are followed */

/* How the path continues after an instruction. */
enum kma_flow_what {
	KMA_FLOW_PASSES, /* it does nothing that this file knows of with the result */
	KMA_FLOW_STORES, /* it writes the result to memory at @base + @disp */
	KMA_FLOW_ENDS,	 /* it returns while the result is in the register of results */
	KMA_FLOW_LEAVES, /* the same with a jump to @disp, which is outside of the function */
};

/* An instruction that is reached while a register has the result. */
struct kma_flow_step {
	uint64_t pc;
	uint32_t regs; /* set of the registers that have the result before it is executed */
	enum kma_flow_what what;
	int base; /* register of a store; -1: @disp is an address */
	int64_t disp;
};

struct kma_flow {
	unsigned int nr;
	struct kma_flow_step steps[KMA_FLOW_STEPS];
};

/* The code of a function, or of a section. */
struct kma_flow_code {
	unsigned int machine;	    /* e_machine of its file */
	uint64_t start, end;	    /* addresses of the function; a path does not leave it */
	const unsigned char *bytes; /* at @start; NULL: the file has none */
	bool relocated; /* jumps have their targets; false: those to other sections have none */
};

/*
 * Follows the result of the call that returns to @pc. @ret has the instructions that see the
 * result, in the order in which they were reached. Branches are followed in both directions, except
 * where the code has tested the result for NULL: only the way of a result that is not NULL is
 * followed. A path ends at an instruction that is not recognised. Without code, and on machines
 * that are not x86-64, there is one step, the return itself.
 */
void kma_flow_follow(const struct kma_flow_code *code, uint64_t pc, struct kma_flow *ret);

#endif /* KMA_TYPES_FLOW_H */
