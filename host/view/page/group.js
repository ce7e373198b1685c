// SPDX-License-Identifier: GPL-2.0-only
//
// group.js - makes a tree by groups (modules, slab caches, subsystems) of the tree of directories.
// The first levels have the groups; below them are copies of the nodes above their leaves.

// The groups of a list of keys, as "module,cache"; null if the script does not make its tree.
function groupsOf(raw, by) {
	const groups = by.split(",").map((key) => raw.groups.find((one) => one.by === key));

	return groups.every((one) => one) && new Set(groups).size === groups.length ? groups : null;
}

// base: from decodeShape(). The result has the same form, in preorder, because the leaves are sorted by
// their groups, and each adds the nodes above it that are not there yet. Names of groups are in others;
// their indexes are -1, -2 and so on.
function regroup(base, groups) {
	const names = groups.map((group) => decodeNames(group.names));
	const of = groups.map((group) => decodeNumbers(group.of));
	const first = names.map((_, level) => names.slice(0, level).reduce((sum, list) => sum + list.length, 0));
	const made = { parent: [-1], kind: [KIND.ROOT], names: base.names, nameAt: [0], others: names.flat(), leafAt: [],
		       leaves: base.leaves };
	const differs = (a, b) => of.findIndex((list) => list[a] !== list[b]);
	const order = Array.from(base.leafAt, (_, leaf) => leaf).sort((a, b) => {
		const level = differs(a, b);

		return level < 0 ? a - b : of[level][a] - of[level][b];
	});
	const add = (parent, kind, name) => {
		made.nameAt.push(name);
		made.kind.push(kind);
		return made.parent.push(parent) - 1;
	};
	const above = [0];	// the root, and the node of each group of the last leaf
	let places = null;	// node of the base: its copy in these groups
	const place = (i) => {
		if (!places.has(i))
			places.set(i, add(place(base.parent[i]), base.kind[i], base.nameAt[i]));
		return places.get(i);
	};

	order.forEach((leaf, at) => {
		const level = at ? differs(leaf, order[at - 1]) : 0;
		const i = base.leafAt[leaf];

		if (level >= 0) {
			above.length = level + 1;
			for (let l = level; l < of.length; l++)
				above.push(add(above[l], KIND.DIR, -1 - first[l] - of[l][leaf]));
			places = new Map([[0, above[of.length]]]);
		}
		made.leafAt[leaf] = add(place(base.parent[i]), base.kind[i], base.nameAt[i]);
	});
	return made;
}
