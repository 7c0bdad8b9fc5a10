// The state of the page: actions in, a pure reducer, commands out. It knows nothing of the
// document, of requests and of clocks, so it is tested without any of them.

/** How long a person may pause while typing before what is there is asked for, in milliseconds. */
export const pause = 300;

/** The state before anything has happened. */
export const initial = Object.freeze({
  text: "", // what stands in the field
  query: null, // what was asked for last; null before anything was
  phase: "idle", // idle, loading, ready, extending (the next page is on its way) or failed
  launches: [],
  next: null, // what to ask for to get the next page
  request: 0, // the number of the newest request: answers to others are out of date
  isWaiting: false, // for a pause in typing
  failure: null, // a sentence
  failedPage: null, // the page that failed; null if it was the first
});

/** Queries that differ only in this have the same answer. */
export const normalized = text => text.trim().replace(/\s+/gu, " ");

/**
 * The state after an action, and what to do.
 *
 * Actions: opened(text), typed(text), paused, submitted, reachedEnd, retried, and of a request
 * answered(request, page) and failed(request, sentence). Commands: wait(milliseconds), stopWaiting,
 * ask(request, query, page), cancel(request) and remember(query).
 */
export function reduce(state, action) {
  switch (action.type) {
    case "opened": return ask({ ...state, text: action.text }, normalized(action.text));
    case "typed": return typed({ ...state, text: action.text });
    case "paused": return state.isWaiting ? settled({ ...state, isWaiting: false }) : same(state);
    case "submitted": return settled(state);
    case "reachedEnd":
      if (state.phase !== "ready" || state.next === null) return same(state);
      return extend(state, state.next);
    case "retried":
      if (state.phase !== "failed") return same(state);
      return state.failedPage === null ? ask(state, state.query) : extend(state, state.failedPage);
    case "answered": return isCurrent(state, action) ? answered(state, action.page) : same(state);
    case "failed": return isCurrent(state, action) ? failed(state, action.sentence) : same(state);
    default: throw new TypeError(`there is no action ${action.type}`);
  }
}

const same = state => ({ state, commands: [] });

const isLoading = state => state.phase === "loading" || state.phase === "extending";

const isCurrent = (state, action) => isLoading(state) && action.request === state.request;

function typed(state) {
  if (normalized(state.text) !== state.query) {
    const commands = [{ type: "wait", milliseconds: pause }];
    return { state: { ...state, isWaiting: true }, commands };
  }
  if (!state.isWaiting) return same(state);
  return { state: { ...state, isWaiting: false }, commands: [{ type: "stopWaiting" }] };
}

/** What stands in the field is meant. */
function settled(state) {
  const commands = state.isWaiting ? [{ type: "stopWaiting" }] : [];
  const rested = { ...state, isWaiting: false };
  const query = normalized(state.text);
  // What is shown, or on its way, is not asked for again.
  if (query === state.query && state.phase !== "failed") return { state: rested, commands };
  const asked = ask(rested, query);
  return { state: asked.state, commands: [...commands, ...asked.commands] };
}

function ask(state, query) {
  const request = state.request + 1;
  return {
    state: {
      ...state, query, request, phase: "loading", next: null, failure: null, failedPage: null,
    },
    commands: [
      ...cancelling(state),
      { type: "remember", query },
      { type: "ask", request, query, page: null },
    ],
  };
}

function extend(state, page) {
  const request = state.request + 1;
  return {
    state: { ...state, request, phase: "extending", failure: null, failedPage: page },
    commands: [...cancelling(state), { type: "ask", request, query: state.query, page }],
  };
}

const cancelling = state =>
  isLoading(state) ? [{ type: "cancel", request: state.request }] : [];

function answered(state, page) {
  const shown = state.phase === "extending" ? state.launches : [];
  const known = new Set(shown.map(launch => launch.id));
  const added = page.launches.filter(launch => !known.has(launch.id) && known.add(launch.id));
  return same({
    ...state, phase: "ready", launches: [...shown, ...added], next: page.next, failedPage: null,
  });
}

function failed(state, sentence) {
  // What is shown belongs to another query if the first page of this one did not come.
  const launches = state.phase === "extending" ? state.launches : [];
  return same({ ...state, phase: "failed", launches, failure: sentence });
}

/**
 * A page as the server sends it, checked: whatever else it may be, it is not shown.
 *
 * Throws a TypeError with a sentence.
 */
export function page(value) {
  if (typeof value !== "object" || value === null || !Array.isArray(value.launches)) {
    throw new TypeError("The answer is no list of launches.");
  }
  const { next = null } = value;
  if (next !== null && typeof next !== "string") {
    throw new TypeError("The answer does not say where the next page is.");
  }
  return { launches: value.launches.map(launch), next: next === "" ? null : next };
}

function launch(value) {
  if (typeof value?.id !== "string" || typeof value.name !== "string") {
    throw new TypeError("A launch in the answer has no name.");
  }
  return {
    id: value.id,
    name: value.name,
    details: typeof value.details === "string" ? value.details : "",
    number: Number.isSafeInteger(value.flightNumber) ? value.flightNumber : null,
    // Dates end at 100,000,000 days from 1970.
    date: Math.abs(value.date) <= 8.64e12 ? new Date(value.date * 1000) : null,
    result: result(value),
  };
}

function result({ upcoming, success }) {
  if (upcoming === true) return "upcoming";
  if (success === true) return "succeeded";
  return success === false ? "failed" : "unknown";
}

/** What to tell of the state in a sentence, to those who do not see the list. */
export function summary(state) {
  const count = state.launches.length;
  const launches = count === 1 ? "1 launch" : `${count} launches`;
  const of = state.query ? ` for “${state.query}”` : "";
  switch (state.phase) {
    case "idle": return "";
    case "loading": return "Searching…";
    case "extending": return "Loading more…";
    case "failed": return state.failure;
    case "ready":
      if (count === 0) return state.query ? `No launch${of}.` : "There are no launches yet.";
      return state.next === null ? `${launches}${of}.` : `${launches}${of}, and there are more.`;
    default: throw new TypeError(`there is no phase ${state.phase}`);
  }
}
