// SPDX-License-Identifier: GPL-2.0-only
//
// draw.js - draws a layout, and the animation from one layout to the next. A chart at rest is
// SVG: it can be read aloud, focused, printed and saved. An animation is drawn on a canvas
// above it, because a frame in SVG takes several times as long. Meanwhile each frame makes some of
// the SVG elements; they are shown when all are complete and the animation has ended. The first
// frame after a click only draws the canvas; other parts of the view, such as the table, are drawn
// in the next frames. A cell keeps its element, and so the keyboard's focus, while it is drawn.

const SVG = "http://www.w3.org/2000/svg";
const ZOOM_MS = 420;
const SLICE_MS = 5;	// time of a frame in which elements are made
const LAID_OUT = true;	// yielded by a step after which the browser needs the rest of the frame
const LABEL = 12, SMALL = 11, PAD = 4;
const LETTERS_LEAST = 5;	// of a shortened label
const PLATE = 17, PLATE_MIN = 26;	// height of a directory's name in a treemap, least width
const HEADED = 2;	// levels of a treemap whose directories have a heading as wide as they are
const FRAMES = [0, 4, 2.5];		// lines around directories in a treemap, by level

function svgElement(name, attributes) {
	const element = document.createElementNS(SVG, name);

	for (const [key, value] of Object.entries(attributes || {}))
		element.setAttribute(key, value);
	return element;
}

const ruler = document.createElement("canvas").getContext("2d");
const widths = new Map();

function textWidth(text, size, bold) {
	const key = `${bold ? "b" : ""}${text}`;

	if (!widths.has(key)) {
		ruler.font = `${bold ? "600 " : ""}100px ${FONT}`;
		widths.set(key, ruler.measureText(text).width / 100);
	}
	return widths.get(key) * size;
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

// The start of a text that fits; "" if fewer than a few letters fit.
function elide(text, size, room, bold) {
	if (textWidth(text, size, bold) <= room)
		return text;
	// A combined cell has the label "other" or none.
	if (text.startsWith("other ("))
		return textWidth("other", size, bold) <= room ? "other" : "";
	let low = 0, high = text.length;

	while (low < high) {
		const middle = (low + high + 1) >> 1;

		if (textWidth(`${text.slice(0, middle)}…`, size, bold) <= room)
			low = middle;
		else
			high = middle - 1;
	}
	return low >= LETTERS_LEAST ? `${text.slice(0, low).trimEnd()}…` : "";
}

// The chart shows the function of a call site; the table and tooltips show the whole text.
function shortName(tree, cell) {
	if (cell.rest)
		return `other (${group(cell.rest)})`;
	const name = tree.name(cell.id);

	return tree.kind[cell.id] !== KIND.CALLER || tree.kind[tree.parent[cell.id]] === KIND.FUNCTION ?
		name : name.replace(/\+0x[0-9a-f]+(\/0x[0-9a-f]+)?/, "").replace(/^\S+:\d+ (?=\S)/, "");
}

// The innermost cells of a cell, in the order of the layout.
function leavesOf(cell) {
	return cell.kids ? cell.kids.flatMap(leavesOf) : [cell];
}

// The node that a click on a cell opens. The leaves of a treemap cover their directories, so a
// click on a leaf opens its directory.
function opensTo(layout, cell) {
	if (cell.more || cell.kids || layout.chart !== "treemap")
		return cell.more || cell.kids ? cell : null;
	return cell.parent && cell.parent.level ? cell.parent : null;
}

// Index of a change among 2 * steps + 1 colours, from gone over unchanged to new. The smallest
// change has another colour than no change.
function stepOf({ before, after }, steps) {
	const most = Math.max(before, after);

	if (before === after)
		return steps;
	return steps + Math.sign(after - before) *
		Math.max(1, Math.round(steps * Math.abs(after - before) / most));
}

// The path of a slice of a ring from x0 to x1 of a turn and from radius r0 to r1. Angles start at
// the top. An arc of a path is less than a turn, so a whole ring has two.
function slice(x0, x1, r0, r1) {
	if (x1 - x0 > 1 - 1e-6)
		return circle(r1, 1) + (r0 > 0 ? circle(r0, 0) : "");
	const wide = x1 - x0 > 0.5 ? 1 : 0;
	const place = (x, r) => {
		const angle = x * 2 * Math.PI;

		return `${(r * Math.sin(angle)).toFixed(2)} ${(-r * Math.cos(angle)).toFixed(2)}`;
	};
	const outside = `M${place(x0, r1)}A${r1.toFixed(2)} ${r1.toFixed(2)} 0 ${wide} 1 ${place(x1, r1)}`;

	return outside + (r0 > 0 ?
		`L${place(x1, r0)}A${r0.toFixed(2)} ${r0.toFixed(2)} 0 ${wide} 0 ${place(x0, r0)}Z` : "L0 0Z");
}

function circle(radius, sweep) {
	const r = radius.toFixed(2);

	return `M0 -${r}A${r} ${r} 0 0 ${sweep} 0 ${r}A${r} ${r} 0 0 ${sweep} 0 -${r}Z`;
}

const SHAPES = {
	rings: {
		trace(pen, r) {
			const begin = r[0] * 2 * Math.PI - Math.PI / 2, end = r[1] * 2 * Math.PI - Math.PI / 2;

			pen.arc(0, 0, r[3], begin, end);
			pen.arc(0, 0, r[2], end, begin, true);
			pen.closePath();
		},
		path: (r) => slice(...r),
		edge: (r) => slice(r[0], r[1], r[3] - 3, r[3]),
		thick: (r) => (r[1] - r[0]) * 2 * Math.PI * r[3],
		centre: (r) => {
			const turn = (r[0] + r[1]) * Math.PI, radius = (r[2] + r[3]) / 2;

			return r[2] ? [radius * Math.sin(turn), -radius * Math.cos(turn)] : [0, 0];
		},
	},
	icicle: {
		trace: traceBox,
		path: box,
		edge: (r) => box([r[1] - 3, r[1], r[2], r[3]]),
		thick: (r) => r[3] - r[2],
		centre: (r) => [(r[0] + r[1]) / 2, (r[2] + r[3]) / 2],
	},
	flame: {
		trace: traceBox,
		path: box,
		edge: (r) => box([r[0], r[1], r[2], r[2] + 2]),
		thick: (r) => Math.min(r[1] - r[0], r[3] - r[2]),
		centre: (r) => [(r[0] + r[1]) / 2, (r[2] + r[3]) / 2],
	},
	treemap: {
		trace: traceBox,
		path: box,
		edge: (r) => box([r[0], r[1], r[3] - 2, r[3]]),
		thick: (r) => Math.min(r[1] - r[0], r[3] - r[2]),
		centre: (r) => [(r[0] + r[1]) / 2, (r[2] + r[3]) / 2],
	},
};

function traceBox(pen, r) {
	pen.rect(r[0], r[2], r[1] - r[0], r[3] - r[2]);
}

function box(r) {
	return `M${r[0].toFixed(2)} ${r[2].toFixed(2)}H${r[1].toFixed(2)}V${r[3].toFixed(2)}` +
		`H${r[0].toFixed(2)}Z`;
}

// Checks whether a turned rectangle around a point is inside a slice of a ring, by its corners
// and the middle of the edge that is nearest to the centre.
function holds(rect, x, y, angle, width, height) {
	const [x0, x1, r0, r1] = rect;
	const cos = Math.cos(angle), sin = Math.sin(angle);
	const begin = x0 * 2 * Math.PI, turn = (x1 - x0) * 2 * Math.PI;
	const points = [];

	for (const [dx, dy] of [[-1, -1], [1, -1], [1, 1], [-1, 1], [0, -1], [0, 1], [-1, 0], [1, 0]]) {
		const u = dx * width / 2, v = dy * height / 2;

		points.push([x + u * cos - v * sin, y + u * sin + v * cos]);
	}
	return points.every(([px, py]) => {
		const radius = Math.hypot(px, py);
		const from = ((Math.atan2(px, -py) - begin) % (2 * Math.PI) + 2 * Math.PI) % (2 * Math.PI);

		return radius >= r0 && radius <= r1 && (turn > 6.28 || from <= turn);
	});
}

// Space for lines of text in a slice of a ring: level if they fit, else along the ring or the
// radius, whichever has more space. One line may be shortened; several are whole or left out.
function ringLabel(rect, lines, size) {
	const [x0, x1, r0, r1] = rect;
	const turn = (x1 - x0) * Math.PI, middle = (x0 + x1) * Math.PI, radius = (r0 + r1) / 2;
	const high = size * 1.15 * lines.length;

	if (turn < Math.PI / 2 && 2 * r1 * Math.tan(turn) < high)
		return null;
	const wide = Math.max(...lines.map((text) => textWidth(text, size))) + 2 * PAD;
	const place = (at, angle, shown) => ({
		lines: shown, x: at * Math.sin(middle), y: -at * Math.cos(middle), angle });

	if (holds(rect, radius * Math.sin(middle), -radius * Math.cos(middle), 0, wide, high))
		return place(radius, 0, lines);
	// Straight text: its inner corners have to be within the angle, its outer ones in the ring.
	const across = Math.min(
		turn < Math.PI / 2 ? 2 * (radius - high / 2) * Math.tan(turn) : Infinity,
		2 * Math.sqrt(Math.max(0, r1 * r1 - (radius + high / 2) ** 2))) - 2 * PAD;
	// The inner end of radial text needs its height within the angle.
	const inner = turn < Math.PI / 2 ? Math.max(r0, high / 2 / Math.tan(turn)) : r0;
	const along = r1 - inner - 2 * PAD;
	const radial = wide > across + 2 * PAD && along > across;
	const room = radial ? along : across;
	const shown = lines.map((text) => elide(text, size, room));
	const degrees = middle * 180 / Math.PI;

	if (!shown[0] || (lines.length > 1 && (shown.some((text, i) => text !== lines[i]) ||
	    (!radial && high > r1 - r0))))
		return null;
	if (radial)
		return place((inner + r1) / 2, degrees + (degrees > 180 ? 90 : -90), shown);
	return place(radius, degrees > 90 && degrees < 270 ? degrees - 180 : degrees, shown);
}

class Chart {
	constructor(tree, svg, canvas, theme) {
		this.tree = tree;
		this.svg = svg;
		this.canvas = canvas;
		this.theme = theme;
		this.layout = null;
		this.items = new Map();		// key: { cell, path, now, start, end, fill }
		this.timer = 0;
		this.rest = [];			// steps that draw other parts of the view
		this.describe = () => "";	// describes a cell in words
		this.shapes = svgElement("g", { class: "shapes", role: "group" });
		this.edges = svgElement("g", { class: "edges", "aria-hidden": "true" });
		this.frames = svgElement("g", { class: "frames", "aria-hidden": "true" });
		this.labels = svgElement("g", { class: "labels", "aria-hidden": "true" });
		this.mark = svgElement("path", { class: "mark", "aria-hidden": "true" });
		this.pick = svgElement("path", { class: "pick", "aria-hidden": "true" });
		this.hues = null;		// colours of the nodes below the focus
		this.origin = svgElement("g", { role: "none" });
		this.origin.append(this.shapes, this.edges, this.labels, this.frames, this.pick, this.mark);
		svg.replaceChildren(this.origin);
		this.pattern = svgElement("path", { role: "treeitem", tabindex: -1 });
	}

	// Switches to another tree, which has other cells.
	use(tree, theme) {
		cancelAnimationFrame(this.timer);
		this.timer = 0;
		this.rest = [];
		this.tree = tree;
		this.theme = theme;
		this.layout = null;
		for (const key of [...this.items.keys()])
			this.drop(key);
	}

	// Fill and ink of a cell: by change in a comparison, else by the part of the focus that it is in
	// (colour.js), paler with each level.
	colours(cell) {
		if (!cell.level)
			return [this.theme.hole, this.theme.ink];
		if (this.tree.compared) {
			const { changes } = this.theme, at = 2 * stepOf(cell, (changes.length / 2 - 1) / 2);

			return [changes[at], changes[at + 1]];
		}
		const grey = cell.rest || !cell.id || this.tree.kind[cell.id] === KIND.FOLDED;
		const { row, up } = grey ? { row: 0, up: 0 } : this.hues.of(cell.id);
		const ring = Math.max(0, Math.min(5, cell.level - up - (grey ? 0 : 1)));

		return this.theme.palette[row].slice(2 * ring, 2 * ring + 2);
	}

	// Draws a layout; with motion, cells start at their positions in the last layout. rest: iterator
	// whose steps draw other parts of the view; without it, the last iterator is finished.
	show(layout, motion, rest) {
		const last = this.layout;
		const { width, height } = layout.frame;
		const by = last && motion ? relate(last, layout) : null;

		cancelAnimationFrame(this.timer);
		this.timer = 0;
		this.layout = layout;
		this.rest = rest || this.rest;
		this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
		this.origin.setAttribute("transform", layout.chart === "rings" ?
			`translate(${width / 2} ${height / 2})` : "");
		for (const [key, item] of this.items) {
			const leaves = !layout.cells.has(key);

			item.start = item.now.slice();
			item.end = leaves && by ? moved(item.cell, layout, by.back) : null;
			if (leaves && !by)
				this.drop(key);
		}
		for (const cell of layout.cells.values())
			this.enter(cell, last, by);
		this.outline(null);
		this.select(null);
		this.building = this.build();
		if (by) {
			this.animate();
			return;
		}
		this.work(Infinity);
		this.settle();
	}

	enter(cell, last, by) {
		let item = this.items.get(cell.key);

		if (!item) {
			item = { path: null, start: by ? moved(cell, last, by) : cell.rect };
			item.now = item.start.slice();
			this.items.set(cell.key, item);
		}
		item.cell = cell;
		item.fill = this.colours(cell)[0];
		item.end = cell.rect;
	}

	drop(key) {
		const item = this.items.get(key);

		if (item.path)
			item.path.remove();
		this.items.delete(key);
	}

	animate() {
		const pen = this.canvas.getContext("2d");
		const { width, height } = this.layout.frame;
		const scale = window.devicePixelRatio || 1;
		let begin = 0, arrived = false;
		const step = (now) => {
			// It starts with the first frame: the handling of the click does not shorten it.
			const first = !begin, end = performance.now() + SLICE_MS;

			begin = begin || now;
			if (!arrived)
				arrived = this.move((now - begin) / ZOOM_MS, pen, scale);
			const complete = !first && this.work(end);

			this.timer = arrived && complete ? 0 : requestAnimationFrame(step);
			if (!this.timer)
				this.settle();
		};

		this.canvas.width = Math.round(width * scale);
		this.canvas.height = Math.round(height * scale);
		this.canvas.style.aspectRatio = `${width} / ${height}`;
		this.timer = requestAnimationFrame(step);
	}

	// Draws a frame of the animation at a share of its time; returns whether it was the last one.
	move(share, pen, scale) {
		const t = Math.min(1, share);
		const eased = t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;

		for (const item of this.items.values())
			for (let i = 0; i < 4; i++)
				item.now[i] = item.start[i] + (item.end[i] - item.start[i]) * eased;
		this.paint(pen, scale);
		this.svg.parentNode.classList.add("moving");
		this.svg.setAttribute("aria-busy", "true");
		return t === 1;
	}

	// Makes elements until a time of performance.now(); returns whether all are complete.
	work(end) {
		for (;;) {
			const { done, value } = this.building.next();

			if (done)
				return true;
			if (end < Infinity && (value === LAID_OUT || performance.now() >= end))
				return false;
		}
	}

	paint(pen, scale) {
		const { width, height } = this.layout.frame;
		const shape = SHAPES[this.layout.chart];

		pen.setTransform(scale, 0, 0, scale, 0, 0);
		pen.clearRect(0, 0, width, height);
		if (this.layout.chart === "rings")
			pen.translate(width / 2, height / 2);
		pen.strokeStyle = this.theme.edge;
		pen.lineWidth = 1;
		for (const item of this.items.values()) {
			const thick = shape.thick(item.now);

			if (thick < 0.4 || item.now[3] - item.now[2] < 0.4)
				continue;
			pen.beginPath();
			shape.trace(pen, item.now);
			pen.fillStyle = item.fill;
			pen.fill();
			if (thick > 4)
				pen.stroke();
		}
	}

	// Draws in steps: other parts of the view, then the chart at rest: elements in the order of the
	// tree, dark edges, labels.
	*build() {
		const { cells, chart } = this.layout, shape = SHAPES[chart];

		yield* this.rest;
		let next = this.shapes.firstChild, nr = 0;

		this.shapes.setAttribute("stroke", this.theme.edge);
		this.edges.replaceChildren();
		this.labels.replaceChildren();
		this.frames.replaceChildren();
		for (const cell of cells.values()) {
			const path = this.element(cell);

			next = this.clear(next);
			// Most old elements are in order: move only the others.
			if (path === next)
				next = next.nextSibling;
			else
				this.place(path, next);
			// Combined cells need no edge: they are grey.
			if (cell.more && !cell.rest && shape.thick(cell.rect) > 4)
				this.edges.append(svgElement("path", { d: shape.edge(cell.rect), class: "edge",
					fill: this.theme.more }));
			if (++nr % 8 === 0)
				yield;
		}
		this.frame();
		yield* this.label();
	}

	// Removes elements that are not drawn any more, from path on; returns the next one that is. The
	// one with the keyboard's focus is removed last.
	clear(path) {
		while (path && !this.layout.cells.has(path.cell.key)) {
			const gone = path;

			path = path.nextSibling;
			if (gone === document.activeElement)
				continue;
			this.items.get(gone.cell.key).path = null;
			gone.remove();
		}
		return path;
	}

	// Moves an element, which would lose the keyboard's focus.
	place(path, next) {
		const focused = document.activeElement === path;

		this.shapes.insertBefore(path, next);
		if (focused)
			path.focus({ preventScroll: true });
	}

	// Shows the elements when all are complete.
	settle() {
		for (const [key, item] of this.items) {
			if (this.layout.cells.has(key))
				item.now = item.cell.rect.slice();
			else
				this.drop(key);
		}
		this.svg.parentNode.classList.remove("moving");
		this.svg.removeAttribute("aria-busy");
		if (this.settled)
			this.settled();
	}

	// Directories in a treemap have a line around them, half inside and half outside.
	frame() {
		const frames = [];

		for (const cell of this.layout.chart === "treemap" ? this.layout.cells.values() : []) {
			const wide = cell.kids && FRAMES[cell.level], [x0, x1, y0, y1] = cell.rect;

			if (wide && Math.min(x1 - x0, y1 - y0) > 4 * wide)
				frames.unshift(svgElement("rect", { x: x0.toFixed(2), y: y0.toFixed(2),
					width: (x1 - x0).toFixed(2), height: (y1 - y0).toFixed(2), fill: "none",
					stroke: this.theme.edge, "stroke-width": wide }));
		}
		this.frames.replaceChildren(...frames);
	}

	element(cell) {
		const item = this.items.get(cell.key);
		const shape = SHAPES[this.layout.chart];
		const thick = shape.thick(cell.rect);

		item.path = item.path || this.pattern.cloneNode();
		item.path.cell = cell;
		for (const [name, value] of [
			["d", shape.path(cell.rect)],
			["fill", item.fill],
			// The line between two slices must not hide thin slices.
			["stroke-width", thick > 6 ? 1 : Math.max(0, thick / 8).toFixed(2)],
			["class", cell.level ? (opensTo(this.layout, cell) ? "cell open" : "cell") : "cell root"],
			["aria-level", cell.level + 1],
			["aria-label", this.describe(cell)]])
			item.path.setAttribute(name, value);
		return item.path;
	}

	*label() {
		const draw = { rings: this.labelRings, icicle: this.labelBoxes, flame: this.labelBoxes };
		let nr = 0;

		this.labels.replaceChildren();
		if (this.layout.chart === "treemap") {
			yield* this.labelTreemap();
			return;
		}
		for (const cell of this.layout.cells.values()) {
			draw[this.layout.chart].call(this, cell);
			if (++nr % 8 === 0)
				yield;
		}
	}

	text(cell, x, y, size, text, attributes) {
		const element = svgElement("text", Object.assign({
			x: x.toFixed(1), y: y.toFixed(1), "font-size": size,
			fill: this.colours(cell)[1] }, attributes));

		element.textContent = text;
		element.cell = cell;
		this.labels.append(element);
	}

	// The hole has the name and the size of the focus.
	labelHole(cell) {
		const room = 1.75 * cell.rect[3];
		const metric = this.tree.metrics[this.layout.metric];
		const value = formatOwn(metric, cell);
		const size = Math.min(28, room / Math.max(3, textWidth(value, 1, true)));
		const small = Math.max(11, Math.min(13, size * 0.5));
		const middle = { "text-anchor": "middle" };
		const faint = { ...middle, fill: this.theme.faint };

		this.text(cell, 0, size * 0.35, size, value, { ...middle, "font-weight": 600 });
		this.text(cell, 0, -size * 0.55 - small * 0.4, small,
			elide(shortName(this.tree, cell), small, room * 0.86), faint);
		if (textWidth(metric.what, small) < room * 0.9)
			this.text(cell, 0, size * 0.45 + small * 1.25, small, metric.what, faint);
	}

	labelRings(cell) {
		if (!cell.level) {
			this.labelHole(cell);
			return;
		}
		const name = shortName(this.tree, cell);
		const value = formatOwn(this.tree.metrics[this.layout.metric], cell);
		// As in the pictures: with the size if both fit.
		const label = ringLabel(cell.rect, [name, value], LABEL) || ringLabel(cell.rect, [name], LABEL);

		if (!label)
			return;
		label.lines.forEach((text, i) => {
			const y = LABEL * (0.36 + 1.15 * (i - (label.lines.length - 1) / 2));

			this.text(cell, 0, y, i ? SMALL : LABEL, text, { "text-anchor": "middle",
				transform: `translate(${label.x.toFixed(1)} ${label.y.toFixed(1)}) ` +
					`rotate(${label.angle.toFixed(1)})` });
		});
	}

	labelBoxes(cell) {
		const [x0, x1, y0, y1] = cell.rect;
		const room = x1 - x0 - 2 * PAD, middle = (y0 + y1) / 2;
		const name = shortName(this.tree, cell);

		if (!cell.level && this.layout.chart === "icicle") {
			this.text(cell, 0, LABEL * 0.36, LABEL, elide(name, LABEL, y1 - y0 - 2 * PAD), {
				"text-anchor": "middle", "font-weight": 600,
				transform: `translate(${(x0 + x1) / 2} ${middle.toFixed(1)}) rotate(-90)` });
			return;
		}
		const shown = y1 - y0 > LABEL + 3 ? elide(name, LABEL, room) : "";

		// In a flame graph a narrow box has its name along its height.
		if (!shown && this.layout.chart === "flame" && x1 - x0 > LABEL + 3)
			this.text(cell, 0, LABEL * 0.36, LABEL, elide(name, LABEL, y1 - y0 - 2 * PAD), {
				"text-anchor": "middle", transform: `translate(${((x0 + x1) / 2).toFixed(1)} ${middle.toFixed(1)}) rotate(-90)` });
		if (!shown)
			return;
		const value = formatOwn(this.tree.metrics[this.layout.metric], cell);
		const wide = textWidth(value, SMALL);
		const beside = textWidth(shown, LABEL) + wide + 10 < room;
		const below = !beside && y1 - y0 > 2.6 * LABEL && wide < room;

		this.text(cell, x0 + PAD, middle + LABEL * 0.36 - (below ? LABEL * 0.6 : 0), LABEL, shown);
		if (beside)
			this.text(cell, x1 - PAD - 2, middle + LABEL * 0.36, SMALL, value,
				{ "text-anchor": "end" });
		else if (below)
			this.text(cell, x0 + PAD, middle + LABEL, SMALL, value);
	}

	// Outer directories first, so that their names are above those of the inner ones.
	*labelTreemap() {
		const used = new Map();		// key: height of the names in a box

		for (const cell of this.layout.cells.values()) {
			if (!cell.level)
				this.labelTitle(cell);
			else if (cell.kids)
				this.labelPlate(cell, used);
			else
				this.labelLeaf(cell, used.get(cell.key) || 0);
			yield;
		}
	}

	labelTitle(cell) {
		const room = cell.rect[1] - 2 * PAD;
		const shown = elide(shortName(this.tree, cell), LABEL, room, true);
		const value = formatOwn(this.tree.metrics[this.layout.metric], cell);

		this.text(cell, PAD, LABEL + 4, LABEL, shown, { "font-weight": 600 });
		if (textWidth(shown, LABEL, true) + textWidth(value, SMALL) + 8 < room)
			this.text(cell, cell.rect[1] - PAD, LABEL + 4, SMALL, value, { "text-anchor": "end" });
	}

	// A heading over the whole width of a directory, on its colour, if no box within it is hidden by it. It lies on
	// the boxes, whose areas stay what they are.
	labelHeading(cell, boxes, used) {
		const [x0, x1, y0] = cell.rect, covered = boxes.filter((b) => b.rect[2] < y0 + 1);
		const from = Math.max(...covered.map((b) => y0 + (used.get(b.key) || 0)));
		const under = boxes.filter((b) => b.rect[2] < from + PLATE);
		const name = elide(shortName(this.tree, cell), LABEL, x1 - x0 - 2 * PAD, true);

		if (cell.level > HEADED || !name || under.some((b) => b.rect[3] < from + PLATE + LABEL))
			return false;
		this.plate(cell, x0, from, x1 - x0, name);
		for (const b of under)
			used.set(b.key, from + PLATE - b.rect[2]);
		return true;
	}

	// A directory's name on its colour, and its size if there is room in this width.
	plate(cell, x, y, wide, name) {
		const value = formatOwn(this.tree.metrics[this.layout.metric], cell);
		const own = textWidth(name, LABEL, true), fits = own + textWidth(value, SMALL) + 8 <= wide - 2 * PAD;
		const plate = svgElement("rect", { x: x.toFixed(2), y: y.toFixed(2), class: "plate",
			width: wide.toFixed(2), height: PLATE, fill: this.colours(cell)[0] });

		plate.cell = cell;
		this.labels.append(plate);
		this.text(cell, x + PAD, y + LABEL + 1, LABEL, name, { "font-weight": 600 });
		if (fits)
			this.text(cell, x + PAD + own + 8, y + LABEL + 1, SMALL, value);
	}

	// A directory's name in the first box within it that has enough space, if it has no heading.
	labelPlate(cell, used) {
		const boxes = leavesOf(cell);

		if (this.labelHeading(cell, boxes, used))
			return;
		const name = shortName(this.tree, cell);
		const value = formatOwn(this.tree.metrics[this.layout.metric], cell);
		const fits = (box, wide) => wide + 2 * PAD <= box.rect[1] - box.rect[0] &&
			(used.get(box.key) || 0) + PLATE <= box.rect[3] - box.rect[2];
		const box = boxes.find((b) => fits(b, textWidth(name, LABEL, true))) ||
			boxes.find((b) => fits(b, PLATE_MIN));

		if (!box)
			return;
		const room = box.rect[1] - box.rect[0] - 2 * PAD;
		const shown = elide(name, LABEL, room, true);

		if (!shown)
			return;
		const own = textWidth(shown, LABEL, true), more = textWidth(value, SMALL) + 8;

		this.plate(cell, box.rect[0], box.rect[2] + (used.get(box.key) || 0),
			own + (own + more <= room ? more : 0) + 2 * PAD, shown);
		used.set(box.key, (used.get(box.key) || 0) + PLATE);
	}

	labelLeaf(cell, above) {
		const [x0, x1, y0, y1] = cell.rect;
		const room = x1 - x0 - 2 * PAD, top = y0 + above;
		const shown = y1 - top < LABEL + 3 ? "" : elide(shortName(this.tree, cell), LABEL, room);
		const value = formatOwn(this.tree.metrics[this.layout.metric], cell);

		if (!shown)
			return;
		this.text(cell, x0 + PAD, top + LABEL + 1, LABEL, shown);
		if (y1 - top > 2.6 * LABEL && textWidth(value, SMALL) < room)
			this.text(cell, x0 + PAD, top + 2.2 * LABEL + 1, SMALL, value);
	}

	repaint(theme) {
		this.theme = theme;
		if (!this.layout)
			return;
		for (const item of this.items.values()) {
			item.fill = this.colours(item.cell)[0];
			if (!item.path)
				continue;
			item.path.setAttribute("fill", item.fill);
		}
		this.shapes.setAttribute("stroke", theme.edge);
		for (const edge of this.edges.children)
			edge.setAttribute("fill", theme.more);
		for (const frame of this.frames.children)
			frame.setAttribute("stroke", theme.edge);
		// During an animation, all elements are made again with the new colours.
		if (this.timer)
			this.building = this.build();
		else
			[...this.label()];
	}

	// The outline of a cell, above all other cells.
	outline(cell, strong) {
		if (!cell || !this.layout.cells.has(cell.key) || this.timer) {
			this.mark.removeAttribute("d");
			return;
		}
		this.mark.setAttribute("d", SHAPES[this.layout.chart].path(cell.rect));
		this.mark.setAttribute("class", strong ? "mark strong" : "mark");
	}

	// The lasting outline of the cell that a user has selected; null: none.
	select(cell) {
		if (cell && this.layout.cells.has(cell.key))
			this.pick.setAttribute("d", SHAPES[this.layout.chart].path(cell.rect));
		else
			this.pick.removeAttribute("d");
	}

	// The middle of a cell, in pixels of the window.
	middleOf(cell) {
		const [x, y] = SHAPES[this.layout.chart].centre(cell.rect);
		const point = new DOMPoint(x, y).matrixTransform(this.origin.getScreenCTM());

		return [point.x, point.y];
	}
}
