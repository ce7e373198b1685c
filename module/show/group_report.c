// SPDX-License-Identifier: GPL-2.0-only
/*
 * group_report.c - the debugfs files cgroups and nodes: what each site holds for each of them.
 *
 * Both files are sums of the classes by call site and group. Objects in no group are in the row
 * [before] of their site, so the rows of a site add up to the site.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "account/class.h"
#include "account/kmem_cache_layout.h"
#include "account/sum.h"
#include "show/debugfs.h"
#include "show/rows.h"
#include "source/kprobe.h"
#include "watch/group.h"

#define KMA_GROUPS_SIZE		65536ul	/* of the first buffer */

enum kma_group_by {
	KMA_BY_CGROUP,
	KMA_BY_NODE,
};

/* What a site has counted for a cgroup or a node. */
struct kma_group_row {
	s64 key;
	unsigned int site;
	struct kma_site_count count;
	u64 charged;	/* live bytes that memcg was asked to charge to a cgroup */
};

struct kma_group_rows {
	u32 nr;
	struct kma_group_row *rows;
};

/* Return the number by which the files name a group. */
static s64 kma_group_key(enum kma_group_by by, unsigned int group)
{
	const struct kma_group *g = &kma_groups[group &= KMA_GROUP_NUMBER];

	if (!kma_groups || group == KMA_GROUP_NONE)
		return KMA_ID_BEFORE;
	if (group == KMA_GROUP_OTHER)
		return KMA_ID_OTHER;
	if (by == KMA_BY_NODE)
		return g->node >= 0 ? g->node : KMA_ID_BEFORE;
	return g->id != KMA_ID_NONE ? g->id : KMA_ID_BEFORE;
}

/* Check if memcg was asked to charge the objects of a group; the root cgroup is never charged. */
static bool kma_group_is_charged(unsigned int group)
{
	return group & KMA_GROUP_CHARGED &&
	       kma_groups[group & KMA_GROUP_NUMBER].id != KMA_ID_ROOT;
}

static int kma_group_row_cmp(const void *va, const void *vb)
{
	const struct kma_group_row *a = va, *b = vb;

	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

/* Make a row of each class that has counted something. */
static int kma_group_fill(struct kma_group_rows *r, enum kma_group_by by)
{
	unsigned int nr = kma_class_nr(), sites = kma_site_nr(), class;
	struct kma_site_count *sums = kvmalloc_array(nr, sizeof(*sums), GFP_KERNEL_ACCOUNT);

	r->rows = kvmalloc_array(nr, sizeof(*r->rows), GFP_KERNEL_ACCOUNT);
	if (!sums || !r->rows) {
		kvfree(sums);
		return -ENOMEM;
	}
	kma_sum_classes(nr, sums);
	for (class = 1; class < nr; class++) {
		unsigned int site = kma_class_owner(class), group = kma_class_group(class);

		/* a class without a size has three numbers, and only one of them counts objects */
		if (site >= sites || !(sums[class].allocs | sums[class].req | sums[class].bytes))
			continue;
		r->rows[r->nr++] = (struct kma_group_row){
			.key = kma_group_key(by, group),
			.site = site, .count = sums[class],
			.charged = kma_group_is_charged(group) ?
				   sums[class].bytes - sums[class].freed_bytes : 0,
		};
	}
	kvfree(sums);
	return 0;
}

/*
 * Print a row. If an event changes an object whose sizes are in the map during the sums, the row
 * may have fewer bytes than were requested (report.c).
 */
static void kma_group_show_row(struct seq_file *m, const struct kma_group_row *row, bool charged)
{
	const struct kma_site_count *c = &row->count;
	u64 req = c->req - c->freed_req;

	seq_printf(m, "%u\t%lld\t%llu\t%llu\t%llu\t%llu", row->site, row->key, c->allocs,
		   c->frees, max(c->bytes - c->freed_bytes, req), req);
	if (charged)
		seq_printf(m, "\t%llu", row->charged);
	seq_putc(m, '\n');
}

/* Print the rows; those of the same site and key as one row. */
static void kma_group_show_rows(struct seq_file *m, struct kma_group_rows *r, bool charged)
{
	u32 i;

	sort(r->rows, r->nr, sizeof(*r->rows), kma_group_row_cmp, NULL);
	for (i = 0; i < r->nr; i++) {
		const struct kma_group_row *row = &r->rows[i];
		struct kma_group_row *next = &r->rows[i + 1];

		if (i + 1 == r->nr || kma_group_row_cmp(row, next)) {
			kma_group_show_row(m, row, charged);
		} else {
			kma_site_count_add(&next->count, &row->count);
			next->charged += row->charged;
		}
	}
}

/* Print the paths of cgroups. A cgroup is listed once for each node on which it has objects. */
static void kma_group_show_names(struct seq_file *m)
{
	unsigned int nr;

	seq_puts(m, "# id\tpath\n");
	for (nr = KMA_GROUP_FIRST; nr < kma_group_nr(); nr++) {
		const struct kma_group *g = &kma_groups[nr];

		if (!kma_group_used(g) || !g->path)
			continue;
		seq_printf(m, "%lld\t", g->id);
		seq_escape(m, g->path, "\t\n\\");
		seq_putc(m, '\n');
	}
}

static int kma_group_show(struct seq_file *m, enum kma_group_by by)
{
	const char *word = by == KMA_BY_NODE ? "node" : "cgroup";
	bool charged = by == KMA_BY_CGROUP && kma_cache_at.flags_at;
	struct kma_group_rows r = {};
	int err;

	kma_untraced_settle();
	err = kma_group_fill(&r, by);
	if (!err) {
		seq_printf(m, "kmem_account %ss 1\n# site\t%s\tallocs\tfrees\tbytes\trequested%s\n",
			   word, word, charged ? "\tcharged" : "");
		kma_group_show_rows(m, &r, charged);
		if (by == KMA_BY_CGROUP)
			kma_group_show_names(m);
	}
	kvfree(r.rows);
	return err;
}

/* A reader of cgroups or nodes gets a text that is printed to memory when the file is opened. */
static void kma_groups_destroy(void *text)
{
	struct seq_file *m = text;

	if (!m)
		return;
	kvfree(m->buf);
	kfree(m);
}

static void *kma_groups_create(enum kma_group_by by)
{
	struct seq_file *m = kzalloc(sizeof(*m), GFP_KERNEL_ACCOUNT);
	int err = -ENOMEM;

	if (!m)
		return ERR_PTR(err);
	for (m->size = KMA_GROUPS_SIZE;; m->size *= 2) {
		m->buf = kvmalloc(m->size, GFP_KERNEL_ACCOUNT);
		err = m->buf ? kma_group_show(m, by) : -ENOMEM;
		if (err || !seq_has_overflowed(m))
			break;
		kvfree(m->buf);
		m->count = 0;
	}
	if (!err)
		return m;
	kma_groups_destroy(m);
	return ERR_PTR(err);
}

static void *kma_cgroups_create(void)
{
	return kma_groups_create(KMA_BY_CGROUP);
}

static void *kma_nodes_create(void)
{
	return kma_groups_create(KMA_BY_NODE);
}

static void kma_groups_show(struct seq_file *m, const void *text)
{
	const struct seq_file *from = text;

	seq_write(m, from->buf, from->count);
}

const struct kma_rows kma_cgroup_rows = {
	kma_cgroups_create, true, kma_groups_destroy, NULL, kma_groups_show, NULL
};

const struct kma_rows kma_node_rows = {
	kma_nodes_create, true, kma_groups_destroy, NULL, kma_groups_show, NULL
};
