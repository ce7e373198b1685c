// SPDX-License-Identifier: GPL-2.0-only
/*
 * shim.c - what of the shim is not a macro.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "account/kmem_cache.h"
#include "caller/origin.h"
#include "caller/place.h"
#include "caller/text.h"
#include "guard/serial.h"
#include "shim.h"
#include "show/survey.h"

extern char __start_shim_percpu[], __stop_shim_percpu[];

#ifdef CONFIG_64BIT
void *high_memory = (void *)(1ul << 40);
unsigned long shim_memory_at;
#else
void *high_memory = (void *)0xf8000000ul;
unsigned long shim_memory_at = PAGE_OFFSET;
#endif
unsigned long shim_totalram = 1ul << 18;
unsigned long shim_memory_pfn, shim_memory_spanned = 1, shim_tag;
__thread int shim_cpu;
__thread bool shim_nmi;
ptrdiff_t shim_cpu_offset[SHIM_CPUS];
unsigned long shim_irqs_off[SHIM_CPUS];
#ifndef SHIM_FAST
unsigned int shim_depth[SHIM_CPUS];
#endif
int shim_offline = -1;
long shim_fail_at;
void (*shim_resched)(void);
bool shim_cpus_busy;
#ifndef SHIM_FAST
void (*shim_other_cpu)(void);
unsigned int shim_other_cpu_at;
void (*shim_before_lock)(void);
#endif
u64 shim_clock;
unsigned long shim_cache;

__thread struct kma_origin shim_origin;

struct kma_origin kma_origin_pages(void)
{
	return shim_origin;
}

unsigned long kma_origin_percpu(void)
{
	return shim_origin.call_site;
}

unsigned long kma_origin_wait(void)
{
	return shim_origin.call_site;
}

#ifndef SHIM_FAST
void shim_loaded(void)
{
	void (*run)(void) = shim_other_cpu;
	int cpu = shim_cpu;

	if (!shim_other_cpu_at || --shim_other_cpu_at)
		return;
	shim_cpu = (cpu + 1) % SHIM_CPUS;
	run();
	shim_cpu = cpu;
}
#endif

void shim_init(void)
{
	size_t size = __stop_shim_percpu - __start_shim_percpu;
	static char *copies;
	int cpu;

	if (copies)
		return;
	size = (size + 63) & ~63ul;
	copies = aligned_alloc(64, size * (SHIM_CPUS - 1));
	memset(copies, 0, size * (SHIM_CPUS - 1));
	for (cpu = 1; cpu < SHIM_CPUS; cpu++)
		shim_cpu_offset[cpu] = copies + (cpu - 1) * size - __start_shim_percpu;
}

unsigned int shim_waits;
void (*shim_grace_period)(void);

/*
 * A count is read by an addition of 0: what the CPU does from its next change of the count on comes
 * after all that the caller has written. A grace period orders both sides, as a full barrier.
 */
static void shim_wait_even(unsigned long *count)
{
	unsigned long seen = __atomic_fetch_add(count, 0, __ATOMIC_SEQ_CST);

	while (seen % 2 && __atomic_load_n(count, __ATOMIC_SEQ_CST) == seen)
		sched_yield();
}

void synchronize_rcu(void)
{
	if (shim_grace_period)
		shim_grace_period();
	__atomic_fetch_add(&shim_waits, 1, __ATOMIC_SEQ_CST);
	for (int cpu = 0; cpu < SHIM_CPUS; cpu++)
		shim_wait_even(&shim_irqs_off[cpu]);
}

void synchronize_rcu_expedited(void)
{
	synchronize_rcu();
}

/* Be the CPU of a thread while it has its irqs on, and keep it from turning them off. */
static void shim_cpu_hold(int cpu)
{
#ifndef SHIM_FAST
	unsigned long *count = &shim_irqs_off[cpu], seen;

	do {
		while ((seen = __atomic_load_n(count, __ATOMIC_SEQ_CST)) % 2)
			sched_yield();
	} while (!__atomic_compare_exchange_n(count, &seen, seen | SHIM_HELD, false,
					      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
#endif
}

static void shim_cpu_release(int cpu)
{
#ifndef SHIM_FAST
	__atomic_fetch_and(&shim_irqs_off[cpu], ~SHIM_HELD, __ATOMIC_SEQ_CST);
#endif
}

void (*shim_before_ipi)(int cpu);

void shim_on_each_cpu(void (*fn)(void *arg), void *arg)
{
	int self = shim_cpu;

	for (int cpu = 0; cpu < SHIM_CPUS; cpu++) {
		if (!cpu_online(cpu))
			continue;
		if (shim_before_ipi)
			shim_before_ipi(cpu);
		shim_cpu_hold(cpu);
		shim_cpu = cpu;
		fn(arg);
		shim_cpu = self;
		shim_cpu_release(cpu);
	}
}

/*
 * A page is a page of one file, so that vmap() can map it to a second place and
 * both show the same memory.
 */
struct page {
	unsigned long index;
	unsigned long private;
};

static int shim_pages_fd = -1;
static unsigned long shim_pages_used;

unsigned long shim_node_pages[SHIM_NODES];

struct page *alloc_pages_node(int node, gfp_t gfp, unsigned int order)
{
	struct page *page = shim_alloc(sizeof(*page), 8);

	(void)gfp;
	if (!page)
		return NULL;
	if (shim_pages_fd < 0) {
		shim_pages_fd = memfd_create("pages", 0);
		if (ftruncate(shim_pages_fd, 1ll << 40))
			abort();
	}
	page->index = shim_pages_used++;
	shim_node_pages[node % SHIM_NODES]++;
	return page;
}

void *page_address(struct page *page)
{
	void *at;

	if (posix_memalign(&at, PAGE_SIZE, PAGE_SIZE))
		abort();
	free(page);
	return memset(at, 0, PAGE_SIZE);
}

void __free_page(struct page *page)
{
	free(page);
}

unsigned long page_private(const struct page *page)
{
	return page->private;
}

void set_page_private(struct page *page, unsigned long private)
{
	page->private = private;
}

#ifdef __SANITIZE_THREAD__
/*
 * ThreadSanitizer knows a lock by its address, and memory at two addresses has two locks. So
 * an area, which its first page tells, stays where it is, with room to grow.
 */
#define SHIM_AREA_PAGES		(1ul << 18)

static struct {
	unsigned long first;
	char *base;
	unsigned long *index;	/* of the page that is mapped there, and 1 */
} shim_areas[4096];

void *shim_vmap(struct page **pages, unsigned long n)
{
	unsigned int a = 0;

	if (shim_fail_at < 0 || (shim_fail_at && !--shim_fail_at))
		return NULL;
	while (shim_areas[a].base && shim_areas[a].first != pages[0]->index)
		a++;
	if (a == ARRAY_SIZE(shim_areas) - 1 || n > SHIM_AREA_PAGES)
		abort();
	if (!shim_areas[a].base) {
		shim_areas[a].first = pages[0]->index;
		shim_areas[a].base = mmap(NULL, SHIM_AREA_PAGES * PAGE_SIZE, PROT_NONE,
					  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		shim_areas[a].index = calloc(SHIM_AREA_PAGES, sizeof(long));
	}
	for (unsigned long i = 0; i < n; i++) {
		if (shim_areas[a].index[i] == pages[i]->index + 1)
			continue;
		shim_areas[a].index[i] = pages[i]->index + 1;
		if (mmap(shim_areas[a].base + i * PAGE_SIZE, PAGE_SIZE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, shim_pages_fd,
			 (off_t)pages[i]->index * PAGE_SIZE) == MAP_FAILED)
			abort();
	}
	return shim_areas[a].base;
}

void vunmap(void *p)
{
	(void)p;
}
#else
static struct {
	void *base;
	size_t bytes;
} shim_maps[2 * (SHIM_CPUS + 128)];	/* each area may have old mappings as well */

void *shim_vmap(struct page **pages, unsigned long n)
{
	unsigned long i = 0, run;
	unsigned int slot;
	char *base;

	if (shim_fail_at < 0 || (shim_fail_at && !--shim_fail_at))
		return NULL;
	for (slot = 0; shim_maps[slot].base; slot++)
		if (slot == ARRAY_SIZE(shim_maps) - 1)
			abort();
	base = mmap(NULL, n * PAGE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (; i < n; i += run) {
		for (run = 1; i + run < n; run++)
			if (pages[i + run]->index != pages[i]->index + run)
				break;
		if (mmap(base + i * PAGE_SIZE, run * PAGE_SIZE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, shim_pages_fd,
			 (off_t)pages[i]->index * PAGE_SIZE) == MAP_FAILED)
			abort();
	}
	shim_maps[slot].base = base;
	shim_maps[slot].bytes = n * PAGE_SIZE;
	return base;
}

void vunmap(void *p)
{
	for (unsigned int i = 0; p && i < ARRAY_SIZE(shim_maps); i++) {
		if (shim_maps[i].base != p)
			continue;
		munmap(p, shim_maps[i].bytes);
		shim_maps[i].base = NULL;
		return;
	}
}
#endif

void *shim_alloc(size_t n, size_t align)
{
	void *p;

	if (shim_fail_at < 0 || (shim_fail_at && !--shim_fail_at))
		return NULL;
	if (posix_memalign(&p, align < 8 ? 8 : align, n ?: 1))
		return NULL;
	return memset(p, 0, n);
}

char *shim_strdup(const char *s)
{
	char *copy = shim_alloc(strlen(s) + 1, 8);

	return copy ? strcpy(copy, s) : NULL;
}

char shim_kmalloc[32], shim_kvmalloc[32];

u64 shim_golden_ratio = 0x61C8864680B583EBull;
const char *(*shim_function)(unsigned long addr);
unsigned long shim_stack[256];
unsigned int shim_stack_nr, shim_walked, shim_named;
unsigned long shim_own_text, shim_own_bytes;

unsigned long shim_text;
struct module *shim_modules[2];

static const char *shim_name(unsigned long addr)
{
	__atomic_fetch_add(&shim_named, 1, __ATOMIC_RELAXED);
	return shim_function ? shim_function(addr) : NULL;
}

/* The name of a function of a module ends with that of the module. */
int sprint_symbol(char *buf, unsigned long addr)
{
	const char *name = shim_name(addr);

	if (!shim_function)
		return sprintf(buf, "sym_%lx+0x0/0x10", addr);
	if (!name)
		return sprintf(buf, "0x%lx", addr);
	return sprintf(buf, "%.*s+0x%lx/0x1000%s", (int)strcspn(name, " "), name, addr % 0x1000,
		       name + strcspn(name, " "));
}

int sprint_symbol_no_offset(char *buf, unsigned long addr)
{
	const char *name = shim_name(addr);

	return name ? sprintf(buf, "%s", name) : sprintf(buf, "0x%lx", addr);
}

bool within_module(unsigned long addr, const struct module *mod)
{
	return mod ? addr - mod->text < mod->bytes : addr - shim_own_text < shim_own_bytes;
}

/* module/caller/text.c asks for more of a kernel than there is here */
unsigned long kma_text_start(char symbol[KSYM_SYMBOL_LEN])
{
	return shim_text;
}

size_t shim_text_bytes;

void kma_text_vmlinux(struct kma_text *text)
{
	*text = (struct kma_text){ .at = shim_text, .size = shim_text_bytes };
}

int kma_text_each_module(void (*fn)(struct module *mod, void *arg), void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(shim_modules); i++)
		if (shim_modules[i])
			fn(shim_modules[i], arg);
	return ARRAY_SIZE(shim_modules);
}

/* the last one first: a module's symbols are in any order */
void kma_text_each_name(struct module *mod,
			void (*fn)(unsigned long addr, const char *name, void *arg), void *arg)
{
	char name[KSYM_SYMBOL_LEN];

	for (unsigned long at = mod->bytes; at; at -= 0x1000) {
		unsigned long addr = mod->text + at - 0x1000;

		if (!shim_function || !shim_function(addr))
			continue;
		strcpy(name, shim_function(addr));
		name[strcspn(name, " ")] = '\0';
		fn(addr, name, arg);
	}
}

unsigned int stack_trace_save(unsigned long *store, unsigned int size, unsigned int skip)
{
	unsigned int n = min(size, shim_stack_nr);

	memcpy(store, shim_stack, n * sizeof(*store));
	__atomic_fetch_add(&shim_walked, n, __ATOMIC_RELAXED);
	return n;
}

/* module/caller/place.c asks for more of a kernel than there is here */
void kma_place_print(unsigned long addr, char buf[KMA_PLACE_LEN], bool held)
{
	sprintf(buf, "vmlinux\t0x%lx\tb1d\tsym_%lx+0x0/0x10", addr, addr);
}

/* module/account/kmem_cache.c as well: a slab's objects below the address 0x10000000 */
void kma_cache_name_of(const void *object, char name[KMA_CACHE_NAME_LEN])
{
	if ((unsigned long)object < 0x10000000)
		sprintf(name, "cache-%lx", (unsigned long)object >> 16);
	else
		strcpy(name, KMA_CACHE_LARGE);
}

void kma_cache_copy_name(const struct kmem_cache *s,
			 char name[KMA_CACHE_NAME_LEN])
{
	kma_cache_name_of(s, name);
}

/* module/show/survey.c, control.c: a test has its own objects in its own slabs */
int (*shim_survey)(kma_survey_fn see, void *arg);

int kma_survey(unsigned int generation, kma_survey_fn see, void *arg)
{
	return generation == 1 ? shim_survey(see, arg) : -ESTALE;
}

/* Who takes both mutexes while a command runs would wait for it. */
bool shim_command_runs;
unsigned int shim_waits_for_command;

unsigned int kma_serial_lock(void)
{
	shim_waits_for_command += shim_command_runs;
	return 1;
}

void kma_serial_unlock(void)
{
}

bool kma_access_addresses(void)
{
	return true;
}

struct mutex kma_command_mutex;
struct mutex kma_map_mutex;

bool kma_slab_counted(void)
{
	return true;
}

size_t kma_text_own_bytes(void)
{
	return 300000;
}

/* module/account/kmem_cache.c, too */
struct kma_cache_layout kma_cache_at;

bool kma_cache_findable(void)
{
	return true;
}

bool kma_slab_of(unsigned long ptr, struct kma_slab *slab)
{
	slab->cache = (void *)shim_cache;
	return true;
}

bool kma_cache_read(const struct kmem_cache *s, struct kma_cache_info *info)
{
	sprintf(info->name, "cache-%lu", (unsigned long)s);
	return true;
}

/*
 * Nor are there pages that know their cache: objects at 1 GiB and beyond are
 * whole pages, and nothing is known of those at odd addresses.
 */
size_t kma_cache_given(const void *ptr, bool *whole_pages)
{
	*whole_pages = (unsigned long)ptr >= 1ul << 30;
	return (unsigned long)ptr % 16 ? 0 : *whole_pages ? 16384 : 96;
}

bool sysfs_streq(const char *a, const char *b)
{
	size_t n = strlen(b);

	if (n && b[n - 1] == '\n')
		n--;
	return strlen(a) == n && !memcmp(a, b, n);
}

void sort_r(void *base, size_t n, size_t size,
	    int (*cmp)(const void *, const void *, const void *),
	    void *swap, const void *arg)
{
	(void)swap;
	qsort_r(base, n, size, (int (*)(const void *, const void *, void *))cmp, (void *)arg);
}

void seq_printf(struct seq_file *m, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	m->buf = realloc(m->buf, m->len + n + 1);
	va_start(ap, fmt);
	vsnprintf(m->buf + m->len, n + 1, fmt, ap);
	va_end(ap);
	m->len += n;
}

/* The report at an OOM kill and the table of groups are not built in user space. */
size_t kma_oom_memory(void);
size_t kma_group_memory(void);

size_t kma_oom_memory(void)
{
	return 0;
}

size_t kma_group_memory(void)
{
	return 0;
}
