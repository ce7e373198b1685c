// SPDX-License-Identifier: GPL-2.0-only
//
// lines.js - what a call site was compiled from: its line, and the functions that were inlined
// there. A tree continues below its leaves with these: a function with several call sites is a node
// above them, and the inlined functions are a chain below each.

// The numbers of frames: function, file, line, next; in the texts 1 is the first.
function decodeLines(raw) {
	if (!raw.lines)
		return null;
	const frames = (columns) => Object.fromEntries(Object.entries(columns).map(([name, text]) =>
		[name, decodeNumbers(text)]));

	return { files: decodeNames(raw.lines.files, []), functions: decodeNames(raw.lines.functions, []),
		 chains: frames(raw.lines.chains), sites: frames(raw.lines.sites) };
}

// The function of a call site by its text: "new_inode+0x1f/0x2c0 [ext4]", "fs/inode.c:266 new_inode".
function functionOf(name) {
	const plus = name.indexOf("+0x");

	if (plus > 0)
		return name.slice(0, plus);
	return name.replace(/^\S+:\d+ (?=\S)/, "").replace(/ \[[^\]]*\]$/, "");
}

// base: a tree as decodeShape() has it. The result has places besides: of call sites and of inlined
// functions { file, line }, by node; a file of null is the one that the node is below.
function expand(base, lines) {
	const made = { parent: [], kind: [], names: [], leafAt: [], leaves: base.leaves, places: new Map() };
	const leafOf = new Map();	// place of a leaf: its number
	const below = base.names.map(() => null);
	const add = (parent, kind, name) => {
		made.names.push(name);
		made.kind.push(kind);
		return made.parent.push(parent) - 1;
	};
	const place = (id, { file, line }, at) => {
		if (line[at])
			made.places.set(id, { file: file[at] ? lines.files[file[at] - 1] : null, line: line[at] });
	};
	const ownerOf = (leaf, i) => lines.sites.line[leaf] && base.kind[i] === KIND.CALLER ?
		(lines.functions[lines.sites.function[leaf] - 1] || functionOf(base.names[i])) : null;

	base.leafAt.forEach((i, leaf) => leafOf.set(i, leaf));
	for (let i = 1; i < base.parent.length; i++)
		(below[base.parent[i]] ||= []).push(i);

	function emitSite(i, parent, leaf) {
		let id = add(parent, base.kind[i], base.names[i]);

		place(id, lines.sites, leaf);
		for (let at = lines.sites.next[leaf]; at; at = lines.chains.next[at]) {
			id = add(id, KIND.INLINE, lines.functions[lines.chains.function[at] - 1] || "?");
			place(id, lines.chains, at);
		}
		made.leafAt[leaf] = id;
	}

	function emit(i, parent) {
		if (leafOf.has(i)) {
			emitSite(i, parent, leafOf.get(i));
			return;
		}
		const id = add(parent, base.kind[i], base.names[i]);
		const owners = new Map();	// function: its call sites here
		const kids = below[i] || [];
		const names = kids.map((kid) => leafOf.has(kid) ? ownerOf(leafOf.get(kid), kid) : null);

		names.forEach((name, n) => {
			if (name && owners.has(name))
				owners.get(name).push(kids[n]);
			else if (name)
				owners.set(name, [kids[n]]);
		});
		kids.forEach((kid, n) => {
			const all = names[n] ? owners.get(names[n]) : [];

			if (all.length < 2) {
				emit(kid, id);
			} else if (all[0] === kid) {
				const above = add(id, KIND.FUNCTION, names[n]);

				for (const one of all)
					emitSite(one, above, leafOf.get(one));
			}
		});
	}

	emit(0, -1);
	return made;
}

// The part of an address that is a file: no part of it leads out of the source.
function sourcePath(file) {
	const parts = file.split("/");

	return parts.some((part) => !part || part === "." || part === "..") || file[0] === "[" ? null :
		parts.map(encodeURIComponent).join("/");
}

// The address of a line by the template of --source-url; "" without one.
function sourceUrl(template, { file, line }) {
	const path = file && template ? sourcePath(file) : null;

	if (!path || !/^https?:\/\//.test(template))
		return "";
	return template.replaceAll("{file}", () => path).replaceAll("{line}", () => `${line}`);
}
