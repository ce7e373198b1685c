/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shim.h - as much of the kernel as module/'s core asks for, in user space.
 *
 * The Makefile makes one <linux/NAME.h> for each header that the core includes;
 * all of them lead here. The core thus runs unchanged under ASan and UBSan, on
 * threads that stand for CPUs (shim_cpu). What is emulated, and how faithfully:
 *
 *  per-CPU variables   real copies, one for each shim CPU, reached by offset
 *  barriers, atomics   the compiler's, with the kernel's meaning
 *  irqs                none: a thread is never interrupted on its own CPU; a
 *                      region with irqs off is what a grace period waits for
 *  pages, vmap()       pages of a memfd, mapped again and again; or memory of libc, page_address()
 *  allocation          libc; shim_fail_at makes the n-th call fail
 *  caches              shim_cache says of which one an object is
 *  symbols             shim_symbol() names an address "sym_<hex>+0x0/0x10"
 */
#ifndef SHIM_H
#define SHIM_H

/*
 * The types of a format that user space shares. They come before the C library's headers:
 * since version 2.41 its <sched.h> includes <linux/sched/types.h>, which uses these types,
 * and the <linux/types.h> that would define them leads here.
 */
#include <stdint.h>
#define __u8			uint8_t
#define __u16			uint16_t
#define __u32			uint32_t
#define __s32			int32_t
#define __u64			unsigned long long

#include <limits.h>
#include <assert.h>
#include <asm/errno.h>	/* glibc looks for it in <linux/errno.h>, which is ours */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>
#include <string.h>
#include <time.h>

typedef unsigned long long u64;
typedef long long s64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;
typedef unsigned int gfp_t;
typedef unsigned int slab_flags_t;

#define __force
#define aligned_u64 u64 __aligned(8)
typedef int16_t s16;
typedef int32_t s32;

#define GFP_KERNEL		0
#define GFP_KERNEL_ACCOUNT	GFP_KERNEL
#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#define noinline		__attribute__((noinline))
/* a static key is a flag, which orders nothing */
struct static_key_false { bool on; };
#define DECLARE_STATIC_KEY_FALSE(key)	extern struct static_key_false key
#define DEFINE_STATIC_KEY_FALSE(key)	struct static_key_false key
#define SHIM_KEY(key)		__atomic_load_n(&(key)->on, __ATOMIC_RELAXED)
#define static_branch_unlikely(key)	unlikely(SHIM_KEY(key))
#define static_branch_likely(key)	likely(SHIM_KEY(key))
#define static_branch_enable(key)	__atomic_store_n(&(key)->on, true, __ATOMIC_RELAXED)
#define static_branch_disable(key)	__atomic_store_n(&(key)->on, false, __ATOMIC_RELAXED)
#define __aligned(n)		__attribute__((aligned(n)))
#define __packed		__attribute__((packed))
#define static_assert		_Static_assert
#define CONFIG_NR_CPUS		SHIM_CPUS
#define ____cacheline_aligned	__aligned(64)
#define ____cacheline_aligned_in_smp __aligned(64)
#define __read_mostly
#define lockdep_assert_irqs_disabled() ((void)0)
#define __acquires(lock)
#define __releases(lock)
#define __cold
#define OPTIMIZER_HIDE_VAR(v)	__asm__("" : "+r"(v))
#ifdef __SANITIZE_THREAD__
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
/* As KCSAN does, ThreadSanitizer passes over the accesses of a data_race(). */
#define data_race(expression) ({					\
	AnnotateIgnoreReadsBegin(__FILE__, __LINE__);			\
	AnnotateIgnoreWritesBegin(__FILE__, __LINE__);			\
	__auto_type raced_ = (expression);				\
	AnnotateIgnoreWritesEnd(__FILE__, __LINE__);			\
	AnnotateIgnoreReadsEnd(__FILE__, __LINE__);			\
	raced_;								\
})
#else
/* nothing looks at the accesses */
#define data_race(expression)	(expression)
#endif
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define BIT(n)			(1ul << (n))
#define BIT_ULL(n)		(1ull << (n))
#define BITS_PER_LONG		__LONG_WIDTH__
#if BITS_PER_LONG == 64
#define CONFIG_64BIT		1
#endif
#define GENMASK(h, l)		((~0ul << (l)) & (~0ul >> (BITS_PER_LONG - 1 - (h))))
#define ALIGN(n, to)		(((n) + (to) - 1) / (to) * (to))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define max_t(t, a, b)		((t)(a) > (t)(b) ? (t)(a) : (t)(b))
#define min_t(t, a, b)		((t)(a) < (t)(b) ? (t)(a) : (t)(b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define clamp_t(t, v, lo, hi)	((t)(v) < (t)(lo) ? (t)(lo) : (t)(v) > (t)(hi) ? (t)(hi) : (t)(v))
#define clamp(v, lo, hi)	((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))
/* 0 makes all hashes of a path the same */
extern u64 shim_golden_ratio;
#define GOLDEN_RATIO_64		shim_golden_ratio
#define swap(a, b)		do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define array_size(n, size)	((size_t)(n) * (size))
#define struct_size(p, member, n) (sizeof(*(p)) + (n) * sizeof((p)->member[0]))
#define BUILD_BUG_ON(c)		_Static_assert(!(c), #c)

/* as include/linux/hash.h describes it */
static inline u32 hash_long(u64 v, unsigned int bits)
{
	return v * 0x61c8864680b583ebull >> (64 - bits);
}

#define hash_64(v, bits)	hash_long(v, bits)

static inline int fls(u32 v)
{
	return v ? 32 - __builtin_clz(v) : 0;
}

static inline int ilog2(u64 v)
{
	return 63 - __builtin_clzll(v);
}

static inline u64 rounddown_pow_of_two(u64 v)
{
	return 1ull << ilog2(v);
}

static inline u64 roundup_pow_of_two(u64 v)
{
	return v <= 1 ? 1 : 2ull << ilog2(v - 1);
}

static inline bool is_power_of_2(u64 v)
{
	return v && !(v & (v - 1));
}

/* memory: the direct map is taken to be all of the lower half; with 32 bits, as i386 has it */
#define PAGE_SHIFT		12
#define PAGE_SIZE		4096ul
#ifdef CONFIG_64BIT
#define PAGE_OFFSET		0ul
#else
#define PAGE_OFFSET		0xc0000000ul
#endif
extern void *high_memory;
#define SHIM_PAGES		(1ul << (BITS_PER_LONG == 64 ? 27 : 18))	/* that tests use */
typedef u64 phys_addr_t;
/* where it begins, and where it is mapped */
extern unsigned long shim_memory_pfn, shim_memory_spanned, shim_memory_at;
#define __va(phys)		((void *)(unsigned long)((phys) - (shim_memory_pfn << PAGE_SHIFT) + \
						 shim_memory_at))
#define __pa(at)		((phys_addr_t)(at) - shim_memory_at + ((phys_addr_t)shim_memory_pfn << PAGE_SHIFT))
#define N_MEMORY		0
#define for_each_node_state(node, state) for ((node) = 0; (node) < 1; (node)++)
struct pglist_data {
	unsigned long node_start_pfn;
	unsigned long node_spanned_pages;
};

#define NODE_DATA(node)		(&(struct pglist_data) { shim_memory_pfn, shim_memory_spanned })
#define kasan_reset_tag(p)	((void *)((unsigned long)(p) & ~shim_tag))
extern unsigned long shim_tag;

struct kmem_cache;
#ifdef CONFIG_64BIT
/* vmalloc's range is the upper 32 TiB of it, as if there were memory below */
#define VMALLOC_END		((1ul << 47) - 1)
#define is_vmalloc_addr(p)	((unsigned long)(p) >> 45 == 3)
#endif
#define MAX_PAGE_ORDER		10

#define ZERO_SIZE_PTR		((void *)16)
#define ZERO_OR_NULL_PTR(p)	((unsigned long)(p) <= 16)

struct page;
struct file;
struct inode;

#define __GFP_NOWARN		0
#define __GFP_ACCOUNT		0x400000u
#define SLAB_ACCOUNT		0x8000u
#define KMA_EVENTS_HAVE_CACHE	1
#define __GFP_NORETRY		0
#define __GFP_ZERO		0
#define VM_MAP			0
#define PAGE_KERNEL		0
struct page *alloc_pages_node(int node, gfp_t gfp, unsigned int order);
/* the pages that were allocated from each node */
#define SHIM_NODES		8
extern unsigned long shim_node_pages[SHIM_NODES];
/* the nodes that have CPUs */
#define N_CPU			0
#define node_states		((const int[]) { (SHIM_CPUS + 1) / 2 })
#define next_node_in(node, nodes) (((node) + 1) % (nodes))
void __free_page(struct page *page);
/* A page that is used at its address, and not mapped: only the memory is left of it. */
void *page_address(struct page *page);
#define free_page(at)		free((void *)(at))
unsigned long page_private(const struct page *page);
void set_page_private(struct page *page, unsigned long private);
void *shim_vmap(struct page **pages, unsigned long n);
#define vmap(pages, n, flags, prot) shim_vmap(pages, n)
void vunmap(void *p);

/*
 * Atomics. What is read behind a pointer is read after the pointer: that is an address
 * dependency, which ThreadSanitizer does not know. There, a load that may begin one acquires.
 */
#ifdef __SANITIZE_THREAD__
#define SHIM_LOAD_ORDER		__ATOMIC_ACQUIRE
#else
#define SHIM_LOAD_ORDER		__ATOMIC_RELAXED
#endif
/* For a test of the tests: a release that orders nothing. */
#ifdef SHIM_WEAK
#define SHIM_STORE_ORDER	__ATOMIC_RELAXED
#else
#define SHIM_STORE_ORDER	__ATOMIC_RELEASE
#endif
#define prefetch(x)		__builtin_prefetch(x)
#define READ_ONCE(x)		__atomic_load_n(&(x), SHIM_LOAD_ORDER)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELAXED)
#define smp_store_release(p, v)	__atomic_store_n(p, v, SHIM_STORE_ORDER)
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE)
#ifdef SHIM_FAST
#define xchg(p, v)		__atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#define xchg_acquire(p, v)	__atomic_exchange_n(p, v, __ATOMIC_ACQUIRE)
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define cpu_relax()		__builtin_ia32_pause()
#define barrier()		__asm__ volatile("" ::: "memory")
#else
/* another CPU runs behind the Nth load, exchange or barrier from now, if a test wants one to: once */
extern void (*shim_other_cpu)(void);
extern unsigned int shim_other_cpu_at;
void shim_loaded(void);
/* the account has one between the count of an object and the mark of its class */
#define barrier() ({							\
	__asm__ volatile("" ::: "memory");				\
	shim_loaded();							\
})
#define smp_load_acquire(p) ({						\
	__auto_type value_ = __atomic_load_n(p, __ATOMIC_ACQUIRE);	\
									\
	shim_loaded();							\
	value_;								\
})
#define xchg(p, v) ({							\
	__auto_type value_ = __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); \
									\
	shim_loaded();							\
	value_;								\
})
#define cpu_relax()		sched_yield()
/* what a CPU does before it takes a lock, if a test wants it to be late */
extern void (*shim_before_lock)(void);
#define xchg_acquire(p, v) ({						\
	__auto_type before_ = READ_ONCE(shim_before_lock);		\
									\
	if (before_)							\
		before_();						\
	__atomic_exchange_n(p, v, __ATOMIC_ACQUIRE);			\
})
#endif

typedef struct { int v; } atomic_t;
typedef struct { s64 __aligned(8) v; } atomic64_t;

typedef struct { long v; } atomic_long_t;
#define atomic_long_read(a)	READ_ONCE((a)->v)
#define atomic_long_set(a, n)	WRITE_ONCE((a)->v, n)
#define atomic_long_add(n, a)	__atomic_fetch_add(&(a)->v, n, __ATOMIC_SEQ_CST)
#define atomic_long_sub(n, a)	__atomic_fetch_sub(&(a)->v, n, __ATOMIC_SEQ_CST)
#define atomic_long_add_return(n, a) __atomic_add_fetch(&(a)->v, n, __ATOMIC_SEQ_CST)
/* pages of the machine: 1 GiB, if a test does not want another one */
extern unsigned long shim_totalram;
#define totalram_pages()	shim_totalram
#define totalhigh_pages()	0ul
#define PAGE_ALIGN(n)		(((n) + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1ul))
#ifndef NUMA_NO_NODE
#define NUMA_NO_NODE		(-1)
#endif

#define atomic_read(a)		READ_ONCE((a)->v)
#define atomic_set(a, n)	WRITE_ONCE((a)->v, n)
#define atomic_inc(a)		__atomic_fetch_add(&(a)->v, 1, __ATOMIC_SEQ_CST)
#define atomic_dec(a)		__atomic_fetch_sub(&(a)->v, 1, __ATOMIC_SEQ_CST)
#define atomic_add(n, a)	__atomic_fetch_add(&(a)->v, n, __ATOMIC_SEQ_CST)
#define atomic64_read(a)	READ_ONCE((a)->v)
#define atomic64_set(a, n)	WRITE_ONCE((a)->v, n)
#define smp_mb__before_atomic()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_mb__after_atomic()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define atomic64_add(n, a)	__atomic_fetch_add(&(a)->v, n, __ATOMIC_RELAXED)
#define atomic64_try_cmpxchg(a, old, new)				\
	__atomic_compare_exchange_n(&(a)->v, old, new, false,		\
				    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)

/* CPUs: a thread says which one it is; copy 0 is the section itself */
#ifndef SHIM_CPUS
#define SHIM_CPUS		8
#endif
extern __thread int shim_cpu;
extern ptrdiff_t shim_cpu_offset[SHIM_CPUS];

/* The compiler must not know that this is another object (RELOC_HIDE). */
static inline void *shim_relocate(const void *p, ptrdiff_t offset)
{
	__asm__("" : "+r"(p));
	return (void *)((uintptr_t)p + offset);
}

#define SHIM_PERCPU		__attribute__((section("shim_percpu")))
#define DEFINE_PER_CPU(t, name)	SHIM_PERCPU __typeof__(t) name
#define DECLARE_PER_CPU(t, name) extern SHIM_PERCPU __typeof__(t) name
#define per_cpu_ptr(p, cpu)						\
	((__typeof__(p))shim_relocate(p, shim_cpu_offset[cpu]))
#define per_cpu(v, cpu)		(*per_cpu_ptr(&(v), cpu))
#define this_cpu_ptr(v)		(&per_cpu(*(v), shim_cpu))
#define raw_cpu_ptr(v)		this_cpu_ptr(v)
#define oops_in_progress	0
#define this_cpu_read(v)	READ_ONCE(per_cpu(v, shim_cpu))
/* one instruction of a CPU, which no other CPU sees in part */
#define this_cpu_write(v, n)	WRITE_ONCE(per_cpu(v, shim_cpu), n)
#define this_cpu_add(v, n)	this_cpu_write(v, per_cpu(v, shim_cpu) + (n))
#define this_cpu_inc(v)		this_cpu_add(v, 1)
#define this_cpu_dec(v)		this_cpu_add(v, -1)
#define __ffs(n)		((unsigned long)__builtin_ctzl(n))
/* the same numbers in each run */
#define get_random_u32()	0x2545f491u
#define for_each_possible_cpu(c) for ((c) = 0; (c) < SHIM_CPUS; (c)++)
#define for_each_online_cpu(c) for_each_possible_cpu(c)
#define num_possible_cpus()	SHIM_CPUS
#define cpu_to_node(cpu)	((cpu) / 2)
#define smp_processor_id()	shim_cpu

/* time is what a test says */
extern u64 shim_clock;
#define local_clock()		READ_ONCE(shim_clock)
#define NSEC_PER_MSEC		1000000l
#define NSEC_PER_SEC		1000000000l

/* contexts and locks: the count of a CPU is odd while its irqs are off */
extern bool shim_command_runs;
extern unsigned int shim_waits_for_command;
extern unsigned long shim_irqs_off[SHIM_CPUS];

#ifdef SHIM_FAST
/* For benchmarks of maps that do not grow: nobody waits for a grace period. */
#define shim_irq_off()		0
#define shim_irq_on(flags)	((void)(flags))
#else
#define SHIM_HELD		(1ul << (BITS_PER_LONG - 1))	/* another thread is this CPU: on_each_cpu() */

/* How often a CPU has turned its irqs or preemption off: sections may be nested. */
extern unsigned int shim_depth[SHIM_CPUS];

static inline unsigned long shim_irq_off(void)
{
	unsigned long was;

	if (__atomic_fetch_add(&shim_depth[shim_cpu], 1, __ATOMIC_RELAXED))
		return 0;
	was = __atomic_fetch_add(&shim_irqs_off[shim_cpu], 1, __ATOMIC_SEQ_CST);

	while (was & SHIM_HELD)
		was = __atomic_load_n(&shim_irqs_off[shim_cpu], __ATOMIC_SEQ_CST);
	return was;
}

static inline void shim_irq_on(unsigned long flags)
{
	(void)flags;
	if (__atomic_sub_fetch(&shim_depth[shim_cpu], 1, __ATOMIC_RELAXED))
		return;
	__atomic_fetch_add(&shim_irqs_off[shim_cpu], 1, __ATOMIC_SEQ_CST);
}
#endif

/* Waits until each CPU with irqs off had them on. */
void synchronize_rcu(void);
void synchronize_rcu_expedited(void);
extern unsigned int shim_waits;	/* how many of these began */
extern void (*shim_grace_period)(void);	/* what happens meanwhile; NULL: nothing */

/* What a CPU does before it is interrupted by on_each_cpu(), if a test wants that. */
extern void (*shim_before_ipi)(int cpu);

/* Runs fn as each CPU, one after the other, while that CPU has its irqs on. */
void shim_on_each_cpu(void (*fn)(void *arg), void *arg);
#define on_each_cpu(fn, arg, wait)	shim_on_each_cpu(fn, arg)
/* a CPU that is not there yet, if a test wants one */
extern int shim_offline;
#define cpu_online(cpu)			((cpu) != shim_offline)
#define num_online_cpus()		SHIM_CPUS

extern __thread bool shim_nmi;
extern __thread int shim_preempt;
#define KMALLOC_MAX_CACHE_SIZE	8192
#define KMA_LARGE_TWICE		1
/* the functions of the allocator; sprint_symbol() says that they have 16 bytes */
extern char shim_kmalloc[32], shim_kvmalloc[32];
#define KMA_LARGE_FUNCTIONS	{ shim_kmalloc, shim_kvmalloc }
#define __ro_after_init
#define __initdata
#define __init
#define kstrtoul(s, base, to)	((*(to) = strtoul(s, NULL, base)), 0)
#define KMA_KFREE_TAKES_ALL	0
#ifndef KMA_MIXED_SLABS
#define KMA_MIXED_SLABS		0
#endif
#define in_nmi()		shim_nmi
#define preempt_count()		shim_preempt
#define SOFTIRQ_OFFSET		0x100
#define HARDIRQ_MASK		0xf0000
#define local_irq_save(f)	((f) = shim_irq_off())
/* a grace period waits for both */
#define preempt_disable_notrace() ((void)shim_irq_off())
#define preempt_enable_notrace() shim_irq_on(0)
#define local_irq_restore(f)	shim_irq_on(f)
/* what happens meanwhile, if a test wants something to happen */
extern void (*shim_resched)(void);
#define U32_MAX			(~0u)
#define round_down(a, b)	((a) / (b) * (b))
#define round_up(a, b)		(((a) + (b) - 1) / (b) * (b))
#define div_u64(a, b)		((u64)(a) / (b))
#define div64_ul(a, b)		div_u64(a, b)
#define div64_u64(a, b)		div_u64(a, b)
#define cond_resched()		(shim_resched ? shim_resched() : (void)0)
#define ktime_get_ns()		((u64)clock() * 1000)

typedef pthread_mutex_t raw_spinlock_t;
#define __RAW_SPIN_LOCK_UNLOCKED(l) PTHREAD_MUTEX_INITIALIZER
#define DEFINE_RAW_SPINLOCK(l)	raw_spinlock_t l = PTHREAD_MUTEX_INITIALIZER
#ifdef SHIM_FAST
#define raw_spin_lock(l)	pthread_mutex_lock(l)
#else
#define raw_spin_lock(l) ({						\
	__auto_type before_ = READ_ONCE(shim_before_lock);		\
									\
	if (before_)							\
		before_();						\
	shim_loaded();							\
	pthread_mutex_lock(l);						\
})
#endif
#define raw_spin_unlock(l)	pthread_mutex_unlock(l)
#define raw_spin_lock_init(l)	pthread_mutex_init(l, NULL)
#define raw_spin_lock_irqsave(l, f) ({ (f) = shim_irq_off(); raw_spin_lock(l); })
#define raw_spin_unlock_irqrestore(l, f) ({ raw_spin_unlock(l); shim_irq_on(f); })
extern bool shim_cpus_busy;	/* a CPU goes online or offline */
#define cpus_read_lock()	((void)0)
#define cpus_read_trylock()	(!shim_cpus_busy)
#define cpus_read_unlock()	((void)0)
struct mutex { pthread_mutex_t m; };
#define __MUTEX_INITIALIZER(l)	{ PTHREAD_MUTEX_INITIALIZER }
#define DEFINE_MUTEX(name)	struct mutex name = { PTHREAD_MUTEX_INITIALIZER }
#define mutex_lock(l)		pthread_mutex_lock(&(l)->m)
#define mutex_unlock(l)		pthread_mutex_unlock(&(l)->m)

/* a sequence count, whose writers exclude each other by a lock */
typedef u32 seqcount_raw_spinlock_t;
#define SEQCNT_RAW_SPINLOCK_ZERO(name, lock) 0

static inline u32 read_seqcount_begin(const u32 *seq)
{
	u32 now;

	while ((now = smp_load_acquire(seq)) & 1)
		cpu_relax();
	return now;
}

static inline bool read_seqcount_retry(const u32 *seq, u32 begin)
{
	smp_rmb();
	return READ_ONCE(*seq) != begin;
}

static inline void write_seqcount_begin(u32 *seq)
{
	__atomic_fetch_add(seq, 1, __ATOMIC_SEQ_CST);
}

static inline void write_seqcount_end(u32 *seq)
{
	__atomic_fetch_add(seq, 1, __ATOMIC_SEQ_CST);
}

/* allocation */
extern long shim_fail_at;	/* 0: never, n: the n-th call fails, -1: all do */
void *shim_alloc(size_t n, size_t align);

#define vzalloc(n)		shim_alloc(n, 4096)
#define vzalloc_node(n, node)	shim_alloc(n, 4096)
#define kmalloc(n, gfp)		shim_alloc(n, 8)
#define kzalloc(n, gfp)		shim_alloc(n, 8)
#define kvmalloc(n, gfp)	shim_alloc(n, 8)
#define kvzalloc(n, gfp)		shim_alloc(n, 8)
#define kvcalloc(n, size, gfp)	shim_alloc(array_size(n, size), 8)
#define kvmalloc_array(n, size, gfp) shim_alloc(array_size(n, size), 8)
#define kvfree(p)		free(p)
#define kvfree_sensitive(p, n)	free(((void)(n), p))
#define vfree(p)		free(p)
#define kfree(p)		free((void *)(p))
char *shim_strdup(const char *s);
#define kstrdup(s, gfp)		shim_strdup(s)

/* the cache of every object; its name is that of its number */
extern unsigned long shim_cache;

/* strings */
#define KSYM_SYMBOL_LEN		600
/* what is 2 GiB off is far away */
#define KMA_TEXT		(~0ul - 0x7effffff)
#define SZ_2G			(1ul << 31)
#define SZ_64K			(1ul << 16)
#define SZ_256K			(1ul << 18)
#define scnprintf		snprintf
#define strscpy(d, s, n)	snprintf(d, n, "%s", s)
int sprint_symbol(char *buf, unsigned long addr);
bool sysfs_streq(const char *a, const char *b);

int sprint_symbol_no_offset(char *buf, unsigned long addr);

/* stacks and modules: what a test says they are; each function has 0x1000 bytes */
struct module {
	const char *name;
	unsigned long text, bytes;
};

#define module_name(mod)	((mod)->name)
extern unsigned long shim_text;
extern size_t shim_text_bytes;	/* of vmlinux; 0: not known */		/* start of vmlinux */
extern struct module *shim_modules[2];	/* that are loaded */
#define CONFIG_KALLSYMS
#define CONFIG_STACKTRACE
#define IS_ENABLED(CONFIG_option)	1
#define MODULE
#define THIS_MODULE		NULL
#define pr_err(fmt, ...)	((void)0)
extern const char *(*shim_function)(unsigned long addr);	/* name of */
extern unsigned long shim_stack[256];
extern unsigned int shim_stack_nr, shim_walked;		/* walks, frames of all */
extern unsigned int shim_named;				/* look-ups of a symbol */
extern unsigned long shim_own_text, shim_own_bytes;	/* our own module */
bool within_module(unsigned long addr, const struct module *mod);
unsigned int stack_trace_save(unsigned long *store, unsigned int size,
			      unsigned int skip);

struct pt_regs {
	unsigned long ip;
};

static inline unsigned long instruction_pointer(struct pt_regs *regs)
{
	return regs->ip;
}

/* whose pages and per-CPU objects the events of a thread are about */
struct kma_origin;
extern __thread struct kma_origin shim_origin;

/* errors in pointers */
static inline void *ERR_PTR(long err)
{
	return (void *)err;
}

static inline bool IS_ERR(const void *p)
{
	return (unsigned long)p >= (unsigned long)-4095;
}

static inline long PTR_ERR(const void *p)
{
	return (long)p;
}

/* sorting and printing */
void sort_r(void *base, size_t n, size_t size,
	    int (*cmp)(const void *, const void *, const void *),
	    void *swap, const void *arg);

#define sort(base, n, size, cmp, swap) qsort(base, n, size, cmp)

struct seq_file {
	char *buf;
	size_t len;
	size_t pad_until;
};

__attribute__((format(printf, 2, 3)))
void seq_printf(struct seq_file *m, const char *fmt, ...);
#define seq_puts(m, s)		seq_printf(m, "%s", s)
#define seq_setwidth(m, size)	((m)->pad_until = (m)->len + (size))
#define seq_pad(m, c)							\
	seq_printf(m, "%*s%c", (int)max_t(ptrdiff_t, (m)->pad_until - (m)->len, 0), "", c)

/* Must run before a test uses the core: makes the copies of per-CPU data. */
void shim_init(void);

#endif /* SHIM_H */
