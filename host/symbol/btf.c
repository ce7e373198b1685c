// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf.c - types of BTF: a header, a section of types, a section of names.
 *
 * Each type is three words (name, kind and count, size or type) and, by kind, more words. The
 * numbers of types are their order, so kma_btf_parse() makes a table of where each begins. It
 * checks there that each type lies in its section, so later reads of a type's words need no check.
 * Numbers of types and offsets of names inside a type are checked when they are used.
 *
 * Long file: sizes, members, values and texts are all decoded from the same words, which no other
 * file sees.
 */
#include <stdlib.h>
#include <string.h>

#include "btf.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"

#define KMA_BTF_MAGIC 0xeb9f

/* Steps along types that refer to types; deeper than any type of a kernel. */
#define KMA_BTF_DEPTH 32

/* Members that one search visits: struct task_struct has some 300. */
#define KMA_BTF_MEMBERS 20000

/* Types that one text is made of. */
#define KMA_BTF_TEXT_TYPES 200

/* A larger product of lengths is not an array of a kernel. */
#define KMA_BTF_SIZE_MAX (UINT64_C(1) << 40)

struct kma_btf {
	char *data;	      /* the types, then the names, as in the file */
	const char *names;    /* in @data; its last byte is 0 */
	uint32_t names_len;   /* at least 1 */
	uint32_t *at;	      /* by number: offset of the type in @data; at[0] is unused */
	uint32_t count, room; /* of @at */
};

struct kma_btf_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len, type_off, type_len, str_off, str_len;
};

/* One type, copied out of the data, where it is aligned to 4 bytes at most. */
struct kma_btf_type {
	enum kma_btf_kind kind;
	bool flag;		/* a struct with bit fields, a signed enumeration */
	uint32_t name, nr, ref; /* @ref: size in bytes, or number of a type, by kind */
	const char *more;	/* the words that follow */
};

static uint32_t btf_word(const char *from, size_t i)
{
	uint32_t word;

	memcpy(&word, from + 4 * i, sizeof(word));
	return word;
}

static struct kma_btf_type btf_decode(const char *from)
{
	uint32_t info = btf_word(from, 1);

	return (struct kma_btf_type){
		.name = btf_word(from, 0),
		.kind = info >> 24 & 0x1f,
		.nr = info & 0xffff,
		.flag = info >> 31,
		.ref = btf_word(from, 2),
		.more = from + 12,
	};
}

/* Void for numbers that are not a type's. */
static struct kma_btf_type btf_get(const struct kma_btf *btf, uint32_t type)
{
	if (!type || type >= btf->count)
		return (struct kma_btf_type){ .kind = KMA_BTF_VOID };
	return btf_decode(btf->data + btf->at[type]);
}

static const char *btf_string(const struct kma_btf *btf, uint32_t offset)
{
	return offset < btf->names_len ? btf->names + offset : "";
}

/* Words after the first three; -1 for kinds that the format did not have when this was written. */
static int64_t btf_more(const struct kma_btf_type *t)
{
	switch (t->kind) {
	case KMA_BTF_INT:
	case KMA_BTF_VAR:
	case KMA_BTF_DECL_TAG:
		return 1;
	case KMA_BTF_ARRAY:
		return 3;
	case KMA_BTF_STRUCT:
	case KMA_BTF_UNION:
	case KMA_BTF_DATASEC:
	case KMA_BTF_ENUM64:
		return 3 * (int64_t)t->nr;
	case KMA_BTF_ENUM:
	case KMA_BTF_FUNC_PROTO:
		return 2 * (int64_t)t->nr;
	case KMA_BTF_PTR:
	case KMA_BTF_FWD:
	case KMA_BTF_TYPEDEF:
	case KMA_BTF_VOLATILE:
	case KMA_BTF_CONST:
	case KMA_BTF_RESTRICT:
	case KMA_BTF_FUNC:
	case KMA_BTF_FLOAT:
	case KMA_BTF_TYPE_TAG:
		return 0;
	default:
		return -1;
	}
}

/* Find where each type begins; @len bytes of types are at @btf->data. */
static struct kma_err *btf_index(const char *path, struct kma_btf *btf, uint32_t len)
{
	uint32_t at = 0;

	kma_array_room(btf->at, 0, btf->room);
	btf->at[0] = 0;
	btf->count = 1;
	while (at < len) {
		struct kma_btf_type t;
		int64_t more;

		if (len - at < 12)
			return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0,
						   "corrupt BTF: type %u is truncated", btf->count);
		t = btf_decode(btf->data + at);
		more = btf_more(&t);
		if (more < 0)
			return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0,
						   "unknown kind %u of BTF type %u", t.kind,
						   btf->count);
		if (len - at - 12 < 4 * more)
			return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0,
						   "corrupt BTF: type %u is truncated", btf->count);
		kma_array_room(btf->at, btf->count, btf->room);
		btf->at[btf->count++] = at;
		at += 12 + 4 * more;
	}
	return NULL;
}

/* True if a section of @len bytes at @off lies after the header. */
static bool btf_in_file(const struct kma_btf_header *h, size_t size, uint32_t off, uint32_t len)
{
	return (uint64_t)h->hdr_len + off + len <= size;
}

static struct kma_err *btf_check(const char *path, const char *data, size_t len,
				 struct kma_btf_header *h)
{
	if (len < sizeof(*h))
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, path, 0, "not BTF");
	memcpy(h, data, sizeof(*h));
	if (h->magic == __builtin_bswap16(KMA_BTF_MAGIC))
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, path, 0,
					   "BTF of the other byte order is not supported");
	if (h->magic != KMA_BTF_MAGIC)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, path, 0, "not BTF");
	if (h->version != 1)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, path, 0,
					   "unknown version %u of BTF", h->version);
	if (h->hdr_len < sizeof(*h) || !btf_in_file(h, len, h->type_off, h->type_len) ||
	    !btf_in_file(h, len, h->str_off, h->str_len))
		return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0,
					   "corrupt BTF: a section is outside the file");
	if (!h->str_len || data[h->hdr_len + h->str_off + h->str_len - 1] ||
	    data[h->hdr_len + h->str_off])
		return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0,
					   "corrupt BTF: invalid section of names");
	return NULL;
}

struct kma_err *kma_btf_parse(const char *path, const void *data, size_t len, struct kma_btf **ret)
{
	_cleanup_btf_ struct kma_btf *btf = NULL;
	struct kma_btf_header h;
	struct kma_err *err;

	err = btf_check(path, data, len, &h);
	if (err)
		return err;
	btf = kma_xcalloc(1, sizeof(*btf));
	btf->data = kma_xmalloc((size_t)h.type_len + h.str_len);
	memcpy(btf->data, (const char *)data + h.hdr_len + h.type_off, h.type_len);
	memcpy(btf->data + h.type_len, (const char *)data + h.hdr_len + h.str_off, h.str_len);
	btf->names = btf->data + h.type_len;
	btf->names_len = h.str_len;
	err = btf_index(path, btf, h.type_len);
	if (err)
		return err;
	*ret = btf;
	btf = NULL;
	return NULL;
}

struct kma_err *kma_btf_read(const char *path, struct kma_btf **ret)
{
	char *data = NULL;
	struct kma_err *err;
	size_t len;

	err = kma_file_slurp_regular(path, &data, &len);
	err = err ?: kma_btf_parse(path, data, len, ret);
	kma_free_large(data);
	return err;
}

void kma_btf_destroy(struct kma_btf *btf)
{
	if (!btf)
		return;
	kma_free_large(btf->at);
	kma_free_large(btf->data);
	free(btf);
}

uint32_t kma_btf_count(const struct kma_btf *btf)
{
	return btf->count;
}

uint32_t kma_btf_find(const struct kma_btf *btf, enum kma_btf_kind kind, const char *name)
{
	for (uint32_t i = 1; i < btf->count; i++) {
		struct kma_btf_type t = btf_get(btf, i);

		if (t.kind == kind && t.name && !strcmp(btf_string(btf, t.name), name))
			return i;
	}
	return 0;
}

enum kma_btf_kind kma_btf_kind(const struct kma_btf *btf, uint32_t type)
{
	return btf_get(btf, type).kind;
}

const char *kma_btf_name(const struct kma_btf *btf, uint32_t type)
{
	return btf_string(btf, btf_get(btf, type).name);
}

uint32_t kma_btf_strip(const struct kma_btf *btf, uint32_t type)
{
	for (unsigned int i = 0; i < KMA_BTF_DEPTH; i++) {
		struct kma_btf_type t = btf_get(btf, type);

		switch (t.kind) {
		case KMA_BTF_TYPEDEF:
		case KMA_BTF_VOLATILE:
		case KMA_BTF_CONST:
		case KMA_BTF_RESTRICT:
		case KMA_BTF_TYPE_TAG:
			type = t.ref;
			break;
		case KMA_BTF_VOID:
			return 0;
		default:
			return type;
		}
	}
	return 0;
}

uint32_t kma_btf_target(const struct kma_btf *btf, uint32_t type)
{
	struct kma_btf_type t = btf_get(btf, type);

	switch (t.kind) {
	case KMA_BTF_PTR:
	case KMA_BTF_TYPEDEF:
	case KMA_BTF_VOLATILE:
	case KMA_BTF_CONST:
	case KMA_BTF_RESTRICT:
	case KMA_BTF_TYPE_TAG:
	case KMA_BTF_FUNC:
	case KMA_BTF_FUNC_PROTO:
	case KMA_BTF_VAR:
		return t.ref < btf->count ? t.ref : 0;
	case KMA_BTF_ARRAY:
		return btf_word(t.more, 0) < btf->count ? btf_word(t.more, 0) : 0;
	default:
		return 0;
	}
}

bool kma_btf_size(const struct kma_btf *btf, uint32_t type, uint64_t *size)
{
	uint64_t times = 1;

	for (unsigned int i = 0; i < KMA_BTF_DEPTH; i++) {
		struct kma_btf_type t;

		type = kma_btf_strip(btf, type);
		t = btf_get(btf, type);
		switch (t.kind) {
		case KMA_BTF_INT:
		case KMA_BTF_FLOAT:
		case KMA_BTF_STRUCT:
		case KMA_BTF_UNION:
		case KMA_BTF_ENUM:
		case KMA_BTF_ENUM64:
		case KMA_BTF_DATASEC:
			*size = times * t.ref;
			return true;
		case KMA_BTF_PTR:
			*size = times * sizeof(void *);
			return true;
		case KMA_BTF_ARRAY:
			times *= btf_word(t.more, 2);
			if (times > KMA_BTF_SIZE_MAX)
				return false;
			type = btf_word(t.more, 0);
			break;
		case KMA_BTF_VAR:
			type = t.ref;
			break;
		default:
			return false;
		}
	}
	return false;
}

uint64_t kma_btf_struct_size(const struct kma_btf *btf, const char *name)
{
	return btf_get(btf, kma_btf_find(btf, KMA_BTF_STRUCT, name)).ref;
}

static bool btf_has_members(const struct kma_btf_type *t)
{
	return t->kind == KMA_BTF_STRUCT || t->kind == KMA_BTF_UNION;
}

/* Describe a member of @t, whose words are at @words. */
static void btf_member_of(const struct kma_btf *btf, const struct kma_btf_type *t,
			  const char *words, struct kma_btf_member *ret)
{
	uint32_t bits = btf_word(words, 2);

	*ret = (struct kma_btf_member){ .type = btf_word(words, 1) };
	if (t->flag) {
		ret->bits = bits >> 24;
		bits &= 0xffffff;
	}
	ret->offset = bits / 8;
	ret->bit = bits % 8;
	if (!kma_btf_size(btf, ret->type, &ret->size))
		ret->size = 0;
}

/*
 * Find the member with the first name of @path, of @len bytes, in @type and in its anonymous
 * structs and unions. Recursive: bounded by @steps, the members that may still be visited.
 */
static bool btf_member_named(const struct kma_btf *btf, uint32_t type, const char *path, size_t len,
			     unsigned int *steps, struct kma_btf_member *ret)
{
	struct kma_btf_type t = btf_get(btf, kma_btf_strip(btf, type));

	if (!btf_has_members(&t))
		return false;
	for (uint32_t i = 0; i < t.nr && *steps; i++) {
		const char *words = t.more + 12 * (size_t)i;
		const char *name = btf_string(btf, btf_word(words, 0));
		struct kma_btf_member outer;

		--*steps;
		if (*name && (strncmp(name, path, len) || name[len]))
			continue;
		btf_member_of(btf, &t, words, &outer);
		if (*name) {
			*ret = outer;
			return true;
		}
		if (btf_member_named(btf, outer.type, path, len, steps, ret)) {
			ret->offset += outer.offset;
			return true;
		}
	}
	return false;
}

bool kma_btf_member(const struct kma_btf *btf, uint32_t type, const char *path,
		    struct kma_btf_member *ret)
{
	unsigned int steps = KMA_BTF_MEMBERS;
	uint64_t offset = 0;

	for (unsigned int i = 0; i < KMA_BTF_DEPTH; i++) {
		size_t len = strcspn(path, ".");
		struct kma_btf_member found;

		if (!len || !btf_member_named(btf, type, path, len, &steps, &found))
			return false;
		found.offset += offset;
		if (!path[len]) {
			*ret = found;
			return true;
		}
		offset = found.offset;
		type = found.type;
		path += len + 1;
	}
	return false;
}

bool kma_btf_member_at(const struct kma_btf *btf, uint32_t type, uint32_t i,
		       struct kma_btf_member *ret, const char **name)
{
	struct kma_btf_type t = btf_get(btf, type);
	const char *words;

	if (!btf_has_members(&t) || i >= t.nr)
		return false;
	words = t.more + 12 * (size_t)i;
	btf_member_of(btf, &t, words, ret);
	*name = btf_string(btf, btf_word(words, 0));
	return true;
}

uint32_t kma_btf_elements(const struct kma_btf *btf, uint32_t type)
{
	struct kma_btf_type t = btf_get(btf, type);

	return t.kind == KMA_BTF_ARRAY ? btf_word(t.more, 2) : 0;
}

int64_t kma_btf_offset(const struct kma_btf *btf, const char *name, const char *path)
{
	uint32_t type = kma_btf_find(btf, KMA_BTF_STRUCT, name);
	struct kma_btf_member member;

	if (!type || !kma_btf_member(btf, type, path, &member) || member.bits || member.bit)
		return -1;
	return member.offset;
}

uint32_t kma_btf_function(const struct kma_btf *btf, const char *name)
{
	uint32_t type = kma_btf_find(btf, KMA_BTF_FUNC, name);

	if (!type) {
		type = kma_btf_strip(btf, kma_btf_find(btf, KMA_BTF_TYPEDEF, name));
		if (kma_btf_kind(btf, type) != KMA_BTF_PTR)
			return 0;
	}
	type = kma_btf_strip(btf, kma_btf_target(btf, type));
	return kma_btf_kind(btf, type) == KMA_BTF_FUNC_PROTO ? type : 0;
}

int kma_btf_params(const struct kma_btf *btf, uint32_t proto)
{
	struct kma_btf_type t = btf_get(btf, proto);

	return t.kind == KMA_BTF_FUNC_PROTO ? (int)t.nr : -1;
}

bool kma_btf_param(const struct kma_btf *btf, uint32_t proto, unsigned int i,
		   struct kma_btf_param *ret)
{
	struct kma_btf_type t = btf_get(btf, proto);

	if (t.kind != KMA_BTF_FUNC_PROTO || i >= t.nr)
		return false;
	ret->name = btf_string(btf, btf_word(t.more, 2 * (size_t)i));
	ret->type = btf_word(t.more, 2 * (size_t)i + 1);
	return true;
}

/* The value of enumerator @i of @t. */
static int64_t btf_enum_value(const struct kma_btf_type *t, uint32_t i)
{
	uint32_t low;

	if (t->kind == KMA_BTF_ENUM64)
		return (int64_t)((uint64_t)btf_word(t->more, 3 * (size_t)i + 2) << 32 |
				 btf_word(t->more, 3 * (size_t)i + 1));
	low = btf_word(t->more, 2 * (size_t)i + 1);
	/* Before 6.0 the flag was never set, and all values were signed. */
	return (int32_t)low;
}

bool kma_btf_enumerator(const struct kma_btf *btf, const char *name, int64_t *value)
{
	for (uint32_t type = 1; type < btf->count; type++) {
		struct kma_btf_type t = btf_get(btf, type);
		unsigned int words = t.kind == KMA_BTF_ENUM64 ? 3 : 2;

		if (t.kind != KMA_BTF_ENUM && t.kind != KMA_BTF_ENUM64)
			continue;
		for (uint32_t i = 0; i < t.nr; i++) {
			uint32_t at = btf_word(t.more, words * (size_t)i);

			if (!strcmp(btf_string(btf, at), name)) {
				*value = btf_enum_value(&t, i);
				return true;
			}
		}
	}
	return false;
}

const char *kma_btf_enumerator_name(const struct kma_btf *btf, const char *enumeration,
				    int64_t value)
{
	struct kma_btf_type t = btf_get(btf, kma_btf_find(btf, KMA_BTF_ENUM, enumeration));

	for (uint32_t i = 0; i < t.nr && t.kind == KMA_BTF_ENUM; i++)
		if (btf_enum_value(&t, i) == value)
			return btf_string(btf, btf_word(t.more, 2 * (size_t)i));
	return NULL;
}

/* State of writing a text. */
struct kma_btf_writer {
	const struct kma_btf *btf;
	struct kma_strbuf *sb;
	unsigned int left; /* types that may still be written */
};

static void btf_write(struct kma_btf_writer *w, uint32_t type, const char *inner);

/* Write the parameters of @t after what was written of it. */
static void btf_write_params(struct kma_btf_writer *w, const struct kma_btf_type *t)
{
	kma_strbuf_puts(w->sb, "(");
	for (uint32_t i = 0; i < t->nr && w->left; i++) {
		uint32_t type = btf_word(t->more, 2 * (size_t)i + 1);

		kma_strbuf_puts(w->sb, i ? ", " : "");
		if (!type && i + 1 == t->nr)
			kma_strbuf_puts(w->sb, "...");
		else
			btf_write(w, type, "");
	}
	kma_strbuf_puts(w->sb, t->nr ? ")" : "void)");
}

/* The word before the name of a type. */
static const char *btf_keyword(const struct kma_btf_type *t)
{
	switch (t->kind) {
	case KMA_BTF_STRUCT:
		return "struct ";
	case KMA_BTF_UNION:
		return "union ";
	case KMA_BTF_ENUM:
	case KMA_BTF_ENUM64:
		return "enum ";
	case KMA_BTF_FWD:
		return t->flag ? "union " : "struct ";
	default:
		return "";
	}
}

/* The word of a qualifier. */
static const char *btf_qualifier(enum kma_btf_kind kind)
{
	switch (kind) {
	case KMA_BTF_CONST:
		return "const";
	case KMA_BTF_VOLATILE:
		return "volatile";
	default:
		return "restrict";
	}
}

/*
 * Write a type around @inner, what C writes in the middle of a declaration: "*" for a pointer.
 * Recursive: bounded by @w->left; what is beyond is "...".
 */
static void btf_write(struct kma_btf_writer *w, uint32_t type, const char *inner)
{
	struct kma_btf_type t = btf_get(w->btf, type);
	char next[64];

	if (!w->left || strlen(inner) > 40) {
		kma_strbuf_puts(w->sb, "...");
		return;
	}
	w->left--;
	switch (t.kind) {
	case KMA_BTF_PTR:
		/* What a pointer to an array or a function is, needs brackets. */
		snprintf(next, sizeof(next),
			 kma_btf_kind(w->btf, t.ref) == KMA_BTF_FUNC_PROTO ||
					 kma_btf_kind(w->btf, t.ref) == KMA_BTF_ARRAY ?
				 "(*%s)" :
				 "*%s",
			 inner);
		btf_write(w, t.ref, next);
		return;
	case KMA_BTF_ARRAY:
		snprintf(next, sizeof(next), "%s[%u]", inner, btf_word(t.more, 2));
		btf_write(w, btf_word(t.more, 0), next);
		return;
	case KMA_BTF_FUNC_PROTO:
		btf_write(w, t.ref, inner);
		btf_write_params(w, &t);
		return;
	case KMA_BTF_CONST:
	case KMA_BTF_VOLATILE:
	case KMA_BTF_RESTRICT:
		if (kma_btf_kind(w->btf, t.ref) == KMA_BTF_PTR) {
			snprintf(next, sizeof(next), *inner ? " %s %s" : " %s%s",
				 btf_qualifier(t.kind), inner);
		} else {
			kma_strbuf_printf(w->sb, "%s ", btf_qualifier(t.kind));
			snprintf(next, sizeof(next), "%s", inner);
		}
		btf_write(w, t.ref, next);
		return;
	case KMA_BTF_TYPE_TAG:
	case KMA_BTF_FUNC:
	case KMA_BTF_VAR:
		btf_write(w, t.ref, inner);
		return;
	default:
		break;
	}
	kma_strbuf_puts(w->sb, btf_keyword(&t));
	if (t.kind == KMA_BTF_VOID)
		kma_strbuf_puts(w->sb, "void");
	else
		kma_strbuf_puts(w->sb, t.name ? btf_string(w->btf, t.name) : "(anonymous)");
	if (*inner)
		kma_strbuf_printf(w->sb, *inner == '[' ? "%s" : " %s", inner);
}

void kma_btf_text(const struct kma_btf *btf, uint32_t type, struct kma_strbuf *sb)
{
	struct kma_btf_writer w = { .btf = btf, .sb = sb, .left = KMA_BTF_TEXT_TYPES };

	btf_write(&w, type, "");
}
