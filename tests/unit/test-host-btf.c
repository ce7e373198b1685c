// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-btf.c - host/symbol/btf.c: the BTF that the compiler writes, beside sizeof and offsetof
 * of the same declarations; BTF made by hand; corrupt BTF.
 */
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/cleanup.h"
#include "lib/file.h"
#include "symbol/btf.h"

#include "ktap.h"

#include "compiled-btf.h"

/* Declares the types here, and keeps their text for the compiler. */
#define DECLARE(...) __VA_ARGS__ static const char declared[] = #__VA_ARGS__

DECLARE(
	struct inner { short a; void *p; };
	struct sample {
		int first;
		union {
			char c;
			struct { long deep; short row[3]; };
		};
		unsigned int low : 3;
		unsigned int high : 7;
		struct inner nested;
		struct inner table[4];
		const char *name;
		unsigned char flexible[];
	};
	union both { long l; char text[24]; };
	enum sign { SIGN_MINUS = -5, SIGN_PLUS = 7 };
);

/* What no program uses, the compiler leaves out of its BTF. */
static const char used[] =
	"typedef struct sample sample_t; struct sample *s; union both *b; enum sign e;"
	"typedef void (*btf_trace_x)(void *, const struct sample *, enum sign, ...);"
	"btf_trace_x hook; sample_t *const volatile twice[5]; int (*matrix)[8];"
	"sample_t *run(char *const *words, unsigned int nr) { return (void *)0; }";

static struct kma_btf *compiled(void)
{
	return compiled_btf(declared, used);
}

#define EXPECT_MEMBER(member) do {						\
	EXPECT_EQ(kma_btf_offset(btf, "sample", #member),			\
		  offsetof(struct sample, member));				\
	EXPECT(kma_btf_member(btf, sample, #member, &m));			\
	EXPECT_EQ(m.size, sizeof(((struct sample *)NULL)->member));		\
} while (0)

TEST(structs)
{
	_cleanup_btf_ struct kma_btf *btf = compiled();
	struct kma_btf_member m;
	uint32_t sample;
	uint64_t size;

	REQUIRE(btf);
	sample = kma_btf_find(btf, KMA_BTF_STRUCT, "sample");
	REQUIRE(sample);
	EXPECT_EQ(kma_btf_struct_size(btf, "sample"), sizeof(struct sample));
	EXPECT_EQ(kma_btf_struct_size(btf, "inner"), sizeof(struct inner));
	EXPECT_EQ(kma_btf_struct_size(btf, "absent"), 0);
	EXPECT_MEMBER(first);
	EXPECT_MEMBER(c);
	EXPECT_MEMBER(deep);
	EXPECT_MEMBER(row);
	EXPECT_MEMBER(nested);
	EXPECT_MEMBER(nested.a);
	EXPECT_MEMBER(nested.p);
	EXPECT_MEMBER(table);
	EXPECT_MEMBER(name);
	EXPECT_EQ(kma_btf_offset(btf, "sample", "flexible"), offsetof(struct sample, flexible));
	EXPECT_EQ(kma_btf_offset(btf, "sample", "low"), -1);
	EXPECT(kma_btf_member(btf, sample, "high", &m));
	EXPECT_EQ(m.bits, 7);
	EXPECT_EQ(m.offset * 8 + m.bit, offsetof(struct sample, row) / 8 * 64 + 64 + 3);
	EXPECT_EQ(kma_btf_offset(btf, "sample", "firs"), -1);
	EXPECT_EQ(kma_btf_offset(btf, "sample", "first.x"), -1);
	EXPECT_EQ(kma_btf_offset(btf, "sample", ""), -1);
	EXPECT_EQ(kma_btf_offset(btf, "sample", "nested."), -1);
	EXPECT_EQ(kma_btf_offset(btf, "absent", "first"), -1);
	REQUIRE(kma_btf_size(btf, kma_btf_find(btf, KMA_BTF_UNION, "both"), &size));
	EXPECT_EQ(size, sizeof(union both));
	REQUIRE(kma_btf_size(btf, kma_btf_find(btf, KMA_BTF_TYPEDEF, "sample_t"), &size));
	EXPECT_EQ(size, sizeof(struct sample));
	EXPECT(!kma_btf_size(btf, 0, &size));
	EXPECT(!kma_btf_size(btf, kma_btf_count(btf), &size));
}

/* Texts of types as C has them. */
static void expect_text(const struct kma_btf *btf, uint32_t type, const char *want)
{
	_cleanup_strbuf_ struct kma_strbuf sb = { 0 };

	kma_btf_text(btf, type, &sb);
	EXPECT_STR(sb.str, want);
}

TEST(functions)
{
	_cleanup_btf_ struct kma_btf *btf = compiled();
	static const char *const hook[] = { "void *", "const struct sample *", "enum sign" };
	struct kma_btf_param param;
	int64_t value = 0;
	uint32_t proto;

	REQUIRE(btf);
	proto = kma_btf_function(btf, "btf_trace_x");
	EXPECT_EQ(kma_btf_params(btf, proto), 4);
	for (unsigned int i = 0; i < 3; i++) {
		REQUIRE(kma_btf_param(btf, proto, i, &param));
		expect_text(btf, param.type, hook[i]);
	}
	REQUIRE(kma_btf_param(btf, proto, 3, &param));
	EXPECT_EQ(param.type, 0);
	EXPECT(!kma_btf_param(btf, proto, 4, &param));
	expect_text(btf, kma_btf_find(btf, KMA_BTF_TYPEDEF, "btf_trace_x"), "btf_trace_x");
	expect_text(btf, kma_btf_target(btf, kma_btf_find(btf, KMA_BTF_TYPEDEF, "btf_trace_x")),
		    "void (*)(void *, const struct sample *, enum sign, ...)");
	EXPECT_EQ(kma_btf_function(btf, "sample_t"), 0);
	EXPECT_EQ(kma_btf_function(btf, "absent"), 0);
	EXPECT_EQ(kma_btf_params(btf, 0), -1);
	EXPECT(kma_btf_enumerator(btf, "SIGN_MINUS", &value));
	EXPECT_EQ(value, SIGN_MINUS);
	EXPECT(kma_btf_enumerator(btf, "SIGN_PLUS", &value));
	EXPECT_EQ(value, SIGN_PLUS);
	EXPECT(!kma_btf_enumerator(btf, "SIGN_NONE", &value));
	EXPECT_STR(kma_btf_enumerator_name(btf, "sign", SIGN_PLUS), "SIGN_PLUS");
	EXPECT(!kma_btf_enumerator_name(btf, "sign", 6));
	EXPECT(!kma_btf_enumerator_name(btf, "sample", 7));
}

/* BTF made by hand: a header, then types and names. */
struct made {
	struct {
		uint16_t magic;
		uint8_t version, flags;
		uint32_t hdr_len, type_off, type_len, str_off, str_len;
	} head;
	uint32_t types[40];
	char names[64];
};

#define KIND(kind, nr) ((uint32_t)(kind) << 24 | (nr))

static struct made make(const uint32_t *types, size_t words)
{
	static const char names[] = "\0loop\0run\0BIG\0x";
	struct made made = {
		.head = { 0xeb9f, 1, 0, 24, 0, 4 * words, sizeof(made.types), sizeof(names) },
	};

	memcpy(made.types, types, 4 * words);
	memcpy(made.names, names, sizeof(names));
	return made;
}

/* A function and an enumeration of 64 bits, which the compiler here does not write. */
TEST(by_hand)
{
	static const uint32_t types[] = {
		1, KIND(KMA_BTF_INT, 0), 4, 32,					    /* 1: int loop */
		0, KIND(KMA_BTF_PTR, 0), 1,					    /* 2 */
		0, KIND(KMA_BTF_FUNC_PROTO, 2), 2, 14, 1, 0, 0,			    /* 3 */
		6, KIND(KMA_BTF_FUNC, 0), 3,					    /* 4: run */
		0, KIND(KMA_BTF_ENUM64, 1), 8, 10, 0xffffffff, 1,		    /* 5 */
		0, KIND(KMA_BTF_CONST, 0), 2,					    /* 6 */
		0, KIND(KMA_BTF_PTR, 0), 6,					    /* 7 */
	};
	struct made made = make(types, ARRAY_SIZE(types));
	_cleanup_btf_ struct kma_btf *btf = NULL;
	struct kma_btf_param param;
	int64_t value = 0;

	REQUIRE(!kma_btf_parse("made", &made, sizeof(made), &btf));
	EXPECT_EQ(kma_btf_count(btf), 8);
	EXPECT_EQ(kma_btf_function(btf, "run"), 3);
	EXPECT_EQ(kma_btf_params(btf, 3), 2);
	REQUIRE(kma_btf_param(btf, 3, 0, &param));
	EXPECT_STR(param.name, "x");
	EXPECT_EQ(param.type, 1);
	EXPECT(kma_btf_enumerator(btf, "BIG", &value));
	EXPECT_EQ(value, 0x1ffffffff);
	expect_text(btf, 3, "loop *(loop, ...)");
	expect_text(btf, 7, "loop * const *");
}

/* Types that refer to themselves, and numbers that are not a type's. */
TEST(loops)
{
	static const uint32_t types[] = {
		1, KIND(KMA_BTF_TYPEDEF, 0), 1,				/* 1: itself */
		1, KIND(KMA_BTF_STRUCT, 2), 8, 0, 2, 0, 0, 2, 0,	/* 2: twice itself */
		0, KIND(KMA_BTF_PTR, 0), 3,				/* 3: itself */
		0, KIND(KMA_BTF_ARRAY, 0), 0, 4, 1, 0xffffffff,		/* 4: itself */
		0, KIND(KMA_BTF_FUNC_PROTO, 2), 5, 0, 5, 0, 5,		/* 5: itself */
		0xffffff, KIND(KMA_BTF_PTR, 0), 999,			/* 6 */
	};
	struct made made = make(types, ARRAY_SIZE(types));
	_cleanup_btf_ struct kma_btf *btf = NULL;
	struct kma_btf_member m;
	uint64_t size;

	REQUIRE(!kma_btf_parse("made", &made, sizeof(made), &btf));
	EXPECT_EQ(kma_btf_strip(btf, 1), 0);
	EXPECT(!kma_btf_member(btf, 2, "x", &m));
	EXPECT(!kma_btf_size(btf, 4, &size));
	EXPECT_STR(kma_btf_name(btf, 6), "");
	EXPECT_EQ(kma_btf_target(btf, 6), 0);
	for (uint32_t type = 0; type < 9; type++) {
		_cleanup_strbuf_ struct kma_strbuf sb = { 0 };

		kma_btf_text(btf, type, &sb);
		EXPECT(sb.len < 10000);
	}
}

static void refused(const void *data, size_t len, enum kma_err_kind kind)
{
	struct kma_btf *btf = NULL;
	struct kma_err *err = kma_btf_parse("made", data, len, &btf);

	EXPECT(kma_err_is(err, kind));
	kma_err_destroy(err);
	kma_btf_destroy(btf);
}

/* Each length that cuts the file, and each field of the header that is wrong. */
TEST(corrupt)
{
	static const uint32_t types[] = { 1, KIND(KMA_BTF_INT, 0), 4, 32, 1, KIND(31, 0), 0 };
	struct made good = make(types, 4), made = good;
	_cleanup_btf_ struct kma_btf *btf = NULL;
	size_t whole = good.head.hdr_len + good.head.str_off + good.head.str_len;

	for (size_t len = 0; len < whole; len++) {
		_cleanup_free_ char *copy = malloc(len + 1);

		REQUIRE(copy);
		memcpy(copy, &good, len);
		refused(copy, len, len < 24 ? KMA_ERR_OTHER_FORMAT : KMA_ERR_DAMAGED);
	}
	REQUIRE(!kma_btf_parse("made", &good, whole, &btf));
	made.head.magic = 0x9feb;
	refused(&made, sizeof(made), KMA_ERR_OTHER_FORMAT);
	made = good;
	made.head.version = 2;
	refused(&made, sizeof(made), KMA_ERR_OTHER_FORMAT);
	made = good;
	made.head.hdr_len = 8;
	refused(&made, sizeof(made), KMA_ERR_DAMAGED);
	made = good;
	made.head.type_len = 0xfffffff0;
	refused(&made, sizeof(made), KMA_ERR_DAMAGED);
	made = good;
	made.head.type_len = 15;
	refused(&made, sizeof(made), KMA_ERR_DAMAGED);
	made = good;
	made.head.str_len--;
	made.names[made.head.str_len - 1] = 'x';
	refused(&made, sizeof(made), KMA_ERR_DAMAGED);
	made = good;
	made.head.str_len = 0;
	refused(&made, sizeof(made), KMA_ERR_DAMAGED);
	made = make(types, ARRAY_SIZE(types));
	refused(&made, sizeof(made), KMA_ERR_DAMAGED);
	made = good;
	made.types[1] = KIND(KMA_BTF_STRUCT, 65535);
	refused(&made, sizeof(made), KMA_ERR_DAMAGED);
}

TEST_MAIN()
