// SPDX-License-Identifier: GPL-2.0-only
//
// table.js - the content of the chart as a table: the parts of the focus, or the matches of a
// search. It also has the parts that are too small for the chart. Rows are drawn in steps, because
// a browser takes long to lay out many.

const ROWS = 200;	// rows that are drawn; the user can request more
const STEP_ROWS = 10;	// of these in one step

function element(name, attributes, ...children) {
	const made = document.createElement(name);

	for (const [key, value] of Object.entries(attributes || {}))
		made.setAttribute(key, value);
	made.append(...children);
	return made;
}

// The member of a list with the largest measure.
function largest(list, measure) {
	const sizes = list.map(measure);

	return list[sizes.indexOf(Math.max(...sizes))];
}

// Runs all steps of an iterator.
function finish(steps) {
	while (!steps.next().done);
}

// The width of a scroll bar.
function barWidth() {
	const box = element("div");

	box.style.overflowY = "scroll";
	document.body.append(box);
	const width = box.offsetWidth - box.clientWidth;

	box.remove();
	return width;
}

// A field of CSV by RFC 4180.
function csvField(text) {
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

class Table {
	constructor(tree, table, act) {
		this.tree = tree;
		this.act = act;		// { link(id, from), point(id), leave() }
		this.pane = table.parentNode;	// the element that scrolls
		this.bar = barWidth();
		this.head = table.tHead;
		this.body = table.tBodies[0];
		this.foot = table.tFoot;
		this.sort = { by: "", down: true };	// a column; "": the default order
		this.chosen = null;	// names of metrics, or null: as many as fit
		this.limit = ROWS;
		this.zeros = false;	// show rows of zero
		this.picked = 0;	// node that a user has selected
		this.turn = 0;		// number of the last drawing; earlier ones stop
		this.drawn = "";	// titles of the columns that are drawn
		this.head.addEventListener("click", (event) => this.order(event));
		this.body.addEventListener("pointerover", (event) => this.point(event));
		this.body.addEventListener("focusin", (event) => this.point(event));
		this.body.addEventListener("pointerleave", () => act.leave());
		this.body.addEventListener("focusout", () => act.leave());
	}

	// Marks the row of the node that a user has selected; 0: none.
	select(node) {
		this.picked = node;
		for (const row of this.body.rows)
			row.classList.toggle("picked", row.node !== undefined && row.node === node);
	}

	// Switches to another tree, which may have other columns.
	use(tree) {
		this.tree = tree;
		this.sort = { by: "", down: true };
	}

	// Prepares for the rows of another view: all are replaced, from the top.
	clear() {
		this.drawn = "";
		this.zeros = false;
		this.pane.scrollTop = 0;
	}

	point(event) {
		const row = event.target.closest("tr");

		if (row && row.node !== undefined)
			this.act.point(row.node);
	}

	order(event) {
		const button = event.target.closest("button");

		if (!button)
			return;
		const by = button.dataset.by;
		const same = this.sort.by === by;

		this.sort = { by, down: same ? !this.sort.down : by !== "name" };
		finish(this.draw());
		this.head.querySelector(`button[data-by="${by}"]`).focus();
	}

	// rows: nodes; first: those that are below no other one; whole: 100 % of the shares; total: sums
	// over all rows by metric; paths: rows have several parents, so their paths are shown.
	// searched: the rows are found by their names, so those of zero are shown, too.
	*show(rows, first, metric, whole, total, paths, searched) {
		Object.assign(this, { rows, first, metric, whole, total, paths, searched, limit: ROWS });
		this.all = this.tree.compared ? this.changeColumns() : this.valueColumns();
		this.columns = this.all.filter((column) => this.wants(column));
		if (this.sort.by === `${metric}`)
			this.sort.by = "";
		else if (!["", "name", ...this.columns.map((c) => c.by)].includes(this.sort.by))
			this.sort = { by: "", down: true };
		yield* this.draw(true);
	}

	// The columns; the metric of the chart is first. by: name of the order; of(node): its key; text,
	// part and side: made of the numbers of a row, own(metric).
	valueColumns() {
		const { metrics, values } = this.tree;
		const column = (i) => ({ by: `${i}`, extra: metrics[i].name, title: metrics[i].title, of: (node) => values[i][node],
			text: (own) => formatValue(metrics[i], own(i).value) });
		const main = this.metric, own = column(main);
		const share = { title: "share", class: "number share",
			text: (numbers) => formatShare(numbers(main).value, this.whole),
			part: (numbers) => this.whole ? numbers(main).value / this.whole : 0 };

		return [{ ...own, extra: "", class: "number main", usual: own.of }, share, ...this.timeColumns(),
			...this.others().map(column)];
	}

	// The column with the numbers over time.
	timeColumns() {
		const { times, metrics } = this.tree;

		if (!times)
			return [];
		const metric = metrics[this.metric], places = times.places();
		const say = (values) => `from ${formatValue(metric, values[0])} to ` +
			`${formatValue(metric, values[times.last])}, most ${formatValue(metric, Math.max(...values))}`;

		return [{ title: "over time", extra: "course", class: "course", draw: (nodes) => {
			const values = times.series(this.metric, nodes);

			return sparkline(values, places, this.tree.at, say(values));
		} }];
	}

	// The columns of a comparison: change, before, after, and the changes of the other metrics.
	changeColumns() {
		const { metrics, before, after } = this.tree;
		const main = this.metric, metric = metrics[main];
		const delta = (i) => (node) => after[i][node] - before[i][node];
		const most = this.rows.reduce((all, node) => Math.max(all, Math.abs(delta(main)(node))), 0);
		const ratio = (node) => before[main][node] ? after[main][node] / before[main][node] :
			after[main][node] ? Infinity : 1;

		return [
			{ by: "change", title: "change", of: delta(main), usual: (node) => Math.abs(delta(main)(node)),
			  class: "number main change", text: (own) => formatChange(metric, own(main)),
			  part: (own) => most ? Math.abs(own(main).after - own(main).before) / most : 0,
			  side: (own) => own(main).after < own(main).before ? "less" : "greater" },
			{ by: "percent", title: "%", of: ratio, text: (own) => formatPercent(own(main)) },
			{ by: "before", title: "before", of: (node) => before[main][node],
			  text: (own) => formatValue(metric, own(main).before) },
			{ by: "after", title: "after", of: (node) => after[main][node],
			  text: (own) => formatValue(metric, own(main).after) },
			...this.others().map((i) => ({ by: `${i}`, extra: metrics[i].name, title: `${metrics[i].title} ±`, of: delta(i),
				text: (own) => formatChange(metrics[i], own(i)) })),
		];
	}

	// Whether a column is wanted: always, or if the user chose its metric or none.
	wants(column) {
		return !column.extra || !this.chosen || this.chosen.includes(column.extra);
	}

	// The columns that fit. To lay out all rows would take long, so a probe is laid out, with the
	// widest text of each column, and a row with a second line, if any. The height of all rows is
	// estimated by the higher of the two; if they need a scroll bar, its width is subtracted.
	fit(rows, texts) {
		// Digits have one width, so the longest number is the widest.
		const wides = texts.map((column) => largest(column, (text) => text.length));
		const some = [largest(rows, (node) => textWidth(this.tree.name(node), 1)),
			rows.find((node) => this.second(node)) ?? rows[0]].map((node) => this.row(node, wides));
		const probe = element("table", { class: "probe", "aria-hidden": "true" },
			element("thead", {}, this.headRow()), element("tbody", {}, ...some), element("tfoot", {}, this.footRow()));

		this.pane.append(probe);
		const widths = [...probe.rows[0].cells].map((cell) => cell.getBoundingClientRect().width);
		const all = probe.offsetWidth, high = Math.max(...some.map((row) => row.offsetHeight)) * rows.length +
			probe.tHead.offsetHeight + probe.tFoot.offsetHeight;
		const scrolls = high > parseFloat(getComputedStyle(this.pane).maxHeight);
		const room = this.pane.offsetWidth - (scrolls ? this.bar : 0);

		probe.remove();
		// Show the bar from the start: later it would move the columns.
		this.pane.style.overflowY = scrolls ? "scroll" : "";
		let wide = widths[0];

		return all <= room ? this.columns : this.columns.filter((column, i) => {
			wide += widths[i + 1];
			return !column.extra || wide <= room;
		});
	}

	// { name, title, shown } of each column that can be chosen.
	choices() {
		return this.all.filter((column) => column.extra).map((column) =>
			({ name: column.extra, title: column.title, shown: this.columns.includes(column) }));
	}

	others() {
		return this.tree.metrics.map((m, i) => i).filter((i) => i !== this.metric);
	}

	// The rows in order. By default it is that of the first column: by value, or by amount of change.
	sorted() {
		const { by, down } = this.sort;
		const sign = down ? 1 : -1;

		if (by === "name")
			return [...this.rows].sort((a, b) =>
				-sign * (this.tree.name(a) < this.tree.name(b) ? -1 : 1));
		const of = by ? this.columns.find((c) => c.by === by).of : this.columns[0].usual;
		const order = (a, b) => (of(a) < of(b) ? 1 : of(a) > of(b) ? -1 : 0);

		return [...this.rows].sort((a, b) => sign * order(a, b) || a - b);
	}

	// fits: choose the columns that fit.
	*draw(fits) {
		const turn = ++this.turn;
		const every = this.sorted(), sorted = this.zeros || this.searched ? every : every.filter((node) => this.holds(node));
		const rows = sorted.slice(0, this.limit);
		const texts = new Map(this.columns.map((column) => [column, rows.map((node) =>
			column.draw ? "" : column.text((i) => this.tree.measure(i, [node])))]));
		const textsOf = (at) => this.columns.map((column) => texts.get(column)[at]);

		if (fits && !this.chosen && rows.length) {
			this.columns = this.fit(rows, [...texts.values()]);
			yield;
			if (turn !== this.turn)
				return;
		}
		const focused = this.begin(rows.length);

		for (let at = 0; at < rows.length; at += STEP_ROWS) {
			this.place(at, rows.slice(at, at + STEP_ROWS).map((node, i) => this.row(node, textsOf(at + i))));
			if (focused >= at && focused < at + STEP_ROWS)
				(this.body.rows[focused].querySelector("a") || this.pane).focus({ preventScroll: true });
			yield LAID_OUT;
			if (turn !== this.turn)
				return;
		}
		const first = rows.length, more = sorted.length - first, zeros = every.length - sorted.length;

		if (more)
			this.body.append(this.button(`Show ${group(Math.min(more, 5 * ROWS))} more of ${group(sorted.length)}`, first, () => {
				this.limit += 5 * ROWS;
			}));
		else if (zeros)
			this.body.append(this.button(`Show ${group(zeros)} ${zeros > 1 ? "rows" : "row"} of zero`, first, () => {
				this.zeros = true;
			}));
		this.pane.style.overflowY = "";
	}

	// Draws head and foot for count rows. Rows of the same columns stay until they are replaced, so
	// that the table does not move. Returns the new row that gets the keyboard's focus, or -1.
	begin(count) {
		const titles = `${this.columns.map((column) => column.title)}`, stay = titles === this.drawn;
		const own = document.activeElement.closest("tbody") === this.body ? document.activeElement.closest("tr") : null;
		const focused = own ? Math.max(0, Math.min(count - 1, stay ? own.sectionRowIndex : 0)) : -1;

		this.drawn = titles;
		this.head.replaceChildren(this.headRow());
		this.foot.replaceChildren(this.footRow());
		while (this.body.rows.length > (stay ? count : 0))
			this.body.lastChild.remove();
		return focused;
	}

	// Replaces or appends rows, from row at on.
	place(at, rows) {
		const old = [...this.body.rows].slice(at, at + rows.length);

		rows.forEach((row, i) => old[i] ? old[i].replaceWith(row) : this.body.append(row));
	}

	// Has a row a number in the shown attribute, in a comparison before or after?
	holds(node) {
		const { compared, before, after, values } = this.tree;

		return compared ? before[this.metric][node] || after[this.metric][node] : values[this.metric][node];
	}

	// A row with a button for more rows, of which the first gets the focus.
	button(text, first, act) {
		const more = element("button", { type: "button", class: "more" }, text);

		more.addEventListener("click", () => {
			act();
			finish(this.draw());
			const link = this.body.rows[first].querySelector("a");

			if (link)
				link.focus();
		});
		return element("tr", {}, element("td", { colspan: this.columns.length + 1 }, more));
	}

	headRow() {
		const heading = (column, title, kind) => {
			const head = element("th", { scope: "col", class: kind });

			head.append(column.by ? element("button", { type: "button", "data-by": column.by },
				title) : title);
			if (column.by)
				head.setAttribute("aria-sort", this.sortOf(column));
			return head;
		};

		return element("tr", {}, heading({ by: "name" }, "name", "name"),
			...this.columns.map((column) => heading(column, column.title, "number")));
	}

	// The value of aria-sort. The default order of a comparison ignores signs: it is "other".
	sortOf(column) {
		const { by, down } = this.sort;

		if (by !== column.by && (by || column !== this.columns[0]))
			return "none";
		if (!by && this.tree.compared)
			return "other";
		return down ? "descending" : "ascending";
	}

	// The cells of a row. own(metric): its numbers; nodes: its nodes; texts: text of each column.
	numbers(own, nodes, texts) {
		return this.columns.map((column, i) => {
			const cell = element("td", { class: column.class || "number" },
				column.draw ? column.draw(nodes) : texts[i]);

			if (column.part)
				cell.style.backgroundSize = `${100 * column.part(own)}% 70%`;
			if (column.side)
				cell.classList.add(column.side(own));
			return cell;
		});
	}

	// The second line of a name, or "".
	second(node) {
		const { tree } = this;

		return tree.where(node) || (this.paths ? tree.path(tree.parent[node]) : "");
	}

	row(node, texts) {
		const tree = this.tree;
		const href = this.act.link(node);
		const text = element(href ? "a" : "span", href ? { href } : {});
		const label = element("span", { class: "label" }, text);
		const name = element("th", { scope: "row", class: "name" }, label);
		const row = element("tr", {}, name,
			...this.numbers((i) => tree.measure(i, [node]), [node], texts));
		const colour = this.act.colour(node);

		const where = this.second(node);

		// In an allocinfo the name has the line, too: show only the function.
		text.textContent = where && tree.rawName(node).startsWith(`${where} `) &&
			tree.kind[tree.parent[node]] !== KIND.FUNCTION ?
			visible(functionOf(tree.rawName(node))) : tree.name(node);
		name.title = tree.path(node);
		if (colour) {
			const swatch = element("span", { class: "swatch", "aria-hidden": "true" });

			swatch.style.background = colour;
			label.prepend(swatch);
		}
		if (where) {
			label.append(this.where(node, where));
			label.classList.add("two");
		}
		const through = this.act.through(node);

		if (through)
			label.append(element("a", { class: "through", href: through, title: "Sandwich: what it calls, and what calls it",
				"aria-label": `What ${visible(functionOf(tree.ownName(node)))} calls, and what calls it` }, "⇅"));
		row.node = node;
		row.classList.toggle("picked", node === this.picked);
		return row;
	}

	// The second line of a name: the line of the source, with links to it and to its callers.
	where(node, text) {
		const url = this.act.source(node), callers = this.act.callers(node);
		const line = element(url ? "a" : "span", url ?
			{ href: url, target: "_blank", rel: "noopener noreferrer" } : {}, text);
		const where = element("span", { class: "where" }, line);

		if (callers)
			where.append(" ", element("a", { href: callers, "aria-label":
				`Callers of ${this.tree.name(node)}` }, "callers"));
		return where;
	}

	footRow() {
		const own = (i) => this.total[i];

		return element("tr", {},
			element("th", { scope: "row", class: "name" }, `${group(this.rows.length)} together`),
			...this.numbers(own, this.first,
				this.columns.map((column) => column.draw ? "" : column.text(own))));
	}

	// Raw numbers with stable names, as in the csv of the program.
	csv() {
		const { metrics, compared, values, before, after } = this.tree;
		const sides = ["before", "after", "delta"];
		const names = metrics.flatMap((m) => compared ? sides.map((s) => `${m.name}_${s}`) : m.name);
		const numbers = (node) => metrics.flatMap((m, i) => compared ?
			[before[i][node], after[i][node], after[i][node] - before[i][node]] : values[i][node]);
		const lines = [["path", ...names].join(",")];

		for (const node of this.sorted())
			lines.push([csvField(this.tree.rawPath(node)), ...numbers(node)].join(","));
		return `${lines.join("\n")}\n`;
	}
}
