"""The registers of a core, from the register map that tmugen writes."""

import xml.etree.ElementTree as ElementTree

NAMESPACE = {"x": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}


class Field:
    """Bits of a register."""

    def __init__(self, name, low, bits):
        self.name, self.low, self.bits = name, low, bits

    def of(self, value):
        """The field in a value of its register."""
        return value >> self.low & ((1 << self.bits) - 1)


class Register:
    """A register of 32 bits at a byte address from the start of the control port."""

    def __init__(self, name, address, fields):
        self.name, self.address = name, address
        self.fields = {field.name: field for field in fields}


class Registers:
    """All registers by name.

    With a bus that has LiteX's `read(address)` and `write(address, value)` (`RemoteClient` has them) and the address of
    the control port they are read and written: `registers.read(bus, base, "ID")`.
    """

    def __init__(self, path):
        self.registers = {}
        for register in ElementTree.parse(path).iterfind(".//x:register", NAMESPACE):
            name, address = self._text(register, "name"), int(self._text(register, "addressOffset"), 0)
            fields = [
                Field(self._text(field, "name"), int(self._text(field, "bitOffset"), 0), int(self._text(field, "bitWidth"), 0))
                for field in register.iterfind("x:field", NAMESPACE)
            ]
            self.registers[name] = Register(name, address, fields)

    @staticmethod
    def _text(element, name):
        return element.findtext(f"x:{name}", namespaces=NAMESPACE)

    def __getitem__(self, name):
        return self.registers[name]

    def __iter__(self):
        return iter(self.registers.values())

    def read(self, bus, base, name):
        return bus.read(base + self[name].address)

    def write(self, bus, base, name, value):
        bus.write(base + self[name].address, value)

    def add_constants(self, soc, prefix):
        """Offsets, places and widths for software, as constants of the SoC (soc.h and csr.json)."""
        for register in self:
            soc.add_constant(f"{prefix}_{register.name}_OFFSET", register.address)
            for field in register.fields.values():
                soc.add_constant(f"{prefix}_{register.name}_{field.name}_SHIFT", field.low)
                soc.add_constant(f"{prefix}_{register.name}_{field.name}_BITS", field.bits)
