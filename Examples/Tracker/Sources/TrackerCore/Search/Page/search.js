// Carries out the commands of the store, and shows its state. What comes from the server is only
// ever set as text.

import { initial, page, reduce, summary } from "./store.js";

const element = id => document.getElementById(id);
const [field, list, status, problem, retry, more]
  = ["text", "launches", "status", "problem", "retry", "more"].map(element);

let state = initial;
let shown = null; // the launches that the list shows
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

const address = query =>
  location.pathname + (query === "" ? "" : `?q=${encodeURIComponent(query)}`);

async function ask({ request, query, page: cursor }) {
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
  if (error instanceof SyntaxError) return "The answer of the server is no JSON.";
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
  if (hadFocus && more.hidden) focusInsteadOfMore();
  watchEnd();
}

// A button that goes must not take the place of the keyboard with it.
function focusInsteadOfMore() {
  if (state.phase === "failed") retry.focus();
  else (list.querySelector("[tabindex]") ?? field).focus();
}

function renderList() {
  if (shown === state.launches) return;
  const isLonger = shown !== null && shown.length > 0 && shown.length <= state.launches.length
    && shown.every((launch, index) => launch === state.launches[index]);
  const added = state.launches.slice(isLonger ? shown.length : 0).map(row);
  if (isLonger) list.append(...added);
  else list.replaceChildren(...added);
  // The first that is new, where whoever asked for more goes on.
  list.querySelector("[tabindex]")?.removeAttribute("tabindex");
  added[0]?.setAttribute("tabindex", "-1");
  shown = state.launches;
}

const results = {
  upcoming: ["→", "To come"],
  succeeded: ["✓", "Success"],
  failed: ["✗", "Failure"],
  unknown: ["?", "Outcome unknown"],
};

function row(launch) {
  const item = make("li", launch.result);
  const heading = make("h2");
  // Names in a script that runs the other way do not turn around what stands beside them.
  heading.append(make("bdi", "name", launch.name));
  const facts = make("p", "facts");
  const [sign, word] = results[launch.result];
  const mark = make("span", "mark", sign);
  mark.setAttribute("aria-hidden", "true");
  facts.append(mark, ` ${word}`);
  if (launch.number !== null) facts.append(` · Flight ${launch.number}`);
  if (launch.date !== null) facts.append(" · ", time(launch.date));
  item.append(heading, facts);
  if (launch.details !== "") {
    const details = make("p", "details", launch.details);
    details.dir = "auto";
    item.append(details);
  }
  return item;
}

function time(date) {
  const text = date.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const time = make("time", "", text);
  time.dateTime = date.toISOString();
  return time;
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
more.addEventListener("click", () => dispatch({ type: "reachedEnd" }));
retry.addEventListener("click", () => {
  // As above: the button is about to go.
  field.focus();
  dispatch({ type: "retried" });
});
document.addEventListener("keydown", event => {
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (event.key === "/" && !hasModifier && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
    field.select();
  } else if (event.key === "Escape" && !event.isComposing && field.value !== "") {
    field.value = "";
    dispatch({ type: "typed", text: "" });
    dispatch({ type: "submitted" });
  }
});

field.value = new URLSearchParams(location.search).get("q") ?? "";
dispatch({ type: "opened", text: field.value });
