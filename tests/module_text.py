# SPDX-License-Identifier: GPL-2.0-only
"""Text as the module's files in debugfs begin, for scripts that make such files."""
BUILD_ID = "0123456789abcdef0123456789abcdef01234567"
BOOT = "11111111-2222-4333-8444-555555555555"
SITES_SHORT = "id address total slack req allocs frees unknown file offset build_id caller kind cache peak"
SITES_ALL = "id address total slack req allocs frees unknown failed all_total all_req file offset build_id " \
            "caller kind cache peak peak_max stack remote_cpu remote_node"


def snapshot_head(up, time, boot=BOOT, generation=1):
    """The first lines of snapshot, UP ns after the boot, TIME ns since 1970."""
    return ("kmem_account snapshot 1\nboot_id: %s\nboottime_ns: %d\ntime_ns: %d\nloaded_ns: 900000000000\ngeneration: %d\n"
            "release: 6.1.0-made\nmachine: x86_64\nbuild_id: %s\nversion: 0.1\n" %
            (boot, up, time, generation, BUILD_ID))


def sites_head(columns=SITES_SHORT):
    """The first lines of the table sites in snapshot."""
    return "== sites\nkmem_account sites 1\n# " + "\t".join(columns.split()) + "\n"
