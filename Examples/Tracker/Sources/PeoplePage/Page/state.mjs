// The state of the page: one value. What happens is an action; `reduce` gives the state after it
// and what is to be done, as commands. It does nothing itself, and needs no page.

import { noFilters, problemOf, questionOf } from './filters.mjs';

export const pageLength = 100;

/// How long after a page the next is asked for, in milliseconds. A view has parts of two pages, of
/// three at most, so that nobody asks for more than ten in a second, however the scroll bar is
/// dragged.
export const restPerPage = 125;

/// How many pages are kept on either side of those in sight.
const pagesKept = 8;

export function initialState(visitor, filters = noFilters, notice = '') {
  return {
    visitor,
    revision: 0,
    filters,
    // Words about what of the address is no filter.
    notice,
    // Which filter the newest entry of the browser's history is about.
    remembered: '',
    sizeProblem: '',
    // loading, waiting for a server that is not ready, ready or failed
    status: 'loading',
    problem: '',
    everybody: null,
    total: 0,
    // The number of the question that `total` and `pages` answer.
    answered: -1,
    // By number: rows, 'loading' or 'failed'.
    pages: new Map(),
    seen: { first: 0, end: 0 },
    isResting: false,
    selected: null,
    choice: null,
  };
}

/// The state after an action, and the commands that follow from it.
export function reduce(state, action) {
  switch (action.type) {
    case 'opened': return search(state);
    case 'nameChanged': return filter(state, { name: action.text });
    case 'bloodTypesChanged': return filter(state, { bloodTypes: action.types });
    case 'orderChanged': return filter(state, { order: action.order });
    case 'sizesChanged': return filter(state, { sizes: action.sizes });
    case 'filtersCleared': return filtersCleared(state);
    case 'addressChanged': return addressChanged(state, action);
    case 'answered': return answered(state, action);
    case 'refused': return refused(state, action);
    case 'delayed': return delayed(state, action);
    case 'waited': return waited(state, action);
    case 'rowsSeen': return rowsSeen(state, action);
    case 'rested': return fetchPages({ ...state, isResting: false });
    case 'pageCame': return pageCame(state, action);
    case 'pageFailed': return pageFailed(state, action);
    case 'retried': return retried(state);
    case 'moved': return select(state, (state.selected ?? (action.by > 0 ? -1 : 0)) + action.by);
    case 'selected': return select(state, action.place);
    case 'lastSelected': return select(state, state.total - 1);
    case 'choiceAsked': return choiceAsked(state, action.seed);
    case 'chosen': return chosen(state, action);
    case 'choiceFailed':
      if (action.revision !== state.answered) return [state, []];
      return [{ ...state, choice: { problem: action.problem } }, []];
    default: throw new Error(`There is no action ${action.type}.`);
  }
}

/// The person at a place, if that page is there.
export function personAt(state, place) {
  const page = state.pages.get(Math.floor(place / pageLength));
  return Array.isArray(page) ? page[place % pageLength] : undefined;
}

export function isPageFailed(state, place) {
  return state.pages.get(Math.floor(place / pageLength)) === 'failed';
}

/// Whether an answer is to come.
export function isBusy({ status }) { return status === 'loading' || status === 'waiting'; }

/// `1,234 of 500,000 people`
export function countText({ status, total, everybody, answered }) {
  if (status === 'waiting') return 'The people are being prepared…';
  if (answered < 0) return status === 'failed' ? '' : 'Loading…';
  const people = `${everybody.toLocaleString('en')} people`;
  return total === everybody ? people : `${total.toLocaleString('en')} of ${people}`;
}

/// While sizes are none, nothing is asked: the list is that of the sizes before. Changes of one
/// filter after the other are one entry of the browser's history.
function filter(state, change) {
  const filters = { ...state.filters, ...change }, sizeProblem = problemOf(filters.sizes);
  if (sizeProblem) return [{ ...state, filters, sizeProblem }, []];
  const remembered = Object.keys(change).join(), isNew = remembered !== state.remembered;
  const [next, commands] = search({ ...state, filters, sizeProblem, remembered, notice: '' });
  return [next, [{ type: 'remember', filters, isNew }, ...commands]];
}

function filtersCleared(state) {
  return filter(state, { ...noFilters, order: state.filters.order });
}

/// Somebody went back in the browser's history, or forward.
function addressChanged(state, { filters, notice }) {
  return search({ ...state, filters, notice, sizeProblem: '', remembered: '' });
}

/// The list stays as it is until there is another one. What was missing of it is not waited for.
function search(state) {
  const revision = state.revision + 1;
  const question = questionOf(state.filters);
  const pages = new Map([...state.pages].filter(([, content]) => content !== 'loading'));
  return [{ ...state, revision, pages, status: 'loading', problem: '' }, [
    { type: 'search', visitor: state.visitor, revision, question },
  ]];
}

function answered(state, { revision, total, everybody, rows }) {
  if (revision !== state.revision) return [state, []];
  const next = {
    ...state, status: 'ready', total, everybody, answered: revision, selected: null, choice: null,
    pages: new Map(total > 0 ? [[0, rows]] : []), seen: { first: 0, end: 0 },
  };
  return [next, [{ type: 'showList', total }]];
}

function refused(state, { revision, problem }) {
  if (revision !== state.revision) return [state, []];
  return [{ ...state, status: 'failed', problem }, []];
}

/// The server is not ready, and is asked again.
function delayed(state, { revision, seconds }) {
  if (revision !== state.revision) return [state, []];
  return [{ ...state, status: 'waiting' }, [{ type: 'wait', revision, seconds }]];
}

/// What is said stays: it may well be said again. While sizes are none, nothing is asked.
function waited(state, { revision }) {
  if (revision !== state.revision || state.status !== 'waiting') return [state, []];
  if (state.sizeProblem) return [state, []];
  const [next, commands] = search(state);
  return [{ ...next, status: 'waiting' }, commands];
}

function rowsSeen(state, { first, end }) {
  return fetchPages({ ...state, seen: { first, end } });
}

/// Fetches the pages in sight that are not there, and lets go of those far away.
function fetchPages(state) {
  const { first, end } = state.seen;
  // The server keeps only the list that was asked for last. After a rest it is looked again what is
  // in sight by then.
  if (end <= first || state.status !== 'ready' || state.isResting) return [state, []];
  const firstPage = Math.floor(first / pageLength), lastPage = Math.floor((end - 1) / pageLength);
  const pages = new Map(), commands = [];
  for (const [page, content] of state.pages) {
    const isNear = page >= firstPage - pagesKept && page <= lastPage + pagesKept;
    // A page that is on its way is wanted only while it is in sight.
    const isInSight = page >= firstPage && page <= lastPage;
    if (Array.isArray(content) ? isNear : isInSight) pages.set(page, content);
    else if (content === 'loading') commands.push({ type: 'abandonPage', page });
  }
  for (let page = firstPage; page <= lastPage; page++) {
    if (pages.has(page) || page * pageLength >= state.total) continue;
    pages.set(page, 'loading');
    commands.push(fetchPage(state, page));
  }
  const fetched = commands.filter(({ type }) => type === 'fetchPage').length;
  if (fetched === 0) return [{ ...state, pages }, commands];
  commands.push({ type: 'rest', milliseconds: fetched * restPerPage });
  return [{ ...state, pages, isResting: true }, commands];
}

function fetchPage({ visitor, answered }, page) {
  return {
    type: 'fetchPage', visitor, revision: answered, page,
    from: page * pageLength, count: pageLength,
  };
}

function pageCame(state, { revision, page, rows }) {
  if (revision !== state.answered || state.pages.get(page) !== 'loading') return [state, []];
  return [{ ...state, pages: new Map(state.pages).set(page, rows) }, []];
}

/// A list that the server does not keep any more is asked for again.
function pageFailed(state, { revision, page, problem, isListGone }) {
  if (revision !== state.answered || state.pages.get(page) !== 'loading') return [state, []];
  if (isListGone) return search(state);
  return [{ ...state, problem, pages: new Map(state.pages).set(page, 'failed') }, []];
}

function retried(state) {
  if (state.status === 'failed') return search(state);
  const pages = new Map([...state.pages].filter(([, content]) => content !== 'failed'));
  return fetchPages({ ...state, problem: '', pages });
}

function select(state, place) {
  if (state.total === 0) return [state, []];
  const selected = Math.max(0, Math.min(place, state.total - 1));
  return [{ ...state, selected }, [{ type: 'reveal', place: selected }]];
}

function choiceAsked(state, seed) {
  if (state.status !== 'ready') return [state, []];
  return [state, [{ type: 'choose', visitor: state.visitor, revision: state.answered, seed }]];
}

function chosen(state, { revision, seed, place, person }) {
  if (revision !== state.answered) return [state, []];
  const choice = { seed, place, person };
  return [{ ...state, selected: place, choice }, [{ type: 'reveal', place }]];
}
