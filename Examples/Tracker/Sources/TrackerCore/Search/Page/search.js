// Carries out the commands of the store, and shows its state. What comes from the server is only
// ever set as text.

import { addKeys } from "/site/site.mjs";
import { dateText, initial, page, reduce, result, shownText, summary } from "./store.js";

const element = id => document.getElementById(id);
const [field, list, status, problem, retry, more, shownCount]
  = ["text", "launches", "status", "problem", "retry", "more", "shown"].map(element);

let state = initial;
let shown = null; // the launches that the list shows
let firstNew = null; // the first row that came last
let timer = null;
const requests = new Map(); // what cancels a request, by its number

function dispatch(action) {
  const step = reduce(state, action);
  state = step.state;
  step.commands.forEach(perform);
  render();
}

function perform(command) {
  switch (command.type) {
    case "wait":
      clearTimeout(timer);
      timer = setTimeout(() => dispatch({ type: "paused" }), command.milliseconds);
      return;
    case "stopWaiting":
      clearTimeout(timer);
      return;
    case "cancel":
      requests.get(command.request)?.abort();
      requests.delete(command.request);
      return;
    case "remember":
      history.replaceState(null, "", address(command.query));
      return;
    case "ask":
      ask(command);
      return;
    default:
      throw new TypeError(`there is no command ${command.type}`);
  }
}

const address = query => "/search" + (query === "" ? "" : `?q=${encodeURIComponent(query)}`);

async function ask({ request, query, page: cursor }) {
  if (cursor === null) element("start")?.remove();
  const abort = new AbortController();
  requests.set(request, abort);
  const parameters = new URLSearchParams({ q: query });
  if (cursor !== null) parameters.set("page", cursor);
  try {
    const response = await fetch(`/launches?${parameters}`, { signal: abort.signal });
    if (!response.ok) throw new Error(await refusal(response));
    const answer = page(await response.json());
    dispatch({ type: "answered", request, page: answer });
  } catch (error) {
    // Whoever cancelled it does not wait for it.
    if (!abort.signal.aborted) dispatch({ type: "failed", request, sentence: sentence(error) });
  } finally {
    requests.delete(request);
  }
}

async function refusal(response) {
  const text = await response.json().then(body => body?.error?.message, () => null);
  const reason = typeof text === "string" && text !== "" ? `: ${text}` : "";
  return `The server answered ${response.status}${reason}.`;
}

function sentence(error) {
  if (error instanceof SyntaxError) return "The answer of the server is not JSON.";
  // The browser's own words for this say nothing.
  if (error instanceof TypeError && error.message.includes("fetch")) {
    return "The server cannot be reached.";
  }
  return error.message;
}

// What the state looks like.

function render() {
  document.body.dataset.phase = state.phase;
  list.setAttribute("aria-busy", String(state.phase === "loading" || state.phase === "extending"));
  renderList();
  const text = summary(state);
  // Said again only if it is something else.
  if (status.textContent !== text) status.textContent = text;
  problem.hidden = state.phase !== "failed";
  const hadFocus = document.activeElement === more;
  more.hidden = state.next === null || (state.phase !== "ready" && state.phase !== "extending");
  shownCount.textContent = more.hidden ? "" : shownText(state);
  document.body.removeAttribute("aria-busy");
  if (hadFocus && more.hidden) focusInsteadOfMore();
  watchEnd();
}

// A button that goes must not take the place of the keyboard with it.
function focusInsteadOfMore() {
  if (state.phase === "failed") retry.focus();
  else (firstNew?.querySelector("a") ?? field).focus();
}

function renderList() {
  if (shown === state.launches) return;
  const isLonger = shown !== null && shown.length > 0 && shown.length <= state.launches.length
    && shown.every((launch, index) => launch === state.launches[index]);
  const added = state.launches.slice(isLonger ? shown.length : 0).map(row);
  if (isLonger) list.append(...added);
  else list.replaceChildren(...added);
  // Where whoever asked for more goes on.
  firstNew = added[0];
  shown = state.launches;
}

// As the server makes it, for those who have no script.
function row(launch) {
  const item = make("li"), heading = make("h2"), link = make("a"), name = make("bdi", "name");
  item.id = `launch-${launch.id}`;
  link.href = `/launches/${encodeURIComponent(launch.id)}`
    + (state.query === "" ? "" : `?q=${encodeURIComponent(state.query)}`);
  name.append(...marked(launch.name));
  link.append(name);
  heading.append(link);
  const facts = make("p", "facts");
  const [kind, words] = result(launch, Date.now() / 1_000);
  facts.append(make("span", `badge ${kind}`, words));
  if (launch.number !== null) facts.append(make("span", "", `Flight ${launch.number}`));
  if (launch.date !== null) facts.append(time(launch));
  item.append(heading, facts);
  if (launch.details.length > 0) {
    const details = make("p", "details");
    details.dir = "auto";
    details.append(...marked(launch.details));
    item.append(details);
  }
  return item;
}

function time(launch) {
  const time = make("time"), text = dateText(launch);
  time.dateTime = new Date(launch.date * 1_000).toISOString().replace(".000Z", "Z");
  time.append(launch.isYearMarked ? make("mark", "", text) : text);
  return time;
}

// Every other part is what was looked for.
function marked(parts) {
  return parts.map((part, index) => (index % 2 === 1 ? make("mark", "", part) : part))
    .filter(part => part !== "");
}

function make(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}

// What people do.

const observer = new IntersectionObserver(
  entries => entries.at(-1).isIntersecting && dispatch({ type: "reachedEnd" }),
  { rootMargin: "400px" });

function watchEnd() {
  // An observer tells of changes only: if the end is still in sight with the next page there, it is
  // asked anew.
  observer.unobserve(more);
  if (!more.hidden) observer.observe(more);
}

field.addEventListener("input", () => dispatch({ type: "typed", text: field.value }));
element("search").addEventListener("submit", event => {
  event.preventDefault();
  dispatch({ type: "submitted" });
});
more.addEventListener("click", event => {
  event.preventDefault();
  dispatch({ type: "reachedEnd" });
});
retry.addEventListener("click", () => {
  // As above: the button is about to go.
  field.focus();
  dispatch({ type: "retried" });
});
// Listed here, done below.
addKeys([{ key: "Esc", does: "Search for nothing" }]);
document.addEventListener("keydown", event => {
  if (element("keys").open || event.isComposing) return;
  if (event.key !== "Escape" || field.value === "") return;
  field.value = "";
  dispatch({ type: "typed", text: "" });
  dispatch({ type: "submitted" });
});

// What the page came with is not asked for again.
const { page: first, failure } = element("found").dataset;
if (first === "") {
  dispatch({ type: "opened", text: field.value, sentence: failure });
} else {
  const found = page(JSON.parse(first));
  shown = found.launches;
  dispatch({ type: "opened", text: field.value, page: found });
}
