// SPDX-License-Identifier: GPL-2.0-only
//
// colour.js - the colours of nodes, which follow the zoom: the parts of the focus have the colours that a
// picture of this branch has (view/chart/colour.c). A name has the colour of its hash, and the top directories
// have fixed ones.

const SOLE = 0.95;	// a part with this share of the focus leaves the colours to its own parts

// Has a name no owner? A name in brackets has none, except for these.
function isGrey(name) {
	return name[0] === "[" && !["[module ", "[irq]", "[kthread]", "[gone]"].some((own) => name.startsWith(own));
}

// FNV-1a
function hashOfName(name) {
	return new TextEncoder().encode(name).reduce((hash, byte) => Math.imul(hash ^ byte, 16777619) >>> 0, 2166136261);
}

// Rows of the palette for names, the most important first; row 0 is grey. owners: the name that has each of the
// other rows for itself. The first names, as many as there are rows, get different rows.
function assignColours(names, owners) {
	const nr = owners.length, taken = new Set(), rows = names.map(() => 0), order = [];
	const take = (i, slot) => {
		taken.add(slot);
		rows[i] = 1 + slot;
	};

	names.forEach((name, i) => {
		if (owners.includes(name))
			take(i, owners.indexOf(name));
		else if (!isGrey(name) && i < nr)
			order.push(i);
		else if (!isGrey(name))
			rows[i] = 1 + hashOfName(name) % nr;
	});
	order.sort((a, b) => names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : 0);
	const later = order.filter((i) => {
		const slot = hashOfName(names[i]) % nr, free = !taken.has(slot);

		if (free)
			take(i, slot);
		return !free;
	});

	for (const i of later) {
		let slot = hashOfName(names[i]) % nr;

		while (taken.size < nr && taken.has(slot))
			slot = (slot + 1) % nr;
		take(i, slot);
	}
	return rows;
}

// The colours of the nodes below a focus. Sizes are those of the first attribute and of the newest time, so that
// a colour stays when others are shown.
class Hues {
	constructor(tree, { id, from }, owners) {
		const values = tree.newest[tree.usual];
		const partsOf = (node) => tree.children(node, tree.usual, values);

		this.tree = tree;
		this.rows = new Map();	// node: { row of the palette, up: levels above it that have no shade }
		// the halves of a sandwich
		for (const half of tree.twinAt && !id ? partsOf(id) : [])
			this.add(partsOf(half), values, owners, 1);
		if (tree.twinAt && !id)
			return;
		this.add(partsOf(id).slice(from), values, owners, 0);
		for (let list = from ? [] : partsOf(id), whole = values[id], up = 1; list.length && values[list[0]] >= SOLE * whole; up++) {
			whole = values[list[0]];
			list = partsOf(list[0]);
			this.add(list, values, owners, up);
		}
	}

	// As in a picture, the parts with a size get their colours first.
	add(list, values, owners, up) {
		const names = list.map((i) => this.tree.ownName(i));
		const sized = list.filter((i) => values[i]).length;
		const shown = assignColours(names.slice(0, sized), owners);
		const all = sized < list.length ? assignColours(names, owners) : [];

		list.forEach((i, at) => this.rows.set(i, { row: at < sized ? shown[at] : all[at], up }));
	}

	of(id) {
		for (let i = id; i > 0; i = this.tree.parent[i])
			if (this.rows.has(i))
				return this.rows.get(i);
		return { row: 0, up: 0 };
	}
}
