#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Read the account of kmem_account.ko from a vmcore, or from the running kernel.

Prints what /proc/kmem_account would print; with --sites, what kmem_account/sites in debugfs
would; with --live, each live object as kmem_account/live. All commands of kmem-account read it:

    kmem_account.py --core vmcore --vmlinux vmlinux --module kmem_account.ko >account
    kmem-account report account --vmlinux vmlinux --by dir

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
    from drgn.helpers.linux.cpumask import for_each_possible_cpu
    from drgn.helpers.linux.list import list_for_each_entry
    from drgn.helpers.linux.percpu import per_cpu
except ImportError as error:
    sys.exit(f"kmem_account.py: {error}; install drgn (package python3-drgn)")

# What debug information does not have: macros of the module. tests/kernel/vmcore.sh holds the
# output against the module's own.
CLASS_FIRST = 1 + 3 * 256       # account/class.h: KMA_CLASS_FIRST
OWNER_NO_SITE = 3 << 14         # account/class.h: KMA_OWNER_NO_SITE
OWNER_SITE = (1 << 14) - 1
PAGES_OF_CALLER = 0xfff0        # source/pages.h: from here on an owner is no site
LIVE_PART = 0xc000              # account/live.h: KMA_LIVE_PART
BUCKET_SLOTS = 10               # account/bucket.h
PATH_DEPTH = 16                 # caller/path.h: KMA_PATH_DEPTH_MAX
HASH_MUL = 0x61c88647           # account/address.h
PAGE_SHIFT = 12
KINDS = ("free", "kmalloc", "cache", "page", "percpu")
SITE_OTHER = 0


class Unreadable(Exception):
    """Why there is no account: one sentence."""


def modinfo(path, key):
    """A line of a module's .modinfo, None if it has no such line."""
    with open(path, "rb") as file:
        data = file.read()
    found = re.search(rb"\0" + key.encode() + rb"=([^\0]*)\0", data)
    return found and found[1].decode(errors="replace")


def string_at(prog, address):
    """The text at an address."""
    return drgn.Object(prog, "char *", address).string_().decode(errors="replace")


class Table:
    """Arrays of structures, read at once: members by name, as tuples."""

    CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}

    def __init__(self, prog, name, members):
        self.prog = prog
        kind = prog.type(name)
        self.size = kind.size
        self.fields = []
        for path in members:
            offset, at = 0, kind
            for part in path.split("."):
                member = at.member(part)
                offset += member.offset
                at = member.type
                while at.kind == drgn.TypeKind.TYPEDEF:
                    at = at.type
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


class Symbols:
    """Names of addresses, as %pS prints them: by kallsyms of the kernel and of its modules."""

    def __init__(self, prog):
        self.prog = prog
        self.starts, self.names = self.kernel()
        self.modules = [self.module(mod) for mod in list_for_each_entry(
            "struct module", prog["modules"].address_of_(), "list")]
        self.known = {}

    def address(self, name):
        return self.prog.symbol(name).address

    def kernel(self):
        """Addresses in ascending order, and the place of each one's name."""
        prog = self.prog
        count = int.from_bytes(prog.read(self.address("kallsyms_num_syms"), 4), "little")
        base = int.from_bytes(prog.read(self.address("kallsyms_relative_base"), 8), "little")
        raw = prog.read(self.address("kallsyms_offsets"), 4 * count)
        signed = struct.unpack(f"<{count}i", raw)
        # KALLSYMS_ABSOLUTE_PERCPU: what is not negative is an address itself
        starts = [offset if offset >= 0 else base - 1 - offset for offset in signed]
        if self.address("_text") not in starts:
            starts = [base + offset for offset in struct.unpack(f"<{count}I", raw)]
        self.tokens = []
        index = struct.unpack("<256H", prog.read(self.address("kallsyms_token_index"), 512))
        table = prog.read(self.address("kallsyms_token_table"), index[255] + 64)
        for at in index:
            self.tokens.append(table[at:table.index(b"\0", at)])
        names, at = [], 0
        start = self.address("kallsyms_names")
        ends = [self.address(name) for name in ("kallsyms_markers", "kallsyms_token_table",
                                                "kallsyms_offsets", "kallsyms_seqs_of_names")
                if self.has(name)]
        self.packed = prog.read(start, min(end for end in ends if end > start) - start)
        for _ in range(count):
            length = self.packed[at]
            at += 1
            if length & 0x80:
                length = length & 0x7f | self.packed[at] << 7
                at += 1
            names.append((at, length))
            at += length
        return starts, names

    def has(self, name):
        try:
            self.prog.symbol(name)
        except LookupError:
            return False
        return True

    def module(self, mod):
        """Its name, ranges and symbols."""
        try:
            text, init = mod.mem[0], mod.mem[self.prog.constant("MOD_INIT_TEXT")]
            areas = [(int(m.base), int(m.size)) for m in mod.mem]
            text, init = ((int(m.base), int(m.size)) for m in (text, init))
        except AttributeError:
            core, first = mod.core_layout, mod.init_layout
            areas = [(int(m.base), int(m.size)) for m in (core, first)]
            text, init = ((int(m.base), int(m.text_size)) for m in (core, first))
        return {"mod": mod, "name": mod.name.string_().decode(), "areas": areas, "text": text,
                "init": init, "symbols": None}

    def module_at(self, address):
        for module in self.modules:
            for base, size in module["areas"]:
                if base and base <= address < base + size:
                    return module
        return None

    @staticmethod
    def inside(area, address):
        return area[0] and area[0] <= address < area[0] + area[1]

    def in_module(self, module, address):
        kallsyms = module["mod"].kallsyms
        if module["symbols"] is None:
            count = int(kallsyms.num_symtab)
            module["symbols"] = list(struct.iter_unpack(
                "<IBBHQQ", self.prog.read(int(kallsyms.symtab), 24 * count)))
        strings = int(kallsyms.strtab)
        area = module["init"] if self.inside(module["init"], address) else module["text"]
        end, best, name = area[0] + area[1], 0, None
        for string, _, _, section, value, _ in module["symbols"][1:]:
            if not section or not string:
                continue
            if best < value <= address:
                best, name = value, string
            if address < value < end:
                end = value
        if name is None:
            return None
        text = string_at(self.prog, strings + name)
        return f"{text}+{address - best:#x}/{end - best:#x} [{module['name']}]"

    def in_kernel(self, address):
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            if self.starts[middle] <= address:
                low = middle
            else:
                high = middle
        while low and self.starts[low - 1] == self.starts[low]:
            low -= 1
        at, length = self.names[low]
        name = b"".join(self.tokens[token] for token in self.packed[at:at + length])
        start = self.starts[low]
        end = next((s for s in self.starts[low + 1:low + 4096] if s > start),
                   self.address("_end"))
        return f"{name[1:].decode()}+{address - start:#x}/{end - start:#x}"

    def name(self, address):
        """As sprint_symbol() prints it."""
        if address not in self.known:
            module = self.module_at(address)
            if module:
                text = self.in_module(module, address)
            elif self.address("_stext") <= address < self.address("_end"):
                text = self.in_kernel(address)
            else:
                text = None
            self.known[address] = text or f"{address:#x}"
        return self.known[address]


class Account:
    """The tables of the module in a dump."""

    def __init__(self, prog):
        self.prog = prog
        self.cpus = list(for_each_possible_cpu(prog))
        self.symbols = Symbols(prog)
        table = prog["kma_sites"]
        self.nr = int(table.nr)
        self.sites = Table(prog, "struct kma_site", (
            "call_site", "place", "base", "bytes", "cache", "kind")).read(
            int(table.sites), self.nr)
        self.paths = prog["kma_paths"]
        self.classes = []

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
        prog, names = self.prog, {}
        sums = [[0] * 8 for _ in range(self.nr)]
        end, sized = int(prog["kma_class_next"]), int(prog["kma_class_next_sized"])
        self.classes = Table(prog, "struct kma_class", (
            "owner", "kind", "size.bytes", "size.req")).read(int(prog["kma_classes"]), end)
        counts = Table(prog, "struct kma_class_count", ("in", "out"))
        for name in ("PLAIN", "SIZED", "SIZED_REQ", "SIZED_BYTES"):
            names[prog.constant("KMA_CLASS_" + name).value_()] = name
        for cpu in self.cpus:
            array = int(per_cpu(prog["kma_class_counts"], cpu))
            if not array:
                continue
            for number, (came, went) in enumerate(counts.read(array, end)):
                if not came and not went or sized <= number < CLASS_FIRST or not number:
                    continue
                owner, kind, size_bytes, size_req = self.classes[number]
                site = self.owner(owner)
                if site >= self.nr:
                    continue
                given, asked, copies = self.packed(size_bytes, size_req)
                times = len(self.cpus) if copies else 1
                add = {"PLAIN": (1, asked * times, given * times), "SIZED": (1, 0, 0),
                       "SIZED_REQ": (0, 1, 0), "SIZED_BYTES": (0, 0, 1)}.get(names.get(kind))
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
        text = int(self.prog["kma_vmlinux_text"])
        build_id = self.prog["kma_vmlinux_id"].string_().decode() or "-"
        return ["vmlinux", f"{address - text:#x}" if text and address >= text else "-", build_id,
                name]

    def stack(self, number, allocs):
        """Column stack of sites."""
        if not self.paths.slots:
            return "-"
        addresses = struct.unpack(f"<{PATH_DEPTH}Q", self.prog.read(
            int(self.paths.addr) + number * PATH_DEPTH * 8, PATH_DEPTH * 8))
        if not addresses[0] and allocs and number != SITE_OTHER and \
                number < int(self.paths.before):
            return "[before]"
        kept = int.from_bytes(self.prog.read(int(self.paths.kept) + number * 8, 8), "little")
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
        state = self.prog["kma_switches"]
        words = []
        if self.prog["kma_births_on"]:
            words.append("age")
        words += [word for word in ("errors", "latency") if getattr(state, word)]
        if state.stack_depth:
            words.append(f"stacks={int(state.stack_depth)}")
        if state.wrappers:
            words.append("wrappers=" + state.wrappers.string_().decode())
        return " ".join(words)

    def account(self):
        """Text of /proc/kmem_account."""
        sums = self.sums()
        for number, site in enumerate(self.sites):
            if self.paths.slots and site[2] != number:
                base = sums[site[2]]
                base[:] = map(sum, zip(base, sums[number]))
                sums[number] = [0] * 8
        rows = self.rows(sums, False)
        totals = [per_cpu(self.prog["kma_totals"], cpu) for cpu in self.cpus]
        total = {key: sum(row[key] for row in rows) for key in
                 ("total", "req", "slack", "allocs", "frees", "unknown")}
        header = (("total bytes allocated", total["total"]),
                  ("total bytes requested", total["req"]),
                  ("slack bytes allocated", total["slack"]),
                  ("number of allocs", total["allocs"]),
                  ("number of frees", total["frees"] + total["unknown"]),
                  ("number of callers", len(rows)),
                  ("frees of unknown objects", total["unknown"]),
                  ("implied frees", sum(int(t.implied) for t in totals)),
                  ("events not recorded", sum(int(d) for t in totals for d in t.drops)))
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
        room = int(self.prog["kma_peak_room"]) if self.prog["kma_peaks"] else 0
        peaks = Table(self.prog, "struct kma_peak_site", ("peak.low", "peak.high")).read(
            int(self.prog["kma_peaks"]), min(room, self.nr))
        return peaks + [(0, 0)] * (self.nr - len(peaks))

    def debugfs_sites(self):
        """Text of debugfs' sites, without remote frees."""
        out = ["kmem_account sites 1",
               "# id\taddress\ttotal\tslack\treq\tallocs\tfrees\tunknown\tfailed\tall_total\t"
               "all_req\tfile\toffset\tbuild_id\tcaller\tkind\tcache\tpeak\tpeak_max\tstack\t"
               "remote_cpu\tremote_node"]
        caches = self.prog["kma_site_caches"]
        peaks = self.peaks()
        for row in self.rows(self.sums(), True):
            number = row["id"]
            _, _, _, learnt, cache, kind = self.sites[number]
            cache = cache if learnt else 0
            name = caches[cache].string_().decode() + ("+" if cache and row["sizes"] else "")
            numbers = (row[key] for key in ("total", "slack", "req", "allocs", "frees", "unknown",
                                            "failed", "all_total", "all_req"))
            kind, name = ("-", "-") if number == SITE_OTHER else (KINDS[kind], name)
            out.append("\t".join([str(number), f"{row['call_site']:#x}", *map(str, numbers),
                                  *self.place(number), kind, name, *map(str, peaks[number]),
                                  self.stack(number, row["allocs"]), "-", "-"]))
        return out

    def buckets(self):
        """(number of the home, tag, class) of each slot in use."""
        bucket = struct.Struct(f"<I{BUCKET_SLOTS}I{BUCKET_SLOTS}H")
        size = self.prog.type("struct kma_bucket").size
        homes = int(self.prog["kma_nr_homes"])
        data = self.prog.read(int(self.prog["kma_live"].homes), homes * size) if homes else b""
        overflow = int(self.prog["kma_spare_buckets"])
        for home in range(homes):
            fields = bucket.unpack_from(data, home * size)
            while True:
                head = fields[0]
                if head == 0xffffffff:
                    break   # locked by a CPU that died: its chain cannot be followed
                for i in range(head & 15):
                    yield home, fields[1 + i], fields[1 + BUCKET_SLOTS + i]
                if not head >> 4:
                    break
                fields = bucket.unpack(self.prog.read(
                    overflow + ((head >> 4) - 1) * size, bucket.size))

    def object_address(self, tag, home):
        """account/address.c: the address of which the map has a tag and a bucket."""
        base = int(self.prog["kma_direct_base"])
        top = home - (tag * HASH_MUL >> 32) & 0xffffffff
        top = top * pow(HASH_MUL, -1, 1 << 32) & 4095
        address = (top << 32 | tag) << 3 | base & ~((1 << 47) - 1)
        return address + (1 << 47) if address < base else address

    def thing(self, address):
        """(address in memory, kind): account/key.h."""
        at = address - int(self.prog["kma_direct_base"])
        if not at >> 46 & 1:
            return address, "object"
        if not at >> 44 & 3:
            pfn = (at & (1 << 44) - 1) >> 3
            return int(self.prog["page_offset_base"]) + (pfn << PAGE_SHIFT), "page"
        if not at >> 45 & 1:
            return int(self.prog["kma_direct_base"]) + ((at & (1 << 44) - 1) >> 3 << 2), "percpu"
        end = int(self.prog["vmalloc_base"]) + (32 << 40) - 1
        return end - ((at & (1 << 45) - 1) >> 3 << 2) & ~3, "percpu"

    def live(self):
        """Text of debugfs' live, without ages."""
        self.sums()
        sized = int(self.prog["kma_class_next_sized"])
        parts, objects = {}, []
        for home, tag, number in self.buckets():
            address = self.object_address(tag, home)
            if number >= LIVE_PART:
                parts[address] = number & 0x3fff
            else:
                objects.append((address, number))
        out = ["kmem_account live 1", "# address\tsite\ttotal\treq\tkind\tage_ns\tcpu"]
        for address, number in objects:
            owner, _, size_bytes, size_req = self.classes[number]
            if self.owner(owner) >= PAGES_OF_CALLER:
                continue
            if number < sized:
                if any(address + 8 * (i + 1) not in parts for i in range(3)):
                    continue
                bits = sum(parts[address + 8 * (i + 1)] << 14 * i for i in range(3))
                size_bytes, size_req = bits >> 16 & 0xffff, bits & 0xffff
            given, asked, copies = self.packed(size_bytes, size_req)
            times = len(self.cpus) if copies else 1
            where, kind = self.thing(address)
            out.append(f"{where:#x}\t{self.owner(owner)}\t{times * given}\t{times * asked}\t"
                       f"{kind}\t-\t-")
        return out


def find_module(prog, args, name):
    """The loaded module, which has to be the one whose debug information is given."""
    for mod in list_for_each_entry("struct module", prog["modules"].address_of_(), "list"):
        if mod.name.string_() != b"kmem_account":
            continue
        there = mod.srcversion.string_().decode() if mod.srcversion else None
        given = args.module and modinfo(args.module, "srcversion")
        if there and given and there != given:
            raise Unreadable(f"{args.module}: another version of the module (srcversion {given}) "
                             f"than in {name} ({there}); give the one that was loaded")
        return
    raise Unreadable(f"{name}: module kmem_account is not loaded in this kernel")


def open_kernel(args):
    """The program, with debug information of kernel and module."""
    prog = drgn.Program()
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
            prog.load_debug_info([args.module])
    except drgn.MissingDebugInfoError as error:
        raise Unreadable(f"{name}: {str(error).splitlines()[0]}; give --vmlinux and --module of "
                         "this kernel with debug information") from error
    except (Unreadable, drgn.FaultError):
        raise
    except Exception as error:  # drgn has no class for what libelf refuses
        raise Unreadable(f"{name}: cannot read it as a dump: {error}") from error
    if "kma_sites" not in prog:
        raise Unreadable(f"{name}: no debug information of the module; give --module "
                         "kmem_account.ko as it was built, not stripped")
    return prog


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
    args = parser.parse_args()
    name = args.core or "the running kernel"
    try:
        prog = open_kernel(args)
        account = Account(prog)
        lines = account.debugfs_sites() if args.sites else account.live() if args.live else \
            account.account()
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
