// The kinds of skips. A skip matters if the pebble was needed but could not run: then it was
// blocked.

const wasBlocked = 2, wasNotNeeded = 3, wasDisabled = 4, wasCancelled = 5, wasNotAskedFor = 6;
// These ends occur only in a run that is under way.
const isRunning = 7, isWaiting = 8;
const endNames = [
  'succeeded', 'failed', 'blocked', 'not needed', 'disabled', 'cancelled', 'not asked for',
  'running', 'waiting',
];
const endMarks = ['✓', '✗', '⊘', '○', '○', '○', '○', '▸', '·'];

// The ends from worst to best, for several pebbles at once.
const endsByGravity = [failed, wasBlocked, isRunning, isWaiting, succeeded,
  wasCancelled, wasNotNeeded, wasDisabled, wasNotAskedFor];

/// Returns the style name of an end.
function styleOf(end) {
  const styles = { 0: 'succeeded', 1: 'failed', 2: 'blocked', 7: 'running', 8: 'waiting' };
  return styles[end] ?? 'skipped';
}

/// Returns the end of each pebble; the different kinds of skips are different ends. `reasons`
/// contains the reasons of skipped pebbles, and `held` the cases of other pebbles.
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

/// A search for the conditions that are false because something is not needed. A false AND is not
/// needed if at least one of its operands is not needed, and a false OR is not needed if none of
/// its operands is needed. Pebbles that were skipped because of any other false condition are
/// blocked.
///
/// A node is a row with a wanted value. The node of a row that should be true has an even number,
/// and the node of a row that should be false has the odd number after it. In the second case, an
/// AND counts as an OR of operands that should be false.
class Spared {
  constructor(network, outcomes, reasons, held) {
    const { starts, kinds, rowCount } = network, pending = this.pending = [];
    Object.assign(this, { network, outcomes, reasons, held });
    const users = network.users ??= new Users(network);
    this.known = new Uint8Array(2 * rowCount);
    // Whether an operand has been counted, by its place and by the wanted value of its row.
    this.counted = new Uint8Array(2 * starts[rowCount]);
    // The number of operands that must still be found to be not needed, by node.
    this.missing = Int32Array.from(this.known, (_, node) => {
      const row = node >> 1, isAnd = kinds[row] === anyOf ? node & 1 : !(node & 1);
      if (isAnd) return 1;
      const count = starts[row + 1] - starts[row];
      // The wanted value of the condition of a pebble is always true.
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

  /// Returns whether an operand of a node lacks its wanted value and is known to be unneeded.
  isSpared(node, operand) {
    const { network, outcomes, held } = this, source = network.sources[operand];
    const isNot = node & 1 ^ (network.kinds[node >> 1] === notOf);
    if (source >= network.pebbleCount) return this.known[2 * source + isNot];
    const mask = isNot ? ~network.masks[operand] : network.masks[operand];
    if (source < 0) return !(mask & 1);
    const outcome = outcomes[source], place = network.places[operand];
    if (network.atomValue(source, mask, place, outcome, held)) return false;
    // A case of a failure or a negated case is one end of several, and a pebble that succeeded did
    // so with another value or case. In both cases, the operand was not needed.
    return !(mask & 1) || place >= 0 && mask & 6 || outcome === succeeded
      || outcome === skipped && this.isPebbleSpared(source);
  }

  isPebbleSpared(pebble) {
    const reason = this.reasons[pebble];
    return reason === 'disabled' || reason === 'notAskedFor'
      || reason === 'conditionFalse' && this.known[2 * pebble];
  }
}
