// SPDX-License-Identifier: GPL-2.0-only
//
// layout.js - selects the nodes to draw and computes their positions: geometry only. Children
// that would be too small are combined, for each parent, in one cell that can be opened. Its key
// is "parent~from": the children of a parent from index "from" on, in the order of their sizes. The
// focus, the root of the chart, is such a pair, too.

const MIN_TURN = 0.2 / 360;	// smallest slice of a ring, as a share of a turn
const MIN_HEIGHT = 1.5;		// pixels of an icicle, and of a flame graph's width
const MIN_SHARE = 1 / 2500;	// smallest box of a treemap, as a share of its area
const AT_LEAST = 60;		// children of the focus that are drawn, however small
const HOLE = 0.2;		// radius of the hole, as a share of the chart's radius
const HOLE_MIN = 48;		// pixels
const BAND = 28;		// pixels of an icicle's first column
const ROOT = 34;		// most pixels of the lowest row of a flame graph
const TITLE = 22;		// pixels above a treemap

function keyOf(id, from) {
	return from ? `${id}~${from}` : `${id}`;
}

// The children of a focus that have a size.
function childrenOf(tree, metric, id, from) {
	const values = tree.values[metric];
	const list = tree.children(id, metric);
	let end = list.length;

	while (end > from && !values[list[end - 1]])
		end--;
	return list.slice(from, end);
}

// The part of the tree that is drawn, as nested objects.
function prune(tree, metric, focus, levels, least) {
	const values = tree.values[metric];

	// An object has value; in a comparison also before and after.
	function cell(id, from, list, level) {
		const self = Object.assign({
			key: keyOf(id, from), id, from, level, kids: null,
			// The number of leaves of a node, or of combined nodes.
			rest: from ? list.length : 0, more: false,
		}, tree.measure(metric, from ? list : [id]));

		if (!level || !self.rest)
			fill(self, list);
		self.more = !self.kids && list.length > 0;
		return self;
	}

	function fill(self, list) {
		const bound = self.level ? 0 : AT_LEAST;
		let shown = 0;

		if (self.level >= levels || !list.length)
			return;
		while (shown < list.length && (values[list[shown]] >= least || shown < bound))
			shown++;
		if (shown + 1 === list.length && values[list[shown]] * 2 >= least)
			shown++;
		if (!shown)
			return;
		self.kids = list.slice(0, shown).map((i) =>
			cell(i, 0, childrenOf(tree, metric, i, 0), self.level + 1));
		if (shown < list.length)
			self.kids.push(cell(self.id, self.from + shown, list.slice(shown), self.level + 1));
	}

	// the halves of a sandwich are equal: in their own order
	const halves = tree.twinAt && !focus.id;
	const list = childrenOf(tree, metric, focus.id, focus.from).sort((a, b) => halves ? a - b : 0);

	least *= tree.measure(metric, focus.from ? list : [focus.id]).value;
	return cell(focus.id, focus.from, list, 0);
}

function hierarchy(data) {
	const root = d3.hierarchy(data, (d) => d.kids);

	// The sums come from the data, because not all children of a node are drawn.
	root.each((node) => {
		node.value = node.data.value;
	});
	return root;
}

function layoutPartition(root, frame) {
	d3.partition()(root);
	frame.levels = Math.max(1, root.height);
	return (node) => ({ x0: node.x0, x1: node.x1, y0: 0, y1: 0 });
}

// Areas are shares of the whole. Headings and margins take no area, except those of the focus,
// whose area is not compared with others.
function layoutTreemap(root, frame) {
	d3.treemap().size([frame.width, frame.height - TITLE])(root);
	frame.levels = Math.max(1, root.height);
	return (node) => ({ x0: node.x0, x1: node.x1, y0: node.depth ? node.y0 + TITLE : 0,
			    y1: node.y1 + TITLE });
}

// The root of a sandwich is a row; what it calls lies above it, what calls it below. The second half is at the right
// of the first one, from 1 to 2.
function projectHalves(frame, x0, x1, level) {
	const [above, below] = frame.halves, row = frame.height / (above + below + 1);
	const lower = level > 0 && x0 + x1 >= 2, top = above * row + (lower ? level : -level) * row;
	const left = lower ? x0 - 1 : x0, right = lower ? x1 - 1 : x1;

	return [left * frame.width, right * frame.width, top, top + row];
}

// Levels of a cell and below it.
function depthOf(node) {
	return node.height + 1;
}

const CHARTS = {
	rings: {
		title: "Rings",
		least: () => MIN_TURN,
		layout: layoutPartition,
		// Angles remain shares of a turn, and levels become radii.
		project(frame, x0, x1, level) {
			const radius = Math.min(frame.width, frame.height) / 2 - 3;
			const hole = Math.max(HOLE_MIN, radius * HOLE);
			const at = (l) => l <= 0 ? 0 :
				Math.min(radius, hole + (l - 1) * (radius - hole) / frame.levels);

			return [x0, x1, at(level), at(level + 1)];
		},
	},
	icicle: {
		title: "Icicle",
		least: (frame) => MIN_HEIGHT / frame.height,
		layout: layoutPartition,
		// Levels are columns, so names are horizontal and have space.
		project(frame, x0, x1, level) {
			const column = (frame.width - BAND) / frame.levels;
			const at = (l) => l <= 0 ? 0 : Math.min(frame.width, BAND + (l - 1) * column);

			return [at(level), at(level + 1), x0 * frame.height, x1 * frame.height];
		},
	},
	flame: {
		title: "Flame graph",
		least: (frame) => MIN_HEIGHT / frame.width,
		layout: layoutPartition,
		// Levels are rows, from the bottom up.
		project(frame, x0, x1, level) {
			if (frame.halves)
				return projectHalves(frame, x0, x1, level);
			const root = Math.min(ROOT, frame.height / (frame.levels + 1)), row = (frame.height - root) / frame.levels;
			const at = (l) => frame.height - (l <= 0 ? 0 : root + (Math.min(l, frame.levels + 1) - 1) * row);

			return [x0 * frame.width, x1 * frame.width, at(level + 1), at(level)];
		},
	},
	treemap: {
		title: "Treemap",
		least: () => MIN_SHARE,
		layout: layoutTreemap,
	},
};

// All cells of a chart by key, each with its rectangle: [x0, x1, y0, y1].
function makeLayout(tree, state, levels, width, height) {
	const chart = CHARTS[state.chart];
	const frame = { width, height, levels: 1 };
	const root = hierarchy(prune(tree, state.metric, state, levels, chart.least(frame)));
	const box = chart.layout(root, frame);

	// of the halves the one that the function calls comes first in the tree
	if (tree.twinAt && !state.id && root.children)
		frame.halves = [...root.children].sort((a, b) => a.data.id - b.data.id).map(depthOf);
	const cells = new Map();

	root.each((node) => {
		const cell = Object.assign(node.data, box(node));

		cell.parent = node.parent ? node.parent.data : null;
		cell.rect = chart.project ?
			chart.project(frame, cell.x0, cell.x1, cell.level) :
			[cell.x0, cell.x1, cell.y0, cell.y1];
		cells.set(cell.key, cell);
	});
	return { chart: state.chart, metric: state.metric, frame, cells, root: root.data };
}

// Computes the scale and offset of each axis from positions in layout "to" to those in layout
// "from", and the way back. If neither layout contains the focus of the other, the result is null.
function relate(from, to) {
	const into = from.cells.get(to.root.key), outOf = to.cells.get(from.root.key);
	const scale = (inner, outer, axis) => {
		const size = outer[axis + 1] - outer[axis] || 1;
		const a = (inner[axis + 1] - inner[axis]) / size;

		return { a: a || 1e-9, b: inner[axis] - a * outer[axis] };
	};
	const side = (cell) => [cell.x0, cell.x1, cell.y0, cell.y1];
	const inverse = ({ a, b }) => ({ a: 1 / a, b: -b / a });
	let x, y, level;

	if (from.chart !== to.chart || (!into && !outOf))
		return null;
	if (into) {
		x = scale(side(into), side(to.root), 0);
		y = scale(side(into), side(to.root), 2);
		level = into.level;
	} else {
		x = inverse(scale(side(outOf), side(from.root), 0));
		y = inverse(scale(side(outOf), side(from.root), 2));
		level = -outOf.level;
	}
	return { x, y, level, back: { x: inverse(x), y: inverse(y), level: -level } };
}

// The position of a cell in another layout, which does not contain it, by the scales of relate().
function moved(cell, layout, by) {
	const limit = (value, end) => Math.max(0, Math.min(end, value));
	const chart = CHARTS[layout.chart];
	const wide = chart.project ? 1 : layout.frame.width;
	const x0 = limit(by.x.a * cell.x0 + by.x.b, wide);
	const x1 = limit(by.x.a * cell.x1 + by.x.b, wide);

	if (chart.project)
		return chart.project(layout.frame, x0, x1, cell.level + by.level);
	return [x0, x1, limit(by.y.a * cell.y0 + by.y.b, layout.frame.height),
		limit(by.y.a * cell.y1 + by.y.b, layout.frame.height)];
}
