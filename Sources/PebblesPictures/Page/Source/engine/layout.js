// Layered drawing, third part: the positions of all cells. After Sugiyama, Tagawa and Toda (1981).

const gapInLayer = 12, gapOfPoints = 4, gapOfLayers = 70;

/// Places nodes of given sizes so that lines lead from left to right.
///
/// Returns the centre of each node and, for each line, its points, each with the width of the cell
/// at that point.
function layOut(sizes, lines) {
  const graph = new Cells(sizes, lines), { cells } = graph;
  const crossings = orderCells(graph, cells.length > 1200 ? 8 : 24);
  for (const layer of graph.layers) stack(cells, layer);
  for (let round = 0; round < 8; round++) {
    for (const layer of graph.layers) straighten(cells, layer, ['before']);
    for (const layer of graph.layers.toReversed()) straighten(cells, layer, ['after']);
  }
  for (let round = 0; round < 4; round++) {
    for (const layer of graph.layers) straighten(cells, layer, ['before', 'after']);
  }
  let x = 0, top = Infinity, bottom = -Infinity;
  for (const layer of graph.layers) {
    const width = layer.reduce((most, index) => Math.max(most, cells[index].width), 0);
    for (const index of layer) {
      const cell = cells[index];
      cell.x = x + width / 2;
      top = Math.min(top, cell.y - cell.height / 2);
      bottom = Math.max(bottom, cell.y + cell.height / 2);
    }
    x += width + gapOfLayers;
  }
  const at = index => ({ x: cells[index].x, y: cells[index].y - top, width: cells[index].width });
  return {
    width: Math.max(0, x - gapOfLayers), height: Math.max(0, bottom - top), crossings,
    nodes: sizes.map((_, node) => at(node)), lines: graph.routes.map(route => route.map(at)),
  };
}

function gapBetween(upper, lower) {
  const gap = upper.isPoint && lower.isPoint ? gapOfPoints : gapInLayer;
  return (upper.height + lower.height) / 2 + gap;
}

function stack(cells, layer) {
  layer.forEach((index, place) => {
    const above = place ? cells[layer[place - 1]] : null;
    cells[index].y = above ? above.y + gapBetween(above, cells[index]) : 0;
  });
}

/// Moves the cells of a layer as near to the means of their neighbours as their order and the gaps
/// allow: least squares by pooling adjacent violators. Lines between points have the greatest
/// weight, so that long lines are straight.
function straighten(cells, layer, sides) {
  const blocks = [];
  let shift = 0;
  layer.forEach((index, place) => {
    const cell = cells[index];
    if (place) shift += gapBetween(cells[layer[place - 1]], cell);
    cell.shift = shift;
    let sum = 0, weight = 0;
    for (const other of sides.flatMap(side => cell[side])) {
      const strength = [1, 2, 8][cell.isPoint + cells[other].isPoint];
      sum += strength * cells[other].y;
      weight += strength;
    }
    if (!weight) {
      weight = 0.1;
      sum = cell.y * weight;
    }
    let block = { sum: sum - weight * shift, weight, members: [cell] };
    while (blocks.length) {
      const above = blocks[blocks.length - 1];
      if (above.sum / above.weight < block.sum / block.weight) break;
      blocks.pop();
      block = {
        sum: above.sum + block.sum, weight: above.weight + block.weight,
        members: above.members.concat(block.members),
      };
    }
    blocks.push(block);
  });
  for (const { sum, weight, members } of blocks) {
    for (const cell of members) cell.y = sum / weight + cell.shift;
  }
}
