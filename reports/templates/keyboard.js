/* ---- moving about in the matrix ---- */
function rove(tile) {
  for (const other of grid.querySelectorAll('td[tabindex="0"]')) other.tabIndex = -1;
  tile.tabIndex = 0;
}
function shown(row) { return row.hidden ? [] : tilesOf(row).filter((tile) => !tile.hidden); }

function neighbour(tile, key, far) {
  const visible = rowsNow().filter((row) => !row.hidden);
  const row = tile.parentElement, line = shown(row), at = line.indexOf(tile), down = visible.indexOf(row);
  const last = visible.length - 1;
  switch (key) {
    case "ArrowRight": return line[at + 1];
    case "ArrowLeft": return line[at - 1];
    case "ArrowDown": return shown(visible[Math.min(down + 1, last)])[at];
    case "ArrowUp": return shown(visible[Math.max(down - 1, 0)])[at];
    case "Home": return (far ? shown(visible[0]) : line)[0];
    case "End": return (far ? shown(visible[last]) : line).at(-1);
    case "PageDown": return shown(visible[last])[at];
    case "PageUp": return shown(visible[0])[at];
    default: return undefined;
  }
}
const KEYS = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End", "PageDown", "PageUp"];
function onKey(event) {
  const tile = event.target.closest("td[role=gridcell]");
  if (!tile || event.altKey || event.metaKey) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    open(tile.dataset.key, { focus: true });
  } else if (KEYS.includes(event.key)) {
    event.preventDefault();
    const next = neighbour(tile, event.key, event.ctrlKey);
    if (!next) return;
    rove(next);
    next.focus();
    if (current !== null && cells.has(next.dataset.key)) open(next.dataset.key);  // the open panel follows
  }
}
function onClick(event) {
  const tile = event.target.closest("td[role=gridcell]");
  if (!tile) return;
  rove(tile);
  tile.focus({ preventScroll: true });
  if (tile.dataset.key && tile.dataset.key === current) close();
  else open(tile.dataset.key);
  if (!panel.hidden && getComputedStyle(panel).position === "fixed") panel.focus();
}
