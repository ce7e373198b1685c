// SPDX-License-Identifier: GPL-2.0-only
//
// decode.js - decodes the texts that page-data.c writes: names, columns of numbers, the shape of a
// tree. Documentation/format/page.rst describes them. Nothing here touches the document.

// The first seven are kinds of page-data.c; lines.js makes the last two.
const KIND = { ROOT: 0, DIR: 1, FILE: 2, CALLER: 3, SECTION: 4, NAMED: 5, FOLDED: 6, FUNCTION: 7, INLINE: 8 };
const KINDS = 7;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const LETTERS = DIGITS + "!#$%&()*+-;,=>?@^_`{|}~";

// Digits of a column: the last digit of a number, the digits before it, the sign of zeros.
const LAST = DIGITS + "-_", BEFORE = "!#$%&()*+,./;=?@", ZEROS = 128;

const SIGN = "~".charCodeAt(0), SIGNS = { "~p": "+", "~c": ",", "~t": "~" };

// A table from the code of a letter to its index in a text, plus from.
function placesOf(letters, from, table = new Uint8Array(128)) {
	for (let i = 0; i < letters.length; i++)
		table[letters.charCodeAt(i)] = from + i;
	return table;
}

const DIGIT_AT = placesOf(DIGITS, 0);
const COLUMN_AT = placesOf(":", ZEROS, placesOf(BEFORE, 64, placesOf(LAST, 0)));

// Base 85: five letters are four bytes; the last group may have fewer letters.
function decodeBytes(text) {
	const size = Math.floor(text.length * 4 / 5), bytes = new DataView(new ArrayBuffer(size + 4));
	const digits = placesOf(LETTERS, 0);
	const whole = text.length - text.length % 5;

	for (let i = 0, at = 0; i < text.length; i += 5, at += 4) {
		let four = 0;

		for (let k = i; k < i + 5; k++)
			four = four * 85 + (i < whole || k < text.length ? digits[text.charCodeAt(k)] : 84);
		bytes.setUint32(at, four);
	}
	return new Uint8Array(bytes.buffer, 0, size);
}

// The numbers of a column: last digit to base 64, digits before it to base 16; ":n" is n zeros.
function decodeNumbers(text) {
	const numbers = [];
	let value = 0, zeros = false;

	for (let i = 0; i < text.length; i++) {
		const digit = COLUMN_AT[text.charCodeAt(i)];

		if (digit === ZEROS) {
			zeros = true;
		} else if (digit >= 64) {
			value = value * 16 + digit - 64;
		} else if (zeros) {
			for (value = value * 64 + digit; value > 0; value--)
				numbers.push(0);
			zeros = false;
		} else {
			numbers.push(value * 64 + digit);
			value = 0;
		}
	}
	return numbers;
}

// A list of names. A name starts with the length of the prefix that it shares with the name before
// it; "~3" is a section. Each "+" is an offset and a size, which are in two columns. Most names have
// one "+", at the end; of() adds it when it is needed. texts: names without that end; tails: number
// of the offset, from 1, or 0.
class Names {
	constructor([text, offsets, sizes], sections) {
		const place = () => this.place(++next), signs = /~[pct]/.test(text);
		let last = "", next = 0;

		this.offsets = decodeNumbers(offsets);
		this.sizes = decodeNumbers(sizes);
		this.texts = [];
		this.tails = [];
		for (let from = 0, end; text && from <= text.length; from = end + 1) {
			end = text.indexOf(",", from);
			end = end < 0 ? text.length : end;
			if (text.charCodeAt(from) === SIGN) {
				this.add(sections[+text.slice(from + 1, end)], 0);
				continue;
			}
			const shared = DIGIT_AT[text.charCodeAt(from)], rest = text.slice(from + 1, end);

			last = shared ? last.slice(0, shared) + rest : rest;
			const plus = last.indexOf("+"), tail = plus >= 0 && plus === last.length - 1;
			const name = tail ? last.slice(0, plus) : plus < 0 ? last : last.replace(/[+]/g, place);

			this.add(signs ? name.replace(/~[pct]/g, (sign) => SIGNS[sign]) : name,
				tail ? ++next : 0);
		}
	}

	add(text, tail) {
		this.texts.push(text);
		this.tails.push(tail);
	}

	// Returns "+0x1f/0x2c0".
	place(tail) {
		return `+0x${this.offsets[tail - 1].toString(16)}/0x${this.sizes[tail - 1].toString(16)}`;
	}

	of(i) {
		return this.tails[i] ? this.texts[i] + this.place(this.tails[i]) : this.texts[i];
	}
}

// All names of a list, complete.
function decodeNames(list) {
	const names = new Names(list, []);

	return names.texts.map((text, i) => names.of(i));
}

// The nodes of a tree in preorder: parent, kind and index of the name of each; the nodes that are
// leaves, and the number of leaves of the input in each. The shape has for each node how far it is
// up from a child of the node before it.
function decodeShape(raw) {
	const { shape } = raw, names = new Names(raw.names, raw.sections), size = names.texts.length;
	const parent = new Int32Array(size), kind = new Uint8Array(size), nameAt = new Int32Array(size);
	const leafAt = [], leaves = [], above = new Int32Array(size);
	let folded = 0, at = 0, depth = 0;

	for (let i = 0; i < size; i++) {
		let up = 0;

		if (shape[at] === "(") {
			const end = shape.indexOf(")", at);

			up = +shape.slice(at + 1, end);
			at = end + 1;
		}
		const letter = DIGIT_AT[shape.charCodeAt(at++)];

		up += Math.floor(letter / KINDS);
		// The node before it is a leaf, unless this node is its child.
		if (i && up)
			leafAt.push(i - 1);
		depth -= i ? up : 0;
		parent[i] = i ? above[depth - 1] : -1;
		above[depth++] = i;
		nameAt[i] = i;
		kind[i] = letter % KINDS;
	}
	leafAt.push(size - 1);
	for (const i of leafAt)
		leaves.push(kind[i] === KIND.FOLDED ? raw.folded[folded++] : 1);
	return { parent, kind, names, nameAt, leafAt, leaves };
}

// Ends of nodes in preorder: the nodes below node i are i + 1 to end[i] - 1.
function endsOf(parent) {
	const end = new Int32Array(parent.length);

	for (let i = parent.length - 1; i >= 0; i--) {
		end[i] = Math.max(end[i], i + 1);
		if (i)
			end[parent[i]] = Math.max(end[parent[i]], end[i]);
	}
	return end;
}
