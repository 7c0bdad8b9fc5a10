// Layered drawing, first part: the layer of each node.

/// Returns the lines that close a cycle, in the order of a depth-first search.
function backLines(count, lines) {
  const leaving = Array.from({ length: count }, () => []);
  lines.forEach(([from, to], line) => { if (from !== to) leaving[from].push([to, line]); });
  const fresh = 0, open = 1, done = 2, states = new Uint8Array(count), back = new Set();
  for (let root = 0; root < count; root++) {
    if (states[root] !== fresh) continue;
    const path = [{ node: root, next: 0 }];
    states[root] = open;
    while (path.length) {
      const step = path[path.length - 1];
      if (step.next === leaving[step.node].length) {
        states[step.node] = done;
        path.pop();
        continue;
      }
      const [to, line] = leaving[step.node][step.next++];
      if (states[to] === open) back.add(line);
      else if (states[to] === fresh) {
        states[to] = open;
        path.push({ node: to, next: 0 });
      }
    }
  }
  return back;
}

/// Returns the layer of each node, by longest path, so that every line leads to a later layer.
/// Nodes without incoming lines are then moved next to the nearest node that reads them.
function layersOf(count, lines) {
  const next = Array.from({ length: count }, () => []), missing = new Uint32Array(count);
  const isSource = new Uint8Array(count).fill(1);
  for (const [from, to] of lines) {
    isSource[to] = 0;
    next[from].push(to);
    missing[to]++;
  }
  const order = [], layers = new Uint32Array(count);
  for (let node = 0; node < count; node++) if (!missing[node]) order.push(node);
  for (let place = 0; place < order.length; place++) {
    const node = order[place];
    for (const to of next[node]) {
      layers[to] = Math.max(layers[to], layers[node] + 1);
      if (!--missing[to]) order.push(to);
    }
  }
  for (const node of order) {
    if (!isSource[node] || !next[node].length) continue;
    const nearest = next[node].reduce((least, to) => Math.min(least, layers[to]), Infinity);
    layers[node] = Math.max(layers[node], nearest - 1);
  }
  return layers;
}

/// The cells that the layout orders and places: the nodes, and a point for each layer that a line
/// crosses.
class Cells {
  constructor(sizes, lines) {
    const back = backLines(sizes.length, lines);
    const forward = lines.map(([from, to], line) => back.has(line) ? [to, from] : [from, to]);
    const layers = layersOf(sizes.length, forward.filter(([from, to]) => from !== to));
    this.cells = sizes.map(({ width, height }, node) =>
      ({ width, height, layer: layers[node], isPoint: false, before: [], after: [], y: 0 }));
    this.routes = forward.map(([from, to], line) => {
      const route = from === to ? [from] : this.route(from, to);
      return back.has(line) ? route.reverse() : route;
    });
    this.layers = [];
    this.cells.forEach((cell, index) => (this.layers[cell.layer] ??= []).push(index));
    this.layers.forEach(layer => this.number(layer));
  }

  route(from, to) {
    const { cells } = this, route = [from];
    const connect = next => {
      const last = route[route.length - 1];
      cells[last].after.push(next);
      cells[next].before.push(last);
      route.push(next);
    };
    for (let layer = cells[from].layer + 1; layer < cells[to].layer; layer++) {
      const point = { width: 0, height: 2, layer, isPoint: true, before: [], after: [], y: 0 };
      connect(cells.push(point) - 1);
    }
    connect(to);
    return route;
  }

  number(layer) { layer.forEach((index, place) => { this.cells[index].place = place; }); }
}
