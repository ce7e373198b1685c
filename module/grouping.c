// SPDX-License-Identifier: GPL-2.0-only
/*
 * grouping.c - the switches cgroup and node: events, groups and the worker together.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kconfig.h>
#include <linux/printk.h>

#include "account/class.h"
#include "grouping.h"
#include "guard/serial.h"
#include "show/debugfs.h"
#include "watch/cgroup.h"
#include "watch/dispatch.h"
#include "watch/group.h"
#include "watch/switches.h"

/*
 * Turn the switches on or off. The kept groups (group_now.h) and the quick index belong to the
 * previous switches until the last event that uses these has ended, so they are dropped only then.
 * After that, the quick index has no class without a group while a switch is on (account.h).
 */
int kma_grouping_switch(bool cgroup, bool node, void (*quiesce)(void))
{
	int err;

	if (cgroup == kma_switches.cgroup && node == kma_switches.node)
		return 0;
	if (cgroup && !IS_ENABLED(CONFIG_CGROUPS)) {
		pr_err("cgroup on: this kernel has no cgroups (CONFIG_CGROUPS)\n");
		return -EOPNOTSUPP;
	}
	err = kma_group_reserve(kma_cgroup_wake);
	if (err)
		return err;
	kma_switches.cgroup = cgroup;
	kma_switches.node = node;
	kma_group_switch(cgroup, node);
	kma_dispatch_use(KMA_DISPATCH_GROUPS, cgroup || node);
	quiesce();
	kma_group_forget();
	kma_serial_lock_map();
	kma_class_forget();
	kma_serial_unlock_map();
	if (cgroup)
		kma_cgroup_start();
	kma_debugfs_update();
	return 0;
}
