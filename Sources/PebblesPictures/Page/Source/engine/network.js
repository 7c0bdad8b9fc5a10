// The conditions of a pond as flat arrays of operands.

const allOf = 0, anyOf = 1, notOf = 2, labelOf = 3;
const yes = 1, no = 0, unknown = -1;

/// A network of rows, which are gates. Row `p` is the condition of pebble `p`: the conjunction of
/// the condition implied by its inputs and of its given condition. Next come the conditions in the
/// table of the document, each after the conditions that it refers to, and last the goal, if there
/// is one. An operand is a row. If the row belongs to a pebble, the operand also has a mask of
/// accepted outcomes and perhaps a case.
class Network {
  constructor(pond) {
    this.pebbleCount = pond.pebbles.length;
    this.goal = pond.goal === undefined ? -1 : this.pebbleCount + pond.conditions.length;
    this.rowCount = this.pebbleCount + pond.conditions.length + (this.goal < 0 ? 0 : 1);
    this.pebbles = pond.pebbles;
    this.conditions = pond.conditions;
    this.kinds = new Uint8Array(this.rowCount);
    this.starts = new Uint32Array(this.rowCount + 1);
    const sources = [], masks = [], places = this.places = {};
    const add = operand => {
      // A constant has no source; its mask is its value.
      if (typeof operand === 'boolean') sources.push(-1), masks.push(operand ? 1 : 0);
      else if (typeof operand === 'number') sources.push(this.pebbleCount + operand), masks.push(0);
      else {
        if (operand.case !== undefined) places[sources.length] = operand.case;
        sources.push(operand.pebble), masks.push(maskOf(operand.is));
      }
    };
    const close = row => { this.starts[row + 1] = sources.length; };
    pond.pebbles.forEach(({ needs, when }, row) => {
      if (needs !== undefined) add(needs);
      if (when !== undefined) add(when);
      close(row);
    });
    pond.conditions.forEach((condition, place) => {
      const row = this.pebbleCount + place;
      this.kinds[row] = kindOf(condition);
      operandsOf(condition).forEach(add);
      close(row);
    });
    if (this.goal >= 0) add(pond.goal), close(this.goal);
    this.sources = Int32Array.from(sources);
    this.masks = Uint8Array.from(masks);
  }

  /// Returns the value of each row by Kleene's tables, given the outcomes and the cases that hold.
  /// The rows of the table are evaluated first, because pebbles refer to them.
  values(outcomes, held) {
    const values = new Int8Array(this.rowCount);
    const evaluate = row => { values[row] = this.value(row, values, outcomes, held); };
    for (let row = this.pebbleCount; row < this.rowCount; row++) evaluate(row);
    for (let row = 0; row < this.pebbleCount; row++) evaluate(row);
    return values;
  }

  value(row, values, outcomes, held) {
    const kind = this.kinds[row], start = this.starts[row], end = this.starts[row + 1];
    if (kind === notOf || kind === labelOf) {
      const value = this.operandValue(start, values, outcomes, held);
      return value === unknown || kind === labelOf ? value : 1 - value;
    }
    const dominant = kind === anyOf ? yes : no;
    let result = 1 - dominant;
    for (let operand = start; operand < end; operand++) {
      const value = this.operandValue(operand, values, outcomes, held);
      if (value === dominant) return dominant;
      if (value === unknown) result = unknown;
    }
    return result;
  }

  operandValue(operand, values, outcomes, held) {
    const source = this.sources[operand], mask = this.masks[operand];
    if (source < 0) return mask;
    if (source >= this.pebbleCount) return values[source];
    return this.atomValue(source, mask, this.places[operand], outcomes[source], held);
  }

  /// Returns the value of an atom. The mask of a case contains the outcome of the case. The mask of
  /// a negated case contains the other outcomes; the result is flipped if the pebble has the
  /// outcome of the case and the case does not hold.
  atomValue(pebble, mask, place, outcome, held) {
    if (outcome === unsettled) return unknown;
    const isOther = place !== undefined && outcome === outcomeOf(this.pebbles[pebble].cases[place])
      && !held[pebble]?.includes(place);
    return mask >> outcome & 1 ^ isOther;
  }
}

function outcomeOf({ kind }) { return kind === 'failed' || kind === 'timedOut' ? failed : succeeded; }

/// Returns the words that a case adds to the word for its outcome.
function captionOf({ kind, name }) {
  return kind === 'timedOut' ? 'timed out' : `${kind === 'is' ? 'with' : 'as'} ${shortened(name)}`;
}

/// Returns the word for an outcome with its cases: `failed as locked`.
function caseText({ cases }, word, held = []) {
  const text = held.map(place => captionOf(cases[place])).join(' and ');
  return text ? `${word}${text.startsWith('t') ? ', ' : ' '}${text}` : word;
}

/// Returns the ways in which the body of a pebble can end with an outcome, each with at most one
/// case, and also with a value if the values are exhaustive.
function waysOf({ cases = [] }, outcome) {
  const places = [...cases.keys()].filter(place => outcomeOf(cases[place]) === outcome);
  const all = places.filter(place => cases[place].exhaustive), one = all.slice(0, 1);
  const others = places.filter(place => !cases[place].exhaustive).map(place => [...one, place]);
  return [...(all.length ? all.map(place => [place]) : [[]]), ...others]
    .map(held => ({ outcome, held: held.sort((one, other) => one - other) }));
}

function maskOf(names) {
  return names.reduce((mask, name) => mask | 1 << outcomeNames.indexOf(name), 0);
}

function kindOf(condition) {
  if (condition.all) return allOf;
  if (condition.any) return anyOf;
  if (condition.not !== undefined) return notOf;
  return labelOf;
}

function operandsOf(condition) {
  return condition.all ?? condition.any ?? [condition.not ?? condition.of];
}

/// The uses of each row: the rows that have it as an operand, and the numbers of these operands.
class Users {
  constructor(network) {
    const { rowCount, starts, sources } = network;
    this.starts = new Uint32Array(rowCount + 1);
    for (const source of sources) if (source >= 0) this.starts[source + 1]++;
    for (let row = 0; row < rowCount; row++) this.starts[row + 1] += this.starts[row];
    this.rows = new Uint32Array(this.starts[rowCount]);
    this.operands = new Uint32Array(this.starts[rowCount]);
    const next = this.starts.slice();
    for (let row = 0; row < rowCount; row++) {
      for (let operand = starts[row]; operand < starts[row + 1]; operand++) {
        if (sources[operand] < 0) continue;
        const place = next[sources[operand]]++;
        this.rows[place] = row;
        this.operands[place] = operand;
      }
    }
  }
}

/// A search for the pebbles that read a pebble, or that a pebble reads, directly or through shared
/// conditions.
class Readers {
  constructor(network) {
    this.network = network;
    this.users = network.users ??= new Users(network);
  }

  /// Returns the pebbles whose conditions mention a pebble, in definition order.
  of(pebble) {
    return this.reached(pebble, row => {
      const { starts, rows } = this.users;
      return rows.subarray(starts[row], starts[row + 1]);
    });
  }

  /// Returns the pebbles that the condition of a pebble mentions, in definition order.
  readBy(pebble) {
    const { starts, sources } = this.network;
    return this.reached(pebble, row =>
      sources.subarray(starts[row], starts[row + 1]).filter(source => source >= 0));
  }

  reached(pebble, next) {
    const found = new Set(), seen = new Set(), pending = [pebble];
    while (pending.length) {
      for (const row of next(pending.pop())) {
        if (row < this.network.pebbleCount) found.add(row);
        else if (!seen.has(row)) seen.add(row), pending.push(row);
      }
    }
    return [...found].sort((one, other) => one - other);
  }
}
