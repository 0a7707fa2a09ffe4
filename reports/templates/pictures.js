/* ---- pictures: the ground coloured by gold class, biclusters as outlines on it ---- */
const INSET = 3.5;  // how far an outline lies inside one that it crosses

/* The names beside a large case are numbers of objects; each must be read, and so must a letter with star and prime. */
function nameRoom(drawing, names) {
  return drawing.condensed ? 6.6 * Math.max(2.5, ...names.map((name) => name.length)) + 8 : 0;
}

/* A strip has the objects across; a matrix has them down. Either way (row, col) are an object and a feature. */
function layout(drawing, ground, lanes) {
  const letters = lanes > 1 ? 10 * lanes + 8 : 12;  // where outlines cross, each letter has a place of its own
  const roomy = Math.max(letters, nameRoom(drawing, drawing.strip ? ground.rows : ground.cols));
  const fit = (room, count, most) => Math.max(roomy, Math.min(most, Math.floor(room / Math.max(count, 1))));
  if (drawing.strip) {
    const wide = fit(430, ground.rows.length, 36);
    const tall = Math.max(32, 12 + 2 * INSET * lanes);
    return { wide, tall, x: (row) => row * wide, y: () => 0, across: ground.rows.length, down: 1 };
  }
  const size = Math.min(fit(430 / drawing.pictures.length, ground.cols.length, 32), fit(620, ground.rows.length, 99));
  return {
    wide: size, tall: size, x: (row, col) => col * size, y: (row) => row * size,
    across: ground.cols.length, down: ground.rows.length,
  };
}

function drawGround(ground, at) {
  const group = s("g", { class: "ground" });
  for (let row = 0; row < ground.rows.length; row++) {
    for (let col = 0; col < ground.cols.length; col++) {
      const x = at.x(row, col) + 0.5, y = at.y(row, col) + 0.5;
      group.append(s("rect", { class: "bare", x, y, width: at.wide - 1, height: at.tall - 1 }));
    }
  }
  for (const [row, col, hues] of ground.cells) {
    const width = (at.wide - 1) / hues.length;  // an object of two classes has both colours
    hues.forEach((hue, part) => group.append(s("rect", {
      class: hue < 0 ? "no-hue" : "hue hue-" + hue,
      x: at.x(row, col) + 0.5 + part * width, y: at.y(row, col) + 0.5, width, height: at.tall - 1,
    })));
  }
  return group;
}

function drawBicluster(part, at, strip, lanes) {
  const inset = 1.3 + part.lane * INSET;
  const kind = part.changed ? "bicluster changed" : "bicluster";
  return s("g", { class: kind }, part.blocks.map(([top, left, bottom, right, spot]) => {
    const x = at.x(top, left), y = at.y(top, left);
    const width = (strip ? bottom - top + 1 : right - left + 1) * at.wide;
    const height = (strip ? 1 : bottom - top + 1) * at.tall;
    const box = s("rect", {
      class: "outline", x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx: 4,
    });
    if (part.quiet || at.wide < 12) return [box];
    const [centre, middle] = spot
      ? [at.x(...spot) + at.wide / 2 + (part.lane - (lanes - 1) / 2) * 10, at.y(...spot) + at.tall / 2]
      : [x + width / 2, y + height / 2];
    // Side by side, letters leave no room for a prime; the heavy outline says as much.
    const label = spot ? part.label.replace("′", "") : part.label;
    return [box, s("text", { class: spot ? "letter close" : "letter", x: centre, y: middle + 0.5 }, label)];
  }));
}

function spoken(picture) {
  const sets = picture.biclusters.filter((part) => !part.quiet).map((part) => part.said);
  if (picture.single) sets.push(picture.single);
  return `${picture.title}, ${picture.shape}: ${sets.join("; ") || "no bicluster"}`;
}

/* Numbers of objects (and features); those of objects that change hands stand out. */
function drawAxes(drawing, picture, ground, at) {
  const names = s("g", { class: "axis" }), moved = new Set(picture.moved);
  const step = drawing.strip ? at.wide : at.tall, every = drawing.condensed || step >= 13 ? 1 : step < 8 ? 4 : 2;
  ground.rows.forEach((label, row) => {
    if (row % every && !moved.has(row)) return;
    const place = drawing.strip ? { x: at.x(row) + at.wide / 2, y: -9, "text-anchor": "middle" }
      : { x: -6, y: at.y(row) + at.tall / 2, "text-anchor": "end" };
    names.append(s("text", { ...place, class: moved.has(row) ? "moves" : "" }, label));
  });
  if (!drawing.strip) {
    ground.cols.forEach((label, col) => {
      const x = at.x(0, col) + at.wide / 2;
      if (col % every === 0) names.append(s("text", { x, y: -9, "text-anchor": "middle" }, label));
    });
  }
  return names;
}

function drawPicture(drawing, picture) {
  const ground = drawing.grounds[picture.ground];
  const lanes = Math.max(...drawing.pictures.map((each) => each.lanes));
  const at = layout(drawing, ground, lanes);
  const digits = Math.max(1, ...ground.rows.map((label) => label.length));
  const left = drawing.strip ? 1 : digits * 7 + 8, top = 19;
  const width = at.across * at.wide, height = at.down * at.tall;
  return s("svg", {
    class: "drawing", role: "img", "aria-label": spoken(picture),
    width: width + left + 1, height: height + top + 1,
    viewBox: `${-left} ${-top} ${width + left + 1} ${height + top + 1}`,
  }, drawAxes(drawing, picture, ground, at), drawGround(ground, at),
  picture.biclusters.map((part) => drawBicluster(part, at, drawing.strip, picture.lanes)));
}

function figure(drawing, picture, score) {
  const ground = drawing.grounds[picture.ground];
  return h("figure", {},
    h("figcaption", {}, h("b", {}, picture.title), score ? h("span", { class: "scored" }, score) : null),
    h("div", { class: "drawn" },
      ground.rows.length && ground.cols.length ? drawPicture(drawing, picture) : null,
      picture.biclusters.length ? null : h("p", { class: "note" }, "No bicluster."),
      picture.single ? h("p", { class: "note" }, picture.single + ".") : null,
      ground.note ? h("p", { class: "note" }, ground.note) : null));
}

function figures(drawing, scores = {}) {
  const kind = (drawing.strip ? "figures strip" : drawing.pictures.length > 3 ? "figures four" : "figures")
    + (drawing.condensed ? " condensed" : "");
  const scrolled = drawing.condensed ? { tabindex: "0" } : {};  // so that the keyboard can scroll it
  return [
    h("div", { class: kind, ...scrolled },
      drawing.pictures.map((picture) => figure(drawing, picture, scores[picture.title]))),
    drawing.note ? h("p", { class: "note" }, drawing.note) : null,
  ];
}
function pictureKey(drawing) {
  const moves = drawing.pictures.some((picture) => picture.moved.length);
  const what = drawing.condensed ? ": objects that change hands." : ": object that changes hands.";
  return h("p", { class: "key" }, `Colour: ${drawing.coloured}. Outline: bicluster`, moves ? ", heavy where it changes. " : ". ",
    moves ? [h("span", { class: "moves" }, "Bold number"), what] : null);
}
