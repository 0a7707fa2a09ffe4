const data = JSON.parse(document.getElementById("data").textContent);
const cells = new Map(Object.entries(data.cells));
const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);

/* Elements are built from text nodes only: nothing that comes from the data is ever parsed as markup. */
function add(node, children) {
  for (const child of children.flat(Infinity)) {
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
function number(value) { return value.toLocaleString("en"); }
function satisfied(verdict) { return data.satisfied.includes(verdict); }
function mark(verdict) {
  return h("i", { class: "mark v-" + verdict.replace(" ", "-"), "aria-hidden": "true" }, data.verdicts[verdict].symbol);
}
/* A text whose sources are links. */
function cited(pieces) {
  return pieces.map(([text, href]) => href ? h("a", { href, rel: "noopener noreferrer" }, text) : text);
}
