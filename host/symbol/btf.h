/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf.h - the type information that a kernel has about itself: /sys/kernel/btf/vmlinux.
 *
 * BTF has the sizes of structs, the offsets of their members, the prototypes of functions and the
 * values of enumerations, without debug symbols. Documentation/bpf/btf.rst of the kernel describes
 * the format. This reader takes the BTF of vmlinux, or the .BTF section of an object file. It does
 * not take the BTF of a module, whose numbers continue those of vmlinux.
 *
 * Types have numbers from 1; number 0 is void. The input is not trusted: kma_btf_parse() checks
 * the bounds of each type, and every function bounds its steps, so a loop of types ends.
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

/**
 * kma_btf_read() - read a file that is BTF as a whole
 * @path: KMA_BTF_VMLINUX, or a copy of it
 * @ret: set to the types, to be freed with kma_btf_destroy()
 *
 * Return: NULL, or an error that names @path, of kind KMA_ERR_NOT_READABLE,
 * KMA_ERR_OTHER_FORMAT (not BTF, or of the other byte order) or KMA_ERR_DAMAGED.
 */
struct kma_err *kma_btf_read(const char *path, struct kma_btf **ret);

/**
 * kma_btf_parse() - take BTF from memory
 * @path: name for error messages
 * @data: the BTF, which is copied
 * @len: bytes of @data
 * @ret: set to the types, to be freed with kma_btf_destroy()
 *
 * Return: as kma_btf_read(), without KMA_ERR_NOT_READABLE.
 */
struct kma_err *kma_btf_parse(const char *path, const void *data, size_t len, struct kma_btf **ret);

/**
 * kma_btf_destroy() - free types
 * @btf: from kma_btf_read() or kma_btf_parse(); NULL is fine
 */
void kma_btf_destroy(struct kma_btf *btf);

static inline void kma_cleanup_btf(struct kma_btf **btf)
{
	kma_btf_destroy(*btf);
}

#define _cleanup_btf_ _cleanup_(kma_cleanup_btf)

/**
 * kma_btf_count() - get the number of types
 * @btf: the types
 *
 * Return: the number, with void: types have the numbers 0 to this number less 1.
 */
uint32_t kma_btf_count(const struct kma_btf *btf);

/**
 * kma_btf_find() - find a type by kind and name
 * @btf: the types
 * @kind: a kind other than KMA_BTF_VOID
 * @name: the name, without "struct" and the like
 *
 * Return: number of the first such type; 0 if there is none.
 */
uint32_t kma_btf_find(const struct kma_btf *btf, enum kma_btf_kind kind, const char *name);

/**
 * kma_btf_kind() - get the kind of a type
 * @btf: the types
 * @type: any number
 *
 * Return: the kind; KMA_BTF_VOID for 0 and for numbers that are not a type's.
 */
enum kma_btf_kind kma_btf_kind(const struct kma_btf *btf, uint32_t type);

/**
 * kma_btf_name() - get the name of a type
 * @btf: the types
 * @type: any number
 *
 * Return: the name, owned by @btf; "" for types without a name and for numbers without a type.
 */
const char *kma_btf_name(const struct kma_btf *btf, uint32_t type);

/**
 * kma_btf_strip() - follow typedefs, qualifiers and type tags
 * @btf: the types
 * @type: any number
 *
 * Return: number of the first type that is not a typedef, const, volatile, restrict or tag; 0 for
 * void and after too many steps.
 */
uint32_t kma_btf_strip(const struct kma_btf *btf, uint32_t type);

/**
 * kma_btf_target() - get the type that another type is made of
 * @btf: the types
 * @type: any number
 *
 * Return: what a pointer, typedef or qualifier refers to, the element of an array, the prototype
 * of a function, what a prototype returns, the type of a variable; 0 for void and all other kinds.
 */
uint32_t kma_btf_target(const struct kma_btf *btf, uint32_t type);

/**
 * kma_btf_size() - get the size of a type
 * @btf: the types
 * @type: any number
 * @size: set to the bytes that a variable of that type takes
 *
 * Return: true; false for types without a size: void, functions, forward declarations.
 */
bool kma_btf_size(const struct kma_btf *btf, uint32_t type, uint64_t *size);

/**
 * kma_btf_struct_size() - get the size of a struct by name
 * @btf: the types
 * @name: name of a struct
 *
 * Return: bytes; 0 if there is no such struct.
 */
uint64_t kma_btf_struct_size(const struct kma_btf *btf, const char *name);

/**
 * kma_btf_member() - find a member of a struct
 * @btf: the types
 * @type: number of a struct or union; typedefs and qualifiers are followed
 * @path: name of a member, also of one in an anonymous struct or union of @type; names of nested
 *	members are joined by dots
 * @ret: set to the member
 *
 * Return: true; false if there is no such member.
 */
bool kma_btf_member(const struct kma_btf *btf, uint32_t type, const char *path,
		    struct kma_btf_member *ret);

/**
 * kma_btf_offset() - get the offset of a member of a struct by their names
 * @btf: the types
 * @name: name of a struct
 * @path: as for kma_btf_member()
 *
 * Return: bytes; -1 if there is no such member, or if it is a bit field.
 */
int64_t kma_btf_offset(const struct kma_btf *btf, const char *name, const char *path);

/**
 * kma_btf_function() - find the prototype of a function
 * @btf: the types
 * @name: name of a function, or of a typedef of a pointer to a function ("btf_trace_kmalloc")
 *
 * Return: number of a type of kind KMA_BTF_FUNC_PROTO, whose kma_btf_target() is what the function
 * returns; 0 if there is no such function or typedef.
 */
uint32_t kma_btf_function(const struct kma_btf *btf, const char *name);

/**
 * kma_btf_params() - get the number of parameters of a prototype
 * @btf: the types
 * @proto: number of a type
 *
 * Return: the number; -1 if @proto is not a prototype.
 */
int kma_btf_params(const struct kma_btf *btf, uint32_t proto);

/**
 * kma_btf_param() - get a parameter of a prototype
 * @btf: the types
 * @proto: number of a type
 * @i: number of the parameter, from 0
 * @ret: set to the parameter. The variable part ("...") has type 0 and no name
 *
 * Return: true; false if there is no such parameter.
 */
bool kma_btf_param(const struct kma_btf *btf, uint32_t proto, unsigned int i,
		   struct kma_btf_param *ret);

/**
 * kma_btf_enumerator() - find the value of an enumerator in all enumerations
 * @btf: the types
 * @name: name of the enumerator
 * @value: set to its value, that of the first enumeration that has it. Values of unsigned
 *	enumerations above INT64_MAX are negative
 *
 * Return: true; false if no enumeration has @name.
 */
bool kma_btf_enumerator(const struct kma_btf *btf, const char *name, int64_t *value);

/**
 * kma_btf_text() - write a type as C does
 * @btf: the types
 * @type: any number
 * @sb: gets the text: "const struct page *", "gfp_t", "void (*)(int)", "char[8]"
 */
void kma_btf_text(const struct kma_btf *btf, uint32_t type, struct kma_strbuf *sb);

#endif /* KMA_SYMBOL_BTF_H */
