// Stalls: nothing can start, but pebbles still wait, because they wait for each other.

/// A search in the graph of rows that wait and the rows they wait for. Each strongly connected
/// component that waits only for itself is skipped as a whole. Tarjan's search finds a component
/// after all components that it waits for, so one pass settles most of them. A component with a row
/// that has been decided in the meantime is left to the next pass. The result is the same as if all
/// such components were skipped at once, round by round.
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

  /// Skips the components that stall, and returns whether any pebble was settled.
  resolve() {
    this.hasSettled = false;
    for (let pebble = 0; pebble < this.network.pebbleCount; pebble++) {
      if (!this.order[pebble] && this.supposition.isOpen(pebble)) this.search(pebble);
    }
    return this.hasSettled;
  }

  /// Searches from a row as in Tarjan's algorithm, but without recursion, because conditions may be
  /// deep.
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
