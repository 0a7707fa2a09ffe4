/* ---- the panel: opening, closing, permalinks ---- */
const panel = byId("panel"), stage = byId("stage");
let current = null;
function tileOf(key) { return tiles.find((tile) => tile.dataset.key === key) || null; }
function isHidden(tile) { return tile.hidden || tile.parentElement.hidden; }

function fact(term, ...text) { return h("div", {}, h("dt", {}, term), h("dd", {}, text)); }

function panelTop(cell, key, measure, condition) {
  return h("div", { class: "panel-top" },
    h("div", {}, h("p", { class: "crumb" }, `${cell.condition} ${condition.name} · ${cell.reading}`),
      h("h2", { id: "panel-title" }, measure.name)),
    h("div", { class: "tools" },
      h("a", { class: "button", href: fragment(key), "aria-label": "Permalink to this cell", title: "Permalink" }, "#"),
      h("button", {
        type: "button", class: "button", id: "close", "aria-label": "Close the evidence", title: "Close (Esc)", click: close,
      }, "✕")));
}
function verdictLine(cell) {
  return h("p", { class: "verdict" }, cell.before ? [mark(cell.before), " ", cell.before, " → "] : null,
    mark(cell.verdict), " ", h("b", {}, cell.verdict));
}
function claimLine(cell) {
  if (!cell.claim) return null;
  const fate = cell.fate[0].toUpperCase() + cell.fate.slice(1);
  return h("p", { class: "claim fate-" + cell.fate },
    h("i", { class: "mark sample fate-" + cell.fate, "aria-hidden": "true" }),
    h("span", {}, `Claimed: ${cell.claim}. `, h("b", {}, fate), ` under this reading: ${data.fates[cell.fate]}.`,
      cell.place.length ? h("cite", {}, cited(cell.place)) : null));
}
function about(cell, condition) {
  const reading = condition.readings[cell.reading];
  return h("section", {}, h("h3", {}, "The condition"),
    h("blockquote", {}, condition.statement, condition.citation.length ? h("cite", {}, cited(condition.citation)) : null),
    h("dl", { class: "facts column" }, fact("Reading", h("b", {}, cell.reading), reading.adds ? ": " + reading.adds : ""),
      reading.scope ? fact("Exhaustive", reading.scope) : null));
}
function fill(cell, key) {
  const measure = data.measures[cell.measure], condition = data.conditions[cell.condition];
  panel.replaceChildren();
  add(panel, [
    panelTop(cell, key, measure, condition),
    verdictLine(cell),
    cell.change ? h("p", { class: "message" }, cell.change) : null,
    cell.message ? h("p", { class: "message" }, cell.message) : null,
    measure.gate ? h("p", { class: "message" }, "† " + measure.gate) : null,
    proof(cell),
    cell.witness ? violation(cell) : unbroken(cell, condition),
    h("p", { class: "tried" }, cell.evidence || data.verdicts[cell.verdict].meaning),
    claimLine(cell),
    about(cell, condition),
    recheck(cell),
  ]);
}

function open(key, { focus = false, remember = true } = {}) {
  const cell = cells.get(key);
  if (!cell) return false;
  if (current) tileOf(current)?.removeAttribute("aria-selected");
  const first = current === null;
  current = key;
  fill(cell, key);
  panel.hidden = false;
  panel.scrollTop = 0;
  stage.classList.add("open");
  const tile = tileOf(key);
  if (tile) {
    tile.setAttribute("aria-selected", "true");
    rove(tile);
    tile.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  if (remember) record(first);
  if (focus) panel.focus();
  return true;
}
function close() {
  if (current === null) return;
  const tile = tileOf(current);
  tile?.removeAttribute("aria-selected");
  current = null;
  panel.hidden = true;
  stage.classList.remove("open");
  record();
  tile?.focus();
}
/* Show what the address says; a link to a cell that the filters hide shows all of them. */
function follow() {
  const { cell, query } = address();
  const wanted = cells.has(cell) ? cell : null;
  if (query.toString() !== written()) { read(query); refresh(); }
  if (wanted === null) {
    if (current !== null) close();
    return;
  }
  reveal(wanted);
  if (wanted !== current) open(wanted, { remember: false });
  record();
}
function reveal(key) { if (isHidden(tileOf(key))) arrange("all"); }
/* A link to a cell that leaves everything else as it is. */
function cellLink(key, title, text) {
  return h("a", { href: "#" + encodeURIComponent(key), title, click: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    reveal(key);
    open(key, { focus: true });
  } }, text);
}
