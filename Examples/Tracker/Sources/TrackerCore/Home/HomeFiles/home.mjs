// Home without loading the page again: sections are taken over from a page that the server made, so
// there is one look of each. What counts down ticks, and what is slow is looked for again.

import { addKeys } from "/site/site.mjs";

const home = document.querySelector(".home");
const told = document.getElementById("told");

// How far the clock of this machine is behind the server's, in milliseconds.
let behind = Number(home.dataset.now) * 1000 - Date.now();

/// Asks for a page; what comes is a document whose scripts do not run.
function ask(address) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.responseType = "document";
    request.open("GET", address);
    request.timeout = 20_000;
    const fail = () => reject(new Error("The server cannot be reached."));
    request.onerror = fail;
    request.ontimeout = fail;
    request.onload = () => request.response?.querySelector(".home")
      ? resolve(request.response)
      : reject(new Error(`The server answered with ${request.status}, and no page.`));
    request.send();
  });
}

/// Shows what has come: only the sections that were asked for, or all of the page.
function show(page, name) {
  behind = Number(page.querySelector(".home").dataset.now) * 1000 - Date.now();
  const replace = selector => {
    const old = document.querySelector(selector), made = page.querySelector(selector);
    if (old && made) replaceKeepingFocus(old, document.adoptNode(made));
  };
  if (name) {
    replace(`#${CSS.escape(name)}`);
    replace("#standing");
    return tick();
  }
  // How the site stands may have changed: then more than the sections is another.
  const parts = [...page.querySelectorAll(".home > *")].map(part => document.adoptNode(part));
  const had = document.activeElement?.id;
  home.replaceChildren(...parts.map(part => part.id === "told" ? told : part));
  if (had) document.getElementById(had)?.focus({ preventScroll: true });
  tick();
}

/// The keyboard goes on in the new section: at the first item that the old one did not have.
function replaceKeepingFocus(old, made) {
  const hadFocus = old.contains(document.activeElement);
  const count = old.querySelectorAll(".list > li").length;
  old.replaceWith(made);
  if (!hadFocus) return;
  const added = made.querySelectorAll(".list > li")[count]?.querySelector("a");
  (added ?? made).focus({ preventScroll: !added });
}

function say(text) {
  told.textContent = text;
}

let newest = 0;

async function refresh() {
  const number = ++newest;
  home.setAttribute("aria-busy", "true");
  say("Refreshing…");
  try {
    const page = await ask(location.pathname + withoutOnly(location.search));
    if (number !== newest) return;
    show(page);
    say("Refreshed.");
    watch();
  } catch (error) {
    if (number === newest) complain(error.message);
  } finally {
    if (number === newest) home.removeAttribute("aria-busy");
  }
}

function withoutOnly(query) {
  const fields = new URLSearchParams(query);
  fields.delete("only");
  return fields.size === 0 ? "" : `?${fields}`;
}

/// What is shown stays; beside it stands what went wrong.
function complain(text) {
  say(text);
  const notice = document.createElement("p");
  notice.id = "trouble";
  notice.className = "notice failed";
  notice.textContent = `${text} What is here is what there was before.`;
  document.getElementById("trouble")?.remove();
  home.querySelector(".head")?.after(notice);
}

/// The sections that somebody has asked for, and that have not come yet.
const awaited = new Set();

/// Says what has come of a section, once it is more than on its way.
function tellOf(name) {
  if (slow().includes(name) || !awaited.delete(name)) return;
  const title = document.getElementById(`${name}-title`).textContent;
  const { state } = document.getElementById(name).dataset;
  say(`${title}: ${["failed", "stale"].includes(state) ? "it failed again" : "here it is"}.`);
}

/// Loads one section: as its link says it is to look, or as it does.
async function renew(name, link) {
  const section = document.getElementById(name);
  section?.setAttribute("aria-busy", "true");
  // What was chosen in the other sections stays.
  const fields = new URLSearchParams(withoutOnly(location.search));
  if (link) {
    const wanted = new URL(link.href).searchParams.get(name);
    if (wanted === null) fields.delete(name); else fields.set(name, wanted);
  }
  const address = `/?${new URLSearchParams([...fields, ["only", name]])}`;
  try {
    show(await ask(address), name);
    document.getElementById("trouble")?.remove();
    if (link) {
      history.replaceState(null, "", fields.size === 0 ? "/" : `/?${fields}`);
      awaited.add(name);
    }
    tellOf(name);
  } catch (error) {
    document.getElementById(name)?.removeAttribute("aria-busy");
    if (link) complain(error.message);
  }
  if (link) watch();
}

// What was slow is looked for again, less often each time.

let timer = null, wait = 500;

function watch() {
  clearTimeout(timer);
  if (slow().length === 0) {
    wait = 500;
    return;
  }
  timer = setTimeout(async () => {
    wait = Math.min(wait * 2, 8_000);
    if (!document.hidden) await Promise.all(slow().map(name => renew(name, null)));
    watch();
  }, wait);
}

function slow() {
  const sections = document.querySelectorAll(
    "[data-state=loading], [data-state=renewing], [data-state=making]");
  return [...sections].map(section => section.id);
}

// Until the next launch.

function tick() {
  const seconds = Math.floor((Date.now() + behind) / 1000);
  for (const one of document.querySelectorAll("[data-until]")) {
    const left = Number(one.dataset.until) - seconds;
    one.textContent = left > 0 ? `in ${parts(left)}` : "any moment";
  }
}

function parts(left) {
  const days = Math.floor(left / 86_400), rest = [left % 86_400 / 3_600, left % 3_600 / 60, left % 60];
  const [hours, minutes, seconds] = rest.map(Math.floor);
  const two = number => String(number).padStart(2, "0");
  const clock = `${two(hours)}:${two(minutes)}:${two(seconds)}`;
  if (days === 0) return clock;
  return `${days} ${days === 1 ? "day" : "days"}, ${clock}`;
}

setInterval(tick, 1_000);

// What people do.

home.addEventListener("click", event => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  if (link.id === "refresh") {
    event.preventDefault();
    refresh();
  } else if (link.dataset.section) {
    event.preventDefault();
    renew(link.dataset.section, link);
  }
});
addKeys([{ key: "r", does: "Refresh", act: refresh }]);

// Pull to refresh: from the top of the page, further than by accident.

const far = 70;
let start = null, pulled = 0;

addEventListener("touchstart", event => {
  start = scrollY <= 0 && event.touches.length === 1 ? event.touches[0].clientY : null;
  pulled = 0;
}, { passive: true });
addEventListener("touchmove", event => {
  if (start === null) return;
  pulled = Math.max(0, event.touches[0].clientY - start) / 2;
  showPull();
}, { passive: true });
addEventListener("touchend", () => {
  const isFar = start !== null && pulled >= far;
  start = null;
  pulled = 0;
  showPull();
  if (isFar) refresh();
});
addEventListener("touchcancel", () => {
  start = null;
  pulled = 0;
  showPull();
});

function showPull() {
  const pull = document.getElementById("pull");
  if (!pull) return;
  pull.hidden = pulled < 8;
  pull.textContent = pulled >= far ? "Let go to refresh" : "Pull to refresh";
  home.style.transform = pulled < 8 ? "" : `translateY(${Math.min(pulled, far + 10)}px)`;
}

tick();
watch();
