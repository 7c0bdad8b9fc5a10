// What happens when nothing can start and pebbles still wait: they wait for each other.

/// The rows that wait, and what they wait for, are a graph. Its strongly connected components that
/// wait only on themselves are skipped, each as a whole. Tarjan's search finds a component after
/// all it waits for, so that one pass settles most; those of which a row was decided meanwhile are
/// left to the next pass. That ends as skipping all at once, round by round, does.
class Stall {
  constructor(supposition) {
    this.supposition = supposition;
    this.network = supposition.network;
    const { rowCount } = this.network;
    this.order = new Uint32Array(rowCount);
    this.low = new Uint32Array(rowCount);
    this.isOnStack = new Uint8Array(rowCount);
    this.component = new Int32Array(rowCount).fill(-1);
    // Rows that nothing but predicates which will not hold keeps open.
    this.isIdle = new Uint8Array(rowCount);
    this.visits = 0;
    this.components = 0;
  }

  /// Whether anything was settled.
  resolve() {
    this.hasSettled = false;
    for (let pebble = 0; pebble < this.network.pebbleCount; pebble++) {
      if (!this.order[pebble] && this.supposition.isOpen(pebble)) this.search(pebble);
    }
    return this.hasSettled;
  }

  /// Tarjan's search, without recursion: conditions may be deep.
  search(root) {
    const { starts, sources } = this.network, stack = [], path = [];
    const visit = row => {
      this.order[row] = this.low[row] = ++this.visits;
      this.isOnStack[row] = 1;
      stack.push(row);
      path.push({ row, operand: starts[row] });
    };
    const lower = (row, order) => { this.low[row] = Math.min(this.low[row], order); };
    visit(root);
    while (path.length) {
      const step = path[path.length - 1], { row } = step;
      if (step.operand < starts[row + 1]) {
        const source = sources[step.operand++];
        if (source < 0 || !this.supposition.isOpen(source)) continue;
        if (!this.order[source]) visit(source);
        else if (this.isOnStack[source]) lower(row, this.order[source]);
        continue;
      }
      path.pop();
      const above = path[path.length - 1];
      if (above) lower(above.row, this.low[row]);
      if (this.low[row] === this.order[row]) this.close(stack.splice(stack.lastIndexOf(row)));
    }
  }

  close(members) {
    const component = this.components++, { starts, sources } = this.network;
    for (const row of members) this.isOnStack[row] = 0, this.component[row] = component;
    if (!members.every(row => this.supposition.isOpen(row))) return;
    let waitsForItself = false;
    for (const row of members) {
      for (let operand = starts[row]; operand < starts[row + 1]; operand++) {
        const source = sources[operand];
        if (!this.supposition.isAwaited(source)) continue;
        if (this.component[source] === component) waitsForItself = true;
        else if (!this.isIdle[source]) return;
      }
    }
    const pebbles = members.filter(row => row < this.network.pebbleCount);
    if (!pebbles.length) for (const row of members) this.isIdle[row] = 1;
    else this.settle(pebbles, waitsForItself);
  }

  settle(pebbles, waitsForItself) {
    const { supposition } = this;
    this.hasSettled = true;
    if (waitsForItself) for (const pebble of pebbles) supposition.settle(pebble, skipped);
    else supposition.decide(pebbles[0], this.valueWithPredicatesFalse(pebbles[0]));
    supposition.propagate();
  }

  /// The value of a condition that waits for nothing but predicates, which count as false here.
  valueWithPredicatesFalse(pebble) {
    const { network, supposition } = this, values = new Map(), pending = [pebble];
    while (pending.length) {
      const row = pending[pending.length - 1], kind = network.kinds[row];
      const dominant = kind === anyOf ? yes : no;
      let value = kind === predicateOf ? no : 1 - dominant, missing = -1;
      for (let operand = network.starts[row]; operand < network.starts[row + 1]; operand++) {
        const source = network.sources[operand];
        // What is decided below an open gate is neutral there.
        if (source < network.pebbleCount || !supposition.isOpen(source)) continue;
        const known = network.kinds[source] === predicateOf ? no : values.get(source);
        if (known === undefined) missing = source;
        else if (kind === notOf) value = 1 - known;
        else if (kind === labelOf || known === dominant) value = known;
      }
      if (missing >= 0) pending.push(missing);
      else values.set(pending.pop(), value);
    }
    return values.get(pebble);
  }
}
