// SPDX-License-Identifier: GPL-2.0-only
//
// app.js - reactions to clicks and keys. The address (the part after #) selects the view.
// A click, a key or a link changes the address; the browser's Back button undoes that.

// The data is compressed, unless it is short or --plain was given.
async function unpacked(data) {
	if (!data.deflate)
		return data;
	if (typeof DecompressionStream === "undefined") {
		document.getElementById("title").textContent =
			"This browser is too old to unpack the page: write it with --plain.";
		return null;
	}
	const stream = new Blob([decodeBytes(data.deflate)]).stream().pipeThrough(new DecompressionStream("deflate"));

	return JSON.parse(await new Response(stream).text());
}

const raw = await unpacked(JSON.parse(document.getElementById("data").textContent));

if (!raw)
	return;
const KEYS = [raw.main, ...raw.groups, ...raw.trees];	// keys by which the page has trees
const LEVELS = [...raw.groups, ...raw.trees.filter(tableOf).map((one) => ({ by: tableOf(one), title: tableOf(one) }))];
const trees = new Map();
let tree = treeBy(raw.by, "");	// the tree that is shown

const at = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");

let state = null;	// { by, only, at, id, from, metric, size, chart, rows, cols, query, pick }
let layout = null;
let toFocus = null;	// key of the cell that gets the keyboard's focus after an animation
let pointed = null;	// the cell under the pointer, or with the keyboard's focus
let search = null;	// for each node: 0 no match, 1 a match below it, 2 a match, 3 below a match

// Trees. Each is made when it is first shown.

function treeBy(by, only) {
	const key = `${by} ${only}`;

	if (!trees.has(key))
		trees.set(key, new Tree(raw, by, only));
	return trees.get(key);
}

// Switches the page to another tree, where nodes have other numbers.
function useTree(by, only) {
	if (tree === treeBy(by, only))
		return;
	tree = treeBy(by, only);
	state = null;
	search = null;
	toFocus = null;
	play(false);
	chart.use(tree, themeOf(themeName()));
	table.use(tree);
	listMetrics();
}

function listMetrics() {
	at("attr").replaceChildren(...tree.metrics.map((metric, i) =>
		element("option", { value: i }, metric.what)));
}

// Theme

function stored(key, value) {
	try {
		if (value === undefined)
			return localStorage.getItem(key);
		localStorage.setItem(key, value);
	} catch {
		// A page from a file may have no storage.
	}
	return null;
}

function themeName() {
	return document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
}

// The colours of the charts, which are those of the program's pictures.
function themeOf(name) {
	const style = getComputedStyle(document.documentElement);
	const theme = raw.themes.find((one) => one.name === name);

	// Before printing, the style is still that of the screen.
	return { ...theme, hole: name === "print" ? theme.paper : style.getPropertyValue("--hole").trim(),
		 dim: style.getPropertyValue("--dim").trim() };
}

function setTheme(name) {
	if (name)
		document.documentElement.dataset.theme = name;
	at("theme").setAttribute("aria-pressed", themeName() === "dark");
	paint(themeName());
	if (!state)
		return;
	finish(drawTable());
	drawTime();
}

// The chart, and the meaning of its colours.
function paint(name) {
	const theme = themeOf(name);

	chart.repaint(theme);
	if (tree.compared)
		at("ramp").style.backgroundImage = `linear-gradient(to right, ${theme.changes.filter(
			(colour, i) => i % 2 === 0).join(", ")})`;
}

// The address

function hashOf(to) {
	const names = tree.ancestors(to.id).slice(1).map((i) => tree.ownName(i));
	const query = new URLSearchParams();

	if (raw.branch)
		names.unshift(...raw.branch.split("/"));
	if (to.from)
		query.set("other", to.from);
	if (to.by !== raw.by)
		query.set("by", to.by);
	if (to.only)
		query.set("only", to.only);
	const { times } = treeBy(to.by, to.only);

	if (times && to.at !== times.last)
		query.set("at", to.at);
	if (to.metric !== tree.usual)
		query.set("attr", tree.metrics[to.metric].name);
	if (to.size !== "change")
		query.set("size", to.size);
	if (to.chart !== raw.chart && !throughOf(to.by))
		query.set("chart", to.chart);
	if (to.rows !== "inside")
		query.set("rows", to.rows);
	if (to.cols !== null)
		query.set("cols", to.cols);
	if (to.query)
		query.set("q", to.query);
	if (to.pick)
		query.set("pick", tree.ancestors(to.pick).slice(1).map((i) => encodeURIComponent(tree.ownName(i))).join("/"));
	const tail = query.toString();

	return `#${names.map(encodeURIComponent).join("/")}${tail ? `?${tail}` : ""}`;
}

function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

// The number of a time; the newest if there is no such time.
function timeOf(text) {
	const last = tree.times ? tree.times.last : 0, at = Math.floor(+text);

	return text !== null && at >= 0 && at <= last ? at : last;
}

// The number, in the times of another tree, of the time that is shown.
function sameTime({ times }) {
	if (!times)
		return 0;
	return tree.times ? times.nearest(tree.times, state.at) : times.last;
}

// Reads the address. A note names parts of it that the page does not have.
function stateOf(hash) {
	// "#by=module&only=dir=fs" is short for "#?by=..."
	const [path, query] = hash.replace(/^#(?=(by|only|attr|chart)=)/, "#?").replace(/^#/, "").split(/\?(.*)/s);
	const names = path.split("/").filter((name) => name).map(decoded);
	const asked = new URLSearchParams(query || "");
	const root = raw.branch ? raw.branch.split("/") : [];
	const inside = root.every((name, i) => names[i] === name);

	const only = (asked.get("only") || "").trim();

	useTree(hasKeys(asked.get("by") || "") ? asked.get("by") : raw.by, only);
	const found = tree.find(inside ? names.slice(root.length) : []);
	const metric = tree.metrics.findIndex((m) => m.name === asked.get("attr"));
	const picked = tree.find((asked.get("pick") || "").split("/").filter((name) => name).map(decoded), true);
	const to = { by: tree.by, only, at: timeOf(asked.get("at")), id: found.id, from: 0, metric: metric < 0 ? tree.usual : metric,
		     size: Object.hasOwn(tree.sizes, asked.get("size")) ? asked.get("size") : "change",
		     // of the charts only the flame graph has two sides
		     chart: tree.twinAt ? "flame" : Object.hasOwn(CHARTS, asked.get("chart")) ? asked.get("chart") : raw.chart,
		     rows: Object.hasOwn(ROWS_OF, asked.get("rows")) ? asked.get("rows") : "inside",
		     cols: asked.get("cols"), query: asked.get("q") || "", pick: picked.whole ? picked.id : 0 };
	const from = Math.floor(+asked.get("other")) || 0;

	tree.useSizes(to.size);
	tree.useTime(to.at);
	if (from > 0 && from < childrenOf(tree, to.metric, to.id, 0).length)
		to.from = from;
	if (names.length && (!inside || !found.whole))
		say(`There is no “${visible(names.join("/"))}” here.`);
	else if (tree.lacks)
		say(`There is no key “${visible(tree.lacks)}” here: the rules are not used.`);
	return to;
}

function go(change, replace) {
	const hash = hashOf({ ...state, ...change });

	if (hash === hashOf(state))
		return;
	try {
		history[replace ? "replaceState" : "pushState"](null, "", hash);
	} catch {
		// Some browsers refuse this for a page from a file.
		location.hash = hash;
	}
	apply(stateOf(hash));
}

function up() {
	if (state.from)
		go({ from: 0 });
	else if (state.id)
		go({ id: tree.parent[state.id] });
}

function zoom(cell) {
	const to = cell && cell.level ? opensTo(layout, cell) : null;

	if (cell && !cell.level)
		up();
	else if (to)
		go({ id: to.id, from: to.from });
}

// Drawing the view

function apply(to) {
	const last = state;
	const hadFocus = document.activeElement && document.activeElement.cell;

	state = to;
	if (!last || last.query !== to.query) {
		if (at("search").value.trim() !== to.query)
			at("search").value = to.query;
		search = find(to.query);
	}
	// A sandwich is an item of the list while it is shown.
	at("by").querySelector("[data-through]")?.remove();
	if (throughOf(to.by))
		at("by").append(element("option", { value: to.by, "data-through": "" }, `through ${visible(throughOf(to.by))}`));
	at("charts").disabled = !!throughOf(to.by);
	at("by").value = keyOfPage(to.by) || throughOf(to.by) ? to.by : byOf(to.by.split(",").slice(0, 1));
	if (!last || last.by !== to.by)
		drawLevels();
	if (at("only").value.trim() !== to.only)
		at("only").value = to.only;
	at("only").classList.toggle("lacks", !!tree.lacks);
	if (!last || last.id !== to.id || last.from !== to.from)
		chart.hues = tree.compared ? null : new Hues(tree, to, raw.owners);
	at("attr").value = to.metric;
	at("size").value = to.size;
	at("rows").value = to.rows;
	at("rows").querySelector("[value=files]").hidden = !tree.kind.includes(KIND.FILE);
	table.chosen = to.cols === null ? null : to.cols.split(",");
	document.querySelector(`input[name=chart][value=${to.chart}]`).checked = true;
	tip(null);
	// The chart is as high as the rest of the window.
	const timed = at("time").hidden === !tree.times;

	if (!timed)
		drawTime();
	if (!last || ["id", "from", "rows", "query"].some((key) => last[key] !== to[key]))
		table.clear();
	if (!last || ["at", "id", "from", "metric", "size", "chart"].some((key) => last[key] !== to[key])) {
		toFocus = hadFocus ? (last && keyOf(last.id, last.from)) : null;
		drawChart(true, drawRest(timed));
	} else {
		markFound();
		finish(drawRest(timed));
	}
	showPick();
}

// Draws the other parts of the view in steps; a later view stops them.
function *drawRest(time) {
	const own = state;

	for (const draw of [drawTitle, drawCrumbs, ...(time ? [drawTime] : [])]) {
		draw();
		yield;
		if (own !== state)
			return;
	}
	yield* drawTable();
}

function chartSize() {
	const pane = at("chart");
	const width = Math.max(240, Math.floor(pane.clientWidth));
	const room = Math.max(300, innerHeight - pane.getBoundingClientRect().top - scrollY -
		(tree.compared ? 84 : 56) - (tree.times ? at("time").offsetHeight : 0));
	const tall = Math.min(width, room);

	return [width, Math.floor(state.chart === "rings" ? tall :
		Math.max(320, Math.min(room, width * 1.25)))];
}

function drawChart(motion, rest) {
	const [width, height] = chartSize();
	const empty = !ownOfFocus(state.metric).value;

	layout = makeLayout(tree, state, raw.depth, width, height);
	at("empty").hidden = !empty;
	at("empty").textContent = empty ?
		`There are no ${tree.metrics[state.metric].what} in ${nameOfFocus()}.` : "";
	chart.svg.setAttribute("aria-label", `${CHARTS[state.chart].title} of ` +
		`${tree.metrics[state.metric].what} in ${nameOfFocus()}. Arrow keys move, ` +
		"Enter zooms in, Escape goes up.");
	chart.show(layout, motion && !still.matches && !document.hidden && !tree.twinAt, rest);
}

function describe(cell) {
	const metric = tree.metrics[state.metric];
	const where = cell.rest ? "" : tree.where(cell.id);
	const name = cell.rest ? `other, ${group(cell.rest)} smaller ones in ${tree.path(cell.id) ||
		tree.name(0)}` : (tree.path(cell.id) || tree.name(0)) + (where && ` (${where})`);

	if (tree.compared)
		return `${name}: ${formatValue(metric, cell.before)} before, ` +
			`${formatValue(metric, cell.after)} after: ${formatChange(metric, cell)}` +
			formatMoves(metric, cell);
	return `${name}: ${formatValue(metric, cell.value)}, ` +
		`${formatShare(cell.value, tree.values[state.metric][0])} of all`;
}

function nameOfFocus() {
	const name = tree.path(state.id) || tree.name(0);

	return state.from ? `other in ${name}` : name;
}

function ownOfFocus(metric) {
	return tree.measure(metric, state.from ?
		childrenOf(tree, state.metric, state.id, state.from) : [state.id]);
}

// "1.0 MiB → 1.2 MiB, +0.2 MiB (+20.0%)"
function changeText(metric, own) {
	const percent = formatPercent(own), moves = formatMoves(metric, own);

	return `${formatValue(metric, own.before)} → ${formatValue(metric, own.after)}, ` +
		(own.before === own.after && !moves ? "the same" : formatChange(metric, own)) + moves +
		(percent ? ` (${percent})` : "");
}

function keyOfPage(by) {
	return KEYS.find((key) => key.by === by);
}

// Does the page have a tree by a list of keys, or can it make one?
function hasKeys(by) {
	return !!(keyOfPage(by) || partsOf(raw, by) || (throughOf(by) && keyOfPage("stack")));
}

function titleOf(by) {
	const key = keyOfPage(by);

	if (throughOf(by))
		return "what it calls and what calls it";

	return key ? key.title : by.split(",").map((one) => (LEVELS.find((level) => level.by === one)).title).join(", then ");
}

// The tree by a list of levels: by a cgroup alone it is that of the page, "cgroup,dir".
function byOf(keys) {
	const tree = keys.length === 1 && raw.trees.find((one) => tableOf(one) === keys[0]);

	return tree ? tree.by : keys.join(",");
}

function goBy(by) {
	go({ by, id: 0, from: 0, pick: 0, at: sameTime(treeBy(by, state.only)) });
}

// Selects a node without a zoom: it keeps an outline in the chart and a mark in the table.
function pick(id) {
	if (id)
		go({ pick: id === state.pick ? 0 : id }, true);
}

function showPick() {
	const { pick } = state, metric = tree.metrics[state.metric];

	table.select(pick);
	if (!chart.timer)
		chart.select(pick ? cellOf(pick) : null);
	at("picked").textContent = pick ? `Selected: ${tree.path(pick)}, ${formatOwn(metric, tree.measure(state.metric, [pick]))}` : "";
}

// A list for each further level of groups, as long as groups are left.
function drawLevels() {
	const own = raw.trees.find((one) => one.by === state.by && tableOf(one));
	const keys = own ? [tableOf(own)] : partsOf(raw, state.by) ? state.by.split(",") : [];
	const focus = [...at("levels").children].indexOf(document.activeElement);
	const restOf = (used) => LEVELS.filter((one) => partsOf(raw, [...used, one.by].join(",")));
	const levels = keys.map((_, level) => keys.slice(0, level + 1)).filter((used) => restOf(used).length);
	const lists = levels.map((used) => {
		const list = element("select", { "aria-label": "Then by" },
			element("option", { value: "" }, "then by directory"),
			...restOf(used).map((one) => element("option", { value: one.by }, `then by ${one.title}`)));

		list.value = keys[used.length] || "";
		list.addEventListener("change", () =>
			goBy(byOf([...used, ...(list.value ? [list.value] : [])])));
		return list;
	});

	at("levels").replaceChildren(...lists);
	at("levels").hidden = !lists.length;
	if (lists[focus])
		lists[focus].focus();
}

function drawTitle() {
	const metric = tree.metrics[state.metric];

	const own = ownOfFocus(state.metric);

	const by = state.by === raw.main.by ? "" : ` by ${titleOf(state.by)}`;

	const only = state.only && !tree.lacks ? `, only ${visible(state.only)}` : "";

	at("subtitle").textContent = `${metric.what} in ${nameOfFocus()}${by}${only}: ` +
		(tree.compared ? changeText(metric, own) : formatValue(metric, own.value)) +
		(tree.times ? `, ${tree.times.when(state.at)}` : "");
	document.title = state.id ? `${tree.path(state.id)} · ${raw.title}` : raw.title;
}

function drawCrumbs() {
	const items = tree.ancestors(state.id).map((id) => ({ id, from: 0, name: tree.name(id) }));

	if (state.from)
		items.push({ id: state.id, from: state.from, name: "other" });
	at("crumbs").replaceChildren(...items.map((item, i) => {
		const last = i === items.length - 1;
		const text = element(last ? "span" : "a", last ? { "aria-current": "page" } :
			{ href: hashOf({ ...state, id: item.id, from: item.from }) });

		text.textContent = item.name;
		return element("li", {}, text);
	}));
	at("up").disabled = items.length < 2;
}

// Search

function find(query) {
	if (!query)
		return null;
	const flags = new Uint8Array(tree.size);
	const wanted = query.toLowerCase();
	const whole = wanted.includes("/") && !wanted.includes("+0x");

	for (let i = 1; i < tree.size; i++) {
		const text = whole ? `${tree.path(i)} ${tree.where(i)}` : tree.name(i);

		if (text.toLowerCase().includes(wanted))
			flags[i] = 2;
		else if (flags[tree.parent[i]] >= 2)
			flags[i] = 3;
	}
	for (let i = tree.size - 1; i > 0; i--)
		if (flags[i] && !flags[tree.parent[i]])
			flags[tree.parent[i]] = 1;
	return flags;
}

function cellFlag(cell) {
	if (!cell.rest)
		return search[cell.id];
	return childrenOf(tree, state.metric, cell.id, cell.from).reduce((most, i) =>
		Math.max(most, Math.min(1, search[i])), 0);
}

function markFound() {
	chart.svg.classList.toggle("searching", !!search);
	for (const { path, cell } of chart.items.values()) {
		if (!path)
			continue;
		const flag = search ? cellFlag(cell) : 0;

		path.classList.toggle("dim", !!search && !flag && cell.level > 0);
		path.classList.toggle("hit", flag === 2 && +path.getAttribute("stroke-width") > 0.6);
	}
	for (const text of chart.labels.children)
		text.classList.toggle("dim", !!search && !cellFlag(text.cell) && text.cell.level > 0);
}

// The nodes that are rows: of the first kind the children of the focus, else all nodes in it.
const isFile = (kind) => kind === KIND.FILE || kind === KIND.NAMED;
const ROWS_OF = {
	inside: null,
	files: (i) => isFile(tree.kind[i]) || (tree.isLeaf(i) && !isFile(tree.kind[tree.parent[i]])),
	leaves: (i) => tree.isSite(i),
};

// The nodes that match, and the topmost match of each path, so that sums count each byte once.
function gather(wanted) {
	const all = [], first = [];
	const begins = state.from ?
		childrenOf(tree, state.metric, state.id, state.from) : [state.id];

	for (const begin of begins) {
		let covered = 0;

		for (let i = begin || 1; i < tree.end[begin]; i++) {
			if (!wanted(i, i < covered))
				continue;
			all.push(i);
			if (i < covered)
				continue;
			first.push(i);
			covered = tree.end[i];
		}
	}
	return { all, first };
}

function rowsOf() {
	const kind = ROWS_OF[state.rows];

	if (search)
		return gather((i) => search[i] === 2 && (!kind || kind(i)));
	if (kind)
		return gather((i, covered) => !covered && kind(i));
	const list = tree.children(state.id, state.metric).slice(state.from);

	return { all: list, first: list };
}

// Time

let playing = 0;	// timer of the playback
const PLAY_MS = 900;

function drawTime() {
	const { times } = tree;

	at("time").hidden = !times;
	if (!times)
		return;
	at("when").max = times.last;
	at("when").value = state.at;
	at("when").setAttribute("aria-valuetext", times.when(state.at));
	at("then").textContent = `${times.when(state.at)} · ${state.at + 1} of ${times.last + 1}`;
	at("remark").textContent = times.remarks(state.at);
	past.draw(tree, state, Math.max(240, at("chart").clientWidth), (id) => chart.colours(id < 0 ?
		{ id: 0, level: 1, rest: 1 } : { id, level: 1, rest: 0 })[0]);
}

function play(on) {
	clearInterval(playing);
	playing = 0;
	at("play").setAttribute("aria-pressed", on);
	at("play").textContent = on ? "Pause" : "Play";
	if (!on || !tree.times)
		return;
	if (state.at === tree.times.last)
		go({ at: 0 }, true);
	playing = setInterval(() => {
		if (!tree.times || state.at === tree.times.last)
			play(false);
		else
			go({ at: state.at + 1 }, true);
	}, PLAY_MS);
}

function *drawTable() {
	const whole = ownOfFocus(state.metric).value;
	const { all, first } = rowsOf();
	const halves = tree.twinAt && !state.id && !search && state.rows === "inside";
	const total = tree.metrics.map((m, i) => tree.measure(i, halves ? [0] : first));
	const metric = tree.metrics[state.metric];

	at("table-title").textContent = `${search ? "Found in" : "In"} ${nameOfFocus()}`;
	at("found").textContent = search ? `${group(all.length)} found, ` +
		`${formatOwn(metric, total[state.metric])}` + (tree.compared ? "" :
			` (${formatShare(total[state.metric].value, whole)})`) : "";
	yield;
	yield* table.show(all, first, state.metric, whole, total, !!search || state.rows !== "inside", !!search);
	drawColumns();
}

// The choice of columns.

function drawColumns() {
	const choices = table.choices(), focused = document.activeElement && document.activeElement.value;

	at("columns").hidden = !choices.length;
	at("choices").replaceChildren(...choices.map(({ name, title, shown }) => {
		const box = element("input", { type: "checkbox", value: name });

		box.checked = shown;
		return element("label", {}, box, ` ${title}`);
	}));
	// Keep the focus on the element that the user has changed.
	const same = [...at("choices").querySelectorAll("input")].find((box) => box.value === focused);

	if (same && at("columns").open)
		same.focus();
}

function choose() {
	const names = [...at("choices").querySelectorAll("input:checked")].map((box) => box.value);

	go({ cols: names.join(",") }, true);
}

// The tooltip

function tip(cell, x, y) {
	const box = at("tip");

	box.hidden = !cell;
	if (!cell)
		return;
	const whole = tree.values[state.metric][0];
	const parent = cell.parent;
	const metric = tree.metrics[state.metric];
	const lines = [element("strong", {}), element("p", {})];

	lines[0].textContent = cell.rest ?
		`${group(cell.rest)} smaller ones in ${tree.path(cell.id) || tree.name(0)}` :
		tree.path(cell.id) || tree.name(0);
	if (tree.compared)
		lines[1].textContent = changeText(metric, cell);
	else
		lines[1].textContent = `${formatValue(metric, cell.value)} · ` +
		`${formatShare(cell.value, whole)} of ${tree.name(0)}` +
		(parent && parent.value !== whole ? ` · ${formatShare(cell.value, parent.value)} of ` +
		`${parent.rest ? "other" : tree.name(parent.id)}` : "");
	if (!cell.rest && tree.placeOf(cell.id))
		lines.push(element("p", {}, tipPlaces(cell.id)));
	if (!cell.rest)
		lines.push(tipNumbers(cell.id));
	box.replaceChildren(...lines);
	box.style.left = "0px";
	const { width, height } = box.getBoundingClientRect();
	// Next to the pointer, on the side with enough space.
	const left = x + 16 + width > innerWidth ? x - width - 12 : x + 16;
	const top = y + 16 + height > innerHeight ? y - height - 12 : y + 16;

	box.style.left = `${Math.max(4, Math.min(innerWidth - width - 4, left))}px`;
	box.style.top = `${Math.max(4, top)}px`;
}

// The line, and the functions inlined there, from the outer to the inner one.
function tipPlaces(id) {
	const texts = [];

	for (let i = id; i === id || i < tree.end[id]; i++)
		texts.push(`${i === id ? "" : `${tree.name(i)} `}${tree.where(i)}`);
	return texts.join(" > ");
}

function tipNumbers(id) {
	const list = element("dl", {});

	tree.metrics.forEach((metric, i) => {
		const own = tree.measure(i, [id]);

		if (i === state.metric || !own.value || (tree.compared && own.before === own.after))
			return;
		list.append(element("dt", {}, metric.title), element("dd", {}, formatOwn(metric, own)));
	});
	return list;
}

function point(cell, x, y, strong) {
	pointed = cell;
	chart.outline(cell, strong);
	tip(chart.timer ? null : cell, x, y);
}

// The only cell that the Tab key reaches.
function rove(cell) {
	const item = cell && chart.items.get(cell.key);

	if (!item || !item.path)
		return null;
	for (const path of chart.shapes.querySelectorAll('[tabindex="0"]'))
		path.tabIndex = -1;
	item.path.tabIndex = 0;
	return item.path;
}

function focusCell(cell) {
	const path = rove(cell);

	if (path)
		path.focus({ preventScroll: true });
}

// The cell of a node, or of its nearest ancestor that has a cell.
function cellOf(id) {
	for (let i = id; i > state.id || (i === state.id && !state.from); i = tree.parent[i]) {
		const cell = layout.cells.get(keyOf(i, 0));

		if (cell)
			return cell;
		for (const other of layout.cells.values())
			if (other.level && other.rest && other.id === tree.parent[i] &&
			    childrenOf(tree, state.metric, other.id, other.from).includes(i))
				return other;
		if (i <= 0)
			break;
	}
	return null;
}

const STEPS = {
	in: (cell) => cell.kids && cell.kids[0],
	out: (cell) => cell.parent,
	next: (cell) => beside(cell, 1),
	last: (cell) => beside(cell, -1),
};

// The directions of the arrow keys: down is inwards and up is outwards, except in columns and in
// rows that grow upwards.
const ARROWS = {
	icicle: { ArrowRight: "in", ArrowLeft: "out", ArrowDown: "next", ArrowUp: "last" },
	flame: { ArrowRight: "next", ArrowLeft: "last", ArrowDown: "out", ArrowUp: "in" },
};
const ARROWS_ELSE = { ArrowRight: "next", ArrowLeft: "last", ArrowDown: "in", ArrowUp: "out" };

function moveOf(key) {
	const step = (ARROWS[state.chart] || ARROWS_ELSE)[key];

	return key === "Home" ? () => layout.root : STEPS[step];
}

// The next cell of a level; the first one follows the last one.
function beside(cell, step) {
	const level = [...layout.cells.values()].filter((c) => c.level === cell.level)
		.sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0);

	return level[(level.indexOf(cell) + step + level.length) % level.length];
}

function onChartKey(event) {
	const cell = event.target.cell;

	if (!cell || event.ctrlKey || event.altKey || event.metaKey)
		return;
	const move = moveOf(event.key);

	if (move) {
		focusCell(move(cell));
	} else if (event.key === "Enter" || event.key === " ") {
		zoom(cell);
	} else if (event.key === "Backspace") {
		up();
	} else if (event.key === "s") {
		pick(cell.rest ? 0 : cell.id);
	} else {
		return;
	}
	event.preventDefault();
}

function onKey(event) {
	const search = at("search");
	if (at("keys").open)
		return;
	const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) &&
		!["radio", "range"].includes(event.target.type);

	if (event.key === "Escape" && event.target === search) {
		if (search.value) {
			search.value = "";
			go({ query: "" }, true);
		} else {
			search.blur();
		}
	} else if (event.key === "Escape" && event.target.closest("#columns")) {
		at("columns").open = false;
		at("columns").firstElementChild.focus();
	} else if (event.key === "Escape" && event.target === at("only")) {
		at("only").value = "";
		go({ only: "" }, true);
	} else if (event.key === "Escape" && !typing && state.pick) {
		go({ pick: 0 }, true);
	} else if (event.key === "Escape" && !typing) {
		tip(null);
		up();
	} else if (event.key === "?" && !typing && !event.ctrlKey && !event.metaKey) {
		at("keys").showModal();
	} else if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
		search.focus();
		search.select();
	} else if (event.key === "p" && tree.times && !typing && !event.ctrlKey && !event.metaKey) {
		play(!playing);
	} else {
		return;
	}
	event.preventDefault();
}
