import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of the first part of the layered drawing: of the lines that close cycles, of the layers of
/// nodes, and of the points at which lines cross layers.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageLayersTests {
  /// A script that makes random graphs, in half of which all lines lead to later nodes.
  private static let graphs = """
    \(JavaScript.random)
    const randomGraph = (most, isAcyclic) => {
      const count = 1 + below(most);
      const lines = listOf(below(2 * count + 1), () => [below(count), below(count)]);
      if (!isAcyclic) return { count, lines };
      return { count, lines: lines.filter(([from, to]) => from < to) };
    };
    const hasCycle = (count, lines) => {
      const missing = new Array(count).fill(0), ready = [];
      for (const [, to] of lines) missing[to]++;
      missing.forEach((number, node) => { if (!number) ready.push(node); });
      for (const node of ready) {
        for (const [from, to] of lines) if (from === node && !--missing[to]) ready.push(to);
      }
      return ready.length < count;
    };
    const isNoLoop = ([from, to]) => from !== to;
    """

  @Test func theLinesThatCloseACycleAreFound() throws {
    let said = try JavaScript.result(
      of: """
        const back = (count, lines) => [...backLines(count, lines)].join('+') || 'none';
        return [
          back(3, [[0, 1], [1, 2], [0, 2]]), back(2, [[0, 1], [1, 0]]), back(1, [[0, 0]]),
          back(4, [[0, 1], [1, 2], [2, 3], [3, 1]]), back(3, [[1, 2], [2, 1]]),
          back(4, [[0, 1], [1, 0], [2, 3], [3, 2]]), back(3, [[2, 1], [1, 0], [0, 2]]),
          back(2, [[1, 0], [0, 1], [0, 1]]), back(0, []), back(4, [[0, 1], [2, 1], [1, 3]]),
        ].join();
        """)

    #expect(said == "none,1,none,3,1,1+3,1,0,none,none")
  }

  @Test func withoutTheLinesThatCloseCyclesThereIsNone() throws {
    let wrong = try JavaScript.result(
      of: """
        \(Self.graphs)
        for (let round = 0; round < \(Thoroughness.times(400)); round++) {
          const isAcyclic = round % 2 === 0, { count, lines } = randomGraph(12, isAcyclic);
          const back = backLines(count, lines);
          const rest = lines.filter((line, number) => isNoLoop(line) && !back.has(number));
          if (hasCycle(count, rest)) wrong.push(`a cycle is left in ${lines.join(' ')}`);
          if (isAcyclic && back.size) wrong.push(`${lines.join(' ')} has no cycle`);
          // Each of these lines closes a cycle with others.
          for (const line of back) {
            if (!hasCycle(count, [...rest, lines[line]])) wrong.push(`${line} closes none`);
          }
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func sourcesStandNextToTheirNearestReader() throws {
    let said = try JavaScript.result(
      of: """
        const layers = (count, lines) => layersOf(count, lines).join('');
        return [
          layers(3, [[0, 1], [1, 2]]), layers(3, [[0, 1], [1, 2], [0, 2]]),
          layers(4, [[0, 1], [1, 2], [3, 2]]), layers(5, [[0, 1], [1, 2], [3, 2], [3, 1], [4, 2]]),
          layers(2, []), layers(3, [[2, 1], [1, 0]]), layers(0, []),
        ].join();
        """)

    #expect(said == "012,012,0121,01201,00,210,")
  }

  @Test func everyLineLeadsToALaterLayer() throws {
    let wrong = try JavaScript.result(
      of: """
        \(Self.graphs)
        for (let round = 0; round < \(Thoroughness.times(400)); round++) {
          const { count, lines: onwards } = randomGraph(14, true);
          // Either all lines lead to nodes that were defined later, or all to earlier ones.
          const lines = onwards.map(line => line.map(node => round % 2 ? node : count - 1 - node));
          const before = node => lines.filter(([, to]) => to === node).map(([from]) => from);
          const after = node => lines.filter(([from]) => from === node).map(([, to]) => to);
          const longest = node => Math.max(0, ...before(node).map(from => longest(from) + 1));
          const expected = listOf(count, node => before(node).length || !after(node).length
            ? longest(node) : Math.min(...after(node).map(longest)) - 1);
          expectSame(layersOf(count, lines), expected, `layers of ${lines.join(' ')}`);
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func aLineHasAPointInEachLayerThatItCrosses() throws {
    let said = try JavaScript.result(
      of: """
        const sizes = Array.from({ length: 4 }, (_, node) => ({ width: 10 + node, height: 20 }));
        const lines = [[0, 1], [1, 2], [2, 3], [0, 3], [3, 1], [2, 2]];
        const { cells, layers, routes } = new Cells(sizes, lines);
        return [
          routes.map(route => route.join('-')).join(), layers.map(layer => layer.join('+')).join(),
          cells.map(({ width, height, isPoint }) => [width, height, isPoint ? 'point' : 'node']
            .join('/')).join(),
          cells.map(({ layer, place }) => `${layer}.${place}`).join(),
          cells.map(({ before, after }) => `${before.join('+')}>${after.join('+')}`).join(),
          new Set(cells.map(({ y }) => y)).size,
        ].join('\\n');
        """)

    #expect(
      said == """
        0-1,1-2,2-3,0-4-5-3,3-6-1,2
        0,1+4,2+5+6,3
        10/20/node,11/20/node,12/20/node,13/20/node,0/2/point,0/2/point,0/2/point
        0.0,1.0,2.0,3.0,1.1,2.1,2.2
        >1+4,0>2+6,1>3,2+5+6>,0>5,4>3,1>3
        1
        """)
  }

  @Test func routesLeadFromTheReadPebbleToItsReaderThroughAllLayersBetween() throws {
    let wrong = try JavaScript.result(
      of: """
        \(Self.graphs)
        for (let round = 0; round < \(Thoroughness.times(200)); round++) {
          const { count, lines } = randomGraph(10, round % 3 === 0);
          const { cells, layers, routes } = new Cells(listOf(count, () => ({})), lines);
          const what = lines.join(' '), back = backLines(count, lines);
          routes.forEach((route, line) => {
            const ends = isNoLoop(lines[line]) ? lines[line] : [lines[line][0]];
            expectSame([route[0], route.at(-1)], [ends[0], ends.at(-1)], `ends in ${what}`);
            const way = back.has(line) ? route.toReversed() : route, first = cells[way[0]].layer;
            expectSame(
              way.map(cell => cells[cell].layer), listOf(way.length, k => first + k), what);
            expectSame(way.slice(1, -1).every(cell => cells[cell].isPoint), true, what);
            way.slice(1).forEach((cell, k) => {
              if (!cells[cell].before.includes(way[k])) wrong.push(`before in ${what}`);
              if (!cells[way[k]].after.includes(cell)) wrong.push(`after in ${what}`);
            });
          });
          const steps = routes.reduce((sum, route) => sum + route.length - 1, 0);
          const ends = side => cells.reduce((sum, cell) => sum + cell[side].length, 0);
          expectSame([ends('before'), ends('after')], [steps, steps], `lines in ${what}`);
          layers.forEach((layer, number) => layer.forEach((cell, place) =>
            expectSame([cells[cell].layer, cells[cell].place], [number, place], what)));
          expectSame(layers.flat().length, cells.length, `cells in layers of ${what}`);
        }
        return verdict();
        """)

    #expect(wrong == "")
  }
}
