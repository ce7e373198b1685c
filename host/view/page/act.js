// SPDX-License-Identifier: GPL-2.0-only
//
// act.js - saves the content of the page (CSV, link, SVG, PNG, print), and starts the page.

// Saving and printing

let sayTimer = 0;

function say(text) {
	at("said").textContent = text;
	clearTimeout(sayTimer);
	sayTimer = setTimeout(() => {
		at("said").textContent = "";
	}, 6000);
}

async function copy(text, done) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		// A page from a file may have no clipboard, so use the older command.
		const area = element("textarea", { class: "away", "aria-hidden": "true" });

		area.value = text;
		document.body.append(area);
		area.select();
		const copied = document.execCommand("copy");

		area.remove();
		if (!copied) {
			say("The browser does not let this page copy.");
			return;
		}
	}
	say(done);
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
	from.textContent = [raw.title, ...raw.facts.slice(0, 3).map(([name, text]) => `${name} ${text}`)].join(" · ");
	drawing.append(chart.origin.cloneNode(true));
	for (const path of drawing.querySelectorAll(".mark, .pick"))
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

function svgBlob() {
	return new Blob([svgText()], { type: "image/svg+xml" });
}

function save(blob, ending) {
	const url = URL.createObjectURL(blob);
	const name = (tree.path(state.id) || "kernel").replace(/[^\w.-]+/g, "-");
	const link = element("a", { href: url, download: `${name}-${state.chart}.${ending}` });

	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
	say("Saved.");
}

// The picture has twice as many pixels as the chart on the page.
const PNG_SCALE = 2;

function savePng() {
	const url = URL.createObjectURL(svgBlob()), image = new Image();

	image.addEventListener("load", () => {
		const canvas = element("canvas", { width: PNG_SCALE * image.width, height: PNG_SCALE * image.height });

		canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
		URL.revokeObjectURL(url);
		canvas.toBlob((blob) => save(blob, "png"), "image/png");
	});
	image.addEventListener("error", () => say("The browser does not draw this picture."));
	image.src = url;
}

// The keys of the page, as the table of a dialog.
const KEY_TEXTS = [
	["Arrows, Home", "move in the chart"],
	["Enter, click", "zoom in"],
	["Escape, Backspace", "one level up"],
	["s, Shift-click", "select without zoom, and again: no more"],
	["/", "search names"],
	["p", "play the times, if there are several"],
	["Back, Forward", "the browser's own: each step of the view"],
	["?", "these keys"],
];

// The parts

const chart = new Chart(tree, at("svg"), at("canvas"), themeOf(themeName()));
const table = new Table(tree, at("table"), {
	link: (id) => tree.isLeaf(id) ? null : hashOf({ ...state, id, from: 0, query: "" }),
	source: (id) => {
		const place = tree.placeOf(id);

		return place && raw.source ? sourceUrl(raw.source, place) : "";
	},
	// The sandwich of a function, if stacks are known.
	through: (id) => {
		const name = tree.ownName(id), frames = /^(stack|callers$|through:)/.test(tree.by);
		const known = frames ? /\+0x|^\w+$/.test(name) && tree.nameAt[id] !== -1 : tree.kind[id] === KIND.CALLER;

		return id && known && name[0] !== "[" && raw.trees.some((one) => one.by === "stack") ?
			`#?by=${encodeURIComponent(`through:${functionOf(name)}`)}` : "";
	},
	// The call site in the tree by callers, if stacks are known.
	callers: (id) => tree.kind[id] === KIND.CALLER && tree.by !== "callers" &&
		raw.trees.some((one) => one.by === "callers") ?
		`#${encodeURIComponent(tree.rawName(id))}?by=callers` : "",
	colour: (id) => chart.colours({ id, level: 1, rest: 0,
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
	showPick();
	if (document.activeElement.cell && document.activeElement.matches(":focus-visible"))
		pointAt(document.activeElement.cell);
};

function pointAt(cell) {
	point(cell, ...chart.middleOf(cell), true);
}

function listen() {
	const svg = chart.svg;

	svg.addEventListener("click", (event) => {
		const cell = event.target.cell;

		if (event.shiftKey)
			pick(cell && !cell.rest ? cell.id : 0);
		else
			zoom(cell);
	});
	at("table").addEventListener("click", (event) => {
		const row = event.target.closest("tr");

		if (!event.shiftKey || !row || !row.node)
			return;
		event.preventDefault();
		pick(row.node);
	});
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
	at("only").addEventListener("change", (event) => go({ only: event.target.value.trim() }));
	at("help").addEventListener("click", () => at("keys").showModal());
	at("theme").addEventListener("click", () => {
		const name = themeName() === "dark" ? "light" : "dark";

		stored("kmem-account theme", name);
		setTheme(name);
	});
	dark.addEventListener("change", () => setTheme());
	at("csv").addEventListener("click", () => copy(table.csv(), `Copied ${group(table.rows.length)} rows as CSV.`));
	at("link").addEventListener("click", () => copy(location.href, "Copied the address of this view."));
	at("save").addEventListener("click", () => save(svgBlob(), "svg"));
	at("png").addEventListener("click", savePng);
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
	at("keys").querySelector("dl").replaceChildren(...KEY_TEXTS.flatMap(([keys, what]) =>
		[element("dt", {}, keys), element("dd", {}, what)]));
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
