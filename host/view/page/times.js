// SPDX-License-Identifier: GPL-2.0-only
//
// times.js - the numbers of a tree at each of its times. The column of a metric has the newest
// numbers; each earlier time has the differences to the time after it.

// The numbers of the leaves at each time, oldest first. metric: has column and back.
function decodeTimes(metric) {
	let newest = decodeNumbers(metric.column);
	const times = [newest];

	for (const text of metric.back) {
		const earlier = Float64Array.from(newest);

		decodeNumbers(text).forEach((step, leaf) => {
			earlier[leaf] += step % 2 ? -(step + 1) / 2 : step / 2;
		});
		times.unshift(earlier);
		newest = earlier;
	}
	return times;
}

class Times {
	constructor(tree, points) {
		this.tree = tree;
		this.points = points;		// { ms, name, lost, begins }
		this.last = points.length - 1;
		this.leaves = new Map();	// metric: numbers of the leaves at each time
		this.columns = new Map();	// metric: numbers of all nodes at each time
	}

	// The numbers of the leaves at each time: the sum of other metrics, plus the own column.
	leavesOf(metric) {
		const { tree } = this, own = tree.metrics[metric];

		if (!this.leaves.has(metric)) {
			const parts = Object.entries(own.sum || {}).map(([name, sign]) =>
				[sign, this.leavesOf(tree.metrics.findIndex((m) => m.name === name))]);

			if (own.column !== undefined)
				parts.push([1, decodeTimes(own)]);
			this.leaves.set(metric, this.points.map((point, at) =>
				Float64Array.from(tree.leafAt, (i, leaf) => parts.reduce((sum, [sign, times]) =>
					sum + sign * times[at][leaf], 0))));
		}
		return this.leaves.get(metric);
	}

	column(metric, at) {
		const { tree } = this, column = new Float64Array(tree.size), leaves = this.leavesOf(metric)[at];

		scatter(tree, leaves, column);
		return rollUp(tree, column);
	}

	// The numbers of all nodes at all times; cached for one metric.
	all(metric) {
		if (!this.columns.has(metric)) {
			this.columns.clear();
			this.columns.set(metric, this.points.map((point, at) => this.column(metric, at)));
		}
		return this.columns.get(metric);
	}

	// The sum over some nodes at each time.
	series(metric, nodes) {
		return this.all(metric).map((column) => nodes.reduce((sum, i) => sum + column[i], 0));
	}

	// Positions from 0 to 1: by the clock, or in equal steps if all times are equal or unknown.
	places() {
		const begin = this.points[0].ms, span = this.points[this.last].ms - begin;

		return this.points.map((point, at) => span > 0 ? (point.ms - begin) / span :
			this.last ? at / this.last : 0);
	}

	// The times before which samples are missing: the step to them is over 2.5 times the median.
	gaps() {
		const steps = this.points.slice(1).map((point, at) => point.ms - this.points[at].ms);
		const usual = [...steps].sort((a, b) => a - b)[steps.length >> 1];

		return steps.flatMap((step, at) => usual > 0 && step > 2.5 * usual ? [at + 1] : []);
	}

	// A time as text, in UTC as in the footer; without a clock the name of the input.
	when(at) {
		const { ms, name } = this.points[at];

		return ms ? `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC` : visible(name);
	}

	// The time nearest to time at of another tree, which may have fewer times.
	nearest({ points, last }, at) {
		const apart = this.points.map((point) => Math.abs(point.ms - points[at].ms));

		return at === last || !points[at].ms ? Math.round(this.last * at / (last || 1)) :
			apart.indexOf(Math.min(...apart));
	}

	// Remarks on a time: "212 events not recorded; another boot or account begins".
	remarks(at) {
		const { lost, begins } = this.points[at];
		const gap = this.gaps().includes(at);

		return [lost ? `${group(lost)} events not recorded` : "",
			begins ? "another boot or account begins" : "",
			gap ? "end of a gap without samples" : ""].filter((text) => text).join("; ");
	}
}
