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
 * A pointer to void says nothing, and does not count. Two checks keep wrong types away, because a wrong
 * type is worse than none:
 *
 *	Size. A struct that is larger than the objects is none of theirs, unless only the union or array at
 *	its end is cut (end_of()). One that is smaller names them
 *	with a mark, unless it ends with an array. If only inlined functions know it, it has to be a quarter
 *	of the objects: a list of anything begins with a list_head.
 *	Callee. An allocator returns a pointer to void or to bytes. What else returns a pointer may have
 *	allocated something besides: the struct and a buffer for it. Then, and for a call through a
 *	pointer, the size has to be that of the type.
 *
 * What takes a pointer to a struct often takes one to its first member as well (list_add()). Of two
 * types, one of which begins with the other, the outer one counts. If several remain, that with the size
 * of the objects does; otherwise both are shown.
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
#include "lib/strbuf.h"
#include "symbol/unit-walk.h"
#include "types.h"

#define NAME_BYTES 120 /* of a type; more is cut */
#define DEEP	   64  /* nested blocks, or members */
#define CANDIDATES 16
#define VISITS	   100000 /* of members, for one call site */
#define CACHE_LINE 64UL	  /* bytes */

/* A type that may be that of the objects. */
struct type_candidate {
	Dwarf_Die die;
	char name[NAME_BYTES];
	uint64_t size;	/* 0: the unit has only a declaration of it */
	bool aggregate; /* a struct or a union */
	bool weak; /* only parameters of inlined functions have it: may be a part at the start */
};

/* The search of one thread in one function. */
struct type_search {
	const struct types_find *find;
	Dwarf_Die function;
	uint64_t pc;
	bool callee_is_plain; /* the call was found; it returns a pointer to void or bytes */
	struct kma_flow flow;
	struct type_candidate list[CANDIDATES];
	unsigned int nr;
	bool full;	     /* there were more */
	unsigned int visits; /* of members: a corrupt file may have a struct inside of itself */
};

/* A question, and its return address as the debugging information counts. */
struct type_call {
	uint64_t pc;
	struct kma_type_ask *ask;
};

/* One file. The threads of a walk share it: a call is in one unit, which one thread reads. */
struct types_find {
	const struct kma_image *image;
	struct type_call *calls; /* sorted by address during the walk */
	size_t nr;
	uint64_t thunk; /* functions return by a jump to it; 0: they do not */
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
	search->full |= depth == DEEP || search->visits++ == VISITS;
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

/* Is this the call? Then it notes what its callee returns. */
static void look_at_call(struct type_search *search, Dwarf_Die *call)
{
	bool gnu = dwarf_tag(call) == DW_TAG_GNU_call_site;
	struct type_candidate to;
	Dwarf_Die callee, type;
	Dwarf_Attribute attr;
	const char *name;
	Dwarf_Addr pc;

	if (!dwarf_attr(call, gnu ? DW_AT_low_pc : DW_AT_call_return_pc, &attr) ||
	    dwarf_formaddr(&attr, &pc) || pc != search->pc)
		return;
	if (!dwarf_attr(call, gnu ? DW_AT_abstract_origin : DW_AT_call_origin, &attr) ||
	    !dwarf_formref_die(&attr, &callee))
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
	Dwarf_Die die;

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
		    (step->what != KMA_FLOW_LEAVES || !search->find->thunk ||
		     (uint64_t)step->disp != search->find->thunk))
			continue;
		if (pointee_of(&search->function, &to))
			propose(search, &to);
		return;
	}
}

/* Does an aggregate begin with another type? */
static bool begins_with(struct type_search *search, Dwarf_Die *aggregate,
			const struct type_candidate *first, unsigned int depth)
{
	Dwarf_Die member;

	if (is_lost(search, depth) || dwarf_child(aggregate, &member))
		return false;
	do {
		struct type_candidate to = { .size = 0 };
		const char *name, *tag;
		uint64_t at;

		if (dwarf_tag(&member) != DW_TAG_member || !offset_of(&member, &at) || at ||
		    !type_of(&member, &to.die, &name))
			continue;
		if (dwarf_tag(&to.die) == DW_TAG_array_type && !type_of(&to.die, &to.die, &name))
			continue;
		if (!is_aggregate(&to.die))
			continue;
		tag = dwarf_diename(&to.die) ?: name ?: "";
		if ((!strcmp(tag, first->name) && size_of(&to.die) == first->size) ||
		    begins_with(search, &to.die, first, depth + 1))
			return true;
	} while (!dwarf_siblingof(&member, &member));
	return false;
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

/*
 * Are the objects of the type's own size? Those of a cache may be larger by an alignment, also by that of
 * another cache that was merged with it. If the cache has the name of the type, it was made for it: of
 * task_struct the kernel allocates less than sizeof says, because the end depends on the CPU.
 */
static bool fits(const struct kma_type_ask *ask, const struct type_candidate *one)
{
	uint64_t most = ask->slab ? (one->size + CACHE_LINE - 1) & ~(CACHE_LINE - 1) : one->size;

	if (ask->slab && ask->cache && one->aggregate && !strcmp(ask->cache, one->name))
		return true;
	if (!ask->exact || !ask->objects || !one->size || one->size > UINT32_MAX)
		return false;
	return ask->bytes / one->size >= ask->objects && ask->bytes <= most * ask->objects;
}

/* Can the objects be of the type, or arrays of it? */
static bool is_possible(struct type_search *search, const struct kma_type_ask *ask,
			struct type_candidate *one)
{
	if (!ask->objects)
		return search->callee_is_plain;
	if (fits(ask, one) || !search->callee_is_plain)
		return fits(ask, one);
	if (!one->size)
		return one->aggregate;
	if (ask->bytes / one->size < ask->objects)
		return ask->exact && one->aggregate && !one->weak &&
		       ask->bytes / ask->objects > end_of(search, &one->die, 0);
	if (!one->aggregate)
		return !ask->exact || !(ask->bytes % one->size);
	return !one->weak || !ask->exact || is_open(search, &one->die, 0) ||
	       ask->bytes / ask->objects <= 4 * one->size;
}

/*
 * The types that remain, in the order in which they were found. A part at the start of another type goes.
 * If the other one is too large for the objects, it may still be theirs (task_struct): then the part needs
 * a variable, or the right size.
 */
static void choose(struct type_search *search, const struct kma_type_ask *ask)
{
	bool drop[CANDIDATES] = { false }, possible[CANDIDATES], aggregate = false, fit = false;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < search->nr; i++) {
		possible[i] = is_possible(search, ask, &search->list[i]);
		aggregate |= search->list[i].aggregate;
	}
	for (unsigned int i = 0; i < search->nr; i++) {
		drop[i] = !possible[i] || (aggregate && !search->list[i].aggregate);
		for (unsigned int k = 0; k < search->nr && !drop[i]; k++)
			drop[i] = k != i && search->list[k].aggregate &&
				  (possible[k] ||
				   (search->list[i].weak && !fits(ask, &search->list[i]))) &&
				  begins_with(search, &search->list[k].die, &search->list[i], 0);
		/* Of words for the same bytes the first one is that of the variable. */
		for (unsigned int k = 0; k < i && !drop[i] && !aggregate; k++)
			drop[i] = !drop[k] && search->list[k].size == search->list[i].size;
		fit |= !drop[i] && fits(ask, &search->list[i]);
	}
	for (unsigned int i = 0; i < search->nr; i++)
		if (!drop[i] && (!fit || fits(ask, &search->list[i])))
			search->list[nr++] = search->list[i];
	search->nr = nr;
}

/* The name of a type with what the sizes tell: nothing, "[]" or "+". */
static void describe(struct type_search *search, const struct kma_type_ask *ask,
		     struct type_candidate *one, struct kma_strbuf *out)
{
	kma_strbuf_puts(out, one->name);
	if (!one->aggregate || ask->array)
		kma_strbuf_puts(out, "[]");
	else if (ask->exact && ask->objects && one->size && !fits(ask, one) &&
		 ask->bytes / one->size >= ask->objects && !is_open(search, &one->die, 0))
		kma_strbuf_puts(out, "+");
}

static void answer(const struct types_find *find, Dwarf_Die *unit, Dwarf_Die *function,
		   const struct type_call *call, uint64_t start, uint64_t end)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_type_ask *ask = call->ask;
	struct kma_flow_code code = { .start = start,
				      .end = end,
				      .relocated = !kma_image_relocatable(find->image),
				      .machine = kma_image_machine(find->image) };
	struct type_search *search;
	uint64_t before, after;
	char *none = NULL, *type;

	code.bytes = kma_image_code(find->image, ask->addr, &before, &after);
	if (code.bytes) {
		code.start = call->pc - start < before ? start : call->pc - before;
		code.end = end - call->pc < after ? end : call->pc + after;
		code.bytes -= call->pc - code.start;
	}
	search = kma_xcalloc(1, sizeof(*search));
	search->find = find;
	search->function = *function;
	search->pc = call->pc;
	kma_flow_follow(&code, call->pc, &search->flow);
	look_below(search, function, 0);
	look_at_globals(search, unit);
	look_at_result(search);
	if (!search->full)
		choose(search, ask);
	if (!search->full) {
		for (unsigned int k = 0; k < search->nr && search->nr <= 2; k++) {
			kma_strbuf_puts(&text, k ? " or " : "");
			describe(search, ask, &search->list[k], &text);
		}
	}
	free(search);
	/* In a corrupt file a call may be in two units. */
	type = text.len ? kma_xstrdup(text.str) : NULL;
	if (!__atomic_compare_exchange_n(&ask->type, &none, type, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		free(type);
}

/* The first call that is at or after an address. */
static size_t first_at(const struct types_find *find, uint64_t addr)
{
	size_t low = 0, high = find->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (find->calls[mid].pc - 1 < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Does an entry have the code of a call that is asked for? */
static bool has_call(const struct types_find *find, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		size_t i = first_at(find, start);

		if (start < end && i < find->nr && find->calls[i].pc - 1 < end)
			return true;
	}
	return false;
}

static struct kma_err *types_unit(void *thread, uint32_t number, Dwarf_Die *die, Dwarf_Die *split)
{
	const struct types_find *find = thread;
	Dwarf_Addr base, start, end;
	Dwarf_Die function;

	(void)number;
	if (!has_call(find, die) || dwarf_child(split, &function))
		return NULL;
	do {
		ptrdiff_t at = 0;

		if (dwarf_tag(&function) != DW_TAG_subprogram)
			continue;
		while ((at = dwarf_ranges(&function, at, &base, &start, &end)) > 0)
			for (size_t i = first_at(find, start);
			     start < end && i < find->nr && find->calls[i].pc - 1 < end; i++)
				answer(find, split, &function, &find->calls[i], start, end);
	} while (!dwarf_siblingof(&function, &function));
	return NULL;
}

static int cmp_call(const void *a, const void *b)
{
	const struct type_call *x = a, *y = b;

	return (x->pc > y->pc) - (x->pc < y->pc);
}

/* Converts the addresses to those of a module's debugging information. */
static struct kma_err *types_place(void *thread, Elf *elf, uint64_t bias)
{
	struct types_find *find = thread;
	const struct kma_image_text *texts;
	size_t nr;

	texts = kma_image_texts(find->image, &nr);
	for (size_t i = 0; i < find->nr; i++) {
		struct type_call *call = &find->calls[i];

		for (size_t k = 0; k < nr; k++) {
			uint64_t offset = call->ask->addr - 1 - texts[k].addr;
			GElf_Shdr hdr;

			if (offset < texts[k].size &&
			    gelf_getshdr(elf_getscn(elf, texts[k].index), &hdr))
				call->pc = hdr.sh_addr + bias + offset + 1;
		}
	}
	qsort(find->calls, find->nr, sizeof(*find->calls), cmp_call);
	return NULL;
}

struct kma_err *kma_types_find(const struct kma_image *image, const struct kma_symtab *symtab,
			       struct kma_type_ask *asks, size_t nr)
{
	struct types_find find = { .image = image, .nr = nr };
	struct kma_unit_walk walk = { .image = image,
				      .nr_threads = kma_unit_threads(image),
				      .place = types_place,
				      .unit = types_unit };
	const struct kma_symbol *const *thunks;
	struct kma_err *err;
	size_t nr_thunks;

	thunks = symtab ? kma_symtab_named(symtab, "__x86_return_thunk", &nr_thunks) : NULL;
	find.thunk = thunks ? thunks[0]->addr : 0;
	find.calls = kma_xcalloc(nr + 1, sizeof(*find.calls));
	for (size_t i = 0; i < nr; i++)
		find.calls[i] = (struct type_call){ asks[i].addr, &asks[i] };
	qsort(find.calls, nr, sizeof(*find.calls), cmp_call);
	for (unsigned int i = 0; i < walk.nr_threads; i++)
		walk.threads[i] = &find;
	err = kma_unit_walk(&walk);
	free(find.calls);
	return err;
}
