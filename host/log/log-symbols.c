// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-symbols.c - the text of a log. It has these lines:
 *
 *	ffffffff81000000 T name			a symbol of the kernel
 *	ffffffffc0000000 t name<tab>[module]	a symbol of a module
 *	#node 0 0-3,8				the CPUs of a NUMA node
 *	#task ..., #fork ..., and others	tasks, see log-tasks.c
 *	#total CPU RECORDS LOST NMI		numbers that the module has counted on a CPU
 *	#end N					the last line; N is the number of #total lines
 *
 * A log whose header announces totals and that lacks the last line is truncated.
 *
 * If an address has several names, %pS prints the first one in the file. The size of a symbol is
 * the distance to the next different address; the last symbol has no size.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "log-symbols.h"

/* Bytes. A symbol that seems to be larger is the last one before a gap, and has no size. */
#define KMA_LOG_SYMBOL_MAX (16U << 20)
#define KMA_LOG_CPU_MAX	   65535 /* largest number of a CPU */

/* Parse at most 16 hexadecimal digits. Return: position after them. */
static const char *log_hex(const char *p, const char *end, uint64_t *ret)
{
	uint64_t value = 0;
	const char *from = p;

	for (; p < end && p - from < 16; p++) {
		if (*p >= '0' && *p <= '9')
			value = value << 4 | (*p - '0');
		else if (*p >= 'a' && *p <= 'f')
			value = value << 4 | (*p - 'a' + 10);
		else
			break;
	}
	*ret = value;
	return p;
}

/* Parse the line of a symbol, which ends at @end; false if it has another form. */
static bool log_parse_symbol(const char *p, const char *end, struct kma_log_symbol *ret)
{
	const char *after = log_hex(p, end, &ret->address), *tab;

	/* A name that starts with "$" or ".L" is the assembler's, and %pS does not print it. */
	if ((after - p != 8 && after - p != 16) || end - after < 4 || after[0] != ' ' ||
	    after[2] != ' ' || !strchr("tTwWi", after[1]) || after[3] == '$' ||
	    !strncmp(after + 3, ".L", 2))
		return false;
	ret->name = after + 3;
	tab = memchr(ret->name, '\t', end - ret->name);
	ret->module = NULL;
	ret->module_len = 0;
	if (tab && end - tab > 3 && tab[1] == '[' && end[-1] == ']') {
		ret->module = tab + 2;
		if (end - 1 - ret->module > 64)
			return false;
		ret->module_len = end - 1 - ret->module;
	}
	end = tab ?: end;
	if (end == ret->name || end - ret->name > 512)
		return false;
	ret->len = end - ret->name;
	return true;
}

static void log_set_node(struct kma_log_symbols *symbols, unsigned int first, unsigned int last,
			 unsigned int node)
{
	uint16_t *nodes;

	if (last >= symbols->nr_nodes) {
		nodes = kma_xrealloc(symbols->nodes, last + 1, sizeof(*nodes));
		for (unsigned int cpu = symbols->nr_nodes; cpu <= last; cpu++)
			nodes[cpu] = KMA_LOG_NO_NODE;
		symbols->nodes = nodes;
		symbols->nr_nodes = last + 1;
	}
	for (unsigned int cpu = first; cpu <= last; cpu++)
		symbols->nodes[cpu] = node;
}

/* Parse a line of a node with its list of CPUs, "0-3,8"; a corrupt character ends the list. */
static void log_parse_node(struct kma_log_symbols *symbols, const char *line)
{
	unsigned int node, first, last;

	int len = 0;

	if (sscanf(line, "#node %5u %n", &node, &len) != 1 || !len || node >= KMA_LOG_NO_NODE)
		return;
	for (;;) {
		line += len;
		len = 0;
		if (sscanf(line, "%5u%n", &first, &len) != 1 || !len || first > KMA_LOG_CPU_MAX)
			break;
		line += len;
		last = first;
		len = 0;
		if (*line == '-' && (sscanf(line, "-%5u%n", &last, &len) != 1 || !len))
			break;
		line += len;
		if (last < first || last > KMA_LOG_CPU_MAX)
			break;
		log_set_node(symbols, first, last, node);
		if (*line != ',')
			break;
		len = 1;
	}
}

static void log_totals_add(struct kma_log_totals *totals, uint32_t cpu, uint64_t records,
			   uint64_t lost)
{
	struct kma_log_total *total = &totals->cpus[cpu];

	totals->nr += !total->known;
	total->known = true;
	total->records = records;
	total->lost = lost;
}

/* Parse a line of totals, which ends with a line feed; false if it has another form. */
static bool log_totals_parse(struct kma_log_totals *totals, const char *line, uint32_t nr_cpus)
{
	uint64_t records, lost;
	uint32_t cpu, nr;

	if (sscanf(line, "#end %" SCNu32, &nr) == 1) {
		totals->whole = nr == totals->nr;
		return true;
	}
	if (sscanf(line, "#total %" SCNu32 " %" SCNu64 " %" SCNu64, &cpu, &records, &lost) != 3)
		return false;
	if (cpu >= nr_cpus)
		return true;
	if (!totals->cpus)
		totals->cpus = kma_xcalloc(nr_cpus, sizeof(*totals->cpus));
	log_totals_add(totals, cpu, records, lost);
	return true;
}

/*
 * qsort(3) is not stable. Of symbols at one address, the one that comes first in the text is placed
 * first: names point into the text.
 */
static int log_compare_symbols(const void *a, const void *b)
{
	const struct kma_log_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Sort the symbols, keep one for each address, and set their sizes. */
static void log_size_symbols(struct kma_log_symbols *symbols)
{
	size_t nr = 0;

	if (!symbols->nr)
		return;
	qsort(symbols->all, symbols->nr, sizeof(*symbols->all), log_compare_symbols);
	for (size_t i = 0; i < symbols->nr; i++)
		if (!nr || symbols->all[i].address != symbols->all[nr - 1].address)
			symbols->all[nr++] = symbols->all[i];
	symbols->nr = nr;
	for (size_t i = 0; i < nr; i++) {
		uint64_t size = i + 1 < nr ? symbols->all[i + 1].address - symbols->all[i].address :
					     UINT64_MAX;

		symbols->all[i].size = size <= KMA_LOG_SYMBOL_MAX ? size : 0;
	}
}

void kma_log_symbols_read(struct kma_log_symbols *symbols, const struct kma_log_file *file)
{
	struct kma_log_symbol symbol;
	size_t room = 0, len = 0;
	const char *end, *nl;

	for (size_t i = 0; i < file->symbols.nr; i++)
		len += file->symbols.all[i].len;
	if (!len)
		return;
	/*
	 * Copy the text: a line may be in two chunks, and names are needed after the pages were
	 * read.
	 */
	symbols->text = kma_xmalloc(len + 1);
	len = 0;
	for (size_t i = 0; i < file->symbols.nr; i++) {
		const struct kma_log_extent *extent = &file->symbols.all[i];

		memcpy(symbols->text + len, file->map + extent->pos, extent->len);
		len += extent->len;
	}
	end = symbols->text + len;
	symbols->text[len] = '\0';
	for (const char *p = symbols->text; p < end; p = nl + 1) {
		nl = memchr(p, '\n', end - p) ?: end;
		if (*p == '#' && *nl == '\n' &&
		    kma_log_tasks_parse(&symbols->tasks, p, &file->ticks))
			continue;
		/* The text is terminated, and a number ends with its line: sscanf() is safe. */
		if (*p == '#' && *nl == '\n' &&
		    log_totals_parse(&symbols->totals, p, file->head.nr_cpus))
			continue;
		if (*p == '#') {
			log_parse_node(symbols, p);
		} else if (log_parse_symbol(p, nl, &symbol)) {
			kma_array_room(symbols->all, symbols->nr, room);
			symbols->all[symbols->nr++] = symbol;
		}
	}
	log_size_symbols(symbols);
	kma_log_tasks_sort(&symbols->tasks);
}

void kma_log_symbols_free(struct kma_log_symbols *symbols)
{
	free(symbols->all);
	free(symbols->nodes);
	free(symbols->totals.cpus);
	kma_log_tasks_free(&symbols->tasks);
	free(symbols->text);
}

const struct kma_log_symbol *kma_log_symbols_at(const struct kma_log_symbols *symbols,
						uint64_t address)
{
	size_t low = kma_array_search(symbols->nr, i, symbols->all[i].address <= address);

	return low && symbols->all[low - 1].size ? &symbols->all[low - 1] : NULL;
}
