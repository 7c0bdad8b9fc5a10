// The page comes up: the store, what it shows, and what people do.

import { addKeys } from '/site/site.mjs';
import { filtersIn, queryOf } from './address.mjs';
import { initialState, reduce } from './state.mjs';
import { Store } from './store.mjs';
import { Requests } from './requests.mjs';
import { View, byID } from './view.mjs';
import { fieldOf, meaningOf } from './keys.mjs';

const send = action => store.send(action);
const view = new View(send), requests = new Requests(send);
const asked = filtersIn(location.search);
const store = new Store(initialState(madeUpName(), asked.filters, asked.notice), reduce, {
  show: (state, before) => view.show(state, before),
  perform: command => {
    switch (command.type) {
      case 'search': return requests.search(command);
      case 'wait': return requests.wait(command);
      case 'rest': return requests.rest(command);
      case 'remember': return remember(command);
      case 'fetchPage': return requests.fetchPage(command);
      case 'abandonPage': return requests.abandonPage(command);
      case 'choose': return requests.choose(command);
      case 'showList': return view.showList(command.total);
      case 'reveal': return view.reveal(command.place);
      default: throw new Error(`There is no command ${command.type}.`);
    }
  },
});

/// Tells this page from all others.
function madeUpName() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

function remember({ filters, isNew }) {
  const address = location.pathname + queryOf(filters);
  if (isNew) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
}

function listen(id, event, action) {
  byID(id).addEventListener(event, () => send(action(byID(id))));
}

/// A field whose text is no number says so by being none.
function sizeIn({ value, validity }) { return validity.badInput ? 'none' : value; }

const sizes = () => ({
  type: 'sizesChanged', sizes: { from: sizeIn(byID('size-from')), to: sizeIn(byID('size-to')) },
});

listen('name', 'input', ({ value }) => ({ type: 'nameChanged', text: value }));
listen('size-from', 'input', sizes);
listen('size-to', 'input', sizes);
listen('order', 'change', ({ value }) => ({ type: 'orderChanged', order: value }));
listen('retry', 'click', () => ({ type: 'retried' }));
listen('clear', 'click', () => ({ type: 'filtersCleared' }));
listen('choose', 'click', () => {
  const { value } = byID('seed');
  return { type: 'choiceAsked', seed: value === '' ? null : Number(value) };
});

byID('fold').addEventListener('click', () => {
  const isFolded = byID('filters').classList.toggle('folded');
  byID('fold').setAttribute('aria-expanded', !isFolded);
});

addEventListener('popstate', () => send({ type: 'addressChanged', ...filtersIn(location.search) }));

// Listed only: what they mean depends on where the focus is.
addKeys([
  { key: '↓ ↑', does: 'The next person, the one before' },
  { key: 'PgDn PgUp', does: 'A page on, a page back' },
  { key: 'Home End', does: 'The first, the last' },
]);

addEventListener('keydown', event => {
  const { key, isComposing, ctrlKey, altKey, metaKey, shiftKey, target } = event;
  const hasModifier = ctrlKey || altKey || metaKey || shiftKey;
  const meaning = meaningOf(
    { key, isComposing, hasModifier, field: fieldOf(target) }, view.list.pageRows);
  if (!meaning || byID('keys').open) return;
  event.preventDefault();
  send(meaning);
});

send({ type: 'opened' });
