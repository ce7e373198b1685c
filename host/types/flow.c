// SPDX-License-Identifier: GPL-2.0-only
/*
 * flow.c - follow the result of a call through x86-64 code.
 *
 * An instruction is decoded as far as the question needs: its length, the registers that it writes,
 * whether it copies or stores a whole register, and where it jumps. It may be said to write more
 * registers than it does: this loses a type, but makes no wrong one. An opcode that is not in the
 * tables ends the path for the same reason.
 *
 * Registers are in the order of the encoding (rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 ...) while
 * a path is followed; the steps have the numbers of DWARF.
 */
#include <elf.h>
#include <string.h>

#include "flow.h"
#include "lib/cleanup.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

#define REG(n)	  (1U << (n))
#define SCRATCHED (REG(RAX) | REG(RCX) | REG(RDX) | REG(RSI) | REG(RDI) | 0x0f00) /* by a call */

/* Paths that wait to be followed. */
#define PATHS 16

enum insn_kind {
	INSN_PLAIN,
	INSN_COPY,
	INSN_STORE,
	INSN_TEST,
	INSN_JCC,
	INSN_JMP,
	INSN_CALL,
	INSN_RET
};

/* A decoded instruction. */
struct flow_insn {
	enum insn_kind kind;
	unsigned int len;
	uint32_t writes;  /* registers */
	bool keeps_flags; /* a test before it still decides a jump after it */
	int from, to; /* of a copy, a store (@from) and a test of a register with itself (@from) */
	int base;     /* of a store; -1: none */
	int64_t disp; /* of a store, or target of a jump */
	unsigned int condition;
};

/* The operand of a ModRM byte. */
struct flow_operand {
	int reg, rm;   /* registers; @rm is -1 for memory */
	bool simple;   /* memory at a base and a displacement, or at an address */
	int base;      /* of memory; -1: none */
	bool relative; /* to the next instruction */
	int32_t disp;
	unsigned int len;
};

static int32_t get32(const unsigned char *p)
{
	return (int32_t)(p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24);
}

/* Decodes a ModRM byte with what follows it; false if it does not fit into @left bytes. */
static bool operand(const unsigned char *p, size_t left, unsigned int rex, struct flow_operand *ret)
{
	unsigned int mod, rm, len = 1, size;
	bool index = false;

	if (!left)
		return false;
	mod = p[0] >> 6;
	rm = p[0] & 7;
	*ret = (struct flow_operand){ .reg = (p[0] >> 3 & 7) | (rex & 4) << 1,
				      .rm = -1,
				      .base = -1 };
	if (mod == 3) {
		ret->rm = rm | (rex & 1) << 3;
		ret->len = 1;
		return true;
	}
	size = mod == 1 ? 1 : mod == 2 ? 4 : 0;
	ret->base = rm | (rex & 1) << 3;
	if (rm == 4) {
		if (left < 2)
			return false;
		index = (p[1] >> 3 & 7) != 4 || rex & 2;
		ret->base = (p[1] & 7) | (rex & 1) << 3;
		if ((p[1] & 7) == 5 && !mod) {
			ret->base = -1;
			size = 4;
		}
		len = 2;
	} else if (rm == 5 && !mod) {
		ret->base = -1;
		ret->relative = true;
		size = 4;
	}
	if (left < len + size)
		return false;
	ret->disp = size == 4 ? get32(p + len) : size ? (signed char)p[len] : 0;
	ret->simple = !index;
	ret->len = len + size;
	return true;
}

/* What an opcode does with its operands. */
enum {
	NO = 0,	    /* not known: the path ends */
	OK = 1,	    /* writes no register */
	RM = 2,	    /* writes the operand r/m, if it is a register */
	RG = 4,	    /* writes the operand reg */
	A = 8,	    /* writes rax */
	D = 16,	    /* writes rdx */
	M = 32,	    /* has a ModRM byte */
	I1 = 64,    /* a byte follows */
	I4 = 128,   /* four bytes follow, or two with a prefix 66 */
	S = 256,    /* writes rsi, rdi and rcx */
	O = 512,    /* writes the register in the opcode */
	KEEP = 1024 /* leaves the flags alone */
};

/* The eight opcodes of an operation; @rm, @rg, @acc: what it writes in each of its three forms. */
#define ALU(rm, rg, acc) M | (rm), M | (rm), M | (rg), M | (rg), I1 | (acc), I4 | (acc), NO, NO

/*
 * Opcodes of one byte; those without a row are NO. Prefixes, jumps, and moves that are followed are
 * handled in decode().
 */
static const uint16_t one_byte[256] = {
	[0x00] = ALU(RM, RG, A),
	[0x08] = ALU(RM, RG, A),
	[0x10] = ALU(RM, RG, A),
	[0x18] = ALU(RM, RG, A),
	[0x20] = ALU(RM, RG, A),
	[0x28] = ALU(RM, RG, A),
	[0x30] = ALU(RM, RG, A),
	[0x38] = ALU(OK, OK, OK),
	[0x50 ... 0x57] = OK | KEEP,
	[0x58 ... 0x5f] = O | KEEP,
	[0x63] = M | RG | KEEP,
	[0x68] = OK | I4,
	[0x69] = M | RG | I4,
	[0x6a] = OK | I1,
	[0x6b] = M | RG | I1,
	[0x80] = M | RM | I1,
	[0x81] = M | RM | I4,
	[0x83] = M | RM | I1,
	[0x84 ... 0x85] = M | OK,
	[0x86 ... 0x87] = M | RM | RG,
	[0x88 ... 0x89] = M | RM | KEEP,
	[0x8a ... 0x8b] = M | RG | KEEP,
	[0x8d] = M | RG | KEEP,
	[0x8f] = M | RM,
	[0x90] = OK | KEEP,
	[0x91 ... 0x97] = A | O,
	[0x98] = A | KEEP,
	[0x99] = D | KEEP,
	[0x9c ... 0x9d] = OK,
	[0xa4 ... 0xa5] = S | KEEP,
	[0xa8] = OK | I1,
	[0xa9] = OK | I4,
	[0xaa ... 0xab] = S | KEEP,
	[0xb0 ... 0xb7] = O | I1 | KEEP,
	[0xb8 ... 0xbf] = O | I4 | KEEP,
	[0xc0 ... 0xc1] = M | RM | I1,
	[0xc6] = M | RM | I1 | KEEP,
	[0xc7] = M | RM | I4 | KEEP,
	[0xc9] = OK | KEEP,
	[0xd0 ... 0xd3] = M | RM,
	[0xf6 ... 0xf7] = M | RM | A | D,
	[0xfe ... 0xff] = M | RM,
};

/* Opcodes after 0f. */
static const uint16_t two_byte[256] = {
	[0x0d] = M | OK | KEEP,
	[0x18] = M | OK | KEEP,
	[0x1e] = M | OK | KEEP,
	[0x1f] = M | OK | KEEP,
	[0x31] = A | D,
	[0x40 ... 0x4f] = M | RG | KEEP,
	[0x90 ... 0x9f] = M | RM | KEEP,
	[0xa3] = M | OK,
	[0xa4] = M | RM | I1,
	[0xa5] = M | RM,
	[0xab] = M | RM,
	[0xac] = M | RM | I1,
	[0xad] = M | RM,
	[0xae] = M | OK,
	[0xaf] = M | RG,
	[0xb0] = M | RM | A,
	[0xb1] = M | RM | A,
	[0xb3] = M | RM,
	[0xb6] = M | RG | KEEP,
	[0xb7] = M | RG | KEEP,
	[0xb8] = M | RG,
	[0xba] = M | RM | I1,
	[0xbb] = M | RM,
	[0xbc] = M | RG,
	[0xbd] = M | RG,
	[0xbe] = M | RG | KEEP,
	[0xbf] = M | RG | KEEP,
	[0xc0] = M | RM | RG,
	[0xc1] = M | RM | RG,
	[0xc7] = M | RM | A | D,
	[0xc8 ... 0xcf] = O | KEEP,
};

static uint32_t write_byte_too(int reg, unsigned int rex)
{
	/* Without a REX prefix, numbers 4 to 7 of byte registers are ah, ch, dh and bh. */
	return REG(reg) | (!rex && reg >= 4 && reg < 8 ? REG(reg - 4) : 0);
}

/* Decodes the instruction at @p, which is at @pc. Returns false if it is not recognised. */
static bool decode(const unsigned char *p, size_t left, uint64_t pc, struct flow_insn *ret)
{
	const unsigned char *start = p, *end = p + left;
	struct flow_operand op = { .rm = -1, .reg = -1 };
	unsigned int rex = 0, code, does;
	bool narrow = false, two = false;

	*ret = (struct flow_insn){ .base = -1 };
	for (; p < end; p++) {
		if (*p == 0x66)
			narrow = true;
		else if (!memchr("\xf0\xf2\xf3\x2e\x36\x3e\x26\x64\x65", *p, 9))
			break;
	}
	if (p < end && (*p & 0xf0) == 0x40)
		rex = *p++;
	if (p < end && *p == 0x0f) {
		two = true;
		p++;
	}
	if (p >= end)
		return false;
	code = *p++;
	left = end - p;

	/* Jumps, calls and returns. */
	if ((two && (code & 0xf0) == 0x80) || (!two && (code == 0xe8 || code == 0xe9))) {
		if (left < 4 || narrow)
			return false;
		ret->len = p + 4 - start;
		ret->kind = two ? INSN_JCC : code == 0xe8 ? INSN_CALL : INSN_JMP;
		ret->condition = code & 15;
		ret->disp = pc + ret->len + get32(p);
		return true;
	}
	if (!two && ((code & 0xf0) == 0x70 || code == 0xeb)) {
		if (!left)
			return false;
		ret->len = p + 1 - start;
		ret->kind = code == 0xeb ? INSN_JMP : INSN_JCC;
		ret->condition = code & 15;
		ret->disp = pc + ret->len + (signed char)*p;
		return true;
	}
	if (!two && code == 0xc3) {
		ret->len = p - start;
		ret->kind = INSN_RET;
		return true;
	}

	does = two ? two_byte[code] : one_byte[code];
	if (two && code == 0x01 && left && (*p == 0xca || *p == 0xcb)) /* clac, stac */
		does = OK | M;
	if (!does || (!two && code == 0x90 && rex & 1))
		return false;
	if (does & M) {
		if (!operand(p, left, rex, &op))
			return false;
		p += op.len;
	}
	/* Groups, where the operand reg is a part of the opcode. */
	if (!two && (code == 0x80 || code == 0x81 || code == 0x83) && (op.reg & 7) == 7)
		does &= ~RM;
	if (!two && (code == 0xf6 || code == 0xf7)) {
		if ((op.reg & 7) < 2)
			does = M | OK | (code == 0xf6 ? I1 : I4);
		else if ((op.reg & 7) < 4)
			does = M | RM | ((op.reg & 7) == 2 ? KEEP : 0);
	}
	if (!two && code >= 0xfe) {
		if ((op.reg & 7) == 6)
			does = M | OK | KEEP;
		else if (code == 0xff && (op.reg & 7) == 2)
			ret->kind = INSN_CALL;
		else if ((op.reg & 7) > 1)
			return false;
	}
	if (two && code == 0xba && (op.reg & 7) == 4)
		does &= ~RM;
	if (does & I1)
		p++;
	if (does & I4)
		p += !two && (code & 0xf8) == 0xb8 && rex & 8 ? 8 : narrow ? 2 : 4;
	if (p > end)
		return false;
	ret->len = p - start;
	ret->keeps_flags = does & KEEP;

	if (does & RM && op.rm >= 0)
		ret->writes |= write_byte_too(op.rm, rex);
	if (does & RG)
		ret->writes |= write_byte_too(op.reg, rex);
	if (!two && code == 0xc9) /* leave */
		ret->writes |= REG(RBP);
	if (does & O)
		ret->writes |= write_byte_too((code & 7) | (rex & 1) << 3, rex);
	if (does & A)
		ret->writes |= REG(RAX);
	if (does & D)
		ret->writes |= REG(RDX);
	if (does & S)
		ret->writes |= REG(RSI) | REG(RDI) | REG(RCX);

	if (two || !(rex & 8) || narrow)
		return true;
	if ((code == 0x89 || code == 0x8b) && op.rm >= 0) {
		ret->kind = INSN_COPY;
		ret->from = code == 0x89 ? op.reg : op.rm;
		ret->to = code == 0x89 ? op.rm : op.reg;
	} else if (code == 0x89 && op.simple) {
		ret->kind = INSN_STORE;
		ret->from = op.reg;
		ret->base = op.base;
		ret->disp = op.relative ? (int64_t)(pc + ret->len + op.disp) : op.disp;
	} else if (code == 0x85 && op.rm == op.reg) {
		ret->kind = INSN_TEST;
		ret->from = op.reg;
	}
	return true;
}

/* The registers of a set by their numbers in DWARF. */
static uint32_t dwarf_regs(uint32_t regs)
{
	static const unsigned char numbers[8] = { 0, 2, 1, 3, 7, 6, 4, 5 };
	uint32_t ret = regs & 0xff00;

	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++)
		if (regs & REG(i))
			ret |= REG(numbers[i]);
	return ret;
}

/* A path that waits: where it is, and which registers have the result there. */
struct flow_path {
	uint64_t pc;
	uint32_t regs;
};

struct flow_paths {
	const struct kma_flow_code *code;
	struct kma_flow *flow;
	struct flow_path waiting[PATHS];
	unsigned int nr;
};

static void follow_later(struct flow_paths *paths, uint64_t pc, uint32_t regs)
{
	if (paths->nr < PATHS && pc >= paths->code->start && pc < paths->code->end)
		paths->waiting[paths->nr++] = (struct flow_path){ pc, regs };
}

static bool was_here(const struct kma_flow *flow, uint64_t pc, uint32_t regs)
{
	for (unsigned int i = 0; i < flow->nr; i++)
		if (flow->steps[i].pc == pc && !(dwarf_regs(regs) & ~flow->steps[i].regs))
			return true;
	return false;
}

/* Follows one path until it ends or meets one that was followed before. */
static void follow_path(struct flow_paths *paths, struct flow_path at)
{
	const struct kma_flow_code *code = paths->code;
	struct kma_flow *flow = paths->flow;
	bool null_test = false;

	while (at.regs && at.pc < code->end && flow->nr < KMA_FLOW_STEPS &&
	       !was_here(flow, at.pc, at.regs)) {
		struct kma_flow_step *step = &flow->steps[flow->nr++];
		struct flow_insn insn;

		*step = (struct kma_flow_step){ .pc = at.pc, .regs = dwarf_regs(at.regs) };
		if (!decode(code->bytes + (at.pc - code->start), code->end - at.pc, at.pc, &insn))
			return;
		if (insn.kind == INSN_RET && at.regs & REG(RAX))
			step->what = KMA_FLOW_ENDS;
		if (insn.kind == INSN_RET)
			return;
		if (insn.kind == INSN_STORE && at.regs & REG(insn.from)) {
			step->what = KMA_FLOW_STORES;
			step->base = insn.base < 0 ? -1 : __builtin_ctz(dwarf_regs(REG(insn.base)));
			step->disp = insn.disp;
		}
		if ((insn.kind == INSN_JMP || insn.kind == INSN_JCC) && !code->relocated &&
		    insn.disp == (int64_t)(at.pc + insn.len))
			return; /* to another section */
		if (insn.kind == INSN_JMP) {
			bool inside = (uint64_t)insn.disp >= code->start &&
				      (uint64_t)insn.disp < code->end;

			if (!inside && at.regs & REG(RAX)) {
				step->what = KMA_FLOW_LEAVES;
				step->disp = insn.disp;
			}
			if (!inside)
				return;
			at.pc = insn.disp;
			continue;
		}
		at.pc += insn.len;
		if (insn.kind == INSN_JCC) {
			/* 4: equal, the result was NULL; 5: not equal */
			if (null_test && insn.condition == 5)
				at.pc = insn.disp;
			else if (!null_test || insn.condition != 4)
				follow_later(paths, insn.disp, at.regs);
			null_test = false;
			continue;
		}
		if (insn.kind == INSN_TEST)
			null_test = at.regs & REG(insn.from);
		else if (!insn.keeps_flags || insn.kind == INSN_CALL)
			null_test = false;
		if (insn.kind == INSN_COPY && at.regs & REG(insn.from))
			at.regs |= REG(insn.to);
		else if (insn.kind == INSN_CALL)
			at.regs &= ~SCRATCHED;
		else
			at.regs &= ~insn.writes;
	}
}

/* The register of results by its number in DWARF; -1 if the machine is not known. */
static int result_reg(unsigned int machine)
{
	static const struct {
		unsigned int machine;
		int reg;
	} regs[] = {
		{ EM_X86_64, 0 }, { EM_386, 0 }, { EM_AARCH64, 0 }, { EM_ARM, 0 }, { EM_RISCV, 10 }
	};

	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		if (regs[i].machine == machine)
			return regs[i].reg;
	return -1;
}

void kma_flow_follow(const struct kma_flow_code *code, uint64_t pc, struct kma_flow *ret)
{
	struct flow_paths paths = { .code = code, .flow = ret };
	int reg = result_reg(code->machine);

	ret->nr = 0;
	if (reg < 0)
		return;
	if (code->machine != EM_X86_64 || !code->bytes) {
		ret->steps[ret->nr++] = (struct kma_flow_step){ .pc = pc, .regs = REG(reg) };
		return;
	}
	follow_later(&paths, pc, REG(RAX));
	while (paths.nr)
		follow_path(&paths, paths.waiting[--paths.nr]);
}
