// What of the state is seen. Elements are made by hand and never from markup, so that a name cannot
// become an element.

import { bloodTypes, countOfFilters } from './filters.mjs';
import { countText, isBusy, isPageFailed, personAt } from './state.mjs';
import { List } from './list.mjs';

export const byID = id => document.getElementById(id);

export class View {
  constructor(send) {
    this.state = null;
    this.list = new List(byID('rows'), byID('space'), {
      make: number => makeRow(number, send),
      show: (row, place) => showRow(row, place, this.state),
      seen: (first, end) => {
        const { seen } = this.state ?? {};
        if (seen && (seen.first !== first || seen.end !== end)) {
          send({ type: 'rowsSeen', first, end });
        }
      },
    });
    makeBloodTypes(send);
  }

  showList(total) {
    this.list.reset(total);
    this.select();
  }

  reveal(place) {
    this.list.reveal(place);
    this.select();
  }

  show(state, before) {
    const isFirst = this.state === null;
    this.state = state;
    byID('count').textContent = countText(state);
    byID('grid').setAttribute('aria-busy', isBusy(state));
    byID('grid').setAttribute('aria-rowcount', state.answered < 0 ? -1 : state.total + 1);
    byID('empty').hidden = state.answered < 0 || state.total > 0;
    byID('preparing').hidden = state.status !== 'waiting' || state.answered >= 0;
    byID('notice').hidden = state.notice === '';
    byID('notice').textContent = state.notice;
    byID('problem').hidden = state.problem === '';
    byID('problem-text').textContent = state.problem;
    byID('choose').disabled = state.answered < 0 || state.total === 0;
    byID('choice').textContent = choiceText(state.choice);
    if (isFirst || state.filters !== before.filters || state.sizeProblem !== before.sizeProblem) {
      showFilters(state);
    }
    if (state.pages !== before.pages && state.answered === before.answered) this.list.refresh();
    if (state.selected !== before.selected) this.select();
    if (!isBusy(state)) document.body.removeAttribute('aria-busy');
  }

  /// Only rows that exist can be marked; those that come are, when they are shown.
  select() {
    const { selected } = this.state;
    for (const { element, row } of this.list.slots) {
      element.setAttribute('aria-selected', row === selected);
    }
    const shown = selected === null ? null : this.list.elementOf(selected);
    if (shown) byID('grid').setAttribute('aria-activedescendant', shown.id);
    else byID('grid').removeAttribute('aria-activedescendant');
  }
}

function element(tag, attributes, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

function makeRow(number, send) {
  const texts = [0, 1, 2].map(() => new Text('')), [name, type, size] = texts;
  const row = element('div', { id: `row-${number}`, role: 'row', class: 'row' },
    element('span', { role: 'rowheader', class: 'name' }, name),
    element('span', { role: 'gridcell', class: 'type' }, type),
    element('span', { role: 'gridcell', class: 'size' }, size));
  row.texts = texts;
  row.addEventListener('click', () => send({ type: 'selected', place: row.place }));
  return row;
}

/// Whether what stands at the place is there. Texts are exchanged in place, which is quicker than
/// new ones.
function showRow(row, place, state) {
  const person = personAt(state, place), [name, type, size] = row.texts;
  row.place = place;
  row.setAttribute('aria-rowindex', place + 2);
  row.setAttribute('aria-selected', place === state.selected);
  row.classList.toggle('absent', !person);
  if (place === state.selected) byID('grid').setAttribute('aria-activedescendant', row.id);
  name.data = person?.name ?? (isPageFailed(state, place) ? 'not loaded' : '…');
  type.data = person ? shownType(person.bloodType) : '';
  size.data = person?.shoeSize ?? '';
  return Boolean(person);
}

/// With a minus as wide as the plus.
function shownType(type) { return type.replace('-', '−'); }

function makeBloodTypes(send) {
  byID('blood-types').append(...bloodTypes.map(type => {
    const box = element('input', { type: 'checkbox', value: type });
    box.addEventListener('change', () => send({ type: 'bloodTypesChanged', types: pickedTypes() }));
    return element('label', {}, box, ` ${shownType(type)}`);
  }));
}

function pickedTypes() {
  return [...byID('blood-types').querySelectorAll('input')].filter(box => box.checked)
    .map(box => box.value);
}

/// Fields that already say it are left alone: somebody may be typing in them.
function showFilters({ filters, sizeProblem }) {
  const set = (id, value) => { if (byID(id).value !== value) byID(id).value = value; };
  set('name', filters.name);
  set('order', filters.order);
  for (const box of byID('blood-types').querySelectorAll('input')) {
    box.checked = filters.bloodTypes.includes(box.value);
  }
  for (const [id, value] of [['size-from', filters.sizes.from], ['size-to', filters.sizes.to]]) {
    const field = byID(id), { badInput } = field.validity;
    // What is no number has no value, and would be wiped out.
    if (value !== 'none' && (badInput || field.value !== value)) field.value = value;
    field.setAttribute('aria-invalid', sizeProblem !== '');
  }
  byID('size-problem').textContent = sizeProblem;
  const count = countOfFilters(filters);
  byID('fold').textContent = count === 0 ? 'Filters' : `Filters (${count})`;
}

function choiceText(choice) {
  if (!choice) return '';
  if (choice.problem) return choice.problem;
  const { person, place, seed } = choice;
  const number = (place + 1).toLocaleString('en');
  const type = shownType(person.bloodType);
  return `Chosen: ${person.name}, ${type}, size ${person.shoeSize}, number ${number} in the list. `
    + `Seed ${seed}.`;
}
