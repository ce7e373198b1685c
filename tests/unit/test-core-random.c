// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-random.c - millions of events on several CPUs, against a model.
 *
 * Each thread is a CPU and picks objects at random from all of them, so that
 * most frees happen on another CPU than the allocation. As in an allocator, an
 * object has one user at a time: a flag in it. A thread of its own lets the map
 * grow meanwhile, another one folds the counters and looks for a difference
 * that is negative. The objects become few from time to time, and the map shrinks, too.
 * The model is as plain as can be: each thread adds up what
 * it did, by site; the sums must be equal, and so must every live object.
 *
 * Once with the inline halves of an event, once with those out of line and the
 * births of all objects: then each free must know which CPU had allocated. Once more while
 * births are switched on and off all the time: a birth that is known must be that of the object.
 */
#include <unistd.h>

#include "account/account.h"
#include "account/live.h"
#include "account/peak.h"
#include "account/pool.h"
#include "account/site.h"
#include "ktap.h"
#include "shim.h"
#include "account-tables.h"
#include "walk.h"
#include "watch/dispatch.h"
#include "watch/lifetime.h"

#define THREADS		4
#ifndef EVENTS
#define EVENTS		1200000		/* of each thread */
#endif
#define OBJECTS		(EVENTS / 12)	/* most of them go each other sixth of the time */
#define TOGGLE		(THREADS * EVENTS / 60)
#define SITES		700
#define MANY		100		/* of them have objects of any size */
#define SITE(n)		(KMA_TEXT + (n) * 37ul)

struct object {
	bool busy;
	unsigned char cpu;
	unsigned short site;		/* + 1; 0 if there is no object */
	unsigned int req, bytes;
	unsigned int born_after, born_before;	/* clock */
};

struct model {
	unsigned long allocs, frees, unknown, failed, remote_cpu, remote_node, lives;
	unsigned long long req, bytes;	/* live; of one thread alone it may wrap */
};

struct cpu {
	pthread_t thread;
	int nr;
	unsigned long long seed;
	unsigned long implied, nmi, nmi_booked, known, unknown, wrong;
	const struct object *large;	/* the last one, and what was requested (account.h) */
	unsigned int large_req;
	struct model sites[SITES];
};

static struct object objects[OBJECTS];
static struct cpu cpus[THREADS];
static bool grow_wanted, done;
static bool dispatched;		/* events do not take the inline half */
static bool toggled;		/* births are switched while events go on */
static unsigned long progress;	/* events of all threads, about */
static unsigned long toggle_at;	/* births are switched when there are so many */
static unsigned long folds, negative;
static pthread_mutex_t serial = PTHREAD_MUTEX_INITIALIZER;	/* as guard/serial.h */

static void wake(void)
{
	WRITE_ONCE(grow_wanted, true);
}

static unsigned int rnd(struct cpu *c, unsigned int n)
{
	c->seed = c->seed * 6364136223846793005ull + 1442695040888963407ull;
	return (c->seed >> 33) % n;
}

/* Objects of one slab side by side, and 64 slabs in a part of the memory; parts are anywhere. */
static void *address(unsigned long i)
{
	return (void *)(0x200000 + (i / 2048 * 2654435761ul % (1ul << 17) << 21) +
			(i / 32 % 64 << 15) + i % 32 * 128);
}

/* Half of the slabs are as slabs are; in the others, the bytes of an event are no stride. */
static bool is_plain(unsigned long i)
{
	return i / 32 % 2;
}

static void model_gone(struct cpu *c, const struct object *o)
{
	struct model *m = &c->sites[o->site - 1];

	m->frees++;
	m->req -= o->req;
	m->bytes -= o->bytes;
}

static void book_alloc(unsigned int site, void *ptr, size_t req, size_t bytes)
{
	struct kma_event e = { .call_site = SITE(site), .ptr = ptr, .req = req, .bytes = bytes,
			       .kind = KMA_KIND_KMALLOC };

	if (dispatched)
		kma_dispatch_alloc(&e);
	else
		kma_account_alloc(e.call_site, ptr, req, bytes, e.kind);
}

static bool is_booked(const void *ptr)
{
	struct kma_live_object object;
	unsigned long flags;
	bool ret;

	local_irq_save(flags);
	ret = kma_live_look(ptr, &object);
	local_irq_restore(flags);
	return ret;
}

static void book_free(unsigned int site, void *ptr)
{
	struct kma_event e = { .call_site = SITE(site), .ptr = ptr, .kind = KMA_KIND_KMALLOC };
	unsigned long flags;

	if (!dispatched) {
		kma_account_free(e.call_site, ptr);
		return;
	}
	local_irq_save(flags);
	kma_dispatch_free_as(&e);
	local_irq_restore(flags);
}

static void do_alloc(struct cpu *c, struct object *o)
{
	unsigned int site = rnd(c, SITES), bytes = 8 << rnd(c, 15);
	unsigned int req = bytes - rnd(c, bytes), before = READ_ONCE(shim_clock);

	/* most sites have one size, some a few, and some as many as can be */
	if (site >= MANY) {
		bytes = 8 << site % 15;
		req = bytes - site % 8 * rnd(c, 2);
	}
	if (is_plain(o - objects)) {
		bytes = 128;
		req = 128 - site % 8 * rnd(c, 2);
	}
	struct model *m = &c->sites[site];

	/* the account would take it for the second event of the same allocation */
	if (bytes > KMALLOC_MAX_CACHE_SIZE && o == c->large && req == c->large_req)
		return;
	/* booked if all goes well, else counted as refused */
	shim_nmi = !o->site && !rnd(c, 500);
	if (!shim_nmi && !rnd(c, 500)) {
		/* a small one: two large ones may be the two events of one failed allocation */
		book_alloc(site, NULL, 8, 8);
		m->failed++;
		return;
	}
	if (o->site) {
		/* nobody saw it go: the old owner is credited */
		model_gone(c, o);
		c->implied++;
	}
	book_alloc(site, address(o - objects), req, bytes);
	if (shim_nmi) {
		shim_nmi = false;
		if (!is_booked(address(o - objects))) {
			c->nmi++;
			return;
		}
		c->nmi_booked++;
	}
	if (bytes > KMALLOC_MAX_CACHE_SIZE) {
		c->large = o;
		c->large_req = req;
	}
	o->born_after = before;
	o->born_before = READ_ONCE(shim_clock);
	o->cpu = c->nr;
	o->site = site + 1;
	o->req = req;
	o->bytes = bytes;
	m->allocs++;
	m->req += o->req;
	m->bytes += o->bytes;
}

/* What the map knows of an object that is there. */
static void check_birth(struct cpu *c, const struct object *o)
{
	struct kma_live_object found;
	struct kma_birth birth;
	unsigned long flags;
	bool there;

	local_irq_save(flags);
	there = kma_live_look(address(o - objects), &found);
	local_irq_restore(flags);
	/* EXPECT() is for the main thread: its counts are shared */
	if (!there) {
		c->wrong++;
		return;
	}
	birth = found.birth;
	if (!kma_birth_known(&birth)) {
		c->unknown++;
		return;
	}
	c->known++;
	c->wrong += birth.cpu != o->cpu || birth.ns < o->born_after ||
		    birth.ns > o->born_before;
}

static void do_free(struct cpu *c, struct object *o)
{
	unsigned int site = rnd(c, SITES);

	if (toggled && o->site)
		check_birth(c, o);
	book_free(site, address(o - objects));
	if (o->site) {
		struct model *m = &c->sites[o->site - 1];

		m->lives++;
		m->remote_cpu += o->cpu != c->nr;
		m->remote_node += o->cpu / 2 != c->nr / 2;
		model_gone(c, o);
	} else {
		c->sites[site].unknown++;
	}
	o->site = 0;
}

/* On a busy machine the thread that switches would else come only once. */
static bool toggle_is_late(void)
{
	return toggled && READ_ONCE(progress) > READ_ONCE(toggle_at) + TOGGLE;
}

static void *cpu_main(void *arg)
{
	struct cpu *c = arg;

	shim_cpu = c->nr;
	for (unsigned long n = 0; n < EVENTS; n++) {
		/*
		 * A CPU with irqs off is never descheduled, our threads are: the
		 * worker would come too late, and what does not fit be dropped.
		 */
		while (kma_pool_stats().spare < 32 || READ_ONCE(tables_asked) ||
		       toggle_is_late())
			sched_yield();
		if (n % 1000 == 0)
			__atomic_fetch_add(&progress, 1000, __ATOMIC_RELAXED);
		struct object *o = &objects[rnd(c, OBJECTS)];

		if (__atomic_exchange_n(&o->busy, true, __ATOMIC_ACQUIRE))
			continue;
		/* mostly what is possible; else an implied or unknown free */
		if (!o->site == !!rnd(c, 50))
			/* each other sixth of the time the objects become few */
			n / (EVENTS / 6) % 2 && rnd(c, 2000) ? (void)0 : do_alloc(c, o);
		else
			do_free(c, o);
		__atomic_store_n(&o->busy, false, __ATOMIC_RELEASE);
	}
	return NULL;
}

/* Some events are late: what they know of the map has changed when they take the lock. */
static void be_late(void)
{
	static __thread unsigned int events;

	if (shim_cpu < THREADS && !(++events % 300))
		usleep(100);
}

/* As control.c does it; the inline half of an event is not taken all the time. */
static void toggle(void)
{
	if (kma_births_on) {
		WRITE_ONCE(kma_births_on, false);
		synchronize_rcu_expedited();
		kma_live_detach();
		return;
	}
	WRITE_ONCE(kma_births_on, true);
}

static void *grow_main(void *arg)
{
	unsigned int runs = 0;

	shim_cpu = THREADS;
	while (!READ_ONCE(done)) {
		if (toggled)
			WRITE_ONCE(shim_clock, shim_clock + 1);
		if (toggled && READ_ONCE(progress) >= toggle_at) {
			toggle();
			WRITE_ONCE(toggle_at, READ_ONCE(progress) + TOGGLE);
		}
		/* what cpu_main() waits for: the CPUs may keep what the depot had */
		if (__atomic_exchange_n(&grow_wanted, false, __ATOMIC_SEQ_CST) ||
		    kma_pool_stats().spare < 32)
			kma_live_grow();
		while (kma_live_shrink(true, true) == -EAGAIN)
			;
		pthread_mutex_lock(&serial);
		tables_grow();
		pthread_mutex_unlock(&serial);
		/* not each time: the map goes on growing as far as it can */
		if (++runs % 4 == 0)
			map_pass();
		sched_yield();
	}
	return arg;
}

static void *fold_main(void *arg)
{
	static struct kma_site_count sums[SITES + 1];

	shim_cpu = THREADS + 1;
	/* some, however late this thread begins on a busy machine */
	while (!READ_ONCE(done) || folds <= 10) {
		unsigned int nr = kma_site_nr();

		pthread_mutex_lock(&serial);
		kma_site_fold(nr, sums);
		kma_peak_look();
		pthread_mutex_unlock(&serial);
		for (unsigned int i = 0; i < nr; i++)
			negative += sums[i].allocs < sums[i].frees ||
				    sums[i].req < sums[i].freed_req ||
				    sums[i].bytes < sums[i].freed_bytes;
		folds++;
	}
	return arg;
}

static void run_all(void)
{
	pthread_t grow, fold;

	WRITE_ONCE(shim_before_lock, be_late);
	pthread_create(&grow, NULL, grow_main, NULL);
	pthread_create(&fold, NULL, fold_main, NULL);
	for (int i = 0; i < THREADS; i++) {
		cpus[i] = (struct cpu){ .nr = i, .seed = i * 77777 + 1 };
		pthread_create(&cpus[i].thread, NULL, cpu_main, &cpus[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(cpus[i].thread, NULL);
	WRITE_ONCE(done, true);
	WRITE_ONCE(shim_before_lock, NULL);
	pthread_join(grow, NULL);
	pthread_join(fold, NULL);
}

static void compare_sites(void)
{
	static struct kma_site_count sums[SITES + 1];
	unsigned long events = 0;

	EXPECT_EQ(kma_site_nr(), SITES + 1);
	kma_site_fold(SITES + 1, sums);
	for (int s = 0; s < SITES; s++) {
		struct kma_site_count *c = &sums[kma_site_id(SITE(s), KMA_KIND_KMALLOC)];
		struct model m = {};

		for (int i = 0; i < THREADS; i++) {
			m.allocs += cpus[i].sites[s].allocs;
			m.frees += cpus[i].sites[s].frees;
			m.unknown += cpus[i].sites[s].unknown;
			m.failed += cpus[i].sites[s].failed;
			m.req += cpus[i].sites[s].req;
			m.bytes += cpus[i].sites[s].bytes;
		}
		EXPECT_EQ(c->allocs, m.allocs);
		EXPECT_EQ(c->frees, m.frees);
		EXPECT_EQ(c->unknown, m.unknown);
		EXPECT_EQ(c->failed, m.failed);
		EXPECT_EQ(c->req - c->freed_req, m.req);
		EXPECT_EQ(c->bytes - c->freed_bytes, m.bytes);
		events += m.allocs + m.frees + m.unknown;
	}
	printf("# %lu events booked, %lu folds\n", events, folds);
}

#define HUGE		(1ul << 34)	/* more than a site ever holds */
#define HUGE_AT(s)	((void *)((1ul << 40) + (s) * 8192))	/* no other object is there */

/*
 * The looks have lost no change: when each site holds more than ever before, its peak is what it
 * holds, which a look knows by all changes since the first one.
 */
static void compare_peaks(void)
{
	static struct kma_site_count sums[SITES + 1];

	shim_cpu = 0;
	for (int s = 0; s < SITES; s++)
		kma_account_alloc(SITE(s), HUGE_AT(s), HUGE, HUGE, KMA_KIND_KMALLOC);
	kma_peak_look();
	kma_site_fold(SITES + 1, sums);
	for (int s = 0; s < SITES; s++) {
		unsigned int id = kma_site_id(SITE(s), KMA_KIND_KMALLOC);

		EXPECT(sums[id].bytes - sums[id].freed_bytes >= HUGE);
		EXPECT_EQ(kma_peak_of(id).low, sums[id].bytes - sums[id].freed_bytes);
	}
	EXPECT(kma_peak_stats().looks > 10);
	kma_peak_deinit();
}

/* The clock stands unless births are toggled: all lives are of the first class. */
static void compare_ages(void)
{
	unsigned long remote = 0;

	for (int s = 0; s < SITES; s++) {
		struct kma_age_count c = kma_age_sum(kma_site_id(SITE(s), KMA_KIND_KMALLOC));
		struct model m = {};

		for (int i = 0; i < THREADS; i++) {
			m.lives += cpus[i].sites[s].lives;
			m.remote_cpu += cpus[i].sites[s].remote_cpu;
			m.remote_node += cpus[i].sites[s].remote_node;
		}
		EXPECT_EQ(c.lives[0], m.lives);
		EXPECT_EQ(c.remote_cpu, m.remote_cpu);
		EXPECT_EQ(c.remote_node, m.remote_node);
		remote += m.remote_cpu;
	}
	EXPECT(remote > EVENTS / 12);
}

static unsigned long visited, strange;

static void visit(const struct kma_live_object *l, void *arg)
{
	unsigned long ptr = l->ptr;
	unsigned long *index = arg, lo = 0, hi = OBJECTS;
	struct object *o;

	/* index is sorted by address */
	while (hi - lo > 1) {
		unsigned long mid = (lo + hi) / 2;

		if ((unsigned long)address(index[mid]) <= ptr)
			lo = mid;
		else
			hi = mid;
	}
	o = &objects[index[lo]];
	visited++;
	strange += (unsigned long)address(index[lo]) != ptr || !o->site ||
		   kma_site_id(SITE(o->site - 1), KMA_KIND_KMALLOC) != l->site ||
		   kma_size_bytes(l->size) != o->bytes || kma_size_req(l->size) != o->req ||
		   (kma_births_on && !toggled && l->birth.cpu != o->cpu) ||
		   (toggled && kma_birth_known(&l->birth) &&
		    (l->birth.cpu != o->cpu || l->birth.ns < o->born_after ||
		     l->birth.ns > o->born_before));
}

static int by_address(const void *a, const void *b)
{
	void *pa = address(*(const unsigned long *)a), *pb = address(*(const unsigned long *)b);

	return pa < pb ? -1 : pa > pb;
}

static void compare_objects(void)
{
	unsigned long *index = malloc(sizeof(*index) * OBJECTS), live = 0;

	for (unsigned long i = 0; i < OBJECTS; i++) {
		index[i] = i;
		live += !!objects[i].site;
	}
	qsort(index, OBJECTS, sizeof(*index), by_address);
	walk_live(visit, index);
	EXPECT_EQ(visited, live);
	EXPECT_EQ(strange, 0);
	printf("# %lu objects live at the end\n", live);
	free(index);
}

static void agree_with_the_model(void)
{
	struct kma_totals t;
	unsigned long implied = 0, nmi = 0, nmi_booked = 0;

	shim_init();
	REQUIRE(!tables_init(SITES + 10));
	REQUIRE(!kma_live_init(1ul << 30, wake));
	REQUIRE(!kma_age_init());
	REQUIRE(!kma_peak_init(false));
	kma_births_on = kma_age_asked;
	kma_account_reset();
	kma_age_reset();
	kma_live_open();
	run_all();
	compare_sites();
	compare_objects();
	if (dispatched && !toggled)
		compare_ages();
	/* all objects go now, and their arrays, however rarely the worker has run */
	for (unsigned long i = 0; i < OBJECTS; i++)
		if (objects[i].site)
			book_free(0, address(i));
	map_shrink(true);
	compare_peaks();
	EXPECT(folds > 10);
	printf("# %lu pages of the map given back meanwhile\n", kma_live_stats().given_back);
	/* the pages of few objects are the reserve */
	EXPECT(kma_live_stats().given_back || OBJECTS < 50000);
	EXPECT_EQ(negative, 0);
	t = kma_account_totals();
	for (int i = 0; i < THREADS; i++) {
		implied += cpus[i].implied;
		nmi += cpus[i].nmi;
		nmi_booked += cpus[i].nmi_booked;
	}
	EXPECT(implied > EVENTS / 1200);
	EXPECT_EQ(t.implied, implied);
	EXPECT_EQ(t.drops[KMA_DROP_NMI], nmi);
	EXPECT(nmi > EVENTS / 12000);
	EXPECT(dispatched ? !nmi_booked : nmi_booked > EVENTS / 12000);
	EXPECT_EQ(t.drops[KMA_DROP_FULL], 0);
	EXPECT_EQ(t.drops[KMA_DROP_SIZE], 0);
	EXPECT_EQ(t.drops[KMA_DROP_CLASS], 0);
	kma_live_close();
	kma_age_release();
	kma_live_deinit();
	tables_deinit();
}

TEST(millions_of_events_on_four_cpus_agree_with_the_model)
{
	agree_with_the_model();
}

static void once_more(void)
{
	memset(objects, 0, sizeof(objects));
	done = false;
	grow_wanted = false;
	visited = 0;
	folds = 0;
	progress = 0;
	toggle_at = 0;
	shim_clock = 1;	/* a birth at 0 would be unknown */
	dispatched = true;
	kma_age_asked = true;
	agree_with_the_model();
	kma_age_asked = false;
	kma_births_on = false;
	dispatched = false;
}

TEST(and_so_do_their_births)
{
	once_more();
}

TEST(no_birth_is_that_of_another_object_while_births_come_and_go)
{
	unsigned long known = 0, unknown = 0, wrong = 0;

	toggled = true;
	once_more();
	toggled = false;
	for (int i = 0; i < THREADS; i++) {
		known += cpus[i].known;
		unknown += cpus[i].unknown;
		wrong += cpus[i].wrong;
	}
	printf("# %lu births known, %lu unknown\n", known, unknown);
	EXPECT(known > EVENTS / 120);
	EXPECT(unknown > EVENTS / 120);
	EXPECT_EQ(wrong, 0);
}

TEST_MAIN()
