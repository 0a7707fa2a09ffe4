/* ---- which measure should I use? ---- */
const choice = byId("choice");
function readChoice(query) {
  const wanted = query.getAll("choose"), under = query.getAll("under");
  choice.open = wanted.length > 0 || under.length > 0;
  for (const box of boxes("choose", choice)) box.checked = !wanted.length || wanted.includes(box.value);
  for (const box of boxes("under", choice)) {
    box.checked = under.length ? under.includes(box.value) : preferred("reading", box);
  }
  rank();
}
function judged(measure, conditions, readings) {
  const run = [...cells.values()].filter((cell) => cell.measure === measure && cell.verdict !== "not run"
    && conditions.has(cell.condition) && readings.has(cell.reading));
  const broken = run.filter((cell) => !satisfied(cell.verdict));
  return { measure, satisfied: run.length - broken.length, broken };
}
function brokenLinks(broken, several) {
  return broken.map((cell, at) => [at ? ", " : "", cellLink(`${cell.measure}.${cell.condition}.${cell.reading}`,
    `${data.conditions[cell.condition].name}, ${cell.reading}: ${cell.verdict}`, cell.condition + (several ? " " + cell.reading : ""))]);
}
function placed(each, place, asked, several) {
  const rest = each.satisfied === asked ? "satisfies all of them" : "nothing broken; the rest was not run";
  return h("li", { "data-measure": each.measure, class: each.satisfied === asked ? "all" : "" },
    h("span", { class: "place" }, String(place)),
    h("span", { class: "name" }, data.measures[each.measure].name),
    h("meter", { min: 0, max: asked, value: each.satisfied, "aria-hidden": "true" }),
    h("span", { class: "amount" }, `${each.satisfied} of ${asked}`),
    h("span", { class: "violates" }, each.broken.length ? ["violates ", brokenLinks(each.broken, several)] : rest));
}
function rank() {
  const conditions = ticked("choose", choice), readings = ticked("under", choice);
  const asked = [...conditions].flatMap((id) => Object.keys(data.conditions[id].readings))
    .filter((name) => readings.has(name)).length;
  const ranked = Object.keys(data.measures).map((id) => judged(id, conditions, readings));
  ranked.sort((a, b) => b.satisfied - a.satisfied || a.broken.length - b.broken.length);
  const place = (each) => ranked.findIndex((other) => other.satisfied === each.satisfied) + 1;
  const lines = asked ? ranked.map((each) => placed(each, place(each), asked, readings.size > 1)) : [];
  byId("ranking").replaceChildren(...lines);
  byId("choice-none").hidden = asked > 0;
}
