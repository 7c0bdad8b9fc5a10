// Whether it matters that pebbles were skipped: those that were to run and could not are blocked.

const wasBlocked = 2, wasNotNeeded = 3, wasDisabled = 4, wasCancelled = 5, wasNotAskedFor = 6;
// Of a run that is under way.
const isRunning = 7, isWaiting = 8;
const endNames = [
  'succeeded', 'failed', 'blocked', 'not needed', 'disabled', 'cancelled', 'not asked for',
  'running', 'waiting',
];
const endMarks = ['✓', '✗', '⊘', '○', '○', '○', '○', '▸', '·'];

// The worst first, for many at once.
const endsByGravity = [failed, wasBlocked, isRunning, isWaiting, succeeded,
  wasCancelled, wasNotNeeded, wasDisabled, wasNotAskedFor];

/// What the style calls an end.
function styleOf(end) {
  const styles = { 0: 'succeeded', 1: 'failed', 2: 'blocked', 7: 'running', 8: 'waiting' };
  return styles[end] ?? 'skipped';
}

/// How each pebble ended, with the kinds of skips told apart; `reasons` are those of the skipped,
/// `held` the cases of the others.
function endsOf(network, outcomes, reasons, held) {
  const spared = outcomes.includes(skipped) ? new Spared(network, outcomes, reasons, held) : null;
  return outcomes.map((outcome, pebble) => {
    if (outcome !== skipped) return outcome;
    if (reasons[pebble] === 'cancelled') return wasCancelled;
    if (reasons[pebble] === 'disabled') return wasDisabled;
    if (reasons[pebble] === 'notAskedFor') return wasNotAskedFor;
    return spared.isPebbleSpared(pebble) ? wasNotNeeded : wasBlocked;
  });
}

/// What is false, and not needed, spreads: to an AND from one operand, to an OR from all. Whatever
/// it does not reach is blocked.
///
/// A node is a row that is to be true, an even number, or one that is to be false, the odd number
/// after it: of that, an AND is an OR of what is to be false.
class Spared {
  constructor(network, outcomes, reasons, held) {
    const { starts, kinds, rowCount } = network, pending = this.pending = [];
    Object.assign(this, { network, outcomes, reasons, held });
    const users = network.users ??= new Users(network);
    this.known = new Uint8Array(2 * rowCount);
    // Whether an operand has been counted, by its place and by what its row is to be.
    this.counted = new Uint8Array(2 * starts[rowCount]);
    // How many operands it takes.
    this.missing = Int32Array.from(this.known, (_, node) => {
      const row = node >> 1, isAnd = kinds[row] === anyOf ? node & 1 : !(node & 1);
      if (isAnd) return 1;
      const count = starts[row + 1] - starts[row];
      // The condition of a pebble is only ever to be true.
      if (!count && row >= network.pebbleCount) pending.push(node);
      return count;
    });
    for (let row = 0; row < rowCount; row++) {
      for (let operand = starts[row]; operand < starts[row + 1]; operand++) this.ask(row, operand);
    }
    while (pending.length) {
      const node = pending.pop(), row = node >> 1;
      this.known[node] = 1;
      for (let place = users.starts[row]; place < users.starts[row + 1]; place++) {
        this.ask(users.rows[place], users.operands[place]);
      }
    }
  }

  ask(row, operand) {
    for (const isNot of [0, 1]) {
      const node = 2 * row + isNot;
      if (this.counted[2 * operand + isNot] || !this.isSpared(node, operand)) continue;
      this.counted[2 * operand + isNot] = 1;
      if (--this.missing[node] === 0) this.pending.push(node);
    }
  }

  /// Whether an operand of a node is not what it is to be, and not needed, as far as is known.
  isSpared(node, operand) {
    const { network, outcomes, held } = this, source = network.sources[operand];
    const isNot = node & 1 ^ (network.kinds[node >> 1] === notOf);
    if (source >= network.pebbleCount) return this.known[2 * source + isNot];
    const mask = isNot ? ~network.masks[operand] : network.masks[operand];
    if (source < 0) return !(mask & 1);
    const outcome = outcomes[source], place = network.places[operand];
    if (network.atomValue(source, mask, place, outcome, held)) return false;
    // A case of failed, or not a case, is one way of several; one that succeeded did so otherwise.
    return !(mask & 1) || place >= 0 && mask & 6 || outcome === succeeded
      || outcome === skipped && this.isPebbleSpared(source);
  }

  isPebbleSpared(pebble) {
    const reason = this.reasons[pebble];
    return reason === 'disabled' || reason === 'notAskedFor'
      || reason === 'conditionFalse' && this.known[2 * pebble];
  }
}
