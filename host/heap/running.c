// SPDX-License-Identifier: GPL-2.0-only
/*
 * running.c - find the kernel's variables and structures, and switch the module's age on and off.
 * Age is also switched off if the program ends without memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kallsyms.h"
#include "kcore.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/module-files.h"
#include "running.h"

#define KMA_KALLSYMS "/proc/kallsyms"

/* From this release on each cache has sheaves; see slub.h. */
#define KMA_SHEAVES_SINCE 7

static bool running_has_sheaves(const struct kma_running *running, const struct kma_btf *btf)
{
	const struct kma_heap_target *target = &running->target;

	if (btf)
		return kma_btf_find(btf, KMA_BTF_STRUCT, "slab_sheaf");
	return strtoul(target->ops->release(target->arg), NULL, 10) >= KMA_SHEAVES_SINCE;
}

/* Read the offsets of the CPUs' areas from the kernel's array. */
static bool running_areas(struct kma_running *running, uint64_t array)
{
	unsigned int cpus = running->target.ops->cpus(running->target.arg);

	running->cpu_areas = kma_xcalloc(cpus, sizeof(*running->cpu_areas));
	for (unsigned int i = 0; i < cpus; i++)
		if (!kma_target_word(&running->target, array + 8 * (uint64_t)i,
				     &running->cpu_areas[i]))
			return false;
	running->slub.cpus = running->magazines.cpus = cpus;
	running->slub.cpu_areas = running->magazines.cpu_areas = running->cpu_areas;
	return true;
}

static struct kma_err *running_structures(struct kma_running *running, const struct kma_btf *btf)
{
	struct kma_kallsyms_symbol symbols[] = {
		{ .name = "__per_cpu_offset" },
		{ .name = "slab_caches" },
		{ .name = "napi_alloc_cache" },
		{ .name = "krc" },
	};
	struct kma_err *err;

	err = kma_kallsyms_find(running->kallsyms, symbols, ARRAY_SIZE(symbols));
	if (err || !symbols[0].found || !running_areas(running, symbols[0].addr))
		return err;
	running->slub.caches = symbols[1].addr;
	running->slub.page = kma_target_page(&running->target);
	running->slub.nodes = running->target.ops->nodes(running->target.arg);
	running->has_slub = symbols[1].found && kma_slub_layout(btf, &running->slub.layout);
	running->magazines.skbs = symbols[2].addr;
	running->magazines.rcu = symbols[3].addr;
	running->magazines.page = kma_target_page(&running->target);
	kma_magazines_layout(btf, &running->magazines);
	return NULL;
}

uint32_t kma_running_site(const char *caller, uint32_t site)
{
	static const char kcore[] = "open_kcore+";

	return strncmp(caller, kcore, strlen(kcore)) ? site : KMA_HEAP_IGNORED;
}

/* Find where the tables of the module and the kernel's symbols are. */
static void running_files(struct kma_running *running, const struct kma_heap_source *source)
{
	static const char *const names[] = { "live", "sites", "kallsyms" };
	static const char *const own[] = { KMA_FILE_LIVE, KMA_FILE_SITES, KMA_KALLSYMS };
	char **const paths[] = { &running->live, &running->sites, &running->kallsyms };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		*paths[i] = source->vmcore ? kma_xasprintf("%s/%s", source->tables, names[i]) :
					     kma_xstrdup(own[i]);
}

/* Say what a scan will not see without the free objects of SLUB, or refuse it. */
static struct kma_err *running_without(const struct kma_running *running, const struct kma_btf *btf,
				       const char *no_btf, struct kma_notes *notes)
{
	if (running_has_sheaves(running, btf))
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, NULL, 0,
			"the sheaves of the slab allocator were not found (%s): they keep pointers to freed objects, which hide losses, so nothing is called lost on this kernel",
			btf ? "this program does not know their form" : no_btf);
	kma_notes_add(
		notes,
		"the lists of free slab objects were not found (%s); words that are left in free objects count as references and hide losses",
		!btf ? no_btf :
		running->slub.caches ?
		       "unknown slab allocator" :
		       "the kernel's symbols have no variables (CONFIG_KALLSYMS_ALL)");
	return NULL;
}

struct kma_err *kma_running_open(struct kma_running *running, const struct kma_heap_source *source,
				 struct kma_notes *notes)
{
	_cleanup_btf_ struct kma_btf *btf = NULL;
	struct kma_err *err;

	*running = (struct kma_running){ 0 };
	running_files(running, source);
	err = source->vmcore ? source->open(source->vmcore, running->kallsyms, &running->target) :
			       kma_kcore_open(&running->target);
	if (err)
		return err;
	running->words = (struct kma_words){ running->target.ops->word, running->target.arg };
	btf = running->target.ops->types(running->target.arg);
	err = btf ? running_structures(running, btf) : NULL;
	kma_target_forget(&running->target);
	if (err || running->has_slub)
		return err;
	return running_without(
		running, btf, source->vmcore ? "no BTF in the dump" : "no " KMA_BTF_VMLINUX, notes);
}

/* Give the module a command. Return 0 or a number of errno. Needs no memory. */
static int tell(const char *command)
{
	int fd = open(KMA_FILE_ACCOUNT, O_WRONLY | O_CLOEXEC), code = 0;

	if (fd < 0 || write(fd, command, strlen(command)) < 0)
		code = errno;
	if (fd >= 0)
		close(fd);
	return code;
}

static void age_off(void *arg)
{
	(void)arg;
	tell("age off");
}

/* True if the line "# switches: " of the account has the word age. */
static bool running_has_age(const char *account)
{
	const char *line = strstr(account, "\n# switches: "), *at = line ? line + 13 : "";

	while (*at && *at != '\n') {
		size_t len = strcspn(at, "\n ");

		if (len == 3 && !strncmp(at, "age", len))
			return true;
		at += len;
		at += *at == ' ';
	}
	return false;
}

struct kma_err *kma_running_age_on(struct kma_running *running)
{
	_cleanup_free_ char *account = NULL;
	struct kma_err *err;
	size_t len;
	int code;

	err = kma_file_slurp_regular(KMA_FILE_ACCOUNT, &account, &len);
	if (err || running_has_age(account))
		return err;
	code = tell("age on");
	if (code)
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, KMA_FILE_ACCOUNT, 0,
					   "cannot write the command 'age on': %s", strerror(code));
	running->age_on = true;
	kma_atend_call(age_off, NULL);
	return NULL;
}

void kma_running_close(struct kma_running *running)
{
	if (running->age_on) {
		age_off(NULL);
		kma_atend_forget(age_off, NULL);
	}
	if (running->target.ops)
		running->target.ops->close(running->target.arg);
	free(running->cpu_areas);
	free(running->live);
	free(running->sites);
	free(running->kallsyms);
	*running = (struct kma_running){ 0 };
}

static void running_add(void *arg, uint64_t addr, uint64_t len)
{
	kma_graph_add(arg, addr, len, KMA_HEAP_FREE);
}

static void running_still(void *arg, uint64_t addr, uint64_t len)
{
	kma_graph_still_free(arg, addr, len);
}

/* Call @fn for each range that is free now. */
static void running_each(struct kma_running *running, kma_area_fn fn, struct kma_graph *graph,
			 struct kma_slub_counts *counts)
{
	*counts = (struct kma_slub_counts){ 0 };
	if (running->has_slub)
		kma_slub_free(&running->slub, &running->words, fn, graph, counts);
	kma_magazines_stale(&running->magazines, &running->words, fn, graph);
	kma_target_forget(&running->target);
}

void kma_running_free(struct kma_running *running, struct kma_graph *graph,
		      struct kma_slub_counts *counts)
{
	running_each(running, running_add, graph, counts);
}

void kma_running_still_free(struct kma_running *running, struct kma_graph *graph)
{
	struct kma_slub_counts counts;

	running_each(running, running_still, graph, &counts);
}
