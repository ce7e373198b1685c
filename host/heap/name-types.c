// SPDX-License-Identifier: GPL-2.0-only
/*
 * name-types.c - the table of types, and what is read of an object of each.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "name-types.h"

#define LEVELS	  256	     /* most directories of a path */
#define MOUNTS	  16	     /* most mounts below each other */
#define PLACES	  1024	     /* most mounts of a file system */
#define LIST	  16	     /* most devices of a network namespace that are named */
#define TEXT_MOST 256	     /* bytes of a name with its terminator */
#define TRIES	  16	     /* objects of a cache in which an inode is looked for */
#define DEPTH	  12	     /* most nodes above an entry of an xarray */
#define NODES	  (1U << 20) /* most nodes of an xarray */
#define PAGE	  4096	     /* smaller entries of an xarray are no addresses */
#define FAMILIES  64	     /* most families of sockets; 7.2 has 46 */
#define DEVICES	  (1U << 24) /* most numbers of network devices */

/* Members that are read: struct, and the member's names in different releases. */
#define FIELDS(X)                                            \
	X(D_PARENT, "dentry", "d_parent")                    \
	X(D_NAME, "dentry", "d_name.name")                   \
	X(D_INODE, "dentry", "d_inode")                      \
	X(D_SB, "dentry", "d_sb")                            \
	X(D_COUNT, "dentry", "d_lockref.count")              \
	X(D_ALIAS, "dentry", "d_u.d_alias d_alias")          \
	X(S_TYPE, "super_block", "s_type")                   \
	X(S_ID, "super_block", "s_id")                       \
	X(S_ROOT, "super_block", "s_root")                   \
	X(S_MOUNTS, "super_block", "s_mounts")               \
	X(FS_NAME, "file_system_type", "name")               \
	X(MNT_NEXT, "mount", "mnt_instance mnt_next_for_sb") \
	X(MNT_PARENT, "mount", "mnt_parent")                 \
	X(MNT_POINT, "mount", "mnt_mountpoint")              \
	X(MNT_ROOT, "mount", "mnt.mnt_root")                 \
	X(I_SB, "inode", "i_sb")                             \
	X(I_HOST, "inode", "i_data.host")                    \
	X(I_DENTRY, "inode", "i_dentry")                     \
	X(I_NLINK, "inode", "i_nlink")                       \
	X(KN_PARENT, "kernfs_node", "parent __parent")       \
	X(KN_NAME, "kernfs_node", "name")                    \
	X(KN_ROOT, "kernfs_node", "dir.root")                \
	X(KR_NODE, "kernfs_root", "kn")                      \
	X(KR_SUPERS, "kernfs_root", "supers")                \
	X(KS_SB, "kernfs_super_info", "sb")                  \
	X(KS_NODE, "kernfs_super_info", "node")              \
	X(CG_SELF, "cgroup", "self.cgroup")                  \
	X(CG_SUBSYS, "cgroup", "self.ss")                    \
	X(CG_FLAGS, "cgroup", "self.flags")                  \
	X(CG_NODE, "cgroup", "kn")                           \
	X(T_COMM, "task_struct", "comm")                     \
	X(T_STATE, "task_struct", "__state state")           \
	X(T_EXIT, "task_struct", "exit_state")               \
	X(MM_OWNER, "mm_struct", "owner")                    \
	X(MM_EXE, "mm_struct", "exe_file")                   \
	X(MM_USERS, "mm_struct", "mm_users")                 \
	X(F_DENTRY, "file", "f_path.dentry")                 \
	X(SK_FAMILY, "sock", "__sk_common.skc_family")       \
	X(SK_STATE, "sock", "__sk_common.skc_state")         \
	X(SK_PORT, "sock", "__sk_common.skc_num")            \
	X(SK_REMOTE, "sock", "__sk_common.skc_dport")        \
	X(SK_PROTO, "sock", "__sk_common.skc_prot")          \
	X(SK_SOCKET, "sock", "sk_socket")                    \
	X(P_NAME, "proto", "name")                           \
	X(P_CACHE, "proto", "slab")                          \
	X(P_SIZE, "proto", "obj_size")                       \
	X(SKB_DEV, "sk_buff", "dev")                         \
	X(SKB_PROTOCOL, "sk_buff", "protocol")               \
	X(SKB_SK, "sk_buff", "sk")                           \
	X(SKB_USERS, "sk_buff", "users")                     \
	X(DEV_NAME, "net_device", "name")                    \
	X(DEV_INDEX, "net_device", "ifindex")                \
	X(DEV_LIST, "net_device", "dev_list")                \
	X(NET_INUM, "net", "ns.inum")                        \
	X(NET_COUNT, "net", "ns.__ns_ref ns.count count")    \
	X(NET_DEVS, "net", "dev_base_head")                  \
	X(IDR_HEAD, "idr", "idr_rt.xa_head")                 \
	X(XA_SLOTS, "xa_node", "slots")                      \
	X(MAP_NAME, "bpf_map", "name")                       \
	X(MAP_TYPE, "bpf_map", "map_type")                   \
	X(PROG_AUX, "bpf_prog", "aux")                       \
	X(PROG_TYPE, "bpf_prog", "type")                     \
	X(AUX_NAME, "bpf_prog_aux", "name")                  \
	X(SKB_HEAD, "sk_buff", "head")                       \
	X(SKB_DATA, "sk_buff", "data")                       \
	X(SKB_END, "sk_buff", "end")                         \
	X(SKB_TRUESIZE, "sk_buff", "truesize")               \
	X(MNT_NS, "mount", "mnt_ns")

enum field {
#define X(id, of, names) id,
	FIELDS(X)
#undef X
		NR_FIELDS
};

static const struct {
	const char *of, *names;
} fields[] = {
#define X(id, of, names) { of, names },
	FIELDS(X)
#undef X
};

/* Members that a type may need; those after them are used if they are there. */
#define NEEDED	   64
#define BIT(field) (UINT64_C(1) << (field))
#define NEEDS_DENTRY                                                                        \
	(BIT(D_PARENT) | BIT(D_NAME) | BIT(D_INODE) | BIT(D_SB) | BIT(S_TYPE) | BIT(S_ID) | \
	 BIT(S_ROOT) | BIT(S_MOUNTS) | BIT(FS_NAME) | BIT(MNT_NEXT) | BIT(MNT_PARENT) |     \
	 BIT(MNT_POINT) | BIT(MNT_ROOT))
#define NEEDS_KERNFS                                                                  \
	(NEEDS_DENTRY | BIT(KN_PARENT) | BIT(KN_NAME) | BIT(KN_ROOT) | BIT(KR_NODE) | \
	 BIT(KR_SUPERS) | BIT(KS_SB) | BIT(KS_NODE))
#define NEEDS_SOCK                                                                        \
	(BIT(SK_FAMILY) | BIT(SK_STATE) | BIT(SK_PORT) | BIT(SK_REMOTE) | BIT(SK_PROTO) | \
	 BIT(SK_SOCKET) | BIT(P_NAME) | BIT(P_CACHE) | BIT(P_SIZE))

struct kma_name_mount {
	uint64_t key; /* address of the struct super_block, XORed with KMA_HEAP_KEY */
	struct kma_strbuf path;
};

/* Read a number of up to 8 bytes that is in one word. */
static uint64_t number(struct kma_namer *namer, uint64_t at, enum field field)
{
	const struct kma_btf_member *member = &namer->fields[field];
	uint64_t addr = at + member->offset, size = member->size, word;

	if (!namer->words->word(namer->words->arg, addr & ~7ULL, &word)) {
		namer->unread = true;
		return 0;
	}
	word >>= 8 * (addr & 7);
	return size < 8 ? word & ((UINT64_C(1) << 8 * size) - 1) : word;
}

/* Append a text, up to @most bytes. */
static void text(struct kma_namer *namer, uint64_t addr, size_t most, struct kma_strbuf *out)
{
	uint64_t word = 0;
	char c;

	for (size_t i = 0; i < most; i++, addr++) {
		if ((!i || addr % 8 == 0) &&
		    !namer->words->word(namer->words->arg, addr & ~7ULL, &word))
			break;
		c = word >> 8 * (addr & 7);
		if (!c)
			return;
		kma_strbuf_add(out, &c, 1);
	}
	namer->unread = true;
}

/* Append the text in an array of letters. */
static void letters(struct kma_namer *namer, uint64_t at, enum field field, struct kma_strbuf *out)
{
	const struct kma_btf_member *member = &namer->fields[field];

	text(namer, at + member->offset, member->size, out);
}

/* The same for a word that may be none: the bytes of something else are not read as one. */
static void word(struct kma_namer *namer, uint64_t at, enum field field, struct kma_strbuf *out)
{
	size_t begin = out->len;

	letters(namer, at, field, out);
	for (size_t i = begin; i < out->len; i++)
		namer->unread |= out->str[i] <= ' ' || out->str[i] > '~';
	namer->unread |= out->len == begin;
}

/* End a key. */
static void end(struct kma_name_text *name)
{
	kma_strbuf_add(&name->keys, "", 1);
}

static void key(struct kma_name_text *name, const char *str)
{
	kma_strbuf_puts(&name->keys, str);
	end(name);
}

/*
 * Append the names on the way from the root, which is its own parent or has none, down to a node.
 * Returns the root.
 */
static uint64_t path(struct kma_namer *namer, uint64_t at, enum field parent, enum field name,
		     struct kma_strbuf *out)
{
	uint64_t nodes[LEVELS], next;
	unsigned int nr = 0;

	for (;; at = next) {
		if (namer->unread || nr == LEVELS) {
			namer->unread = true;
			break;
		}
		next = number(namer, at, parent);
		if (!next || next == at)
			break;
		nodes[nr++] = at;
	}
	for (unsigned int i = nr; i-- && !namer->unread;) {
		kma_strbuf_puts(out, "/");
		text(namer, number(namer, nodes[i], name), TEXT_MOST, out);
	}
	/* A later scan must not find these addresses in the memory of this program. */
	explicit_bzero(nodes, nr * sizeof(*nodes));
	return at;
}

/* Append the path of a mount. */
static void mount_path(struct kma_namer *namer, uint64_t mount, struct kma_strbuf *out)
{
	uint64_t points[MOUNTS], parent;
	unsigned int nr = 0;

	for (; nr < MOUNTS && !namer->unread; mount = parent) {
		parent = number(namer, mount, MNT_PARENT);
		if (parent == mount)
			break;
		points[nr++] = number(namer, mount, MNT_POINT);
	}
	for (unsigned int i = nr; i--;)
		path(namer, points[i], D_PARENT, D_NAME, out);
	explicit_bzero(points, nr * sizeof(*points));
}

/*
 * Append where a file system is mounted; nothing if it is not, or at "/". What counts is the shortest place in
 * init's mount namespace, because bind mounts are longer. Without one it is the first place that is not that
 * of a root: in other namespaces, as of containers and of the kernel's thread for devtmpfs, that is not "/".
 */
static void mount_find(struct kma_namer *namer, uint64_t super, struct kma_strbuf *out)
{
	/* Since 6.18 the mounts of a file system are linked by plain pointers. */
	bool listed = namer->fields[S_MOUNTS].size > 8, home = false;
	uint64_t root = number(namer, super, S_ROOT), at = number(namer, super, S_MOUNTS), mount;

	for (unsigned int i = 0; i < PLACES && !namer->unread; i++) {
		_cleanup_strbuf_ struct kma_strbuf path = { 0 };
		bool own;

		if (!at || (listed && at == super + namer->fields[S_MOUNTS].offset))
			return;
		mount = at - (listed ? namer->fields[MNT_NEXT].offset : 0);
		at = number(namer, mount, MNT_NEXT);
		if (number(namer, mount, MNT_ROOT) != root)
			continue;
		own = namer->home && number(namer, mount, MNT_NS) == (namer->home ^ KMA_HEAP_KEY);
		mount_path(namer, mount, &path);
		if (own ? home && path.len >= out->len : home || out->len)
			continue;
		out->len = 0;
		kma_strbuf_add(out, path.str, path.len);
		home |= own;
	}
}

/* The same, found once. */
static const char *mounted(struct kma_namer *namer, uint64_t super)
{
	uint64_t masked = super ^ KMA_HEAP_KEY;
	uint32_t hash = kma_map_number(masked);
	uint32_t n = kma_map_find(&namer->by_super, hash, i, namer->mounts[i].key == masked);
	bool unread = namer->unread;

	if (n == KMA_MAP_NONE) {
		kma_array_room(namer->mounts, namer->by_super.nr, namer->room);
		n = kma_map_add(&namer->by_super, hash);
		namer->mounts[n] = (struct kma_name_mount){ .key = masked };
		mount_find(namer, super, &namer->mounts[n].path);
		/* A mount that goes away is not needed to know the object. */
		if (namer->unread && !unread)
			namer->mounts[n].path.len = 0;
		namer->unread = unread;
	}
	return namer->mounts[n].path.len ? namer->mounts[n].path.str : "";
}

/* The key of a file system. */
static void super_key(struct kma_namer *namer, uint64_t super, struct kma_name_text *ret)
{
	struct kma_strbuf *out = &ret->keys;
	size_t begin = out->len, len;

	text(namer, number(namer, number(namer, super, S_TYPE), FS_NAME), TEXT_MOST, out);
	len = out->len - begin;
	kma_strbuf_puts(out, " ");
	letters(namer, super, S_ID, out);
	/* "tmpfs tmpfs" says no more than "tmpfs". */
	if (out->len == begin + 2 * len + 1 &&
	    !memcmp(out->str + begin, out->str + begin + len + 1, len))
		out->len = begin + len;
	end(ret);
}

/* The keys of a file system and of a path in it; @super: 0 without one. */
static void path_keys(struct kma_namer *namer, uint64_t super, const struct kma_strbuf *names,
		      struct kma_name_text *ret)
{
	size_t begin;

	if (super)
		super_key(namer, super, ret);
	else
		end(ret);
	begin = ret->keys.len;
	if (super && !namer->unread)
		kma_strbuf_puts(&ret->keys, mounted(namer, super));
	kma_strbuf_add(&ret->keys, names->str, names->len);
	if (ret->keys.len == begin)
		kma_strbuf_puts(&ret->keys, "/");
	end(ret);
}

static void dentry_keys(struct kma_namer *namer, uint64_t dentry, struct kma_name_text *ret)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };
	uint64_t super = number(namer, dentry, D_SB);
	uint64_t root = path(namer, dentry, D_PARENT, D_NAME, &names);

	if (root == number(namer, super, S_ROOT)) {
		path_keys(namer, super, &names, ret);
		return;
	}
	/* In no directory: sockets and pipes have a dentry each. */
	super_key(namer, super, ret);
	text(namer, number(namer, root, D_NAME), TEXT_MOST, &ret->keys);
	kma_strbuf_add(&ret->keys, names.str, names.len);
	end(ret);
}

static bool dentry_read(struct kma_namer *namer, uint64_t at, struct kma_name_text *ret)
{
	dentry_keys(namer, at, ret);
	ret->flag = !number(namer, at, D_INODE);
	/* A dentry that is freed has a negative count. */
	return (int32_t)number(namer, at, D_COUNT) >= 0;
}

/* Each inode has its own address in its first address space. Filesystems have it at any offset. */
static bool inode_is(struct kma_namer *namer, struct kma_name_slot *slot, uint64_t *ret)
{
	for (uint64_t at = 0; !slot->found && slot->tried < TRIES; at += 8) {
		if (at + namer->inode_size > slot->bytes) {
			slot->tried++;
			return false;
		}
		slot->found = number(namer, slot->addr + at, I_HOST) == slot->addr + at;
		slot->offset = at;
	}
	*ret = slot->addr + slot->offset;
	return slot->found;
}

static bool inode_read(struct kma_namer *namer, uint64_t at, struct kma_name_text *ret)
{
	uint64_t alias = number(namer, at, I_DENTRY);

	if (number(namer, at, I_HOST) != at)
		return false;
	ret->flag = !number(namer, at, I_NLINK);
	if (alias) {
		dentry_keys(namer, alias - namer->fields[D_ALIAS].offset, ret);
		return true;
	}
	super_key(namer, number(namer, at, I_SB), ret);
	key(ret, "[no dentry]");
	return true;
}

/* The keys of a file system and of a path of sysfs or of cgroups. */
static bool kernfs_keys(struct kma_namer *namer, uint64_t node, struct kma_name_text *ret)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };
	uint64_t top = path(namer, node, KN_PARENT, KN_NAME, &names);
	uint64_t root = number(namer, top, KN_ROOT), head = root + namer->fields[KR_SUPERS].offset;
	uint64_t info = number(namer, root, KR_SUPERS);
	bool is_mounted = info != head;

	if (namer->unread || number(namer, root, KR_NODE) != top)
		return false;
	info -= namer->fields[KS_NODE].offset;
	path_keys(namer, is_mounted ? number(namer, info, KS_SB) : 0, &names, ret);
	return true;
}

/* The first words of a cgroup are its own address, and no subsystem. */
static bool cgroup_is(struct kma_namer *namer, struct kma_name_slot *slot, uint64_t *ret)
{
	return slot->bytes > namer->fields[CG_NODE].offset &&
	       number(namer, *ret, CG_SELF) == *ret && !number(namer, *ret, CG_SUBSYS);
}

static bool cgroup_read(struct kma_namer *namer, uint64_t at, struct kma_name_text *ret)
{
	ret->flag = !(number(namer, at, CG_FLAGS) & namer->online);
	return number(namer, at, CG_SELF) == at &&
	       kernfs_keys(namer, number(namer, at, CG_NODE), ret);
}

/* The letter of a state, as /proc/PID/stat has it: TASK_REPORT and TASK_NOLOAD of linux/sched.h. */
static bool task_read(struct kma_namer *namer, uint64_t at, struct kma_name_text *ret)
{
	uint32_t state = number(namer, at, T_STATE) | number(namer, at, T_EXIT);
	char letter = "RSDTtXZP"[state & 0x7f ? 32 - __builtin_clz(state & 0x7f) : 0];

	letters(namer, at, T_COMM, &ret->keys);
	end(ret);
	if ((state & 0x402) == 0x402)
		letter = 'I';
	/* TASK_RTLOCK_WAIT and TASK_FROZEN */
	if (state & 0x9000)
		letter = 'D';
	kma_strbuf_add(&ret->keys, &letter, 1);
	end(ret);
	return true;
}

static bool mm_read(struct kma_namer *namer, uint64_t at, struct kma_name_text *ret)
{
	uint64_t owner = number(namer, at, MM_OWNER), file = number(namer, at, MM_EXE);

	ret->flag = !number(namer, at, MM_USERS);
	if (owner)
		letters(namer, owner, T_COMM, &ret->keys);
	end(ret);
	if (file) {
		dentry_keys(namer, number(namer, file, F_DENTRY), ret);
		return true;
	}
	end(ret);
	end(ret);
	return true;
}

/* The name of a socket's protocol; false if this is no socket. */
static bool sock_key(struct kma_namer *namer, uint64_t sock, struct kma_name_text *ret)
{
	word(namer, number(namer, sock, SK_PROTO), P_NAME, &ret->keys);
	end(ret);
	return !namer->unread && number(namer, sock, SK_FAMILY) < FAMILIES;
}

/* Sockets of a protocol without a cache of its own are in those of kmalloc(). */
static bool sock_is(struct kma_namer *namer, struct kma_name_slot *slot, uint64_t *ret)
{
	uint64_t proto, size, cache;

	if (slot->bytes <= namer->fields[SK_SOCKET].offset)
		return false;
	namer->unread = false;
	proto = number(namer, *ret, SK_PROTO);
	cache = proto ? number(namer, proto, P_CACHE) : 0;
	size = proto ? number(namer, proto, P_SIZE) : 0;
	if (namer->unread || size > slot->bytes || number(namer, *ret, SK_FAMILY) >= FAMILIES)
		return false;
	return cache ? cache == slot->cache :
		       !strncmp(slot->name, "kmalloc-", 8) && 2 * size > slot->bytes;
}

/* A port; "*" for those that are given out: the sysctl ip_local_port_range begins there. */
static void port(uint32_t nr, struct kma_strbuf *out)
{
	if (nr >= 32768)
		kma_strbuf_puts(out, "*");
	else
		kma_strbuf_u64(out, nr);
}

static bool sock_read(struct kma_namer *namer, uint64_t at, struct kma_name_text *ret)
{
	static const char *const families[] = {
		[1] = "unix",	 [2] = "inet", [10] = "inet6", [16] = "netlink",
		[17] = "packet", [38] = "alg", [40] = "vsock", [44] = "xdp",
	};
	static const char *const states[] = {
		"0",	      "established", "syn-sent",     "syn-recv",   "fin-wait-1",
		"fin-wait-2", "time-wait",   "close",	     "close-wait", "last-ack",
		"listen",     "closing",     "new-syn-recv",
	};
	uint64_t family = number(namer, at, SK_FAMILY), state = number(namer, at, SK_STATE);

	if (!sock_key(namer, at, ret) || state >= ARRAY_SIZE(states))
		return false;
	if (family < ARRAY_SIZE(families) && families[family])
		kma_strbuf_puts(&ret->keys, families[family]);
	else
		kma_strbuf_u64(&ret->keys, family);
	end(ret);
	key(ret, states[state]);
	if (family == 2 || family == 10) {
		port(number(namer, at, SK_PORT), &ret->keys);
		kma_strbuf_puts(&ret->keys, ":");
		port(__builtin_bswap16(number(namer, at, SK_REMOTE)), &ret->keys);
	}
	end(ret);
	ret->flag = !number(namer, at, SK_SOCKET);
	return true;
}

/* A device's name; nothing if the word in its place is something else, as in the queues of TCP. */
static void device(struct kma_namer *namer, uint64_t dev, struct kma_strbuf *out)
{
	bool unread = namer->unread;
	size_t begin = out->len;
	uint32_t index = dev ? number(namer, dev, DEV_INDEX) : 0;

	if (index && index < DEVICES)
		word(namer, dev, DEV_NAME, out);
	if (namer->unread)
		out->len = begin;
	namer->unread = unread;
}

/*
 * In a merged cache, too, the data of a buffer are in its memory, which is outside of the object, and
 * are counted as its size.
 */
static bool skb_is(struct kma_namer *namer, struct kma_name_slot *slot, uint64_t *ret)
{
	uint64_t head, data, room;

	if (!slot->merged)
		return true;
	namer->unread = false;
	head = number(namer, *ret, SKB_HEAD);
	data = number(namer, *ret, SKB_DATA);
	room = number(namer, *ret, SKB_END);
	return !namer->unread && head && head - slot->addr >= slot->bytes && data >= head &&
	       data - head <= room && number(namer, *ret, SKB_TRUESIZE) > room;
}

static bool skb_read(struct kma_namer *namer, uint64_t at, struct kma_name_text *ret)
{
	uint64_t dev = number(namer, at, SKB_DEV), sk = number(namer, at, SKB_SK);
	uint64_t protocol = __builtin_bswap16(number(namer, at, SKB_PROTOCOL));
	int32_t users = number(namer, at, SKB_USERS);
	size_t begin;

	if (namer->unread)
		return false;
	/* A CPU keeps some that it will use. */
	if (users <= 0) {
		key(ret, "[in stock]");
		end(ret);
		end(ret);
		return true;
	}
	device(namer, dev, &ret->keys);
	end(ret);
	if (protocol == 0x0800 || protocol == 0x86dd)
		kma_strbuf_puts(&ret->keys, protocol == 0x0800 ? "IPv4" : "IPv6");
	else if (protocol)
		kma_strbuf_printf(&ret->keys, "0x%04x", (unsigned int)protocol);
	end(ret);
	begin = ret->keys.len;
	if (!sk || !sock_key(namer, sk, ret)) {
		namer->unread = false;
		ret->keys.len = begin;
		end(ret);
	}
	return true;
}

static bool net_read(struct kma_namer *namer, uint64_t at, struct kma_name_text *ret)
{
	uint64_t head = at + namer->fields[NET_DEVS].offset, entry = number(namer, at, NET_DEVS);

	kma_strbuf_printf(&ret->keys, "net:[%llu]",
			  (unsigned long long)number(namer, at, NET_INUM));
	end(ret);
	ret->flag = !number(namer, at, NET_COUNT);
	for (unsigned int i = 0; i < LIST && entry && entry != head; i++) {
		uint64_t dev = entry - namer->fields[DEV_LIST].offset;

		kma_strbuf_puts(&ret->keys, i ? " " : "");
		device(namer, dev, &ret->keys);
		entry = number(namer, dev, DEV_LIST);
	}
	end(ret);
	return true;
}

/* The type of a BPF object: BPF_MAP_TYPE_HASH is "hash". */
static void bpf_type(struct kma_namer *namer, const char *types, uint64_t type,
		     struct kma_name_text *ret)
{
	const char *name = kma_btf_enumerator_name(namer->btf, types, type);

	for (name = name ? name + strlen(types) + 1 : "?"; *name; name++) {
		char c = tolower(*name);

		kma_strbuf_add(&ret->keys, &c, 1);
	}
	end(ret);
}

static bool map_read(struct kma_namer *namer, uint64_t at, struct kma_name_text *ret)
{
	bpf_type(namer, "bpf_map_type", number(namer, at, MAP_TYPE), ret);
	letters(namer, at, MAP_NAME, &ret->keys);
	end(ret);
	return true;
}

static bool prog_read(struct kma_namer *namer, uint64_t at, struct kma_name_text *ret)
{
	bpf_type(namer, "bpf_prog_type", number(namer, at, PROG_TYPE), ret);
	letters(namer, number(namer, at, PROG_AUX), AUX_NAME, &ret->keys);
	end(ret);
	return true;
}

/*
 * Entries of an xarray: a node has 2 in its lowest bits, a pointer to an object 0. @left bounds the
 * nodes, because one that is used again may lead to itself.
 */
static void xarray(struct kma_namer *namer, uint64_t entry, unsigned int depth, unsigned int *left,
		   kma_namer_fn fn, void *arg)
{
	const struct kma_btf_member *slots = &namer->fields[XA_SLOTS];
	uint64_t at = entry - 2 + slots->offset, slot;

	if (entry > PAGE && !(entry & 3))
		fn(arg, 0, entry);
	if (entry <= PAGE || (entry & 7) != 2 || depth == DEPTH || !*left)
		return;
	--*left;
	for (uint64_t i = 0; i < slots->size; i += 8)
		if (namer->words->word(namer->words->arg, at + i, &slot))
			xarray(namer, slot, depth + 1, left, fn, arg);
}

void kma_namer_idr(struct kma_namer *namer, uint64_t idr, kma_namer_fn fn, void *arg)
{
	unsigned int left = NODES;

	xarray(namer, number(namer, idr, IDR_HEAD), 0, &left, fn, arg);
}

const struct kma_name_type kma_name_types[] = {
	{ .name = "dentry",
	  .caches = { "dentry" },
	  .needs = NEEDS_DENTRY | BIT(D_COUNT),
	  .keys = { "filesystem", "path" },
	  .exact = 1 << 0,
	  .flag = "negative",
	  .read = dentry_read },
	{ .name = "inode",
	  .needs = NEEDS_DENTRY | BIT(D_ALIAS) | BIT(I_SB) | BIT(I_HOST) | BIT(I_DENTRY) |
		   BIT(I_NLINK),
	  .keys = { "filesystem", "path" },
	  .exact = 1 << 0,
	  .flag = "unlinked",
	  .is = inode_is,
	  .read = inode_read },
	{ .name = "kernfs_node",
	  .caches = { "kernfs_node_cache" },
	  .symbol = "kernfs_node_cache",
	  .needs = NEEDS_KERNFS,
	  .keys = { "filesystem", "path" },
	  .exact = 1 << 0,
	  .read = kernfs_keys },
	{ .name = "cgroup",
	  .needs = NEEDS_KERNFS | BIT(CG_SELF) | BIT(CG_SUBSYS) | BIT(CG_FLAGS) | BIT(CG_NODE),
	  .keys = { "filesystem", "path" },
	  .exact = 1 << 0,
	  .flag = "dead",
	  .pinned = true,
	  .is = cgroup_is,
	  .read = cgroup_read },
	{ .name = "task_struct",
	  .caches = { "task_struct" },
	  .needs = BIT(T_COMM) | BIT(T_STATE) | BIT(T_EXIT),
	  .keys = { "comm", "state" },
	  .read = task_read },
	{ .name = "mm_struct",
	  .caches = { "mm_struct" },
	  .needs = NEEDS_DENTRY | BIT(T_COMM) | BIT(MM_OWNER) | BIT(MM_EXE) | BIT(MM_USERS) |
		   BIT(F_DENTRY),
	  .keys = { "comm", "filesystem", "executable" },
	  .exact = 1 << 1,
	  .flag = "unused",
	  .read = mm_read },
	{ .name = "sock",
	  .needs = NEEDS_SOCK,
	  .keys = { "protocol", "family", "state", "ports" },
	  .exact = 0xf,
	  .flag = "orphaned",
	  .is = sock_is,
	  .read = sock_read },
	{ .name = "sk_buff",
	  .caches = { "skbuff_head_cache", "skbuff_fclone_cache" },
	  .symbol = "skbuff_fclone_cache",
	  .hot = "skbuff_fclone_cache",
	  .needs = NEEDS_SOCK | BIT(SKB_DEV) | BIT(SKB_PROTOCOL) | BIT(SKB_SK) | BIT(SKB_USERS) |
		   BIT(DEV_NAME) | BIT(DEV_INDEX),
	  .keys = { "device", "protocol", "socket" },
	  .exact = 6,
	  .is = skb_is,
	  .read = skb_read },
	{ .name = "net",
	  .caches = { "net_namespace" },
	  .symbol = "net_cachep",
	  .needs = BIT(NET_INUM) | BIT(NET_COUNT) | BIT(NET_DEVS) | BIT(DEV_LIST) | BIT(DEV_NAME) |
		   BIT(DEV_INDEX),
	  .keys = { "namespace", "devices" },
	  .exact = 1 << 0,
	  .flag = "dead",
	  .read = net_read },
	{ .name = "bpf_map",
	  .idr = "map_idr",
	  .needs = BIT(IDR_HEAD) | BIT(XA_SLOTS) | BIT(MAP_NAME) | BIT(MAP_TYPE),
	  .keys = { "type", "name" },
	  .exact = 1 << 0,
	  .read = map_read },
	{ .name = "bpf_prog",
	  .idr = "prog_idr",
	  .needs = BIT(IDR_HEAD) | BIT(XA_SLOTS) | BIT(PROG_AUX) | BIT(PROG_TYPE) | BIT(AUX_NAME),
	  .keys = { "type", "name" },
	  .exact = 1 << 0,
	  .read = prog_read },
};

const size_t kma_name_nr_types = ARRAY_SIZE(kma_name_types);

bool kma_namer_member(const struct kma_btf *btf, const char *of, const char *names,
		      struct kma_btf_member *ret)
{
	uint32_t type = kma_btf_find(btf, KMA_BTF_STRUCT, of);
	char name[32];

	for (size_t len = 0; *names; names += len + (names[len] == ' ')) {
		len = strcspn(names, " ");
		snprintf(name, sizeof(name), "%.*s", (int)len, names);
		if (kma_btf_member(btf, type, name, ret) && !ret->bits)
			return true;
	}
	ret->size = 0;
	return false;
}

struct kma_err *kma_namer_init(struct kma_namer *namer, const struct kma_name_type *type,
			       const struct kma_btf *btf, const struct kma_words *words)
{
	_Static_assert(NR_FIELDS <= KMA_NAME_FIELDS, "");

	namer->words = words;
	namer->btf = btf;
	namer->inode_size = kma_btf_struct_size(btf, "inode");
	for (size_t i = 0; i < NR_FIELDS; i++) {
		bool has = kma_namer_member(btf, fields[i].of, fields[i].names, &namer->fields[i]);

		if (i >= NEEDED)
			continue;
		if (has)
			namer->has |= BIT(i);
		else if (type->needs & BIT(i))
			return kma_err_create_kind(
				KMA_ERR_NOT_FOUND, NULL, 0,
				"the kernel has no struct %s with the member %.*s, which is needed to name a %s",
				fields[i].of, (int)strcspn(fields[i].names, " "), fields[i].names,
				type->name);
	}
	if (type->needs & BIT(CG_FLAGS) && !kma_btf_enumerator(btf, "CSS_ONLINE", &namer->online))
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, NULL, 0,
			"the kernel has no CSS_ONLINE, which is needed to name a %s", type->name);
	return NULL;
}

const struct kma_name_type *kma_name_type(const char *name)
{
	for (size_t i = 0; i < kma_name_nr_types; i++)
		if (!strcmp(kma_name_types[i].name, name))
			return &kma_name_types[i];
	return NULL;
}

bool kma_namer_read(struct kma_namer *namer, const struct kma_name_type *type, uint64_t at,
		    struct kma_name_text *ret)
{
	ret->keys.len = 0;
	ret->flag = false;
	namer->unread = false;
	return kma_namer_has(namer, type) && type->read(namer, at, ret) && !namer->unread;
}

void kma_namer_forget(struct kma_namer *namer)
{
	for (uint32_t i = 0; i < namer->by_super.nr; i++)
		kma_strbuf_deinit(&namer->mounts[i].path);
	kma_map_free(&namer->by_super);
}

void kma_namer_deinit(struct kma_namer *namer)
{
	kma_namer_forget(namer);
	free(namer->mounts);
	*namer = (struct kma_namer){ 0 };
}
