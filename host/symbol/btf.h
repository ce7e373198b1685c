/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf.h - the type information that a kernel has about itself: /sys/kernel/btf/vmlinux.
 *
 * BTF has the sizes of structs, the offsets of their members, the prototypes of functions and the
 * values of enumerations, without debug symbols. Documentation/bpf/btf.rst of the kernel describes
 * the format. This reader takes the BTF of vmlinux, or the .BTF section of an object file. It does
 * not take the BTF of a module, whose numbers continue those of vmlinux.
 *
 * Types have numbers from 1; number 0 is void. Functions accept any number as a @type, and treat
 * one without a type as void. A @name has no "struct" before it. Texts are owned by the struct
 * kma_btf.
 *
 * The input is not trusted: kma_btf_parse() checks the bounds of each type, and every function
 * bounds its steps, so a loop of types ends.
 *
 * Locking: none. A parsed kma_btf is never changed, so any threads may read it.
 */
#ifndef KMA_SYMBOL_BTF_H
#define KMA_SYMBOL_BTF_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/err.h"
#include "lib/strbuf.h"

#define KMA_BTF_VMLINUX "/sys/kernel/btf/vmlinux"

/* The kinds of types, with the numbers of the format. */
enum kma_btf_kind {
	KMA_BTF_VOID,
	KMA_BTF_INT,
	KMA_BTF_PTR,
	KMA_BTF_ARRAY,
	KMA_BTF_STRUCT,
	KMA_BTF_UNION,
	KMA_BTF_ENUM,
	KMA_BTF_FWD,
	KMA_BTF_TYPEDEF,
	KMA_BTF_VOLATILE,
	KMA_BTF_CONST,
	KMA_BTF_RESTRICT,
	KMA_BTF_FUNC,
	KMA_BTF_FUNC_PROTO,
	KMA_BTF_VAR,
	KMA_BTF_DATASEC,
	KMA_BTF_FLOAT,
	KMA_BTF_DECL_TAG,
	KMA_BTF_TYPE_TAG,
	KMA_BTF_ENUM64,
};

struct kma_btf;

/* A member of a struct or a union. */
struct kma_btf_member {
	uint32_t type;	 /* number of the member's type */
	uint64_t offset; /* bytes from the beginning of the outermost struct */
	uint64_t size;	 /* bytes; 0 for a flexible array */
	uint8_t bit;	 /* first bit in the byte at @offset, from 0 */
	uint8_t bits;	 /* bits of a bit field; 0: not a bit field */
};

/* A parameter of a function. */
struct kma_btf_param {
	const char *name; /* owned by the kma_btf; "" without a name */
	uint32_t type;	  /* number of the type */
};

/*
 * Reads a file that is BTF as a whole: KMA_BTF_VMLINUX, or a copy of it. An error is of kind
 * KMA_ERR_NOT_READABLE, KMA_ERR_OTHER_FORMAT (not BTF, or of the other byte order) or
 * KMA_ERR_DAMAGED.
 */
struct kma_err *kma_btf_read(const char *path, struct kma_btf **ret);

/* The same for BTF in memory, which is copied. @path is a name for error messages. */
struct kma_err *kma_btf_parse(const char *path, const void *data, size_t len, struct kma_btf **ret);

/* NULL is fine. */
void kma_btf_destroy(struct kma_btf *btf);

static inline void kma_cleanup_btf(struct kma_btf **btf)
{
	kma_btf_destroy(*btf);
}

#define _cleanup_btf_ _cleanup_(kma_cleanup_btf)

/* The number of types with void: all numbers are below it. */
uint32_t kma_btf_count(const struct kma_btf *btf);

/* The first type of a kind, except KMA_BTF_VOID, with a name; 0 if there is none. */
uint32_t kma_btf_find(const struct kma_btf *btf, enum kma_btf_kind kind, const char *name);

enum kma_btf_kind kma_btf_kind(const struct kma_btf *btf, uint32_t type);

/* "" for types without a name. */
const char *kma_btf_name(const struct kma_btf *btf, uint32_t type);

/*
 * Follows typedefs, const, volatile, restrict and type tags to the first other type; 0 after too
 * many steps.
 */
uint32_t kma_btf_strip(const struct kma_btf *btf, uint32_t type);

/*
 * What a pointer, typedef or qualifier refers to, the element of an array, the prototype of a
 * function, what a prototype returns, the type of a variable; 0 for all other kinds.
 */
uint32_t kma_btf_target(const struct kma_btf *btf, uint32_t type);

/* Bytes that a variable of the type takes. False for void, functions and forward declarations. */
bool kma_btf_size(const struct kma_btf *btf, uint32_t type, uint64_t *size);

/* 0 if there is no such struct. */
uint64_t kma_btf_struct_size(const struct kma_btf *btf, const char *name);

/*
 * Finds a member of a struct or union; typedefs and qualifiers are followed. @path may name a
 * member of an anonymous struct or union in @type; names of nested members are joined by dots.
 * False if there is none.
 */
bool kma_btf_member(const struct kma_btf *btf, uint32_t type, const char *path,
		    struct kma_btf_member *ret);

/*
 * Member @i of a struct or union itself, from 0, with its name, "" without one; false if there is none.
 */
bool kma_btf_member_at(const struct kma_btf *btf, uint32_t type, uint32_t i,
		       struct kma_btf_member *ret, const char **name);

/* Elements of an array; 0 for other types, and for an array without a size. */
uint32_t kma_btf_elements(const struct kma_btf *btf, uint32_t type);

/*
 * Bytes from the start of struct @name to the member @path; -1 if there is none, or if it is a bit
 * field.
 */
int64_t kma_btf_offset(const struct kma_btf *btf, const char *name, const char *path);

/*
 * The prototype of a function, or of a typedef of a pointer to a function ("btf_trace_kmalloc"); 0
 * if there is none. Its kma_btf_target() is what the function returns.
 */
uint32_t kma_btf_function(const struct kma_btf *btf, const char *name);

/* The number of parameters; -1 if @proto is not a prototype. */
int kma_btf_params(const struct kma_btf *btf, uint32_t proto);

/*
 * Parameter @i, from 0; false if there is none. The variable part ("...") has type 0 and no name.
 */
bool kma_btf_param(const struct kma_btf *btf, uint32_t proto, unsigned int i,
		   struct kma_btf_param *ret);

/*
 * The value of an enumerator, in the first enumeration that has it; false if none does. Values of
 * unsigned enumerations above INT64_MAX are negative.
 */
bool kma_btf_enumerator(const struct kma_btf *btf, const char *name, int64_t *value);

/* The first enumerator of an enumeration with a value; NULL if there is none. */
const char *kma_btf_enumerator_name(const struct kma_btf *btf, const char *enumeration,
				    int64_t value);

/* Appends a type as C writes it: "const struct page *", "gfp_t", "void (*)(int)", "char[8]". */
void kma_btf_text(const struct kma_btf *btf, uint32_t type, struct kma_strbuf *sb);

#endif /* KMA_SYMBOL_BTF_H */
