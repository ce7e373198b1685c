// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_planted.c - objects that are lost, and objects that are held in ways that a scan of the heap
 * has to follow: PLANTED of each kind.
 *
 * Each kind has a call site of its own, whose name says what is true: lost_* or held_*. The bodies
 * differ by the size of the object, because the compiler would otherwise fold equal functions into
 * one. What is lost must not stay in a register or on the stack: all kinds are planted by a thread
 * that ends.
 */
#include <linux/completion.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rbtree.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/srcu.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#define PLANTED 100

static bool planted_lose = true;
module_param_named(lose, planted_lose, bool, 0400);
MODULE_PARM_DESC(lose, "Plant lost objects, too (default Y)");

struct node {
	struct list_head list;
	struct hlist_node hash;
	struct rb_node rb;
	struct rcu_head rcu;
	struct node *left, *right;
};

static __always_inline void *plant(size_t more)
{
	return kzalloc(sizeof(struct node) + more, GFP_KERNEL);
}

static noinline void *lost_pointer(void)
{
	return plant(8);
}

static noinline void *lost_ring(void)
{
	return plant(16);
}

static noinline void *lost_chain(void)
{
	return plant(24);
}

static noinline void *lost_tree(void)
{
	return plant(32);
}

static noinline void *lost_behind_head(void)
{
	return plant(40);
}

static noinline void *lost_error_path(void)
{
	return plant(48);
}

static noinline void *held_list(void)
{
	return plant(56);
}

static noinline void *held_hlist(void)
{
	return plant(64);
}

static noinline void *held_rbtree(void)
{
	return plant(72);
}

static noinline void *held_xarray(void)
{
	return plant(80);
}

static noinline void *held_idr(void)
{
	return plant(88);
}

static noinline void *held_hash(void)
{
	return plant(96);
}

static noinline void *held_timer(void)
{
	return plant(400);
}

static noinline void *held_work(void)
{
	return plant(408);
}

static noinline void *held_stack(void)
{
	return plant(120);
}

static noinline void *held_percpu(void)
{
	return plant(128);
}

static noinline void *held_vmalloc(void)
{
	return plant(136);
}

static noinline void *held_tagged(void)
{
	return plant(144);
}

static noinline void *held_inside(void)
{
	return plant(152);
}

static noinline void *held_callback(void)
{
	return plant(160);
}

static noinline void *free_head(void)
{
	return plant(168);
}

struct planted_timer {
	struct timer_list timer;
	char more[40];
};

struct planted_work {
	struct delayed_work work;
	char more[24];
};

static struct kmem_cache *planted_cache;
static struct hlist_head planted_hlist;
static struct rb_root planted_rb = RB_ROOT;
static LIST_HEAD(planted_list);
static LIST_HEAD(planted_inside);
static DEFINE_XARRAY(planted_xa);
static DEFINE_IDR(planted_idr);
static DEFINE_HASHTABLE(planted_hash, 4);
static void **planted_vmalloc;
static void *__percpu *planted_percpu;
/* Written by WRITE_ONCE(): the compiler must not remove an array that is only written. */
static unsigned long planted_tagged[PLANTED];
static struct task_struct *planted_sleeper;
static DECLARE_COMPLETION(planted_ready);

DEFINE_STATIC_SRCU(planted_srcu);
static int planted_srcu_index;

static noinline void *lost_cache(void)
{
	return kmem_cache_alloc(planted_cache, GFP_KERNEL);
}

static noinline void *lost_large(void)
{
	return kzalloc(16384, GFP_KERNEL);
}

/* A cache with a constructor is not merged with another one. */
static void planted_ctor(void *object)
{
	memset(object, 0, 312);
}

static noinline struct sk_buff *lost_skb(void)
{
	return alloc_skb(200, GFP_KERNEL);
}

static void planted_callback(struct rcu_head *head)
{
	kfree(container_of(head, struct node, rcu));
}

static void planted_timer(struct timer_list *timer)
{
}

static void planted_work(struct work_struct *work)
{
}

static void plant_rb(struct node *node)
{
	struct rb_node **at = &planted_rb.rb_node, *parent = NULL;

	while (*at) {
		parent = *at;
		at = (unsigned long)parent & 64 ? &parent->rb_left : &parent->rb_right;
	}
	rb_link_node(&node->rb, parent, at);
	rb_insert_color(&node->rb, &planted_rb);
}

/* Chains, rings of three, and trees: the pointer to the first object is dropped. */
static noinline void plant_structures(void)
{
	struct node *last = NULL, *ring[3], *tree[7], *head;
	int i, n;

	for (i = 0; i < PLANTED; i++) {
		struct node *node = lost_chain();

		if (!node)
			return;
		node->left = last;
		last = node;
	}
	for (i = 0; i < PLANTED; i++) {
		ring[i % 3] = lost_ring();
		if (!ring[i % 3])
			return;
		if (i % 3 == 2)
			for (n = 0; n < 3; n++)
				ring[n]->left = ring[(n + 1) % 3];
	}
	for (i = 0; i < PLANTED; i++) {
		n = i % 7;
		tree[n] = lost_tree();
		if (!tree[n])
			return;
		if (n && n % 2)
			tree[(n - 1) / 2]->left = tree[n];
		else if (n)
			tree[(n - 1) / 2]->right = tree[n];
	}
	head = free_head();
	if (!head)
		return;
	INIT_LIST_HEAD(&head->list);
	for (i = 0; i < PLANTED; i++) {
		struct node *node = lost_behind_head();

		if (!node)
			return;
		node->left = head->left;
		head->left = node;
	}
	head->left = NULL;
	kfree(head);
}

static noinline void plant_lost(void)
{
	struct file *file;
	int i;

	for (i = 0; i < PLANTED; i++) {
		struct node *node = lost_error_path();

		/* What a driver does that fails behind the allocation, and forgets it. */
		if (node)
			node->left = node;
		if (!lost_pointer() || !lost_cache() || !lost_skb() || !lost_large())
			pr_warn("kma_planted: no memory\n");
		file = filp_open("/", O_RDONLY, 0);
		if (IS_ERR(file))
			pr_warn("kma_planted: cannot open /\n");
	}
	plant_structures();
}

static int plant_held_one(int i)
{
	struct node *list = held_list(), *hlist = held_hlist(), *rb = held_rbtree();
	struct node *hash = held_hash(), *inside = held_inside(), *callback = held_callback();
	void *xa = held_xarray(), *id = held_idr();

	if (!list || !hlist || !rb || !hash || !inside || !callback || !xa || !id)
		return -ENOMEM;
	list_add(&list->list, &planted_list);
	hlist_add_head(&hlist->hash, &planted_hlist);
	plant_rb(rb);
	hash_add(planted_hash, &hash->hash, i);
	list_add(&inside->list, &planted_inside);
	if (xa_is_err(xa_store(&planted_xa, i * 7, xa, GFP_KERNEL)) ||
	    idr_alloc(&planted_idr, id, 0, 0, GFP_KERNEL) < 0)
		return -ENOMEM;
	WRITE_ONCE(planted_tagged[i], (unsigned long)held_tagged() | 1);
	planted_vmalloc[i] = held_vmalloc();
	/* A list of objects, the first of which a per-CPU variable holds. */
	list = held_percpu();
	if (!list)
		return -ENOMEM;
	list->left = *per_cpu_ptr(planted_percpu, 0);
	*per_cpu_ptr(planted_percpu, 0) = list;
	/* The grace period does not end while the module is a reader. */
	call_srcu(&planted_srcu, &callback->rcu, planted_callback);
	return 0;
}

/* Objects that only a timer or a work refers to: by the address of the timer inside them. */
static noinline int plant_timers(void)
{
	int i;

	for (i = 0; i < PLANTED; i++) {
		struct planted_timer *timer = held_timer();
		struct planted_work *work = held_work();

		if (!timer || !work)
			return -ENOMEM;
		BUILD_BUG_ON(sizeof(*timer) > sizeof(struct node) + 400);
		BUILD_BUG_ON(sizeof(*work) > sizeof(struct node) + 408);
		timer_setup(&timer->timer, planted_timer, 0);
		mod_timer(&timer->timer, jiffies + 3600 * HZ);
		INIT_DELAYED_WORK(&work->work, planted_work);
		schedule_delayed_work(&work->work, 3600 * HZ);
	}
	return 0;
}

static int planted_sleep(void *unused)
{
	void *objects[16];
	int i;

	for (i = 0; i < ARRAY_SIZE(objects); i++)
		WRITE_ONCE(objects[i], held_stack());
	complete(&planted_ready);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ);
	for (i = 0; i < ARRAY_SIZE(objects); i++)
		kfree(READ_ONCE(objects[i]));
	return 0;
}

/*
 * Clear the stack below the caller, where pointers to the objects are left: the kernel keeps the
 * stacks of threads that have ended.
 */
static noinline void planted_forget(int depth)
{
	char stack[512];

	memset(stack, 0, sizeof(stack));
	if (depth)
		planted_forget(depth - 1);
	/* The compiler must not remove an array that is only written, nor make this a loop. */
	barrier_data(stack);
}

static int planted_plant(void *done)
{
	int i, err = 0;

	for (i = 0; i < PLANTED && !err; i++)
		err = plant_held_one(i);
	if (!err)
		err = plant_timers();
	if (!err && planted_lose)
		plant_lost();
	planted_forget(11);
	complete(done);
	return err;
}

/*
 * Bytes of the objects that only one variable refers to, directly or through others of them: what
 * kmem-account why --retained has to find.
 */
static void __init planted_tell_bytes(void)
{
	size_t list = 0, inside = 0, hlist = 0, hash = 0, rb = 0, tagged = 0;
	struct node *node;
	struct rb_node *at;
	int i;

	list_for_each_entry(node, &planted_list, list)
		list += ksize(node);
	list_for_each_entry(node, &planted_inside, list)
		inside += ksize(node);
	hlist_for_each_entry(node, &planted_hlist, hash) hlist += ksize(node);
	hash_for_each(planted_hash, i, node, hash) hash += ksize(node);
	for (at = rb_first(&planted_rb); at; at = rb_next(at))
		rb += ksize(rb_entry(at, struct node, rb));
	for (i = 0; i < PLANTED; i++)
		tagged += ksize((void *)(planted_tagged[i] & ~1UL));
	pr_info("kma_planted: bytes planted_list: %zu\n", list);
	pr_info("kma_planted: bytes planted_inside: %zu\n", inside);
	pr_info("kma_planted: bytes planted_hlist: %zu\n", hlist);
	pr_info("kma_planted: bytes planted_hash: %zu\n", hash);
	pr_info("kma_planted: bytes planted_rb: %zu\n", rb);
	pr_info("kma_planted: bytes planted_tagged: %zu\n", tagged);
}

/* What kmem-account why has to find: a line for each kind that is held, in the kernel's log. */
static void __init planted_tell(void)
{
	static const char *const roots[][2] = {
		{ "held_list", "variable planted_list [kma_planted]" },
		{ "held_hlist", "variable planted_hlist [kma_planted]" },
		{ "held_rbtree", "variable planted_rb [kma_planted]" },
		{ "held_xarray", "variable planted_xa [kma_planted]" },
		{ "held_idr", "variable planted_idr [kma_planted]" },
		{ "held_hash", "variable planted_hash [kma_planted]" },
		{ "held_timer", "per-CPU variable timer_bases" },
		{ "held_work", "per-CPU variable timer_bases" },
		{ "held_percpu", "per-CPU memory" },
		{ "held_vmalloc", "vmalloc area of planted_init [kma_planted]" },
		{ "held_tagged", "variable planted_tagged [kma_planted]" },
		{ "held_inside", "variable planted_inside [kma_planted]" },
		/* the SRCU domain of a module has allocated per-CPU memory */
		{ "held_callback", "per-CPU memory" },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(roots); i++)
		pr_info("kma_planted: %s: %s\n", roots[i][0], roots[i][1]);
	pr_info("kma_planted: held_stack: task %d (%s) stack\n", planted_sleeper->pid,
		planted_sleeper->comm);
	planted_tell_bytes();
}

static int __init planted_init(void)
{
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *task;

	planted_cache = kmem_cache_create("kma_planted", 312, 0, 0, planted_ctor);
	planted_vmalloc = vzalloc(PLANTED * sizeof(*planted_vmalloc));
	planted_percpu = alloc_percpu(void *);
	if (!planted_cache || !planted_vmalloc || !planted_percpu)
		return -ENOMEM;
	planted_srcu_index = srcu_read_lock(&planted_srcu);
	/* The module stays a reader until the machine ends; this is for sparse. */
	__release(&planted_srcu);
	planted_sleeper = kthread_run(planted_sleep, NULL, "kma_planted");
	task = kthread_run(planted_plant, &done, "kma_plant");
	if (IS_ERR(task) || IS_ERR(planted_sleeper))
		return -ENOMEM;
	wait_for_completion(&planted_ready);
	wait_for_completion(&done);
	planted_tell();
	return 0;
}

/* There is no exit: what is lost cannot be freed, and the module stays. */
module_init(planted_init);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Objects that are lost, and objects that are held");
