/* ---- start ---- */
for (const place of document.querySelectorAll("[data-example]")) {
  const drawing = data.conditions[place.dataset.example].example;
  if (drawing) add(place, [figures(drawing), pictureKey(drawing)]);
}
if (!grid) return;
for (const id of ["presets", "toggle", "choice"]) byId(id).hidden = false;
const toggle = byId("toggle");
function showFilters(wanted) {
  form.hidden = !wanted;
  toggle.setAttribute("aria-expanded", String(wanted));
}
toggle.addEventListener("click", () => showFilters(form.hidden));
for (const button of document.querySelectorAll("[data-preset]")) {
  button.addEventListener("click", () => preset(button.dataset.preset));
}
for (const name of ["rows", "columns"]) byId("sort-" + name).addEventListener("click", () => turn(name));
for (const button of grid.querySelectorAll("[data-fold]")) {
  button.addEventListener("click", () => fold(button.dataset.fold));
}
grid.addEventListener("keydown", onKey);
grid.addEventListener("click", onClick);
form.addEventListener("input", () => { refresh(); record(); });
form.addEventListener("submit", (event) => event.preventDefault());
for (const select of rivals) select.addEventListener("input", () => { refresh(); record(); });
byId("clear").addEventListener("click", () => {
  order.rows = order.columns = "";
  folded.clear();
  preset(data.first ? "canonical" : "all");
});
byId("ask").addEventListener("click", () => {
  choice.open = true;
  choice.scrollIntoView({ block: "start" });
  choice.querySelector("input").focus({ preventScroll: true });
});
choice.addEventListener("input", () => { rank(); record(); });
choice.addEventListener("toggle", () => record());
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && current !== null && event.target.id !== "search") close();
});
addEventListener("hashchange", follow);
addEventListener("popstate", follow);
read(address().query);
refresh();
showFilters(presetNow() === "");  // filters of one's own are to be seen
follow();
