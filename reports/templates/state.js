/* ---- what is shown, kept in the address: #CELL?reading=canonical&sort=most ---- */
const form = byId("filters");
const LISTS = ["family", "reading", "verdict"];
const boxes = (name, within = form) => [...within.querySelectorAll(`input[name="${name}"]`)];
const ticked = (name, within) => new Set(boxes(name, within).filter((box) => box.checked).map((box) => box.value));

/* The fragment's two parts; what is before the question mark is a cell. */
function address() {
  const [key, query = ""] = location.hash.slice(1).split("?", 2);
  let cell = key;
  try { cell = decodeURIComponent(key); } catch { /* keep it as it stands */ }
  return { cell, query: new URLSearchParams(query) };
}
function preferred(name, box) { return name !== "reading" || !data.first || box.value === data.first; }

/* Only what differs from the first view is written down. */
function written() {
  const query = new URLSearchParams();
  if (search.value.trim()) query.set("q", search.value.trim());
  for (const name of LISTS) {
    const all = boxes(name);
    if (all.every((box) => box.checked === preferred(name, box))) continue;
    if (all.every((box) => box.checked)) query.set(name, "all");
    else all.filter((box) => box.checked).forEach((box) => query.append(name, box.value));
    if (!query.has(name)) query.set(name, "none");
  }
  if (refuted?.checked) query.set("only", "refuted");
  if (versus.checked) for (const choice of rivals) query.append("versus", choice.value);
  if (order.rows) query.set("sort", order.rows);
  if (order.columns) query.set("columns", order.columns);
  for (const kind of folded) query.append("fold", kind);
  if (choice.open) {
    for (const id of ticked("choose", choice)) query.append("choose", id);
    for (const name of ticked("under", choice)) query.append("under", name);
    if (!query.has("choose")) query.set("choose", "none");
  }
  return query.toString();
}
function fragment(cell) {
  const query = written();
  return (cell ? "#" + encodeURIComponent(cell) : query ? "#" : "") + (query ? "?" + query : "");
}
function record(push = false) {
  const wanted = fragment(current);
  if (wanted === location.hash) return;
  const where = wanted || location.pathname + location.search;
  if (push) history.pushState(null, "", where);
  else history.replaceState(null, "", where);
}
function direction(word) { return ["most", "fewest"].includes(word) ? word : ""; }
function read(query) {
  search.value = query.get("q") || "";
  for (const name of LISTS) {
    const asked = query.getAll(name);
    const wanted = (box) => asked.includes("all") || asked.includes(box.value);
    for (const box of boxes(name)) box.checked = asked.length ? wanted(box) : preferred(name, box);
  }
  if (refuted) refuted.checked = query.get("only") === "refuted";
  const pair = query.getAll("versus").filter((id) => data.measures[id]);
  versus.checked = pair.length === 2;
  if (versus.checked) rivals.forEach((select, at) => { select.value = pair[at]; });
  order.rows = direction(query.get("sort"));
  order.columns = direction(query.get("columns"));
  folded.clear();
  for (const kind of query.getAll("fold")) folded.add(kind);
  readChoice(query);
}
