// SPDX-License-Identifier: GPL-2.0-only
/*
 * types.c - what a call site allocates.
 *
 * The result of the call is followed through the code after it (flow.h). What takes it names its type:
 *
 *	a variable, or a parameter of an inlined function: its list of locations has a register, at an
 *		address at which this register has the result,
 *	a member: the result is written to an offset in the struct that another register points to, by the
 *		variable in it; or to a variable outside of functions,
 *	the function: it returns the result.
 *
 * A pointer to void says nothing, and does not count. This file collects the types in a table (table.h);
 * choose.c says which of them the objects have, by their sizes.
 */
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "symbol/unit-walk.h"
#include "types.h"

#define NAME_BYTES 120		  /* of a type; more is cut */
#define DEEP	   KMA_TYPES_DEEP /* nested blocks, or members */
#define CANDIDATES 16

/* A type that may be that of the objects. */
struct type_candidate {
	Dwarf_Die die;
	char name[NAME_BYTES];
	uint64_t size;	/* 0: the unit has only a declaration of it */
	bool aggregate; /* a struct or a union */
	bool weak; /* only parameters of inlined functions have it: may be a part at the start */
};

/* A section of code, in the debugging information and in image.h. */
struct type_text {
	uint64_t pc, addr, size;
};

/* One file. The threads of a walk share it. */
struct types_find {
	const struct kma_image *image;
	const struct kma_types_wish *wish;
	struct kma_types *types;
	uint64_t *calls; /* return addresses as the debugging information counts, in this order */
	size_t nr;
	struct type_text *texts; /* of a module */
	size_t nr_texts;
	uint64_t thunk; /* functions return by a jump to it; 0: they do not */
};

/* An entry of a type, and its number in the table. */
struct type_added {
	const void *entry;
	uint32_t number;
};

/* A thread of a walk, and the numbers of the types that it has added, by their entries. */
struct type_thread {
	struct types_find *find;
	uint64_t *calls; /* of a function that may allocate */
	uint32_t nr, room_calls;
	struct kma_map map;
	struct type_added *added;
	uint32_t room;
};

/* The search of one thread in one function. */
struct type_search {
	struct type_thread *thread;
	Dwarf_Die function;
	uint64_t pc;
	bool callee_is_plain; /* the call was found; it returns a pointer to void or bytes */
	bool array;	      /* the call is in a function for arrays */
	struct kma_flow flow;
	struct type_candidate list[CANDIDATES];
	unsigned int nr;
	bool full;	     /* there were more */
	unsigned int visits; /* of members: a corrupt file may have a struct inside of itself */
};

/* The type of an entry, without typedef and const. @name: of the outermost typedef, or NULL. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *ret, const char **name)
{
	Dwarf_Attribute attr;

	*name = NULL;
	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, ret))
		return false;
	for (unsigned int i = 0; i < DEEP; i++) {
		int tag = dwarf_tag(ret);

		if (tag == DW_TAG_typedef)
			*name = *name ?: dwarf_diename(ret);
		else if (tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
			 tag != DW_TAG_restrict_type)
			return true;
		if (!dwarf_attr(ret, DW_AT_type, &attr) || !dwarf_formref_die(&attr, ret))
			return false; /* of void */
	}
	return false;
}

static bool is_aggregate(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

static uint64_t size_of(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) ? 0 : size;
}

/* gcc's names of base types that the source calls otherwise. */
static const char *const spellings[][2] = {
	{ "long unsigned int", "unsigned long" },	    { "long int", "long" },
	{ "long long unsigned int", "unsigned long long" }, { "long long int", "long long" },
	{ "short unsigned int", "unsigned short" },	    { "short int", "short" },
};

static const char *spelling_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
		if (!strcmp(spellings[i][0], name))
			return spellings[i][1];
	return name;
}

/* Writes the name of a type that objects may have; false if it has none. @alias: of type_of(). */
static bool name_of(Dwarf_Die *type, const char *alias, char name[NAME_BYTES], unsigned int depth)
{
	int tag = dwarf_tag(type);
	Dwarf_Die to;

	if (depth == DEEP)
		return false;
	if (tag == DW_TAG_pointer_type) {
		if (!type_of(type, &to, &alias) || !name_of(&to, alias, name, depth + 1))
			strcpy(name, "void");
		strncat(name, " *", NAME_BYTES - 1 - strlen(name));
		return true;
	}
	if (is_aggregate(type))
		alias = dwarf_diename(type) ?: alias;
	else if (tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type)
		alias = alias ?: dwarf_diename(type);
	else
		return false;
	if (alias)
		snprintf(name, NAME_BYTES, "%s", spelling_of(alias));
	return alias;
}

/* What an entry of a pointer type points to; false if it is no such, or points to void or to code. */
static bool pointee_of(Dwarf_Die *die, struct type_candidate *ret)
{
	const char *alias;
	Dwarf_Die type;

	if (!type_of(die, &type, &alias) || dwarf_tag(&type) != DW_TAG_pointer_type ||
	    !type_of(&type, &ret->die, &alias) || !name_of(&ret->die, alias, ret->name, 0))
		return false;
	ret->weak = false;
	ret->aggregate = is_aggregate(&ret->die);
	ret->size = size_of(&ret->die);
	return true;
}

static bool is_same(const struct type_candidate *a, const struct type_candidate *b)
{
	return a->aggregate == b->aggregate && !strcmp(a->name, b->name) &&
	       (a->size == b->size || !a->size || !b->size);
}

static void propose(struct type_search *search, const struct type_candidate *one)
{
	for (unsigned int i = 0; i < search->nr; i++)
		if (is_same(&search->list[i], one)) {
			search->list[i].weak &= one->weak;
			/* A definition says more than a declaration. */
			if (!search->list[i].size) {
				search->list[i].size = one->size;
				search->list[i].die = one->die;
			}
			return;
		}
	if (search->nr == CANDIDATES)
		search->full = true;
	else
		search->list[search->nr++] = *one;
}

static bool offset_of(Dwarf_Die *member, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word at = 0;

	/* A member of a union has no offset. Bit fields take no pointers. */
	if (dwarf_attr(member, DW_AT_data_member_location, &attr) && dwarf_formudata(&attr, &at))
		return false;
	*ret = at;
	return true;
}

/* Ends a walk over members that is too deep or too long; there is no answer then. */
static bool is_lost(struct type_search *search, unsigned int depth)
{
	search->full |= depth == DEEP || search->visits++ == KMA_TYPES_VISITS;
	return search->full;
}

/* Proposes what the member of an aggregate at an offset points to. */
static void propose_member(struct type_search *search, Dwarf_Die *aggregate, uint64_t offset,
			   unsigned int depth)
{
	Dwarf_Die member;

	if (is_lost(search, depth) || dwarf_child(aggregate, &member))
		return;
	do {
		struct type_candidate to;
		const char *name;
		Dwarf_Die type;
		uint64_t at;

		if (dwarf_tag(&member) != DW_TAG_member || !offset_of(&member, &at) || at > offset)
			continue;
		if (at == offset && pointee_of(&member, &to))
			propose(search, &to);
		if (type_of(&member, &type, &name) && is_aggregate(&type) &&
		    offset - at < size_of(&type))
			propose_member(search, &type, offset - at, depth + 1);
	} while (!dwarf_siblingof(&member, &member));
}

/* The register that has the value of a variable, by one entry of its list of locations; -1: none. */
static int register_of(const Dwarf_Op *ops, size_t nr)
{
	if (nr == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31)
		return ops->atom - DW_OP_reg0;
	if (nr == 2 && ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31 && !ops->number &&
	    ops[1].atom == DW_OP_stack_value)
		return ops->atom - DW_OP_breg0;
	return -1;
}

/* Proposes what a variable points to if it takes the result; and what its member does. */
static void look_at_variable(struct type_search *search, Dwarf_Die *var, bool inlined_parameter)
{
	struct type_candidate to;
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t nr_ops;

	if (!dwarf_attr(var, DW_AT_location, &attr) || !pointee_of(var, &to))
		return;
	to.weak = inlined_parameter;
	while ((at = dwarf_getlocations(&attr, at, &base, &start, &end, &ops, &nr_ops)) > 0) {
		int reg = register_of(ops, nr_ops);

		for (unsigned int i = 0; i < search->flow.nr && reg >= 0; i++) {
			const struct kma_flow_step *step = &search->flow.steps[i];

			if (step->pc < start || step->pc >= end)
				continue;
			/* memset() and the like take bytes of any type */
			if (step->regs >> reg & 1 && (to.aggregate || !inlined_parameter))
				propose(search, &to);
			if (step->what == KMA_FLOW_STORES && step->base == reg && to.aggregate &&
			    step->disp >= 0 && !(step->regs >> reg & 1))
				propose_member(search, &to.die, step->disp, 0);
		}
	}
}

/* Reads a call: its return address, and what it calls; without an address if that is not known. */
static bool read_call(Dwarf_Die *call, uint64_t *pc, Dwarf_Die *callee)
{
	bool gnu = dwarf_tag(call) == DW_TAG_GNU_call_site;
	Dwarf_Attribute attr;

	if (!dwarf_attr(call, gnu ? DW_AT_low_pc : DW_AT_call_return_pc, &attr) ||
	    dwarf_formaddr(&attr, pc))
		return false;
	if (!dwarf_attr(call, gnu ? DW_AT_abstract_origin : DW_AT_call_origin, &attr) ||
	    !dwarf_formref_die(&attr, callee))
		*callee = (Dwarf_Die){ 0 };
	return true;
}

/* Is this the call? Then it notes what its callee returns. */
static void look_at_call(struct type_search *search, Dwarf_Die *call)
{
	struct type_candidate to;
	Dwarf_Die callee, type;
	const char *name;
	uint64_t pc;

	if (!read_call(call, &pc, &callee) || pc != search->pc || !callee.addr)
		return;
	if (pointee_of(&callee, &to)) {
		search->callee_is_plain = !to.aggregate;
		if (to.aggregate)
			propose(search, &to);
		return;
	}
	search->callee_is_plain = type_of(&callee, &type, &name) &&
				  dwarf_tag(&type) == DW_TAG_pointer_type;
}

/* Looks at all variables of a function, also at those of inlined ones, and at its calls. */
static void look_below(struct type_search *search, Dwarf_Die *parent, unsigned int depth)
{
	bool inlined = dwarf_tag(parent) == DW_TAG_inlined_subroutine;
	const char *name = dwarf_diename(parent);
	Dwarf_Die die;

	if (name && (strstr(name, "calloc") || strstr(name, "alloc_array")))
		search->array |= !depth || dwarf_haspc(parent, search->pc - 1) == 1;
	if (depth == DEEP || dwarf_child(parent, &die))
		return;
	do
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
			look_at_variable(search, &die, false);
			break;
		case DW_TAG_formal_parameter:
			look_at_variable(search, &die, inlined);
			break;
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			look_at_call(search, &die);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			look_below(search, &die, depth + 1);
			break;
		}
	while (!dwarf_siblingof(&die, &die));
}

/* Variables outside of functions to which the result is written. */
static void look_at_globals(struct type_search *search, Dwarf_Die *unit)
{
	bool any = false;
	Dwarf_Die die;

	for (unsigned int i = 0; i < search->flow.nr; i++)
		any |= search->flow.steps[i].what == KMA_FLOW_STORES &&
		       search->flow.steps[i].base < 0;
	if (!any || dwarf_child(unit, &die))
		return;
	do {
		struct type_candidate to;
		Dwarf_Attribute attr;
		Dwarf_Op *ops;
		size_t nr;

		if (dwarf_tag(&die) != DW_TAG_variable ||
		    !dwarf_attr(&die, DW_AT_location, &attr) ||
		    dwarf_getlocation(&attr, &ops, &nr) || nr != 1 || ops->atom != DW_OP_addr)
			continue;
		for (unsigned int i = 0; i < search->flow.nr; i++) {
			const struct kma_flow_step *step = &search->flow.steps[i];

			if (step->what == KMA_FLOW_STORES && step->base < 0 &&
			    (uint64_t)step->disp == ops->number && pointee_of(&die, &to))
				propose(search, &to);
		}
	} while (!dwarf_siblingof(&die, &die));
}

static void look_at_result(struct type_search *search)
{
	struct type_candidate to;

	for (unsigned int i = 0; i < search->flow.nr; i++) {
		const struct kma_flow_step *step = &search->flow.steps[i];

		if (step->what != KMA_FLOW_ENDS &&
		    (step->what != KMA_FLOW_LEAVES || !search->thread->find->thunk ||
		     (uint64_t)step->disp != search->thread->find->thunk))
			continue;
		if (pointee_of(&search->function, &to))
			propose(search, &to);
		return;
	}
}

/* Does a type end with an array that may be longer than stated? */
static bool is_open(struct type_search *search, Dwarf_Die *type, unsigned int depth)
{
	Dwarf_Die member, last, to, range;
	Dwarf_Attribute attr;
	const char *name;
	Dwarf_Word count;
	bool any = false;

	if (is_lost(search, depth) || dwarf_child(type, &member))
		return false;
	do {
		if (dwarf_tag(&member) != DW_TAG_member)
			continue;
		any = true;
		last = member;
		if (dwarf_tag(type) == DW_TAG_union_type && type_of(&member, &to, &name) &&
		    is_aggregate(&to) && is_open(search, &to, depth + 1))
			return true;
	} while (!dwarf_siblingof(&member, &member));
	if (!any || !type_of(&last, &to, &name))
		return false;
	if (is_aggregate(&to))
		return is_open(search, &to, depth + 1);
	if (dwarf_tag(&to) != DW_TAG_array_type || dwarf_child(&to, &range))
		return false;
	/* [], [0], and [1], which old code has in their place */
	if (dwarf_attr(&range, DW_AT_count, &attr))
		return dwarf_formudata(&attr, &count) || count <= 1;
	if (!dwarf_attr(&range, DW_AT_upper_bound, &attr))
		return true;
	return !dwarf_formudata(&attr, &count) && (!count || count + 1 == 0);
}

/*
 * Where the union or the array at the end of a struct begins; the size of a struct without one. The kernel
 * may allocate less than sizeof says if that end depends on the CPU: task_struct ends with the FPU's state.
 */
static uint64_t end_of(struct type_search *search, Dwarf_Die *type, unsigned int depth)
{
	Dwarf_Die member, last, to;
	const char *name;
	uint64_t at;

	if (is_lost(search, depth) || dwarf_child(type, &member))
		return size_of(type);
	last = member;
	do {
		if (dwarf_tag(&member) == DW_TAG_member)
			last = member;
	} while (!dwarf_siblingof(&member, &member));
	if (!type_of(&last, &to, &name) || !offset_of(&last, &at))
		return size_of(type);
	if (dwarf_tag(&to) == DW_TAG_structure_type)
		return at + end_of(search, &to, depth + 1);
	return is_aggregate(&to) || dwarf_tag(&to) == DW_TAG_array_type ? at : size_of(type);
}

/* The address of a return address of the debugging information in image.h, or of the other direction. */
static uint64_t moved(const struct types_find *find, uint64_t addr, bool back)
{
	for (size_t i = 0; i < find->nr_texts; i++) {
		const struct type_text *text = &find->texts[i];
		uint64_t offset = addr - 1 - (back ? text->addr : text->pc);

		if (offset < text->size)
			return (back ? text->pc : text->addr) + offset + 1;
	}
	return addr;
}

/* Elements of an array, FLEXIBLE, or 0 if it is not of one dimension. */
static uint32_t elements_of(Dwarf_Die *array)
{
	Dwarf_Attribute attr;
	Dwarf_Word count;
	Dwarf_Die range;

	if (dwarf_child(array, &range) || !dwarf_siblingof(&range, &(Dwarf_Die){ 0 }))
		return 0;
	if (dwarf_attr(&range, DW_AT_count, &attr))
		return !dwarf_formudata(&attr, &count) && count ? count : KMA_TYPES_FLEXIBLE;
	if (!dwarf_attr(&range, DW_AT_upper_bound, &attr) || dwarf_formudata(&attr, &count) ||
	    count >= UINT32_MAX - 1)
		return KMA_TYPES_FLEXIBLE;
	return count + 1;
}

static uint32_t add_type(struct type_search *search, Dwarf_Die *die, const char *alias,
			 unsigned int depth);

/* What a member or a variable is, without its name and its offset. */
static void describe(struct type_search *search, Dwarf_Die *die, struct kma_types_member *ret,
		     unsigned int depth)
{
	const char *alias;
	uint64_t size;
	Dwarf_Die type;

	*ret = (struct kma_types_member){ .type = KMA_TYPES_NONE };
	if (!type_of(die, &type, &alias))
		return;
	size = size_of(&type);
	if (dwarf_tag(&type) == DW_TAG_array_type) {
		ret->nr = elements_of(&type);
		if (ret->nr &&
		    (!type_of(&type, &type, &alias) || dwarf_tag(&type) == DW_TAG_array_type))
			ret->nr = 0;
		size = ret->nr ? size_of(&type) : size;
	}
	ret->size = size < UINT32_MAX ? size : 0;
	if (is_aggregate(&type))
		ret->type = add_type(search, &type, alias, depth);
	else if (dwarf_tag(&type) == DW_TAG_pointer_type)
		ret->word = KMA_TYPES_POINTER;
	else if (dwarf_tag(&type) == DW_TAG_base_type && size == sizeof(uint64_t))
		ret->word = KMA_TYPES_LONG;
}

/* Adds the members of a type to a list, and those types of theirs that have members. */
static uint32_t add_members(struct type_search *search, Dwarf_Die *type,
			    struct kma_types_member **list, unsigned int depth)
{
	struct kma_types *types = search->thread->find->types;
	uint32_t nr = 0, room = 0;
	Dwarf_Attribute attr;
	Dwarf_Die member;
	uint64_t at;

	if (is_lost(search, depth) || dwarf_child(type, &member))
		return 0;
	do {
		if (dwarf_tag(&member) != DW_TAG_member || is_lost(search, depth) ||
		    dwarf_attr(&member, DW_AT_bit_size, &attr) || !offset_of(&member, &at) ||
		    at > UINT32_MAX)
			continue;
		kma_array_room(*list, nr, room);
		describe(search, &member, &(*list)[nr], depth + 1);
		(*list)[nr].name = kma_types_name(types, dwarf_diename(&member) ?: "");
		(*list)[nr++].offset = at;
	} while (!dwarf_siblingof(&member, &member));
	return nr;
}

/* The number of a struct or a union, which is added with what is in it. */
static uint32_t add_type(struct type_search *search, Dwarf_Die *die, const char *alias,
			 unsigned int depth)
{
	_cleanup_free_ struct kma_types_member *list = NULL;
	struct type_thread *thread = search->thread;
	uint32_t hash = kma_map_number((uintptr_t)die->addr), found;
	uint64_t size = size_of(die);
	struct kma_types_type new = { .size = size < UINT32_MAX ? size : 0,
				      .flags = KMA_TYPES_AGGREGATE };
	const char *name = dwarf_diename(die) ?: alias ?: "";

	found = kma_map_find(&thread->map, hash, i, thread->added[i].entry == die->addr);
	if (found != KMA_MAP_NONE)
		return thread->added[found].number;
	if (new.size) {
		new.end = end_of(search, die, 0);
		new.nr = add_members(search, die, &list, depth);
		if (dwarf_tag(die) == DW_TAG_union_type)
			new.flags |= KMA_TYPES_UNION;
		if (is_open(search, die, 0))
			new.flags |= KMA_TYPES_OPEN;
	}
	if (search->full)
		return KMA_TYPES_NONE;
	kma_array_room(thread->added, thread->map.nr, thread->room);
	found = kma_map_add(&thread->map, hash);
	thread->added[found].entry = die->addr;
	return thread->added[found].number = kma_types_add(thread->find->types, &new, name, list);
}

/* The number of a type that may be that of the objects. */
static uint32_t add_candidate(struct type_search *search, struct type_candidate *one)
{
	struct kma_types_type new = { .size = one->size < UINT32_MAX ? one->size : 0 };

	if (one->aggregate)
		return add_type(search, &one->die, one->name, 0);
	new.end = new.size;
	return kma_types_add(search->thread->find->types, &new, one->name, NULL);
}

/* Adds a variable outside of functions, if it is defined here. */
static void add_variable(struct type_thread *thread, Dwarf_Die *die)
{
	struct type_search search = { .thread = thread };
	struct kma_types_member variable;
	const char *name = dwarf_diename(die);
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	if (!name || !dwarf_attr(die, DW_AT_location, &attr) ||
	    dwarf_getlocation(&attr, &ops, &nr) || nr != 1 || ops->atom != DW_OP_addr)
		return;
	describe(&search, die, &variable, 0);
	variable.name = kma_types_name(thread->find->types, name);
	variable.offset = thread->find->wish->image;
	if (!search.full)
		kma_types_add_variable(thread->find->types, &variable);
}

/* Adds a call to the table, with the types of what takes its result. */
static void add_call(struct type_search *search, uint64_t addr)
{
	struct kma_types_candidate list[CANDIDATES];
	struct kma_types_call call = { .addr = addr, .image = search->thread->find->wish->image };

	for (unsigned int i = 0; i < search->nr; i++) {
		list[i].type = add_candidate(search, &search->list[i]);
		list[i].weak = search->list[i].weak;
	}
	call.flags = (search->callee_is_plain ? KMA_TYPES_PLAIN : 0) |
		     (search->full ? KMA_TYPES_ANY : 0) | (search->array ? KMA_TYPES_ARRAY : 0);
	call.nr = search->full ? 0 : search->nr;
	kma_types_add_call(search->thread->find->types, &call, list);
}

static void look_at(struct type_thread *thread, Dwarf_Die *unit, Dwarf_Die *function, uint64_t pc,
		    uint64_t start, uint64_t end)
{
	const struct types_find *find = thread->find;
	uint64_t addr = moved(find, pc, false);
	struct kma_flow_code code = { .start = start,
				      .end = end,
				      .relocated = !kma_image_relocatable(find->image),
				      .machine = kma_image_machine(find->image) };
	struct type_search *search;
	uint64_t before, after;

	code.bytes = kma_image_code(find->image, addr, &before, &after);
	if (code.bytes) {
		code.start = pc - start < before ? start : pc - before;
		code.end = end - pc < after ? end : pc + after;
		code.bytes -= pc - code.start;
	}
	search = kma_xcalloc(1, sizeof(*search));
	search->thread = thread;
	search->function = *function;
	search->pc = pc;
	kma_flow_follow(&code, pc, &search->flow);
	look_below(search, function, 0);
	look_at_globals(search, unit);
	look_at_result(search);
	add_call(search, addr);
	free(search);
}

/* The first call that is at or after an address. */
static size_t first_at(const struct types_find *find, uint64_t addr)
{
	return kma_array_search(find->nr, i, find->calls[i] - 1 < addr);
}

/* Does an entry have the code of a call that is asked for? */
static bool has_call(const struct types_find *find, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		size_t i = first_at(find, start);

		if (start < end && i < find->nr && find->calls[i] - 1 < end)
			return true;
	}
	return false;
}

static int cmp_call(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Looks at the calls of a range of a function. */
static void look_at_range(struct type_thread *thread, Dwarf_Die *unit, Dwarf_Die *function,
			  uint64_t start, uint64_t end)
{
	const struct types_find *find = thread->find;

	for (uint32_t i = 0; i < thread->nr; i++)
		if (thread->calls[i] - 1 - start < end - start)
			look_at(thread, unit, function, thread->calls[i], start, end);
	for (size_t i = first_at(find, start);
	     start < end && i < find->nr && find->calls[i] - 1 < end; i++)
		look_at(thread, unit, function, find->calls[i], start, end);
}

/* May the call of an entry allocate? @pc: set to its return address. */
static bool may_allocate(Dwarf_Die *call, uint64_t *pc)
{
	Dwarf_Die callee, type;
	const char *name;

	return read_call(call, pc, &callee) &&
	       (!callee.addr ||
		(type_of(&callee, &type, &name) && dwarf_tag(&type) == DW_TAG_pointer_type));
}

/* Collects the calls of a function that may allocate. */
static void collect_calls(struct type_thread *thread, Dwarf_Die *parent, unsigned int depth)
{
	Dwarf_Die die;

	if (depth == DEEP || dwarf_child(parent, &die))
		return;
	do
		switch (dwarf_tag(&die)) {
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			kma_array_room(thread->calls, thread->nr, thread->room_calls);
			thread->nr += may_allocate(&die, &thread->calls[thread->nr]);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			collect_calls(thread, &die, depth + 1);
			break;
		}
	while (!dwarf_siblingof(&die, &die));
}

static struct kma_err *types_unit(void *arg, uint32_t number, Dwarf_Die *die, Dwarf_Die *split)
{
	struct type_thread *thread = arg;
	const struct types_find *find = thread->find;
	Dwarf_Addr base, start, end;
	Dwarf_Die function;

	(void)number;
	if ((!find->wish->all && !find->wish->variables && !has_call(find, die)) ||
	    dwarf_child(split, &function))
		return NULL;
	do {
		ptrdiff_t at = 0;

		if (dwarf_tag(&function) == DW_TAG_variable && find->wish->variables)
			add_variable(thread, &function);
		if (dwarf_tag(&function) != DW_TAG_subprogram)
			continue;
		thread->nr = 0;
		if (find->wish->all)
			collect_calls(thread, &function, 0);
		while ((at = dwarf_ranges(&function, at, &base, &start, &end)) > 0)
			look_at_range(thread, split, &function, start, end);
	} while (!dwarf_siblingof(&function, &function));
	return NULL;
}

/* Pointers to entries are of one handle. */
static void types_begin(void *arg)
{
	struct type_thread *thread = arg;

	kma_map_free(&thread->map);
}

static struct kma_err *types_end(void *arg)
{
	struct type_thread *thread = arg;

	kma_map_free(&thread->map);
	free(thread->added);
	free(thread->calls);
	return NULL;
}

/* Notes where the debugging information has the sections of a module. */
static struct kma_err *types_place(void *arg, Elf *elf, uint64_t bias)
{
	struct type_thread *thread = arg;
	struct types_find *find = thread->find;
	const struct kma_image_text *texts;
	size_t nr;

	texts = kma_image_texts(find->image, &nr);
	find->texts = kma_xcalloc(nr + 1, sizeof(*find->texts));
	for (size_t k = 0; k < nr; k++) {
		GElf_Shdr hdr;

		if (gelf_getshdr(elf_getscn(elf, texts[k].index), &hdr))
			find->texts[find->nr_texts++] = (struct type_text){ hdr.sh_addr + bias,
									    texts[k].addr,
									    texts[k].size };
	}
	for (size_t i = 0; i < find->nr; i++)
		find->calls[i] = moved(find, find->calls[i], true);
	qsort(find->calls, find->nr, sizeof(*find->calls), cmp_call);
	return NULL;
}

struct kma_err *kma_types_find(const struct kma_image *image, const struct kma_symtab *symtab,
			       const struct kma_types_wish *wish, struct kma_types *types)
{
	struct types_find find = { .image = image, .wish = wish, .types = types, .nr = wish->nr };
	struct type_thread threads[KMA_UNIT_THREADS] = { 0 };
	struct kma_unit_walk walk = { .image = image,
				      /* Numbers of a file do not depend on the order of threads. */
				      .nr_threads = wish->all ? 1 : kma_unit_threads(image),
				      .place = types_place,
				      .begin = types_begin,
				      .unit = types_unit,
				      .end = types_end };
	const struct kma_symbol *const *thunks;
	struct kma_err *err;
	size_t nr_thunks;

	thunks = symtab ? kma_symtab_named(symtab, "__x86_return_thunk", &nr_thunks) : NULL;
	find.thunk = thunks ? thunks[0]->addr : 0;
	find.calls = kma_xcalloc(wish->nr + 1, sizeof(*find.calls));
	for (size_t i = 0; i < wish->nr; i++)
		find.calls[i] = wish->calls[i];
	qsort(find.calls, find.nr, sizeof(*find.calls), cmp_call);
	for (unsigned int i = 0; i < walk.nr_threads; i++) {
		threads[i].find = &find;
		walk.threads[i] = &threads[i];
	}
	err = kma_unit_walk(&walk);
	free(find.calls);
	free(find.texts);
	kma_types_sort(types);
	return err;
}
