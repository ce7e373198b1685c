// SPDX-License-Identifier: GPL-2.0-only
//
// tree.js - a tree with its numbers. Nodes are numbers in preorder, so the nodes below node i are
// i + 1 to end[i] - 1. Nothing here touches the document.

// The numbers of a metric for all nodes. The column has those of the leaves, or the rest to a sum
// of other metrics, whose numbers are in values.
function decodeMetric(tree, metric, values) {
	const column = new Float64Array(tree.size);

	if (metric.column !== undefined)
		scatter(tree, decodeNumbers(metric.column), column);
	rollUp(tree, column);
	for (const [name, sign] of Object.entries(metric.sum || {})) {
		const part = values[tree.metrics.findIndex((m) => m.name === name)];

		for (let i = 0; i < tree.size; i++)
			column[i] += sign * part[i];
	}
	return column;
}

// Copies the numbers of the leaves that are selected into a column of all nodes.
function scatter(tree, numbers, column) {
	const { leafAt, twinAt, pass } = tree;

	for (let leaf = 0; leaf < numbers.length; leaf++) {
		if ((pass && !pass[leaf]) || leafAt[leaf] < 0)
			continue;
		column[leafAt[leaf]] += numbers[leaf];
		if (twinAt)
			column[twinAt[leaf]] += numbers[leaf];
	}
}

function rollUp(tree, column) {
	for (let i = tree.size - 1; i > 0; i--)
		column[tree.parent[i]] += column[i];
	// the root of a sandwich has two equal halves, and is as large as one
	if (tree.twinAt)
		column[0] /= 2;
	return column;
}

// A list whose members are computed when they are first read.
function lazily(size, make) {
	const list = new Array(size);

	for (let i = 0; i < size; i++)
		Object.defineProperty(list, i, { configurable: true, enumerable: true, get: () => {
			const value = make(i);

			Object.defineProperty(list, i, { value });
			return value;
		} });
	return list;
}

// In a comparison, the size of a leaf is the amount of its change, up or down; the sizes of all
// other nodes are sums of these.
function changed(tree, before, after) {
	const column = new Float64Array(tree.size);

	for (const i of tree.leafAt)
		column[i] = Math.abs(after[i] - before[i]);
	return rollUp(tree, column);
}

// Makes characters visible that have no glyph or change the direction of the text after them.
function visible(name) {
	return name.replace(
		/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
		"\ufffd");
}

class Tree {
	// by: keys by which the page has a tree, or can make one. only: rules that select its leaves.
	constructor(raw, by, only) {
		const through = throughOf(by);
		const own = raw.trees.find((tree) => tree.by === (through ? "stack" : by));
		const made = own ? null : partsOf(raw, by);
		const source = own || (made ? made.source : raw);
		const base = decodeShape(source);

		this.raw = raw;
		this.by = by;
		Object.assign(this, selectLeaves(source, base, raw.branch, only));
		this.metrics = source.metrics;
		const lines = decodeLines(source);
		const shape = through ? sandwich(base, through) : made ? regroup(base, made.parts, source.split) : base;

		Object.assign(this, { others: [], lineAt: [], fileAt: [], files: [] }, lines ? expand(shape, lines) : shape);
		this.size = this.parent.length;
		this.climb();
		// Numbers of both sides of a comparison; values are then sizes.
		this.compared = this.metrics.some((m) => m.before);
		if (this.compared) {
			this.before = this.decode((m) => m.before);
			this.after = this.decode((m) => m.after);
			this.moved = this.lazily((i) => changed(this, this.before[i], this.after[i]));
			// Sizes that a user can select. If nothing changed, "change" has the sizes after.
			this.sizes = {
				change: this.lazily((i) => this.moved[i][0] ? this.moved[i] : this.after[i]),
				before: this.before,
				after: this.after,
			};
			this.values = this.sizes.change;
		} else {
			this.values = this.decode((m) => m);
			this.sizes = { change: this.values };
		}
		this.newest = this.values;
		// The attribute that is shown first.
		this.usual = Math.max(0, this.metrics.findIndex((m) => m.name === raw.metric));
		this.lists = new Map();
		this.times = source.times ? new Times(this, source.times) : null;
		this.at = this.times ? this.times.last : 0;
	}

	// Switches to the numbers of a time; times.last is the newest.
	useTime(at) {
		if (!this.times || this.at === at)
			return;
		this.at = at;
		this.values = this.lazily((i) => this.times.column(i, at));
		this.sizes = { change: this.values };
		this.lists.clear();
	}

	lazily(make) {
		return lazily(this.metrics.length, make);
	}

	// For each node: end[], the child of the root above it, the number of leaves of the input.
	climb() {
		const { size, parent } = this;

		this.end = endsOf(parent);
		this.top = new Int32Array(size);
		this.count = new Float64Array(size);
		for (let i = 0, top = -1; i < size; i++) {
			if (!parent[i])
				top++;
			this.top[i] = top;
		}
		scatter(this, this.leaves, this.count);
		rollUp(this, this.count);
	}

	// Selects the sizes of a comparison.
	useSizes(name) {
		if (this.values !== this.sizes[name])
			this.lists.clear();
		this.values = this.sizes[name];
	}

	// All metrics. numbers(metric): its column, or the terms of its sum, or both.
	decode(numbers) {
		const values = this.lazily((i) => decodeMetric(this, numbers(this.metrics[i]), values));

		return values;
	}

	// Sums over some nodes: value, in a comparison also before and after.
	measure(metric, nodes) {
		const sum = (values) => nodes.reduce((all, i) => all + values[i], 0);
		const own = { value: sum(this.values[metric]) };

		if (this.compared) {
			own.before = sum(this.before[metric]);
			own.after = sum(this.after[metric]);
			own.moved = sum(this.moved[metric]);
		}
		return own;
	}

	isLeaf(i) {
		return this.end[i] === i + 1;
	}

	// The name as in the input; "other (12)" for combined nodes.
	rawName(i) {
		return this.kind[i] === KIND.FOLDED ? `other (${group(this.count[i])})` : this.ownName(i);
	}

	// The name in the data; "" for combined nodes.
	ownName(i) {
		const at = this.nameAt[i];

		if (!i)
			return throughOf(this.by) || this.raw.branch || "the kernel";
		return at < 0 ? this.others[-1 - at] : this.names.of(at);
	}

	// The name to show: the line, for one of several call sites of a function.
	name(i) {
		if (this.kind[i] === KIND.CALLER && this.kind[this.parent[i]] === KIND.FUNCTION)
			return this.lineName(i);
		return visible(this.rawName(i));
	}

	// "inode.c:266"; with the offset, if another call site is in the same line.
	lineName(i) {
		const text = (at) => {
			const { file, line } = this.placeOf(at);

			return `${visible(file.slice(file.lastIndexOf("/") + 1))}:${line}`;
		};
		const own = text(i), above = this.parent[i], offset = /\+0x[0-9a-f]+/.exec(this.ownName(i));

		for (let c = above + 1; offset && c < this.end[above]; c = this.end[c])
			if (c !== i && text(c) === own)
				return `${own} ${offset[0]}`;
		return own;
	}

	// { file, line } of a call site or an inlined function; null if unknown.
	placeOf(i) {
		const line = this.lineAt[i], file = this.fileAt[i];
		let at = i;

		if (!line)
			return null;
		if (file)
			return { file: this.files[file - 1], line };
		while (at > 0 && this.kind[at] !== KIND.FILE)
			at = this.parent[at];
		return { file: at > 0 ? this.filePath(at) : "?", line };
	}

	// The path of a file from the top of the source, without the keys above it.
	filePath(i) {
		const names = this.ancestors(i).slice(1).filter((a) => this.nameAt[a] >= 0).map((a) => this.ownName(a));

		if (this.raw.branch)
			names.unshift(this.raw.branch);
		return names.join("/");
	}

	// "fs/inode.c:266"; "" if unknown.
	where(i) {
		const place = this.placeOf(i);

		return place ? visible(`${place.file}:${place.line}`) : "";
	}

	// Whether a node has numbers in the input: a call site, a section or combined leaves.
	isSite(i) {
		return this.kind[i] === KIND.CALLER || (this.isLeaf(i) && this.kind[i] !== KIND.INLINE);
	}

	// All children, largest first; values: other numbers than those that are shown.
	children(i, metric, values = this.values[metric]) {
		const own = values === this.values[metric], key = metric * this.size + i;
		let list = own ? this.lists.get(key) : null;

		if (!list) {
			list = [];
			for (let c = i + 1; c < this.end[i]; c = this.end[c])
				list.push(c);
			list.sort((a, b) => values[b] - values[a] || a - b);
			if (own)
				this.lists.set(key, list);
		}
		return list;
	}

	ancestors(i) {
		const list = [];

		for (; i >= 0; i = this.parent[i])
			list.unshift(i);
		return list;
	}

	// The path from the top of the kernel's source, as in the rest of the program.
	rawPath(i) {
		const names = this.ancestors(i).slice(1).map((a) => this.rawName(a));

		if (this.raw.branch)
			names.unshift(this.raw.branch);
		// The root cgroup's name is "/".
		return names.join("/").replace(/^\/\//, "/");
	}

	path(i) {
		return visible(this.rawPath(i));
	}

	// Follows a list of names from the root, as far as nodes have these names; to a leaf only if asked.
	find(names, leaves) {
		let at = 0, known = 0;

		for (const name of names) {
			let child = at + 1;

			while (child < this.end[at] && ((this.isLeaf(child) && !leaves) || this.ownName(child) !== name))
				child = this.end[child];
			if (child >= this.end[at])
				break;
			at = child;
			known++;
		}
		return { id: at, whole: known === names.length };
	}
}
