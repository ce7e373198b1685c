// SPDX-License-Identifier: GPL-2.0-only
/*
 * linked.c - attribute each byte of a linked kernel to the objects that it was linked from.
 *
 * The steps, in this order:
 *
 *	1. Read the linker's map into a list of inputs (sections of objects, and fills).
 *	2. Correct what the linkers print of merged constants.
 *	3. Charge each input to the section of its object, and a fill to the section after it if its
 *	   alignment requires it.
 *	4. Give a name to the rest: tables at known symbols, and one row for what remains.
 *
 * image->filled never exceeds the size of a section, so each step attributes only bytes that are
 * left, and the last step makes the sum exact.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "linked.h"
#include "symbol/binary.h"
#include "symbol/srcpath.h"

#define FILL "*fill*"

/* A line of the map: a section of an object, or a fill. */
struct input {
	char *section;	     /* its name; FILL: a fill */
	char *object;	     /* as the linker was given it */
	int output;	     /* index of the section of the image */
	uint64_t addr, size; /* in the image */
	uint64_t before;     /* bytes in the object */
};

struct linker_map {
	struct kma_linked *image;
	char *text; /* the file; the inputs point into it */
	struct input *inputs;
	size_t nr, room;
	bool other_build;		    /* a section has another size than in the image */
	bool whole;			    /* the last line of GNU ld\'s map was read */
	struct kma_static_object **objects; /* of the kernel, sorted by object->whole */
	size_t nr_objects;
};

static void map_deinit(struct linker_map *map)
{
	free(map->text);
	free(map->inputs);
	free(map->objects);
}

static int section_named(const struct kma_linked *image, const char *name)
{
	for (size_t i = 0; i < image->bin->nr_sections; i++)
		if (!strcmp(image->bin->sections[i].name, name))
			return i;
	return -1;
}

static struct input *input_add(struct linker_map *map, const struct input *input)
{
	kma_array_room(map->inputs, map->nr, map->room);
	map->inputs[map->nr] = *input;
	return &map->inputs[map->nr++];
}

/* Read a number and move the cursor after it; false if there is none. */
static bool take(char **p, int base, uint64_t *ret)
{
	char *end;

	*p += strspn(*p, " ");
	if (**p < '0' || **p > 'f')
		return false;
	*ret = strtoull(*p, &end, base);
	if (end == *p || (*end && *end != ' '))
		return false;
	*p = end;
	return true;
}

/* Begin a section of the image. Debugging information and other sections without memory: -1. */
static int output_begin(struct linker_map *map, const char *name, bool has_size, uint64_t size)
{
	int output = section_named(map->image, name);

	if (output >= 0 && has_size && size != map->image->bin->sections[output].size)
		map->other_build = true;
	return output;
}

/*
 * The map of GNU ld:
 *
 *	.text           0xffffffff81000000  0x1e00a40 load address 0x1000000
 *	 *(.text .text.*)
 *	 .text          0xffffffff81000000      0x1a0 init/main.o
 *	                0xffffffff81000020                start_kernel
 *	 *fill*         0xffffffff810001a0       0x10 cccc
 *	 .rodata.str1.1
 *	                0xffffffff82000000       0x14 vmlinux.a(fs/super.o)
 *	                                         0x20 (size before relaxing)
 *
 * A long name stands on a line of its own. Patterns, symbols and assignments are ignored.
 */
static void read_gnu(struct linker_map *map, char *text)
{
	char *name = NULL, *line, *p;
	struct input *last = NULL;
	bool top = false; /* @name is of a section of the image */
	int output = -1;

	while ((line = strsep(&text, "\n"))) {
		size_t blanks = strspn(line, " ");
		struct input input = { 0 };

		p = line + blanks;
		if (!*p)
			continue;
		if (blanks < 2) {
			name = strsep(&p, " ");
			if (blanks && *name == '*' && strcmp(name, FILL))
				name = NULL;
			top = !blanks;
			if (top) {
				output = -1;
				map->whole |= !strncmp(name, "OUTPUT(", 7);
			}
			if (!name || !p)
				p = "";
		}
		if (!strncmp(p, "0x", 2) && strstr(p, " (size before relaxing)") && last) {
			take(&p, 16, &last->before);
			continue;
		}
		if (!name || !take(&p, 16, &input.addr))
			continue;
		if (!take(&p, 16, &input.size)) {
			name = NULL;
			continue;
		}
		p += strspn(p, " ");
		input.section = name;
		input.object = p;
		input.before = input.size;
		name = NULL;
		last = NULL;
		/* "load address 0x1000000" may follow the size of a section of the image. */
		if (top) {
			output = output_begin(map, input.section, true, input.size);
		} else if (output >= 0 && input.size) {
			input.output = output;
			last = input_add(map, &input);
		}
	}
}

/*
 * The map of LLVM's ld (address, address to load, size, alignment):
 *
 *	ffffffff81000000 1000000  1e00a40  4096 .text
 *	ffffffff81000000 1000000      1a0    16         vmlinux.a(init/main.o):(.text)
 *	ffffffff81000020 1000020       80     1                 start_kernel
 *	ffffffff82000000 2000000       14     1         <internal>:(.rodata)
 *
 * Merged constants are <internal>: the map does not tell whose they are. Fills have no line.
 */
static void read_lld(struct linker_map *map, char *text)
{
	uint64_t end = 0, load, align;
	int output = -1;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		struct input input = { 0 };
		size_t blanks;
		char *colon;

		if (!take(&line, 16, &input.addr) || !take(&line, 16, &load) ||
		    !take(&line, 16, &input.size) || !take(&line, 10, &align))
			continue;
		blanks = strspn(line, " ");
		line += blanks;
		if (blanks == 1) {
			output = output_begin(map, line, true, input.size);
			end = input.addr;
		}
		if (blanks != 9 || output < 0)
			continue;
		if (input.addr > end && input.addr - end < align)
			input_add(map, &(struct input){ .section = FILL,
							.output = output,
							.addr = end,
							.size = input.addr - end });
		end = input.addr + input.size;
		colon = memrchr(line, ':', strlen(line));
		if (!colon || colon[1] != '(' || !input.size)
			continue;
		*colon = '\0';
		input.section = colon + 2;
		input.section[strcspn(input.section, ")")] = '\0';
		input.object = line;
		input.output = output;
		input.before = input.size;
		input_add(map, &input);
	}
}

/*
 * GNU ld prints the size of the whole group for a section of which nothing is left; the next input
 * then begins at the same address. From 2.43 on it lists all that is left of a group of merged
 * sections with the first one, which then is larger than before: the bytes are divided among the
 * group in proportion to what each had. (ARM's index of unwinding grows by 8 bytes without
 * merging.)
 */
static void correct(struct linker_map *map)
{
	struct input *list = map->inputs;

	for (size_t i = 0; i + 1 < map->nr; i++)
		if (list[i].output == list[i + 1].output && list[i + 1].addr >= list[i].addr &&
		    list[i + 1].addr - list[i].addr < list[i].size)
			list[i].size = list[i + 1].addr - list[i].addr;
	for (size_t i = 0; i < map->nr; i++) {
		uint64_t kept = 0, had = 0, seen = 0, given = 0;

		if (list[i].size <= list[i].before + 8)
			continue;
		for (size_t k = i; k < map->nr; k++)
			if (list[k].output == list[i].output &&
			    !strcmp(list[k].section, list[i].section)) {
				kept += list[k].size;
				had += list[k].before;
			}
		for (size_t k = map->nr; k-- > i;) {
			uint64_t until;

			if (list[k].output != list[i].output ||
			    strcmp(list[k].section, list[i].section))
				continue;
			seen += list[k].before;
			until = (__uint128_t)kept * seen / (had ?: 1);
			list[k].size = until - given;
			given = until;
		}
	}
}

static int cmp_whole(const void *a, const void *b)
{
	const struct kma_static_object *x = *(struct kma_static_object *const *)a;
	const struct kma_static_object *y = *(struct kma_static_object *const *)b;

	return strcmp(x->object->whole, y->object->whole) ?:
		       (x->object > y->object) - (x->object < y->object);
}

static void sort_objects(struct linker_map *map, struct kma_static *st)
{
	map->objects = kma_xmalloc((st->nr + 1) * sizeof(*map->objects));
	for (size_t i = 0; i < st->nr; i++)
		if (!st->objects[i].object->module)
			map->objects[map->nr_objects++] = &st->objects[i];
	qsort(map->objects, map->nr_objects, sizeof(*map->objects), cmp_whole);
}

/* The objects that the linker was given as one file, from *first on; their number, 0 if unknown. */
static size_t objects_of(const struct linker_map *map, const char *path, size_t *first)
{
	size_t end;

	*first = kma_array_search(map->nr_objects, i,
				  strcmp(map->objects[i]->object->whole, path) < 0);
	for (end = *first; end < map->nr_objects; end++)
		if (strcmp(map->objects[end]->object->whole, path))
			break;
	return end - *first;
}

/*
 * The same by the name in the map: "fs/super.o", "vmlinux.a(fs/super.o)" or
 * "fs/built-in.a(super.o)".
 */
static size_t find_objects(const struct linker_map *map, const struct input *input, size_t *first)
{
	_cleanup_free_ char *path = kma_xstrdup(input->object), *below = NULL;
	char *member = strstr(path, ".a("), *slash;
	size_t nr;

	if (!member) {
		kma_srcpath_normalise(path);
		return objects_of(map, path, first);
	}
	*member = '\0';
	member += 3;
	member[strcspn(member, ") ")] = '\0';
	kma_srcpath_normalise(member);
	nr = objects_of(map, member, first);
	slash = strrchr(path, '/');
	if (nr || !slash)
		return nr;
	below = kma_xasprintf("%.*s%s", (int)(slash + 1 - path), path, member);
	kma_srcpath_normalise(below);
	return objects_of(map, below, first);
}

static const struct kma_binary_symbol *symbol_find(const struct kma_linked *image, const char *name)
{
	const struct kma_binary_symbol **all = image->by_name;
	size_t nr = image->bin->nr_symbols;
	size_t low = kma_array_search(nr, i, strcmp(all[i]->name, name) < 0);

	return low < nr && !strcmp(all[low]->name, name) ? all[low] : NULL;
}

/*
 * Kind of a section of the image. What lies between __init_begin and __init_end is freed after
 * boot, but .data..percpu, which is there as the model of the copies for each CPU, and those stay.
 */
static enum kma_metric_id kind_of(const struct kma_linked *image, int output)
{
	const struct kma_binary_section *section = &image->bin->sections[output];
	const struct kma_binary_symbol *begin = symbol_find(image, "__init_begin");
	const struct kma_binary_symbol *end = symbol_find(image, "__init_end");

	if (begin && end && section->addr >= begin->value &&
	    section->addr + section->size <= end->value && strcmp(section->name, ".data..percpu"))
		return KMA_INIT;
	return kma_static_kind(section, false);
}

/* Charge up to *@left bytes of the image to a section of an object, which had up to *@had bytes. */
static void charge(struct kma_linked *image, struct kma_static_section *section, int output,
		   uint64_t *left, uint64_t *had)
{
	uint64_t room = image->bin->sections[output].size - image->filled[output];
	uint64_t was = section->size - section->linked - section->merged, linked;

	was = was < *had ? was : *had;
	linked = was < *left ? was : *left;
	linked = linked < room ? linked : room;
	section->output = output;
	section->linked += linked;
	section->merged += was - linked;
	if (kind_of(image, output) == KMA_INIT)
		section->kind = KMA_INIT;
	image->filled[output] += linked;
	image->used[output] = true;
	*left -= linked;
	*had -= was;
}

/* Add a row in brackets, of at most as many bytes as the section has left. */
static void add_row(struct kma_linked *image, int output, const char *name, uint64_t size)
{
	uint64_t left = image->bin->sections[output].size - image->filled[output];

	if (size > left)
		size = left;
	if (!size)
		return;
	image->filled[output] += size;
	for (size_t i = 0; i < image->nr_rows; i++)
		if (image->rows[i].output == output && !strcmp(image->rows[i].name, name)) {
			image->rows[i].size += size;
			return;
		}
	kma_array_room(image->rows, image->nr_rows, image->room);
	image->rows[image->nr_rows++] = (struct kma_linked_row){
		.name = kma_xstrdup(name),
		.output = output,
		.kind = kind_of(image, output),
		.size = size,
	};
}

/* A section that the linker made (.note.gnu.build-id): GNU ld lists it with the first object. */
static void add_made(struct kma_linked *image, const struct input *input)
{
	char name[64];

	snprintf(name, sizeof(name), "[%.60s]", input->section);
	add_row(image, input->output, name, input->size);
}

/*
 * Charge an input to the section of that name of its object, or of the parts of its object in turn.
 * An object has several sections of a name if their flags differ, and several inputs of one section
 * if LLVM's ld lists each common symbol.
 */
static void place(struct linker_map *map, const struct input *input, const struct input *fill,
		  size_t first, size_t nr)
{
	uint64_t left = input->size, had = input->before, padding = 0, room;
	struct kma_linked *image = map->image;
	bool named = false;

	if (fill && !strcmp(fill->section, FILL) && fill->output == input->output &&
	    fill->addr + fill->size == input->addr)
		padding = fill->size;
	for (size_t i = first; i < first + nr; i++) {
		struct kma_static_object *object = map->objects[i];

		for (size_t k = 0; k < object->nr_sections && had; k++) {
			struct kma_static_section *section = &object->sections[k];

			if (strcmp(section->name, input->section))
				continue;
			named = true;
			if (section->linked + section->merged == section->size)
				continue;
			charge(image, section, input->output, &left, &had);
			room = image->bin->sections[input->output].size -
			       image->filled[input->output];
			if (padding < section->align && padding <= room) {
				section->padding += padding;
				image->filled[input->output] += padding;
			}
			padding = 0;
		}
	}
	if (named)
		image->differ += nr == 1 && had;
	else
		add_made(image, input);
}

/*
 * A row for an object that is not of the tree. The tables of kallsyms are found by their symbols.
 */
static void add_stranger(struct linker_map *map, const struct input *input)
{
	const char *slash = strrchr(input->object, '/');
	char name[64];

	if (strstr(input->object, "kallsyms"))
		return;
	snprintf(name, sizeof(name), "[%.60s]",
		 !strcmp(input->object, "<internal>") ? "merged constants" :
		 slash				      ? slash + 1 :
							input->object);
	add_row(map->image, input->output, name, input->size);
	map->image->used[input->output] = true;
}

/* Charge all inputs. Return how many are of objects of the tree. */
static size_t place_all(struct linker_map *map, bool only_count)
{
	size_t found = 0;

	for (size_t i = 0; i < map->nr; i++) {
		const struct input *input = &map->inputs[i];
		size_t first, nr;

		if (!strcmp(input->section, FILL))
			continue;
		nr = find_objects(map, input, &first);
		found += !!nr;
		if (only_count)
			continue;
		if (nr)
			place(map, input, i ? input - 1 : NULL, first, nr);
		else
			add_stranger(map, input);
	}
	return found;
}

/* Bytes from a symbol to the next one that has another address. */
static uint64_t span_of(const struct kma_linked *image, const struct kma_binary_symbol *symbol,
			int output)
{
	const struct kma_binary_section *section = &image->bin->sections[output];
	uint64_t end = section->addr + section->size;
	size_t low = kma_array_search(image->bin->nr_symbols, i,
				      image->by_addr[i]->value <= symbol->value);

	if (low < image->bin->nr_symbols && image->by_addr[low]->value < end)
		end = image->by_addr[low]->value;
	return end > symbol->value ? end - symbol->value : 0;
}

/* Tables that the linker script and kbuild add, by the symbols at their start. */
static const struct {
	const char *symbol;
	const char *end; /* NULL: up to the next symbol */
	const char *row;
} tables[] = {
	{ "kallsyms_addresses", NULL, "[kallsyms]" },
	{ "kallsyms_offsets", NULL, "[kallsyms]" },
	{ "kallsyms_relative_base", NULL, "[kallsyms]" },
	{ "kallsyms_num_syms", NULL, "[kallsyms]" },
	{ "kallsyms_names", NULL, "[kallsyms]" },
	{ "kallsyms_markers", NULL, "[kallsyms]" },
	{ "kallsyms_token_table", NULL, "[kallsyms]" },
	{ "kallsyms_token_index", NULL, "[kallsyms]" },
	{ "kallsyms_seqs_of_names", NULL, "[kallsyms]" },
	{ "__start_init_task", "__end_init_task", "[init stack]" },
	{ "__brk_base", NULL, "[early brk]" },
};

/* Bytes of objects within the range of a table: the first task's data is inside its stack. */
static uint64_t inside(const struct kma_static *st, const char *row)
{
	uint64_t sum = 0;

	if (strcmp(row, "[init stack]"))
		return 0;
	for (size_t i = 0; i < st->nr; i++)
		for (size_t k = 0; k < st->objects[i].nr_sections; k++)
			if (!strncmp(st->objects[i].sections[k].name, ".data..init_t", 13) &&
			    !st->objects[i].object->module)
				sum += st->objects[i].sections[k].linked;
	return sum;
}

static void add_tables(struct kma_linked *image, const struct kma_static *st)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		const struct kma_binary_symbol *symbol = symbol_find(image, tables[i].symbol), *end;
		uint64_t size, used;
		int output = -1;

		end = tables[i].end ? symbol_find(image, tables[i].end) : NULL;
		for (size_t k = 0; symbol && k < image->bin->nr_sections; k++)
			if (image->bin->sections[k].index == symbol->section)
				output = k;
		if (output < 0 || (tables[i].end && !end))
			continue;
		size = end ? end->value - symbol->value : span_of(image, symbol, output);
		used = inside(st, tables[i].row);
		if (size > used)
			add_row(image, output, tables[i].row, size - used);
	}
}

/*
 * A row for the rest of each section: alignment if objects are linked into the section, else a row
 * with the name of the section.
 */
static void add_rest(struct kma_linked *image)
{
	for (size_t i = 0; i < image->bin->nr_sections; i++) {
		const struct kma_binary_section *section = &image->bin->sections[i];
		char name[64];

		snprintf(name, sizeof(name), "[%.60s]", section->name);
		add_row(image, i, image->used[i] ? KMA_STATIC_ALIGNMENT : name, section->size);
		image->size += section->size;
	}
}

static int cmp_name(const void *a, const void *b)
{
	const struct kma_binary_symbol *x = *(const struct kma_binary_symbol *const *)a;
	const struct kma_binary_symbol *y = *(const struct kma_binary_symbol *const *)b;

	return strcmp(x->name, y->name);
}

static int cmp_addr(const void *a, const void *b)
{
	const struct kma_binary_symbol *x = *(const struct kma_binary_symbol *const *)a;
	const struct kma_binary_symbol *y = *(const struct kma_binary_symbol *const *)b;

	return (x->value > y->value) - (x->value < y->value);
}

static struct kma_err *read_image(const char *dir, struct kma_linked *image)
{
	_cleanup_free_ char *path = kma_xasprintf("%s/vmlinux", dir);
	struct kma_err *err;
	size_t nr;

	err = kma_binary_open(AT_FDCWD, path, true, &image->bin);
	if (err)
		return err;
	if (image->bin->relocatable)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, path, 0,
					   "an object file, not a linked kernel");
	nr = image->bin->nr_symbols;
	image->filled = kma_xcalloc(image->bin->nr_sections + 1, sizeof(*image->filled));
	image->used = kma_xcalloc(image->bin->nr_sections + 1, sizeof(*image->used));
	image->by_name = kma_xmalloc((nr + 1) * sizeof(*image->by_name));
	image->by_addr = kma_xmalloc((nr + 1) * sizeof(*image->by_addr));
	for (size_t i = 0; i < nr; i++)
		image->by_name[i] = image->by_addr[i] = &image->bin->symbols[i];
	qsort(image->by_name, nr, sizeof(*image->by_name), cmp_name);
	qsort(image->by_addr, nr, sizeof(*image->by_addr), cmp_addr);
	return NULL;
}

static struct kma_err *read_map(const char *dir, struct kma_static *st, struct linker_map *map)
{
	_cleanup_free_ char *path = kma_xasprintf("%s/vmlinux.map", dir);
	struct kma_err *err;
	char *gnu;
	size_t len;

	err = kma_file_slurp_regular(path, &map->text, &len);
	if (err)
		return err;
	gnu = strstr(map->text, "Linker script and memory map");
	if (gnu)
		read_gnu(map, gnu);
	else
		read_lld(map, map->text);
	if (gnu && !map->whole)
		return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0, "truncated");
	if (map->other_build)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, path, 0,
					   "the map of another build than vmlinux");
	sort_objects(map, st);
	if (st->stats.lto || !place_all(map, true))
		return kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, path, 0,
			"names no object of this tree; the kernel was linked from vmlinux.o (CONFIG_X86_KERNEL_IBT or link-time optimisation)");
	correct(map);
	return NULL;
}

/* A section is linked whole or not at all, except for the gaps that ld -r makes between parts. */
static bool grown(const struct kma_static_object *object, const struct kma_static_section *section)
{
	return section->output >= 0 && section->linked + section->merged < section->size &&
	       !strcmp(object->object->whole, object->object->path);
}

static void destroy(struct kma_linked **image)
{
	kma_linked_destroy(*image);
}

struct kma_err *kma_linked_create(const char *dir, struct kma_static *st, struct kma_linked **ret)
{
	_cleanup_(destroy) struct kma_linked *image = kma_xcalloc(1, sizeof(*image));
	_cleanup_(map_deinit) struct linker_map map = { .image = image };
	struct kma_err *err;

	err = read_image(dir, image);
	if (err)
		return err;
	err = read_map(dir, st, &map);
	if (err)
		return err;
	for (size_t i = 0; i < map.nr_objects; i++)
		for (size_t k = 0; k < map.objects[i]->nr_sections; k++)
			map.objects[i]->sections[k].linked = 0;
	place_all(&map, false);
	for (size_t i = 0; i < map.nr_objects; i++)
		for (size_t k = 0; k < map.objects[i]->nr_sections; k++)
			image->differ += grown(map.objects[i], &map.objects[i]->sections[k]);
	add_tables(image, st);
	add_rest(image);
	*ret = image;
	image = NULL;
	return NULL;
}

void kma_linked_destroy(struct kma_linked *image)
{
	if (!image)
		return;
	kma_binary_close(image->bin);
	free(image->filled);
	free(image->used);
	free(image->by_name);
	free(image->by_addr);
	for (size_t i = 0; i < image->nr_rows; i++)
		free(image->rows[i].name);
	free(image->rows);
	free(image);
}

const char *kma_linked_section(const struct kma_linked *image, int output)
{
	return image->bin->sections[output].name;
}
