// Whether it matters that pebbles were skipped: those that were to run and could not are blocked.

const wasBlocked = 2, wasNotNeeded = 3, wasDisabled = 4, wasCancelled = 5;
const endNames = ['succeeded', 'failed', 'blocked', 'not needed', 'disabled', 'cancelled'];
const endMarks = ['✓', '✗', '⊘', '○', '○', '○'];

/// How each pebble ended, with the kinds of skips told apart; `reasons` are those of the skipped.
function endsOf(network, outcomes, reasons) {
  const spared = outcomes.includes(skipped) ? new Spared(network, outcomes, reasons) : null;
  return outcomes.map((outcome, pebble) => {
    if (outcome !== skipped) return outcome;
    if (reasons[pebble] === 'cancelled') return wasCancelled;
    if (reasons[pebble] === 'disabled') return wasDisabled;
    return spared.isPebbleSpared(pebble) ? wasNotNeeded : wasBlocked;
  });
}

/// What is false, and not needed, spreads: to an AND from one operand, to an OR from all. Whatever
/// it does not reach is blocked.
///
/// A node is a row that is to be true, an even number, or one that is to be false, the odd number
/// after it: of that, an AND is an OR of what is to be false.
class Spared {
  constructor(network, outcomes, reasons) {
    Object.assign(this, { network, outcomes, reasons, pending: [] });
    this.users = network.users ??= new Users(network);
    this.known = new Uint8Array(2 * network.rowCount);
    // How many operands it takes.
    this.missing = new Uint32Array(2 * network.rowCount);
    for (let node = 0; node < this.missing.length; node++) {
      const row = node >> 1, count = network.starts[row + 1] - network.starts[row];
      const isOne = network.kinds[row] === anyOf ? node & 1 : !(node & 1);
      this.missing[node] = isOne ? 1 : count;
      // The condition of a pebble is only ever to be true.
      if (!isOne && !count && row >= network.pebbleCount) this.pending.push(node);
    }
    this.begin();
    while (this.pending.length) this.spread(this.pending.pop());
  }

  begin() {
    const { network } = this;
    for (let row = 0; row < network.rowCount; row++) {
      for (let operand = network.starts[row]; operand < network.starts[row + 1]; operand++) {
        for (const node of [2 * row, 2 * row + 1]) {
          if (this.isSpared(node, operand)) this.arrive(node);
        }
      }
    }
  }

  /// Whether an operand of a node is not what it is to be, and not needed, as far as is known.
  isSpared(node, operand) {
    const { network, outcomes } = this, source = network.sources[operand];
    const isFalseWanted = (node & 1) !== (network.kinds[node >> 1] === notOf ? 1 : 0);
    if (source < 0) return (network.masks[operand] === 0) !== isFalseWanted;
    if (source >= network.pebbleCount) return this.known[2 * source + (isFalseWanted ? 1 : 0)] === 1;
    const mask = isFalseWanted ? ~network.masks[operand] & 7 : network.masks[operand];
    if (mask >> outcomes[source] & 1) return false;
    return !(mask & 1) || outcomes[source] === skipped && this.isPebbleSpared(source);
  }

  isPebbleSpared(pebble) {
    const reason = this.reasons[pebble];
    return reason === 'disabled' || reason === 'conditionFalse' && this.known[2 * pebble] === 1;
  }

  spread(node) {
    const { users } = this, row = node >> 1, reached = [];
    const nodesOf = place => [2 * users.rows[place], 2 * users.rows[place] + 1];
    // What does not hang on the node being known has arrived before.
    for (let place = users.starts[row]; place < users.starts[row + 1]; place++) {
      for (const user of nodesOf(place)) {
        if (!this.isSpared(user, users.operands[place])) reached.push([user, users.operands[place]]);
      }
    }
    this.known[node] = 1;
    for (const [user, operand] of reached) if (this.isSpared(user, operand)) this.arrive(user);
  }

  arrive(node) {
    if (this.missing[node] > 0 && --this.missing[node] === 0) this.pending.push(node);
  }
}
