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

// Numbers the nodes of a made tree in preorder. node: { at: index of a node of the base, or of a name if it is
// negative; kind, leaves, twins, below: Map }. Names come in the order of their indexes, other nodes in that of the base.
function numberNodes(made, base, node, parent) {
	const own = made.parent.push(parent) - 1;

	made.kind.push(node.kind);
	made.nameAt.push(node.at < 0 ? node.at : base.nameAt[node.at]);
	for (const leaf of node.leaves)
		made.leafAt[leaf] = own;
	for (const leaf of node.twins || [])
		made.twinAt[leaf] = own;
	for (const one of [...node.below.values()].sort((a, b) => a.at < 0 ? b.at - a.at : a.at - b.at))
		numberNodes(made, base, one, own);
}

// The function whose sandwich a key stands for: "through:alloc_inode"; "" for other keys.
function throughOf(by) {
	return by.startsWith("through:") ? by.slice("through:".length) : "";
}

// A sandwich of a function, from the tree by stacks: the root is the function. Below its first child is what it
// calls, below the second one what calls it, from the inside out. So each leaf is in two nodes, leafAt and twinAt,
// -1 without the function. The number of the root is that of one half.
function sandwich(base, name) {
	const made = { parent: [], kind: [], names: base.names, nameAt: [], others: ["calls", "is called by"], leafAt: [],
		       twinAt: [], leaves: base.leaves };
	const indexes = new Map();
	const node = (at, kind) => ({ at, kind, leaves: [], twins: [], below: new Map() });
	const root = node(0, KIND.ROOT), halves = [node(-1, KIND.DIR), node(-2, KIND.DIR)];
	const below = (above, text) => {
		if (!indexes.has(text))
			indexes.set(text, -made.others.push(text));
		const at = indexes.get(text);

		if (!above.below.has(at))
			above.below.set(at, node(at, KIND.NAMED));
		return above.below.get(at);
	};

	halves.forEach((half) => root.below.set(half.at, half));
	base.leafAt.forEach((end, leaf) => {
		const path = [];

		for (let i = end; i > 0; i = base.parent[i])
			path.unshift(base.names.of(base.nameAt[i]));
		const at = path.findIndex((text) => functionOf(text) === name);

		made.leafAt[leaf] = made.twinAt[leaf] = -1;
		if (at < 0)
			return;
		const inner = path.slice(at + 1), outer = path.slice(0, at).reverse();

		(inner.length ? inner : [path[at]]).reduce(below, halves[0]).leaves.push(leaf);
		(outer.length ? outer : ["[no caller in the stacks]"]).reduce(below, halves[1]).twins.push(leaf);
	});
	numberNodes(made, base, root, -1);
	return made;
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
	const root = { at: 0, kind: KIND.ROOT, leaves: [], below: new Map() };
	const below = (node, at, kind, leaf = -1) => {
		if (!node.below.has(at))
			node.below.set(at, { at, kind, leaves: leaf < 0 ? [] : [leaf], below: new Map() });
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
	numberNodes(made, base, root, -1);
	return made;
}
