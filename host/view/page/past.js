// SPDX-License-Identifier: GPL-2.0-only
//
// past.js - draws the parts of the page that show time: the stacked timeline below the chart, with
// lost events and missing samples, and the sparklines of the table.

const PAST = { height: 116, top: 14, bottom: 18, owners: 7 };
const SPARK = { width: 64, height: 18 };

// The children of the focus with the highest peaks, and the others as one.
function ownersOf(tree, metric, focus) {
	const all = tree.times.all(metric);
	const nodes = childrenOfAll(tree, focus);
	const peak = (i) => all.reduce((most, column) => Math.max(most, column[i]), 0);
	const peaks = new Map(nodes.map((i) => [i, peak(i)]));
	const shown = nodes.filter((i) => peaks.get(i)).sort((a, b) => peaks.get(b) - peaks.get(a) || a - b);
	const few = shown.length <= PAST.owners + 1 ? shown : shown.slice(0, PAST.owners);
	const owners = few.map((i) => ({ id: i, values: tree.times.series(metric, [i]) }));

	if (few.length < shown.length)
		owners.push({ id: -1, count: shown.length - few.length,
			values: tree.times.series(metric, shown.slice(few.length)) });
	return owners;
}

// All children of a node, also those whose current number is 0.
function childrenOfAll(tree, { id }) {
	const list = [];

	for (let c = id + 1; c < tree.end[id]; c = tree.end[c])
		list.push(c);
	return list.length ? list : [id];
}

function pathOf(xs, ys) {
	return xs.map((x, i) => `${i ? "L" : "M"}${x.toFixed(1)} ${ys[i].toFixed(1)}`).join("");
}

class Past {
	constructor(svg, pick) {
		this.svg = svg;
		svg.addEventListener("click", (event) => {
			const { left, width } = svg.getBoundingClientRect();
			const place = (event.clientX - left) / width;
			const near = this.places.map((at) => Math.abs(at - place));

			pick(near.indexOf(Math.min(...near)));
		});
	}

	// colour(id, n): fill of a child of the focus, the nth from below; id -1: the combined ones.
	draw(tree, state, width, colour) {
		const { times } = tree, { height, top, bottom } = PAST;
		const owners = ownersOf(tree, state.metric, state);
		const places = this.places = times.places(), xs = places.map((at) => at * width);
		const sums = times.points.map((point, at) => owners.reduce((sum, o) => sum + o.values[at], 0));
		const most = Math.max(1, ...sums), base = height - bottom;
		const y = (value) => base - (base - top) * value / most;
		let floor = sums.map(() => 0);
		const parts = [];

		for (const [n, owner] of owners.entries()) {
			const roof = owner.values.map((value, at) => floor[at] + value);
			const title = svgElement("title");
			const band = svgElement("path", { fill: colour(owner.id, n), class: "band",
				d: `${pathOf(xs, roof.map(y))}${pathOf([...xs].reverse(), [...floor].reverse().map(y))
					.replace("M", "L")}Z` });

			title.textContent = owner.id < 0 ? `${group(owner.count)} others` : tree.name(owner.id);
			band.append(title);
			parts.push(band);
			floor = roof;
		}
		this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
		this.svg.replaceChildren(...parts, ...this.marks(times, xs, base), ...this.labels(tree, state, width, most),
			svgElement("path", { class: "now", d: `M${xs[state.at].toFixed(1)} 0V${base}` }));
		this.svg.setAttribute("aria-label", this.summary(tree, state, sums));
	}

	// Marks: where samples are missing, the bands are a guess; where events were lost, too low.
	marks(times, xs, base) {
		const marks = times.gaps().map((at) => [svgElement("rect", { class: "gap", x: xs[at - 1].toFixed(1),
			y: PAST.top, width: (xs[at] - xs[at - 1]).toFixed(1), height: base - PAST.top }), at]);

		times.points.forEach(({ lost, begins }, at) => {
			const x = xs[at].toFixed(1);

			if (begins)
				marks.push([svgElement("path", { class: "begins", d: `M${x} ${PAST.top}V${base}` }), at]);
			if (lost)
				marks.push([svgElement("path", { class: "lost", d: `M${x} 11l-5 -9h10Z` }), at]);
		});
		return marks.map(([mark, at]) => {
			const title = svgElement("title");

			title.textContent = `${times.when(at)}: ${times.remarks(at)}`;
			mark.append(title);
			return mark;
		});
	}

	labels(tree, state, width, most) {
		const { times } = tree, y = PAST.height - 4;
		const text = (x, at, anchor, value) => {
			const element = svgElement("text", { x, y: at, "text-anchor": anchor, "font-size": 11 });

			element.textContent = value;
			return element;
		};

		return [text(0, y, "start", times.when(0)), text(width, y, "end", times.when(times.last)),
			text(2, 11, "start", formatValue(tree.metrics[state.metric], most))];
	}

	summary(tree, state, sums) {
		const { times } = tree, metric = tree.metrics[state.metric];
		const least = sums.indexOf(Math.min(...sums)), most = sums.indexOf(Math.max(...sums));
		const say = (at) => `${formatValue(metric, sums[at])} at ${times.when(at)}`;
		const marked = times.points.map((point, at) => times.remarks(at) && `${times.when(at)}: ` +
			times.remarks(at)).filter((remark) => remark);

		return `Over time: from ${say(0)} to ${say(times.last)}; least ${say(least)}, most ${say(most)}.` +
			(marked.length ? ` ${marked.join(". ")}.` : "");
	}
}

// The numbers of a row over time as a small line, with a dot at the time that is shown.
function sparkline(values, places, at, label) {
	const { width, height } = SPARK;
	const least = Math.min(...values), span = Math.max(...values) - least;
	const x = (i) => 2 + places[i] * (width - 4);
	const y = (value) => span ? height - 3 - (height - 6) * (value - least) / span : height / 2;
	const svg = svgElement("svg", { class: "spark", width, height, role: "img", "aria-label": label,
		viewBox: `0 0 ${width} ${height}` });

	svg.append(svgElement("path", { d: pathOf(values.map((value, i) => x(i)), values.map(y)) }),
		svgElement("circle", { cx: x(at).toFixed(1), cy: y(values[at]).toFixed(1), r: 2 }));
	return svg;
}
