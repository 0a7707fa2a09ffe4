"""How measures are registered and found, and how other packages add theirs."""

import json
import os
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from textwrap import dedent

import pytest
from tools import run_process

import metaeval
from metaeval import Biclustering, InputError
from metaeval.catalogue.condition import find_condition
from metaeval.catalogue.measure import make_measure
from metaeval.runner.plan import Plan

PAIR = Biclustering.from_labels([0, 0]), Biclustering.from_labels([0, 1])


@pytest.fixture
def registered():
    """Takes what a test has registered out again."""
    before = set(metaeval.measures())
    yield lambda: set(metaeval.measures()) - before
    for id in set(metaeval.measures()) - before:
        metaeval.forget(id)


def zero(candidate, gold):
    return 0


def one(candidate, gold):
    return 1


def our_ids():
    """metaeval's own measures, in the order of the tables."""
    return [id for id, m in metaeval.measures().items() if m.home.startswith("metaeval.measures.")]


def run_python(code, *paths):
    """Standard output of a fresh interpreter, read as JSON, and its standard error."""
    done = run_process(code=dedent(code), PYTHONPATH=os.pathsep.join(map(str, paths)))
    assert done.code == 0, done.err
    return json.loads(done.out), done.err


# --- Registering ---------------------------------------------------------------------------------------------
def test_a_plain_function_becomes_a_measure(registered):
    new = metaeval.measure("test-zero", name="Zero", best=1.0, citation="nobody")(zero)
    assert registered() == {"test-zero"}
    assert metaeval.measures()["test-zero"] is new
    assert (new.id, new.name, new.best, new.citation) == ("test-zero", "Zero", 1.0, "nobody")
    assert new(*PAIR) == 0
    assert metaeval.score("test-zero", *PAIR) == 0.0
    assert metaeval.score(new, *PAIR, exact=True) == Fraction(0)
    assert metaeval.measure("test-one")(one).name == "test-one"


@pytest.mark.usefixtures("registered")
def test_a_dissimilarity_is_turned_round():
    new = metaeval.measure("test-distance", best=-2, smaller_is_better=True)(lambda candidate, gold: 3)
    assert (new.best, new.optimum, new(*PAIR), new.score(*PAIR), new.exact(*PAIR)) == (-2, 2, 3, -3.0, -3)


@pytest.mark.usefixtures("registered")
def test_a_duplicate_id_and_one_of_our_own_are_refused():
    metaeval.measure("test-zero")(zero)
    for id in ("test-zero", "mocice"):
        first = metaeval.measures()[id]
        with pytest.raises(InputError, match=f"a measure with the id '{id}' is registered already; choose another"):
            metaeval.measure(id)(one)
        assert metaeval.measures()[id] is first


def test_the_same_function_may_be_defined_again(registered):
    """As when a notebook cell is run twice: the later definition counts."""

    def cell(result):
        @metaeval.measure("test-cell")
        def notebook(candidate, gold):
            return result

        return notebook

    cell(0)
    second = cell(1)
    assert registered() == {"test-cell"}
    assert metaeval.measures()["test-cell"] is second
    assert metaeval.score("test-cell", *PAIR) == 1.0


@pytest.mark.parametrize(
    "id", ["", "Upper", "two words", "-leading", "trailing-", "a--b", "a/b", "mocice\n", "ünicode", None, 3, ("a",)]
)
def test_a_malformed_id_is_refused(id):
    before = list(metaeval.measures())
    with pytest.raises(InputError) as caught:
        metaeval.measure(id)(zero)
    assert repr(id) in str(caught.value)
    assert "lower-case letters and digits" in str(caught.value)
    assert list(metaeval.measures()) == before


@pytest.mark.parametrize("id", ["a", "my-measure", "my_measure", "f1.5", "3d", "a-b_c.d"])
def test_a_well_formed_id_is_taken(id, registered):
    metaeval.measure(id)(zero)
    assert registered() == {id}


@pytest.mark.parametrize(("options", "message"), [
    ({"best": float("nan")}, "best is nan; expected the finite score of a perfect match"),
    ({"best": float("inf")}, "best is inf; expected the finite score"),
    ({"best": True}, "best is True; expected the finite score"),
    ({"best": "1"}, "best is '1'; expected the finite score"),
    ({"domain": "graphs"}, "domain is 'graphs'; expected one of biclusterings, disjoint, clusterings, partitions"),
])  # fmt: skip
def test_bad_options_are_refused_and_what_is_no_function(options, message):
    with pytest.raises(InputError, match=message):
        make_measure(zero, id="test-options", **options)
    with pytest.raises(InputError, match=r"a measure is a function of \(candidate, gold\), not 3"):
        metaeval.measure("test-three")(3)


@pytest.mark.parametrize("result", [0.5, True, "1", None])
def test_only_integers_and_fractions_are_exact(result):
    measure = make_measure(lambda candidate, gold: result, id="test-inexact")
    with pytest.raises(InputError) as caught:
        measure.exact(*PAIR)
    assert f"test-inexact has no exact form: it returned {result!r}, a {type(result).__name__}" in str(caught.value)


@pytest.mark.parametrize("typed", ["test-zero", "Test-Zero"])
def test_forget_takes_a_measure_out_whatever_the_case_of_its_id(typed):
    metaeval.measure("test-zero")(zero)
    metaeval.forget(typed)
    assert "test-zero" not in metaeval.measures()
    with pytest.raises(InputError, match="no measure 'test-zero'"):
        metaeval.forget("test-zero")


# --- Finding -------------------------------------------------------------------------------------------------
def test_measures_conditions_and_readings_are_found_whatever_their_case():
    assert {metaeval.score(typed, *PAIR) for typed in ("RNIA", "Rnia", "rnia")} == {1.0}
    for typed in ("A.3", "a.3"):
        condition = find_condition(typed)
        assert condition is metaeval.conditions()["A.3"]
        assert condition.reading("LITERAL") is condition.readings["literal"]
        chosen = Plan.of(["Ce"], [typed], ["Literal", "canonical"])
        assert list(chosen.cell_ids()) == [("ce", "A.3", "canonical"), ("ce", "A.3", "literal")]


@pytest.mark.parametrize(("kind", "typed", "meant"), [
    *(("condition", *one) for one in [("a3", "A.3"), ("A-3", "A.3"), ("rag bags", "A.3"), ("zzz", None)]),
    ("measure", "mocise", "mocice"), ("measure", "MOCISE", "mocice"), ("measure", "ce-multi", "ce-multiset"),
    ("measure", "E4CS", "e4sc"), ("measure", "zzz", None),
])  # fmt: skip
def test_what_is_unknown_suggests_what_was_meant_by_id_or_by_name(kind, typed, meant):
    with pytest.raises(InputError) as caught:
        find_condition(typed) if kind == "condition" else metaeval.score(typed, *PAIR)
    message = str(caught.value)
    assert kind == "condition" or f"no measure {typed!r}" in message
    assert kind == "condition" or "`metaeval list measures` shows them all" in message
    assert (f"did you mean {meant!r}?" in message) if meant else ("did you mean" not in message)


@pytest.mark.parametrize(
    ("pair", "role", "kind"), [(([0, 0], PAIR[1]), "candidate", "list"), ((PAIR[0], None), "gold", "NoneType")]
)
def test_only_biclusterings_are_scored(pair, role, kind):
    with pytest.raises(InputError, match=rf"the {role} is a {kind}; expected a metaeval\.Biclustering"):
        metaeval.score("mocice", *pair)


def test_the_registry_is_a_read_only_ordered_mapping(registered):
    found = metaeval.measures()
    before = list(found)
    metaeval.measure("test-a")(zero)
    metaeval.measure("test-0")(one)
    assert list(found) == [*before, "test-a", "test-0"]
    assert [measure.id for measure in found.values()] == list(found)
    for change in (lambda: found.update({"x": zero}), lambda: found.pop("ce"), lambda: found.clear()):
        with pytest.raises(AttributeError):
            change()
    with pytest.raises(TypeError, match="does not support item assignment"):
        found["x"] = zero
    with pytest.raises(TypeError, match="does not support item deletion"):
        del found["ce"]


def test_the_package_of_measures_is_the_registry_and_a_package():
    assert metaeval.measures is import_module("metaeval.measures")
    module = import_module("metaeval.measures.mocice")
    assert metaeval.measures()["mocice"] is module.mocice
    assert metaeval.measures.mocice is module


@pytest.mark.parametrize("first", [
    "import metaeval.measures.mocice", "from metaeval import measures", "from metaeval.measures.areas import ce",
])  # fmt: skip
def test_the_first_import_does_not_decide_what_measures_is(first):
    found, _ = run_python(
        f"""
        {first}
        import json, metaeval, metaeval.measures.mocice
        print(json.dumps([metaeval.measures.mocice.mocice.id, list(metaeval.measures())]))
        """
    )
    ours = our_ids()
    assert found[0] == "mocice"
    assert found[1][: len(ours)] == ours


HEAVY = ["numpy", "scipy", "hypothesis", "pytest", "jinja2", "rich", "metaeval.measures", "metaeval.exact", "decimal",
         "fractions"]  # fmt: skip


@pytest.mark.parametrize(("use", "heavy"), [
    ("metaeval", HEAVY), ("metaeval.Biclustering.from_indicators([[1, 0]], [[1]])", HEAVY[:3]),
])  # fmt: skip
def test_import_metaeval_is_light_and_a_biclustering_needs_no_numpy(use, heavy):
    code = f"import json, sys, metaeval; {use}; print(json.dumps([n for n in {heavy} if n in sys.modules]))"
    assert run_python(code)[0] == []


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'metaeval' has no attribute 'mesure'"):
        metaeval.mesure  # noqa: B018
    assert set(metaeval.__all__) <= set(dir(metaeval))


def test_an_equation_says_its_bounds_itself():
    eq = metaeval.Equation(metaeval.equations.cells(1) / metaeval.equations.cells(1), empty=1)
    for options in ({"best": 2}, {"low": 0}, {"smaller_is_better": True}):
        with pytest.raises(InputError, match="itself; leave them out"):
            metaeval.measure("bounded", equation=eq, **options)
        with pytest.raises(InputError, match="itself; leave them out"):
            replace(metaeval.measures()["rnia"], **options)
    with pytest.raises(InputError, match=r"equation is 3; expected a metaeval\.Equation"):
        metaeval.measure("bounded", equation=3)
    assert "bounded" not in metaeval.measures()


def test_a_cell_of_a_notebook_that_declares_an_equation_runs_again():
    eq = metaeval.measures()["rnia"].equation
    for _ in range(2):

        @metaeval.measure("again", equation=eq)
        def again(candidate, gold):
            return eq(candidate, gold)

        assert metaeval.measures()["again"] is again
        assert (again.is_equation, again.declared) == (False, eq)
    with pytest.raises(InputError, match="'again'"):
        metaeval.measure("again")(lambda candidate, gold: 1)
    metaeval.forget("again")


# --- Plug-ins ------------------------------------------------------------------------------------------------
LIST_MEASURES = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import metaeval
    found = metaeval.measures()
    pair = metaeval.Biclustering.from_labels([0, 0]), metaeval.Biclustering.from_labels([0, 1])
    scores = {id: measure.score(*pair) for id, measure in found.items()}
    again = list(metaeval.measures())
assert again == list(found)
print(json.dumps({"scores": scores, "warnings": [str(warning.message) for warning in caught]}))
"""


def install(folder, entries, modules, name="thirdparty"):
    """What pip would leave behind of a package with these entry points."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{id} = {target}" for id, target in entries.items()]
    (info / "entry_points.txt").write_text("\n".join(["[metaeval.measures]", *lines, ""]))
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(dedent(text))


@pytest.fixture(scope="module")
def own():
    """The measures of a fresh interpreter without the plug-ins of these tests."""
    found, _ = run_python(LIST_MEASURES)
    return found


def test_plug_ins_add_measures(tmp_path, own):
    install(
        tmp_path,
        {"third-plain": "third_plain:half", "third-made": "third_made:third", "third-module": "third_module"},
        {
            "third_plain": """
                def half(candidate, gold):
                    return 0.5
                """,
            "third_made": """
                import metaeval

                @metaeval.measure("third-made", best=3)
                def third(candidate, gold):
                    return len(candidate)
                """,
            "third_module": """
                import metaeval

                metaeval.measure("third-first")(lambda candidate, gold: 0)
                metaeval.measure("third-second")(lambda candidate, gold: 1)
                """,
        },
    )
    found, _ = run_python(LIST_MEASURES, tmp_path)
    assert found["warnings"] == own["warnings"]
    added = {id: score for id, score in found["scores"].items() if id not in own["scores"]}
    assert added == {"third-plain": 0.5, "third-made": 1.0, "third-first": 0.0, "third-second": 1.0}
    ours = our_ids()
    assert list(found["scores"])[: len(ours)] == ours


@pytest.mark.parametrize(("entries", "text", "message"), [
    (
        {"broken": "broken_plugin:f"},
        "raise RuntimeError('no licence')",
        "could not be loaded: RuntimeError: no licence",
    ),
    ({"broken": "broken_plugin:f"}, "def f(:", "could not be loaded: SyntaxError"),
    ({"broken": "broken_plugin:missing"}, "", "could not be loaded: AttributeError"),
    ({"broken": "no_such_module:f"}, "", "could not be loaded: ModuleNotFoundError"),
    (
        {"broken": "broken_plugin:f"},
        "f = 3",
        "adds no measure: a measure is a function of (candidate, gold), not 3",
    ),
    ({"mocice": "broken_plugin:f"}, "def f(c, g): return 7", "adds no measure: a measure with the id 'mocice'"),
    ({"Bad_Id!": "broken_plugin:f"}, "def f(c, g): return 7", "adds no measure: 'Bad_Id!' is no measure id"),
], ids=["raises", "syntax", "attribute", "module", "no function", "our id", "bad id"])  # fmt: skip
def test_a_broken_plug_in_costs_only_a_warning(tmp_path, own, entries, text, message):
    entries = {**entries, "sound": "sound_plugin:g"}
    install(tmp_path, entries, {"broken_plugin": text, "sound_plugin": "def g(candidate, gold): return 1"})
    found, errors = run_python(LIST_MEASURES, tmp_path)
    (warning,) = [text for text in found["warnings"] if text not in own["warnings"]]
    assert message in warning
    assert f"the plug-in {next(iter(entries.values()))!r}" in warning
    # The sound plug-in of the same package and every measure of ours score as before.
    assert found["scores"] == own["scores"] | {"sound": 1.0}
    assert "Traceback" not in errors


def test_a_plug_in_may_use_the_registry_while_it_loads(tmp_path, own):
    install(
        tmp_path,
        {"builds-on-ours": "eager_plugin:builds"},
        {
            "eager_plugin": """
                import metaeval

                rnia = metaeval.measures()["rnia"]

                def builds(candidate, gold):
                    return 1 - rnia(candidate, gold)
                """
        },
    )
    found, _ = run_python(LIST_MEASURES, tmp_path)
    assert found["scores"] == own["scores"] | {"builds-on-ours": 0.0}
    assert found["warnings"] == own["warnings"]
