import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of the third part of the layered drawing: of the positions of nodes and lines.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageLayoutTests {
  /// A script that writes a drawing as text: its size, its nodes, and the points of its lines.
  private static let drawing = """
    const box = (width, height) => ({ width, height });
    const round = number => Math.round(number * 100) / 100;
    const at = ({ x, y, width }) => `${round(x)},${round(y)}/${width}`;
    const drawn = (sizes, lines) => {
      const { width, height, nodes, lines: ways } = layOut(sizes, lines);
      return [`${width}x${round(height)}`, nodes.map(at).join(' ') || 'empty',
        ...ways.map(way => way.map(at).join(' '))].join('; ');
    };
    """

  @Test func linesLeadFromLeftToRight() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.drawing)
        const small = box(10, 20);
        return [
          drawn([], []), drawn([box(30, 20)], []), drawn([small, box(30, 40)], []),
          drawn([small, box(30, 40), small], [[0, 1], [1, 2]]),
          drawn([small, small, small], [[0, 1], [0, 2]]),
          drawn([small, small], [[0, 1], [1, 0], [1, 1]]),
        ].join('\\n');
        """)

    #expect(
      said == """
        0x0; empty
        30x20; 15,10/30
        30x72; 15,10/10 15,52/30
        190x40; 5,20/10 95,20/30 185,20/10; 5,20/10 95,20/30; 95,20/30 185,20/10
        90x52; 5,26/10 85,10/10 85,42/10; 5,26/10 85,10/10; 5,26/10 85,42/10
        90x20; 5,10/10 85,10/10; 5,10/10 85,10/10; 85,10/10 5,10/10; 85,10/10
        """)
  }

  @Test func longLinesAreStraight() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.drawing)
        const sizes = Array.from({ length: 5 }, () => box(10, 20));
        const lines = [[0, 1], [1, 2], [2, 3], [3, 4], [0, 4], [0, 4]];
        const { nodes, lines: ways } = layOut(sizes, lines), long = ways.slice(4);
        const flat = points => new Set(points.map(({ y }) => Math.round(y))).size === 1;
        const [upper, lower] = long.map(way => way[2].y);
        return [flat(nodes.slice(1, 4)), ...long.map(way => flat(way.slice(1, -1))),
          long.map(way => way.length), round(lower - upper), nodes[2].y < upper,
          round(Math.abs(upper - nodes[2].y) - 11)].join();
        """)

    #expect(said == "true,true,true,5,5,6,true,12")
  }

  @Test func cellsNeverOverlap() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.random)
        for (let round = 0; round < \(Thoroughness.times(40)); round++) {
          const count = 1 + below(12), what = `drawing ${round}`;
          const sizes = listOf(count, () => ({ width: 5 + below(60), height: 4 + below(30) }));
          const lines = listOf(below(2 * count), () => [below(count), below(count)]);
          const graph = new Cells(sizes, lines), { width, height, nodes, lines: ways, crossings }
            = layOut(sizes, lines);
          expectSame(crossings, orderCells(graph, 24), `crossings of ${what}`);
          // Each cell is a node, or a point of a line.
          const spots = nodes.slice();
          graph.routes.forEach((route, line) =>
            route.forEach((index, k) => { spots[index] = ways[line][k]; }));
          let left = 0;
          for (const layer of graph.layers) {
            const most = Math.max(...layer.map(index => graph.cells[index].width));
            layer.forEach((index, k) => {
              const cell = graph.cells[index], { x, y, width: own } = spots[index];
              if (x !== left + most / 2 || own !== cell.width) wrong.push(`place in ${what}`);
              if (y - cell.height / 2 < -1e-6) wrong.push(`above the top of ${what}`);
              if (y + cell.height / 2 > height + 1e-6) wrong.push(`below the end of ${what}`);
              if (!k) return;
              const above = graph.cells[layer[k - 1]], gap = above.isPoint && cell.isPoint ? 4 : 12;
              const free = y - spots[layer[k - 1]].y - (above.height + cell.height) / 2;
              if (free < gap - 1e-6) wrong.push(`gap of ${free} in ${what}`);
            });
            left += most + 70;
          }
          expectSame(width, left - 70, `width of ${what}`);
          const tops = graph.cells.map((cell, index) => spots[index].y - cell.height / 2);
          const ends = graph.cells.map((cell, index) => spots[index].y + cell.height / 2);
          if (Math.abs(Math.min(...tops)) > 1e-6) wrong.push(`top of ${what}`);
          if (Math.abs(Math.max(...ends) - height) > 1e-6) wrong.push(`end of ${what}`);
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func aLayerIsFirstStackedWithGaps() throws {
    let said = try JavaScript.result(
      of: """
        const cell = (height, isPoint) => ({ height, isPoint, y: 99 });
        const cells = [cell(20, false), cell(2, true), cell(2, true), cell(30, false)];
        stack(cells, [3, 0, 2, 1]);
        return [cells.map(({ y }) => y), gapBetween(cells[0], cells[3]),
          gapBetween(cells[1], cells[0])].join();
        """)

    #expect(said == "37,66,60,0,37,23")
  }

  @Test func cellsMoveAsNearToTheirNeighboursAsTheGapsAllow() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.random)
        const sum = list => list.reduce((total, one) => total + one, 0);
        for (let round = 0; round < \(Thoroughness.times(60)); round++) {
          const any = () => ({ y: below(200), height: 2 + 2 * below(9), isPoint: below(2) > 0 });
          const others = listOf(6, any);
          const cells = [...others, ...listOf(1 + below(6), () => ({ ...any(),
            before: listOf(below(3), () => below(6)), after: listOf(below(3), () => below(6)) }))];
          const layer = cells.slice(6).map((_, k) => k + 6);
          const sides = oneOf([['before'], ['after'], ['before', 'after']]);
          // Where each cell would be without the others, less the room that those above it take.
          let shift = 0;
          const wishes = layer.map((index, k) => {
            const cell = cells[index], above = cells[index - 1];
            const gap = k && above.isPoint && cell.isPoint ? 4 : 12;
            if (k) shift += (above.height + cell.height) / 2 + gap;
            const near = sides.flatMap(side => cell[side]).map(other => cells[other]);
            const weights = near.map(other => [1, 2, 8][cell.isPoint + other.isPoint]);
            const weight = near.length ? sum(weights) : 0.1, total = near.length
              ? sum(near.map((other, n) => weights[n] * other.y)) : 0.1 * cell.y;
            return { weight, total: total - weight * shift, shift };
          });
          const mean = (from, to) => {
            const some = wishes.slice(from, to + 1);
            return sum(some.map(({ total }) => total)) / sum(some.map(({ weight }) => weight));
          };
          // The formula for the least squares of numbers that do not decrease.
          const all = [...layer.keys()];
          const least = (from, k) => Math.min(...all.slice(k).map(to => mean(from, to)));
          const expected = all.map(k =>
            wishes[k].shift + Math.max(...all.slice(0, k + 1).map(from => least(from, k))));
          straighten(cells, layer, sides);
          layer.forEach((index, k) => {
            if (Math.abs(cells[index].y - expected[k]) > 1e-6) {
              wrong.push(`${cells[index].y}, not ${expected[k]}, in round ${round}`);
            }
          });
        }
        return verdict();
        """)

    #expect(wrong == "")
  }
}
