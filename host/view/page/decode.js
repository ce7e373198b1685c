// SPDX-License-Identifier: GPL-2.0-only
//
// decode.js - the texts that page-data.c wrote: names, columns of numbers, the shape of a tree.
// Documentation/format/page.rst describes them. Nothing here touches the page.

// The last two are made by lines.js.
const KIND = { ROOT: 0, DIR: 1, FILE: 2, CALLER: 3, SECTION: 4, NAMED: 5, FOLDED: 6, FUNCTION: 7, INLINE: 8 };
const KINDS = 7;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const LETTERS = DIGITS + "!#$%&()*+-;,=>?@^_`{|}~";

const SIGNS = { "~p": "+", "~c": ",", "~t": "~" };

// Bytes, four of which are a number of five letters; the last letters may be missing.
function decodeBytes(text) {
	const size = Math.floor(text.length * 4 / 5), bytes = new DataView(new ArrayBuffer(size + 4));
	const digits = new Uint8Array(128);

	for (let i = 0; i < LETTERS.length; i++)
		digits[LETTERS.charCodeAt(i)] = i;
	for (let i = 0, at = 0; i < text.length; i += 5, at += 4) {
		let four = 0;

		for (let k = i; k < i + 5; k++)
			four = four * 85 + (k < text.length ? digits[text.charCodeAt(k)] : 84);
		bytes.setUint32(at, four);
	}
	return new Uint8Array(bytes.buffer, 0, size);
}

// A name says how much it shares with the one before it; "~3" is a section. "+1f/2c0" is
// an offset and a size.
function decodeNames(text, sections) {
	let last = "";

	return (text ? text.split(",") : []).map((code) => {
		if (code[0] === "~")
			return sections[+code.slice(1)];
		last = last.slice(0, DIGITS.indexOf(code[0])) + code.slice(1);
		let name = last;

		if (name.includes("+"))
			name = name.replace(/\+([0-9a-f]+)\/([0-9a-f]+)/g, "+0x$1/0x$2");
		return name.includes("~") ? name.replace(/~[pct]/g, (sign) => SIGNS[sign]) : name;
	});
}

// Numbers to base 36 between commas, ":n" is n zeros; put(value) takes them in order.
function decodeColumn(text, put) {
	for (const word of text ? text.split(",") : []) {
		if (word[0] !== ":") {
			put(parseInt(word, 36));
			continue;
		}
		for (let zeros = parseInt(word.slice(1), 36); zeros > 0; zeros--)
			put(0);
	}
}

function decodeNumbers(text) {
	const numbers = [];

	decodeColumn(text, (value) => numbers.push(value));
	return numbers;
}

// The nodes of a tree in preorder: parents, kinds, names; the places of its leaves, and how many
// leaves of the input each of these stands for. A place comes from how far up a node is from where
// a child of the last one would be.
function decodeShape(raw) {
	const codes = raw.shape.match(/\(\d+\).|./g), size = codes.length;
	const parent = new Int32Array(size), kind = new Uint8Array(size);
	const leafAt = [], leaves = [], below = [];
	let folded = 0;

	for (let i = 0; i < size; i++) {
		const code = codes[i], letter = DIGITS.indexOf(code[code.length - 1]);
		const up = Math.floor(letter / KINDS) + (code.length > 1 ? parseInt(code.slice(1), 10) : 0);

		if (i) {
			below.length -= up;
			// The node before is a leaf unless this one is its child.
			if (up)
				leafAt.push(i - 1);
		}
		parent[i] = i ? below[below.length - 1] : -1;
		below.push(i);
		kind[i] = letter % KINDS;
	}
	leafAt.push(size - 1);
	for (const i of leafAt)
		leaves.push(kind[i] === KIND.FOLDED ? raw.folded[folded++] : 1);
	return { parent, kind, names: decodeNames(raw.names, raw.sections), leafAt, leaves };
}
