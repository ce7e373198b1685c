// SPDX-License-Identifier: GPL-2.0-only
//
// lines.js - the line of each call site, and the functions that were inlined there. expand() adds
// them to a tree: a function with several call sites becomes a node above them, and the inlined
// functions become a chain of nodes below each call site.

// Frames as columns: function, file, line, next. function and file count texts from 1; 0 is none.
function decodeLines(raw) {
	if (!raw.lines)
		return null;
	const frames = (columns) => Object.fromEntries(Object.entries(columns).map(([name, text]) =>
		[name, decodeNumbers(text)]));

	return { files: decodeNames(raw.lines.files), functions: decodeNames(raw.lines.functions),
		 chains: frames(raw.lines.chains), sites: frames(raw.lines.sites) };
}

// The function of a call site by its text: "new_inode+0x1f/0x2c0 [ext4]", "fs/inode.c:266 new_inode".
function functionOf(name) {
	const plus = name.indexOf("+0x");

	if (plus > 0)
		return name.slice(0, plus);
	return name.replace(/^\S+:\d+ (?=\S)/, "").replace(/ \[[^\]]*\]$/, "");
}

// The most nodes of an expanded tree: one function for two call sites, and all inlined functions.
function expandedSize(base, { sites, chains }) {
	let size = base.parent.length + (base.leafAt.length >> 1);

	for (let leaf = 0; leaf < base.leafAt.length; leaf++)
		for (let at = sites.next[leaf]; at; at = chains.next[at])
			size++;
	return size;
}

// base: from decodeShape() or regroup(). The result has the same form, plus for each node lineAt
// and fileAt (number of the file; 0: the file above the node). Names of functions are in others.
function expand(base, lines) {
	const { sites, chains } = lines, most = expandedSize(base, lines), end = endsOf(base.parent);
	const parents = new Int32Array(most), kinds = new Uint8Array(most), nameAt = new Int32Array(most);
	const lineAt = new Int32Array(most), fileAt = new Int32Array(most), leafAt = [];
	const others = base.others ? [...base.others] : [], first = others.length;
	const leafOf = new Int32Array(base.parent.length).fill(-1);
	// Lists of the call sites of one function in one parent. firstOf: first site of a site's list;
	// lastOf: last site so far, of a first site; nextOf: next site.
	const firstOf = new Int32Array(base.parent.length), lastOf = firstOf.slice(), nextOf = firstOf.slice();
	const owners = new Map();	// function: its first call site in one parent
	let size = 0;

	for (const name of lines.functions)
		others.push(name);
	const unknown = -1 - (others.push("?") - 1);
	const functionName = (number) => number ? -first - number : unknown;
	const add = (parent, kind, name) => {
		parents[size] = parent;
		kinds[size] = kind;
		nameAt[size] = name;
		return size++;
	};
	const place = (columns, at) => {
		lineAt[size - 1] = columns.line[at];
		fileAt[size - 1] = columns.file[at];
	};
	// The function of a call site; "" if its line is unknown.
	const ownerOf = (i) => {
		const leaf = leafOf[i], name = base.nameAt[i];

		if (leaf < 0 || !sites.line[leaf] || base.kind[i] !== KIND.CALLER)
			return "";
		return lines.functions[sites.function[leaf] - 1] ||
			(base.names.tails[name] ? base.names.texts[name] : functionOf(base.names.of(name)));
	};

	for (let leaf = 0; leaf < base.leafAt.length; leaf++)
		leafOf[base.leafAt[leaf]] = leaf;

	function emitSite(i, parent) {
		const leaf = leafOf[i];
		let id = add(parent, base.kind[i], base.nameAt[i]);

		place(sites, leaf);
		for (let at = sites.next[leaf]; at; at = chains.next[at]) {
			id = add(id, KIND.INLINE, functionName(chains.function[at]));
			place(chains, at);
		}
		leafAt[leaf] = id;
	}

	// Links the call sites of each function below node i. One map for each parent is cheap; one
	// for the whole page would cost more than the rest of expand().
	function findOwners(i) {
		owners.clear();
		for (let kid = i + 1; kid < end[i]; kid = end[kid]) {
			const owner = ownerOf(kid), first = owner ? owners.get(owner) : 0;

			if (first) {
				firstOf[kid] = first;
				nextOf[lastOf[first]] = kid;
				lastOf[first] = kid;
			} else if (owner) {
				owners.set(owner, kid);
				firstOf[kid] = lastOf[kid] = kid;
			}
		}
	}

	// Adds the children of node i. A function with several call sites comes where its first one was.
	function emitKids(i, id) {
		findOwners(i);
		for (let kid = i + 1; kid < end[i]; kid = end[kid]) {
			if (lastOf[kid] === firstOf[kid]) {
				emit(kid, id);
			} else if (firstOf[kid] === kid) {
				others.push(ownerOf(kid));
				const above = add(id, KIND.FUNCTION, -others.length);

				for (let one = kid; one; one = nextOf[one])
					emitSite(one, above);
			}
		}
	}

	function emit(i, parent) {
		if (leafOf[i] >= 0)
			emitSite(i, parent);
		else
			emitKids(i, add(parent, base.kind[i], base.nameAt[i]));
	}

	emit(0, -1);
	return { parent: parents.subarray(0, size), kind: kinds, names: base.names, nameAt, others, leafAt,
		 leaves: base.leaves, lineAt, fileAt, files: lines.files };
}

// A file as a part of an address; null if it could lead out of the source.
function sourcePath(file) {
	const parts = file.split("/");

	return parts.some((part) => !part || part === "." || part === "..") || file[0] === "[" ? null :
		parts.map(encodeURIComponent).join("/");
}

// The address of a line by the template of --source-url; "" without template or file.
function sourceUrl(template, { file, line }) {
	const path = file && template ? sourcePath(file) : null;

	if (!path || !/^https?:\/\//.test(template))
		return "";
	return template.replaceAll("{file}", () => path).replaceAll("{line}", () => `${line}`);
}
