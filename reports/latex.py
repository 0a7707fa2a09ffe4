"""The report as a LaTeX document in ASCII that needs no package but booktabs."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf

from metaeval.display.layout import paragraph, shorten
from metaeval.files.shown import clean
from metaeval.reports.document import Block, Code, Heading, Items, Matrix, Paragraph, Table, document
from metaeval.reports.view import LEGEND, ConditionColumn, Entry, Report

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "'": "'{}", "`": "{}`{}", "-": "{-}",
    "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "…": r"\ldots{}", "·": r"$\cdot$",
    "\N{NO-BREAK SPACE}": "~",
    "∎": r"\rule{1.1ex}{1.1ex}", "✓": r"$\surd$",
    "✗": r"$\times$", "∅": r"$\emptyset$", "×": r"$\times$", "−": r"$-$", "≈": r"$\approx$",
    "∪": r"$\cup$", "∩": r"$\cap$", "∈": r"$\in$", "∉": r"$\notin$", "⊆": r"$\subseteq$", "⊂": r"$\subset$",
    "≠": r"$\neq$", "≤": r"$\leq$", "≥": r"$\geq$", "→": r"$\rightarrow$", "∞": r"$\infty$",
    "√": r"$\surd$", "±": r"$\pm$", "ß": r"\ss{}", "ø": r"\o{}", "Ø": r"\O{}", "ł": r"\l{}", "Ł": r"\L{}",
    "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "å": r"\aa{}", "Å": r"\AA{}", "ı": r"\i{}", "′": r"$'$",
    "‡": r"$^{\ddag}$", "§": r"\S{}", "°": r"$^\circ$",
}  # fmt: skip
#: The Greek letters that have a command; the others look like Latin ones.
_GREEK = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"
#: Combining accents and the command of each.
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c",
}  # fmt: skip

_DOTLESS_I = r"\i"

_PREAMBLE = r"""\documentclass[10pt,a4paper,landscape]{article}
\usepackage{booktabs}
% No package sets the page here, so that any TeX with booktabs compiles this file.
\pdfpagewidth=\paperwidth \pdfpageheight=\paperheight
\setlength{\textwidth}{257mm} \setlength{\oddsidemargin}{-5.4mm} \setlength{\evensidemargin}{-5.4mm}
\setlength{\textheight}{165mm} \setlength{\topmargin}{-15mm}
\setlength{\parindent}{0pt} \setlength{\parskip}{4pt} \setlength{\tabcolsep}{4pt}
\raggedright \raggedbottom \sloppy
\begin{document}
"""
_SECTIONS = {1: r"\section*", 2: r"\subsection*", 3: r"\subsubsection*"}
_MOST_ROWS = 32
_MOST_COLUMNS = 20
_MOST_LETTERS = 40
#: The fewest letters of a line of the note below a table.
_NARROWEST = 48


def render(report: Report) -> str:
    notes = {entry.link: at for at, entry in enumerate(report.witnessed, start=1)}
    body = "\n".join(line for block in document(report) for line in _lines(block, notes, report))
    return f"{_PREAMBLE}{body}\n\\end{{document}}\n"


def table(report: Report, command: str) -> str:
    """The matrix as one ``tabular`` for another document, with a note on its signs; ``command`` is how it was made."""
    version = dict(report.provenance).get("version", "")
    comments = (
        "A compliance matrix, for \\input in a table of another document. It needs \\usepackage{booktabs}.",
        "Too wide? Write \\footnotesize or \\scriptsize, and \\setlength{\\tabcolsep}{2pt}, before \\input.",
        f"Made from results of metaeval {version} by: {command}",
    )
    often = Counter(row.described.name for row in report.measures)
    called = ((row, row.described.name) for row in report.measures)
    names = {row.id: name if often[name] == 1 else f"{name} ({row.id})" for row, name in called}
    signs = (LEGEND[verdict] for verdict in report.occurring)
    letters = (f"{letter} {name}" for letter, name in report.readings.items())
    note = "; ".join([*letters, *(f"{sign.symbol} {sign.meaning}" for sign in signs)])
    columns = [len(column.readings) for column in report.conditions]
    width = max(map(len, names.values()), default=0) + 2 * sum(columns) + len(columns)
    # The last column is empty: it takes what the note is wider than the others, so that none of them is stretched.
    foot = (
        f"\\multicolumn{{{sum(columns) + 2}}}{{@{{}}l@{{}}}}{{{escape(line)}}} \\\\"
        for line in paragraph(note, max(width, _NARROWEST))
    )
    align = "l" + "".join("c" + r"@{\hspace{.05em}}c" * (readings - 1) for readings in columns) + "@{}l"
    rows = [f"{row} &" for row in _matrix_rows(report, report.conditions, names, {})]
    lines = _tabular(align, _matrix_header(report.conditions), rows, [r"\addlinespace[2pt]", *foot])
    shown = (f"% {clean(line)}".encode("ascii", "backslashreplace").decode() for line in comments)
    return "\n".join([*shown, *lines]) + "\n"


def escape(text: str) -> str:
    """``text`` as LaTeX that prints it."""
    return "".join(map(_char, unicodedata.normalize("NFC", text)))


def _char(char: str) -> str:
    if char in _SPECIAL:
        return _SPECIAL[char]
    if char.isascii():
        return char
    if script := _script(char):
        return script
    base, *marks = list(unicodedata.normalize("NFD", char))
    if base.isascii() and base.isalpha() and len(marks) == 1 and marks[0] in _ACCENTS:
        # An accent over a dotted i would print both.
        return f"\\{_ACCENTS[marks[0]]}{{{_DOTLESS_I if base == 'i' else base}}}"
    if char in _GREEK:
        # Unicode spells lambda without its b.
        letter = unicodedata.name(char).rpartition(" ")[2].lower().replace("lamda", "lambda")
        return rf"$\{letter.capitalize() if char.isupper() else letter}$"
    return f"[U+{ord(char):04X}]"


def _script(char: str) -> str:
    """A subscript or superscript character, as one."""
    kind, _, plain = unicodedata.decomposition(char).partition("> ")
    mark = {"<sub": "_", "<super": "^"}.get(kind)
    if mark is None or " " in plain:
        return ""
    base = chr(int(plain, 16))
    return f"$^{{{base}}}$".replace("^", mark) if base.isascii() and base.isalnum() else ""


def _lines(block: Block, notes: dict[str, int], report: Report) -> Iterator[str]:
    match block:
        case Heading(level, text, name):
            # The heading of a counterexample has the number that the matrix refers to.
            number = next((notes[entry.link] for entry in report.witnessed if name and entry.name == name), None)
            yield f"{_SECTIONS[level]}{{{escape(text) if number is None else f'[{number}] {escape(text)}'}}}"
        case Paragraph(text):
            yield f"{escape(text)}\\par"
        case Items(pairs) if pairs:
            yield r"\begin{list}{}{\leftmargin=8mm \itemsep=0pt \parsep=1pt \topsep=2pt}"
            for term, text in pairs:
                yield f"\\item[]\\hspace*{{-6mm}}\\textbf{{{escape(term)}}}\\quad {escape(text)}"
            yield r"\end{list}"
        case Table(headers, all_rows, numbers):
            align = "".join("r" if name in numbers else "l" for name in headers)
            header = " & ".join(map(escape, headers))
            for start in range(0, len(all_rows), _MOST_ROWS):
                rows = [" & ".join(map(_fitted, row)) for row in all_rows[start : start + _MOST_ROWS]]
                yield from _small(_tabular(align, [header + r" \\"], rows))
        case Code(text):
            yield from _code(text)
        case Matrix():
            yield from _matrix(report, notes)


def _code(text: str) -> Iterator[str]:
    """Lines of code as escaped text, because code could close a verbatim block."""
    yield r"\begin{flushleft}\ttfamily\footnotesize"
    lines = [escape(line.replace(" ", "\N{NO-BREAK SPACE}")) for line in text.splitlines()]
    code = "\\\\\n".join(f"\\mbox{{}}{line}" for line in lines)
    for sign in (r"$\times$", r"$\cdot$"):  # as wide as a letter, so that the columns of a drawing align
        code = code.replace(sign, rf"\makebox[.525em]{{{sign}}}")
    yield code
    yield r"\end{flushleft}"


def _matrix(report: Report, notes: dict[str, int]) -> Iterator[str]:
    """The matrix, in as many tables as the page needs."""
    for columns in _packed(report.conditions):
        for start in range(0, len(report.measures), _MOST_ROWS):
            ids = {row.id: shorten(row.id, _MOST_LETTERS) for row in report.measures[start : start + _MOST_ROWS]}
            align = "l" + "".join("@{\\hspace{12pt}}l" + "l" * (len(column.readings) - 1) for column in columns)
            yield from _small(_tabular(align, _matrix_header(columns), _matrix_rows(report, columns, ids, notes)))
    if notes:
        yield r"A raised number is that of the counterexample below.\par"


def _matrix_rows(
    report: Report, columns: Sequence[ConditionColumn], names: Mapping[str, str], notes: dict[str, int]
) -> Iterator[str]:
    """A row for every measure, under these names."""
    for id, name in names.items():
        cells = (report.at(id, column.id, each.name) for column in columns for each in column.readings)
        yield " & ".join([escape(name), *(_symbol(entry, notes) for entry in cells)])


def _matrix_header(columns: Sequence[ConditionColumn]) -> Iterator[str]:
    ids = (f"\\multicolumn{{{len(each.readings)}}}{{l}}{{{escape(each.id)}}}" for each in columns)
    yield " & ".join(["", *ids]) + r" \\"
    at = 2
    for column in columns:
        yield f"\\cmidrule(r){{{at}-{at + len(column.readings) - 1}}}"
        at += len(column.readings)
    letters = (escape(each.letter + each.mark) for column in columns for each in column.readings)
    yield " & ".join(["", *letters]) + r" \\"


def _symbol(entry: Entry, notes: dict[str, int]) -> str:
    symbol = escape(entry.symbol + entry.mark)
    return f"{symbol}$^{{{notes[entry.link]}}}$" if entry.link in notes else symbol


def _packed(columns: Sequence[ConditionColumn]) -> list[list[ConditionColumn]]:
    """The columns family by family, in groups that fit the page."""
    groups: list[list[ConditionColumn]] = []
    for column in columns:
        width = sum(len(each.readings) for each in (*groups[-1], column)) if groups else inf
        if width > _MOST_COLUMNS or column.family != groups[-1][-1].family:
            groups.append([])
        groups[-1].append(column)
    return groups


def _tabular(align: str, header: Iterable[str], rows: Iterable[str], foot: Iterable[str] = ()) -> Iterator[str]:
    yield f"\\begin{{tabular}}{{@{{}}{align}@{{}}}}\n\\toprule"
    yield from header
    yield r"\midrule"
    # A bracket or a star after a line break or a rule would be read as its option.
    yield from (f"{{}}{row} \\\\" if row.startswith(("[", "*")) else f"{row} \\\\" for row in rows)
    yield from (r"\bottomrule", *foot, r"\end{tabular}")


def _small(lines: Iterable[str]) -> Iterator[str]:
    yield from (r"\par\medskip{\footnotesize", *lines, r"}\par\medskip")


def _fitted(text: str) -> str:
    return escape(shorten(text, _MOST_LETTERS))
