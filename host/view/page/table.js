// SPDX-License-Identifier: GPL-2.0
//
// table.js - the same as a table: what the focus is made of, or what a search found.
// It says all that the chart can only show large enough to be seen.

const ROWS = 200;	// drawn at once; more on demand

function element(name, attributes, ...children) {
	const made = document.createElement(name);

	for (const [key, value] of Object.entries(attributes || {}))
		made.setAttribute(key, value);
	made.append(...children);
	return made;
}

// One field by RFC 4180.
function csvField(text) {
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

class Table {
	constructor(tree, table, act) {
		this.tree = tree;
		this.act = act;		// { link(id, from), point(id), leave() }
		this.head = table.tHead;
		this.body = table.tBodies[0];
		this.foot = table.tFoot;
		this.sort = { by: -1, down: true };	// a metric, -1 is the one that is shown
		this.limit = ROWS;
		this.head.addEventListener("click", (event) => this.order(event));
		this.body.addEventListener("pointerover", (event) => this.point(event));
		this.body.addEventListener("focusin", (event) => this.point(event));
		this.body.addEventListener("pointerleave", () => act.leave());
		this.body.addEventListener("focusout", () => act.leave());
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
		const by = +button.dataset.by;
		const same = this.sort.by === by;

		this.sort = { by, down: same ? !this.sort.down : by !== -2 };
		this.draw();
		this.head.querySelector(`button[data-by="${by}"]`).focus();
	}

	// rows: nodes; whole: what shares are of; total: the values of all rows together;
	// paths: they are not all of one parent.
	show(rows, metric, whole, total, paths) {
		Object.assign(this, { rows, metric, whole, total, paths, limit: ROWS });
		if (this.sort.by === metric)
			this.sort.by = -1;
		this.draw();
	}

	sorted() {
		const { by, down } = this.sort;
		const sign = down ? 1 : -1;

		if (by === -2)
			return [...this.rows].sort((a, b) =>
				-sign * (this.tree.name(a) < this.tree.name(b) ? -1 : 1));
		const values = this.tree.values[by < 0 ? this.metric : by];

		return [...this.rows].sort((a, b) => sign * (values[b] - values[a]) || a - b);
	}

	// The metric that is shown comes first.
	columns() {
		const others = this.tree.metrics.map((m, i) => i).filter((i) => i !== this.metric);

		return [this.metric, ...others];
	}

	draw() {
		const rows = this.sorted();

		this.drawHead();
		this.body.replaceChildren(...rows.slice(0, this.limit).map((node) => this.row(node)));
		if (rows.length > this.limit) {
			const more = element("button", { type: "button", class: "more" },
				`Show ${group(Math.min(rows.length - this.limit, 5 * ROWS))} more of ` +
				`${group(rows.length)}`);

			more.addEventListener("click", () => {
				const first = this.limit;

				this.limit += 5 * ROWS;
				this.draw();
				const link = this.body.rows[first].querySelector("a");

				if (link)
					link.focus();
			});
			this.body.append(element("tr", {}, element("td",
				{ colspan: this.columns().length + 2 }, more)));
		}
		this.drawFoot(rows.length);
	}

	drawHead() {
		const { by, down } = this.sort;
		const heading = (key, title, numeric) => {
			const on = by === key || (by === -1 && key === this.metric);
			const cell = element("th", { scope: "col", class: numeric ? "number" : "name" },
				element("button", { type: "button", "data-by": key }, title));

			cell.setAttribute("aria-sort", !on ? "none" : down === (key !== -2) ?
				(key === -2 ? "ascending" : "descending") :
				(key === -2 ? "descending" : "ascending"));
			return cell;
		};
		const cells = [heading(-2, "name", false)];

		this.columns().forEach((i, at) => {
			cells.push(heading(i, this.tree.metrics[i].title, true));
			if (!at)
				cells.push(element("th", { scope: "col", class: "number" }, "share"));
		});
		this.head.replaceChildren(element("tr", {}, ...cells));
	}

	numbers(values) {
		const cells = [];

		this.columns().forEach((i, at) => {
			cells.push(element("td", { class: at ? "number" : "number main" },
				formatValue(this.tree.metrics[i], values(i))));
			if (at)
				return;
			const share = element("td", { class: "number share" },
				formatShare(values(i), this.whole));

			share.style.backgroundSize = `${this.whole ? 100 * values(i) / this.whole : 0}% 70%`;
			cells.push(share);
		});
		return cells;
	}

	row(node) {
		const tree = this.tree;
		const href = this.act.link(node);
		const text = element(href ? "a" : "span", href ? { href } : {});
		const label = element("span", { class: "label" }, text);
		const name = element("th", { scope: "row", class: "name" }, label);
		const row = element("tr", {}, name, ...this.numbers((i) => tree.values[i][node]));
		const colour = this.act.colour(node);

		text.textContent = tree.name(node);
		name.title = tree.path(node);
		if (colour) {
			const swatch = element("span", { class: "swatch", "aria-hidden": "true" });

			swatch.style.background = colour;
			label.prepend(swatch);
		}
		if (this.paths) {
			const where = element("span", { class: "where" });

			where.textContent = tree.path(tree.parent[node]);
			label.append(where);
			label.classList.add("two");
		}
		row.node = node;
		return row;
	}

	drawFoot(count) {
		this.foot.replaceChildren(element("tr", {},
			element("th", { scope: "row", class: "name" }, `${group(count)} together`),
			...this.numbers((i) => this.total[i])));
	}

	// Raw numbers under stable names, as the program's own csv.
	csv() {
		const order = this.tree.metrics.map((m, i) => i);
		const lines = [["path", ...this.tree.metrics.map((m) => m.name)].join(",")];

		for (const node of this.sorted())
			lines.push([csvField(this.tree.rawPath(node)),
				...order.map((i) => this.tree.values[i][node])].join(","));
		return `${lines.join("\n")}\n`;
	}
}
