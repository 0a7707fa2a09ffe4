/* ---- theme: as the system has it, light or dark ---- */
const themes = ["system", "light", "dark"];
const themeButton = byId("theme");
function setTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme-name").textContent = theme[0].toUpperCase() + theme.slice(1);
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
