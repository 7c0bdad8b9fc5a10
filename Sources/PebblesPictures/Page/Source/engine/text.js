// Text in the form in which people search for it, and times in the form in which they read them.

// Decomposition removes accents, but does not replace these letters with strokes and ligatures.
const plainLetters = {
  ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', Æ: 'Ae',
  œ: 'oe', Œ: 'Oe', ı: 'i',
};

function withoutAccents(text) {
  // Most names are plain ASCII, and testing for that is faster than decomposing.
  if (/^[ -~]*$/.test(text)) return text;
  return text.normalize('NFD').replace(/\p{M}/gu, '')
    .replace(/[øØłŁđĐðþßæÆœŒı]/g, letter => plainLetters[letter]);
}

/// Returns the text in which a search finds the beginnings of words. It contains every word of a
/// name, preceded by a blank, and then the whole name, so that `loadl` finds `loadLaunches` as
/// well.
function searchable(name) {
  const plain = withoutAccents(name);
  const words = plain.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[^\p{L}\d]+/gu, ' ');
  return ` ${words} ${plain}`.toLowerCase();
}

/// Returns the words of a question, in the form in which they occur in the result of `searchable`.
function searchWords(question) {
  const plain = withoutAccents(question).toLowerCase();
  const words = plain.split(/[^\p{L}\d]+/u).filter(Boolean).map(word => ` ${word}`);
  // A question of signs only is searched for as it is.
  return words.length || !question.trim() ? words : [plain.trim() || question];
}

/// Returns a duration with three digits, as in reports: `12.3 ms`. Halves are rounded up.
function brief(nanoseconds) {
  if (!(nanoseconds >= 1000)) return `${Math.max(0, Math.round(nanoseconds || 0))} ns`;
  let text = '';
  for (const [unit, size] of [['µs', 1e3], ['ms', 1e6], ['s', 1e9]]) {
    for (const digits of [2, 1, 0]) {
      const count = Math.round(nanoseconds / (size / 10 ** digits));
      text = `${(count / 10 ** digits).toFixed(digits)} ${unit}`;
      if (count < 1000) return text;
    }
  }
  return text;
}

/// Returns a number with separators: `2,000`.
function grouped(number) { return numberFormat.format(number); }

const numberFormat = new Intl.NumberFormat('en');

/// Returns a number of pebbles in words: `1 pebble`, `2,000 pebbles`.
function counted(pebbles) { return `${grouped(pebbles)} pebble${pebbles === 1 ? '' : 's'}`; }

/// Returns a text in which characters that are invisible, or would move the text around them, are
/// made visible, as in a terminal. A very long text is truncated, because a browser would need
/// minutes for its layout.
function visible(text) {
  const some = cut(text, 5000);
  if (/^[ -~]*$/.test(some)) return some;
  return some.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, sign => shownSigns[sign]
    ?? `\\u{${sign.codePointAt().toString(16).toUpperCase()}}`);
}

// The last character joins emoji.
const shownSigns = { '\n': '⏎', '\t': ' ', '\u200d': '\u200d' };

/// Returns a text on one line, truncated to a length.
function shortened(text, length = 60) {
  return cut(visible(cut(text, 5000).replace(/\s+/gu, ' ')), length);
}

/// Returns the text of an error or a reason after a colon, to follow a clause; empty if there is no
/// text.
function because(text) { return text ? `: ${shortened(text, 200)}` : ''; }

function cut(text, length) {
  if (text.length <= length) return text;
  // A character takes at most two code units.
  const characters = Array.from(text.slice(0, 2 * length + 2));
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}
