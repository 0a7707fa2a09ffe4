/* ---- which measure should I use? ---- */
const choice = byId("choice");
function readChoice(query) {
  const wanted = query.getAll("choose"), under = query.getAll("under");
  choice.open = wanted.length > 0 || under.length > 0;
  for (const box of boxes("choose", choice)) box.checked = !wanted.length || wanted.includes(box.value);
  for (const box of boxes("under", choice)) box.checked = under.length ? under.includes(box.value) : preferred("reading", box);
  rank();
}
function judged(measure, conditions, readings) {
  const asked = [...cells.values()].filter((cell) => cell.measure === measure && conditions.has(cell.condition) && readings.has(cell.reading));
  const run = asked.filter((cell) => cell.verdict !== "not run");
  return { measure, satisfied: run.filter((cell) => satisfied(cell.verdict)).length, broken: run.filter((cell) => !satisfied(cell.verdict)) };
}
function brokenLinks(broken, several) {
  return broken.map((cell, at) => [at ? ", " : "", cellLink(`${cell.measure}.${cell.condition}.${cell.reading}`,
    `${data.conditions[cell.condition].name}, ${cell.reading}: ${cell.verdict}`, cell.condition + (several ? " " + cell.reading : ""))]);
}
function rank() {
  const conditions = ticked("choose", choice), readings = ticked("under", choice);
  const asked = Object.entries(data.conditions).flatMap(([id, each]) => conditions.has(id) ? Object.keys(each.readings).filter((name) => readings.has(name)) : []).length;
  const ranked = Object.keys(data.measures).map((id) => judged(id, conditions, readings));
  ranked.sort((a, b) => b.satisfied - a.satisfied || a.broken.length - b.broken.length);
  byId("ranking").replaceChildren(...(asked ? ranked : []).map((each) => h("li", { "data-measure": each.measure, class: each.satisfied === asked ? "all" : "" },
    h("span", { class: "place" }, String(ranked.findIndex((other) => other.satisfied === each.satisfied) + 1)),
    h("span", { class: "name" }, data.measures[each.measure].name), h("meter", { min: 0, max: asked, value: each.satisfied, "aria-hidden": "true" }),
    h("span", { class: "amount" }, `${each.satisfied} of ${asked}`),
    h("span", { class: "violates" }, each.broken.length ? ["violates ", brokenLinks(each.broken, readings.size > 1)]
      : each.satisfied === asked ? "satisfies all of them" : "nothing broken; the rest was not run"))));
  byId("choice-none").hidden = asked > 0;
}
