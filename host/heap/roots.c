// SPDX-License-Identifier: GPL-2.0-only
/*
 * roots.c - name roots by the kernel's symbols, areas of vmalloc() and tasks.
 *
 * All loops along lists of the kernel are bounded, because a list that changes while it is followed
 * can lead anywhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kallsyms.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "page-table.h"
#include "roots.h"

#define KMA_ROOTS_LIST	 (1U << 20) /* most entries of a list of the kernel */
#define KMA_ROOTS_PAGES	 (1U << 18) /* most pages of an area */
#define KMA_ROOTS_MODULE 8192 /* bytes for per-CPU variables of modules: PERCPU_MODULE_RESERVE */
#define KMA_ROOTS_COMM	 16   /* bytes of a task's name */

/* A page that vmalloc() has mapped. */
struct kma_roots_page {
	uint64_t physical, addr;
	uint32_t area;
};

struct kma_roots_area {
	uint64_t start;
	const char *caller; /* a symbol */
	uint64_t offset;    /* of the caller in it */
};

struct kma_roots_task {
	uint64_t stack; /* its address */
	uint32_t pid;
	char comm[KMA_ROOTS_COMM + 1];
};

struct kma_root_names {
	struct kma_running *running;
	struct kma_kallsyms symbols;
	struct kma_roots_page *pages; /* sorted by physical address */
	size_t nr_pages, room_pages;
	struct kma_roots_area *areas;
	uint32_t nr_areas, room_areas;
	struct kma_roots_task *tasks;
	size_t nr_tasks, room_tasks;
	uint64_t percpu_start, percpu_end; /* symbols of per-CPU variables */
	uint64_t unit;			   /* bytes of a CPU's part of the first chunk */
	struct kma_page_table tables;	   /* @form: NULL without them */
	bool has_variables;		   /* kallsyms has them, not only functions */
};

void kma_roots_free(struct kma_root_names *roots)
{
	if (!roots)
		return;
	kma_kallsyms_deinit(&roots->symbols);
	free(roots->pages);
	free(roots->areas);
	free(roots->tasks);
	free(roots);
}

static uint64_t roots_word(const struct kma_root_names *roots, uint64_t addr)
{
	uint64_t word;

	return kma_target_word(&roots->running->target, addr, &word) ? word : 0;
}

/* The physical address of what is mapped at @addr; KMA_PAGE_TABLE_NONE without one. */
static uint64_t roots_walk(const struct kma_root_names *roots, uint64_t addr)
{
	return kma_page_table_walk(&roots->tables, &roots->running->words, addr);
}

/* A symbol that kallsyms lacks without CONFIG_KALLSYMS_ALL, as on Debian's arm64. */
static bool roots_symbol(const struct kma_root_names *roots, const char *name, uint64_t *ret)
{
	const struct kma_heap_target *target = &roots->running->target;

	return kma_kallsyms_value(&roots->symbols, name, ret) ||
	       target->ops->symbol(target->arg, name, ret);
}

/* Find the page tables; @heap is an address in the direct map. */
static void roots_tables(struct kma_root_names *roots, uint64_t heap)
{
	static const char *const symbols[] = { "init_top_pgt", "swapper_pg_dir" };
	uint64_t physical = heap - heap % KMA_HEAP_PAGE - kma_target_base(&roots->running->target);
	uint64_t mask;

	roots->tables.base = kma_target_base(&roots->running->target);
	if (kma_kallsyms_value(&roots->symbols, "sme_me_mask", &mask))
		roots->tables.encrypted = roots_word(roots, mask);
	for (size_t i = 0; i < ARRAY_SIZE(symbols) && !roots->tables.form; i++)
		if (roots_symbol(roots, symbols[i], &roots->tables.top))
			kma_page_table_find(&roots->tables, symbols[i], &roots->running->words,
					    heap, physical);
}

/* Add an area of vmalloc() with its pages. */
static void roots_area(struct kma_root_names *roots, uint64_t start, uint64_t end, uint64_t caller)
{
	const struct kma_kallsyms_entry *symbol = kma_kallsyms_at(&roots->symbols, caller);

	/* A caller that is freed, as a module's initialisation is, is not of the last symbol in use. */
	if (symbol && (roots_walk(roots, caller) == KMA_PAGE_TABLE_NONE) !=
			      (roots_walk(roots, symbol->addr) == KMA_PAGE_TABLE_NONE))
		symbol = NULL;
	if (end <= start || (end - start) / KMA_HEAP_PAGE > KMA_ROOTS_PAGES)
		return;
	kma_array_room(roots->areas, roots->nr_areas, roots->room_areas);
	roots->areas[roots->nr_areas++] =
		(struct kma_roots_area){ .start = start,
					 .caller = symbol && caller ? symbol->name :
								      "an unknown caller",
					 .offset = symbol && caller ? caller - symbol->addr : 0 };
	for (uint64_t addr = start; addr < end; addr += KMA_HEAP_PAGE) {
		uint64_t physical = roots_walk(roots, addr);

		if (physical == KMA_PAGE_TABLE_NONE)
			continue;
		kma_array_room(roots->pages, roots->nr_pages, roots->room_pages);
		roots->pages[roots->nr_pages++] =
			(struct kma_roots_page){ physical, addr, roots->nr_areas - 1 };
	}
}

/* Members of the structures that describe areas of vmalloc(). */
struct kma_roots_layout {
	int64_t start, end, list, vm, caller;
};

/* Follow a list of areas. */
static void roots_areas(struct kma_root_names *roots, uint64_t head,
			const struct kma_roots_layout *layout)
{
	uint64_t entry = roots_word(roots, head);

	for (unsigned int i = 0; i < KMA_ROOTS_LIST && entry && entry != head; i++) {
		uint64_t area = entry - layout->list;
		uint64_t vm = roots_word(roots, area + layout->vm);

		roots_area(roots, roots_word(roots, area + layout->start),
			   roots_word(roots, area + layout->end),
			   vm ? roots_word(roots, vm + layout->caller) : 0);
		entry = roots_word(roots, entry);
	}
}

/* Before 6.9 there is one list of areas; since then each of several nodes has one. */
static void roots_vmalloc(struct kma_root_names *roots, const struct kma_btf *btf)
{
	struct kma_roots_layout layout = {
		.start = kma_btf_offset(btf, "vmap_area", "va_start"),
		.end = kma_btf_offset(btf, "vmap_area", "va_end"),
		.list = kma_btf_offset(btf, "vmap_area", "list"),
		.vm = kma_btf_offset(btf, "vmap_area", "vm"),
		.caller = kma_btf_offset(btf, "vm_struct", "caller"),
	};
	int64_t head = kma_btf_offset(btf, "vmap_node", "busy.head");
	uint64_t nodes, size = kma_btf_struct_size(btf, "vmap_node"), at, nr;

	if (!roots->tables.form || layout.start < 0 || layout.end < 0 || layout.list < 0 ||
	    layout.vm < 0 || layout.caller < 0)
		return;
	if (roots_symbol(roots, "vmap_area_list", &at)) {
		roots_areas(roots, at, &layout);
		return;
	}
	if (head < 0 || !kma_kallsyms_value(&roots->symbols, "vmap_nodes", &nodes) ||
	    !kma_kallsyms_value(&roots->symbols, "nr_vmap_nodes", &nr))
		return;
	nodes = roots_word(roots, nodes);
	nr = kma_words_u32(&roots->running->words, nr);
	for (uint64_t i = 0; i < nr && i < 4096 && nodes; i++)
		roots_areas(roots, nodes + i * size + head, &layout);
}

/* Members of a task. */
struct kma_roots_tasks {
	int64_t tasks, node, pid, comm, stack, signal, threads;
};

static void roots_task(struct kma_root_names *roots, uint64_t task,
		       const struct kma_roots_tasks *layout)
{
	struct kma_roots_task *new;

	kma_array_room(roots->tasks, roots->nr_tasks, roots->room_tasks);
	new = &roots->tasks[roots->nr_tasks++];
	*new = (struct kma_roots_task){ .stack = roots_word(roots, task + layout->stack),
					.pid = kma_words_u32(&roots->running->words,
							     task + layout->pid) };
	for (unsigned int i = 0; i < KMA_ROOTS_COMM; i++) {
		uint64_t at = task + layout->comm + i;

		new->comm[i] = roots_word(roots, at & ~7ULL) >> 8 * (at & 7);
		if (new->comm[i] && (new->comm[i] < ' ' || new->comm[i] > '~'))
			new->comm[i] = '?';
	}
}

/* The threads of a process, with its first one. */
static void roots_threads(struct kma_root_names *roots, uint64_t process,
			  const struct kma_roots_tasks *layout)
{
	uint64_t head = roots_word(roots, process + layout->signal) + layout->threads;
	uint64_t entry = roots_word(roots, head);

	for (unsigned int i = 0; i < KMA_ROOTS_LIST && entry && entry != head; i++) {
		roots_task(roots, entry - layout->node, layout);
		entry = roots_word(roots, entry);
	}
}

static void roots_processes(struct kma_root_names *roots, const struct kma_btf *btf)
{
	struct kma_roots_tasks layout = {
		.tasks = kma_btf_offset(btf, "task_struct", "tasks"),
		.node = kma_btf_offset(btf, "task_struct", "thread_node"),
		.pid = kma_btf_offset(btf, "task_struct", "pid"),
		.comm = kma_btf_offset(btf, "task_struct", "comm"),
		.stack = kma_btf_offset(btf, "task_struct", "stack"),
		.signal = kma_btf_offset(btf, "task_struct", "signal"),
		.threads = kma_btf_offset(btf, "signal_struct", "thread_head"),
	};
	const struct kma_heap_target *target = &roots->running->target;
	uint64_t first, entry;

	if (layout.tasks < 0 || layout.node < 0 || layout.pid < 0 || layout.comm < 0 ||
	    layout.stack < 0 || layout.signal < 0 || layout.threads < 0)
		return;
	/* The list is a ring, so it can be followed from any process. */
	if (kma_kallsyms_value(&roots->symbols, "init_task", &first))
		first = roots_word(roots, first + layout.tasks);
	else if (!target->ops->task || !target->ops->task(target->arg, layout.tasks, &first))
		return;
	entry = first;
	for (unsigned int i = 0; i < KMA_ROOTS_LIST && entry && (!i || entry != first); i++) {
		roots_threads(roots, entry - layout.tasks, &layout);
		entry = roots_word(roots, entry);
	}
}

/*
 * The part of a CPU in the first chunk of per-CPU memory: variables of the kernel, variables of
 * modules, and memory that is allocated. The pages after it belong to others.
 */
static void roots_unit(struct kma_root_names *roots, const struct kma_btf *btf)
{
	int64_t base = kma_btf_offset(btf, "pcpu_chunk", "base_addr");
	int64_t pages = kma_btf_offset(btf, "pcpu_chunk", "nr_pages");
	uint64_t first, begin;

	roots->unit = roots->percpu_end - roots->percpu_start + KMA_ROOTS_MODULE;
	if (base < 0 || pages < 0 ||
	    !kma_kallsyms_value(&roots->symbols, "pcpu_first_chunk", &first) ||
	    !kma_kallsyms_value(&roots->symbols, "pcpu_base_addr", &begin))
		return;
	first = roots_word(roots, first);
	begin = roots_word(roots, begin);
	if (first && begin)
		roots->unit = roots_word(roots, first + base) - begin +
			      kma_words_u32(&roots->running->words, first + pages) *
				      kma_target_page(&roots->running->target);
}

static int roots_compare(const void *a, const void *b)
{
	const struct kma_roots_page *x = a, *y = b;

	return x->physical < y->physical ? -1 : x->physical > y->physical;
}

struct kma_err *kma_roots_read(struct kma_running *running, uint64_t heap,
			       struct kma_root_names **ret)
{
	_cleanup_btf_ struct kma_btf *btf = NULL;
	struct kma_root_names *roots = kma_xcalloc(1, sizeof(*roots));
	struct kma_err *err;

	*ret = roots;
	roots->running = running;
	err = kma_kallsyms_load(running->kallsyms, &roots->symbols);
	if (err)
		return err;
	roots->has_variables = kma_kallsyms_has_variables(&roots->symbols);
	roots_tables(roots, heap);
	kma_kallsyms_value(&roots->symbols, "__per_cpu_start", &roots->percpu_start);
	kma_kallsyms_value(&roots->symbols, "__per_cpu_end", &roots->percpu_end);
	btf = running->target.ops->types(running->target.arg);
	if (btf) {
		roots_unit(roots, btf);
		roots_vmalloc(roots, btf);
		roots_processes(roots, btf);
	}
	kma_target_forget(&running->target);
	if (roots->nr_pages)
		qsort(roots->pages, roots->nr_pages, sizeof(*roots->pages), roots_compare);
	return NULL;
}

/* Name a variable after the last symbol before it, or by its module if kallsyms has no variables. */
static void roots_variable(const struct kma_root_names *roots, uint64_t addr, const char *title,
			   struct kma_root_name *ret)
{
	const struct kma_kallsyms_entry *symbol = kma_kallsyms_at(&roots->symbols, addr);
	const char *module;

	/* Words are left over on the stacks of CPUs, too: entry_stack_storage, init_stack. */
	ret->class = symbol && strstr(symbol->name, "stack") ? KMA_ROOT_STACK : KMA_ROOT_VARIABLE;
	ret->offset = symbol ? (int64_t)(addr - symbol->addr) : -1;
	snprintf(ret->text, sizeof(ret->text), "%s %s", title, symbol ? symbol->name : "unknown");
	if (!symbol || roots->has_variables)
		return;
	ret->class = KMA_ROOT_VARIABLE;
	ret->offset = -1;
	module = strchr(symbol->name, '[');
	snprintf(ret->text, sizeof(ret->text), "%s unknown%s%s", title, module ? " " : "",
		 module ?: "");
}

/* Name a per-CPU variable of the kernel or of a module; false if the address is not of a CPU. */
static bool roots_percpu(const struct kma_root_names *roots, uint64_t addr,
			 struct kma_root_name *ret)
{
	const struct kma_running *running = roots->running;

	for (unsigned int cpu = 0; cpu < running->slub.cpus && running->cpu_areas; cpu++) {
		uint64_t at = addr - running->cpu_areas[cpu];

		if (at - roots->percpu_start >= roots->unit)
			continue;
		if (at < roots->percpu_end) {
			roots_variable(roots, at, "per-CPU variable", ret);
			return true;
		}
		if (at < roots->percpu_end + KMA_ROOTS_MODULE) {
			roots_variable(roots, at, "per-CPU variable", ret);
			if (strchr(ret->text, '['))
				return true;
		}
		ret->class = KMA_ROOT_VARIABLE;
		ret->offset = -1;
		snprintf(ret->text, sizeof(ret->text), "per-CPU memory");
		return true;
	}
	return false;
}

/* The task whose stack begins at an address; NULL without one. */
static const struct kma_roots_task *roots_owner(const struct kma_root_names *roots, uint64_t stack)
{
	for (size_t i = 0; i < roots->nr_tasks; i++)
		if (roots->tasks[i].stack == stack)
			return &roots->tasks[i];
	return NULL;
}

static bool roots_begins(const char *text, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strncmp(text, words[i], strlen(words[i])))
			return true;
	return false;
}

/* Name a page that vmalloc() has mapped. */
static void roots_mapped(const struct kma_root_names *roots, const struct kma_roots_page *page,
			 uint64_t addr, struct kma_root_name *ret)
{
	/* Functions that make the memory of modules, stacks and per-CPU chunks, by release. */
	static const char *const modules[] = {
		"move_module",	       "load_module", "module_alloc", "layout_and_allocate",
		"module_memory_alloc", "execmem_",    "__execmem"
	};
	static const char *const stacks[] = { "dup_task_struct", "alloc_thread_stack",
					      "copy_process", "kernel_clone" };
	static const char *const percpu[] = { "pcpu_" };
	const struct kma_roots_area *area = &roots->areas[page->area];
	uint64_t at = page->addr + addr % KMA_HEAP_PAGE;
	const struct kma_roots_task *task = roots_owner(roots, area->start);

	ret->offset = -1;
	if (task) {
		ret->class = KMA_ROOT_STACK;
		snprintf(ret->text, sizeof(ret->text), "task %u (%s) stack", task->pid, task->comm);
		return;
	}
	if (roots_begins(area->caller, modules, ARRAY_SIZE(modules))) {
		roots_variable(roots, at, "variable", ret);
		return;
	}
	if (roots_begins(area->caller, stacks, ARRAY_SIZE(stacks))) {
		ret->class = KMA_ROOT_OTHER;
		snprintf(ret->text, sizeof(ret->text), "stack of an ended task");
		return;
	}
	if (roots_begins(area->caller, percpu, ARRAY_SIZE(percpu))) {
		ret->class = KMA_ROOT_VARIABLE;
		snprintf(ret->text, sizeof(ret->text), "per-CPU memory");
		return;
	}
	ret->class = KMA_ROOT_MEMORY;
	snprintf(ret->text, sizeof(ret->text), "vmalloc area of %s", area->caller);
}

void kma_roots_name(const struct kma_root_names *roots, uint64_t addr, struct kma_root_name *ret)
{
	const struct kma_heap_target *target = &roots->running->target;
	uint64_t physical = addr - kma_target_base(target) - addr % KMA_HEAP_PAGE;
	uint64_t variable = target->ops->variable(target->arg, addr);
	enum kma_page_use use = target->ops->use(target->arg, addr);
	size_t i;

	if (roots_percpu(roots, addr, ret))
		return;
	/* Parts of the image are freed after boot, and are pages like others then. */
	if (variable && use == KMA_PAGE_USE_RESERVED) {
		roots_variable(roots, variable, "variable", ret);
		return;
	}
	i = kma_array_search(roots->nr_pages, n, roots->pages[n].physical < physical);
	if (i < roots->nr_pages && roots->pages[i].physical == physical) {
		roots_mapped(roots, &roots->pages[i], addr, ret);
		return;
	}
	ret->offset = -1;
	ret->class = use == KMA_PAGE_USE_OTHER ? KMA_ROOT_OTHER : KMA_ROOT_MEMORY;
	snprintf(ret->text, sizeof(ret->text), "%s",
		 use == KMA_PAGE_USE_SLAB     ? "slab memory older than the module" :
		 use == KMA_PAGE_USE_RESERVED ? "memory that is reserved since boot" :
						"other pages");
}
