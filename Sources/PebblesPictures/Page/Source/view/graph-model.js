// The graph to draw: pebbles, the operators between them, and lines from operands to the nodes that
// read them.

const wholeGraph = 300, mostGraphRows = 400;

/// Returns the pebbles to draw: all pebbles of a small pond, or a limited number of listed pebbles
/// of a large pond, preferably those nearest to a given pebble.
function graphPebbles(run, center, listed) {
  if (run.count <= wholeGraph) return [...run.names.keys()];
  const isListed = new Uint8Array(run.count);
  for (const pebble of listed) isListed[pebble] = 1;
  const found = new Set(center < 0 && listed.length ? [isListed[run.last] ? run.last : listed[0]]
    : [Math.max(0, center)]);
  for (const pebble of found) {
    for (const near of [...run.readers.readBy(pebble), ...run.readers.of(pebble)]) {
      if (found.size < wholeGraph && isListed[near]) found.add(near);
    }
    if (found.size >= wholeGraph) break;
  }
  // If the lines lead to no more pebbles, other listed pebbles are added.
  for (const pebble of listed) {
    if (found.size >= wholeGraph) break;
    found.add(pebble);
  }
  return [...found].sort((one, other) => one - other);
}

/// The nodes and lines of a graph. Nodes are pebbles or operators, and lines lead from an operand
/// to the node that reads it. An operator that several nodes read is drawn once. The AND at the top
/// of the condition of a pebble is not drawn.
class GraphModel {
  constructor(run, pebbles) {
    this.run = run;
    this.nodes = pebbles.map(pebble => this.pebbleNode(pebble));
    this.lines = [];
    this.places = new Map(pebbles.map((pebble, node) => [pebble, node]));
    this.pebbleNodes = pebbles.length;
    this.values = run.network.values(run.outcomes, run.held);
    pebbles.forEach((pebble, node) => this.addLines(pebble, node));
    this.addGoal(run.network.goal);
  }

  pebbleNode(pebble) {
    const name = shortened(this.run.names[pebble], 30);
    return { pebble, name, width: Math.ceil(measure(name)) + 34, height: 26 };
  }

  addGoal(row) {
    // The goal of a large pond is not drawn, because most of its operands are missing.
    if (row < 0 || this.pebbleNodes < this.run.count) return;
    const style = { [yes]: 'succeeded', [no]: 'failed' }[this.values[row]];
    this.goal = this.nodes.push({ pebble: -1, name: 'goal', style, width: 50, height: 22 }) - 1;
    this.addLines(row, this.goal);
  }

  addLines(row, node) {
    const { network } = this.run;
    for (let operand = network.starts[row]; operand < network.starts[row + 1]; operand++) {
      const source = network.sources[operand];
      if (source < 0) continue;
      const from = source < network.pebbleCount
        ? this.places.get(source) : this.operatorNode(source, node);
      if (from === undefined) continue;
      // The lines of an AND directly below a pebble lead to the pebble itself.
      if (from === node && source >= network.pebbleCount) continue;
      this.lines.push(this.line(from, node, operand));
    }
  }

  /// Returns the node of a gate, and adds the node if it is new. For an AND directly below a pebble
  /// or the goal, returns the node of that pebble or of the goal instead. Returns `undefined` if
  /// the gate is not drawn, because there are already too many nodes.
  operatorNode(row, node) {
    const { network } = this.run, kind = network.kinds[row], isRoot = node < this.pebbleNodes || node === this.goal;
    if (isRoot && kind === allOf) {
      this.addLines(row, node);
      return node;
    }
    if (this.places.has(-row)) return this.places.get(-row);
    if (this.nodes.length >= wholeGraph + mostGraphRows) return undefined;
    const condition = network.conditions[row - network.pebbleCount];
    const label = shortened(condition.label ?? '', 20);
    const name = ['and', 'or', 'not', `“${label}”`][kind];
    const width = Math.ceil(measure(name)) + 16;
    const made = this.nodes.push({ pebble: -1, name, width, height: 18 }) - 1;
    this.places.set(-row, made);
    this.addLines(row, made);
    return made;
  }

  line(from, to, operand) {
    const { network, outcomes, causes } = this.run, source = network.sources[operand];
    const value = network.operandValue(operand, this.values, outcomes, this.run.held);
    const target = this.nodes[to].pebble;
    const isAtom = source < network.pebbleCount;
    return {
      from, to, mask: isAtom ? network.masks[operand] : 0, isTrue: value === yes,
      isDecisive: isAtom && target >= 0 && causes[target] === source,
    };
  }
}
