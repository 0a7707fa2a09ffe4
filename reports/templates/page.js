"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const cells = new Map(Object.entries(data.cells));
  const grid = document.getElementById("grid");
  const SVG = "http://www.w3.org/2000/svg";

  /* Elements are built from text nodes only: nothing that comes from the data is ever parsed as markup. */
  function add(node, children) {
    for (const child of children.flat()) {
      if (child !== null && child !== undefined && child !== "") node.append(child);
    }
    return node;
  }
  function h(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (typeof value === "function") node.addEventListener(key, value);
      else if (value !== null && value !== false) node.setAttribute(key, value);
    }
    return add(node, children);
  }
  function s(name, attributes, ...children) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    return add(node, children);
  }

  /* ---- theme ---- */
  const themes = ["system", "light", "dark"];
  const themeButton = document.getElementById("theme");
  function setTheme(theme) {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    document.getElementById("theme-name").textContent = theme[0].toUpperCase() + theme.slice(1);
    themeButton.setAttribute("aria-label", "Colour theme: " + theme);
    themeButton.dataset.value = theme;
  }
  function stored(value) {
    try {
      if (value) localStorage.setItem("metaeval-theme", value);
      return localStorage.getItem("metaeval-theme");
    } catch { return null; }  // storage may be forbidden to a page from disk
  }
  themeButton.hidden = false;
  setTheme(themes.includes(stored()) ? stored() : "system");
  themeButton.addEventListener("click", () => {
    const next = themes[(themes.indexOf(themeButton.dataset.value) + 1) % themes.length];
    setTheme(next);
    stored(next);
  });

  if (!grid) return;
  const panel = document.getElementById("panel");
  const stage = document.getElementById("stage");
  const rows = [...grid.tBodies[0].rows];
  const tiles = [...grid.querySelectorAll("td")];

  /* ---- pictures ---- */
  const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#9a9a9a"];
  const DARK = new Set([0]);  // the colours on which white is read better than black
  const HATCHES = 7;
  let pictureCount = 0;

  function hatch(id, kind) {
    const strokes = [
      [], ["M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2"], ["M-1,5 l2,2 M0,0 l6,6 M5,-1 l2,2"], ["M0,3 h6"], ["M3,0 v6"],
      ["M3,3 h.01"], ["M0,0 l6,6 M0,6 l6,-6"],
    ][kind];
    const paths = strokes.map((d) => s("path", {
      d, stroke: "#000", "stroke-opacity": ".3", "stroke-width": kind === 5 ? 2.4 : 1, "stroke-linecap": "round", fill: "none",
    }));
    return s("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse" }, paths);
  }
  function block(x, y, width, height, part, prefix) {
    const box = { x, y, width, height };
    const shapes = [s("rect", { ...box, fill: PALETTE[part.colour % PALETTE.length] })];
    const kind = part.colour % HATCHES;
    if (kind) shapes.push(s("rect", { ...box, fill: `url(#${prefix}-${kind})` }));
    return shapes;
  }
  function hatches(prefix, biclusters) {
    const kinds = new Set(biclusters.map((bicluster) => bicluster.colour % HATCHES));
    kinds.delete(0);
    return s("defs", {}, [...kinds].map((kind) => hatch(`${prefix}-${kind}`, kind)));
  }
  function swatch(part) {
    const prefix = "h" + pictureCount++;
    return s("svg", { class: "swatch", width: 16, height: 16, "aria-hidden": "true" },
      hatches(prefix, [part]), block(0, 0, 16, 16, part, prefix));
  }
  function ring(x, y, width, height) {
    const box = { x: x + 1.5, y: y + 1.5, width: width - 3, height: height - 3, rx: 2 };
    return [s("rect", { class: "moved under", ...box }), s("rect", { class: "moved", ...box })];
  }
  function movedKey() {
    return s("svg", { class: "drawing", width: 20, height: 20, "aria-hidden": "true" },
      s("rect", { width: 20, height: 20, fill: "#9a9a9a" }), ring(0, 0, 20, 20));
  }

  /* A cell is as wide as the biclusters that meet in one ask for, where there is room. */
  function cellWidth(picture, size) {
    const deepest = Math.max(1, ...picture.cells.map((entry) => entry[2].length));
    const room = Math.floor(420 / Math.max(picture.cols.length, 1));
    return Math.max(size, Math.min(room, deepest * 14 + 2, 142));
  }
  function drawCells(picture, size, wide, prefix) {
    const group = s("g", {});
    for (const [row, col, here, moved] of picture.cells) {
      const x = col * wide + 1, y = row * size + 1, side = size - 2, width = (wide - 2) / here.length;
      here.forEach((index, at) => {
        const part = picture.biclusters[index];
        add(group, block(x + at * width, y, width, side, part, prefix));
        if (width >= 12) {
          const colour = part.colour % PALETTE.length;
          group.append(s("text", {
            class: "cell-label", x: x + (at + 0.5) * width, y: y + side / 2 + 0.5, fill: DARK.has(colour) ? "#fff" : "#111", stroke: PALETTE[colour],
          }, part.label));
        }
      });
      if (moved) add(group, ring(x, y, wide - 2, side));
    }
    return group;
  }
  function drawMatrix(picture, prefix) {
    const most = Math.max(picture.rows.length, picture.cols.length, 1);
    const size = Math.max(9, Math.min(30, Math.floor(420 / most)));
    const letters = Math.max(1, ...picture.rows.map((label) => label.length));
    const longest = Math.max(1, ...picture.cols.map((label) => label.length));
    const wide = cellWidth(picture, size), upright = longest * 7 <= wide;
    const left = letters * 6.4 + 10, top = upright ? 18 : longest * 6.4 + 10;
    const width = picture.cols.length * wide, height = picture.rows.length * size;
    const every = size < 11 ? 2 : 1;
    const names = s("g", { class: "axis" });
    picture.rows.forEach((label, at) => {
      if (at % every === 0) names.append(s("text", { x: -6, y: (at + 0.5) * size, "text-anchor": "end" }, label));
    });
    picture.cols.forEach((label, at) => {
      const x = (at + 0.5) * wide;
      if (at % every) return;
      names.append(upright ? s("text", { x, y: -9, "text-anchor": "middle" }, label)
        : s("text", { transform: `translate(${x},-6) rotate(-90)`, "text-anchor": "start" }, label));
    });
    const lines = s("g", { class: "lines" });
    for (let at = 0; at <= picture.rows.length; at++) lines.append(s("path", { d: `M0,${at * size} h${width}` }));
    for (let at = 0; at <= picture.cols.length; at++) lines.append(s("path", { d: `M${at * wide},0 v${height}` }));
    const sets = picture.biclusters.map((part) => `${part.label} = ${part.set}`).join("; ") || "no bicluster";
    return s("svg", {
      class: "drawing", role: "img", "aria-label": `${picture.title}, ${picture.shape}: ${sets}`,
      width: width + left + 2, height: height + top + 2,
      viewBox: `${-left} ${-top} ${width + left + 2} ${height + top + 2}`,
    }, hatches(prefix, picture.biclusters), names, lines, drawCells(picture, size, wide, prefix));
  }
  /* Rows and columns each stay on one line where they are short. */
  function setText(text) {
    const [rowSet, colSet] = text.split(" × ");
    return [rowSet + " ×", colSet].map((side, at) => [at ? " " : "", h("span", side.length < 26 ? { class: "whole" } : {}, side)]).flat();
  }
  function figure(picture) {
    const prefix = "h" + pictureCount++;
    const drawable = picture.rows.length && picture.cols.length;
    return h("figure", {},
      h("figcaption", {}, h("b", {}, picture.title), h("span", {}, picture.shape)),
      drawable ? drawMatrix(picture, prefix) : null,
      picture.note ? h("p", { class: "note" }, picture.note) : null,
      picture.biclusters.length ? h("ul", { class: "sets" }, picture.biclusters.map((part) => h("li", part.changed ? { class: "changed" } : {},
        swatch(part), h("b", {}, part.label), h("span", { class: "set" }, setText(part.set))))) : h("p", { class: "note" }, "No bicluster."));
  }

  /* ---- evidence ---- */
  function mark(verdict) {
    return h("i", { class: "mark v-" + verdict.replace(" ", "-"), "aria-hidden": "true" }, data.verdicts[verdict].symbol);
  }
  function number(value) { return value.toLocaleString("en"); }

  function fact(term, ...text) { return h("div", {}, h("dt", {}, term), h("dd", {}, text)); }

  function score(title, value) {
    const shown = value.fraction || value.decimal, [above, below] = shown.split("/");
    const big = h("span", { class: shown.length > 9 ? "big long" : "big" }, above);
    if (below) add(big, ["/", h("wbr"), below]);
    return h("div", { class: "score" }, h("span", { class: "side" }, title),
      big,
      value.fraction && value.fraction !== value.decimal ? h("span", { class: "decimal" }, value.decimal) : null);
  }
  function scores(witness) {
    return h("section", {}, h("h3", {}, "Scores"),
      h("div", { class: "scores" }, score("Left", witness.left), score("Right", witness.right),
        score(witness.margin.name, witness.margin)),
      h("p", { class: "demand" }, h("b", {}, "Demanded: "), witness.demanded, ". ",
        h("b", {}, "Found: "), witness.found, "."));
  }
  function shared(witness) {
    return witness.shared.map(({ side, table }) => h("table", { class: "shared" },
      h("caption", {}, side + ": cells shared"),
      h("thead", {}, h("tr", {}, table[0].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, table.slice(1).map(([head, ...row]) => h("tr", {}, h("th", { scope: "row" }, head),
        row.map((text) => h("td", text === "0" ? { class: "zero" } : {}, text)))))));
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
  function recheck(witness, cell) {
    const file = cell.name.replace(/[^A-Za-z0-9._-]+/g, "_") + ".json";
    return h("section", {}, h("h3", {}, "Re-check"),
      copyable("metaeval verify results.json", "the command"),
      h("details", {}, h("summary", {}, "In Python"), copyable(witness.python, "the Python code")),
      h("details", {}, h("summary", {}, "Certificate"),
        h("p", { class: "note" }, `Saved as ${file}, it is checked alone by: metaeval verify ${file}`),
        copyable(witness.certificate, "the certificate")));
  }
  function evidence(witness, cell) {
    const changed = witness.pictures.some((picture) => picture.cells.some((entry) => entry[3]));
    return [
      scores(witness),
      h("section", {}, h("h3", {}, "The case"),
        h("p", { class: "note" }, `${cell.name} · ${witness.size}`,
          changed ? h("span", { class: "moved-key" }, movedKey(), "cell that differs between left and right") : null),
        h("div", { class: witness.pictures.length > 3 ? "figures four" : "figures" }, witness.pictures.map(figure)),
        witness.shared.length ? h("details", {}, h("summary", {}, "Sizes and intersections"), h("div", { class: "tables" }, shared(witness))) : null),
      recheck(witness, cell),
    ];
  }
  function fill(cell, key) {
    const measure = data.measures[cell.measure], condition = data.conditions[cell.condition];
    const reading = condition.readings[cell.reading];
    panel.replaceChildren();
    add(panel, [
      h("div", { class: "panel-top" },
        h("div", {}, h("p", { class: "crumb" }, `${cell.condition} ${condition.name} · ${cell.reading}`),
          h("h2", { id: "panel-title" }, measure.name)),
        h("div", { class: "tools" },
          h("a", { class: "button", href: "#" + encodeURIComponent(key), "aria-label": "Permalink to this cell", title: "Permalink" }, "#"),
          h("button", { type: "button", class: "button", id: "close", "aria-label": "Close the evidence", title: "Close (Esc)", click: close }, "✕"))),
      h("p", { class: "verdict" }, cell.before ? [mark(cell.before), " ", cell.before, " → "] : null,
        mark(cell.verdict), " ", h("b", {}, cell.verdict), h("span", { class: "why" }, cell.evidence || data.verdicts[cell.verdict].meaning)),
      cell.change ? h("p", { class: "message" }, cell.change) : null,
      cell.message ? h("p", { class: "message" }, cell.message) : null,
      measure.gate ? h("p", { class: "message" }, "† " + measure.gate) : null,
      cell.claim ? h("p", { class: "claim fate-" + cell.fate }, h("i", { class: "mark sample fate-" + cell.fate, "aria-hidden": "true" }),
        h("span", {}, `Claimed: ${cell.claim}. `, h("b", {}, cell.fate[0].toUpperCase() + cell.fate.slice(1)), ` under this reading: ${data.fates[cell.fate]}.`)) : null,
      h("section", {}, h("blockquote", {}, condition.statement, condition.citation ? h("cite", {}, condition.citation) : null),
        h("dl", { class: "facts column" }, fact("Reading", h("b", {}, cell.reading), reading.adds ? ": " + reading.adds : ""),
          reading.scope ? fact("Exhaustive", reading.scope) : null)),
    ]);
    add(panel, cell.witness ? evidence(cell.witness, cell)
      : [h("p", { class: "empty" }, cell.verdict === "holds" ? "No counterexample to draw: every case tried keeps the demand." : "No certificate: there is nothing to draw.")]);
  }

  /* ---- opening, permalinks ---- */
  let current = null;
  function tileOf(key) { return tiles.find((tile) => tile.dataset.key === key) || null; }

  function open(key, { focus = false, history: record = "push" } = {}) {
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
    const hash = "#" + encodeURIComponent(key);
    if (record && location.hash !== hash) {
      if (record === "push" && first) history.pushState(null, "", hash);
      else history.replaceState(null, "", hash);
    }
    if (focus) panel.focus({ preventScroll: false });
    return true;
  }
  function close() {
    if (current === null) return;
    const tile = tileOf(current);
    tile?.removeAttribute("aria-selected");
    current = null;
    panel.hidden = true;
    stage.classList.remove("open");
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
    tile?.focus();
  }
  function follow() {
    let key = location.hash.slice(1);
    try { key = decodeURIComponent(key); } catch { /* keep it as it stands */ }
    if (key === current) return;
    if (!cells.has(key)) close();
    else {
      if (tileOf(key)?.hidden || tileOf(key)?.parentElement.hidden) reset();
      open(key, { history: null });
    }
  }
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);

  /* ---- keyboard ---- */
  function rove(tile) {
    for (const other of grid.querySelectorAll('td[tabindex="0"]')) other.tabIndex = -1;
    tile.tabIndex = 0;
  }
  function shown(row) { return row.hidden ? [] : [...row.cells].filter((tile) => tile.tagName === "TD" && !tile.hidden); }

  function neighbour(tile, key, far) {
    const visible = rows.filter((row) => !row.hidden);
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
  grid.addEventListener("keydown", (event) => {
    const tile = event.target.closest("td");
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
  });
  grid.addEventListener("click", (event) => {
    const tile = event.target.closest("td");
    if (!tile) return;
    rove(tile);
    tile.focus({ preventScroll: true });
    if (tile.dataset.key && tile.dataset.key === current) close();
    else open(tile.dataset.key);
    if (!panel.hidden && getComputedStyle(panel).position === "fixed") panel.focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && current !== null && event.target.id !== "search") close();
  });

  /* ---- filters ---- */
  const form = document.getElementById("filters");
  form.hidden = false;
  const toggle = document.getElementById("toggle");
  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    toggle.setAttribute("aria-expanded", String(form.classList.toggle("shown")));
  });
  const search = document.getElementById("search"), refuted = document.getElementById("refuted");
  function chosen(name) {
    const boxes = [...form.querySelectorAll(`input[name="${name}"]`)];
    return boxes.length ? new Set(boxes.filter((box) => box.checked).map((box) => box.value)) : null;
  }
  function filter() {
    const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const readings = chosen("reading"), verdicts = chosen("verdict"), families = chosen("family");
    const narrow = verdicts.size < form.querySelectorAll('input[name="verdict"]').length || Boolean(refuted?.checked);
    const columns = new Set(), fits = (tile) => readings.has(tile.dataset.reading) &&
      (!families || families.has(tile.dataset.condition.split(".")[0]));
    let count = 0;
    for (const row of rows) {
      const text = row.dataset.text.toLowerCase();
      const named = words.every((word) => text.includes(word));
      let any = false;
      for (const tile of row.cells) {
        if (tile.tagName !== "TD") continue;
        const match = named && fits(tile) && (narrow || tile.dataset.verdict
          ? verdicts.has(tile.dataset.verdict) && (!refuted?.checked || tile.dataset.fate === "refuted") : !narrow);
        tile.classList.toggle("dim", !match);
        if (match) { any = true; columns.add(tile.dataset.condition + " " + tile.dataset.reading); }
        if (match && tile.dataset.verdict) count++;
      }
      row.hidden = !any;
    }
    for (const entry of grid.querySelectorAll("[data-reading]")) {
      entry.hidden = !columns.has(entry.dataset.condition + " " + entry.dataset.reading);
    }
    span(columns);
    document.getElementById("nothing").hidden = count > 0;
    document.getElementById("scroller").hidden = count === 0;
    const all = cells.size;
    document.getElementById("count").textContent = (count === all ? "" : `${number(count)} of `) + (all === 1 ? "1 cell" : `${number(all)} cells`);
    document.getElementById("clear").hidden = count === all;
    const tabbable = grid.querySelector('td[tabindex="0"]');
    if (!tabbable || tabbable.hidden || tabbable.parentElement.hidden) {
      const next = rows.map((row) => shown(row)[0]).find(Boolean);
      if (next) rove(next);
    }
  }
  /* A condition's heading spans the readings that are left of it, whose first and last frame it. */
  function span(columns) {
    for (const head of grid.querySelectorAll("th.condition")) {
      const width = [...columns].filter((column) => column.slice(0, column.lastIndexOf(" ")) === head.dataset.condition).length;
      head.hidden = width === 0;
      head.colSpan = Math.max(width, 1);
    }
    for (const row of [grid.tHead.rows[1], ...rows]) {
      const line = [...row.querySelectorAll("[data-reading]")].filter((entry) => !entry.hidden);
      line.forEach((entry, at) => {
        entry.classList.toggle("first", entry.dataset.condition !== line[at - 1]?.dataset.condition);
        entry.classList.toggle("last", entry.dataset.condition !== line[at + 1]?.dataset.condition);
      });
    }
  }
  function reset() { form.reset(); filter(); }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { filter(); search.focus(); }));
  filter();
  follow();
})();
