// SPDX-License-Identifier: GPL-2.0-only
/*
 * grouping.c - the switches cgroup and node: events, groups and the worker together.
 */
#include <linux/errno.h>
#include <linux/kconfig.h>

#include "account/class.h"
#include "grouping.h"
#include "guard/say.h"
#include "guard/serial.h"
#include "show/debugfs.h"
#include "watch/cgroup.h"
#include "watch/dispatch.h"
#include "watch/group.h"
#include "watch/switches.h"

/*
 * On: events leave the path that does not compare groups; the last event on it ends; then
 * events find groups. Off: no event finds a group; the quick index forgets the classes, which
 * have groups; events return to that path. What a CPU keeps is of the switches of before until
 * the last event by these has ended; only then can the CPU forget it.
 */
int kma_grouping_switch(bool cgroup, bool node, void (*quiesce)(void))
{
	int err;

	if (cgroup == kma_switches.cgroup && node == kma_switches.node)
		return 0;
	if (cgroup && !IS_ENABLED(CONFIG_CGROUPS)) {
		kma_err("cgroup on: this kernel has no cgroups (CONFIG_CGROUPS)\n");
		return -EOPNOTSUPP;
	}
	err = kma_group_reserve(kma_cgroup_wake);
	if (err)
		return err;
	if (cgroup || node) {
		kma_dispatch_use(KMA_DISPATCH_GROUPS, true);
		quiesce();
	}
	kma_switches.cgroup = cgroup;
	kma_switches.node = node;
	kma_group_switch(cgroup, node);
	quiesce();
	kma_group_forget();
	if (!cgroup && !node) {
		kma_serial_lock_map();
		kma_class_forget();
		kma_serial_unlock_map();
		kma_dispatch_use(KMA_DISPATCH_GROUPS, false);
	}
	if (cgroup)
		kma_cgroup_start();
	kma_debugfs_update();
	return 0;
}
