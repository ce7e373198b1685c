# SPDX-License-Identifier: GPL-2.0-only
"""Names of addresses in a dump, as %pS prints them: by the tables that the kernel itself uses.

Symbols of ELF files have sizes of functions; the kernel prints the distance to the next symbol. So
names are looked up in kallsyms of the dump, and in the symbol tables of its modules.
"""
import struct

import drgn
from drgn.helpers.linux.list import list_for_each_entry


def string_at(prog, address):
    """The text at an address."""
    return drgn.Object(prog, "char *", address).string_().decode(errors="replace")


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
            text, init = mod.mem[0], mod.mem[int(self.prog.constant("MOD_INIT_TEXT"))]
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

    def table_of(self, module):
        """Entries of a module's symbol table."""
        if module["symbols"] is None:
            kallsyms = module["mod"].kallsyms
            data = self.prog.read(int(kallsyms.symtab), 24 * int(kallsyms.num_symtab))
            module["symbols"] = list(struct.iter_unpack("<IBBHQQ", data))
        return module["symbols"]

    def symbols_of(self, module):
        """(name, address) of each symbol of a module."""
        strings = int(module["mod"].kallsyms.strtab)
        for string, _, _, section, value, _ in self.table_of(module)[1:]:
            if section and string:
                yield string_at(self.prog, strings + string), value

    def in_module(self, module, address):
        strings = int(module["mod"].kallsyms.strtab)
        self.table_of(module)
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

    def kernel_name(self, number):
        """The letter of its type and the name of a symbol of the kernel."""
        at, length = self.names[number]
        return b"".join(self.tokens[token] for token in self.packed[at:at + length]).decode()

    def kallsyms(self):
        """Lines of /proc/kallsyms, without BPF programs; types of symbols of modules are "?"."""
        for number, start in enumerate(self.starts):
            name = self.kernel_name(number)
            yield f"{start:016x} {name[0]} {name[1:]}"
        for module in self.modules:
            for name, value in self.symbols_of(module):
                yield f"{value:016x} ? {name}\t[{module['name']}]"

        for name, value, module in self.freed_functions():
            yield f"{value:016x} ? {name}\t[{module}]"

    def freed_functions(self):
        """Functions of modules' initialisation, which ftrace knows after they are freed."""
        if not self.has("ftrace_mod_maps"):
            return
        for known in list_for_each_entry("struct ftrace_mod_map",
                                         self.prog["ftrace_mod_maps"].address_of_(), "list"):
            for function in list_for_each_entry("struct ftrace_mod_func",
                                                known.funcs.address_of_(), "list"):
                yield (function.name.string_().decode(), int(function.ip),
                       known.mod.name.string_().decode())

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
        name, start = self.kernel_name(low), self.starts[low]
        end = next((s for s in self.starts[low + 1:low + 4096] if s > start),
                   self.address("_end"))
        return f"{name[1:]}+{address - start:#x}/{end - start:#x}"

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
