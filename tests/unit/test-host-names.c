// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-names.c - host/heap/names.c and name-types.c on a kernel made by hand: its structures are
 * C, its BTF is the compiler's. It has dentries in slabs whose paths are known, that lead astray, that
 * change or are freed between two readings; and pages that dead cgroups have paid for (pins.c).
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "heap/name-pattern.h"
#include "heap/names.h"
#include "heap/pins.h"
#include "lib/cleanup.h"
#include "lib/file.h"

#include "ktap.h"

#include "compiled-btf.h"

#define PAGE  4096
#define SLABS 64

/* Declares the types here, and keeps their text for the compiler. */
#define DECLARE(...) __VA_ARGS__ static const char declared[] = #__VA_ARGS__

DECLARE(
	struct list_head { struct list_head *next; struct list_head *prev; };
	struct order { unsigned int x; };
	struct kmem_cache_node { unsigned long nr_partial; struct list_head partial; };
	struct kmem_cache {
		unsigned int size; unsigned int offset; struct order oo; const char *name;
		struct list_head list; struct kmem_cache_node *node[1]; int refcount;
	};
	struct slab {
		struct kmem_cache *slab_cache; struct list_head slab_list; void *freelist;
		unsigned int inuse : 16; unsigned int objects : 15; unsigned int frozen : 1;
	};
	struct qstr {
		union { struct { unsigned int hash; unsigned int len; }; unsigned long both; };
		const char *name;
	};
	struct file_system_type { const char *name; };
	struct super_block {
		struct file_system_type *s_type; struct dentry *s_root; char s_id[32];
		struct list_head s_mounts;
	};
	struct vfsmount { struct dentry *mnt_root; };
	struct mount {
		struct mount *mnt_parent; struct dentry *mnt_mountpoint; struct vfsmount mnt;
		struct list_head mnt_instance; void *mnt_ns;
	};
	struct nsproxy { void *uts_ns; void *mnt_ns; };
	struct lockref { int lock; int count; };
	struct dentry {
		struct dentry *d_parent; struct qstr d_name; void *d_inode; struct super_block *d_sb;
		struct lockref d_lockref; struct { struct list_head d_alias; } d_u;
	};
	struct proto { void *slab; unsigned int obj_size; char name[16]; };
	struct sock_common {
		unsigned short skc_family; unsigned char skc_state; unsigned short skc_num;
		unsigned short skc_dport; struct proto *skc_prot;
	};
	struct sock { struct sock_common __sk_common; void *sk_socket; };
	struct net_device { char name[16]; int ifindex; };
	struct sk_buff {
		struct net_device *dev; struct sock *sk; unsigned short protocol; unsigned int end;
		unsigned char *head; unsigned char *data; unsigned int truesize; unsigned int users;
	};
	struct net_hotdata { void *first; struct kmem_cache *skbuff_fclone_cache; };
	struct cgroup_subsys_state {
		struct cgroup *cgroup; void *ss; struct cgroup_subsys_state *parent;
	};
	struct cgroup { struct cgroup_subsys_state self; };
	struct mem_cgroup { struct cgroup_subsys_state css; };
	struct address_space { void *host; };
	struct inode {
		struct super_block *i_sb; struct address_space i_data; void *i_dentry;
		unsigned int i_nlink;
	};
	struct page {
		unsigned long flags; unsigned long compound_head; unsigned long mapping;
		unsigned long memcg_data;
	};
);

#define EACH (PAGE / sizeof(struct dentry))
#define PAGES 80

/* All memory of the kernel: what else is read cannot be read. */
static struct {
	struct dentry dentries[SLABS][EACH];
	struct dentry roots[2];
	struct slab slabs[SLABS];
	struct kmem_cache cache;
	struct kmem_cache_node node;
	struct list_head caches;
	uint64_t cpus[1];
	struct file_system_type type;
	struct super_block supers[2];
	struct mount mounts[3];
	struct nsproxy nsproxy;
	struct net_hotdata hotdata;
	struct cgroup cgroups[4];
	struct mem_cgroup memcgs[4];
	struct inode files[PAGES];
	struct page pages[PAGES];
	char names[SLABS * EACH + 2][16], cache_name[16], type_name[16], inode[8];
} *world;

static unsigned int nr_slabs;
static void (*second)(void); /* called before the second reading */
static unsigned int forgets;

static bool word(void *arg, uint64_t addr, uint64_t *ret)
{
	(void)arg;
	if (addr % 8 || addr - (uintptr_t)world >= sizeof(*world))
		return false;
	memcpy(ret, (char *)(uintptr_t)addr, 8);
	return true;
}

static void nothing(void *arg)
{
	(void)arg;
}

/* Called after the kernel was opened, its free lists, its slabs and its objects were read. */
static void forget(void *arg)
{
	(void)arg;
	if (forgets++ == 3 && second)
		second();
}

static struct kma_err *find(void *arg, uint64_t heap)
{
	(void)arg;
	EXPECT(heap - (uintptr_t)world < sizeof(*world));
	return NULL;
}

static uint64_t page(const void *arg)
{
	(void)arg;
	return PAGE;
}

static struct kma_err *slabs(void *arg, kma_page_fn fn, void *fn_arg)
{
	(void)arg;
	for (unsigned int i = 0; i < nr_slabs; i++)
		fn(fn_arg, (uintptr_t)world->dentries[i], (uintptr_t)&world->slabs[i]);
	return NULL;
}

/* Page 9 is in another area than those before it. */
static struct kma_err *pages(void *arg, kma_page_fn fn, void *fn_arg)
{
	(void)arg;
	for (unsigned int i = 0; i < PAGES; i++)
		fn(fn_arg, (i + (i >= 9)) * PAGE, (uintptr_t)&world->pages[i]);
	return NULL;
}

static struct kma_btf *types(void *arg)
{
	(void)arg;
	return compiled_btf(declared, "struct kmem_cache a; struct slab b; struct dentry c; struct super_block d;"
				      "struct mount e; struct file_system_type f; struct nsproxy g;"
				      "struct sk_buff h; struct sock i; struct net_device j; struct net_hotdata k;"
				      "struct mem_cgroup l; struct cgroup m; struct page n; struct inode o;");
}

static unsigned int one(void *arg)
{
	(void)arg;
	return 1;
}

static const char *release(const void *arg)
{
	(void)arg;
	return "6.1.0";
}

static const struct kma_target_ops ops = {
	.close = nothing, .find = find, .word = word, .page = page, .slabs = slabs, .pages = pages,
	.types = types, .cpus = one, .nodes = one, .release = release, .forget = forget,
};

static struct kma_err *open_world(const char *vmcore, const char *kallsyms, struct kma_heap_target *ret)
{
	(void)vmcore;
	(void)kallsyms;
	*ret = (struct kma_heap_target){ &ops, NULL };
	return NULL;
}

static void link_one(struct list_head *head, struct list_head *entry)
{
	*head = (struct list_head){ entry, entry };
	*entry = (struct list_head){ head, head };
}

static struct dentry *dentry(unsigned int i)
{
	return &world->dentries[i / EACH][i % EACH];
}

static void name(unsigned int i, const char *text)
{
	snprintf(world->names[i], sizeof(world->names[i]), "%s", text);
	dentry(i)->d_name.name = world->names[i];
}

/*
 * A kernel with slabs full of dentries, all in the root of a file system that is mounted at /mnt; the
 * first one is free.
 */
static void build(unsigned int nr)
{
	static const char *const roots[] = { "root", "mnt" };

	world = aligned_alloc(PAGE, (sizeof(*world) + PAGE - 1) / PAGE * PAGE);
	memset(world, 0, sizeof(*world));
	nr_slabs = nr;
	second = NULL;
	forgets = 0;
	strcpy(world->cache_name, "dentry");
	strcpy(world->type_name, "testfs");
	world->type.name = world->type_name;
	world->cache = (struct kmem_cache){ .size = sizeof(struct dentry), .oo.x = EACH,
					    .name = world->cache_name, .node = { &world->node } };
	link_one(&world->caches, &world->cache.list);
	link_one(&world->node.partial, &world->slabs[0].slab_list);
	world->node.nr_partial = 1;
	for (unsigned int i = 0; i < ARRAY_SIZE(roots); i++) {
		world->roots[i] = (struct dentry){ .d_parent = &world->roots[i], .d_sb = &world->supers[i] };
		world->supers[i].s_type = &world->type;
		world->supers[i].s_root = &world->roots[i];
		strcpy(world->supers[i].s_id, i ? "vda" : "testfs");
		world->mounts[i] = (struct mount){ .mnt_parent = &world->mounts[0],
						   .mnt_mountpoint = &world->roots[0],
						   .mnt.mnt_root = &world->roots[i] };
		link_one(&world->supers[i].s_mounts, &world->mounts[i].mnt_instance);
	}
	for (unsigned int i = 0; i < nr; i++)
		world->slabs[i] = (struct slab){ .slab_cache = &world->cache, .objects = EACH,
						 .slab_list = world->slabs[i].slab_list };
	for (unsigned int i = 0; i < nr * EACH; i++) {
		*dentry(i) = (struct dentry){ .d_parent = &world->roots[1], .d_sb = &world->supers[1],
					      .d_inode = world->inode };
		name(i, "file");
	}
	/* It is also mounted in the place of the root, first, as devtmpfs is. */
	world->mounts[2] = world->mounts[1];
	world->supers[1].s_mounts.next = &world->mounts[2].mnt_instance;
	world->mounts[2].mnt_instance.next = &world->mounts[1].mnt_instance;
	/* Its own mount point is a dentry of the other file system. */
	dentry(1)->d_parent = &world->roots[0];
	dentry(1)->d_sb = &world->supers[0];
	name(1, "mnt");
	world->mounts[1].mnt_mountpoint = dentry(1);
	world->slabs[0].freelist = dentry(0);
	memset(dentry(0), 0, sizeof(*dentry(0)));
}

/* A directory with the symbols of the kernel. */
struct tables {
	char dir[32], path[64];
};

static struct kma_heap_source tables(struct tables *ret)
{
	FILE *f;

	strcpy(ret->dir, "/tmp/kma-names-XXXXXX");
	if (!mkdtemp(ret->dir))
		exit(1);
	snprintf(ret->path, sizeof(ret->path), "%s/kallsyms", ret->dir);
	f = fopen(ret->path, "w");
	if (f) {
		fprintf(f, "%lx D __per_cpu_offset\n%lx D slab_caches\n%lx D init_nsproxy\n%lx D net_hotdata\n",
			(unsigned long)world->cpus, (unsigned long)&world->caches,
			(unsigned long)&world->nsproxy, (unsigned long)&world->hotdata);
		fclose(f);
	}
	return (struct kma_heap_source){ "vmcore", ret->dir, open_world, false };
}

static void tables_remove(const struct tables *tables)
{
	unlink(tables->path);
	rmdir(tables->dir);
}

/* Read the names; @type has to be in the table. */
static struct kma_err *run(const char *type, unsigned long sample, struct kma_name_sample *ret)
{
	struct tables files;
	struct kma_names_wish wish = { tables(&files), kma_name_type(type), sample };
	struct kma_err *err = kma_names_read(&wish, ret);

	tables_remove(&files);
	return err;
}

/* The objects of a path. */
static const struct kma_names_row *row(const struct kma_name_sample *ret, const char *path)
{
	for (uint32_t i = 0; i < ret->nr; i++)
		if (!strcmp(ret->rows[i].keys[1], path))
			return &ret->rows[i];
	return NULL;
}

#define EXPECT_ROW(path, nr, flags, filesystem) do {				\
	const struct kma_names_row *r = row(&ret, path);			\
	EXPECT(r);								\
	if (r) {								\
		EXPECT_EQ(r->objects, nr);					\
		EXPECT_EQ(r->flagged, flags);					\
		EXPECT_STR(r->keys[0], filesystem);				\
	}									\
} while (0)

TEST64(paths)
{
	_cleanup_(kma_names_deinit) struct kma_name_sample ret = { 0 };

	build(2);
	name(2, "dir");
	dentry(3)->d_parent = dentry(2);
	name(3, "pid-4711");
	dentry(4)->d_parent = dentry(2);
	dentry(4)->d_inode = NULL;
	name(4, "pid-1");
	/* A socket's dentry is a root of its own. */
	dentry(5)->d_parent = dentry(5);
	name(5, "TCP");
	EXPECT(!run("dentry", 0, &ret));
	EXPECT_EQ(ret.found, 2 * EACH - 1);
	EXPECT_EQ(ret.sampled, ret.found);
	EXPECT_EQ(ret.named, ret.found);
	EXPECT_ROW("/mnt", 1, 0, "testfs");
	EXPECT_ROW("/mnt/dir", 1, 0, "testfs vda");
	EXPECT_ROW("/mnt/dir/pid-*", 2, 1, "testfs vda");
	EXPECT_ROW("TCP", 1, 0, "testfs vda");
	EXPECT_ROW("/mnt/file", 2 * EACH - 6, 0, "testfs vda");
	free(world);
}

/* A file system that is mounted in the place of a root, and at /mnt, in the two namespaces. */
TEST64(namespaces)
{
	static const struct {
		int ours[2]; /* is the mount in init's namespace: that of the root, the other one */
		const char *path;
	} cases[] = {
		{ { 1, 1 }, "/file" },	   /* the root, which is also bound to /mnt */
		{ { 1, 0 }, "/file" },
		{ { 0, 1 }, "/mnt/file" }, /* devtmpfs */
		{ { 0, 0 }, "/mnt/file" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		for (int turned = 0; turned < 2; turned++) {
			_cleanup_(kma_names_deinit) struct kma_name_sample ret = { 0 };
			struct mount *root, *bound;
			void *spaces[2];

			build(1);
			root = &world->mounts[2];
			bound = &world->mounts[1];
			spaces[0] = &world->hotdata;
			spaces[1] = world->nsproxy.mnt_ns = &world->nsproxy;
			root->mnt_ns = spaces[cases[i].ours[0]];
			bound->mnt_ns = spaces[cases[i].ours[1]];
			if (turned) {
				world->supers[1].s_mounts.next = &bound->mnt_instance;
				bound->mnt_instance.next = &root->mnt_instance;
				root->mnt_instance.next = &world->supers[1].s_mounts;
			}
			EXPECT(!run("dentry", 0, &ret));
			EXPECT_ROW(cases[i].path, EACH - 2, 0, "testfs vda");
			free(world);
		}
	}
}

/* Buffers in a cache that has another one's name; half of its objects are something else. */
TEST64(merged_buffers)
{
	_cleanup_(kma_names_deinit) struct kma_name_sample ret = { 0 };

	build(1);
	strcpy(world->cache_name, "pid");
	world->cache.refcount = 3;
	world->hotdata.skbuff_fclone_cache = &world->cache;
	for (unsigned int i = 1; i < EACH; i++) {
		struct sk_buff *skb = memset(dentry(i), 0, sizeof(struct dentry));
		unsigned char *head = (unsigned char *)world->names[i];

		_Static_assert(sizeof(*skb) <= sizeof(struct dentry), "");
		*skb = (struct sk_buff){ .users = 1, .protocol = 0x0008, .head = head, .data = head + 4,
					 .end = 8, .truesize = 640 };
		/* an empty list; data before the head, behind the end; less than its parts; nothing */
		if (i % 6 == 1)
			skb->head = skb->data = (unsigned char *)&skb->head;
		else if (i % 6 == 2)
			skb->data = head - 4;
		else if (i % 6 == 3)
			skb->data = head + 9;
		else if (i % 6 == 4)
			skb->truesize = 8;
		else if (i % 6 == 5)
			memset(skb, 0, sizeof(*skb));
	}
	EXPECT(!run("sk_buff", 0, &ret));
	EXPECT_EQ(ret.found, (EACH - 1) / 6);
	EXPECT_EQ(ret.nr, 1);
	EXPECT_STR(ret.nr ? ret.rows[0].keys[1] : "", "IPv4");
	free(world);
}

/* What leads astray is no dentry, and ends. */
TEST64(astray)
{
	_cleanup_(kma_names_deinit) struct kma_name_sample ret = { 0 };

	build(1);
	/* a loop of parents; one that is no address; a name without an end, and none */
	dentry(2)->d_parent = dentry(3);
	dentry(3)->d_parent = dentry(2);
	dentry(4)->d_parent = (void *)0x1234;
	memset(world->names[6], 'x', 4096);
	dentry(5)->d_name.name = world->names[6];
	for (unsigned int i = 6; i < EACH; i++)
		dentry(i)->d_name.name = world->cache_name;
	dentry(6)->d_name.name = (void *)(uintptr_t)8;
	/* no super block, and one that is freed */
	dentry(7)->d_sb = NULL;
	dentry(8)->d_lockref.count = -128;
	/* a loop of mounts */
	world->mounts[0].mnt_parent = &world->mounts[1];
	EXPECT(!run("dentry", 0, &ret));
	EXPECT_EQ(ret.unknown, 7);
	EXPECT_EQ(ret.named, EACH - 8);
	EXPECT_EQ(ret.named + ret.unknown, ret.found);
	free(world);
}

static void change(void)
{
	name(2, "renamed");
	dentry(3)->d_inode = NULL;
	dentry(4)->d_sb = NULL;
	/* The new name is of the same pattern. */
	name(5, "file");
	name(6, "f2");
	/* The kernel puts it on the list of free ones. */
	*(void **)dentry(7) = dentry(0);
	world->slabs[0].freelist = dentry(7);
	/* This one was free, and is no object of the first reading. */
	*(void **)dentry(0) = NULL;
}

TEST64(changed)
{
	_cleanup_(kma_names_deinit) struct kma_name_sample ret = { 0 };

	build(1);
	name(6, "f1");
	second = change;
	EXPECT(!run("dentry", 0, &ret));
	EXPECT_EQ(ret.sampled, EACH - 1);
	EXPECT_EQ(ret.changed, 4);
	EXPECT_EQ(ret.freed, 1);
	EXPECT_EQ(ret.unknown, 0);
	EXPECT_EQ(ret.named, EACH - 6);
	EXPECT_EQ(ret.nr, 2);
	free(world);
}

/* The first half of the slabs has files of one kind, every slab one of another. */
TEST64(sample)
{
	unsigned int half = SLABS * EACH / 2;

	for (unsigned long size = 500; size <= 2000; size += 500) {
		_cleanup_(kma_names_deinit) struct kma_name_sample ret = { 0 };
		const struct kma_names_row *first, *each;

		build(SLABS);
		for (unsigned int i = 2; i < half; i++)
			name(i, "first");
		for (unsigned int i = EACH - 1; i < SLABS * EACH; i += 4)
			name(i, "each");
		EXPECT(!run("dentry", size, &ret));
		EXPECT_EQ(ret.found, SLABS * EACH - 1);
		EXPECT_EQ(ret.sampled, size);
		EXPECT_EQ(ret.named, size);
		first = row(&ret, "/mnt/first");
		each = row(&ret, "/mnt/each");
		REQUIRE(first && each);
		/* Four standard deviations, which 1.96 of the error are half of. */
		EXPECT(fabs(first->objects / (double)size - 0.375) <=
		       2.1 * kma_names_error(first->objects, size, ret.found));
		EXPECT(fabs(each->objects / (double)size - 0.25) <=
		       2.1 * kma_names_error(each->objects, size, ret.found));
		free(world);
	}
}

TEST64(refused)
{
	_cleanup_(kma_names_deinit) struct kma_name_sample ret = { 0 };
	struct kma_err *err;

	build(1);
	err = run("cgroup", 0, &ret);
	REQUIRE(err);
	EXPECT_STR(err->message, "the kernel has no struct kernfs_node with the member parent, which is needed to name a cgroup");
	kma_err_destroy(err);
	/* No slab has one. */
	strcpy(world->cache_name, "other");
	err = run("dentry", 0, &ret);
	REQUIRE(err);
	EXPECT_STR(err->message, "the kernel has no object dentry that could be found");
	kma_err_destroy(err);
	free(world);
}

/* One page of cgroup 0 goes, one comes, one is no longer anonymous. */
static void change_pages(void)
{
	world->pages[0].memcg_data = 0;
	world->pages[70].memcg_data = (uintptr_t)&world->memcgs[0];
	world->pages[70].mapping = 1;
	world->pages[1].mapping = 0;
}

/* Cgroups 0 to 2 are dead, and 1 is in 0; 3 is not. */
static void build_cgroups(void)
{
	build(2);
	for (unsigned int i = 0; i < ARRAY_SIZE(world->cgroups); i++) {
		world->cgroups[i].self.cgroup = &world->cgroups[i];
		world->memcgs[i].css = (struct cgroup_subsys_state){ .cgroup = &world->cgroups[i],
								     .ss = &world->type };
	}
	world->cgroups[1].self.parent = &world->cgroups[0].self;
}

static void pay(unsigned int page, unsigned int cgroup, unsigned long mapping)
{
	world->pages[page].memcg_data = (uintptr_t)&world->memcgs[cgroup];
	world->pages[page].mapping = mapping;
}

/* Find what holds the dead cgroups: @rows is the row of each. */
static void find_pins(const uint32_t rows[3], struct kma_arena *arena, const char **texts)
{
	struct tables files;
	struct kma_heap_source source = tables(&files);
	struct kma_running running;
	struct kma_notes notes = { 0 };
	struct kma_namer namer = { 0 };
	struct kma_pins pins = { 0 };
	struct kma_btf *btf = types(NULL);
	struct kma_err *err = kma_running_open(&running, &source, &notes);

	err = err ?: kma_namer_init(&namer, kma_name_type("dentry"), btf, &running.words);
	EXPECT(!err);
	for (unsigned int i = 0; i < 3; i++)
		kma_pins_add(&pins, (uintptr_t)&world->cgroups[i]);
	kma_pins_read(&pins, &running, &namer, &notes);
	for (unsigned int i = 0; i < 3; i++)
		kma_pins_row(&pins, (uintptr_t)&world->cgroups[i], rows[i]);
	kma_pins_texts(&pins, arena, texts);
	EXPECT(!kma_notes_next(&notes, NULL));
	kma_pins_deinit(&pins);
	kma_namer_deinit(&namer);
	kma_running_close(&running);
	kma_btf_destroy(btf);
	tables_remove(&files);
	free(world);
}

TEST64(pins)
{
	const char *texts[2] = { NULL };
	struct kma_arena arena = { 0 };

	build_cgroups();
	second = change_pages;
	for (unsigned int i = 0; i < 4; i++)
		pay(i, 0, 1);
	/* a folio of three pages, whose tails have anything in that place, and a lone tail */
	pay(4, 1, 0);
	for (unsigned int i = 5; i < 7; i++)
		world->pages[i] = (struct page){ .compound_head = 1, .mapping = 1,
						 .memcg_data = (uintptr_t)&world->memcgs[2] };
	pay(8, 1, 0);
	world->pages[9].compound_head = 1;
	/* of a cgroup that lives, of objects, of nothing that can be read */
	pay(10, 3, 1);
	pay(11, 2, 1);
	world->pages[11].memcg_data |= 1;
	pay(12, 2, 1);
	world->pages[12].memcg_data |= 2;
	world->pages[13].memcg_data = 0x1238;
	find_pins((const uint32_t[]){ 1, 0, 0 }, &arena, texts);
	EXPECT_STR(texts[0], "4 pages without a file (1 of 2); nothing that was found (1 of 2)");
	EXPECT_STR(texts[1], "3 anonymous pages; 1 dead cgroup below it");
	kma_arena_deinit(&arena);
}

/* What holds most cgroups comes first. Files that are not understood are one. */
TEST64(pins_order)
{
	const char *texts[1] = { NULL };
	struct kma_arena arena = { 0 };

	build_cgroups();
	for (unsigned int i = 0; i < 9; i++)
		pay(i, 0, (uintptr_t)&world->files[i].i_data);
	for (unsigned int i = 9; i < 12; i++)
		pay(i, i - 9, 1);
	find_pins((const uint32_t[]){ 0, 0, 0 }, &arena, texts);
	EXPECT_STR(texts[0], "3 anonymous pages (3 of 3); 9 pages of [not read] (1 of 3); 1 dead cgroup below it (1 of 3)");
	kma_arena_deinit(&arena);
}

/* The pages of more files than are kept for a cgroup, and more than are shown. */
TEST64(pins_many)
{
	const char *texts[2] = { NULL };
	struct kma_arena arena = { 0 };

	build_cgroups();
	for (unsigned int i = 0; i < 70; i++) {
		struct inode *inode = &world->files[i];

		*inode = (struct inode){ .i_sb = &world->supers[1], .i_data.host = inode,
					 .i_dentry = &dentry(i + 2)->d_u.d_alias };
		name(i + 2, (char[]){ 'a' + i / 26, 'a' + i % 26, 0 });
		pay(i, 0, (uintptr_t)&inode->i_data);
	}
	/* one more page of the third file */
	pay(70, 0, world->pages[2].mapping);
	find_pins((const uint32_t[]){ 1, 0, 0 }, &arena, texts);
	EXPECT_STR(texts[1], "7 pages of [others]; 2 pages of testfs vda /mnt/ac; 1 dead cgroup below it; "
			     "1 page of testfs vda /mnt/aa; 1 page of testfs vda /mnt/ab; "
			     "1 page of testfs vda /mnt/ad; 1 page of testfs vda /mnt/ae; "
			     "1 page of testfs vda /mnt/af; and 57 more");
	kma_arena_deinit(&arena);
}

TEST(patterns)
{
	static const struct {
		const char *text, *pattern;
	} cases[] = {
		{ "/tmp/ipmi_exporter-4837261", "/tmp/ipmi_exporter-*" },
		{ "/run/user/1000/bus", "/run/user/*/bus" },
		{ "/cache/9f86d081884c7d659a2feaa0c55ad015", "/cache/*" },
		{ "/by-uuid/f47ac10b-58cc-4372-a567-0e02b2c3d479.tmp", "/by-uuid/*.tmp" },
		{ "/tmp/tmp.Xa83kdQz1p", "/tmp/tmp.*" },
		{ "/lib/x86_64-linux-gnu/libc.so.6", "/lib/x*_*-linux-gnu/libc.so.*" },
		{ "/mnt/ext4/feed/decade", "/mnt/ext*/feed/decade" },
		{ "kworker/u16:3", "kworker/u*:*" },
		{ "deadbeef", "deadbeef" },
		{ "caf\xc3\xa9-12", "caf\xc3\xa9-*" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_strbuf_ struct kma_strbuf out = { 0 };

		kma_name_pattern(cases[i].text, &out);
		EXPECT_STR(out.str ?: "", cases[i].pattern);
	}
}

/* Half of Wilson's interval, from its formula by hand; a sample that is all has no error. */
TEST(error)
{
	EXPECT(fabs(kma_names_error(400, 1000, 1000000000) - 0.0307) < 0.0001);
	EXPECT(fabs(kma_names_error(0, 10, 1000000000) - 0.2775) < 0.0001);
	EXPECT(fabs(kma_names_error(500, 1000, 2000) - 0.0219) < 0.0001);
	EXPECT(kma_names_error(5, 10, 10) == 0);
}

TEST_MAIN()
