/* ---- pictures: shapes in the places that the data gives; the ground has the colours of classes ---- */
function shape([kind, ...at]) {
  if (at.length === 1) return s("path", { class: kind, d: at[0] });
  if (at.length === 3) return s("text", { class: kind, x: at[0], y: at[1] }, at[2]);
  return s("rect", { class: kind, x: at[0], y: at[1], width: at[2], height: at[3], rx: 4 });
}
function parts(drawing, picture) {
  const all = { axis: picture.axis, ground: drawing.grounds[picture.ground], marks: picture.marks };
  return Object.entries(all).map(([name, shapes]) => s("g", { class: name }, shapes.map(shape)));
}
function drawPicture(drawing, picture) {
  const [left, width, height] = picture.frame;
  return s("svg", {
    class: "drawing", role: "img", "aria-label": picture.said, width, height, viewBox: `${-left} -19 ${width} ${height}`,
  }, parts(drawing, picture));
}
function figure(drawing, picture) {
  return h("figure", {},
    h("figcaption", {}, h("b", {}, picture.title), picture.score ? h("span", { class: "scored" }, picture.score) : null),
    h("div", { class: "drawn" },
      picture.frame ? drawPicture(drawing, picture) : null,
      picture.notes.map((note) => h("p", { class: "note" }, note))));
}
function figures(drawing) {
  const kind = (drawing.strip ? "figures strip" : drawing.pictures.length > 3 ? "figures four" : "figures")
    + (drawing.condensed ? " condensed" : "");
  const scrolled = drawing.condensed ? { tabindex: "0" } : {};  // so that the keyboard can scroll it
  return [
    h("div", { class: kind, ...scrolled }, drawing.pictures.map((picture) => figure(drawing, picture))),
    drawing.note ? h("p", { class: "note" }, drawing.note) : null,
  ];
}
function pictureKey(drawing) {
  const moves = drawing.pictures.some((picture) => picture.moves);
  const what = drawing.condensed ? ": objects that change hands." : ": object that changes hands.";
  return h("p", { class: "key" }, `Colour: ${drawing.coloured}. Outline: bicluster`, moves ? ", heavy where it changes. " : ". ",
    moves ? [h("span", { class: "moves" }, "Bold number"), what] : null);
}
/* All pictures on one sheet: the file that --svg of `explain` writes, with a style for paper. */
function sheet(drawing) {
  const { size: [width, height], title, texts } = drawing.sheet;
  return s("svg", { width, height, viewBox: `0 0 ${width} ${height}` },
    s("title", {}, title), s("style", {}, data.style), texts.map(shape),
    drawing.pictures.map((picture) => picture.frame ? s("g", { transform: `translate(${picture.place.join(" ")})` },
      s("desc", {}, picture.said), parts(drawing, picture)) : null));
}
function save(drawing, file) {
  const text = new XMLSerializer().serializeToString(sheet(drawing)) + "\n";
  const href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  h("a", { href, download: file }).click();
  URL.revokeObjectURL(href);
}
function saver(drawing, file) {
  return h("button", { type: "button", class: "button", title: file, click: () => save(drawing, file) }, "Save as SVG");
}
