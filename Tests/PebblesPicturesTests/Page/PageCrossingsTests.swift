import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of the second part of the layered drawing: of the order of the cells in each layer.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageCrossingsTests {
  /// A script that makes graphs whose nodes stand in layers of given sizes, and that counts the
  /// crossings of all pairs of lines.
  private static let graphs = """
    \(JavaScript.random)
    const cellsOf = (count, lines) => new Cells(listOf(count, () => ({})), lines);
    const layered = sizes => {
      const lines = [];
      let start = 0;
      sizes.slice(1).forEach((size, layer) => {
        const next = start + sizes[layer];
        // Each node has a line on both sides, so that it stands in its layer.
        for (let k = 0; k < size; k++) lines.push([start + below(sizes[layer]), next + k]);
        for (let k = 0; k < sizes[layer]; k++) lines.push([start + k, next + below(size)]);
        start = next;
      });
      return { count: start + sizes.at(-1), lines };
    };
    const pairsThatCross = ({ cells }) => {
      const steps = cells.flatMap(({ layer, place, after }) =>
        after.map(to => [layer, place, cells[to].place]));
      return steps.flatMap((one, k) => steps.slice(k + 1).filter(other => one[0] === other[0]
        && (one[1] - other[1]) * (one[2] - other[2]) < 0)).length;
    };
    const orders = list => list.length < 2 ? [list] : list.flatMap((one, k) =>
      orders(list.toSpliced(k, 1)).map(rest => [one, ...rest]));
    const place = (graph, layers) => {
      graph.layers = layers.map(layer => layer.slice());
      graph.layers.forEach(layer => graph.number(layer));
      return graph;
    };
    const text = ({ layers }) => layers.map(layer => layer.join('')).join(' ');
    """

  @Test func ofSmallGraphsTheOrderIsTheBest() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.graphs)
        const said = (count, lines) => {
          const graph = cellsOf(count, lines), fewest = orderCells(graph, 24);
          return `${text(graph)}: ${fewest}`;
        };
        const all = (ones, others) => ones.flatMap(one => others.map(other => [one, other]));
        return [
          said(4, [[0, 3], [1, 2]]),
          said(6, [[0, 5], [1, 4], [2, 3]]),
          said(4, all([0, 1], [2, 3])),
          said(6, all([0, 1, 2], [3, 4, 5])),
          said(7, [[0, 2], [1, 2], [2, 4], [2, 3], [3, 6], [4, 5]]),
          said(3, []), said(0, []),
        ].join('\\n');
        """)

    #expect(
      said == """
        01 32: 0
        012 543: 0
        01 23: 1
        012 345: 9
        01 2 34 65: 0
        012: 0
        : 0
        """)
  }

  @Test func anOrderWithoutCrossingsIsKept() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.graphs)
        const said = (count, lines) => {
          const graph = cellsOf(count, lines), before = text(graph);
          orderCells(graph, 24);
          return text(graph) === before ? before : `${before} became ${text(graph)}`;
        };
        return [said(3, [[0, 1], [0, 2]]), said(5, [[0, 2], [0, 3], [1, 4]]),
          said(6, [[0, 3], [2, 4], [4, 5]])].join();
        """)

    #expect(said == "0 12,01 234,012 34 5")
  }

  @Test func thereAreNeverMoreCrossingsThanBefore() throws {
    let wrong = try JavaScript.result(
      of: """
        \(Self.graphs)
        // The sweeps come to five crossings at best.
        const known = [[0, 2], [0, 5], [1, 5], [1, 3], [0, 4], [4, 8], [4, 7], [4, 6], [2, 6],
          [5, 8], [5, 7], [5, 9], [3, 7], [3, 6]];
        const graphs = listOf(\(Thoroughness.times(80)),
          () => layered(listOf(2 + below(4), () => 1 + below(6))));
        for (const { count, lines } of [{ count: 10, lines: known }, ...graphs]) {
          const graph = cellsOf(count, lines), before = pairsThatCross(graph);
          const cells = graph.layers.map(layer => layer.toSorted().join());
          const fewest = orderCells(graph, oneOf([0, 1, 8, 24])), what = lines.join(' ');
          if (fewest > before) wrong.push(`${fewest} instead of ${before} in ${what}`);
          expectSame(fewest, pairsThatCross(graph), `crossings of ${what}`);
          expectSame(graph.layers.map(layer => layer.toSorted().join()), cells, what);
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func mostOrdersAreTheBest() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.graphs)
        const extra = listOf(80, () => {
          const { count, lines } = layered(listOf(2 + below(2), () => 2 + below(2)));
          const graph = cellsOf(count, lines), layers = graph.layers.map(orders);
          const all = layers.reduce((done, list) =>
            done.flatMap(before => list.map(layer => [...before, layer])), [[]]);
          const best = Math.min(...all.map(one => countCrossings(place(graph, one))));
          return orderCells(cellsOf(count, lines), 24) - best;
        });
        const best = extra.filter(number => number === 0).length;
        return [extra.some(number => number < 0), best >= 76 ? 'most' : best].join();
        """)

    #expect(said == "false,most")
  }

  @Test func treesAreDrawnWithoutCrossings() throws {
    let wrong = try JavaScript.result(
      of: """
        \(Self.graphs)
        for (let round = 0; round < \(Thoroughness.times(60)); round++) {
          const count = 1 + below(16), roots = 1 + below(3);
          const lines = listOf(Math.max(0, count - roots), k => [below(k + roots), k + roots]);
          const fewest = orderCells(cellsOf(count, lines), 24);
          if (fewest) wrong.push(`${fewest} in ${lines.join(' ')}`);
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func crossingsAreThoseOfAllPairsOfLines() throws {
    let wrong = try JavaScript.result(
      of: """
        \(Self.graphs)
        for (let round = 0; round < \(Thoroughness.times(100)); round++) {
          const { count, lines } = layered(listOf(1 + below(4), () => 1 + below(7)));
          const graph = cellsOf(count, lines);
          place(graph, graph.layers.map(layer => layer.toSorted(() => below(3) - 1)));
          expectSame(countCrossings(graph), pairsThatCross(graph), `order ${text(graph)}`);
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func cellsAreSortedByTheMeansOfTheirNeighbours() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.graphs)
        const graph = cellsOf(8, [[0, 4], [1, 4], [2, 5], [0, 6], [3, 6], [3, 7], [0, 7]]);
        const sorted = (order, forwards) => {
          sortByMeans(place(graph, order), forwards);
          return `${text(graph)} at ${graph.cells.map(cell => cell.place).join('')}`;
        };
        // The last node of the first layer has no lines.
        const alone = place(cellsOf(5, [[0, 4], [1, 3]]), [[0, 2, 1], [3, 4]]);
        sortByMeans(alone, false);
        return [
          sorted([[0, 1, 2, 3], [5, 4, 7, 6]], true), sorted([[3, 2, 1, 0], [4, 5, 6, 7]], true),
          sorted([[0, 1, 2, 3], [7, 5, 6, 4]], false), text(alone),
        ].join('\\n');
        """)

    #expect(
      said == """
        0123 4765 at 01230321
        3210 5674 at 32103012
        2301 7564 at 23013120
        102 34
        """)
  }

  @Test func neighboursAreSwappedWhereThatRemovesCrossings() throws {
    let wrong = try JavaScript.result(
      of: """
        \(Self.graphs)
        const isBetter = (graph, layer, k) => {
          const layers = graph.layers.map(one => one.slice()), before = pairsThatCross(graph);
          const other = layers[layer].with(k, layers[layer][k + 1]).with(k + 1, layers[layer][k]);
          const after = pairsThatCross(place(graph, layers.with(layer, other)));
          place(graph, layers);
          return after < before;
        };
        for (let round = 0; round < \(Thoroughness.times(60)); round++) {
          const { count, lines } = layered(listOf(1 + below(4), () => 1 + below(5)));
          const graph = cellsOf(count, lines), what = `of ${lines.join(' ')}`;
          const isAny = graph.layers.some((layer, number) =>
            layer.slice(1).some((_, k) => isBetter(graph, number, k)));
          const before = pairsThatCross(graph), cells = graph.layers.flat().length;
          expectSame(swapNeighbours(graph), isAny, `swapped any ${what}`);
          expectSame(pairsThatCross(graph) < before, isAny, `fewer ${what}`);
          graph.layers.forEach(layer => layer.forEach((index, k) =>
            expectSame(graph.cells[index].place, k, `place ${what}`)));
          expectSame(new Set(graph.layers.flat()).size, cells, `cells ${what}`);
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func theOtherOrderFollowsTheLines() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.graphs)
        const along = (count, lines) => {
          const graph = cellsOf(count, lines);
          return text({ layers: alongLines(graph) });
        };
        return [along(7, [[0, 3], [0, 4], [1, 4], [2, 5], [4, 6]]), along(2, [[0, 1]]),
          along(4, [[0, 2], [1, 2], [0, 3], [1, 3]]), along(0, [])].join();
        """)

    #expect(said == "012 435 6,0 1,01 32,")
  }
}
