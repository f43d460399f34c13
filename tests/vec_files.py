"""Small VEC files of our own, as each version of the standard has them: a harness with one of everything. They validate against the
publisher's schemas (vec_1.1.3.xsd, vec_1.2.2.xsd, vec_2.0.2.xsd, vec_2.1.0.xsd, by xmllint, 2026-11-27).

    vec_files.py VERSION > small.vec
"""
import sys

VERSIONS = ("1.1.3", "1.2.2", "2.0.2", "2.1.0")
NODES = {"A": (0, 0, 0), "B": (400, 0, 0), "C": (400, 300, 0), "D": (400, -300, 0)}  # mm
SEGMENTS = {"S1": ("A", "B", 400), "S2": ("B", "C", 300), "S3": ("B", "D", 300)}


def leaf(name, text):
    return f"<{name}>{text}</{name}>"


def quantity(name, value, unit, owner):
    return f'<{name} id="{owner}_{name}">{leaf("UnitComponent", unit)}{leaf("ValueComponent", value)}</{name}>'


def specification(kind, key, body="", part=None):
    described = leaf("DescribedPart", part) if part else ""
    return f'<Specification xsi:type="vec:{kind}Specification" id="{key}">{leaf("Identification", key)}{described}{body}</Specification>\n'


def document(key, kind, body, part=None):
    described = leaf("ReferencedPart", part) if part else ""
    return (f'<DocumentVersion id="{key}">{leaf("CompanyName", "our own")}{leaf("DocumentNumber", key)}{leaf("DocumentType", kind)}'
            f'{leaf("DocumentVersion", 1)}{described}\n{body}</DocumentVersion>\n')


def part(number, kind, text=""):
    about = (f'<Description xsi:type="vec:LocalizedString" id="text_{number}">{leaf("LanguageCode", "En")}{leaf("Value", text)}</Description>'
             if text else "")
    return (f'<PartVersion id="{number}">{about}{leaf("CompanyName", "our own")}{leaf("PartNumber", number)}{leaf("PartVersion", 1)}'
            f'{leaf("PrimaryPartType", kind)}</PartVersion>\n')


class Small:
    def __init__(self, version):
        self.version = tuple(map(int, version.split(".")))
        self.text = version
        self.documents, self.parts = [], []

    def since(self, *version):
        return self.version >= version

    def add_part(self, number, kind, body, text=""):
        technical = specification("GeneralTechnicalPart", f"{number}_technical", part=number)
        place = specification("PlaceableElement", f"{number}_placeable", leaf("ValidPlacementTypes", "OnPoint"), number)
        self.documents.append(document(f"{number}_document", "PartMaster", technical + place + body, number))
        self.parts.append(part(number, kind, text))

    def colour(self, name, key, owner):
        return f'<{name} id="{owner}_{name}_{key}">{leaf("Key", key)}{leaf("ReferenceSystem", "IEC 60757")}</{name}>'

    def core(self, key, colours):
        """A conductor with its insulation: WireElementSpecification KEY."""
        lists = ("BaseColor", "FirstIdentificationColor", "SecondIdentificationColor")
        return (specification("Core", f"{key}_core", quantity("CrossSectionArea", 0.5, "mm2", f"{key}_core")) +
                specification("Insulation", f"{key}_insulation", "".join(self.colour(n, c, key) for n, c in zip(lists, colours))) +
                specification("WireElement", key, quantity("MinBendRadiusStatic", 5, "mm", key) + quantity("OutsideDiameter", 1.6, "mm", key) +
                              leaf("ConductorSpecification", f"{key}_core") + leaf("InsulationSpecification", f"{key}_insulation")))

    def wires(self):
        def wire(key, about, inner=""):
            return f'<WireElement id="{key}">{leaf("Identification", key)}{leaf("WireElementSpecification", about)}{inner}</WireElement>'
        self.add_part("P-W", "Wire", self.core("single", ("BK", "RD")) + specification(
            "Wire", "P-W_wire", leaf("WireElementSpecification", "single") + wire("element", "single"), "P-W"))
        cores = self.core("core_a", ("WH", "BU", "GN")) + self.core("core_b", ("YE",))
        sheath = specification("WireElement", "sheath", quantity("OutsideDiameter", 4, "mm", "sheath") +
                               leaf("SubWireElementSpecification", "core_a core_b"))
        if self.since(1, 2):
            sub = "".join(wire(f"sub_{k}", f"core_{k}").replace("WireElement id", "SubWireElement id").replace("</WireElement>", "</SubWireElement>")
                          for k in "ab")
            elements = wire("whole", "sheath", sub)
        else:  # a list, and what is inside what is told by the specifications
            elements = wire("whole", "sheath") + wire("sub_a", "core_a") + wire("sub_b", "core_b")
        self.add_part("P-K", "Wire", cores + sheath + specification("Wire", "P-K_wire", leaf("WireElementSpecification", "sheath") + elements, "P-K"))

    def connector_parts(self):
        cavities = "".join(f'<Cavity id="cavity_{k}">{leaf("CavityNumber", k)}</Cavity>' for k in (1, 2, 3))
        slot = f'<Slot xsi:type="vec:Slot" id="slot">{leaf("SlotNumber", "A")}{cavities}</Slot>'
        self.add_part("P-X", "ConnectorHousing", specification("ConnectorHousing", "P-X_housing", slot, "P-X"), "a housing for three")
        self.add_part("P-M", "RingTerminal", specification("RingTerminal", "P-M_terminal", "", "P-M"), "M6")
        sides = "".join(f'<WireReception id="{k}">{leaf("Identification", k)}</WireReception>' for k in ("Left", "Right"))
        self.add_part("P-S", "SpliceTerminal", specification("SpliceTerminal", "P-S_terminal", sides, "P-S"))
        self.add_part("P-L", "CavitySeal", specification("CavitySeal", "P-L_seal", "", "P-L"))
        self.add_part("P-F", "HoleMountedFixing", specification("HoleMountedFixing", "P-F_fixing", "", "P-F"))
        tube = (quantity("InnerDiameter", 6, "mm", "P-T_tube") + quantity("WallThickness", 0.3, "mm", "P-T_tube") +
                quantity("OuterDiameter", 9, "mm", "P-T_tube"))
        self.add_part("P-T", "CorrugatedPipe", specification("CorrugatedPipe", "P-T_tube", tube, "P-T"))
        self.add_part("P-U", "Fuse", specification("Fuse", "P-U_fuse", "", "P-U"))
        slot = f'<Slot xsi:type="vec:Slot" id="box_slot"><Cavity id="box_cavity">{leaf("CavityNumber", "F1")}</Cavity></Slot>'
        housing = (f'<HousingComponent id="housed">{leaf("Identification", "housing")}{leaf("HousingSpecification", "P-B_housing")}'
                   '</HousingComponent>')
        self.add_part("P-B", "EEComponent", specification("ConnectorHousing", "P-B_housing", slot) + specification("EEComponent", "P-B_box", housing, "P-B"))

    def role(self, key, kind, body):
        return f'<Role xsi:type="vec:{kind}Role" id="{key}_role">{body}</Role>'

    def component(self, key, number, roles):
        place = f'<Role xsi:type="vec:PlaceableElementRole" id="{key}_place">{leaf("PlaceableElementSpecification", f"{number}_placeable")}</Role>'
        return f'<Component id="{key}_occurrence">{leaf("Identification", key)}{place}{roles}{leaf("Part", number)}</Component>\n'

    def connector(self, key):
        pins = "".join(f'<CavityReference id="{key}_{k}">{leaf("ReferencedCavity", f"cavity_{k}")}</CavityReference>' for k in (1, 2, 3))
        slot = f'<SlotReference xsi:type="vec:SlotReference" id="{key}_slot">{leaf("ReferencedSlot", "slot")}{pins}</SlotReference>'
        return self.component(key, "P-X", self.role(key, "ConnectorHousing", leaf("ConnectorHousingSpecification", "P-X_housing") + slot))

    def box(self):
        pin = f'<CavityReference id="box_pin">{leaf("ReferencedCavity", "box_cavity")}</CavityReference>'
        slot = f'<SlotReference xsi:type="vec:SlotReference" id="box_slot_of">{leaf("ReferencedSlot", "box_slot")}{pin}</SlotReference>'
        inner = f'<ConnectorHousingRole id="box_inner">{leaf("ConnectorHousingSpecification", "P-B_housing")}{slot}</ConnectorHousingRole>'
        housing = f'<HousingComponentRef id="box_ref">{leaf("Identification", "housing")}{leaf("HousingComponent", "housed")}{inner}</HousingComponentRef>'
        return self.component("BOX", "P-B", self.role("BOX", "EEComponent", leaf("EEComponentSpecification", "P-B_box") + housing))

    def wire(self, key, number, references):
        return (f'<Component id="{key}_occurrence">{leaf("Identification", key)}' +
                self.role(key, "Wire", leaf("WireSpecification", f"{number}_wire") + references) + leaf("Part", number) + "</Component>\n")

    def reference(self, key, element, number, length, before="", after="", planned=""):
        ends = "".join(f'<WireEnd id="{key}_{k}">{leaf("PositionOnWire", k)}{planned if k else ""}</WireEnd>' for k in (0, 1))
        about = f'<WireLength id="{key}_length">{leaf("LengthType", "Production")}{quantity("LengthValue", length, "mm", key)}</WireLength>'
        return (f'<WireElementReference id="{key}_reference">{leaf("Identification", number)}{before}{leaf("ReferencedWireElement", element)}'
                f"{after}{ends}{about}</WireElementReference>")

    def components(self):
        reception = f'<WireReceptionReference id="SP_left">{leaf("Identification", "Left")}{leaf("WireReception", "Left")}</WireReceptionReference>'
        special = self.since(2, 1)
        fixing, tube, fuse = (("HoleMountedFixing", "CorrugatedPipe", "Fuse") if special else ("Fixing", "WireProtection", "EEComponent"))
        return "".join((
            self.connector("X1"), self.connector("X2"), self.box(),
            self.component("M1", "P-M", self.role("M1", "RingTerminal", leaf("TerminalSpecification", "P-M_terminal"))),
            self.component("SP1", "P-S", self.role("SP1", "SpliceTerminal" if self.since(1, 2) else "Terminal",
                                                   leaf("TerminalSpecification", "P-S_terminal") + reception)),
            self.component("L1", "P-L", self.role("L1", "CavitySeal", leaf("CavitySealSpecification", "P-L_seal"))),
            self.component("F1", "P-F", self.role("F1", fixing, leaf("FixingSpecification", "P-F_fixing"))),
            self.component("T1", "P-T", self.role("T1", tube, leaf("WireProtectionSpecification", "P-T_tube"))),
            self.component("U1", "P-U", self.role("U1", fuse, leaf("EEComponentSpecification", "P-U_fuse"))),
            self.wire("W1", "P-W", self.reference("W1", "element", "101", 705, after=leaf("Signal", "s30"))),
            self.wire("W2", "P-W", self.reference("W2", "element", "102", 706, before=leaf("Connection", "c31"))),
            self.wire("W3", "P-W", self.reference("W3", "element", "103", 707)),
            self.wire("K1", "P-K", self.reference("K1", "whole", "sheath", 400) + self.reference("Ka", "sub_a", "a", 401) +
                      self.reference("Kb", "sub_b", "b", 402, planned=leaf("ConnectionEnd", "c31_2")))))

    def contact(self, key, ends, cavity=None, terminal=None, reception=None):
        where = f'<CavityMounting id="{key}_cavity">{leaf("EquippedCavityRef", cavity)}</CavityMounting>' if cavity else ""
        detail = (f'<WireMountingDetail id="{key}_detail">{leaf("ContactedWireReception", reception)}{leaf("ReferencedWireEnd", ends)}</WireMountingDetail>'
                  if reception else "")
        return (f'<ContactPoint id="{key}">{leaf("MountedTerminal", terminal) if terminal else ""}{where}<WireMounting id="{key}_wire">'
                f'{leaf("ReferencedWireEnd", ends)}{detail}</WireMounting></ContactPoint>\n')

    def contacts(self):
        return specification("Contacting", "contacts", "".join((
            self.contact("k1", "W1_0", cavity="X1_1"), self.contact("k2", "W1_1", cavity="X2_2"), self.contact("k3", "W2_0", cavity="X1_2"),
            self.contact("k4", "W2_1", terminal="M1_role"), self.contact("k5", "W3_0", cavity="box_pin"), self.contact("k6", "W3_1", cavity="X2_3"),
            self.contact("k7", "Ka_0 Kb_0", cavity="X1_3"), self.contact("k8", "Ka_1", terminal="SP1_role", reception="SP_left"))))

    def schematic(self):
        def end(k, port):
            return f'<ConnectionEnd id="c31_{k}">{leaf("Identification", k)}{leaf("IsExternalEnd", "true")}{leaf("ConnectedComponentPort", port)}</ConnectionEnd>'
        ports = "".join(f'<ComponentPort id="port_{k}">{leaf("Identification", k)}</ComponentPort>' for k in (7, 8))
        node = (f'<ComponentNode id="ecu">{leaf("Identification", "ECU")}<ComponentConnector id="ecu_connector">{leaf("Identification", "A")}{ports}'
                "</ComponentConnector></ComponentNode>")
        connection = f'<Connection id="c31">{leaf("Identification", "31")}{leaf("Signal", "s31")}{end(1, "port_8")}{end(2, "port_7")}</Connection>'
        signals = "".join(f'<Signal id="s{k}">{leaf("Identification", f"signal {k}")}{leaf("SignalName", f"KL{k}") if k == 30 else ""}</Signal>'
                          for k in (30, 31))
        return specification("Connection", "connections", node + connection) + specification("Signal", "signals", signals)

    def topology(self):
        form = "" if self.since(2, 0) else leaf("Form", "Circular")
        nodes = "".join(f'<TopologyNode id="{n}">{leaf("Identification", n)}</TopologyNode>' for n in NODES)
        segments = "".join(
            f'<TopologySegment id="{s}">{leaf("Identification", s)}{form}{leaf("EndNode", b)}{leaf("StartNode", a)}<LengthInformation id="{s}_about">'
            f'{quantity("Length", length, "mm", s)}{leaf("Classification", "Designed")}</LengthInformation></TopologySegment>'
            for s, (a, b, length) in SEGMENTS.items())
        points = "".join(f'<CartesianPoint id="{n}_point">{leaf("X", x)}{leaf("Y", y)}{leaf("Z", z)}</CartesianPoint>' for n, (x, y, z) in NODES.items())
        places = "".join(f'<GeometryNode id="{n}_3d">{leaf("Identification", n)}{leaf("ReferenceNode", n)}{leaf("CartesianPoint", f"{n}_point")}</GeometryNode>'
                         for n in NODES)
        curves = ""
        for s, (a, b, length) in SEGMENTS.items():
            x, y, z = ((q - p) / length for p, q in zip(NODES[a], NODES[b]))
            vectors = "".join(f'<{k}Vector id="{s}_{k}">{leaf("X", x)}{leaf("Y", y)}{leaf("Z", z)}</{k}Vector>' for k in ("Start", "End"))
            curves += (f'<GeometrySegment id="{s}_3d">{leaf("Identification", s)}{leaf("ReferenceSegment", s)}{vectors}{leaf("EndNode", f"{b}_3d")}'
                       f'{leaf("StartNode", f"{a}_3d")}</GeometrySegment>')
        return (specification("Topology", "topology", nodes + segments) +
                specification("BuildingBlock", "geometry", leaf("BaseUnit", "mm") + points + places + curves).replace(
                    "vec:BuildingBlockSpecification", "vec:BuildingBlockSpecification3D"))

    def placements(self):
        def at(name, key, segment, offset):
            return (f'<{name} xsi:type="vec:SegmentLocation" id="{key}">{leaf("Identification", key)}{quantity("Offset", offset, "mm", key)}'
                    f'{leaf("Anchor", "FromStartNode")}{leaf("ReferencedSegment", segment)}</{name}>')
        def placement(kind, key, body):
            return (f'<Placement xsi:type="vec:{kind}Placement" id="{key}_placement">{leaf("Identification", key)}'
                    f'{leaf("PlacedElement", f"{key}_place")}{body}</Placement>\n')
        points = "".join(placement("OnPoint", key, f'<Location xsi:type="vec:NodeLocation" id="{key}_at">{leaf("Identification", key)}'
                                   f'{leaf("ReferencedNode", node)}</Location>')
                         for key, node in (("X1", "A"), ("X2", "C"), ("M1", "D"), ("SP1", "B"), ("BOX", "A")))
        return specification("Placement", "placements", points + placement("OnPoint", "F1", at("Location", "F1_at", "S1", 100)) + placement(
            "OnWay", "T1", at("EndLocation", "T1_end", "S2", 270) + f'<Path id="T1_path">{leaf("Segment", "S2")}</Path>' +
            at("StartLocation", "T1_start", "S2", 30)))

    def routings(self):
        ways = {"W1": "S1 S2", "W2": "S1 S3", "W3": "S1 S2", "K1": "S1"}
        return specification("Routing", "routings", "".join(
            f'<Routing id="{w}_routing">{leaf("Identification", w)}{leaf("RoutedElement", f"{w}_reference")}<Path id="{w}_path">{leaf("Segment", s)}</Path>'
            "</Routing>" for w, s in ways.items()))

    def make(self):
        self.wires()
        self.connector_parts()
        self.parts.append(part("H-1", "PartStructure", "a harness"))
        harness = document("harness", "HarnessDescription", specification("Composition", "components", self.components()) + self.topology() +
                           self.placements() + self.routings() + self.schematic() + self.contacts(), "H-1")
        milli = leaf("SiUnitName", "Metre") + leaf("SiPrefix", "Milli")
        units = f'<Unit xsi:type="vec:SIUnit" id="mm">{milli}</Unit><Unit xsi:type="vec:SIUnit" id="mm2">{leaf("Exponent", 2)}{milli}</Unit>'
        return ('<?xml version="1.0" encoding="UTF-8"?>\n<vec:VecContent xmlns:vec="http://www.prostep.org/ecad-if/2011/vec" '
                'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="content">\n' + leaf("VecVersion", self.text) + "\n" + harness +
                "".join(self.documents) + "".join(self.parts) + units + "</vec:VecContent>\n")


def small(version):
    return Small(version).make()


if __name__ == "__main__":
    print(small(sys.argv[1]), end="")
