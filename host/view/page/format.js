// SPDX-License-Identifier: GPL-2.0-only
//
// format.js - formats numbers for people.

// "1,234,567": a browser's own formatting takes ten milliseconds the first time.
function group(number) {
	let text = `${number}`, groups = "";

	for (; text.length > 3; text = text.slice(0, -3))
		groups = `,${text.slice(-3)}${groups}`;
	return text + groups;
}

// As lib/units.c: exact halves of a tenth are rounded to the even tenth.
function formatBytes(value) {
	const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
	let unit = 0;

	while (value >= (unit ? 1023.95 : 1024) && unit < units.length - 1) {
		value /= 1024;
		unit++;
	}
	if (!unit)
		return `${value} B`;
	const down = Math.floor(value * 10), half = value * 10 - down;
	const tenths = down + (half > 0.5 || (half === 0.5 && down % 2) ? 1 : 0);

	return `${(tenths / 10).toFixed(1)} ${units[unit]}`;
}

function formatTime(value) {
	const units = ["us", "ms", "s"];
	let unit = 0;

	if (value < 1000)
		return `${value} ns`;
	for (value /= 1000; value >= 999.95 && unit < units.length - 1; unit++)
		value /= 1000;
	return `${(Math.floor(value * 10 + 0.5) / 10).toFixed(1)} ${units[unit]}`;
}

function formatValue(metric, value) {
	if (metric.unit === "ns")
		return formatTime(value);
	return metric.unit === "bytes" ? formatBytes(value) : group(value);
}

// A change as in the pictures: always with its sign.
function formatChange(metric, { before, after }) {
	if (after === before)
		return "±0";
	return (after > before ? "+" : "−") + formatValue(metric, Math.abs(after - before));
}

// Increases and decreases that a sum of changes hides: " (+1.3 MiB and −1.4 MiB)".
function formatMoves(metric, { moved, before, after }) {
	const up = (moved + after - before) / 2, down = (moved - after + before) / 2;

	return up > 0 && down > 0 ?
		` (+${formatValue(metric, up)} and −${formatValue(metric, down)})` : "";
}

function formatPercent({ before, after }) {
	if (!before || !after)
		return before ? "gone" : after ? "new" : "";
	const percent = 100 * Math.abs(after - before) / before;

	if (before === after)
		return "";
	if (percent >= 9999.5)
		return ">9999%";
	return `${after < before ? "−" : "+"}${percent.toFixed(percent < 999.95 ? 1 : 0)}%`;
}

// The value of numbers, or in a comparison their change.
function formatOwn(metric, own) {
	return own.before === undefined ? formatValue(metric, own.value) : formatChange(metric, own);
}

// Halves are rounded up.
function formatShare(part, whole) {
	if (part > 0 && part * 2000 < whole)
		return "<0.1%";
	return `${(whole ? Math.floor((part * 2000 + whole) / 2 / whole) / 10 : 0).toFixed(1)}%`;
}
