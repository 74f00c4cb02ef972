"""Rewrites the files of a crate so that one program holds every mutant of it, and an environment variable chooses one.

A *place* is a spot of the code with one or more *mutants*, numbered from the place's own number on. `a < b` becomes

    (match crate::mutant::at(7) { 0 => a <= b, 1 => a == b, _ => a < b })

In the arms of mutants the code is as it was written; places within `a` and `b` are in the last arm only, so that the text grows
with the depth of expressions and not with its power. What is not mutated: tests, constants and whatever else is computed by the compiler,
patterns, attributes, and what is handed to macros, since it need not be Rust.
"""

import dataclasses

import tree_sitter
import tree_sitter_rust

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))

OPERATORS = {
    "==": ["!="], "!=": ["=="],
    "<": ["<=", "=="], ">": [">=", "=="], "<=": ["<", ">"], ">=": [">", "<"],
    "+": ["-", "*"], "-": ["+", "/"], "*": ["+", "/"], "/": ["*", "%"], "%": ["/", "+"],
    "&&": ["||"], "||": ["&&"],
    "&": ["|", "^"], "|": ["&", "^"], "^": ["&", "|"], "<<": [">>"], ">>": ["<<"],
}
ASSIGNMENTS = {f"{sign}=": [f"{other}=" for other in OPERATORS[sign]] for sign in "+ - * / % & | ^ << >>".split()}

# Nothing below these is mutated.
CLOSED = {
    "attribute_item", "inner_attribute_item", "const_item", "static_item", "macro_definition", "token_tree", "type_arguments", "type_parameters",
    "parameters", "array_type", "enum_item", "struct_item", "const_block", "line_comment", "block_comment", "where_clause",
}
INTEGERS = {"u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"}
COLLECTIONS = {"Vec", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "String"}


@dataclasses.dataclass
class Mutant:
    """One change: its number, where it is, and what it does."""

    number: int
    # The number of its place.
    place: int
    file: str
    line: int
    function: str
    change: str
    # The change without its line: the same after tests were added above it.
    key: str


@dataclasses.dataclass
class Span:
    """Part of a rewritten file that belongs to some mutants: an error of the compiler there is theirs."""

    start: int
    end: int
    mutants: list
    # An arm of one mutant, or the whole place.
    arm: bool


class Rewriter:
    """Numbers the mutants of a crate's files, in order, and writes the files with all but the dropped ones."""

    def __init__(self, dropped=frozenset()):
        self.dropped = dropped
        self.mutants = []
        self.keys = {}

    def rewrite(self, name, source):
        """The new text, and where in it the mutants are. Numbers do not depend on what was dropped."""
        self.name, self.source = name, source
        self.out, self.length, self.spans, self.functions = [], 0, [], []
        self.node(PARSER.parse(source).root_node)
        return b"".join(self.out), self.spans

    # Writing.

    def put(self, data):
        data = data.encode() if isinstance(data, str) else data
        self.out.append(data)
        self.length += len(data)

    def text(self, node):
        return self.source[node.start_byte:node.end_byte].decode()

    def children(self, node, write=None):
        """The node as written, with its children in their own ways."""
        position = node.start_byte
        for child in node.children:
            self.put(self.source[position:child.start_byte])
            (write or self.node)(child)
            position = child.end_byte
        self.put(self.source[position:node.end_byte])

    def place(self, node, changes):
        """Numbers the mutants of a place; gives its number and what is left of them, by position."""
        first = len(self.mutants)
        for change in changes:
            function = "::".join(self.functions)
            short = " ".join(change.split())
            key = f"{self.name}|{function}|{short}"
            self.keys[key] = self.keys.get(key, 0) + 1
            number = len(self.mutants)
            self.mutants.append(Mutant(number, first, self.name, node.start_point[0] + 1, function, short, f"{key}|{self.keys[key]}"))
        return first, [at for at in range(len(changes)) if first + at not in self.dropped]

    def choice(self, node, changes, original):
        """`changes` are pairs of what is said of a mutant and its text; `original` writes the code as it is."""
        first, left = self.place(node, [said for said, _ in changes])
        start = self.length
        if not left:
            original()
            return
        self.put(f"(match crate::mutant::at({first}) {{ ")
        for at in left:
            self.put(f"{at} => ")
            begin = self.length
            self.put(f"({changes[at][1]})")
            self.spans.append(Span(begin, self.length, [first + at], True))
            self.put(", ")
        self.put("_ => (")
        original()
        self.put(") })")
        self.spans.append(Span(start, self.length, [first + at for at in left], False))

    # The tree.

    def node(self, node):
        if node.type in CLOSED:
            self.put(self.source[node.start_byte:node.end_byte])
            return
        handler = getattr(self, "on_" + node.type, None)
        if handler:
            handler(node)
        elif node.type in ("source_file", "declaration_list", "block"):
            self.items(node)
        else:
            self.children(node)

    def items(self, node):
        """Items that only tests have are left as they are: an attribute is a sibling of what it is about."""
        testing = False

        def write(child):
            nonlocal testing
            if child.type == "attribute_item":
                testing = testing or is_test(self.text(child))
                self.node(child)
            elif child.type in ("line_comment", "block_comment"):
                self.node(child)
            else:
                if testing:
                    self.put(self.source[child.start_byte:child.end_byte])
                else:
                    self.node(child)
                testing = False

        self.children(node, write)

    def on_impl_item(self, node):
        self.functions.append(self.text(node.child_by_field_name("type")).split("<")[0])
        self.children(node)
        self.functions.pop()

    def on_function_item(self, node):
        modifiers = next((self.text(child) for child in node.children if child.type == "function_modifiers"), "")
        body = node.child_by_field_name("body")
        if "const" in modifiers.split() or body is None:
            self.put(self.source[node.start_byte:node.end_byte])
            return
        name = self.text(node.child_by_field_name("name"))
        self.functions.append(name)
        self.put(self.source[node.start_byte:body.start_byte])
        self.body(node, body, name)
        self.functions.pop()

    def body(self, node, body, name):
        kind = node.child_by_field_name("return_type")
        said = self.source[body.start_byte + 1:body.end_byte - 1].decode().strip()
        values = [] if name == "default" or not said else [value for value in results(self, kind) if value != said]
        first, left = self.place(node, [f"{name} gives {value or 'nothing'} at once" for value in values])
        if left:
            start = self.length
            self.put(f"{{ match crate::mutant::at({first}) {{ ")
            for at in left:
                self.put(f"{at} => ")
                begin = self.length
                self.put(f"return {values[at]}")
                self.spans.append(Span(begin, self.length, [first + at], True))
                self.put(", ")
            self.put("_ => {} } ")
            self.items(body)
            self.put(" }")
            self.spans.append(Span(start, self.length, [first + at for at in left], False))
        else:
            self.items(body)

    def on_binary_expression(self, node):
        self.operator(node, OPERATORS)

    def on_compound_assignment_expr(self, node):
        self.operator(node, ASSIGNMENTS)

    def operator(self, node, table):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = self.text(node.child_by_field_name("operator"))
        changes = [(f"{other} for {sign} in {self.text(node)}", f"({self.text(left)}) {other} ({self.text(right)})") for other in table.get(sign, [])]
        self.choice(node, changes, lambda: self.children(node))

    def on_unary_expression(self, node):
        sign = self.source[node.start_byte:node.start_byte + 1].decode()
        if sign in "!-":
            operand = self.text(node.children[-1])
            self.choice(node, [(f"without {sign} in {self.text(node)}", operand)], lambda: self.children(node))
        else:
            self.children(node)

    def on_array_expression(self, node):
        length = node.child_by_field_name("length")

        def write(child):
            if length is not None and child.start_byte == length.start_byte:
                self.put(self.source[child.start_byte:child.end_byte])
            else:
                self.node(child)

        self.children(node, write)

    def on_match_block(self, node):
        arms = [child for child in node.children if child.type == "match_arm"]
        catch_all = max((at for at, arm in enumerate(arms) if self.catches_all(arm)), default=-1)
        for_deletion = {arm.start_byte for arm in arms[:max(catch_all, 0)]}

        def write(child):
            if child.type == "match_arm":
                self.arm(child, child.start_byte in for_deletion)
            else:
                self.node(child)

        self.children(node, write)

    def catches_all(self, arm):
        pattern = arm.child_by_field_name("pattern")
        return pattern.child_by_field_name("condition") is None and self.text(pattern).strip() == "_"

    def arm(self, arm, may_go):
        pattern = arm.child_by_field_name("pattern")
        condition = pattern.child_by_field_name("condition")
        has_let = condition is not None and condition.type in ("let_condition", "let_chain")
        position = arm.start_byte
        for child in arm.children:
            self.put(self.source[position:child.start_byte])
            position = child.end_byte
            if child.start_byte != pattern.start_byte or child.type != "match_pattern":
                self.node(child)
                continue
            first, left = self.place(pattern, [f"without the arm {self.text(pattern)}"]) if may_go and not has_let else (0, [])
            end = condition.start_byte if condition is not None else pattern.end_byte
            self.put(self.source[pattern.start_byte:end])
            start = self.length
            if left:
                self.put(f" {'' if condition is not None else 'if '}crate::mutant::at({first}) != 0{' && ' if condition is not None else ''}")
            if condition is not None and has_let:
                self.node(condition)
            elif condition is not None:
                said = self.text(condition)
                self.choice(condition, [(f"{value} for the guard {said}", value) for value in ("true", "false")], lambda: self.guard(condition))
            if left:
                self.spans.append(Span(start, self.length, [first], False))
        self.put(self.source[position:arm.end_byte])

    def guard(self, condition):
        self.put("(")
        self.node(condition)
        self.put(")")


def is_test(attribute):
    short = "".join(attribute.split())
    return short in ("#[test]", "#[cfg(test)]") or short.startswith("#[cfg(all(test")


def test_modules(source):
    """The names of modules in other files that only tests have."""
    names, testing = [], False
    for child in PARSER.parse(source).root_node.children:
        if child.type == "attribute_item":
            testing = testing or is_test(source[child.start_byte:child.end_byte].decode())
        elif child.type not in ("line_comment", "block_comment"):
            if testing and child.type == "mod_item" and child.child_by_field_name("body") is None:
                name = child.child_by_field_name("name")
                names.append(source[name.start_byte:name.end_byte].decode())
            testing = False
    return names


def results(rewriter, kind):
    """What a function of that type may give at once: a few values of the type; an empty text for no value."""
    if kind is None:
        return [""]
    text = rewriter.text(kind)
    if kind.type == "unit_type":
        return [""]
    if kind.type in ("abstract_type", "dynamic_type", "never_type"):
        return []
    return values(rewriter, kind, text)


def values(rewriter, kind, text):
    name = text.split("<")[0].split("::")[-1].strip()
    arguments = kind.child_by_field_name("type_arguments")
    inner = [child for child in arguments.named_children if child.type != "lifetime"] if arguments is not None else []
    of = lambda child: values(rewriter, child, rewriter.text(child))
    if "impl " in text or "dyn " in text:
        return []
    if text == "bool":
        return ["true", "false"]
    if text in INTEGERS:
        return ["0", "1"]
    if text in ("f32", "f64"):
        return ["0.0", "1.0"]
    if name == "Ordering":
        return ["std::cmp::Ordering::Equal"]
    if kind.type == "unit_type":
        return ["()"]
    if kind.type == "tuple_type":
        parts = [of(child) for child in kind.named_children]
        return [f"({', '.join(part[0] for part in parts)},)"] if all(parts) else []
    if kind.type == "reference_type":
        to = kind.child_by_field_name("type")
        if rewriter.text(to) == "str":
            return ['""']
        return ["&[]"] if to.type in ("slice_type", "array_type") and "mut" not in text.split() else []
    if name == "Option":
        return ["None"] + [f"Some({value})" for value in (of(inner[0])[:2] if inner else [])]
    if name in ("Result", "Box", "Arc", "Rc") and inner:
        wrap = {"Result": "Ok({})", "Box": "Box::new({})", "Arc": "std::sync::Arc::new({})", "Rc": "std::rc::Rc::new({})"}[name]
        return [wrap.format(value) for value in of(inner[0])]
    if name in COLLECTIONS:
        return ["Default::default()"]
    return ["Default::default()"] if kind.type in ("type_identifier", "generic_type", "scoped_type_identifier") else []
