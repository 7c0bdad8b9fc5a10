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
    for (const row of members) {
      for (let operand = starts[row]; operand < starts[row + 1]; operand++) {
        const source = sources[operand];
        if (this.supposition.isAwaited(source) && this.component[source] !== component) return;
      }
    }
    this.hasSettled = true;
    for (const row of members) {
      if (row < this.network.pebbleCount) this.supposition.settle(row, skipped, 'stalled');
    }
    this.supposition.propagate();
  }
}
