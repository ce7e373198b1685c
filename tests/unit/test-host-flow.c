// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-flow.c - host/types/flow.c: which instructions see the result of a call, in code that is
 * written here by hand. types.sh compares lengths with objdump, and types of compiled calls.
 */
#include <elf.h>
#include <string.h>

#include "types/flow.h"

#include "ktap.h"

#define AT 0x1000

/* The offsets of all stores of the result, in the order in which they were reached: "8 10 ". */
static const char *stores(const char *bytes, size_t len)
{
	struct kma_flow_code code = { EM_X86_64, AT, AT + len, (const unsigned char *)bytes, true };
	static struct kma_flow flow;
	static char text[256];
	size_t used = 0;

	kma_flow_follow(&code, AT, &flow);
	text[0] = '\0';
	for (unsigned int i = 0; i < flow.nr; i++)
		if (flow.steps[i].what == KMA_FLOW_STORES)
			used += snprintf(text + used, sizeof(text) - used, "%llx ",
					 (unsigned long long)flow.steps[i].disp);
	return text;
}

#define STORES(bytes) stores(bytes, sizeof(bytes) - 1)

#define TEST_RAX   "\x48\x85\xc0"     /* test %rax,%rax */
#define STORE_8	   "\x48\x89\x43\x08" /* mov %rax,0x8(%rbx) */
#define STORE_10   "\x48\x89\x43\x10" /* mov %rax,0x10(%rbx) */
#define KEEP_R12   "\x49\x89\xc4"     /* mov %rax,%r12 */
#define STORE_R12  "\x4c\x89\x63\x20" /* mov %r12,0x20(%rbx) */
#define CALL	   "\xe8\0\0\0\0"
#define ZERO_RAX   "\x31\xc0"	      /* xor %eax,%eax */
#define RET	   "\xc3"

/* The way of a NULL is not followed; of another test, both ways are. */
TEST(branches)
{
	EXPECT_STR(STORES(TEST_RAX "\x74\x05" STORE_8 RET STORE_10 RET), "8 ");
	EXPECT_STR(STORES(TEST_RAX "\x75\x05" STORE_8 RET STORE_10 RET), "10 ");
	EXPECT_STR(STORES(TEST_RAX KEEP_R12 "\x74\x05" STORE_8 RET STORE_10 RET), "8 ");
	EXPECT_STR(STORES("\x48\x85\xd2\x74\x05" STORE_8 RET STORE_10 RET), "8 10 ");
	EXPECT_STR(STORES(TEST_RAX "\x48\x39\xca\x74\x05" STORE_8 RET STORE_10 RET), "8 10 ");
	EXPECT_STR(STORES("\x48\x3d\x00\xf0\xff\xff\x77\x05" STORE_8 RET STORE_10 RET), "8 10 ");
	EXPECT_STR(STORES("\xeb\x05" STORE_8 RET STORE_10 RET), "10 ");
	EXPECT_STR(STORES(STORE_8 "\xeb\xfa"), "8 ");
}

/* A register has the result until it is written; a call leaves what the callee saves. */
TEST(registers)
{
	EXPECT_STR(STORES(ZERO_RAX STORE_8 RET), "");
	EXPECT_STR(STORES(KEEP_R12 ZERO_RAX STORE_8 STORE_R12 RET), "20 ");
	EXPECT_STR(STORES(KEEP_R12 CALL STORE_8 STORE_R12 RET), "20 ");
	EXPECT_STR(STORES(KEEP_R12 "\x45\x31\xe4" STORE_R12 RET), "");
	EXPECT_STR(STORES("\x41\x89\xc4" STORE_R12 RET), "");		/* mov %eax,%r12d */
	EXPECT_STR(STORES("\xf0\x48\x0f\xb1\x0b" STORE_8 RET), "");	/* lock cmpxchg %rcx,(%rbx) */
	EXPECT_STR(STORES("\x48\x8b\x43\x08" STORE_8 RET), "");		/* mov 0x8(%rbx),%rax */
	EXPECT_STR(STORES("\x89\x43\x08" RET), "");			/* mov %eax,0x8(%rbx) */
	EXPECT_STR(STORES("\xcc" STORE_8 RET), "");			/* int3: not followed */
	EXPECT_STR(STORES("\x48\x89"), "");				/* cut off */
}

/* Where the result is written to, and that it is returned. */
TEST(ends)
{
	static const unsigned char bytes[] = "\x48\x89\x05\x00\x01\x00\x00" RET; /* mov %rax,0x100(%rip) */
	struct kma_flow_code code = { EM_X86_64, AT, AT + 8, bytes, true };
	struct kma_flow flow;

	kma_flow_follow(&code, AT, &flow);
	EXPECT_EQ(flow.nr, 2);
	EXPECT_EQ(flow.steps[0].what, KMA_FLOW_STORES);
	EXPECT_EQ(flow.steps[0].base, -1);
	EXPECT_EQ(flow.steps[0].disp, AT + 7 + 0x100);
	EXPECT_EQ(flow.steps[1].what, KMA_FLOW_ENDS);
	code.bytes = NULL;
	kma_flow_follow(&code, AT, &flow);
	EXPECT_EQ(flow.nr, 1);
	EXPECT_EQ(flow.steps[0].regs, 1);
	code.machine = EM_S390;
	kma_flow_follow(&code, AT, &flow);
	EXPECT_EQ(flow.nr, 0);
}

/* A jump out of the function, and in a module one whose target is not known yet. */
TEST(leaves)
{
	static const unsigned char bytes[] = "\xe9\x00\x02\x00\x00" RET;
	static const unsigned char unknown[] = "\x0f\x85\x00\x00\x00\x00" STORE_8 RET;
	struct kma_flow_code code = { EM_X86_64, AT, AT + 6, bytes, true };
	struct kma_flow flow;

	kma_flow_follow(&code, AT, &flow);
	EXPECT_EQ(flow.nr, 1);
	EXPECT_EQ(flow.steps[0].what, KMA_FLOW_LEAVES);
	EXPECT_EQ(flow.steps[0].disp, AT + 5 + 0x200);
	code = (struct kma_flow_code){ EM_X86_64, AT, AT + 11, unknown, false };
	kma_flow_follow(&code, AT, &flow);
	EXPECT_EQ(flow.nr, 1);
}

TEST_MAIN()
