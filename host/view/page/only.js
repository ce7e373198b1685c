// SPDX-License-Identifier: GPL-2.0-only
//
// only.js - select leaves by rules, as --only and --not do: "module=ext4,xfs !dir=fs". Blanks separate rules; a
// leaf has to pass each. A word without "=" is a part of a path. Leaves that are not selected count as 0.

// Keys of a path: directories without the file, the path of the file, the call site, its function.
const PATH_KEYS = ["dir", "file", "caller", "function"];

// The patterns of a rule: * and ? are special. A directory and a cgroup stand for all below them, a type for
// its marked forms.
function patternsOf(key, text) {
	const tail = { dir: "(/.*)?", cgroup: "(/.*)?", type: "(\\+|\\[\\])?" }[key] || "";

	return (text.match(/"[^"]*"|[^,]+/g) || [""]).map((one) => new RegExp(`^${one.replace(/^"(.*)"$/, "$1")
		.replace(/[\\^$.|+()[\]{}]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".")}${tail}$`,
	key === "subsystem" ? "is" : "s"));
}

function rulesOf(text) {
	return (text.match(/(?:"[^"]*"|\S)+/g) || []).map((word) => {
		const not = word[0] === "!", [, key, pattern] = /^([a-z]+)=(.*)$/.exec(word.slice(+not)) || [];

		return key ? { key, not, patterns: patternsOf(key, pattern) } : { key: "path", not, part: word.slice(+not) };
	});
}

// For each key of rules a function from the number of a leaf to its texts; null if the tree has no such key.
function readerOf(source, base, branch, key) {
	const of = (i) => base.names.of(base.nameAt[i]), group = (source.groups || []).find((one) => one.by === key);
	const cuts = source.split === undefined ? null : decodeNumbers(source.split);
	const above = (leaf) => {
		const names = [], kinds = [];

		for (let i = base.parent[base.leafAt[leaf]]; i > 0; i = base.parent[i]) {
			names.unshift(of(i));
			kinds.unshift(base.kind[i]);
		}
		return { names, kinds, cut: cuts ? cuts[leaf] : 0 };
	};
	const path = (leaf, end) => {
		const { names, kinds, cut } = above(leaf);
		const own = names.slice(cut).filter((name, i) => end || kinds[cut + i] !== KIND.FILE);

		return (branch ? [branch, ...own] : own).join("/");
	};
	const name = (leaf) => of(base.leafAt[leaf]);

	if (group) {
		const names = decodeNames(group.names), numbers = decodeNumbers(group.of);

		return (leaf) => [names[numbers[leaf]]];
	}
	if (key === tableOf(source) && key)
		return (leaf) => {
			const { names, cut } = above(leaf);

			return [names.slice(0, cut).join("/")];
		};
	if (key === "path")
		return (leaf) => [[...above(leaf).names, name(leaf)].join("/")];
	// Of a tree by stacks, the functions are those of the whole stack.
	if (/stack|callers/.test(source.by))
		return key === "function" ? (leaf) => [...above(leaf).names, name(leaf)].map(functionOf) : null;
	return { dir: (leaf) => [path(leaf, false)], file: (leaf) => [path(leaf, true)],
		 caller: (leaf) => [name(leaf), name(leaf).replace(/\+0x\S*/, "")],
		 function: (leaf) => [functionOf(name(leaf))] }[key] || null;
}

// { pass: for each leaf whether it passes all rules, or null without rules; lacks: a key that the tree has not }
function selectLeaves(source, base, branch, text) {
	const rules = rulesOf(text), texts = new Map();
	const pass = new Uint8Array(base.leafAt.length).fill(1);

	for (const { key } of rules)
		texts.set(key, readerOf(source, base, branch, key));
	const lacks = rules.find(({ key }) => !texts.get(key));

	if (lacks || !rules.length)
		return { pass: null, lacks: lacks ? lacks.key : "" };
	for (let leaf = 0; leaf < pass.length; leaf++)
		pass[leaf] = +rules.every(({ key, not, patterns, part }) => not !== texts.get(key)(leaf).some((own) =>
			patterns ? patterns.some((one) => one.test(own)) : own.includes(part)));
	return { pass, lacks: "" };
}
