// SPDX-License-Identifier: GPL-2.0-only
/*
 * Logs of ftrace: lines as kernels print them, lines that are damaged, and logs in
 * blocks of any size.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "ktap.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "reader/reader.h"
#include "rnd.h"
#include "trace/ftrace-line.h"
#include "trace/ftrace-quick.h"
#include "trace/ftrace-stack.h"

#define ALLOC KMA_FTRACE_EVENT, KMA_KIND_KMALLOC, false
#define FREE  KMA_FTRACE_EVENT, KMA_KIND_KMALLOC, true
#define CACHE KMA_FTRACE_EVENT, KMA_KIND_CACHE

/* clang-format off */
static const struct {
	const char *text;
	enum kma_ftrace_what what;
	enum kma_kind kind;
	bool is_free;
	uint16_t cpu;
	uint64_t ptr, req, alloc;
	const char *site;
} lines[] = {
	/* 3.x, 32 bits */
	{ "            init-1     [000] .N..     0.170000: kmalloc: call_site=c104de4f ptr=c143de20 bytes_req=29 bytes_alloc=32 gfp_flags=GFP_KERNEL",
	  ALLOC, 0, 0xc143de20, 29, 32, "c104de4f" },
	{ "            init-1     [000] .N..     0.170000: kfree: call_site=c10c283a ptr=  (null)",
	  FREE, 0, 0, 0, 0, "c10c283a" },
	/* 3.x, 64 bits, with a node */
	{ "           <...>-17    [011] d.h1  1234.567890: kmalloc_node: call_site=ffffffff811a2b3c ptr=ffff880012345678 bytes_req=100 bytes_alloc=128 gfp_flags=GFP_KERNEL|GFP_ZERO node=1",
	  ALLOC, 11, 0xffff880012345678, 100, 128, "ffffffff811a2b3c" },
	/* before flags were printed */
	{ "            bash-17    [001]  1234.567890: kmem_cache_free: call_site=ffffffff811a2b3c ptr=ffff880012345678",
	  CACHE, true, 1, 0xffff880012345678, 0, 0, "ffffffff811a2b3c" },
	/* 6.1 */
	{ "              sh-103     [000] .....    10.831822: kmem_cache_alloc: call_site=getname_flags.part.0+0x2b/0x1c0 ptr=ff4a6edec1c33000 bytes_req=4096 bytes_alloc=4096 gfp_flags=GFP_KERNEL node=-1 accounted=false",
	  CACHE, false, 0, 0xff4a6edec1c33000, 4096, 4096, "getname_flags.part.0+0x2b/0x1c0" },
	{ "              sh-103     [002] d..2.    10.831822: kmem_cache_free: call_site=ext4_foo+0x2b/0x1c0 [ext4] ptr=00000000a1b2c3d4 name=filp",
	  CACHE, true, 2, 0xa1b2c3d4, 0, 0, "ext4_foo+0x2b/0x1c0 [ext4]" },
	/* 7.2, PREEMPT_RT's seven flags, a name before the sizes */
	{ "     kworker/0:1-9       [000] d..h2.0    10.831822: kmem_cache_alloc: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000 name=bio-248 bytes_req=1 bytes_alloc=8 gfp_flags=GFP_KERNEL|__GFP_ZERO node=-1 accounted=true",
	  CACHE, false, 0, 0xff4a6edec1c33000, 1, 8, "f+0x2b/0x1c0" },
	{ "              sh-103     [000] .....    10.831822: kmem_cache_alloc: call_site=f+0x1/0x2 ptr=ff4a6edec1c33000 name=two words bytes_req=1 bytes_alloc=8 gfp_flags=0",
	  CACHE, false, 0, 0xff4a6edec1c33000, 1, 8, "f+0x1/0x2" },
	/* the thread group's column */
	{ "            bash-1234    (   1234) [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	  FREE, 3, 0xff4a6edec1c33000, 0, 0, "f+0x2b/0x1c0" },
	{ "            bash-1234    (-------) [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	  FREE, 3, 0xff4a6edec1c33000, 0, 0, "f+0x2b/0x1c0" },
	/* tasks may be called anything */
	{ "   my task - 1:x-1234    [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	  FREE, 3, 0xff4a6edec1c33000, 0, 0, "f+0x2b/0x1c0" },
	{ " a-1 [0] 1.1: x:-1234    [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	  FREE, 3, 0xff4a6edec1c33000, 0, 0, "f+0x2b/0x1c0" },
	{ "    kmalloc: x-y-1234    [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	  FREE, 3, 0xff4a6edec1c33000, 0, 0, "f+0x2b/0x1c0" },
	/* trace-cmd report: wider, an event's name filled up, 0x, nanoseconds, an instance */
	{ "         trace-cmd-1234  [002]   123.456789: kmalloc:              call_site=f+0x1/0x2 ptr=0xffff888012345678 bytes_req=5 bytes_alloc=8 gfp_flags=GFP_KERNEL",
	  ALLOC, 2, 0xffff888012345678, 5, 8, "f+0x1/0x2" },
	{ "   inst:      trace-cmd-1234  [002]   123.456789012: kfree:                (f+0x1) call_site=f+0x1/0x2 ptr=0xffff888012345678",
	  FREE, 2, 0xffff888012345678, 0, 0, "f+0x1/0x2" },
	/* fields in another order, and more of them */
	{ "            bash-1234    [003] .....    10.831822: kmalloc: bytes_alloc=64 new=3 gfp_flags=a|b bytes_req=33 ptr=ff4a6edec1c33000 call_site=f+0x1/0x2",
	  ALLOC, 3, 0xff4a6edec1c33000, 33, 64, "f+0x1/0x2" },
	/* pages and per-CPU memory */
	{ "            bash-1234    [003] .....    10.831822: mm_page_alloc: page=0000000012345678 pfn=0x1ff order=2 migratetype=0 gfp_flags=GFP_KERNEL",
	  KMA_FTRACE_EVENT, KMA_KIND_PAGE, false, 3, 0x1ff, 16384, 16384, NULL },
	{ "            bash-1234    [003] ....    10.831822: mm_page_free: page=0000000012345678 pfn=511 order=0",
	  KMA_FTRACE_EVENT, KMA_KIND_PAGE, true, 3, 511, 4096, 4096, NULL },
	{ "            bash-1234    [003] .....    10.831822: percpu_alloc_percpu: call_site=f+0x1/0x2 reserved=0 is_atomic=0 size=8 align=8 base_addr=000000001 off=16 ptr=000000002d0c0 bytes_alloc=64 gfp_flags=GFP_KERNEL",
	  KMA_FTRACE_EVENT, KMA_KIND_PERCPU, false, 3, 0x2d0c0, 64, 64, "f+0x1/0x2" },
	{ "            bash-1234    [003] ....    10.831822: percpu_alloc_percpu: reserved=0 is_atomic=0 size=8 align=8 base_addr=000000001 off=16 ptr=000000002d0c0",
	  KMA_FTRACE_EVENT, KMA_KIND_PERCPU, false, 3, 0x2d0c0, 8, 8, NULL },
	{ "            bash-1234    [003] .....    10.831822: percpu_free_percpu: base_addr=0000000012 off=16 ptr=000000002d0c0",
	  KMA_FTRACE_EVENT, KMA_KIND_PERCPU, true, 3, 0x2d0c0, 0, 0, NULL },
	/* trace-cmd report of 6.1, which shortens no address and pads none */
	{ "              sh-112   [000]    35.636274: kmem_cache_alloc_node: (alloc_bprm+0x32) call_site=alloc_bprm+0x32 ptr=0xff3f3d6f42571600 bytes_req=416 bytes_alloc=512 gfp_flags=GFP_KERNEL|__GFP_ZERO node=-1 accounted=false",
	  CACHE, false, 0, 0xff3f3d6f42571600, 416, 512, "alloc_bprm+0x32" },
	{ "              sh-112   [000]    35.636274: kfree:                (f+0x32) call_site=ffffffff811a2b3c ptr=0x12345",
	  FREE, 0, 0x12345, 0, 0, "f+0x32" },
	/* perf script */
	{ "            perf  2216 [001] 15463.430911:               kmem:kmalloc: (f+0x5d) call_site=f+0x5d ptr=0xffff888012345678 bytes_req=5 bytes_alloc=8 gfp_flags=GFP_KERNEL",
	  ALLOC, 1, 0xffff888012345678, 5, 8, "f+0x5d" },
	{ "     my task x-1  2216/2217  [001] 15463.430911:        kmem:kmem_cache_free: call_site=f+0x5d ptr=0xffff888012345678 name=filp",
	  CACHE, true, 1, 0xffff888012345678, 0, 0, "f+0x5d" },
	{ "            perf  2216 [001] 15463.430911:       kmem:mm_page_free: page=0000000012345678 pfn=0x1ff order=0",
	  KMA_FTRACE_EVENT, KMA_KIND_PAGE, true, 1, 511, 4096, 4096, NULL },
	{ "            perf  2216 [001] 15463.430911: sched:sched_switch: prev_comm=kmem:kfree: ptr=1", .what = KMA_FTRACE_OTHER, .cpu = 1 },
	/* trace options latency-format, with a clock of ticks, with verbose; nocontext-info; fields */
	{ "      sh-104       1..... 24446us+: kmalloc: call_site=f+0x5c/0x220 ptr=ff3343d2412e9cc0 bytes_req=168 bytes_alloc=192 gfp_flags=0",
	  ALLOC, 1, 0xff3343d2412e9cc0, 168, 192, "f+0x5c/0x220" },
	{ "kworker/-12345 255dNh1.    -8us : kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	  FREE, 255, 0xff4a6edec1c33000, 0, 0, "f+0x2b/0x1c0" },
	{ "   a-1 3-104       1d.....    8: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	  FREE, 1, 0xff4a6edec1c33000, 0, 0, "f+0x2b/0x1c0" },
	{ "              sh     104   1 0 00000000 00000092 [002dba6d] 24.446ms (+0.032ms): kmem_cache_free: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000 name=filp",
	  CACHE, true, 1, 0xff4a6edec1c33000, 0, 0, "f+0x2b/0x1c0" },
	{ "             a-1     104  12 1 00000001 00000007 [000000000000000b] 8 (+1): kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	  FREE, 12, 0xff4a6edec1c33000, 0, 0, "f+0x2b/0x1c0" },
	{ "kmalloc: call_site=f+0x5c/0x220 ptr=ff3343d2412e9cc0 bytes_req=168 bytes_alloc=192 gfp_flags=0",
	  ALLOC, 0, 0xff3343d2412e9cc0, 168, 192, "f+0x5c/0x220" },
	{ "kmem:kfree: (f+0x5c) call_site=f+0x5c ptr=0xff3343d2412e9cc0",
	  FREE, 0, 0xff3343d2412e9cc0, 0, 0, "f+0x5c" },
	{ "mm_page_free: page=0000000012345678 pfn=511 order=0",
	  KMA_FTRACE_EVENT, KMA_KIND_PAGE, true, 0, 511, 4096, 4096, NULL },
	{ "            bash-1234    [003] .....    10.831822: kmalloc: call_site=0xffffffff811a2b3c (-2128000196) ptr=0xff3343d2412e9cc0 (-57) bytes_req=0xa8 (168) bytes_alloc=0xc0 (192) gfp_flags=0xcc0 (3264)",
	  ALLOC, 3, 0xff3343d2412e9cc0, 168, 192, "ffffffff811a2b3c" },
	/* no events of ours */
	{ "            bash-1234    [003] .....    10.831822: sched_switch: prev_comm=a ptr=1 ==> next_comm=kmalloc:", .what = KMA_FTRACE_OTHER, .cpu = 3 },
	{ "            bash-1234    [003] .....    10.831822: mm_page_free_batched: page=0000000012345678 pfn=0x1 order=0", .what = KMA_FTRACE_OTHER, .cpu = 3 },
	{ "            bash-1234    [003] .....    10.831822: do_fork <-sys_fork", .what = KMA_FTRACE_OTHER, .cpu = 3 },
	{ "            bash-1234    [003] .....    10.831822: <stack trace>", .what = KMA_FTRACE_STACK, .cpu = 3 },
	{ "            bash-1234    [003]     10.831822: kernel_stack:         <stack trace >", .what = KMA_FTRACE_STACK, .cpu = 3 },
	{ " => __alloc_pages", .what = KMA_FTRACE_FRAME, .site = "__alloc_pages" },
	{ "=> ext4_foo+0x1/0x2 [ext4] (ffffffff81000000)", .what = KMA_FTRACE_FRAME, .site = "ext4_foo+0x1/0x2 [ext4]" },
	{ "# tracer: nop", .what = KMA_FTRACE_NOTHING },
	{ "##### CPU 1 buffer started ####", .what = KMA_FTRACE_NOTHING },
	{ "cpus=2", .what = KMA_FTRACE_NOTHING },
	{ "CPU 3 is empty", .what = KMA_FTRACE_NOTHING },
	{ "", .what = KMA_FTRACE_NOTHING },
	{ "# entries-in-buffer/entries-written: 140/140   #P:1", .what = KMA_FTRACE_NOTHING },
	/* the kernel hid the address */
	{ "            bash-1234    [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 ptr=(____ptrval____)", .what = KMA_FTRACE_NO_PTR, .kind = KMA_KIND_KMALLOC, .is_free = true, .cpu = 3, .site = "f+0x2b/0x1c0" },
};

/* Each is refused; "|" is where the line is cut, without a newline. */
static const char *const bad[] = {
	"hello",
	"            bash-1234    [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0",
	"            bash-1234    [003] .....    10.831822: kfree: ptr=ff4a6edec1c33000",
	"            bash-1234    [003] .....    10.831822: kfree: call_site= ptr=ff4a6edec1c33000",
	"            bash-1234    [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 ptr=1ff4a6edec1c33000",
	"            bash-1234    [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 ptr=xyz",
	"            bash-1234    [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000x",
	"            bash-1234    [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 [m ptr=ff4a6edec1c33000",
	"            bash-1234    [65536] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	"            bash-1234    [003] .....    10.831822: kmalloc: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000 bytes_req=1",
	"            bash-1234    [003] .....    10.831822: kmalloc: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000 bytes_req=1 bytes_alloc=99999999999999999999 gfp_flags=0",
	"            bash-1234    [003] .....    10.831822: kmalloc: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000 bytes_req=-1 bytes_alloc=8 gfp_flags=0",
	"            bash-1234    [003] .....    10.831822: kmalloc: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000 bytes_req=9 bytes_alloc=8 gfp_flags=0",
	"            bash-1234    [003] .....    10.831822: mm_page_alloc: page=0000000012345678 pfn=0x1ff order=64 migratetype=0",
	"            bash-1234    [003] .....    10.831822: kmalloc: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000 bytes_req=9 bytes_alloc=12|8 gfp_flags=0",
	"            bash-1234    [003] .....    10.831822: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a|6edec1c33000",
	"            bash-1234    [003] .....    10.831822: kfr|ee: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	"      sh-104       1.....: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	"      sh-104       1......... 8: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	"      sh-104       65536..... 8us : kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	"              sh     104   1 0 00000000 [002dba6d] 24.446ms (+0.032ms): kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	"kfree: call_site=f+0x2b/0x1c0",
	"kfree call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
	"            bash-1234    [003] .....    10.8|31822: kfree: call_site=f+0x2b/0x1c0 ptr=ff4a6edec1c33000",
};
/* clang-format on */

TEST(lines_of_all_kernels)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const char *text = lines[i].text;
		struct kma_ftrace_line line;

		kma_ftrace_parse(text, strlen(text), true, &line);
		if (line.what != lines[i].what || line.kind != lines[i].kind ||
		    line.is_free != lines[i].is_free || line.cpu != lines[i].cpu ||
		    line.ptr != lines[i].ptr || line.req != lines[i].req ||
		    line.alloc != lines[i].alloc)
			KTAP_FAIL("read wrongly, as what %d kind %d cpu %u ptr %" PRIx64
				  " req %" PRIu64 " alloc %" PRIu64 ": %s",
				  line.what, line.kind, line.cpu, line.ptr, line.req, line.alloc,
				  text);
		EXPECT_EQ(line.site_len, lines[i].site ? strlen(lines[i].site) : 0);
		if (lines[i].site)
			EXPECT(!strncmp(line.site, lines[i].site, line.site_len));
	}
}

TEST(lines_that_are_none)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const char *cut = strchr(bad[i], '|');
		struct kma_ftrace_line line;

		kma_ftrace_parse(bad[i], cut ? (size_t)(cut - bad[i]) : strlen(bad[i]), !cut,
				 &line);
		if (line.what != KMA_FTRACE_BAD)
			KTAP_FAIL("what %d: %s", line.what, bad[i]);
		EXPECT(kma_frame_class(bad[i], 0) == KMA_FRAME_CALLER);
	}
}

TEST(lost)
{
	static const struct {
		const char *text;
		uint64_t lost;
	} cases[] = {
		{ "CPU:3 [LOST 1234 EVENTS]", 1234 },
		{ "CPU:3 [LOST EVENTS]", 0 },
		{ "CPU:12 [77 EVENTS DROPPED]", 77 },
		{ "CPU:12 [EVENTS DROPPED]", 0 },
		{ "# entries-in-buffer/entries-written: 140/11540   #P:1", 11400 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct kma_ftrace_line line;

		kma_ftrace_parse(cases[i].text, strlen(cases[i].text), true, &line);
		EXPECT_EQ(line.what, KMA_FTRACE_LOST);
		EXPECT_EQ(line.lost, cases[i].lost);
	}
}

static bool same(const struct kma_ftrace_line *a, const struct kma_ftrace_line *b)
{
	return a->what == b->what && a->cpu == b->cpu && a->kind == b->kind &&
	       a->is_free == b->is_free && a->has == b->has && a->ptr == b->ptr &&
	       a->req == b->req && a->alloc == b->alloc && a->hashed == b->hashed &&
	       a->address == b->address && a->site == b->site && a->site_len == b->site_len;
}

/* Whatever the quick way reads, the slow way reads alike; usual lines it does read. */
TEST(quick_is_as_slow)
{
	static const char bytes[] = "\n\t []()-:.+/=x0aF9\r\0\xff";
	unsigned int quick = 0, wrong = 0;

	for (unsigned int i = 0; i < 2000000; i++) {
		const char *text = lines[rnd(ARRAY_SIZE(lines))].text;
		/* what follows is a usual line */
		char buf[2 * KMA_FTRACE_ROOM];
		size_t len = strlen(text);
		struct kma_ftrace_line a = { 0 }, b;
		const char *rest;

		memset(buf, '0', sizeof(buf));
		buf[sizeof(buf) - 1] = '\n';
		memcpy(buf, text, len);
		buf[len] = '\n';
		memcpy(buf + len + 1, lines[4].text, strlen(lines[4].text));
		for (uint64_t n = rnd(4); n; n--) {
			size_t at = rnd(len + 1);

			if (rnd(2))
				buf[at] = bytes[rnd(sizeof(bytes) - 1)];
			else
				memmove(buf + at, buf + at + 1 + rnd(3), KMA_FTRACE_ROOM);
		}
		rest = kma_ftrace_quick(buf, &a);
		if (!rest)
			continue;
		quick++;
		len = (const char *)memchr(buf, '\n', sizeof(buf)) - buf;
		kma_ftrace_parse(buf, len, true, &b);
		if ((!same(&a, &b) || rest > buf + len) && !wrong++)
			KTAP_FAIL("differ: %.*s", (int)len, buf);
	}
	EXPECT_EQ(wrong, 0);
	EXPECT(quick > 100000);
}

/* What a log with pages warns of. */
#define PAGES "the input does not say how large a page is: each counts as 4 KiB; --page-size sets another size\n"

/* An account as text, to compare. */
static char *account_text(const char *log, size_t len, size_t block, char **message)
{
	struct kma_strbuf sb = { 0 };
	struct kma_account *account = NULL;
	struct kma_input *input;
	const struct kma_site *sites;
	const char *warning;
	struct kma_err *err;
	size_t nr;

	*message = NULL;
	if (kma_input_memory("log", log, len, block, &input))
		abort();
	err = kma_reader_read(input, &account);
	kma_input_close(input);
	if (err) {
		*message = strdup(err->message);
		kma_err_destroy(err);
		return NULL;
	}
	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++) {
		kma_strbuf_printf(&sb, "%s %s", sites[i].caller, kma_kind_names[sites[i].kind]);
		for (unsigned int id = 0; id < KMA_TEXT; id++)
			kma_strbuf_printf(&sb, " %" PRIu64, kma_metrics[id].get(&sites[i].values));
		kma_strbuf_puts(&sb, "\n");
	}
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		uint64_t events = 0;

		kma_account_loss(account, id, &events);
		kma_strbuf_printf(&sb, "%s %" PRIu64 "\n", kma_losses[id].name, events);
	}
	for (size_t i = 0; (warning = kma_account_warning(account, i)); i++)
		kma_strbuf_printf(&sb, "%s\n", warning);
	kma_account_destroy(account);
	return sb.str;
}

#define TASK  "            bash-1234    [003] .....    10.831822: "
#define TASK0 "            bash-1234    [000] .....    10.831822: "
#define TASK1 "            bash-1234    [001] .....    10.831822: "
#define TASK2 "            bash-1234    [002] .....    10.831822: "
#define ZEROS " 0 0 0 0 0 0 0 0 0 0"

static void expect_account(const char *log, const char *want)
{
	char *message, *text = account_text(log, strlen(log), 0, &message);

	EXPECT_STR(text ?: message, want);
	free(text);
	free(message);
}

TEST(stacks)
{
	expect_account(
		TASK
		"mm_page_alloc: page=1 pfn=0x10 order=1 migratetype=0 gfp_flags=0\n" TASK1
		"mm_page_alloc: page=1 pfn=0x20 order=0 migratetype=0 gfp_flags=0\n" TASK
		"<stack trace>\n => __alloc_pages_noprof\n => folio_alloc.part.0\n"
		" => fill+0x10/0x20 [ext4]\n => never\n" TASK1
		"<stack trace>\n => __alloc_pages\n => plain\n"
		/* a stack of an event that has a call site */
		TASK
		"percpu_alloc_percpu: call_site=f+0x1/0x2 size=8 ptr=1234 bytes_alloc=16\n" TASK
		"<stack trace>\n => pcpu_alloc\n => never\n"
		/* of one without */
		TASK "percpu_free_percpu: base_addr=1 off=2 ptr=1235\n" TASK
		"<stack trace>\n => free_percpu\n => drop\n"
		/* no stack at all */
		TASK "mm_page_free: page=1 pfn=0x11 order=0\n" TASK
		"mm_page_free: page=1 pfn=0x55 order=0\n" TASK
		"mm_page_alloc: page=1 pfn=0x66 order=0 migratetype=0 gfp_flags=0\n",
		/* current req waste allocs frees total peak objects remote wrong */
		"fill+0x10/0x20 [ext4] page 4096 4096 0 1 1 8192 8192 1 0 0\n"
		"plain+0x1 page 4096 4096 0 1 0 4096 4096 1 0 0\n"
		"f+0x1/0x2 percpu 16 16 0 1 0 16 16 1 0 0\n"
		"drop+0x1 percpu 0 0 0 0 1 0 0 0 0 0\n"
		"[page without stack] page 4096 4096 0 1 1 4096 4096 1 0 0\n"
		"frees_of_unknown_objects 2\nimplied_frees 0\nevents_not_recorded 0\n" PAGES);
}

/* The CPU of an allocation has no other line, and another CPU frees the page or a part of it. */
TEST(pages_of_a_quiet_cpu)
{
	expect_account(TASK1
		       "mm_page_alloc: page=1 pfn=0x10 order=1 migratetype=0 gfp_flags=0\n" TASK
		       "mm_page_free: page=1 pfn=0x10 order=1\n",
		       "[page without stack] page 0 0 0 1 1 8192 8192 0 1 0\n"
		       "frees_of_unknown_objects 0\nimplied_frees 0\nevents_not_recorded 0\n" PAGES);
	expect_account(TASK1
		       "mm_page_alloc: page=1 pfn=0x10 order=1 migratetype=0 gfp_flags=0\n" TASK
		       "mm_page_free: page=1 pfn=0x11 order=0\n",
		       "[page without stack] page 4096 4096 0 1 1 8192 8192 1 1 0\n"
		       "frees_of_unknown_objects 0\nimplied_frees 0\nevents_not_recorded 0\n" PAGES);
	/* all that wait, and no others */
	expect_account(TASK1
		       "mm_page_alloc: page=1 pfn=0x10 order=0 migratetype=0 gfp_flags=0\n" TASK2
		       "mm_page_alloc: page=1 pfn=0x11 order=0 migratetype=0 gfp_flags=0\n" TASK
		       "mm_page_alloc: page=1 pfn=0x12 order=0 migratetype=0 gfp_flags=0\n" TASK0
		       "mm_page_free: page=1 pfn=0x10 order=1\n" TASK
		       "<stack trace>\n => __alloc_pages\n => fill\n",
		       "[page without stack] page 0 0 0 2 2 8192 8192 0 2 0\n"
		       "fill+0x1 page 4096 4096 0 1 0 4096 4096 1 0 0\n"
		       "frees_of_unknown_objects 0\nimplied_frees 0\nevents_not_recorded 0\n" PAGES);
}

/* An event that is lost, or is of no use, may have had the stack that comes. */
TEST(stacks_of_others)
{
	static const char *const between[] = {
		"CPU:3 [LOST 1 EVENTS]\n",
		"CPU:3 [LOST EVENTS]\n",
		TASK "kfree: call_site=f+0x1/0x2 ptr=(____ptrval____)\n",
		TASK "kfree: call_site=f+0x1/0x2\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(between); i++) {
		char log[1024], *message, *text;

		snprintf(log, sizeof(log), "%s%s%s",
			 TASK "mm_page_alloc: page=1 pfn=0x10 order=0 migratetype=0 gfp_flags=0\n",
			 between[i], TASK "<stack trace>\n => somebody_else\n");
		text = account_text(log, strlen(log), 0, &message);
		REQUIRE(text);
		EXPECT(!strncmp(text, "[page without stack] page 4096 4096 ", 36));
		free(text);
	}
}

/* Events of the times are in the log as well: it is one of allocations all the same. */
TEST(with_events_of_times)
{
#define RECLAIM TASK "mm_vmscan_direct_reclaim_begin: order=0 gfp_flags=GFP_KERNEL\n"
#define BYTES                                     \
	"f+0x1/0x2 kmalloc 8 1 7 1 0 8 8 1 0 0\n" \
	"frees_of_unknown_objects 0\nimplied_frees 0\nevents_not_recorded 0\n"
#define KMALLOC TASK "kmalloc: call_site=f+0x1/0x2 ptr=ff00000000000000 bytes_req=1 bytes_alloc=8\n"

	expect_account("# tracer: nop\n" RECLAIM KMALLOC, BYTES);
	expect_account("# tracer: nop\n" KMALLOC RECLAIM, BYTES);
	expect_account(RECLAIM, "no call of an allocating function in this input, only events");
}

/* The signs of a log of times are in each line that makes it one: in calls, and in these events. */
TEST(lines_of_times)
{
	static const char *const times[] = {
		" 0)   1.234 us    |  f();\n",
		" 0)               |  f() {\n",
		" 0)               |  f(x=0x1) {\n",
		" 0)   2.345 us    |  }\n",
		"  134.655882 |   0)     sh-104     | ! 304.428 us  |  } /* __alloc_pages */\n",
		TASK "funcgraph_entry:        1.234 us   |  f();\n",
		TASK "funcgraph_entry:                   |  f() {\n",
		TASK "funcgraph_exit:         2.345 us   |  }\n",
		TASK "mm_shrink_slab_start: f+0x1/0x2 ff00000000000000: nid: 0\n",
		TASK "mm_shrink_slab_end: f+0x1/0x2 ff00000000000000: nid: 0\n",
		TASK "mm_vmscan_lru_shrink_inactive: nid=0\n",
		TASK "mm_vmscan_direct_reclaim_begin: order=0\n",
		TASK "mm_vmscan_direct_reclaim_end: nr_reclaimed=1\n",
		TASK "mm_vmscan_memcg_reclaim_begin: order=0\n",
		TASK "mm_vmscan_memcg_reclaim_end: nr_reclaimed=1\n",
		TASK "mm_compaction_begin: zone_start=0x1\n",
		TASK "mm_compaction_end: zone_start=0x1\n",
		TASK "mm_compaction_try_to_compact_pages: order=1\n",
		TASK "kma_open: (single_open+0x0/0xa0) shrinker=0x1\n",
		TASK "kma_shrinker: a\n",
		TASK "kma_shrinkers: all\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		bool taken = kma_reader_takes(&kma_reader_funcgraph, times[i], strlen(times[i]));

		EXPECT(taken);
		if (!taken)
			printf("# %s", times[i]);
	}
	EXPECT(!kma_reader_takes(&kma_reader_funcgraph, KMALLOC, strlen(KMALLOC)));
}

TEST(pages_of_allocators)
{
#define SLAB_PAGE                                                                      \
	TASK "mm_page_alloc: page=1 pfn=0x10 order=1 migratetype=0 gfp_flags=0\n" TASK \
	     "<stack trace>\n => __alloc_pages\n => allocate_slab\n => f\n"

	expect_account(SLAB_PAGE, "[pages of slab] page 8192 8192 0 1 0 8192 8192 1 0 0\n"
				  "frees_of_unknown_objects 0\nimplied_frees 0\n"
				  "events_not_recorded 0\n" PAGES);
	expect_account(SLAB_PAGE TASK "kfree: call_site=f+0x1/0x2 ptr=ff00000000000000\n",
		       "f+0x1/0x2 kmalloc 0 0 0 0 1 0 0 0 0 0\n"
		       "frees_of_unknown_objects 1\nimplied_frees 0\nevents_not_recorded 0\n" PAGES);
}

TEST(what_a_log_does_not_tell)
{
	expect_account(
		"# entries-in-buffer/entries-written: 3/5\n"
		"CPU:1 [LOST 7 EVENTS]\nCPU:1 [LOST EVENTS]\nwhat?\n" TASK
		"kfree: call_site=f+0x1/0x2 ptr=(____ptrval____)\n" TASK
		"kfree: call_site=f+0x1/0x2 ptr=00000000aabbccdd\r\n" TASK
		"kmalloc: call_site=c104dd2f ptr=00000000aabbccdd bytes_req=1 bytes_alloc=8\n" TASK
		"kmem_cache_free: call_site=f+0x1/0x2 ptr=00000000aabbccdd\n",
		"f+0x1/0x2 kmalloc 0 0 0 0 1 0 0 0 0 0\n"
		"c104dd2f kmalloc 0 0 0 1 1 8 8 0 0 1\n"
		"frees_of_unknown_objects 1\nimplied_frees 0\nevents_not_recorded 10\n"
		"1 line was not recognised (first: line 4)\n"
		"1 event is counted as not recorded, because the kernel hid the addresses of the objects\n"
		"9 events were lost; live bytes may be too high or too low\n"
		"events were lost 1 time; the trace does not report how many\n"
		"addresses are hashed; objects with the same hash cause frees of unknown objects\n"
		"1 object was freed by another allocator's function, which is legal from Linux 6.4 on\n");
	expect_account("# tracer: nop\n" TASK "sched_switch: a=b\n",
		       "no events of allocations or frees in this input, only other events");
	expect_account("# tracer: nop\n", "no events of allocations or frees in this input");
}

/* A long log, in blocks of all sizes: always the same account. */
TEST(blocks)
{
	struct kma_strbuf sb = { 0 };
	char *want, *message;

	for (int i = 0; i < 2000; i++) {
		const char *text = lines[rnd(ARRAY_SIZE(lines))].text;

		kma_strbuf_printf(&sb, "%s\n", text);
	}
	kma_strbuf_printf(&sb, "%s", lines[4].text);
	want = account_text(sb.str, sb.len, 0, &message);
	REQUIRE(want);
	for (size_t block = 1; block < 5000; block += 1 + block / 4) {
		char *got = account_text(sb.str, sb.len, block, &message);

		EXPECT_STR(got, want);
		free(got);
	}
	free(want);
	kma_strbuf_deinit(&sb);
}

/* A line of three million characters, a NUL in a line, and then the log goes on. */
TEST(monsters)
{
	static const char nul[] = TASK "kfree: call_site=f\0o+0x1/0x2 ptr=ff00000000000000\n";
	enum { LONG = 3000000 };
	struct kma_strbuf sb = { 0 };
	char *message, *got, *x = malloc(LONG);

	memset(x, 'x', LONG);
	kma_strbuf_puts(&sb, TASK "kfree: call_site=f+0x1/0x2 ptr=ff00000000000000\n");
	kma_strbuf_add(&sb, x, LONG);
	kma_strbuf_puts(&sb, "\n" TASK "kfree: call_site=");
	kma_strbuf_add(&sb, x, LONG);
	kma_strbuf_puts(&sb, " ptr=ff00000000000000\n");
	kma_strbuf_add(&sb, nul, sizeof(nul) - 1);
	kma_strbuf_puts(&sb, TASK "kfree: call_site=g+0x1/0x2 ptr=ff00000000000000\n");
	kma_strbuf_add(&sb, x, LONG);
	got = account_text(sb.str, sb.len, 0, &message);
	EXPECT_STR(got, "f+0x1/0x2 kmalloc 0 0 0 0 1 0 0 0 0 0\n"
			"g+0x1/0x2 kmalloc 0 0 0 0 1 0 0 0 0 0\n"
			"frees_of_unknown_objects 2\nimplied_frees 0\nevents_not_recorded 0\n"
			"4 lines were not recognised (first: line 2)\n");
	free(got);
	free(message);
	free(x);
	kma_strbuf_deinit(&sb);
}

TEST(frames)
{
	static const struct {
		const char *name;
		enum kma_frame_kind frame;
	} cases[] = {
		{ "__alloc_pages", KMA_FRAME_PAGE },
		{ "__alloc_pages_noprof+0x1/0x2", KMA_FRAME_PAGE },
		{ "get_page_from_freelist.isra.0", KMA_FRAME_PAGE },
		{ "trace_event_raw_event_mm_page_alloc", KMA_FRAME_PROBE },
		{ "__traceiter_mm_page_alloc+0x68", KMA_FRAME_PROBE },
		{ "ftrace_raw_event_mm_page_alloc", KMA_FRAME_PROBE },
		{ "perf_trace_mm_page_alloc", KMA_FRAME_PROBE },
		{ "ftrace_allocate_pages+0x5a", KMA_FRAME_CALLER },
		{ "trace_event_enable_cmd_record", KMA_FRAME_CALLER },
		{ "perf_trace_event_reg.isra.0", KMA_FRAME_CALLER },
		{ "allocate_slab.constprop.0", KMA_FRAME_SLAB },
		{ "pcpu_populate_chunk", KMA_FRAME_PERCPU },
		{ "___slab_alloc", KMA_FRAME_SLAB },
		{ "zap_pte_range", KMA_FRAME_CALLER },
		{ "__alloc_page", KMA_FRAME_CALLER },
		{ "__alloc_pages2", KMA_FRAME_CALLER },
		{ "a", KMA_FRAME_CALLER },
		{ "_noprof", KMA_FRAME_CALLER },
		{ "ext4_alloc_pages [ext4]", KMA_FRAME_CALLER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (kma_frame_class(cases[i].name, strlen(cases[i].name)) != cases[i].frame)
			KTAP_FAIL("%s", cases[i].name);
	EXPECT(kma_frame_class("vmalloc", 7) == KMA_FRAME_PAGE);
}

TEST_MAIN()
