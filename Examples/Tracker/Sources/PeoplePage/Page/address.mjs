// Filters in the address of the page, so that a list can be shared and gone back to.

import { bloodTypes, noFilters, problemOf } from './filters.mjs';

const longestName = 200;

/// The filters that the query of an address asks for, and words about what it asks for in vain: an
/// address may come from anywhere, so what is no filter is left out.
export function filtersIn(query) {
  const parameters = new URLSearchParams(query), ignored = [];
  const text = name => parameters.get(name) ?? '';
  const filters = { ...noFilters };
  if ([...text('name')].length <= longestName) filters.name = text('name');
  else ignored.push(`the name, which is longer than ${longestName} characters`);
  if (parameters.has('types')) {
    const types = text('types').split(',').filter(type => type !== '');
    const known = bloodTypes.filter(type => types.includes(type));
    const unknown = types.find(type => !bloodTypes.includes(type));
    if (known.length > 0 || unknown === undefined) filters.bloodTypes = known;
    if (unknown !== undefined) ignored.push(`“${excerpt(unknown)}”, which is no blood type`);
  }
  const sizes = { from: text('from'), to: text('to') };
  if (isNumber(sizes.from) && isNumber(sizes.to) && problemOf(sizes) === '') filters.sizes = sizes;
  else ignored.push('the shoe sizes, of which there are none');
  if (['', 'name', 'size'].includes(text('order'))) filters.order = text('order') || 'name';
  else ignored.push(`“${excerpt(text('order'))}”, which is no order`);
  return { filters, notice: sentence(ignored) };
}

/// The query of an address with such filters: empty, if they let everybody through, by name.
export function queryOf({ name, bloodTypes: types, sizes, order }) {
  const parameters = new URLSearchParams();
  if (name !== '') parameters.set('name', name);
  if (types.length < bloodTypes.length) parameters.set('types', types.join(','));
  if (sizes.from !== '') parameters.set('from', sizes.from);
  if (sizes.to !== '') parameters.set('to', sizes.to);
  if (order !== 'name') parameters.set('order', order);
  const query = parameters.toString();
  return query === '' ? '' : `?${query}`;
}

function sentence(ignored) {
  if (ignored.length === 0) return '';
  return `Of this address some is left out: ${ignored.join('; ')}.`;
}

/// A number as people write it, such as 42.5, or nothing.
function isNumber(text) { return /^(\d{1,2}(\.\d)?)?$/.test(text); }

/// The beginning of a text that came from outside, without what could be anything but text.
function excerpt(text) {
  const isPlain = character => character === ' ' || !/[\p{C}\p{Z}]/u.test(character);
  const plain = [...text].filter(isPlain);
  return plain.slice(0, 20).join('') + (plain.length > 20 ? '…' : '');
}
