// SPDX-License-Identifier: GPL-2.0-only
//
// group.js - makes a tree by keys (modules, slab caches, cgroups) of the tree of directories, or of a tree
// whose first levels are cgroups or NUMA nodes. The first levels have the keys; below them are copies of
// the other nodes above their leaves.

// The first key of a tree by cgroup or NUMA node: one of the keys of its leaves.
function tableOf(source) {
	return source.split === undefined ? null : source.by.split(",")[0];
}

// The tree from which one by a list of keys ("module,cgroup") is made, and for each key its names and the
// numbers of the leaves; for the first key of that tree null. null if the script does not make it.
function partsOf(raw, by) {
	const keys = by.split(",");

	for (const source of [raw, ...raw.trees.filter(tableOf)]) {
		const table = tableOf(source);
		const parts = keys.map((key) => key === table ? null : source.groups.find((one) => one.by === key));

		if (new Set(keys).size === keys.length && !parts.includes(undefined) && parts.includes(null) === !!table)
			return { source, parts };
	}
	return null;
}

// base: from decodeShape(). The result has the same form. Names of keys are in others; their indexes are
// -1, -2 and so on. split: for each leaf how many nodes above it are those of the first key of its tree.
function regroup(base, parts, split) {
	const names = parts.map((part) => part ? decodeNames(part.names) : []);
	const of = parts.map((part) => part && decodeNumbers(part.of));
	const first = names.map((_, level) => names.slice(0, level).reduce((sum, list) => sum + list.length, 0));
	const cuts = parts.includes(null) ? decodeNumbers(split) : null;
	const made = { parent: [], kind: [], names: base.names, nameAt: [], others: names.flat(), leafAt: [],
		       leaves: base.leaves };
	const root = { at: 0, kind: KIND.ROOT, leaf: -1, below: new Map() };
	const below = (node, at, kind, leaf = -1) => {
		if (!node.below.has(at))
			node.below.set(at, { at, kind, leaf, below: new Map() });
		return node.below.get(at);
	};

	base.leafAt.forEach((i, leaf) => {
		const above = [], copy = (node, at) => below(node, at, base.kind[at]);

		for (let at = base.parent[i]; at > 0; at = base.parent[at])
			above.unshift(at);
		const cut = cuts ? cuts[leaf] : 0;
		const node = parts.reduce((node, part, level) => part ?
			below(node, -1 - first[level] - of[level][leaf], KIND.DIR) :
			above.slice(0, cut).reduce(copy, node), root);

		below(above.slice(cut).reduce(copy, node), i, base.kind[i], leaf);
	});
	// in preorder; names of keys are in the order of their indexes, other nodes in that of the base
	const number = (node, parent) => {
		const own = made.parent.push(parent) - 1;

		made.kind.push(node.kind);
		made.nameAt.push(node.at < 0 ? node.at : base.nameAt[node.at]);
		if (node.leaf >= 0)
			made.leafAt[node.leaf] = own;
		for (const one of [...node.below.values()].sort((a, b) => a.at < 0 ? b.at - a.at : a.at - b.at))
			number(one, own);
	};

	number(root, -1);
	return made;
}
