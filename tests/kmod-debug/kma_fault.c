// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_fault.c - one allocation fails while another module's init function runs.
 *
 *	insmod kma_fault.ko target=NAME
 *	echo N > /sys/module/kma_fault/parameters/nth	(or step)
 *	insmod NAME.ko
 *	cat /sys/module/kma_fault/parameters/fired
 *
 * nth: the N-th allocation of NAME's init function fails. step: the first one in
 * the N-th place of NAME that allocates, in the order in which the loads since
 * insmod have come to them; places differ by NAME's own functions on the stack.
 * Nothing before it and nothing after it fails. Which allocations count is up to
 * the files failslab/ and fail_page_alloc/ of debugfs.
 *
 * The module loader tells of NAME before it calls NAME's init function, and takes
 * the address of that from a place that may be written to: here. A kprobe where
 * the kernel asks whether an allocation is to fail says so, by the task's
 * fail_nth of CONFIG_FAULT_INJECTION.
 */
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <asm/unwind.h>

#define FAULT_STEPS 256

static char *fault_target = "";
module_param_named(target, fault_target, charp, 0400);
MODULE_PARM_DESC(target, "Name of the module (default none)");

static unsigned int fault_nth;
module_param_named(nth, fault_nth, uint, 0600);
MODULE_PARM_DESC(nth, "Which allocation fails (default 0: none)");

static unsigned int fault_step;
module_param_named(step, fault_step, uint, 0600);
MODULE_PARM_DESC(step, "Which step fails (default 0: none)");

/* Results. */
static bool fault_fired;
module_param_named(fired, fault_fired, bool, 0400);
MODULE_PARM_DESC(fired, "Not to be set: something has failed in the last load");

static unsigned int fault_asked;
module_param_named(allocations, fault_asked, uint, 0400);
MODULE_PARM_DESC(allocations, "Not to be set: allocations of the last load");

static u32 fault_places[FAULT_STEPS];
static unsigned int fault_steps;
module_param_named(steps, fault_steps, uint, 0400);
MODULE_PARM_DESC(steps, "Not to be set: steps of all loads");

static struct task_struct *fault_task; /* in the init function */
static struct module *fault_module;
static int (*fault_init_of_target)(void);

/*
 * A number for the target's functions that are on the stack; wherever the module
 * was loaded to, for that is at the beginning of a page.
 */
static u32 fault_place(struct pt_regs *regs)
{
	struct unwind_state state;
	u32 place = 0;

	for (unwind_start(&state, current, regs, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		unsigned long addr = unwind_get_return_address(&state);

		if (!addr)
			break;
		if (within_module(addr, fault_module))
			place = jhash_2words(offset_in_page(addr), place, 0);
	}
	return place;
}

/* From 1 on; FAULT_STEPS + 1 for what is too much. */
static unsigned int fault_step_of(u32 place)
{
	unsigned int i;

	for (i = 0; i < fault_steps; i++)
		if (fault_places[i] == place)
			return i + 1;
	if (i < FAULT_STEPS) {
		fault_places[i] = place;
		fault_steps = i + 1;
	}
	return i + 1;
}

/* bool should_fail_ex(struct fault_attr *attr, ssize_t size, int flags) */
static int fault_asks(struct kprobe *kp, struct pt_regs *regs)
{
	unsigned int step;

	if (current != fault_task || !in_task())
		return 0;
	step = fault_step_of(fault_place(regs));
	fault_asked++;
	if (fault_fired || (fault_asked != fault_nth && step != fault_step))
		return 0;
	fault_fired = true;
	current->fail_nth = 1;
	return 0;
}

static struct kprobe fault_kprobe = {
	.symbol_name = "should_fail_ex",
	.pre_handler = fault_asks,
};

static int fault_call_init(void)
{
	int err;

	fault_fired = false;
	fault_asked = 0;
	fault_task = current;
	err = fault_init_of_target();
	fault_task = NULL;
	return err;
}

static int fault_notify(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;

	if (state == MODULE_STATE_COMING && !strcmp(mod->name, fault_target)) {
		fault_module = mod;
		fault_init_of_target = mod->init;
		mod->init = fault_call_init;
	}
	return NOTIFY_OK;
}

static struct notifier_block fault_nb = {
	.notifier_call = fault_notify,
};

static int __init fault_init(void)
{
	int err;

	err = register_kprobe(&fault_kprobe);
	if (err)
		return err;
	err = register_module_notifier(&fault_nb);
	if (err)
		unregister_kprobe(&fault_kprobe);
	return err;
}

static void __exit fault_exit(void)
{
	unregister_module_notifier(&fault_nb);
	unregister_kprobe(&fault_kprobe);
}

module_init(fault_init);
module_exit(fault_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Allocation failures in another module's init function");
