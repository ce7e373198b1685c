// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_public.c - leaks and growth of public reports, each by its kind.
 *
 *	insmod kma_public.ko case=CASE [rate=N] [burst=N]
 *
 * A worker calls the function of the case RATE times, ten times a second; while the module is
 * loaded it is called BURST times. tests/kernel/public.py has the report of each case, and what has
 * to be said of it.
 *
 * The functions are global and not inlined, so that the name of a call site is the name of its
 * function. The module stays until the guest ends.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/idr.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#define PUBLIC noinline __noclone void

struct public_object {
	struct list_head list;
	struct delayed_work work;
	struct timer_list timer;
	struct public_object *other;
	refcount_t users;
	u8 data[64];
};

struct public_case {
	const char *name;
	void (*once)(void);
};

static char *public_case = "none";
module_param_named(case, public_case, charp, 0400);
MODULE_PARM_DESC(case, "Name of the case (default none)");
static unsigned int public_rate = 10;
module_param_named(rate, public_rate, uint, 0400);
MODULE_PARM_DESC(rate, "Calls in a tenth of a second (default 10)");
static unsigned int public_burst;
module_param_named(burst, public_burst, uint, 0400);
MODULE_PARM_DESC(burst, "Calls while the module is loaded (default 0)");

static const struct public_case *public_chosen;
static struct kmem_cache *public_cache;
static LIST_HEAD(public_list);
static struct sk_buff_head public_queue;
static struct hlist_head public_table[256];
static DEFINE_IDR(public_idr);
static void *public_last;
static unsigned int public_nr;

/* an error path that returns without a free */
PUBLIC public_error(void);
PUBLIC public_error(void)
{
	void *p = kmalloc(512, GFP_KERNEL);

	WRITE_ONCE(public_last, p);
	WRITE_ONCE(public_last, NULL);
}

/* a text that takes the place of another one, which nobody frees */
PUBLIC public_secret(void);
PUBLIC public_secret(void)
{
	char *p = kstrdup("DHHC-1:00:ia6zGodOr4SEG0Zzaw398rpY0wqipUWj4jWjUh4HWUz6aQ:", GFP_KERNEL);

	WRITE_ONCE(public_last, p);
}

/* the parent is freed, and not its child */
PUBLIC public_child(void);
PUBLIC public_child(void)
{
	struct public_object *parent = kzalloc(sizeof(*parent), GFP_KERNEL);

	if (!parent)
		return;
	parent->other = kmalloc(1024, GFP_KERNEL);
	WRITE_ONCE(public_last, parent->other);
	WRITE_ONCE(public_last, NULL);
	kfree_sensitive(parent);
}

/* two objects that refer to each other, and nothing else to them */
PUBLIC public_ring(void);
PUBLIC public_ring(void)
{
	struct public_object *a = kzalloc(sizeof(*a), GFP_KERNEL);
	struct public_object *b = kzalloc(sizeof(*b), GFP_KERNEL);

	if (!a || !b) {
		kfree(a);
		kfree(b);
		return;
	}
	a->other = b;
	b->other = a;
}

/* work that is cancelled, whose function would have freed its object */
static void public_close(struct work_struct *work)
{
	kfree(container_of(to_delayed_work(work), struct public_object, work));
}

PUBLIC public_deferred(void);
PUBLIC public_deferred(void)
{
	struct public_object *object = kzalloc(sizeof(*object), GFP_KERNEL);

	if (!object)
		return;
	INIT_DELAYED_WORK(&object->work, public_close);
	schedule_delayed_work(&object->work, 3600 * HZ);
	cancel_delayed_work(&object->work);
}

/* taken off its list with a reference that nobody gives back */
PUBLIC public_route(void);
PUBLIC public_route(void)
{
	struct public_object *object = kmem_cache_zalloc(public_cache, GFP_KERNEL);

	if (!object)
		return;
	refcount_set(&object->users, 2);
	list_add(&object->list, &public_list);
	list_del(&object->list);
	if (refcount_dec_and_test(&object->users))
		kmem_cache_free(public_cache, object);
}

/* the array is freed, and not what is in it */
PUBLIC public_queues(void);
PUBLIC public_queues(void)
{
	void **queues = kcalloc(8, sizeof(*queues), GFP_KERNEL);
	int i;

	if (!queues)
		return;
	for (i = 0; i < 8; i++)
		queues[i] = kmalloc(256, GFP_KERNEL);
	kfree_sensitive(queues);
}

/* the credentials of each open, which have no put */
PUBLIC public_creds(void);
PUBLIC public_creds(void)
{
	struct cred *cred = prepare_creds();

	WRITE_ONCE(public_last, cred);
}

/* files that are opened and not closed: no process has them */
PUBLIC public_files(void);
PUBLIC public_files(void)
{
	struct file *file = filp_open("/dev/null", O_RDONLY, 0);

	WRITE_ONCE(public_last, IS_ERR(file) ? NULL : file);
}

/* a packet that has left its queue and is not freed */
PUBLIC public_packet(void);
PUBLIC public_packet(void)
{
	struct sk_buff *skb = alloc_skb(1500, GFP_KERNEL);

	if (!skb)
		return;
	skb_queue_tail(&public_queue, skb);
	skb_dequeue(&public_queue);
}

/* packets in a queue that nobody empties */
PUBLIC public_stuck(void);
PUBLIC public_stuck(void)
{
	struct sk_buff *skb = alloc_skb(1500, GFP_KERNEL);

	if (skb)
		skb_queue_tail(&public_queue, skb);
}

/* objects of a list, which nobody shortens */
PUBLIC public_listed(void);
PUBLIC public_listed(void)
{
	struct public_object *object = kmem_cache_zalloc(public_cache, GFP_KERNEL);

	if (object)
		list_add_tail(&object->list, &public_list);
}

/* objects that are lost, in a cache of their own */
PUBLIC public_unlisted(void);
PUBLIC public_unlisted(void)
{
	void *p = kmem_cache_zalloc(public_cache, GFP_KERNEL);

	WRITE_ONCE(public_last, p);
}

/* numbers that are given out, and never taken back */
PUBLIC public_handle(void);
PUBLIC public_handle(void)
{
	void *p = kmalloc(192, GFP_KERNEL);

	if (p && idr_alloc(&public_idr, p, 0, 0, GFP_KERNEL) < 0)
		kfree(p);
}

/* connections in a hash table, which never expire */
struct public_tracked {
	struct hlist_node node;
	u8 data[300];
};

PUBLIC public_track(void);
PUBLIC public_track(void)
{
	struct public_tracked *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (p)
		hlist_add_head(&p->node, &public_table[hash_32(public_nr++, 8)]);
}

/* objects that wait for a timer, hours from now */
static void public_fire(struct timer_list *timer)
{
}

PUBLIC public_timed(void);
PUBLIC public_timed(void)
{
	struct public_object *object = kzalloc(sizeof(*object), GFP_KERNEL);

	if (!object)
		return;
	timer_setup(&object->timer, public_fire, 0);
	mod_timer(&object->timer, jiffies + 3600 * HZ);
}

/* threads that are started for each request, and do not end */
static int public_sleep(void *unused)
{
	while (!kthread_should_stop()) {
		set_current_state(TASK_IDLE);
		schedule();
	}
	return 0;
}

PUBLIC public_thread(void);
PUBLIC public_thread(void)
{
	kthread_run(public_sleep, NULL, "public/%u", public_nr++);
}

/* areas of vmalloc() whose address is overwritten */
PUBLIC public_area(void);
PUBLIC public_area(void)
{
	void *p = vmalloc(2 * PAGE_SIZE);

	WRITE_ONCE(public_last, p);
	WRITE_ONCE(public_last, NULL);
}

/* a burst that has begun before anybody looked, held by a variable */
static void *public_old[4096];

PUBLIC public_held(void);
PUBLIC public_held(void)
{
	void *p;

	if (public_nr == ARRAY_SIZE(public_old))
		return;
	p = kmem_cache_zalloc(public_cache, GFP_KERNEL);
	/* the compiler leaves out a plain store, since nothing reads the array */
	WRITE_ONCE(public_old[public_nr++], p);
}

static const struct public_case public_cases[] = {
	{ "error", public_error },
	{ "secret", public_secret },
	{ "child", public_child },
	{ "ring", public_ring },
	{ "deferred", public_deferred },
	{ "route", public_route },
	{ "queues", public_queues },
	{ "creds", public_creds },
	{ "files", public_files },
	{ "packet", public_packet },
	{ "stuck", public_stuck },
	{ "listed", public_listed },
	{ "unlisted", public_unlisted },
	{ "handle", public_handle },
	{ "track", public_track },
	{ "timed", public_timed },
	{ "thread", public_thread },
	{ "area", public_area },
	{ "held", public_held },
};

/* Each read of /sys/module/kma_public/parameters/status forgets 2 kB. */
PUBLIC public_status(void);
PUBLIC public_status(void)
{
	void *p = kmalloc(2048, GFP_KERNEL);

	WRITE_ONCE(public_last, p);
	WRITE_ONCE(public_last, NULL);
}

static int public_read_status(char *buffer, const struct kernel_param *kp)
{
	public_status();
	return sprintf(buffer, "up\n");
}

static const struct kernel_param_ops public_status_ops = { .get = public_read_status };
module_param_cb(status, &public_status_ops, NULL, 0400);
MODULE_PARM_DESC(status, "Each read forgets 2 kB");

static void public_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(public_delayed, public_work);

static void public_work(struct work_struct *work)
{
	unsigned int i;

	for (i = 0; i < public_rate; i++)
		public_chosen->once();
	schedule_delayed_work(&public_delayed, HZ / 10);
}

static int __init public_init(void)
{
	unsigned int i;

	skb_queue_head_init(&public_queue);
	for (i = 0; i < ARRAY_SIZE(public_cases); i++)
		if (!strcmp(public_case, public_cases[i].name))
			public_chosen = &public_cases[i];
	if (!public_chosen)
		return strcmp(public_case, "none") ? -EINVAL : 0;
	/* no other cache has objects of nearly this size, so that they are not merged */
	public_cache = kmem_cache_create("public_cache", sizeof(struct public_object) + 1000, 0, 0,
					 NULL);
	if (!public_cache)
		return -ENOMEM;
	for (i = 0; i < public_burst; i++)
		public_chosen->once();
	if (public_rate)
		schedule_delayed_work(&public_delayed, HZ / 10);
	return 0;
}

module_init(public_init);
MODULE_DESCRIPTION("Leaks and growth of public reports, for tests of kmem_account");
MODULE_LICENSE("GPL");
