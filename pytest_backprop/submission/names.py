"""Which names a top-level statement binds and reads from the module."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = _Function | ast.ClassDef
_Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


@dataclass(frozen=True)
class Names:
    """What one statement does to the module's names.

    `binds`: names it gives a value in the module. `reads`: names that it, or a function in it once
    called, looks up in the module; builtins among them. `at_definition`: those of `reads` that it
    looks up at once, when it runs. `attributes`: pairs (name, attribute) of `name.attribute`
    anywhere in it.
    """

    binds: frozenset[str]
    reads: frozenset[str]
    at_definition: frozenset[str]
    attributes: frozenset[tuple[str, str]]


def names_of(statement: ast.stmt, *, lazy_annotations: bool = False) -> Names:
    """The names of one statement at module level.

    `lazy_annotations` is true under `from __future__ import annotations`: then annotations are
    text and read nothing. A statement nested too deeply for an exact answer gets a generous one:
    all names in it, locals of its functions included. Raises nothing.
    """
    scope = _Scope("module", lazy_annotations)
    try:
        scope.visit(statement)
    except RecursionError:
        return _roughly(statement)
    return Names(
        binds=frozenset(scope.binds),
        reads=frozenset(scope.free()),
        at_definition=frozenset(scope.reads),
        attributes=frozenset(scope.attributes),
    )


def _roughly(statement: ast.stmt) -> Names:
    nodes = list(ast.walk(statement))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    binds = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    if isinstance(statement, _Definition):
        binds = {statement.name}
    attributes = {
        (node.value.id, node.attr)
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    return Names(
        binds=frozenset(binds),
        reads=frozenset(node.id for node in names if isinstance(node.ctx, ast.Load)),
        at_definition=frozenset(),
        attributes=frozenset(attributes),
    )


@dataclass
class _Scope(ast.NodeVisitor):
    """One scope of a statement: what it binds and reads itself, and the scopes within it."""

    kind: str  # "module", "class", "function" or "comprehension"
    lazy_annotations: bool
    owner: _Scope | None = None
    binds: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    declared_global: set[str] = field(default_factory=set)
    declared_nonlocal: set[str] = field(default_factory=set)
    inner: list[_Scope] = field(default_factory=list)
    attributes: set[tuple[str, str]] = field(default_factory=set)

    def free(self) -> set[str]:
        """Names that this scope and those within it look up in the module."""
        return self._unbound() | self._globals()

    def _unbound(self) -> set[str]:
        below: set[str] = set().union(*(scope._unbound() for scope in self.inner))
        if self.kind in ("function", "comprehension"):
            own = self.binds - self.declared_global - self.declared_nonlocal
            return (self.reads | self.declared_nonlocal | below) - own
        # A class's names are no help to its methods. What it reads before it binds it, it reads
        # from outside, and `_read` left the rest out.
        return self.reads | below

    def _globals(self) -> set[str]:
        return self.declared_global.union(*(scope._globals() for scope in self.inner))

    def _child(self, kind: str) -> _Scope:
        child = _Scope(kind, self.lazy_annotations, owner=self, attributes=self.attributes)
        self.inner.append(child)
        return child

    def _bind(self, name: str) -> None:
        self.binds.add(name)

    def _read(self, name: str) -> None:
        # These two run from top to bottom: a name they have bound is theirs from then on, and a
        # loop's `i` does not ask for every other loop's.
        if self.kind in ("module", "class") and name in self.binds:
            return
        self.reads.add(name)

    # -- names ------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._read(node.id)
        elif isinstance(node.ctx, ast.Store) or self.kind != "module":
            # `del x` makes x a local of a function, but gives the module nothing.
            self._bind(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name):
            self.attributes.add((node.value.id, node.attr))
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._read(node.target.id)
        self.visit(node.value)
        self.visit(node.target)

    def visit_Assign(self, node: ast.Assign) -> None:
        # The value first: a class body's `w = w` reads the module's w.
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if not (self.kind == "function" and node.simple):
            self._annotation(node.annotation)
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)
        elif isinstance(node.target, ast.Name):
            if self.kind == "function":
                self._bind(node.target.id)
        else:
            self.visit(node.target)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit(node.iter)
        self.visit(node.target)
        self._visit_all([*node.body, *node.orelse])

    visit_AsyncFor = visit_For

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        scope = self
        while scope.kind == "comprehension" and scope.owner is not None:
            scope = scope.owner
        scope._bind(node.target.id)

    def visit_Global(self, node: ast.Global) -> None:
        self.declared_global.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.declared_nonlocal.update(node.names)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._bind(alias.asname or alias.name.partition(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name != "*":
                self._bind(alias.asname or alias.name)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name is not None:
            self._bind(node.name)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name is not None:
            self._bind(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name is not None:
            self._bind(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest is not None:
            self._bind(node.rest)
        self.generic_visit(node)

    # -- scopes -----------------------------------------------------------------------------

    def visit_FunctionDef(self, node: _Function) -> None:
        self._visit_all(node.decorator_list)
        self._defaults(node.args)
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [x for x in (arguments.vararg, arguments.kwarg) if x is not None]
        for argument in every:
            self._annotation(argument.annotation)
        self._annotation(node.returns)
        self._bind(node.name)
        self._function(arguments, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._defaults(node.args)
        self._function(node.args, [node.body])

    def _function(self, arguments: ast.arguments, body: list[ast.stmt] | list[ast.expr]) -> None:
        child = self._child("function")
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [x for x in (arguments.vararg, arguments.kwarg) if x is not None]
        child.binds.update(argument.arg for argument in every)
        # The compiler gives methods this cell for `super()`.
        child.binds.add("__class__")
        child._visit_all(body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all(node.decorator_list)
        self._visit_all(node.bases)
        self._visit_all(node.keywords)
        child = self._child("class")
        child.binds.update({"__module__", "__qualname__"})
        child._visit_all(node.body)
        if self.kind in ("module", "class"):
            # The body of such a class runs at once, in the module's sight.
            self.reads |= child.reads - self.binds
        self._bind(node.name)

    def visit_ListComp(self, node: _Comprehension) -> None:
        child = self._child("comprehension")
        for number, generator in enumerate(node.generators):
            # Only the first iterable is evaluated outside.
            (self if number == 0 else child).visit(generator.iter)
            child.visit(generator.target)
            child._visit_all(generator.ifs)
        if isinstance(node, ast.DictComp):
            child._visit_all([node.key, node.value])
        else:
            child.visit(node.elt)
        if self.kind == "module":
            child.binds |= self.binds
            self.reads |= child._unbound()

    visit_SetComp = visit_ListComp
    visit_GeneratorExp = visit_ListComp
    visit_DictComp = visit_ListComp

    # -- helpers ----------------------------------------------------------------------------

    def _annotation(self, annotation: ast.expr | None) -> None:
        if annotation is not None and not self.lazy_annotations:
            self.visit(annotation)

    def _defaults(self, arguments: ast.arguments) -> None:
        self._visit_all(arguments.defaults)
        self._visit_all([x for x in arguments.kw_defaults if x is not None])

    def _visit_all(self, nodes: list[ast.stmt] | list[ast.expr] | list[ast.keyword]) -> None:
        for node in nodes:
            self.visit(node)
