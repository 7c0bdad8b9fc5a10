// What every page can do with the keyboard: pages add their own keys to those of the site.

const keys = new Map();

/// Adds keys that lead somewhere or do something; a later one replaces an earlier one.
///
/// `addKeys([{ key: "r", does: "Refresh", act: () => refresh() }])`. A key without `act` is listed
/// only: the page sees to it itself.
export function addKeys(added) {
  for (const one of added) keys.set(one.key, one);
}

/// Whether somebody writes, so that keys are letters.
export function isWriting(element) {
  return element.matches?.("input:not([type=checkbox], [type=button], [type=radio], [type=range]), "
    + "textarea, select, [contenteditable]") ?? false;
}

const dialog = document.getElementById("keys");
const opener = document.getElementById("show-keys");

for (const link of document.querySelectorAll("nav [data-key]")) {
  addKeys([{ key: link.dataset.key, does: link.textContent, act: () => link.click() }]);
}
const search = document.querySelector("[role=search] input, input[type=search]");
addKeys([
  search
    ? { key: "/", does: "Search", act: () => { search.focus(); search.select(); } }
    // The fragment is the field, which has the focus then.
    : { key: "/", does: "Search launches", act: () => location.assign("/search#text") },
]);
addKeys([{ key: "?", does: "These keys", act: showKeys }]);

function showKeys() {
  if (dialog.open) return;
  dialog.querySelector("dl").replaceChildren(...[...keys.values()].flatMap(line));
  dialog.showModal();
}

function line({ key, does }) {
  const term = document.createElement("dt"), sign = document.createElement("kbd");
  const meaning = document.createElement("dd");
  sign.textContent = key;
  term.append(sign);
  meaning.textContent = does;
  return [term, meaning];
}

opener.hidden = false;
opener.addEventListener("click", showKeys);

addEventListener("keydown", event => {
  const { key, isComposing, ctrlKey, altKey, metaKey, target, defaultPrevented } = event;
  // With a modifier a key is the browser's; while a letter is composed it is part of it.
  if (defaultPrevented || isComposing || ctrlKey || altKey || metaKey) return;
  if (dialog.open || isWriting(target)) return;
  const meaning = keys.get(key);
  if (!meaning?.act) return;
  event.preventDefault();
  meaning.act();
});
