// Text as people search for it, and times as they read them.

// Decomposition takes accents off, but not these strokes and ligatures.
const plainLetters = {
  ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', Æ: 'Ae',
  œ: 'oe', Œ: 'Oe', ı: 'i',
};

function withoutAccents(text) {
  // Most names are plain, and telling so is quicker than decomposing.
  if (/^[ -~]*$/.test(text)) return text;
  return text.normalize('NFD').replace(/\p{M}/gu, '')
    .replace(/[øØłŁđĐðþßæÆœŒı]/g, letter => plainLetters[letter]);
}

/// What a search for beginnings of words looks through: every word after a blank, and the name as a
/// whole, since "loadl" begins "loadLaunches" too.
function searchable(name) {
  const plain = withoutAccents(name);
  const words = plain.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[^\p{L}\d]+/gu, ' ');
  return ` ${words} ${plain}`.toLowerCase();
}

/// The words of a question, each ready to be looked for in what `searchable` gives.
function searchWords(question) {
  const plain = withoutAccents(question).toLowerCase();
  const words = plain.split(/[^\p{L}\d]+/u).filter(Boolean).map(word => ` ${word}`);
  // Signs alone are looked for as they are.
  return words.length || !question.trim() ? words : [plain.trim() || question];
}

/// A duration in three digits, as reports write it: `12.3 ms`.
function brief(nanoseconds) {
  if (!(nanoseconds >= 1000)) return `${Math.max(0, Math.round(nanoseconds || 0))} ns`;
  let text = '';
  for (const [unit, size] of [['µs', 1e3], ['ms', 1e6], ['s', 1e9]]) {
    const digits = [2, 1, 0].find(count => Math.round(nanoseconds / size * 10 ** count) < 1000);
    text = `${(nanoseconds / size).toFixed(digits ?? 0)} ${unit}`;
    if (digits !== undefined) break;
  }
  return text;
}

/// `2,000`.
function grouped(number) { return numberFormat.format(number); }

const numberFormat = new Intl.NumberFormat('en');

/// `1 pebble`, `2,000 pebbles`.
function counted(pebbles) { return `${grouped(pebbles)} pebble${pebbles === 1 ? '' : 's'}`; }

/// The text in one line, with what cannot be seen, or would move what stands around it, made
/// visible: as the terminal shows it. It is cut where a browser would have to lay out for minutes.
function visible(text) {
  const some = cut(text, 5000);
  if (/^[ -~]*$/.test(some)) return some;
  return some.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, sign => shownSigns[sign]
    ?? `\\u{${sign.codePointAt().toString(16).toUpperCase()}}`);
}

// The last one joins emoji.
const shownSigns = { '\n': '⏎', '\t': ' ', '\u200d': '\u200d' };

/// The text in one line, cut to a length.
function shortened(text, length = 60) {
  return cut(visible(cut(text, 5000).replace(/\s+/gu, ' ')), length);
}

/// What an error or a reason says, behind what it did; nothing if it says nothing.
function because(text) { return text ? `: ${shortened(text, 200)}` : ''; }

function cut(text, length) {
  if (text.length <= length) return text;
  // A character takes two places at most.
  const characters = Array.from(text.slice(0, 2 * length + 2));
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}
