// SPDX-License-Identifier: GPL-2.0-only
/*
 * helpers.c - functions that allocate for their callers.
 */
#include <string.h>

#include "helpers.h"
#include "lib/cleanup.h"

/* clang-format off */
/*
 * Functions of 5.10 to 7.2 that allocate, or make an object, for their callers. Functions with only
 * one caller, and operations of one filesystem or driver, are not in the list, because they are
 * useful owners. A name that a kernel lacks has no effect.
 */
static const char *const helpers[] = {
	/* slab and page allocator */
	"kmem_cache_alloc*", "__kmalloc*", "kmalloc*", "__do_kmalloc_node", "kvmalloc*",
	"__kvmalloc*", "krealloc*", "__krealloc*", "kvrealloc*", "kcalloc*", "kzalloc*",
	"__vmalloc*", "vmalloc*", "vzalloc*", "alloc_pages*", "__alloc_pages*", "__folio_alloc*",
	"folio_alloc*", "__get_free_pages", "get_free_pages", "get_zeroed_page",
	"__alloc_percpu*", "mempool_alloc*", "mempool_kmalloc", "mempool_init*",
	"mempool_create*", "dma_pool_alloc", "devm_kmalloc*", "devm_kzalloc*", "devm_kasprintf",
	"devm_kvasprintf", "devm_kmemdup*", "devm_krealloc*", "devm_kstrdup*", "__devres_alloc*",
	"devres_open_group", "alloc_dr", "drmm_kmalloc", "drmm_kstrdup",
	/* texts and copies */
	"kmemdup*", "kvmemdup*", "kstrdup*", "kstrndup", "kasprintf", "kvasprintf*",
	"memdup_user*", "vmemdup_user", "strndup_user", "kstrdup_quotable*", "kmemdup_nul",
	/* containers */
	"radix_tree_node_alloc*", "radix_tree_extend", "radix_tree_insert", "__radix_tree_*",
	"radix_tree_preload", "radix_tree_maybe_preload", "idr_alloc*", "idr_preload",
	"idr_get_*", "ida_alloc_range", "xas_alloc", "xas_create*", "xas_store", "xas_nomem*",
	"xas_expand", "__xa_*", "xa_*", "mas_alloc_nodes", "mas_alloc_*", "mas_preallocate",
	"mas_store*", "mas_node_count*", "mas_dup_*", "mas_wr_*", "mas_insert*", "mt_alloc_*",
	"mtree_*", "bitmap_alloc*", "bitmap_zalloc*", "sbitmap_init_node",
	"sbitmap_queue_init_node", "kfifo_alloc", "__kfifo_alloc", "flex_array_alloc",
	"rhashtable_*", "bucket_table_alloc*", "nested_table_alloc*", "sg_alloc_table*",
	"__sg_alloc_table*", "sg_kmalloc", "list_lru_*", "__list_lru_init",
	"memcg_list_lru_alloc*", "assoc_array_insert", "btree_*",
	/* files, inodes, dentries */
	"alloc_inode", "inode_init_always*", "new_inode*", "iget_locked", "iget5_locked*",
	"alloc_empty_file*", "__alloc_file", "alloc_file*", "init_file", "__d_alloc", "d_alloc*", "lookup_dcache",
	"__lookup_hash", "lookup_one_qstr_excl*", "d_make_root", "__kernfs_new_node*",
	"kernfs_new_node", "kernfs_create_dir_ns", "kernfs_create_link", "__kernfs_create_file",
	"__kernfs_iattrs", "kernfs_iattrs", "sysfs_create_dir_ns", "sysfs_add_file_mode_ns",
	"sysfs_add_bin_file_mode_ns", "internal_create_group*", "sysfs_create_group*",
	"sysfs_do_create_link*", "sysfs_create_link*", "sysfs_create_file*", "create_files",
	"__proc_create", "proc_create*", "proc_mkdir*", "seq_open", "__seq_open_private",
	"single_open*", "seq_buf_alloc", "alloc_buffer_head", "alloc_page_buffers",
	"folio_alloc_buffers", "create_page_buffers", "folio_create_buffers",
	"create_empty_buffers", "folio_create_empty_buffers", "block_write_begin*",
	"__block_write_begin*", "bio_alloc*", "bvec_alloc*", "bio_kmalloc", "blk_alloc_*",
	"blk_mq_alloc_*", "blk_rq_map_*", "alloc_super", "sget*", "alloc_vfsmnt", "alloc_mnt_ns",
	"vfs_create_mount", "vfs_kern_mount*", "clone_mnt", "simple_xattr_alloc", "getname*",
	"do_getname", "posix_acl_alloc", "posix_acl_clone", "locks_alloc_lock", "alloc_fd",
	"alloc_fdtable", "expand_files", "dup_fd", "debugfs_get_inode", "debugfs_start_creating",
	"start_creating*", "debugfs_create_*", "__debugfs_create_file", "simple_start_creating",
	"tracefs_get_inode", "tracefs_create_*",
	/* devices */
	"kobject_create*", "kobject_set_name*", "kobject_init_and_add", "kobject_add*",
	"kset_create*", "kobject_create_and_add", "kset_create_and_add", "device_create*",
	"device_private_init", "device_add*", "device_register", "platform_device_alloc",
	"platform_device_register_full", "klist_*", "irq_domain_alloc*", "__irq_domain_*",
	"irq_domain_create*", "alloc_desc", "alloc_descs", "__irq_alloc_descs*",
	"alloc_workqueue*", "alloc_workqueue_attrs", "apply_workqueue_attrs*",
	"__alloc_workqueue", "alloc_worker", "create_worker",
	/* sockets and packets */
	"__alloc_skb", "alloc_skb*", "__netdev_alloc_skb*", "netdev_alloc_skb*",
	"napi_alloc_skb*", "__napi_alloc_skb*", "build_skb*", "__build_skb*", "skb_clone",
	"skb_copy*", "__pskb_copy*", "pskb_expand_head", "skb_ext_*", "__skb_ext_*",
	"kmalloc_reserve*", "skb_expand_head", "sock_alloc_send_pskb", "sock_alloc_send_skb",
	"sock_wmalloc", "sk_prot_alloc", "sk_alloc", "sk_clone*", "inet_csk_clone_lock",
	"sock_alloc", "__sock_create", "sock_create*", "sock_alloc_file",
	"sock_kmalloc", "inet_bind_bucket_create", "inet_reqsk_alloc", "reqsk_alloc*",
	"dst_alloc", "rt_dst_alloc", "ip6_dst_alloc", "alloc_netdev_mqs", "alloc_etherdev_mqs",
	"netlink_alloc_*", "nlmsg_new", "neigh_alloc", "__neigh_create", "neigh_create",
	"register_net_sysctl*", "__register_sysctl_table", "register_sysctl*", "page_frag_alloc*",
	"__page_frag_*",
	/* processes, memory maps, credentials, security */
	"alloc_task_struct_node", "dup_task_struct", "alloc_thread_stack_node", "mm_alloc",
	"mm_init", "dup_mm*", "vm_area_alloc", "vm_area_dup", "anon_vma_clone", "anon_vma_fork",
	"__anon_vma_prepare", "anon_vma_chain_alloc", "pte_alloc_one", "__pte_alloc*",
	"pgd_alloc", "__pmd_alloc", "__pud_alloc", "__p4d_alloc", "ptlock_alloc", "prepare_creds",
	"prepare_kernel_cred", "prepare_exec_creds", "copy_creds", "cred_alloc_blank",
	"security_*", "lsm_*_alloc", "key_alloc", "alloc_pid", "create_nsproxy", "alloc_uid",
	"__sigqueue_alloc", "sigqueue_alloc", "groups_alloc", "alloc_pipe_info", "get_pipe_inode",
	"create_pipe_files", "__anon_inode_getfile", "anon_inode_getfile*", "anon_inode_getfd*",
	"memcg_alloc_*", "alloc_shrinker_info", "prealloc_shrinker", "shrinker_alloc",
	"register_shrinker*", "obj_cgroup_alloc", "perf_event_alloc", "bpf_map_kmalloc_node",
	"bpf_map_kzalloc", "bpf_map_kvcalloc", "bpf_map_area_alloc", "__bpf_map_area_alloc",
	"bpf_prog_alloc*", "bpf_prog_store", "bpf_mem_alloc*", "ftrace_*_alloc",
	"trace_event_buffer_*", "crypto_alloc_*", "crypto_create_tfm_node",
	"crypto_alloc_tfm_node", "crypto_larval_alloc",
};
/* clang-format on */

/* Bytes of a name without the compiler's suffixes, which begin with a dot: names in C have none. */
static size_t helpers_len(const char *function)
{
	return strcspn(function, ".");
}

static bool helpers_match(const char *pattern, size_t pattern_len, const char *function, size_t len)
{
	if (pattern_len && pattern[pattern_len - 1] == '*')
		return len >= pattern_len - 1 && !memcmp(pattern, function, pattern_len - 1);
	return len == pattern_len && !memcmp(pattern, function, len);
}

static bool helpers_default(const char *function, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(helpers); i++)
		if (helpers_match(helpers[i], strlen(helpers[i]), function, len))
			return true;
	return false;
}

static bool helpers_is_default(const char *name, size_t len)
{
	return len == strlen(KMA_HELPERS_DEFAULT) && !memcmp(name, KMA_HELPERS_DEFAULT, len);
}

bool kma_helpers_valid(const char *list)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

	for (;;) {
		size_t len = strspn(list, letters);

		if (!len)
			return false;
		list += len;
		list += *list == '*';
		if (!*list)
			return true;
		if (*list++ != ',')
			return false;
	}
}

bool kma_helpers_has(const char *list, const char *function)
{
	size_t len = helpers_len(function), name;

	for (; list && *list; list += name + (list[name] == ',')) {
		name = strcspn(list, ",");
		if (helpers_is_default(list, name) ? helpers_default(function, len) :
						     helpers_match(list, name, function, len))
			return true;
	}
	return false;
}
