// Layered drawing, second part: the order of the cells in each layer. It is chosen so that few
// lines cross.

/// Orders the cells in each layer, and returns the number of crossings, which never increases. Of
/// several orders with the fewest crossings, it takes the first that it comes to, and the order of
/// definition before all others.
function orderCells(cells, sweeps) {
  const beginning = cells.layers.map(layer => layer.slice());
  let fewest = countCrossings(cells), best = beginning;
  // The search starts from two orders: the order of definition, and the order along the lines.
  for (const start of [beginning, alongLines(cells)]) {
    cells.layers = start.map(layer => layer.slice());
    cells.layers.forEach(layer => cells.number(layer));
    for (let sweep = 0, stale = 0; sweep < sweeps && stale < 4; sweep++, stale++) {
      sortByMeans(cells, sweep % 2 === 0);
      for (let round = 0; round < 3 && swapNeighbours(cells); round++) { /* while it helps */ }
      const count = countCrossings(cells);
      if (count >= fewest) continue;
      fewest = count;
      best = cells.layers.map(layer => layer.slice());
      stale = -1;
    }
  }
  cells.layers = best;
  cells.layers.forEach(layer => cells.number(layer));
  return fewest;
}

/// Returns the layers with their cells in the order of a depth-first search along the lines.
function alongLines({ cells, layers }) {
  const seen = new Uint8Array(cells.length), found = layers.map(() => []);
  for (const root of layers.flat()) {
    const pending = [root];
    while (pending.length) {
      const index = pending.pop();
      if (seen[index]) continue;
      seen[index] = 1;
      found[cells[index].layer].push(index);
      pending.push(...cells[index].after);
    }
  }
  return found;
}

/// Sorts the cells of each layer by the mean place of their neighbours in the layer before, or in
/// the layer after. The mean of a cell without such neighbours is its own place. Cells with equal
/// means keep their order.
function sortByMeans(graph, forwards) {
  const { cells, layers } = graph;
  for (let step = 0; step < layers.length; step++) {
    const layer = layers[forwards ? step : layers.length - 1 - step];
    for (const index of layer) {
      const cell = cells[index], near = forwards ? cell.before : cell.after;
      const sum = near.reduce((total, other) => total + cells[other].place, 0);
      cell.mean = near.length ? sum / near.length : cell.place;
    }
    layer.sort((one, other) => cells[one].mean - cells[other].mean);
    graph.number(layer);
  }
}

/// Swaps neighbours where that removes crossings, and returns whether it swapped any.
function swapNeighbours({ cells, layers }) {
  const gain = (upper, lower, side) => {
    let crossed = 0;
    for (const one of cells[upper][side]) {
      for (const other of cells[lower][side]) {
        crossed += Math.sign(cells[one].place - cells[other].place);
      }
    }
    return crossed;
  };
  let hasSwapped = false;
  for (const layer of layers) {
    for (let place = 0; place + 1 < layer.length; place++) {
      const upper = layer[place], lower = layer[place + 1];
      if (gain(upper, lower, 'before') + gain(upper, lower, 'after') <= 0) continue;
      layer[place] = lower;
      layer[place + 1] = upper;
      cells[lower].place = place;
      cells[upper].place = place + 1;
      hasSwapped = true;
    }
  }
  return hasSwapped;
}

/// Returns the number of pairs of lines that cross between neighbouring layers. A Fenwick tree
/// contains the ends of the lines that have been counted.
function countCrossings({ cells, layers }) {
  let crossings = 0;
  layers.slice(0, -1).forEach((layer, number) => {
    const size = layers[number + 1].length, tree = new Uint32Array(size + 1);
    let seen = 0;
    for (const index of layer) {
      const places = cells[index].after.map(to => cells[to].place);
      for (const place of places) {
        crossings += seen;
        for (let node = place + 1; node > 0; node -= node & -node) crossings -= tree[node];
      }
      for (const place of places) {
        seen++;
        for (let node = place + 1; node <= size; node += node & -node) tree[node]++;
      }
    }
  });
  return crossings;
}
