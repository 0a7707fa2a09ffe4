/* ---- the matrix: what passes the filters, totals, order ---- */
const grid = byId("grid");
const rowsNow = () => [...grid.querySelectorAll("tr[data-measure]")];
const rows = grid ? rowsNow() : [];
const tilesOf = (row) => [...row.querySelectorAll("td[role=gridcell]")];
const tiles = rows.flatMap(tilesOf);
const search = byId("search"), refuted = byId("refuted"), versus = { checked: false };
const rivals = [byId("rival-one"), byId("rival-two")];
const order = { rows: "", columns: "" };
const folded = new Set();
const kindOf = (row) => row.parentElement.dataset.kind || "";
const placeOf = (entry) => entry.dataset.condition + " " + entry.dataset.reading;

/* A predicate for tiles: what all of the filters let through. */
function passing() {
  const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const readings = ticked("reading"), verdicts = ticked("verdict"), families = ticked("family");
  const pair = versus.checked ? rivals.map((select) => select.value) : null;
  const narrow = verdicts.size < boxes("verdict").length || Boolean(refuted?.checked);
  return (tile) => {
    const row = tile.parentElement;
    if (!readings.has(tile.dataset.reading)) return false;
    if (boxes("family").length && !families.has(tile.dataset.condition.split(".")[0])) return false;
    if (pair && !(pair.includes(row.dataset.measure) && differ(pair, tile))) return false;
    if (!words.every((word) => row.dataset.text.toLowerCase().includes(word))) return false;
    if (!tile.dataset.verdict) return !narrow;
    return verdicts.has(tile.dataset.verdict) && (!refuted?.checked || tile.dataset.fate === "refuted");
  };
}
function differ([one, other], tile) {
  const verdictOf = (measure) => cells.get(`${measure}.${tile.dataset.condition}.${tile.dataset.reading}`)?.verdict;
  return one === other || verdictOf(one) !== verdictOf(other);
}

function filter() {
  const passes = passing(), columns = new Set();
  let count = 0;
  for (const row of rows) {
    let any = false;
    for (const tile of tilesOf(row)) {
      const match = passes(tile);
      tile.classList.toggle("dim", !match);
      if (match) { any = true; columns.add(placeOf(tile)); }
      if (match && tile.dataset.verdict) count++;
    }
    row.hidden = !any || folded.has(kindOf(row));
  }
  foldHeads();
  for (const entry of grid.querySelectorAll("[data-reading]")) entry.hidden = !columns.has(placeOf(entry));
  const readings = new Set([...columns].map((column) => column.slice(column.lastIndexOf(" ") + 1)));
  grid.classList.toggle("single", readings.size === 1 && Boolean(data.first));
  span(columns);
  say(count);
}
/* A family of measures folds to its heading, which stays where anything of it passes the filters. */
function foldHeads() {
  for (const button of grid.querySelectorAll("[data-fold]")) {
    const own = rows.filter((row) => kindOf(row) === button.dataset.fold);
    const open = !folded.has(button.dataset.fold);
    button.setAttribute("aria-expanded", String(open));
    button.closest("tr").hidden = open && own.every((row) => row.hidden);
  }
}
function fold(kind) {
  if (!folded.delete(kind)) folded.add(kind);
  refresh();
  record();
}
/* A condition's heading spans the readings that are left of it, whose first and last frame it. */
function span(columns) {
  for (const head of grid.querySelectorAll("th.condition")) {
    const own = (column) => column.slice(0, column.lastIndexOf(" ")) === head.dataset.condition;
    const width = [...columns].filter(own).length;
    head.hidden = width === 0;
    head.colSpan = Math.max(width, 1);
  }
  for (const row of [grid.tHead.rows[1], ...rows, ...grid.tFoot.rows]) {
    const line = [...row.querySelectorAll("[data-reading]")].filter((entry) => !entry.hidden);
    line.forEach((entry, at) => {
      entry.classList.toggle("first", entry.dataset.condition !== line[at - 1]?.dataset.condition);
      entry.classList.toggle("last", entry.dataset.condition !== line[at + 1]?.dataset.condition);
    });
  }
}
function say(count) {
  byId("nothing").hidden = count > 0;
  byId("scroller").hidden = count === 0;
  const all = cells.size, part = count === all ? "" : `${number(count)} of `;
  byId("count").textContent = part + (all === 1 ? "1 cell" : `${number(all)} cells`);
  byId("clear").hidden = written() === "";
  sayVersus();
}
/* How one measure does against another, in a sentence. */
function sayVersus() {
  byId("rivals").hidden = !versus.checked;
  if (!versus.checked) return;
  const readings = ticked("reading"), [one, other] = rivals.map((select) => select.value);
  const alone = (a, b) => [...cells.values()].filter((cell) => cell.measure === a && readings.has(cell.reading)
    && satisfied(cell.verdict) && !satisfied(cells.get(`${b}.${cell.condition}.${cell.reading}`)?.verdict)).length;
  const [name, rival] = [one, other].map((id) => data.measures[id].name);
  byId("versus-says").textContent = `${name} alone satisfies ${alone(one, other)}, ${rival} alone ${alone(other, one)}; `
    + "only cells in which they differ are shown.";
}

/* ---- totals, of the cells that are shown ---- */
function total(within) {
  const run = within.filter((tile) => !isHidden(tile) && tile.dataset.verdict && tile.dataset.verdict !== "not run");
  return { holds: run.filter((tile) => satisfied(tile.dataset.verdict)).length, of: run.length };
}
function put(entry, { holds, of }) {
  entry.firstElementChild.textContent = of ? holds : "–";
  entry.lastElementChild.textContent = of ? "/" + of : "";
  entry.title = of ? `${holds} of ${of} satisfied` : "";
}
function totals() {
  for (const row of rows) put(row.querySelector("td.total"), total(tilesOf(row)));
  for (const entry of grid.tFoot.querySelectorAll("td.total")) {
    put(entry, total(tiles.filter((tile) => !entry.dataset.reading || placeOf(tile) === placeOf(entry))));
  }
}

/* ---- order ---- */
function byTotal(direction) {
  const sign = direction === "most" ? -1 : 1;
  return (a, b) => sign * (a.share - b.share) || a.place - b.place;
}
const share = ({ holds, of }) => of ? holds / of : -1;
function sort() {
  const ranked = rows.map((row, place) => ({ row, place, share: share(total(shown(row))) }));
  if (order.rows) ranked.sort(byTotal(order.rows));
  ranked.forEach(({ row }) => row.parentElement.append(row));
  const heads = Object.keys(data.conditions).map((id, place) => ({
    id, place, share: share(total(tiles.filter((tile) => tile.dataset.condition === id))),
  }));
  if (order.columns) heads.sort(byTotal(order.columns));
  for (const row of [...grid.tHead.rows, ...rows, ...grid.tFoot.rows]) {
    const end = row.querySelector(".total:not([data-reading])");
    for (const { id } of heads) {
      const own = [...row.querySelectorAll("[data-condition]")].filter((entry) => entry.dataset.condition === id);
      if (end) end.before(...own); else row.append(...own);
    }
  }
  for (const [name, signs] of [["rows", "↓↑"], ["columns", "→←"]]) {
    const button = byId("sort-" + name), direction = order[name];
    button.querySelector("i").textContent = direction ? signs[direction === "most" ? 0 : 1] : "↕";
    const now = direction ? `, now ${direction} first` : "";
    button.setAttribute("aria-label", `Sort ${name} by how many cells are satisfied${now}`);
  }
  const sorted = { "": "none", most: "descending", fewest: "ascending" };
  byId("total-head").setAttribute("aria-sort", sorted[order.rows]);
}
const NEXT = { "": "most", most: "fewest", fewest: "" };
function turn(name) { order[name] = NEXT[order[name]]; refresh(); record(); }

/* ---- presets ---- */
function arrange(name) {
  form.reset();
  for (const each of LISTS) {
    for (const box of boxes(each)) box.checked = name !== "canonical" || preferred(each, box);
  }
  if (refuted) refuted.checked = name === "refuted";
  versus.checked = name === "versus";
  refresh();
}
function preset(name) { arrange(name); record(); }
function presetNow() {
  if (versus.checked) return "versus";
  const all = (name) => boxes(name).every((box) => box.checked);
  if (search.value.trim() || !all("family") || !all("verdict")) return "";
  if (all("reading")) return refuted?.checked ? "refuted" : "all";
  const first = boxes("reading").every((box) => box.checked === preferred("reading", box));
  return first && !refuted?.checked ? "canonical" : "";
}

function refresh() {
  filter();
  totals();
  sort();
  span(new Set(tiles.filter((tile) => !isHidden(tile)).map(placeOf)));
  const now = presetNow();
  for (const button of document.querySelectorAll("[data-preset]")) {
    button.setAttribute("aria-pressed", String(button.dataset.preset === now));
  }
  const tabbable = grid.querySelector('td[tabindex="0"]');
  if (!tabbable || isHidden(tabbable)) {
    const next = rowsNow().map((row) => shown(row)[0]).find(Boolean);
    if (next) rove(next);
  }
}
