// What people are filtered by.

export const bloodTypes = ['O+', 'A+', 'B+', 'AB+', 'O-', 'A-', 'B-', 'AB-'];

/// Each panel knows its own leaf of the filters, and no other.
export const noFilters = {
  name: '', bloodTypes, sizes: { from: '', to: '' }, order: 'name',
};

/// How many panels beside that of the name let not everybody through.
export function countOfFilters({ bloodTypes: types, sizes }) {
  return Number(types.length < bloodTypes.length) + Number(sizes.from !== '' || sizes.to !== '');
}

/// What is asked of the server.
export function questionOf({ name, bloodTypes: types, sizes, order }) {
  return { name, bloodTypes: types, order, from: number(sizes.from), to: number(sizes.to) };
}

/// What is wrong with sizes, in a sentence; nothing if they are good.
export function problemOf({ from, to }) {
  for (const text of [from, to]) {
    const size = number(text);
    if (size === null) continue;
    if (!(size >= 30 && size <= 55 && Number.isInteger(size * 2))) {
      return 'Sizes are whole or half numbers from 30 to 55.';
    }
  }
  if (from !== '' && to !== '' && Number(from) > Number(to)) {
    return `No size is at least ${Number(from)} and at most ${Number(to)}.`;
  }
  return '';
}

function number(text) { return text === '' ? null : Number(text); }
