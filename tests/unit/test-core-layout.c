// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-layout.c - where struct kmem_cache and struct page keep what the module needs, in
 * made kernels.
 *
 * A made kernel puts the members of its structs at the offsets of a row, and hides them among
 * words that mean something else. The module has to find these offsets, or to say that it does
 * not: a kernel whose structs it does not understand must not become a wrong number.
 */
#include "ktap.h"
#include "shim.h"

#undef IS_ENABLED
#undef PAGE_OFFSET
#define PAGE_OFFSET		PAGE_SIZE
#define IS_ENABLED(CONFIG_option)	0
#define IS_ALIGNED(n, to)	((n) % (to) == 0)
#define virt_addr_valid(p)	true

#define STRUCT_SIZE		256	/* bytes */

struct page {
	unsigned char byte[64] __aligned(8);
};

/* A made kernel; offsets in bytes. */
static struct {
	unsigned int size_at, object_size_at;	/* in struct kmem_cache */
	unsigned int name_at;
	unsigned int flags_at, second_flags_at;	/* in struct kmem_cache; 0 if none */
	unsigned int second_size_at;	/* another pair of the same two numbers; 0 if none */
	unsigned int later;		/* the second cache has its sizes so much later */
	unsigned int name_later;	/* and its name */
	unsigned int red_zones;		/* in size, not in what ksize() returns */
	unsigned int cache_at;		/* in struct page */
	unsigned int count_at, second_count_at;
	unsigned int used;		/* objects in the slab */
	int fails_at;			/* this call of an allocator fails; 0 is none */
} kernel;

static struct kmem_cache {
	unsigned char byte[STRUCT_SIZE] __aligned(8);
	char name[32];
	unsigned int req, given;
	bool exists;
} caches[2];

static struct page page;
static int nr_made, calls, objects;

static void put32(void *at, u32 value)
{
	memcpy(at, &value, sizeof(value));
}

static void put_pointer(void *at, const void *value)
{
	memcpy(at, &value, sizeof(value));
}

static struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
					    unsigned int align, slab_flags_t flags,
					    void (*ctor)(void *object))
{
	struct kmem_cache *s = &caches[nr_made];
	unsigned int later = nr_made ? kernel.later : 0;
	unsigned int name_at = kernel.name_at + (nr_made ? kernel.name_later : 0);

	if (++calls == kernel.fails_at)
		return NULL;
	nr_made++;
	EXPECT(ctor != NULL);
	memset(s->byte, 0x5a, sizeof(s->byte));
	snprintf(s->name, sizeof(s->name), "%s", name);
	s->req = size;
	s->given = ALIGN(size, align);
	s->exists = true;
	put32(s->byte + kernel.size_at + later, s->given + kernel.red_zones);
	put32(s->byte + kernel.object_size_at + later, size);
	if (kernel.second_size_at) {
		put32(s->byte + kernel.second_size_at, s->given);
		put32(s->byte + kernel.second_size_at + 4, size);
	}
	if (kernel.flags_at)
		put32(s->byte + kernel.flags_at, 0x12340000 | flags);
	if (kernel.second_flags_at)
		put32(s->byte + kernel.second_flags_at, flags);
	put_pointer(s->byte + name_at, s->name);
	return s;
}

static void *kmem_cache_alloc(struct kmem_cache *s, gfp_t flags)
{
	u32 in_page = PAGE_SIZE / (s->given + kernel.red_zones);

	if (++calls == kernel.fails_at)
		return NULL;
	objects++;
	memset(&page, 0xff, sizeof(page));
	put_pointer((char *)&page + kernel.cache_at, s);
	if (kernel.count_at)
		put32((char *)&page + kernel.count_at, in_page << 16 | kernel.used);
	if (kernel.second_count_at)
		put32((char *)&page + kernel.second_count_at, in_page << 16 | 1);
	return s;
}

static void kmem_cache_free(struct kmem_cache *s, void *object)
{
	objects--;
}

static void kmem_cache_destroy(struct kmem_cache *s)
{
	s->exists = false;
}

static unsigned int kmem_cache_size(struct kmem_cache *s)
{
	return s->req;
}

static size_t ksize(const void *object)
{
	return ((const struct kmem_cache *)object)->given;
}

static struct page *virt_to_head_page(const void *object)
{
	return &page;
}

static unsigned long page_size(struct page *head)
{
	return PAGE_SIZE;
}

static bool within(const void *from, size_t size, const void *object, size_t bytes)
{
	return (uintptr_t)from >= (uintptr_t)object &&
	       (uintptr_t)from + size <= (uintptr_t)object + bytes;
}

/* Only the caches can be read. */
static long copy_from_kernel_nofault(void *to, const void *from, size_t size)
{
	if (!within(from, size, caches, sizeof(caches)))
		return -EFAULT;
	memcpy(to, from, size);
	return 0;
}

#include "account/kmem_cache_layout.c"

/* As in most kernels: size and object_size side by side, the rest anywhere. */
static void plain(void)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.size_at = 24;
	kernel.object_size_at = 28;
	kernel.name_at = 96;
	kernel.flags_at = 8;
	kernel.cache_at = 8;
	kernel.count_at = 40;
	kernel.used = 1;
}

/* What kma_cache_init() returns for the made kernel, with nothing known before. */
static int found(void)
{
	int err;

	kma_cache_know(&(struct kma_cache_layout){});
	memset(caches, 0, sizeof(caches));
	nr_made = calls = objects = 0;
	err = kma_cache_init();
	EXPECT_EQ(objects, 0);
	EXPECT(!caches[0].exists && !caches[1].exists);
	return err;
}

/* The load fails. */
static void expect_refused(void)
{
	EXPECT_EQ(found(), -ENODEV);
	EXPECT_EQ(kma_cache_at.size_at, 0);
}

TEST(members_are_found_where_they_are)
{
	static const unsigned int sizes[] = { 4, 16, 24, 44, 56 }, names[] = { 72, 96, 152 };
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		for (j = 0; j < ARRAY_SIZE(names); j++) {
			plain();
			kernel.size_at = sizes[i];
			kernel.object_size_at = sizes[i] + 4;
			kernel.name_at = names[j];
			kernel.flags_at = sizes[(i + 2) % ARRAY_SIZE(sizes)];
			kernel.cache_at = 8 + 8 * j;
			kernel.count_at = 32 + 4 * i;
			EXPECT_EQ(found(), 0);
			EXPECT_EQ(kma_cache_at.size_at, sizes[i]);
			EXPECT_EQ(kma_cache_at.name_at, names[j]);
			EXPECT_EQ(kma_cache_at.flags_at, kernel.flags_at);
			EXPECT_EQ(kma_cache_at.page_at, 8 + 8 * j);
			EXPECT_EQ(kma_cache_at.count_at, 32 + 4 * i);
		}
}

TEST(red_zones_are_in_the_size)
{
	plain();
	kernel.red_zones = 64;
	EXPECT_EQ(found(), 0);
	EXPECT_EQ(kma_cache_at.size_at, 24);
}

/* A kernel with CONFIG_RANDSTRUCT, or one that is not known yet. */
TEST(sizes_in_another_order_are_refused)
{
	plain();
	kernel.size_at = 28;
	kernel.object_size_at = 24;
	expect_refused();
}

TEST(sizes_apart_are_refused)
{
	plain();
	kernel.object_size_at = 40;
	expect_refused();
}

TEST(sizes_at_two_places_are_refused)
{
	plain();
	kernel.second_size_at = 48;
	expect_refused();
}

TEST(caches_that_disagree_are_refused)
{
	plain();
	kernel.later = 8;
	expect_refused();
}

TEST(sizes_beyond_the_first_words_are_refused)
{
	plain();
	kernel.size_at = KMA_CACHE_SEARCH;
	kernel.object_size_at = KMA_CACHE_SEARCH + 4;
	expect_refused();
}

TEST(a_size_that_no_debugging_explains_is_refused)
{
	plain();
	kernel.red_zones = KMA_CACHE_DEBUG_MAX;
	expect_refused();
}

/* Names and counts are of some files alone, so the module loads without them. */
TEST(a_name_or_a_count_that_is_not_found_is_none)
{
	plain();
	kernel.name_at = KMA_CACHE_NAME_SEARCH + 8;
	kernel.count_at = 0;
	EXPECT_EQ(found(), 0);
	EXPECT_EQ(kma_cache_at.size_at, 24);
	EXPECT_EQ(kma_cache_at.name_at, 0);
	EXPECT_EQ(kma_cache_at.count_at, 0);

	plain();
	kernel.name_later = 8;
	EXPECT_EQ(found(), 0);
	EXPECT_EQ(kma_cache_at.name_at, 0);

	plain();
	kernel.second_count_at = 48;
	EXPECT_EQ(found(), 0);
	EXPECT_EQ(kma_cache_at.count_at, 0);

	plain();
	kernel.used = 0;
	EXPECT_EQ(found(), 0);
	EXPECT_EQ(kma_cache_at.count_at, 0);
}

/* Without the flags, the module loads without what memcg charges. */
TEST(flags_that_are_not_found_are_none)
{
	plain();
	kernel.flags_at = 0;
	EXPECT_EQ(found(), 0);
	EXPECT_EQ(kma_cache_at.flags_at, 0);

	plain();
	kernel.second_flags_at = 48;
	EXPECT_EQ(found(), 0);
	EXPECT_EQ(kma_cache_at.flags_at, 0);

	plain();
	kernel.flags_at = KMA_CACHE_SEARCH;
	EXPECT_EQ(found(), 0);
	EXPECT_EQ(kma_cache_at.flags_at, 0);
}

/* Two caches and an object of each. */
TEST(without_memory_the_load_fails_with_its_own_error)
{
	int at;

	for (at = 1; at <= 4; at++) {
		plain();
		kernel.fails_at = at;
		EXPECT_EQ(found(), -ENOMEM);
		EXPECT_EQ(kma_cache_at.size_at, 0);
	}
}

TEST(what_is_known_is_not_searched_for)
{
	plain();
	nr_made = 0;
	kma_cache_know(&(struct kma_cache_layout){ .size_at = 12 });
	EXPECT_EQ(kma_cache_init(), 0);
	EXPECT_EQ(nr_made, 0);
	EXPECT_EQ(kma_cache_at.size_at, 12);
}

TEST_MAIN()
