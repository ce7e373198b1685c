/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group_id.h - values that are stored instead of a cgroup id or of a node (group.h).
 */
#ifndef KMA_GROUP_ID_H
#define KMA_GROUP_ID_H

#include <linux/types.h>

/* Ids that are not those of cgroups. debugfs prints the negative numbers. */
#define KMA_ID_NONE	0ll	/* the switch cgroup is off; shown as KMA_ID_BEFORE */
#define KMA_ID_IRQ	(-1ll)
#define KMA_ID_KTHREAD	(-2ll)
#define KMA_ID_BEFORE	(-3ll)
#define KMA_ID_GONE	(-4ll)
#define KMA_ID_OTHER	(-5ll)

/*
 * The id of the root of a hierarchy, by kernfs_create_root(). No hierarchy has another cgroup with
 * this id. Nobody is charged for its tasks.
 */
#define KMA_ID_ROOT	(sizeof(ino_t) < sizeof(u64) ? (1ll << 32 | 1) : 1ll)

#define KMA_NODE_NONE	(-1)	/* the switch node is off, or the object is on several nodes */

#endif /* KMA_GROUP_ID_H */
