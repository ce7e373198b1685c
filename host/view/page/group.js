// SPDX-License-Identifier: GPL-2.0-only
//
// group.js - other trees over the leaves of a page: a group (a module, a slab cache, a subsystem)
// comes first, and below it the directories that its leaves are in.

// The leaves of each group, in their order.
function leavesOfGroups(names, of) {
	const lists = names.map(() => []);

	of.forEach((group, leaf) => lists[group].push(leaf));
	return lists;
}

// base: a tree as decodeShape() has it. The result is in preorder, too, and has other names besides,
// whose numbers are -1, -2 and so on: within a group, leaves come
// in their order, and each brings what it is in unless a leaf before it did.
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
		const places = new Map();	// of nodes of the base in this group
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
