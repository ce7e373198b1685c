// SPDX-License-Identifier: GPL-2.0-only
//
// tree.js - decodes the tree that page-data.c wrote. Nodes are numbers in preorder, so the nodes
// below node i are those from i + 1 to end[i]. This file does not use the page.

const KIND = { ROOT: 0, DIR: 1, FILE: 2, CALLER: 3, SECTION: 4, NAMED: 5, FOLDED: 6 };
const KINDS = 7;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const SIGNS = { "~p": "+", "~c": ",", "~t": "~" };

// A name starts with the length that it shares with the name before it. "~3" is a section, and
// "+1f/2c0" an offset and a size.
function decodeNames(raw) {
	let last = "";

	return raw.names.split(",").map((code) => {
		if (code[0] === "~")
			return raw.sections[+code.slice(1)];
		last = last.slice(0, DIGITS.indexOf(code[0])) + code.slice(1);
		let name = last;

		if (name.includes("+"))
			name = name.replace(/\+([0-9a-f]+)\/([0-9a-f]+)/g, "+0x$1/0x$2");
		return name.includes("~") ? name.replace(/~[pct]/g, (sign) => SIGNS[sign]) : name;
	});
}

// Numbers to base 36 between commas, ":n" is n zeros; put(value) takes them in order.
function decodeColumn(text, put) {
	for (const word of text ? text.split(",") : []) {
		if (word[0] !== ":") {
			put(parseInt(word, 36));
			continue;
		}
		for (let zeros = parseInt(word.slice(1), 36); zeros > 0; zeros--)
			put(0);
	}
}

// The values of a metric for all nodes. The column has the nodes without children; the values of
// the others are sums. values: those of the other metrics.
function decodeMetric(tree, metric, values) {
	const column = new Float64Array(tree.size);

	if (metric.sum) {
		for (const [name, sign] of Object.entries(metric.sum)) {
			const part = values[tree.metrics.findIndex((m) => m.name === name)];

			for (let i = 0; i < tree.size; i++)
				column[i] += sign * part[i];
		}
		return column;
	}
	let at = 0;
	decodeColumn(metric.column, (value) => {
		while (tree.end[at] !== at + 1)
			at++;
		column[at++] = value;
	});
	return rollUp(tree, column);
}

function rollUp(tree, column) {
	for (let i = tree.size - 1; i > 0; i--)
		column[tree.parent[i]] += column[i];
	return column;
}

// In a comparison, the size of a node without children is the amount of its change, up or down.
// The sizes of all other nodes are sums of these.
function changed(tree, before, after) {
	const column = new Float64Array(tree.size);

	for (let i = 0; i < tree.size; i++)
		if (tree.isLeaf(i))
			column[i] = Math.abs(after[i] - before[i]);
	return rollUp(tree, column);
}

// The kinds and levels of all nodes. A level is stored as the distance up from a child of the
// node before.
function decodeShape(tree, raw, codes) {
	const below = [];
	let folded = 0, top = -1;

	for (let i = 0; i < tree.size; i++) {
		const code = codes[i], letter = DIGITS.indexOf(code[code.length - 1]);
		const up = Math.floor(letter / KINDS) + (code.length > 1 ? parseInt(code.slice(1), 10) : 0);

		if (i)
			below.length -= up;
		tree.parent[i] = i ? below[below.length - 1] : -1;
		if (below.length === 1)
			top++;
		tree.top[i] = top;
		below.push(i);
		tree.kind[i] = letter % KINDS;
	}
	for (let i = tree.size - 1; i >= 0; i--) {
		tree.end[i] = Math.max(tree.end[i], i + 1);
		if (i)
			tree.end[tree.parent[i]] = Math.max(tree.end[tree.parent[i]], tree.end[i]);
	}
	for (let i = 0; i < tree.size; i++)
		if (tree.end[i] === i + 1)
			tree.count[i] = tree.kind[i] === KIND.FOLDED ? raw.folded[folded++] : 1;
	for (let i = tree.size - 1; i > 0; i--)
		tree.count[tree.parent[i]] += tree.count[i];
}

// Replaces characters that have no glyph or change the direction of text by visible ones.
function visible(name) {
	return name.replace(
		/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
		"\ufffd");
}

class Tree {
	constructor(raw) {
		const codes = raw.shape.match(/\(\d+\).|./g);

		this.raw = raw;
		this.size = codes.length;
		this.metrics = raw.metrics;
		this.parent = new Int32Array(this.size);
		this.end = new Int32Array(this.size);
		this.top = new Int32Array(this.size);	// the child of the root that contains it
		this.kind = new Uint8Array(this.size);
		this.count = new Float64Array(this.size);	// number of leaves below
		this.names = decodeNames(raw);
		this.names[0] = raw.branch || "the kernel";
		decodeShape(this, raw, codes);
		// For two trees; values are then sizes.
		this.compared = this.metrics.some((m) => m.before);
		if (this.compared) {
			this.before = this.decode((m) => m.before);
			this.after = this.decode((m) => m.after);
			this.moved = this.metrics.map((m, i) => changed(this, this.before[i], this.after[i]));
			// The sizes that a user can select. If nothing changed, "change" shows the sizes of after.
			this.sizes = {
				change: this.moved.map((column, i) => column[0] ? column : this.after[i]),
				before: this.before,
				after: this.after,
			};
			this.values = this.sizes.change;
		} else {
			this.values = this.decode((m) => m);
			this.sizes = { change: this.values };
		}
		this.lists = new Map();
	}

	// For a comparison: selects the sizes.
	useSizes(name) {
		if (this.values !== this.sizes[name])
			this.lists.clear();
		this.values = this.sizes[name];
	}

	// All metrics. numbers(metric) has the column of a metric, or the terms of its sum.
	decode(numbers) {
		const sums = this.metrics.map((m) => numbers(m).sum), values = [];
		// A sum is computed after its terms, in any order of the columns.
		const later = (sum) => sum ? 1 + Object.keys(sum).filter((n) =>
			sums[this.metrics.findIndex((m) => m.name === n)]).length : 0;
		const order = sums.map((sum, i) => i).sort((a, b) => later(sums[a]) - later(sums[b]));

		for (const i of order)
			values[i] = decodeMetric(this, numbers(this.metrics[i]), values);
		return values;
	}

	// The sums of some nodes: their value, in a comparison also before and after.
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

	// The name as in the input; combined nodes have none.
	rawName(i) {
		return this.kind[i] === KIND.FOLDED ? `other (${group(this.count[i])})` : this.names[i];
	}

	// The name as it is shown.
	name(i) {
		return visible(this.rawName(i));
	}

	// All children, largest first.
	children(i, metric) {
		const key = metric * this.size + i;
		let list = this.lists.get(key);

		if (!list) {
			const values = this.values[metric];

			list = [];
			for (let c = i + 1; c < this.end[i]; c = this.end[c])
				list.push(c);
			list.sort((a, b) => values[b] - values[a] || a - b);
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
		return names.join("/");
	}

	path(i) {
		return visible(this.rawPath(i));
	}

	// Follows a list of names from the root, as far as nodes have these names.
	find(names) {
		let at = 0, known = 0;

		for (const name of names) {
			let child = at + 1;

			while (child < this.end[at] && (this.isLeaf(child) || this.names[child] !== name))
				child = this.end[child];
			if (child >= this.end[at])
				break;
			at = child;
			known++;
		}
		return { id: at, whole: known === names.length };
	}
}

const grouped = new Intl.NumberFormat("en-US");

function group(number) {
	return grouped.format(number);
}

// The format of the program: exact halves of a tenth are rounded to the even tenth.
function formatBytes(value) {
	const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
	let unit = 0;

	while (value >= (unit ? 1023.95 : 1024) && unit < units.length - 1) {
		value /= 1024;
		unit++;
	}
	if (!unit)
		return `${value} B`;
	const down = Math.floor(value * 10), half = value * 10 - down;
	const tenths = down + (half > 0.5 || (half === 0.5 && down % 2) ? 1 : 0);

	return `${(tenths / 10).toFixed(1)} ${units[unit]}`;
}

function formatTime(value) {
	const units = ["us", "ms", "s"];
	let unit = 0;

	if (value < 1000)
		return `${value} ns`;
	for (value /= 1000; value >= 999.95 && unit < units.length - 1; unit++)
		value /= 1000;
	return `${(Math.floor(value * 10 + 0.5) / 10).toFixed(1)} ${units[unit]}`;
}

function formatValue(metric, value) {
	if (metric.unit === "ns")
		return formatTime(value);
	return metric.unit === "bytes" ? formatBytes(value) : group(value);
}

// A change as in the pictures, always with its sign.
function formatChange(metric, { before, after }) {
	if (after === before)
		return "±0";
	return (after > before ? "+" : "−") + formatValue(metric, Math.abs(after - before));
}

// The increases and decreases that a sum of changes hides: " (+1.3 MiB and −1.4 MiB)".
function formatMoves(metric, { moved, before, after }) {
	const up = (moved + after - before) / 2, down = (moved - after + before) / 2;

	return up > 0 && down > 0 ?
		` (+${formatValue(metric, up)} and −${formatValue(metric, down)})` : "";
}

function formatPercent({ before, after }) {
	if (!before || !after)
		return before ? "gone" : after ? "new" : "";
	const percent = 100 * Math.abs(after - before) / before;

	if (before === after)
		return "";
	if (percent >= 9999.5)
		return ">9999%";
	return `${after < before ? "−" : "+"}${percent.toFixed(percent < 999.95 ? 1 : 0)}%`;
}

// The number in texts: the value, or the change.
function formatOwn(metric, own) {
	return own.before === undefined ? formatValue(metric, own.value) : formatChange(metric, own);
}

// Halves are rounded up.
function formatShare(part, whole) {
	if (part > 0 && part * 2000 < whole)
		return "<0.1%";
	return `${(whole ? Math.floor((part * 2000 + whole) / 2 / whole) / 10 : 0).toFixed(1)}%`;
}
