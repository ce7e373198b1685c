#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Read the account of kmem_account.ko from a vmcore, or from the running kernel.

Prints what /proc/kmem_account would print; with --sites, what kmem_account/sites in debugfs
would; with --live, each live object as kmem_account/live; with --kallsyms, the symbols of the
kernel and its modules as /proc/kallsyms. All commands of kmem-account read it:

    kmem_account.py --core vmcore --vmlinux vmlinux --module kmem_account.ko >account
    kmem-account report account --vmlinux vmlinux --by dir

With --tables DIR, all of them are written to DIR as the files account, sites, live and kallsyms:

    kmem_account.py --core vmcore --vmlinux vmlinux --module kmem_account.ko --tables tables
    kmem-account lost --vmcore vmcore --tables tables

Needs drgn 0.0.22 or later, and debug information of the kernel and of the module (a module that
is not stripped has it). Names come from kallsyms of the dump, as %pS has them. Peaks are those
of the last time that the module looked. Ages and remote frees are not read: their columns have
"-", which is "not known" to kmem-account.
"""
import argparse
import os
import re
import struct
import sys

try:
    import drgn
    from kallsyms import Symbols, string_at
    from drgn.helpers.linux.cpumask import for_each_possible_cpu
    from drgn.helpers.linux.list import list_for_each_entry
except ImportError as error:
    sys.exit(f"kmem_account.py: {error}; install drgn (package python3-drgn)")

# What debug information does not have: macros of the module. tests/kernel/vmcore.sh holds the
# output against the module's own.
CLASS_FIRST = 1 + 3 * 256       # account/class.h: KMA_CLASS_FIRST
OWNER_NO_SITE = 3 << 14         # account/class.h: KMA_OWNER_NO_SITE
OWNER_SITE = (1 << 14) - 1
PAGES_OF_CALLER = 0xfff0        # source/pages.h: from here on an owner is no site
ENTRIES = 512                   # account/live.h: KMA_LIVE_ENTRIES
TREES = ("object", "page", "percpu", "tail")    # account/live.c: enum kma_live_tree
SHARE = 128                     # account/live.c: KMA_MORE_SLOTS
PATH_DEPTH = 16                 # caller/path.h: KMA_PATH_DEPTH_MAX
PAGE_SHIFT = 12
KINDS = ("free", "kmalloc", "cache", "page", "percpu")
SITE_OTHER = 0
MODULE = "kmem_account"


class Unreadable(Exception):
    """Why there is no account: one sentence."""


def modinfo(path, key):
    """A line of a module's .modinfo, None if it has no such line."""
    with open(path, "rb") as file:
        data = file.read()
    found = re.search(rb"\0" + key.encode() + rb"=([^\0]*)\0", data)
    return found and found[1].decode(errors="replace")


def member_of(kind, path):
    """(offset, type) of "member.member" in a type."""
    offset = 0
    for part in path.split(".") if path else ():
        member = plain(kind).member(part)
        offset += member.offset
        kind = member.type
    return offset, plain(kind)


def plain(kind):
    """A type without names that typedef gave it."""
    while kind.kind == drgn.TypeKind.TYPEDEF:
        kind = kind.type
    return kind


class Module:
    """Variables of the module in the dump.

    Addresses are those of kallsyms in the dump, layouts those of the debug information of the
    .ko, which is not matched with the loaded module by drgn: drgn 0.0.22 cannot do so for
    kernels from 6.4 on.
    """

    def __init__(self, prog, types, symbols, module):
        self.prog, self.types = prog, types
        self.addresses = {}
        for name, value in symbols.symbols_of(module):
            self.addresses[name] = value
        self.offsets = prog["__per_cpu_offset"]

    def at(self, name, cpu=None):
        """Address of a variable, of its copy for a CPU."""
        return self.addresses[name] + (int(self.offsets[cpu]) if cpu is not None else 0)

    def value(self, path, cpu=None):
        """The number in a variable, or in "variable.member"."""
        name, _, member = path.partition(".")
        offset, kind = member_of(self.types[name].type_, member)
        return int.from_bytes(self.prog.read(self.at(name, cpu) + offset, kind.size), "little")

    def values(self, path, cpu=None):
        """The same of an array of numbers."""
        name, _, member = path.partition(".")
        offset, kind = member_of(self.types[name].type_, member)
        size = plain(kind.type).size
        data = self.prog.read(self.at(name, cpu) + offset, size * kind.length)
        return [int.from_bytes(data[i:i + size], "little") for i in range(0, len(data), size)]


class Table:
    """Arrays of structures, read at once: members by name, as tuples."""

    CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}

    def __init__(self, module, name, members):
        self.prog = module.prog
        kind = module.types.type(name)
        self.size = kind.size
        self.fields = []
        for path in members:
            offset, at = member_of(kind, path)
            self.fields.append((offset, self.CODES[at.size]))

    def read(self, address, count):
        """The first count elements of the array at address."""
        data = self.prog.read(address, count * self.size) if count else b""
        columns = []
        for offset, code in self.fields:
            size = struct.calcsize(code)
            columns.append([int.from_bytes(data[at:at + size], "little")
                            for at in range(offset, count * self.size, self.size)])
        return list(zip(*columns))


class Account:
    """The tables of the module in a dump."""

    def __init__(self, prog, types):
        self.prog = prog
        self.cpus = list(for_each_possible_cpu(prog))
        self.symbols = Symbols(prog)
        own = next(m for m in self.symbols.modules if m["name"] == MODULE)
        self.module = Module(prog, types, self.symbols, own)
        value = self.module.value
        self.nr = value("kma_sites.nr")
        self.sites = Table(self.module, "struct kma_site", (
            "call_site", "place", "base", "bytes", "cache", "kind", "sampled")).read(
            value("kma_sites.sites"), self.nr)
        self.paths = value("kma_paths.slots")
        self.classes = []
        self.base = 0

    def packed(self, size_bytes, size_req):
        """(bytes, requested, copies?) of struct kma_size (account/size.h)."""
        if size_bytes & 1:
            given = 1 << PAGE_SHIFT + (size_bytes >> 1 & 31)
            return given, given - (size_bytes >> 6 << 16 | size_req), False
        return size_bytes & ~2, size_req, bool(size_bytes & 2)

    def owner(self, owner):
        return owner & OWNER_SITE if owner < OWNER_NO_SITE else owner

    def sums(self):
        """By site: allocs req bytes frees freed_req freed_bytes unknown failed."""
        value, names = self.module.value, {}
        sums = [[0] * 8 for _ in range(self.nr)]
        end, sized = value("kma_class_next"), value("kma_class_next_sized")
        self.classes = Table(self.module, "struct kma_class", (
            "owner", "size.bytes", "size.req")).read(value("kma_classes"), end)
        counts = Table(self.module, "struct kma_class_count", ("in", "out"))
        for name in ("SIZED", "SIZED_REQ", "SIZED_BYTES"):
            names[self.module.types.constant("KMA_CLASS_" + name).value_()] = name
        for cpu in self.cpus:
            array = value("kma_class_counts", cpu)
            if not array:
                continue
            for number, (came, went) in enumerate(counts.read(array, end)):
                if not came and not went or sized <= number < CLASS_FIRST or not number:
                    continue
                owner, size_bytes, size_req = self.classes[number]
                site = self.owner(owner)
                if site >= self.nr:
                    continue
                given, asked, copies = self.packed(size_bytes, size_req)
                times = len(self.cpus) if copies else 1
                # a class without a size has its kind there
                kind = "PLAIN" if size_bytes else names.get(size_req)
                add = {"PLAIN": (1, asked * times, given * times), "SIZED": (1, 0, 0),
                       "SIZED_REQ": (0, 1, 0), "SIZED_BYTES": (0, 0, 1)}.get(kind)
                row = sums[site]
                if add is None:
                    row[6] += came
                    row[7] += went
                    continue
                for i in range(3):
                    row[i] += came * add[i]
                    row[3 + i] += went * add[i]
        return sums

    def text(self, pointer):
        return string_at(self.prog, pointer)

    def site_name(self, number):
        if number == SITE_OTHER:
            return "[site table full]"
        site = self.sites[number]
        return self.text(site[1]).split("\t")[-1] if site[1] else self.symbols.name(site[0])

    def module_id(self, mod):
        """Build ID of a module, by its notes in sysfs."""
        notes = mod.notes_attrs
        if not notes:
            return "-"
        for i in range(int(notes.notes)):
            attr = notes.attrs[i]
            data = self.prog.read(int(attr.private), int(attr.size))
            at = 0
            while at + 12 <= len(data):
                name, size, kind = struct.unpack_from("<III", data, at)
                at += 12
                value = at + (name + 3 & ~3)
                if kind == 3 and data[at:at + name] == b"GNU\0":
                    return data[value:value + size].hex()
                at = value + (size + 3 & ~3)
        return "-"

    def place(self, number):
        """file, offset, build_id and caller of a site."""
        if number == SITE_OTHER:
            return ["-", "-", "-", "[site table full]"]
        address, kept = self.sites[number][:2]
        if kept:
            return self.text(kept).split("\t", 3)
        name = self.symbols.name(address)
        module = self.symbols.module_at(address)
        if name.startswith("0x"):
            return ["-", "-", "-", name]
        if module:
            init = self.symbols.inside(module["init"], address)
            base = module["init" if init else "text"][0]
            return [module["name"], f"{'init:' if init else ''}{address - base:#x}",
                    self.module_id(module["mod"]), name]
        text = self.module.value("kma_vmlinux_text")
        build_id = string_at(self.prog, self.module.at("kma_vmlinux_id")) or "-"
        return ["vmlinux", f"{address - text:#x}" if text and address >= text else "-", build_id,
                name]

    def stack(self, number, allocs):
        """Column stack of sites."""
        if not self.paths:
            return "-"
        value = self.module.value
        addresses = struct.unpack(f"<{PATH_DEPTH}Q", self.prog.read(
            value("kma_paths.addr") + number * PATH_DEPTH * 8, PATH_DEPTH * 8))
        if not addresses[0] and allocs and number != SITE_OTHER and \
                (not value("kma_paths.depth") or number < value("kma_paths.before")):
            return "[before]"
        if self.sites[number][6]:
            return "[unsampled]"
        kept = int.from_bytes(self.prog.read(value("kma_paths.kept") + number * 8, 8), "little")
        if kept:
            return self.text(kept)
        frames = []
        for address in addresses:
            if not address:
                break
            frames.append(self.symbols.name(address))
        return ";".join(frames) or "-"

    def rows(self, sums, everything):
        """What show/report.c makes of the sums, sorted by total."""
        rows = []
        for number, (allocs, req, given, frees, freed_req, freed, unknown, failed) in \
                enumerate(sums):
            if not allocs and not frees and not unknown and not (everything and failed):
                continue
            live_req = req - freed_req
            total = max(given - freed, live_req)
            rows.append({"id": number, "call_site": self.sites[number][0], "total": total,
                         "slack": total - live_req, "req": live_req, "allocs": allocs,
                         "frees": frees, "unknown": unknown, "failed": failed,
                         "all_total": max(given, req), "all_req": req,
                         "sizes": given != allocs * self.sites[number][3]})
        rows.sort(key=lambda row: (-row["total"], row["call_site"], row["id"]))
        return rows

    def switches(self):
        """The words of the line "# switches: "."""
        value = self.module.value
        words = []
        if value("kma_births_on"):
            words.append("age")
        words += [word for word in ("cgroup", "errors", "latency", "node") if value("kma_switches." + word)]
        if value("kma_switches.stack_depth"):
            every = value("kma_switches.stack_every")
            words.append(f"stacks={value('kma_switches.stack_depth')}" +
                         (f"/{every}" if every > 1 else ""))
        if value("kma_switches.wrappers"):
            words.append("wrappers=" + self.text(value("kma_switches.wrappers")))
        return " ".join(words)

    def account(self):
        """Text of /proc/kmem_account."""
        sums = self.sums()
        for number, site in enumerate(self.sites):
            if self.paths and site[2] != number:
                base = sums[site[2]]
                base[:] = map(sum, zip(base, sums[number]))
                sums[number] = [0] * 8
        rows = self.rows(sums, False)
        total = {key: sum(row[key] for row in rows) for key in
                 ("total", "req", "slack", "allocs", "frees", "unknown")}
        header = (("total bytes allocated", total["total"]),
                  ("total bytes requested", total["req"]),
                  ("slack bytes allocated", total["slack"]),
                  ("number of allocs", total["allocs"]),
                  ("number of frees", total["frees"] + total["unknown"]),
                  ("number of callers", len(rows)),
                  ("frees of unknown objects", total["unknown"]),
                  ("implied frees", sum(self.module.value("kma_totals.implied", cpu)
                                        for cpu in self.cpus)),
                  ("events not recorded", sum(sum(self.module.values("kma_totals.drops", cpu))
                                              for cpu in self.cpus)))
        out = [f"{key}: {value:>{31 - len(key)}}" for key, value in header]
        if self.switches():
            out.append(f"# switches: {self.switches()}")
        out += ["", "   total    slack      req alloc/free  caller"]
        for row in rows:
            out.append(f"{row['total']:8} {row['slack']:8} {row['req']:8} {row['allocs']:5}/"
                       f"{row['frees'] + row['unknown']:<5} {self.site_name(row['id'])}")
        return out

    def peaks(self):
        """(peak, peak_max) of each site, as of the module's last look at them."""
        table = self.module.value("kma_peaks")
        room = self.module.value("kma_peak_room") if table else 0
        peaks = Table(self.module, "struct kma_peak_site", ("peak.low", "peak.high")).read(
            table, min(room, self.nr))
        return peaks + [(0, 0)] * (self.nr - len(peaks))

    def debugfs_sites(self):
        """Text of debugfs' sites, without remote frees."""
        out = ["kmem_account sites 1",
               "# id\taddress\ttotal\tslack\treq\tallocs\tfrees\tunknown\tfailed\tall_total\t"
               "all_req\tfile\toffset\tbuild_id\tcaller\tkind\tcache\tpeak\tpeak_max\tstack\t"
               "remote_cpu\tremote_node"]
        caches = self.module.value("kma_site_caches")
        length = self.module.types["kma_site_caches"].type_.type.length
        peaks = self.peaks()
        for row in self.rows(self.sums(), True):
            number = row["id"]
            _, _, _, learnt, cache, kind, _ = self.sites[number]
            cache = cache if learnt else 0
            name = self.text(caches + cache * length) + ("+" if cache and row["sizes"] else "")
            numbers = (row[key] for key in ("total", "slack", "req", "allocs", "frees", "unknown",
                                            "failed", "all_total", "all_req"))
            kind, name = ("-", "-") if number == SITE_OTHER else (KINDS[kind], name)
            out.append("\t".join([str(number), f"{row['call_site']:#x}", *map(str, numbers),
                                  *self.place(number), kind, name, *map(str, peaks[number]),
                                  self.stack(number, row["allocs"]), "-", "-"]))
        return out

    def words(self, address, count):
        return struct.unpack(f"<{count}Q", self.prog.read(address, 8 * count))

    def arrays(self):
        """(tree, distance of the page, address of the array) of each array of the map."""
        module = self.module
        no_mid, no_leaf, no_root = (module.at(name) for name in
                                    ("kma_no_mid", "kma_no_leaf", "kma_no_root"))
        roots = self.words(module.at("kma_live_roots"), len(TREES))
        for tree, root in zip(TREES, roots):
            entries = () if root == no_root else self.words(root + 8, self.words(root, 1)[0])
            for top, mid in enumerate(entries):
                leaves = () if mid == no_mid else self.words(mid, ENTRIES)
                for middle, leaf in enumerate(leaves):
                    arrays = () if leaf == no_leaf else self.words(leaf, ENTRIES)
                    for last, array in enumerate(arrays):
                        distance = (top * ENTRIES + middle) * ENTRIES + last << PAGE_SHIFT
                        while array:
                            yield tree, distance, array
                            # the one behind a grid
                            array = self.words(array + 8, 1)[0]

    def elements(self):
        """(key or address, class, address of struct kma_more or 0, index) of each object."""
        for tree, page, array in self.arrays():
            recip, _, phase, _, more = struct.unpack("<IHHQQ", self.prog.read(array, 24))
            step = 1 << PAGE_SHIFT if recip == 1 else 0xffffffff // recip + 1
            number = 1 if recip == 1 else ((1 << PAGE_SHIFT) - 1 - phase) // step + 1
            classes = struct.unpack(f"<{number}H", self.prog.read(array + 24, 2 * number))
            for i, class_ in enumerate(classes):
                if class_:
                    yield self.key(tree, page + phase + i * step), class_, more & ~1, i

    def key(self, tree, distance):
        """account/live.c: kma_live_address()."""
        if tree == "tail":
            distance = (1 << 45) - 8 - distance
        return self.base + ({"object": 0, "page": 1 << 46, "percpu": 1 << 46 | 1 << 44,
                             "tail": 1 << 46 | 1 << 45}[tree] | distance)

    def sizes_in_map(self, more, i):
        """(bytes, req) as packed of element @i, None if there are none."""
        # struct kma_more: a number, and parts of two pointers
        sizes = self.words(more + 8 + 16 * (i // SHARE), 2)[1] if more else 0
        if not sizes:
            return None
        return struct.unpack("<HH", self.prog.read(sizes + 4 * (i % SHARE), 4))

    def kernel_value(self, name):
        """A word of the kernel."""
        return int.from_bytes(self.prog.read(self.symbols.address(name), 8), "little")

    def thing(self, address):
        """(address in memory, kind): account/key.h."""
        at = address - self.base
        if not at >> 46 & 1:
            return address, "object"
        if not at >> 44 & 3:
            pfn = (at & (1 << 44) - 1) >> 3
            return self.kernel_value("page_offset_base") + (pfn << PAGE_SHIFT), "page"
        if not at >> 45 & 1:
            return self.base + ((at & (1 << 44) - 1) >> 3 << 2), "percpu"
        end = self.kernel_value("vmalloc_base") + (32 << 40) - 1
        return end - ((at & (1 << 45) - 1) >> 3 << 2) & ~3, "percpu"

    def live(self):
        """Text of debugfs' live, without ages."""
        if not self.prog.platform.flags & drgn.PlatformFlags.IS_64_BIT:
            raise Unreadable("live objects of a 32-bit kernel cannot be read; leave out --live")
        self.sums()
        self.base = self.module.value("kma_direct_base")
        sized = self.module.value("kma_class_next_sized")
        out = ["kmem_account live 1", "# address\tsite\ttotal\treq\tkind\tage_ns\tcpu"]
        for address, number, more, i in self.elements():
            owner, size_bytes, size_req = self.classes[number]
            if self.owner(owner) >= PAGES_OF_CALLER:
                continue
            if number < sized:
                sizes = self.sizes_in_map(more, i)
                if not sizes:
                    continue
                size_bytes, size_req = sizes
            given, asked, copies = self.packed(size_bytes, size_req)
            times = len(self.cpus) if copies else 1
            where, kind = self.thing(address)
            out.append(f"{where:#x}\t{self.owner(owner)}\t{times * given}\t{times * asked}\t"
                       f"{kind}\t-\t-")
        return out


def find_module(prog, args, name):
    """The loaded module, which has to be the one whose debug information is given."""
    for mod in list_for_each_entry("struct module", prog["modules"].address_of_(), "list"):
        if mod.name.string_().decode() != MODULE:
            continue
        there = mod.srcversion.string_().decode() if mod.srcversion else None
        given = args.module and modinfo(args.module, "srcversion")
        if there and given and there != given:
            raise Unreadable(f"{args.module}: another version of the module (srcversion {given}) "
                             f"than in {name} ({there}); give the one that was loaded")
        return
    raise Unreadable(f"{name}: module kmem_account is not loaded in this kernel")


def load_types(types, path):
    """Types of a file that no program has loaded. From drgn 0.0.30 on a file needs a module."""
    if hasattr(types, "extra_module"):
        module = types.extra_module(os.path.basename(path), create=True)
        # later versions also say whether the module is new
        module = module[0] if isinstance(module, tuple) else module
        module.try_file(path, force=True)
    else:
        types.load_debug_info([path])


def open_kernel(args):
    """The program, with debug information of kernel and module."""
    prog, types = drgn.Program(), drgn.Program()
    name = args.core or "the running kernel"
    files = [path for path in (args.vmlinux, args.module) if path]
    for path in [args.core, *files]:
        if path and not os.access(path, os.R_OK):
            raise Unreadable(f"{path}: cannot open for reading")
    try:
        if args.core:
            prog.set_core_dump(args.core)
        else:
            prog.set_kernel()
        if not prog.flags & drgn.ProgramFlags.IS_LINUX_KERNEL:
            raise Unreadable(f"{name}: not a dump of a Linux kernel")
        prog.load_debug_info([args.vmlinux] if args.vmlinux else None, default=not args.vmlinux)
        find_module(prog, args, name)
        if args.module:
            load_types(types, args.module)
    except drgn.MissingDebugInfoError as error:
        raise Unreadable(f"{name}: {' '.join(str(error).split())}; give --vmlinux and --module of "
                         "this kernel with debug information") from error
    except (Unreadable, drgn.FaultError):
        raise
    except Exception as error:  # drgn has no class for what libelf refuses
        raise Unreadable(f"{name}: cannot read it as a dump: {error}") from error
    if "kma_sites" not in types:
        raise Unreadable(f"{name}: no debug information of the module; give --module "
                         "kmem_account.ko as it was built, not stripped")
    return prog, types


def write_tables(directory, tables):
    """Write each table to a file, which nobody else may read."""
    os.makedirs(directory, mode=0o700, exist_ok=True)
    for name, lines in tables.items():
        text = "\n".join(lines()) + "\n"
        path = os.path.join(directory, name)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w",
                  encoding="utf-8") as file:
            file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0],
                                     epilog=__doc__.split("\n", 1)[1],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--core", metavar="FILE", help="vmcore; without it the running kernel")
    parser.add_argument("--vmlinux", metavar="FILE", help="kernel with debug information")
    parser.add_argument("--module", metavar="FILE",
                        help="kmem_account.ko with debug information")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--sites", action="store_true", help="print kmem_account/sites")
    what.add_argument("--live", action="store_true", help="print kmem_account/live")
    what.add_argument("--kallsyms", action="store_true", help="print the kernel's symbols")
    what.add_argument("--tables", metavar="DIR",
                      help="write all of them to DIR, as account, sites, live and kallsyms")
    args = parser.parse_args()
    name = args.core or "the running kernel"
    try:
        account = Account(*open_kernel(args))
        tables = {"account": account.account, "sites": account.debugfs_sites,
                  "live": account.live, "kallsyms": account.symbols.kallsyms}
        if args.tables:
            write_tables(args.tables, tables)
            return
        lines = tables[next((name for name in tables if getattr(args, name, False)), "account")]()
    except Unreadable as error:
        sys.exit(f"kmem_account.py: {error}")
    except drgn.FaultError as error:
        sys.exit(f"kmem_account.py: {name}: truncated, or memory was left out of it: {error}")
    except (LookupError, AttributeError) as error:
        sys.exit(f"kmem_account.py: {name}: no {error} in the debug information; give --module "
                 "of the version that was loaded, not stripped")
    except (OSError, ValueError) as error:
        sys.exit(f"kmem_account.py: {name}: {error}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
