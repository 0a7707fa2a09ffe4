/* ---- the evidence of a cell ---- */
function score(title, value) {
  /* Logarithms are long, so that the decimal is the larger of the two. */
  const exact = value.fraction, logs = exact.includes("log");
  const beside = logs ? exact.replaceAll("log ", "log\u00a0") : value.decimal;
  const shown = logs ? value.decimal : exact || value.decimal, [above, below] = shown.split("/");
  const big = h("span", { class: shown.length > 7 && !below || shown.length > 9 ? "big long" : "big" }, above);
  if (below) add(big, ["/", h("wbr"), below]);
  return h("div", { class: "score" }, h("span", { class: "side" }, title), big,
    exact && exact !== value.decimal ? h("span", { class: "decimal" }, beside) : null);
}
function scores(scored) {
  const shown = [...scored.scores.map((one) => score(one.title, one)), score(scored.margin.name, scored.margin)];
  return h("div", { class: shown.length % 2 ? "scores" : "scores even" }, shown);
}
/* The picture and one sentence: what the score should do, and what it did. */
function scoredCase(scored) {
  return [
    scored.sentence ? h("p", { class: "sentence" }, scored.sentence) : null,
    figures(scored.pictures),
    h("div", { class: "below" }, pictureKey(scored.pictures),
      scored.verify ? saver(scored.pictures, scored.verify.file.replace(/json$/, "svg")) : null),
    scores(scored),
  ];
}
function shared(witness) {
  return witness.shared.map(({ side, table }) => h("table", { class: "shared" },
    h("caption", {}, side + ": cells shared"),
    h("thead", {}, h("tr", {}, table[0].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, table.slice(1).map(([head, ...row]) => h("tr", {}, h("th", { scope: "row" }, head),
      row.map((text) => h("td", text === "0" ? { class: "zero" } : {}, text)))))));
}
function byHand(witness) {
  return h("details", {}, h("summary", {}, "Written out, to check by hand"),
    h("dl", { class: "families" }, witness.families.map(({ title, sets }) => h("div", {}, h("dt", {}, title),
      h("dd", {}, sets.length ? sets.map((set) => h("code", {}, set)) : "no bicluster")))),
    witness.shared.length ? h("div", { class: "tables" }, shared(witness)) : null);
}
function copyable(text, label) {
  const said = h("span", { "aria-live": "polite" }, "Copy");
  const code = h("code", {}, text);
  const button = h("button", { type: "button", class: "button copy", "aria-label": "Copy " + label, click: async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = "Copied";
    } catch {  // no clipboard for this page: select the text instead
      getSelection().selectAllChildren(code);
      said.textContent = "Selected";
    }
    setTimeout(() => { said.textContent = "Copy"; }, 1600);
  } }, said);
  return h("div", { class: "code" }, h("pre", { tabindex: "0" }, code), button);
}
function certificate(evidence, title) {
  const { file, command } = evidence.verify, name = title.toLowerCase();
  return h("details", {}, h("summary", {}, title),
    h("p", { class: "note" }, `Save it as ${file}` + (command ? "; without any search, this re-checks it:" : ".")),
    command ? copyable(command, `the command that verifies the ${name}`) : null,
    copyable(evidence.certificate, `the ${name}`));
}
function recheck(cell) {
  return h("section", {}, h("h3", {}, "Check this cell again"), copyable(cell.check, "the command"),
    cell.witness ? h("details", {}, h("summary", {}, "In Python"), copyable(cell.witness.python, "the Python code")) : null,
    cell.witness ? certificate(cell.witness, "Certificate") : null,
    cell.proof ? certificate(cell.proof, "Proof certificate") : null);
}
function violation(cell) {
  const witness = cell.witness;
  return [
    h("section", { class: "case" }, scoredCase(witness),
      h("p", { class: "demand" }, h("b", {}, "Demanded: "), witness.demanded, ". ", h("b", {}, "Found: "), witness.found, "."),
      h("p", { class: "note" }, `${cell.name} · ${witness.size}`), byHand(witness)),
  ];
}
/* A proof as titled paragraphs, and what stands in the way where there is none. */
function proof(cell) {
  if (cell.unproved) return h("p", { class: "note" }, h("b", {}, "Not proved: "), cell.unproved);
  if (!cell.proof) return null;
  return h("section", { class: "proof" }, h("h3", {}, "Proof, for all sizes"),
    h("dl", { class: "facts column" }, cell.proof.paragraphs.map(({ title, text }) => fact(title, text))),
    h("p", { class: "end", "aria-hidden": "true" }, data.verdicts.proved.symbol));
}
/* What a cell without a counterexample has to show: the case that came closest, or the condition's example. */
function unbroken(cell, condition) {
  if (cell.pass) {
    return h("section", { class: "case" }, h("h3", {}, cell.pass.title), scoredCase(cell.pass),
      cell.pass.scope ? h("p", { class: "note" }, cell.pass.scope) : null);
  }
  return h("section", { class: "case" },
    h("p", { class: "note" }, satisfied(cell.verdict) ? "No counterexample: every case tried keeps the demand."
      : "No certificate: there is no counterexample to draw."),
    condition.example ? [h("h3", {}, "What the condition is about"), figures(condition.example),
      pictureKey(condition.example)] : null);
}
