"""``match`` statements and their patterns become IR nodes."""

from __future__ import annotations

import ast

from pathcheck.program import ir
from pathcheck.program.ir import Node
from pathcheck.program.lower_blocks import BlockLowering


class PatternLowering(BlockLowering):
    """The part of the lowering that knows ``match``."""

    def s_Match(self, node: ast.Match, arm: str) -> Node:
        outer, unit = self.enter(node, arm, ir.KIND_STATEMENT, node.subject)
        subject = self.expr(node.subject)
        line = node.subject.end_lineno or node.lineno
        cases = []
        for case in node.cases:
            cases.append(self._case(case, line))
            line = case.body[-1].end_lineno or line
        self.parent = outer
        return (ir.S_MATCH, unit, subject, tuple(cases))

    def _case(self, case: ast.match_case, after: int) -> Node:
        outer = self.parent
        pattern_node = case.pattern
        own = self.new_unit(
            pattern_node, ir.KIND_TEST, case.guard or pattern_node, "case", line=self._case_line(case, after)
        )
        unit = self.units[own]
        # The keyword stands first, and the case goes on to the end of its body.
        unit.starts_line, unit.full_end = True, case.body[-1].end_lineno or unit.end_line
        self.parent = own
        pattern = self.pattern(pattern_node)
        guard_unit, guard = (-1, None) if case.guard is None else self.part(case.guard, ir.KIND_TEST)
        body = self.block(case.body, "then")
        self.parent = outer
        return (pattern, guard_unit, guard, own, body)

    def _case_line(self, case: ast.match_case, after: int) -> int:
        """The line of the keyword, which ``ast`` does not tell: a pattern in brackets may begin below it."""
        for line in range(case.pattern.lineno, after, -1):
            if self.lines[line - 1].lstrip().startswith("case"):
                return line
        return case.pattern.lineno

    def pattern(self, node: ast.pattern) -> Node:
        """One pattern; its captures bind names."""
        if isinstance(node, ast.MatchValue):
            return (ir.P_VALUE, self.expr(node.value))
        if isinstance(node, ast.MatchSingleton):
            return (ir.P_SINGLETON, node.value)
        if isinstance(node, ast.MatchSequence):
            return (ir.P_SEQUENCE, tuple([self.pattern(p) for p in node.patterns]))
        if isinstance(node, ast.MatchStar):
            return (ir.P_STAR, None if node.name is None else self.name_store(node.name))
        if isinstance(node, ast.MatchMapping):
            rest = None if node.rest is None else self.name_store(node.rest)
            keys = tuple([self.expr(k) for k in node.keys])
            return (ir.P_MAPPING, keys, tuple([self.pattern(p) for p in node.patterns]), rest)
        if isinstance(node, ast.MatchClass):
            positional = tuple([self.pattern(p) for p in node.patterns])
            keyword = tuple([self.pattern(p) for p in node.kwd_patterns])
            return (ir.P_CLASS, self.expr(node.cls), positional, tuple(node.kwd_attrs), keyword)
        if isinstance(node, ast.MatchOr):
            return (ir.P_OR, tuple([self.pattern(p) for p in node.patterns]))
        if isinstance(node, ast.MatchAs):
            capture = None if node.name is None else self.name_store(node.name)
            if node.pattern is None:
                return (ir.P_CAPTURE, capture)
            return (ir.P_AS, self.pattern(node.pattern), capture)
        raise ValueError(f"cannot lower {type(node).__name__}")
