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
  total: 0, // how many launches fit the query, on all pages together
  all: 0, // how many there are
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
 * Actions: opened(text, page, sentence) with what the page came with or why it came without, or
 * neither; typed(text), paused, submitted, reachedEnd, retried, and of a request
 * answered(request, page) and failed(request, sentence). Commands: wait(milliseconds), stopWaiting,
 * ask(request, query, page), cancel(request) and remember(query).
 */
export function reduce(state, action) {
  switch (action.type) {
    case "opened": return opened({ ...state, text: action.text }, action);
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

function opened(state, { page = null, sentence = "" }) {
  const query = normalized(state.text);
  if (page !== null) return same({ ...state, ...page, query, phase: "ready" });
  if (sentence !== "") return same({ ...state, query, phase: "failed", failure: sentence });
  return ask(state, query);
}

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
    ...state, ...page, phase: "ready", launches: [...shown, ...added], failedPage: null,
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
    throw new TypeError("The answer is not a list of launches.");
  }
  const { next = null, total, all, marks } = value;
  if (next !== null && typeof next !== "string") {
    throw new TypeError("The answer does not say where the next page is.");
  }
  if (![total, all].every(count => Number.isSafeInteger(count) && count >= 0)) {
    throw new TypeError("The answer does not say how many launches there are.");
  }
  const marksOf = ({ id }) => (Object.hasOwn(marks ?? {}, id) ? marks[id] : null) ?? {};
  return {
    launches: value.launches.map(one => launch(one, marksOf(one ?? {}))),
    total, all, next: next === "" ? null : next,
  };
}

function launch(value, marks) {
  if (typeof value?.id !== "string" || typeof value.name !== "string") {
    throw new TypeError("A launch in the answer has no name.");
  }
  return {
    id: value.id,
    name: parts(value.name, marks.name),
    details: typeof value.details === "string" ? parts(value.details, marks.details) : [],
    number: Number.isSafeInteger(value.flightNumber) && value.flightNumber > 0
      ? value.flightNumber : null,
    // Before 1600 and after 9999 calendars do not agree.
    date: value.date >= -11_676_096_000 && value.date < 253_402_300_800 ? value.date : null,
    precision: Object.hasOwn(spans, value.datePrecision) ? value.datePrecision : "day",
    isYearMarked: marks.year === true,
    upcoming: value.upcoming === true,
    success: typeof value.success === "boolean" ? value.success : null,
  };
}

/** A text in parts, of which every other one is marked; the first and the last are not. */
export function parts(text, ranges) {
  if (!Array.isArray(ranges)) return text === "" ? [] : [text];
  const made = [];
  let rest = 0;
  for (const range of ranges) {
    const [start, end] = Array.isArray(range) ? range : [];
    const isGood = Number.isSafeInteger(start) && Number.isSafeInteger(end)
      && rest <= start && start < end && end <= text.length;
    if (!isGood) return [text];
    made.push(text.slice(rest, start), text.slice(start, end));
    rest = end;
  }
  return text === "" ? [] : [...made, text.slice(rest)];
}

/** How long after its date a launch may still be on time, by how exactly that is known. */
const day = 86_400;
const spans = {
  hour: 3_600, day, month: 31 * day, quarter: 92 * day, half: 184 * day, year: 366 * day,
};

/** How a launch went, as far as that is known at a time in seconds: a class and some words. */
export function result({ upcoming, success, date, precision }, now) {
  if (upcoming) {
    return date === null || date + spans[precision] >= now
      ? ["upcoming", "To come"] : ["overdue", "Was due; no result"];
  }
  if (success === null) return ["unknown", "Result not known"];
  return success ? ["succeeded", "Success"] : ["failed", "Failure"];
}

/** The date of a launch in words, no more exactly than it is known. */
export function dateText({ date, precision }) {
  const words = { year: "numeric", timeZone: "UTC" };
  if (["hour", "day", "month"].includes(precision)) words.month = "long";
  if (["hour", "day"].includes(precision)) words.day = "numeric";
  return new Date(date * 1_000).toLocaleDateString("en-GB", words);
}

const grouped = number => number.toLocaleString("en-GB");

/** What to tell of the state in a sentence, to those who do not see the list. */
export function summary(state) {
  switch (state.phase) {
    case "idle": return "";
    case "loading": return "Searching…";
    case "extending": return `${counts(state)}, and more are on their way`;
    case "failed": return state.failure;
    case "ready": return counts(state);
    default: throw new TypeError(`there is no phase ${state.phase}`);
  }
}

function counts({ query, total, all }) {
  const launches = all === 1 ? "1 launch" : `${grouped(all)} launches`;
  if (!query) return all === 0 ? "There are no launches yet." : launches;
  return `${total === 0 ? "None" : grouped(total)} of ${launches} with “${query}”`;
}

/** How much of what was found is in the list. */
export function shownText({ launches, total }) {
  return `${grouped(launches.length)} of ${grouped(total)} are shown`;
}
