// The ends of a run in which bodies end otherwise. The pebbles that run depend on how bodies end
// and never on timing, so bodies end here at the moment they start.

/// Returns the outcomes of all pebbles. In `question`, `bodies` and `held` contain the outcome and
/// the cases that each pebble has if its body runs. The pebbles in `disabled` and `notAskedFor`
/// take no part. The pebbles in `cancelled` do not start even when they are ready.
function suppose(network, question) { return supposed(network, question).outcomes; }

/// Returns the ends of all pebbles, and the value of the goal as the property `goal` of the result.
/// The different kinds of skips are different ends.
function supposedEnds(network, question) {
  const { outcomes, reasons, held } = supposed(network, question);
  const ends = endsOf(network, outcomes, reasons, held);
  ends.goal = network.values(outcomes, held)[network.goal];
  return ends;
}

function supposed(network, question) {
  const { bodies, held = [], disabled = [], notAskedFor = [], cancelled = [] } = question;
  const supposition = new Supposition(network, bodies, held, new Set(cancelled));
  supposition.begin(disabled, notAskedFor);
  while (new Stall(supposition).resolve()) { /* what it skipped may have opened more */ }
  supposition.cancelRemaining();
  return supposition;
}

class Supposition {
  constructor(network, bodies, held, cancelled) {
    this.network = network;
    this.users = network.users ??= new Users(network);
    this.bodies = bodies;
    this.held = held;
    this.cancelled = cancelled;
    this.outcomes = new Uint8Array(network.pebbleCount).fill(unsettled);
    // The reasons of skipped pebbles.
    this.reasons = new Array(network.pebbleCount);
    this.values = new Int8Array(network.rowCount).fill(unknown);
    // The number of operands of each gate that are not known to be neutral yet: to be true for an
    // AND, false for an OR.
    this.remaining = new Uint32Array(network.rowCount);
    this.pending = [];
  }

  begin(disabled, notAskedFor) {
    const { network } = this;
    for (let row = 0; row < network.rowCount; row++) {
      this.remaining[row] = network.starts[row + 1] - network.starts[row];
    }
    for (const pebble of disabled) this.settle(pebble, skipped, 'disabled');
    for (const pebble of notAskedFor) this.settle(pebble, skipped, 'notAskedFor');
    for (let row = 0; row < network.rowCount; row++) {
      if (!this.remaining[row]) this.decide(row, network.kinds[row] === anyOf ? no : yes);
      for (let operand = network.starts[row]; operand < network.starts[row + 1]; operand++) {
        if (network.sources[operand] < 0) this.operandDecided(row, network.masks[operand]);
      }
    }
    this.propagate();
  }

  decide(row, value) {
    if (this.values[row] !== unknown) return;
    this.values[row] = value;
    if (row >= this.network.pebbleCount) this.pending.push(row);
    else if (value === no) this.settle(row, skipped, 'conditionFalse');
    else if (!this.cancelled.has(row)) this.settle(row, this.bodies[row]);
  }

  settle(pebble, outcome, reason) {
    if (this.outcomes[pebble] !== unsettled) return;
    this.outcomes[pebble] = outcome;
    this.reasons[pebble] = this.cancelled.has(pebble) ? 'cancelled' : reason;
    this.pending.push(pebble);
  }

  /// Passes on the values of decided and settled rows to all gates that have them as operands.
  propagate() {
    const { users, network, pending } = this;
    while (pending.length) {
      const row = pending.pop();
      for (let place = users.starts[row]; place < users.starts[row + 1]; place++) {
        const operand = users.operands[place];
        this.operandDecided(
          users.rows[place],
          network.operandValue(operand, this.values, this.outcomes, this.held));
      }
    }
  }

  operandDecided(row, value) {
    const kind = this.network.kinds[row];
    if (kind === notOf) return this.decide(row, 1 - value);
    if (kind === labelOf) return this.decide(row, value);
    const dominant = kind === anyOf ? yes : no;
    if (value === dominant) this.decide(row, dominant);
    else if (--this.remaining[row] === 0) this.decide(row, 1 - dominant);
  }

  /// Returns whether a row waits: a pebble for its condition, a gate for its operands.
  isOpen(row) {
    if (this.values[row] !== unknown) return false;
    return row >= this.network.pebbleCount || this.outcomes[row] === unsettled;
  }

  /// Returns whether other rows can wait for a row: a pebble that has not settled, or a gate whose
  /// value is unknown.
  isAwaited(row) {
    if (row < 0) return false;
    return row < this.network.pebbleCount
      ? this.outcomes[row] === unsettled : this.values[row] === unknown;
  }

  /// Marks all remaining pebbles as cancelled, because they wait for pebbles that were cancelled.
  cancelRemaining() {
    this.outcomes.forEach((outcome, pebble) => {
      if (outcome !== unsettled) return;
      this.outcomes[pebble] = skipped;
      this.reasons[pebble] = 'cancelled';
    });
  }
}
