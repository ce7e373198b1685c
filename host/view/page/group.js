// SPDX-License-Identifier: GPL-2.0-only
//
// group.js - makes a tree by groups (modules, slab caches, subsystems) of the tree of directories.
// The first level has the groups; below each are copies of the nodes above its leaves.

// The leaves of each group, in their order.
function leavesOfGroups(names, of) {
	const lists = names.map(() => []);

	of.forEach((group, leaf) => lists[group].push(leaf));
	return lists;
}

// base: from decodeShape(). The result has the same form, in preorder, because within a group each
// leaf adds the nodes above it that are not there yet. Names of groups are in others; their indexes
// are -1, -2 and so on.
function regroup(base, group) {
	const names = decodeNames(group.names);
	const made = { parent: [-1], kind: [KIND.ROOT], names: base.names, nameAt: [0], others: names, leafAt: [],
		       leaves: base.leaves };
	const add = (parent, kind, name) => {
		made.nameAt.push(name);
		made.kind.push(kind);
		return made.parent.push(parent) - 1;
	};

	leavesOfGroups(names, decodeNumbers(group.of)).forEach((leaves, at) => {
		const places = new Map();	// node of the base: its copy in this group
		const place = (i) => {
			if (!places.has(i))
				places.set(i, add(place(base.parent[i]), base.kind[i], base.nameAt[i]));
			return places.get(i);
		};

		places.set(0, add(0, KIND.DIR, -1 - at));
		for (const leaf of leaves) {
			const i = base.leafAt[leaf];

			made.leafAt[leaf] = add(place(base.parent[i]), base.kind[i], base.nameAt[i]);
		}
	});
	return made;
}
