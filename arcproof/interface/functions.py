"""A function for each command, with its name, its options and its defaults.

A default of None stands for that of the command, such as half of the memory, or no limit.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from arcproof.commands import results
from arcproof.interface.arguments import (
    HeadsLike,
    ListLike,
    SystemLike,
    Time,
    Treebanks,
    can_be_loaded,
    check_kind,
    function_of_a_command,
    gold_of,
    names_of,
    options,
    running,
    sources_of,
    system_of,
    systems_of,
)
from arcproof.transitions.errors import BadArgument
from arcproof.transitions.graph import Graph
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.conformance.conform import Conformance
    from arcproof.properties.conformance.logs import LogCheck
    from arcproof.properties.engines.engine import EngineName
    from arcproof.properties.report import ProofSource, Report
    from arcproof.properties.studies.costs import CostStudy
    from arcproof.properties.studies.reach import Reached
    from arcproof.properties.studies.repair import Repairs
    from arcproof.properties.studies.situation import Situated
    from arcproof.properties.studies.why import Why

Level = Literal["unreached", "sampled", "exhausted", "proved"]


# --- figures and runs ------------------------------------------------------------------------------------------------


@function_of_a_command
def list() -> results.Listing:  # noqa: A001 - as the command is called
    """List the built-in systems."""
    from arcproof.transitions.library import entries

    return results.Listing(tuple(entries()))


@function_of_a_command
def show(system: SystemLike) -> System:
    """Return a system; a notebook shows its figure, and `print` prints it as the command does."""
    return system_of(system)


@function_of_a_command
def check(*files: SystemLike) -> results.CheckedSpecifications:
    """Read specifications and find every problem.  Errors in a specification are part of the result, not raised."""
    from arcproof.commands.check_command import checked
    from arcproof.editors.diagnosis import Diagnosis, diagnose, diagnose_system, diagnose_text

    if not files:
        raise BadArgument("Missing argument 'FILE...'.")

    def named(file: SystemLike) -> tuple[str, Callable[[], Diagnosis]]:
        check_kind(file)
        if isinstance(file, System):
            return file.reference, partial(diagnose_system, file, file.reference)
        if isinstance(file, str) and "\n" in file:
            return "<text>", partial(diagnose_text, file)
        return str(file), partial(diagnose, str(file))

    return results.CheckedSpecifications(tuple(checked(*named(file)) for file in files))


@function_of_a_command
def new(name: str, *, output: str | Path | None = None) -> str:
    """Return the text of a commented specification to start from; with `output`, also write it to that file."""
    from arcproof.commands.new_command import specification, write_specification

    return specification(name, f"{name}.tsys") if output is None else write_specification(name, str(output))


@function_of_a_command
def trace(
    system: SystemLike,
    heads: HeadsLike | None = None,
    *,
    labels: ListLike | None = None,
    arcs: str | None = None,
    forms: ListLike | None = None,
    conllu: str | Path | None = None,
    sentence: int = 1,
    words: int | None = None,
    oracle: str | None = None,
    search: bool = False,
    tags: str | None = None,
) -> results.Trace:
    """Derive a gold graph by following the oracle; raises `NotDerivable` if the oracle does not lead there."""
    from arcproof.commands.trace_command import check_search, gold_tags, traced

    given = options("trace", {"sentence": sentence, "words": words, "search": search})
    check_search(search, oracle)
    loaded = system_of(system)
    several = loaded.figure.several_heads
    gold, known = gold_of(heads, labels, arcs, forms, conllu, given.sentence, given.words, several)
    file = None if conllu is None else str(conllu)
    return traced(
        loaded, gold, known, oracle, search, lambda: gold_tags(loaded, tags, gold.words, file, given.sentence)
    )


@function_of_a_command
def explore(
    system: SystemLike,
    *,
    words: int = 5,
    engine: "EngineName | None" = None,
    jobs: int | None = None,
    memory: int | str | None = None,
    timeout: Time | None = None,
    fresh: bool = False,
) -> results.ExploredSystem:
    """Count the configurations of all sentences of 1 to `words` words."""
    from arcproof.commands.explore_command import explored

    given = options("explore", locals())
    loaded = system_of(system)
    with running(given):
        return explored(loaded, given.words, given.engine, given.jobs, given.memory)


@function_of_a_command
def export(
    system: SystemLike, *, to: Literal["promela", "tla"], words: int, output: str | Path | None = None
) -> str:  # fmt: skip
    """Return a model for SPIN or TLC; with `output`, also write it, for TLC with its configuration file beside it."""
    from arcproof.commands.arguments import check_outputs
    from arcproof.commands.export_command import write_model
    from arcproof.transitions.export.promela import to_promela
    from arcproof.transitions.export.tla import to_tla

    given = options("export", {"to": to, "words": words})
    loaded = system_of(system)
    if output is not None:
        check_outputs([str(output)], sources_of([loaded]))
        return write_model(loaded, given.to, given.words, str(output))
    return to_promela(loaded, given.words) if given.to == "promela" else to_tla(loaded, given.words).module


# --- claims ----------------------------------------------------------------------------------------------------------


@function_of_a_command
def verify(
    *systems: SystemLike,
    words: int | None = None,
    time: Time | None = None,
    samples: int = 50,
    sample_words: int = 40,
    seed: int = 0,
    require: Level = "sampled",
    engine: "EngineName | None" = None,
    jobs: int | None = None,
    proofs: "ProofSource | None" = None,
    claims_only: bool = False,
    memory: int | str | None = None,
    timeout: Time | None = None,
    fresh: bool = False,
    cluster: str | None = None,
) -> "Report":
    """Check every claim of each system on all short sentences, and on samples of long ones; cached proofs count."""
    from arcproof.commands.verify_command import effort_of, verify_all

    given = options("verify", locals())
    effort = effort_of(
        given.words, given.time, given.samples, given.sample_words, given.seed, given.require, given.engine, given.jobs,
        given.proofs, given.claims_only, given.memory,
    )  # fmt: skip
    loaded = systems_of(systems)
    with running(given):
        return verify_all(loaded, effort, quiet=True)


@function_of_a_command
def prove(
    *systems: SystemLike,
    preconditions: bool = False,
    no_cache: bool = False,
    check: bool = False,
    certificates: str | Path | None = None,
    claim: str | None = None,
    explain: str | None = None,
    timeout: Time | None = None,
    timeout_claim: Time | None = None,
    jobs: int | None = None,
    fresh: bool = False,
    cluster: str | None = None,
) -> results.ProvedSystems:
    """Prove the claims of each system for sentences of every length, with Z3 and again with cvc5."""
    from arcproof.commands.prove_command import ProofsWanted, prove_all, write_certificates
    from arcproof.process.cluster import on_cluster
    from arcproof.reports.progress import tracked

    given = options("prove", locals())
    wanted = ProofsWanted(
        preconditions, no_cache, check, given.certificates, claim, explain, given.timeout, given.timeout_claim, given.jobs, fresh
    )  # fmt: skip
    wanted.check_usage()
    loaded = systems_of(systems)
    wanted.check_places(loaded, sources_of(loaded))
    with on_cluster(given.cluster), wanted.storing(quiet=True), tracked("prove") as progress:
        found = prove_all(loaded, wanted, progress)
    write_certificates(found, wanted)
    return found


@function_of_a_command
def check_proof(*files: str | Path, jobs: int | None = None, timeout: Time | None = None) -> results.CheckedProofs:
    """Check proofs that `arcproof prove --proof-objects DIR` wrote, files or folders, without a solver."""
    from arcproof.commands.check_proof_command import checked_proofs
    from arcproof.properties.proving.proof_files import obligations_in

    given = options("check-proof", locals())
    if not files:
        raise BadArgument("Missing argument 'FILE...'.")
    paths = tuple(map(Path, files))
    for path in paths:
        if not path.exists():
            raise BadArgument(f"Invalid value for 'FILE...': Path '{path}' does not exist.")
    with running(given):
        return checked_proofs(paths, obligations_in(paths), given.jobs)


@function_of_a_command
def mutate(
    *systems: SystemLike,
    words: int = 5,
    engine: "EngineName | None" = None,
    jobs: int | None = None,
    memory: int | str | None = None,
    timeout: Time | None = None,
    fresh: bool = False,
    cluster: str | None = None,
) -> results.Mutations:
    """Break each figure in every small way, and see whether its claims catch it."""
    from arcproof.commands.mutate_command import mutate_all

    given = options("mutate", locals())
    loaded = systems_of(systems)
    with running(given):
        return mutate_all(loaded, given.words, given.engine, given.jobs, given.memory, everything=False, quiet=True)


@function_of_a_command
def why(
    system: SystemLike,
    transition: str,
    *,
    words: int = 5,
    prove: bool = False,
    engine: "EngineName | None" = None,
    jobs: int | None = None,
    memory: int | str | None = None,
    timeout: Time | None = None,
) -> "Why":
    """Explain what each precondition of a transition is for, by dropping it."""
    from arcproof.properties.studies import why as study

    given = options("why", locals())
    proofs = study.new_proofs if given.prove else study.kept_proofs
    loaded = system_of(system)
    with running(given):
        return study.why(loaded, transition, given.words, given.memory, given.engine, proofs, given.jobs)


@function_of_a_command
def repair(
    figure: SystemLike,
    *,
    words: int | None = None,
    edits: int = 2,
    time: Time = 30,
    samples: int = 50,
    seed: int = 0,
    engine: "EngineName | None" = None,
    memory: int | str | None = None,
    jobs: int | None = None,
    timeout: Time | None = None,
    fresh: bool = False,
    cluster: str | None = None,
) -> "Repairs":
    """Find the smallest edits after which a figure meets every claim, if some claims are refuted."""
    from arcproof.properties.studies import repair as study

    given = options("repair", locals())
    loaded = system_of(figure)
    with running(given):
        return study.repair(
            loaded, given.words, given.edits, given.time, engine=given.engine, memory=given.memory, samples=given.samples,
            seed=given.seed, jobs=given.jobs,
        )  # fmt: skip


@function_of_a_command
def reach(
    system: SystemLike,
    condition: str = "",
    output: str | Graph | None = None,
    *,
    words: int = 5,
    engine: "EngineName | None" = None,
    memory: int | str | None = None,
    jobs: int | None = None,
    timeout: Time | None = None,
) -> "Reached":
    """Find a shortest run to a configuration that satisfies a condition, or prove that there is none."""
    from arcproof.commands.reach_command import check_target
    from arcproof.properties.studies import reach as study
    from arcproof.transitions.graph import parse_graph

    given = options("reach", {"words": words, "engine": engine, "memory": memory, "jobs": jobs, "timeout": timeout})
    check_target(condition, output)
    loaded = system_of(system)
    graph = parse_graph(output) if isinstance(output, str) else output
    with running(given):
        return study.reach(loaded, condition.strip(), graph, given.words, given.memory, given.engine, given.jobs)


@function_of_a_command
def oracle(
    system: SystemLike,
    heads: HeadsLike | None = None,
    *,
    derive: bool = False,
    class_: str | None = None,
    words: int = 3,
    labels: ListLike | None = None,
    arcs: str | None = None,
    forms: ListLike | None = None,
    conllu: str | Path | None = None,
    sentence: int = 1,
    run: str | None = None,
    labelled: bool = False,
    limit: int | None = None,
    engine: "EngineName | None" = None,
    timeout: Time | None = None,
) -> "CostStudy | Situated":
    """Check or find the costs of transitions; with a gold graph, compute those in one configuration."""
    from arcproof.commands.oracle_command import check_heads, looked_at, refuse, studied

    given = options(
        "oracle", {"words": words, "sentence": sentence, "limit": limit, "engine": engine, "timeout": timeout}
    )
    loaded = system_of(system)
    check_heads(loaded)
    if any(one is not None for one in (heads, arcs, conllu)):
        refuse(("--derive", derive), ("--class", class_))
        gold, _ = gold_of(heads, labels, arcs, forms, conllu, given.sentence)
        return looked_at(loaded, gold, run or "", labelled, given.limit, given.timeout)
    refuse(
        ("--labels", labels), ("--forms", forms), ("--run", run), ("--labelled", labelled), ("--limit", limit is not None),
        wants="a gold graph: --heads 2,0,2 or --conllu FILE",
    )  # fmt: skip
    return studied(loaded, derive, class_, given.words, given.engine, given.timeout)


@function_of_a_command
def conform(
    figure: SystemLike | None = None,
    driver: Any = None,
    *,
    words: int | None = None,
    samples: int = 100,
    seed: int = 0,
    call_timeout: Time = 5.0,
    timeout: Time | None = None,
    replay: str | None = None,
    gold: str | None = None,
    labels: str | None = None,
    log: str | Path | None = None,
    names: str | None = None,
    treebank: str | Path | None = None,
    expect_gold: bool = False,
    jobs: int | None = None,
    cluster: str | None = None,
) -> "Conformance | LogCheck":
    """Compare a program with a figure: a driver, given by name, class or object, or the runs in a log."""
    from dataclasses import replace

    from arcproof.commands import conform_command as command
    from arcproof.properties.conformance.case import case_of
    from arcproof.properties.conformance.driver import parts_of
    from arcproof.properties.conformance.references import named, reference_to

    given = options(
        "conform", {"words": words, "samples": samples, "seed": seed, "call_timeout": call_timeout, "timeout": timeout, "jobs": jobs, "cluster": cluster},
    )  # fmt: skip
    file, trees = (None if path is None else str(path) for path in (log, treebank))
    command.check_usage(file, names, trees, expect_gold, jobs is not None)
    if file is not None:
        from arcproof.commands.log_checking import checked_log
        from arcproof.process.cluster import on_cluster
        from arcproof.process.interruption import time_limit

        command.check_log_usage(figure, driver, {"--replay": replay, "--gold": gold, "--labels": labels})
        assert figure is not None
        with time_limit(given.timeout), on_cluster(given.cluster):
            return checked_log(system_of(figure), file, names or "", trees, expect_gold, given.words, given.jobs)
    is_named = True
    with command.loading(str(driver or figure or ""), given.timeout, given.call_timeout):
        if figure is None or driver is None:
            text = figure.reference if isinstance(figure, System) else None if figure is None else str(figure)
            system, chosen = command.chosen_driver(text, driver)
            reference, parts = chosen.reference, parts_of(chosen.driver)
        elif isinstance(driver, str):
            system = system_of(figure)
            reference, parts = driver, parts_of(named(driver, system.figure.name).driver)
            is_named = can_be_loaded(system)
        else:
            system, found_by = system_of(figure), reference_to(driver)
            reference = found_by or str(getattr(driver, "__name__", type(driver).__name__))
            parts, is_named = parts_of(driver), found_by is not None and can_be_loaded(system)
    extent = (given.words, given.samples, given.seed, given.timeout, given.call_timeout)
    found = command.conformed(system, reference, parts, extent, case_of(replay, gold, labels, given.words))
    return replace(found, is_named=is_named)


@function_of_a_command
def compare(
    first: SystemLike,
    second: SystemLike,
    *,
    words: int = 5,
    engine: "EngineName | None" = None,
    jobs: int | None = None,
    memory: int | str | None = None,
    timeout: Time | None = None,
) -> results.ComparedSystems:
    """Compare the graphs that two systems derive; the result has the smallest graph that only one of them derives."""
    from arcproof.commands.compare_command import compared

    given = options("compare", locals())
    systems = system_of(first), system_of(second)
    with running(given):
        return compared(*systems, given.words, given.engine, given.jobs, given.memory)


@function_of_a_command
def coverage(
    *systems: SystemLike,
    treebank: Treebanks,
    timeout: Time | None = None,
    jobs: int | None = None,
    fresh: bool = False,
    cluster: str | None = None,
) -> results.TreebankCoverage:
    """Count the sentences and arcs of treebanks that each system derives."""
    from arcproof.commands.coverage_command import covered

    given = options("coverage", {**locals(), "treebank": names_of(treebank)})
    loaded = systems_of(systems)
    with running(given):
        return covered(loaded, given.treebank, given.jobs)


# --- parsers ---------------------------------------------------------------------------------------------------------


@function_of_a_command
def train(
    system: SystemLike,
    *treebanks: str | Path,
    output: str | Path | None = None,
    features: str | Path | None = None,
    learner: Literal["fast", "svc"] = "fast",
    oracle: str | None = None,
    policy: Literal["permissible", "default"] = "permissible",
    pseudo_projective: Literal["baseline", "head", "path", "head+path"] | None = None,
    skip_nonprojective: bool = False,
    bootstrap: int = 0,
    explore: float | None = None,
    beam: int = 1,
    tags: Literal["upos", "xpos"] = "upos",
    epochs: int = 6,
    seed: int = 1,
    memory: int | str | None = None,
    skip_bad: bool = False,
) -> results.TrainedParser:
    """Train a parser; with `output`, also write the model.  `parse` takes the result or the file."""
    from arcproof.classifiers.learners.learner import Settings
    from arcproof.classifiers.parser import Parser
    from arcproof.commands.train_command import check_places, trained

    if not treebanks:
        raise BadArgument("Missing argument 'TREEBANK...'.")
    given = options("train", {name: value for name, value in locals().items() if name != "output"})
    place = None if output is None else str(output)
    loaded, model = system_of(system), None if features is None else str(features)
    check_places([place], sources_of([loaded]), names_of(treebanks), model)
    parser = Parser(
        loaded, features=model, learner=given.learner, oracle=oracle,
        policy=given.policy, pseudo_projective=given.pseudo_projective, skip_nonprojective=skip_nonprojective,
        bootstrap=given.bootstrap, explore=given.explore, beam=given.beam, tags=given.tags,
        settings=Settings(epochs=given.epochs, seed=given.seed, memory=given.memory),
    )  # fmt: skip
    return trained(parser, names_of(treebanks), place, skip_bad)


@function_of_a_command
def parse(
    model: "str | Path | results.TrainedParser",
    treebank: str | Path,
    *,
    output: str | Path | None = None,
    policy: Literal["permissible", "default"] | None = None,
    check: bool = False,
    parameter: ListLike = (),
    skip_bad: bool = False,
) -> results.ParsedTreebank:
    """Parse a treebank with a model from `train`; without `output`, the result contains the parsed text."""
    from dataclasses import replace
    from io import BytesIO

    from arcproof.commands.arguments import check_outputs
    from arcproof.commands.parse_command import destination_of, loaded_parser, parsed

    given = options("parse", {"policy": policy, "parameter": names_of(parameter)})
    place = None if output is None else str(output)
    check_outputs([place], [str(treebank)] if isinstance(model, results.TrainedParser) else [str(model), str(treebank)])
    if isinstance(model, results.TrainedParser):
        parser = model.parser
        if given.policy is not None or given.parameter:
            raise BadArgument("policy and parameter are for a model in a file; give `train` an output")
    else:
        parser = loaded_parser(str(model), given.policy, given.parameter)
    if place is not None:
        with destination_of(place) as file:
            return parsed(parser, str(treebank), file, check, skip_bad)
    buffer = BytesIO()
    found = parsed(parser, str(treebank), buffer, check, skip_bad)
    return replace(found, text=buffer.getvalue().decode("utf-8"))


@function_of_a_command
def evaluate(
    gold: str | Path, *parsed: str | Path, punct: bool = False, graphs: bool = False, skip_bad: bool = False
) -> results.Evaluation | results.GraphEvaluation:
    """Score parsed files against a gold treebank; the first file is the baseline for the others."""
    from arcproof.commands.evaluate_command import evaluated

    if not parsed:
        raise BadArgument("Missing argument 'PARSED...'.")
    return evaluated(str(gold), names_of(parsed), punct, graphs, skip_bad)


@function_of_a_command
def experiment(
    *variants: str,
    treebank: Treebanks,
    output: str | Path,
    sentences: int | None = None,
    seed: int = 1,
    jobs: int = 1,
    timeout: Time | None = None,
    fresh: bool = False,
    cluster: str | None = None,
) -> results.ExperimentResults:
    """Train, parse and score every variant on every treebank; results and tables are written to the folder `output`."""
    from arcproof.commands.experiment_command import check_files, experimented
    from arcproof.process.cluster import on_cluster

    if not variants:
        raise BadArgument("Missing argument 'VARIANT...'.")
    given = options("experiment", {**locals(), "treebank": names_of(treebank), "output": str(output)})
    check_files(variants, given.treebank, given.output)
    with on_cluster(given.cluster):
        return experimented(
            variants, given.treebank, given.output, given.sentences, given.seed, given.jobs, given.timeout, given.fresh
        )


FUNCTIONS: dict[str, Any] = {
    function.__name__.replace("_", "-"): function
    for function in (
        list, show, check, new, trace, explore, verify, prove, check_proof, mutate, why, repair, reach, oracle, conform, compare,
        coverage, export, train, parse, evaluate, experiment,
    )
}  # fmt: skip
"""By the names of their commands."""
