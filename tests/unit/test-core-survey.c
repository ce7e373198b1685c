// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-survey.c - the walk over all live objects, in a map whose page changes while it is
 * read.
 *
 * The test is the map: one page, which each read finds as the test says.
 */
#include "ktap.h"
#include "shim.h"

/* the map and the slabs of this test, and not the shim's survey */
#define kma_live_read		read_page
#define kma_live_next		next_page
#define kma_slab_of		slab_of_object
#define kma_survey		survey_of_map

#define pfn_to_online_page(pfn)	((void)(pfn), true)
#define virt_to_phys(p)		((unsigned long)(p))
#define PHYS_PFN(phys)		((phys) >> PAGE_SHIFT)

#include "show/survey.c"

static struct kma_live_object page[64];
static u32 objects;
static unsigned int reads;
static void (*change)(void);	/* before each read */

u64 next_page(u64 at)
{
	return at ? KMA_LIVE_END : 0;
}

/* Like kma_live_read(): without room for all objects, they have no site and no size. */
u32 read_page(u64 at, struct kma_live_object *buf, u32 max)
{
	reads++;
	if (change)
		change();
	for (u32 i = 0; i < objects && i < max; i++) {
		if (objects <= max) {
			buf[i] = page[i];
			continue;
		}
		buf[i].ptr = page[i].ptr;
		buf[i].class = page[i].class;
	}
	return objects;
}

static void fill(u32 n, unsigned int req);

static unsigned int next_req;	/* what replaces the objects before their slab is read; or 0 */

/* A slab has objects of one size. */
bool slab_of_object(unsigned long ptr, struct kma_slab *slab)
{
	if (next_req)
		fill(1, next_req);
	*slab = (struct kma_slab){ .head = ptr, .bytes = kma_size_bytes(page[0].size) };
	return true;
}

#define SITE	7

/* The page has @n objects of one site, and of the class and the sizes that @req stands for. */
static void fill(u32 n, unsigned int req)
{
	objects = n;
	for (u32 i = 0; i < n; i++)
		page[i] = (struct kma_live_object){
			.ptr = PAGE_OFFSET + 4096 * (i + 1), .class = 1000 + req, .site = SITE,
			.size = kma_size_small(req, 2 * req),
		};
}

static unsigned int seen, with_slab, wrong;

static int see(void *arg, const struct kma_live_object *o, const struct kma_slab *slab)
{
	unsigned int req = o->class - 1000;

	seen++;
	with_slab += !!slab;
	wrong += o->site != SITE || kma_size_req(o->size) != req ||
		 (slab && slab->bytes != kma_size_bytes(o->size));
	return 0;
}

static void walk(void)
{
	reads = seen = with_slab = wrong = 0;
	EXPECT_EQ(survey_of_map(1, see, NULL), 0);
}

TEST(a_page_that_stays)
{
	change = NULL;
	for (u32 n = 0; n < ARRAY_SIZE(page); n += 9) {
		fill(n, 20);
		walk();
		EXPECT_EQ(seen, n);
		EXPECT_EQ(with_slab, n);
		EXPECT_EQ(wrong, 0);
	}
}

static unsigned int grows_at;

static void always(void)
{
	fill(reads < grows_at ? 2 : 40, 10 + reads);
}

/* At each of the reads, the page gets more objects than there is room for. */
TEST(a_page_that_changes_all_the_time_and_grows)
{
	change = always;
	for (grows_at = 1; grows_at < 20; grows_at++) {
		walk();
		EXPECT_EQ(seen, objects);
		EXPECT_EQ(with_slab, 0);
		EXPECT_EQ(wrong, 0);
	}
}

/* Another object of the same site gets the memory after the read of the page. */
TEST(an_object_of_another_size_at_the_same_address)
{
	change = NULL;
	fill(1, 20);
	next_req = 30;
	walk();
	next_req = 0;
	EXPECT_EQ(seen, 1);
	EXPECT_EQ(with_slab, 1);
	EXPECT_EQ(wrong, 0);
}

TEST_MAIN()
