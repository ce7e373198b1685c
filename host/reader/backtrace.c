// SPDX-License-Identifier: GPL-2.0-only
/*
 * backtrace.c - find the call site in a stack of another tool's report.
 */
#include <stdio.h>
#include <string.h>

#include "backtrace.h"
#include "lib/cleanup.h"
#include "trace/ftrace-stack.h"

/*
 * Functions that record a stack within the allocator: those of page_owner and kmemleak, and those
 * of the allocator that call them. Names of Linux 4.x to 7.2.
 */
static const char *const kma_recorders[] = {
	"__create_object",
	"__kmemleak_do",
	"__reset_page_owner",
	"__set_page_owner",
	"create_object",
	"kmemleak_alloc",
	"kmemleak_alloc_phys",
	"kmemleak_alloc_percpu",
	"kmemleak_vmalloc",
	"post_alloc_hook",
	"prep_new_page",
	"register_early_stack",
	"save_stack",
	"slab_post_alloc_hook",
	"stack_trace_save",
	"kmem_cache_alloc_bulk_hook",
	"__kmemleak_alloc",
	"set_page_owner",
	"kmemleak_alloc_recursive",
};

/* On the stack that page_owner gives to pages that were allocated before it started. */
#define KMA_BACKTRACE_EARLY "register_early_stack"

/* Functions that run a BPF program at a tracepoint, by the beginning of their names. */
static const char *const kma_recorder_prefixes[] = { "bpf_trace_run", "__bpf_trace_",
						     "bpf_get_stack" };

static bool backtrace_is_recorder(const char *frame)
{
	size_t len = strcspn(frame, "+. ");

	for (size_t i = 0; i < ARRAY_SIZE(kma_recorders); i++)
		if (strlen(kma_recorders[i]) == len && !memcmp(kma_recorders[i], frame, len))
			return true;
	/* a BPF program has its tag in its name; functions of the kernel as bpf_prog_alloc() have none */
	if (!strncmp(frame, "bpf_prog_", 9) && strspn(frame + 9, "0123456789abcdef") == 16)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(kma_recorder_prefixes); i++)
		if (!strncmp(frame, kma_recorder_prefixes[i], strlen(kma_recorder_prefixes[i])))
			return true;
	return false;
}

bool kma_backtrace_is_frame(const char *text)
{
	static const char inlined[] = " [inline]";
	size_t len = strlen(text), number = strspn(text, "0123456789");
	const char *plus;

	/* the number of a frame, and its address: "0 [<ffffffff8141e2e1>] " */
	if (number && text[number] == ' ')
		text += number + 1;
	if (!strncmp(text, "[<", 2) || !strncmp(text, "0x", 2) || !strncmp(text, "[unknown]", 9))
		return true;
	if (len > strlen(inlined) && !strcmp(text + strlen(text) - strlen(inlined), inlined))
		return true;
	plus = strpbrk(text, "+ ");
	return plus && plus > text && *plus == '+' && !strncmp(plus, "+0x", 3);
}

bool kma_backtrace_may_end(const struct kma_backtrace *frames, const char *text)
{
	const char *plus = strstr(text, "+0x"), *size = plus ? strstr(plus, "/0x") : NULL;

	return size && size[3] && *frames->caller;
}

void kma_backtrace_start(struct kma_backtrace *frames)
{
	frames->stack.len = 0;
	frames->pages = frames->large = frames->early = false;
	frames->taker = NULL;
	frames->caller[0] = frames->path[0] = '\0';
}

void kma_backtrace_deinit(struct kma_backtrace *frames)
{
	kma_strbuf_deinit(&frames->stack);
}

/* Is the frame a function of the tool or of an allocator? If so, note which allocator it is. */
static bool backtrace_is_inside(struct kma_backtrace *frames, const char *frame)
{
	enum kma_frame_kind kind = kma_frame_class(frame, strlen(frame));

	frames->early |= !strncmp(frame, KMA_BACKTRACE_EARLY, strlen(KMA_BACKTRACE_EARLY));
	if (backtrace_is_recorder(frame))
		return true;
	frames->pages |= kind == KMA_FRAME_PAGE && !frames->taker;
	for (size_t i = 0; i < KMA_NR_TAKERS && !frames->taker; i++)
		if (kma_takers[i].frame == kind)
			frames->taker = kma_takers[i].row;
	frames->large |= kind == KMA_FRAME_SLAB &&
			 (strstr(frame, "large") || !strncmp(frame, "kmalloc_order", 13));
	return kind != KMA_FRAME_CALLER;
}

/*
 * Length of the call site in a frame. scripts/decode_stacktrace.sh and syzbot append the source line
 * to a frame that has an offset: "function+0x1/0x2 fs/file.c:12".
 */
static size_t backtrace_site_len(const char *frame)
{
	size_t len = strcspn(frame, " ");

	return memchr(frame, '+', len) && frame[len] && frame[len + 1] != '[' ? len : strlen(frame);
}

/*
 * Take the call site from a frame, and its source file: "function+0x1/0x2 fs/file.c:12" or
 * "function+0x1/0x2 (fs/file.c:12) [module]".
 */
static void take_caller(struct kma_backtrace *frames, const char *frame)
{
	size_t len = backtrace_site_len(frame);
	const char *file = frame[len] ? frame + len + 1 + (frame[len + 1] == '(') : "";
	const char *module = frame[len] ? strrchr(frame, '[') : NULL;
	size_t name = strcspn(file, ":) ");

	snprintf(frames->caller, sizeof(frames->caller), "%.*s%s%s", (int)len, frame,
		 module ? " " : "", module ?: "");
	if (file[name] == ':' && name < sizeof(frames->path) && *file != '/')
		snprintf(frames->path, sizeof(frames->path), "%.*s", (int)name, file);
}

void kma_backtrace_add(struct kma_backtrace *frames, const char *frame)
{
	static const char inlined[] = " [inline]";
	const char *end = strstr(frame, ">] ");
	size_t len;

	if (end && !strncmp(frame, "[<", 2))
		frame = end + strlen(">] ");
	len = strlen(frame);
	if (!len || frames->early)
		return;
	if (!*frames->caller) {
		/* The frame that has the address of an inlined function's code follows. */
		if (len > strlen(inlined) && !strcmp(frame + len - strlen(inlined), inlined))
			return;
		if (backtrace_is_inside(frames, frame))
			return;
		take_caller(frames, frame);
	}
	kma_strbuf_printf(&frames->stack, "%s%s", frames->stack.len ? ";" : "", frame);
}

struct kma_err *kma_backtrace_end(struct kma_backtrace *frames, struct kma_merge *merge,
				  enum kma_kind kind, const struct kma_values *values)
{
	const char *row = *frames->caller && !frames->early ? frames->caller : kma_no_site[kind];
	struct kma_err *err;

	if (!*frames->caller && kind == KMA_KIND_UNKNOWN && frames->pages && !frames->taker)
		row = kma_no_site[KMA_KIND_PAGE];
	if (frames->pages && frames->taker && !(frames->large && kind == KMA_KIND_PAGE))
		row = frames->taker;
	err = kma_merge_add(merge, row, kind, values);
	if (err)
		return err;
	if (*frames->path && row == frames->caller)
		kma_merge_set_path(merge, frames->path, strlen(frames->path));
	kma_merge_add_stack(merge, frames->stack.len ? frames->stack.str : "-", values);
	return NULL;
}
