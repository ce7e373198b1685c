// SPDX-License-Identifier: GPL-2.0-only
//
// act.js - saves the content of the page (CSV, SVG, print), and starts the page.

// Saving and printing

let sayTimer = 0;

function say(text) {
	at("said").textContent = text;
	clearTimeout(sayTimer);
	sayTimer = setTimeout(() => {
		at("said").textContent = "";
	}, 6000);
}

async function copyCsv() {
	const text = table.csv();

	try {
		await navigator.clipboard.writeText(text);
	} catch {
		// A page from a file may have no clipboard, so use the older command.
		const area = element("textarea", { class: "away", "aria-hidden": "true" });

		area.value = text;
		document.body.append(area);
		area.select();
		const done = document.execCommand("copy");

		area.remove();
		if (!done) {
			say("The browser does not let this page copy.");
			return;
		}
	}
	say(`Copied ${group(table.rows.length)} rows as CSV.`);
}

// Only the chart, with its heading above it and without references to the style of the page.
function svgText() {
	const { width, height } = layout.frame;
	const theme = chart.theme;
	const copy = svgElement("svg", { xmlns: SVG, width, height: height + 64,
		viewBox: `0 0 ${width} ${height + 64}`, "font-family": FONT });
	const title = svgElement("title"), heading = svgElement("text", { x: 12, y: 26,
		"font-size": 18, "font-weight": 600, fill: theme.ink });
	const from = svgElement("text", { x: 12, y: 46, "font-size": 12, fill: theme.faint });
	const drawing = svgElement("g", { transform: "translate(0 58)" });

	title.textContent = heading.textContent = at("subtitle").textContent;
	from.textContent = raw.facts.slice(0, 3).map(([name, text]) => `${name} ${text}`).join(" · ");
	drawing.append(chart.origin.cloneNode(true));
	for (const path of drawing.querySelectorAll(".mark"))
		path.remove();
	for (const path of drawing.querySelectorAll("path")) {
		if (path.classList.contains("dim"))
			path.setAttribute("fill", theme.dim);
		if (path.classList.contains("edge")) {
			path.setAttribute("fill-opacity", 0.55);
		} else {
			const tip = svgElement("title");

			tip.textContent = path.getAttribute("aria-label");
			path.append(tip);
		}
		for (const name of ["class", "tabindex", "role", "aria-label", "aria-level"])
			path.removeAttribute(name);
	}
	for (const plate of drawing.querySelectorAll(".plate"))
		plate.removeAttribute("class");
	copy.append(title, svgElement("rect", { width: "100%", height: "100%", fill: theme.paper }),
		heading, from, drawing);
	return new XMLSerializer().serializeToString(copy);
}

function saveSvg() {
	const url = URL.createObjectURL(new Blob([svgText()], { type: "image/svg+xml" }));
	const name = (tree.path(state.id) || "kernel").replace(/[^\w.-]+/g, "-");
	const link = element("a", { href: url, download: `${name}-${state.chart}.svg` });

	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
	say("Saved.");
}

// The parts

const chart = new Chart(tree, at("svg"), at("canvas"), themeOf(themeName()));
const table = new Table(tree, at("table"), {
	link: (id) => tree.isLeaf(id) ? null : hashOf({ ...state, id, from: 0, query: "" }),
	source: (id) => {
		const place = tree.placeOf(id);

		return place && raw.source ? sourceUrl(raw.source, place) : "";
	},
	// The call site in the tree by callers, if stacks are known.
	callers: (id) => tree.kind[id] === KIND.CALLER && tree.by !== "callers" &&
		raw.trees.some((one) => one.by === "callers") ?
		`#${encodeURIComponent(tree.rawName(id))}?by=callers` : "",
	// Below the first level all colours are the same and say nothing, except in a comparison.
	colour: (id) => state.id && !tree.compared ? "" : chart.colours({ id, level: 1, rest: 0,
		...tree.measure(state.metric, [id]) })[0],
	point: (id) => {
		pointed = cellOf(id);
		chart.outline(pointed, true);
	},
	leave: () => chart.outline(null),
});
const past = new Past(at("past"), (to) => go({ at: to }));

chart.describe = describe;
chart.settled = () => {
	if (search)
		markFound();
	else
		chart.svg.classList.remove("searching");
	if (toFocus)
		focusCell(layout.cells.get(toFocus) || layout.root);
	else
		rove(layout.root);
	toFocus = null;
	if (document.activeElement.cell && document.activeElement.matches(":focus-visible"))
		pointAt(document.activeElement.cell);
};

function pointAt(cell) {
	point(cell, ...chart.middleOf(cell), true);
}

function listen() {
	const svg = chart.svg;

	svg.addEventListener("click", (event) => zoom(event.target.cell));
	svg.addEventListener("pointermove", (event) => {
		if (event.pointerType !== "touch")
			point(event.target.cell || null, event.clientX, event.clientY);
	});
	svg.addEventListener("pointerup", (event) => {
		const cell = event.target.cell;

		if (event.pointerType === "touch" && cell && tree.isLeaf(cell.id))
			point(cell, event.clientX, event.clientY);
	});
	svg.addEventListener("pointerleave", () => point(null));
	// Not on the SVG itself, because the Tab key would then stop there.
	at("chart").addEventListener("focusin", (event) => {
		const cell = event.target.cell;

		if (!cell || !event.target.matches(":focus-visible"))
			return;
		rove(cell);
		pointAt(cell);
	});
	at("chart").addEventListener("focusout", () => point(null));
	svg.addEventListener("keydown", onChartKey);
	document.addEventListener("keydown", onKey);
	at("up").addEventListener("click", up);
	at("by").addEventListener("change", (event) => goBy(event.target.value));
	at("attr").addEventListener("change", (event) => go({ metric: +event.target.value, from: 0 }));
	at("when").addEventListener("input", (event) => {
		play(false);
		go({ at: +event.target.value }, true);
	});
	at("play").addEventListener("click", () => play(!playing));
	at("size").addEventListener("change", (event) => go({ size: event.target.value, from: 0 }));
	at("choices").addEventListener("change", choose);
	at("rows").addEventListener("change", (event) => go({ rows: event.target.value }));
	at("charts").addEventListener("change", (event) => go({ chart: event.target.value }));
	at("search").addEventListener("input", (event) =>
		go({ query: event.target.value.trim() }, true));
	at("theme").addEventListener("click", () => {
		const name = themeName() === "dark" ? "light" : "dark";

		stored("kmem-account theme", name);
		setTheme(name);
	});
	dark.addEventListener("change", () => setTheme());
	at("csv").addEventListener("click", copyCsv);
	at("save").addEventListener("click", saveSvg);
	addEventListener("hashchange", () => apply(stateOf(location.hash)));
	new ResizeObserver(() => {
		const [width, height] = chartSize();

		const other = width !== layout.frame.width;

		if (other || height !== layout.frame.height)
			drawChart(false);
		// In another width other columns fit.
		if (other)
			finish(drawTable());
	}).observe(at("chart"));
	addEventListener("beforeprint", () => {
		paint("print");
		finish(drawTable());
		drawTime();
	});
	addEventListener("afterprint", () => setTheme());
}

function start() {
	at("title").textContent = raw.title;
	at("scale").hidden = at("sizes").hidden = !tree.compared;
	if (tree.compared)
		at("hint").textContent = "Click or Enter zooms in; middle, heading or Escape: up. " +
			"Thick edge: contains more than shown.";
	listMetrics();
	at("bys").hidden = KEYS.length < 2;
	at("by").replaceChildren(...KEYS.map((key) =>
		element("option", { value: key.by }, `by ${key.title}`)));
	at("facts").replaceChildren(...raw.facts.flatMap(([name, text]) => {
		const row = element("div", {}, element("dt", {}), element("dd", {}));

		row.firstChild.textContent = name;
		row.lastChild.textContent = text;
		return [row];
	}));
	const theme = stored("kmem-account theme");

	if (theme === "dark" || theme === "light")
		document.documentElement.dataset.theme = theme;
	state = null;
	setTheme();
	apply(stateOf(location.hash));
	listen();
	document.documentElement.dataset.ready = Math.round(performance.now());
}

start();
