import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of the rows of large runs: of groups, their sums, and lanes, with small examples and with
/// random runs.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageOutlineTests {
  /// A script that makes a run of pebbles with given names and times, and its outline.
  private static let outline = """
    const runOf = (names, timeOf = k => [k, k + 1]) => new Run({
      pond: { pebbles: names.map(name => ({ name })), conditions: [] }, makespan: 1000,
      pebbles: names.map((name, k) => ({ name, outcome: outcomeNames[k % 5 ? 0 : 1],
        ready: timeOf(k)[0], started: timeOf(k)[0], finished: timeOf(k)[1] })) });
    const outlineOf = (run, isGrouped = true) => {
      const outline = new Outline(run);
      outline.isGrouped = isGrouped;
      outline.rows([...run.names.keys()]);
      return outline;
    };
    const text = outline => Array.from(outline.rows(outline.listed), row =>
      outline.groupAt(row) >= 0 ? `[${outline.groups.titles[outline.groupAt(row)]}]`
        : outline.laneAt(row)?.join('-') ?? outline.run.names[row]).join(' ');
    """

  @Test func manyPebblesAreGroupedAndFolded() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.outline)
        const many = count => new Outline(runOf(Array.from({ length: count }, (_, k) => `a${k}`)));
        const names = count => Array.from({ length: count }, (_, k) => `${'ab'[k % 2]}/${k}`);
        const folded = count => {
          const outline = outlineOf(runOf(names(120)));
          outline.rows(Uint32Array.from({ length: count }, (_, k) => k));
          return [outline.isOpen(0), outline.rows(outline.listed).length].join('/');
        };
        const plain = outlineOf(runOf(['x', 'y']));
        return [many(100).isGrouped, many(101).isGrouped, folded(100), folded(101),
          outlineOf(runOf(['a/x', 'a/y', 'b'])).hasGroups, plain.hasGroups, plain.firstLane,
          plain.groupAt(2), plain.level(0), plain.reveal(0),
          plain.isListed(0), many(1).isPacked, many(1).lanes.length, many(1).version,
          many(1).supposedEnds].join();
        """)

    #expect(said == "false,true,true/102,false/2,true,false,2,-1,1,false,false,false,0,0,")
  }

  @Test func rowsArePebblesThenGroupsThenLanes() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.outline)
        const outline = outlineOf(runOf(['a/b/x', 'a/b/y', 'a/c', 'd']));
        const seen = [[...outline.rows([0, 1, 2, 3])], outline.firstLane];
        seen.push([3, 4, 5, 6].map(row => outline.groupAt(row)));
        seen.push([0, 1, 2, 3, 4, 5].map(row => outline.level(row)));
        outline.isPacked = true;
        seen.push([...outline.rows([0, 1, 2, 3])], [6, 7, 8, 9].map(row => outline.laneAt(row)));
        seen.push([6, 7, 8].map(row => outline.level(row)), outline.laneAt(3) ?? 'none');
        outline.isGrouped = false;
        seen.push([...outline.rows([3, 0, 1])], outline.laneAt(4), outline.groupAt(4));
        seen.push(outline.level(4), outline.version);
        outline.isPacked = false;
        const listed = Uint32Array.of(2, 1);
        return [...seen, outline.rows(listed) === listed, outline.lanes.length].join(' ');
        """)

    #expect(
      said == """
        4,5,0,1,2,3 6 -1,0,1,-1 3,3,2,1,1,2 4,5,6,7,8 0,1,2,3, 3,2,1 none 4 0,1,3 -1 1 4 true 0
        """)
  }

  @Test func groupsOpenCloseAndAreRevealed() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.outline)
        const outline = outlineOf(runOf(['a/b/x', 'd', 'a/b/y', 'a/c', 'e']));
        const seen = [text(outline)], note = answer => seen.push(`${answer}: ${text(outline)}`);
        note(outline.toggle(0));
        note(outline.reveal(1));
        note(outline.reveal(2));
        note(outline.reveal(2));
        note(outline.toggle(1));
        note(outline.toggle(1, false));
        note(outline.toggle(0, false));
        note(outline.reveal(0));
        outline.listed = [4, 3, 1];
        note(outline.isOpen(1));
        note([0, 1].map(group => outline.isListed(group)));
        return seen.join('\\n');
        """)

    #expect(
      said == """
        [a] [b] a/b/x a/b/y a/c d e
        undefined: [a] d e
        false: [a] d e
        true: [a] [b] a/b/x a/b/y a/c d e
        false: [a] [b] a/b/x a/b/y a/c d e
        undefined: [a] [b] a/c d e
        undefined: [a] [b] a/c d e
        undefined: [a] d e
        true: [a] [b] a/b/x a/b/y a/c d e
        true: e [a] a/c d
        true,false: e [a] a/c d
        """)
  }

  @Test func aGroupIsWorthItsListedPebbles() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.random)
        \(Self.outline)
        for (let round = 0; round < \(Thoroughness.times(60)); round++) {
          const names = listOf(2 + below(20), k =>
            [...listOf(below(3), () => oneOf(['a', 'b', 'c'])), `p${k}`].join('/'));
          const times = names.map(() => below(50)).map(from => [from, from + below(30)]);
          const run = runOf(names, k => times[k]), outline = outlineOf(run), { groups } = outline;
          const what = `of ${JSON.stringify({ names, times })}`;
          if (below(3)) outline.supposedEnds = listOf(names.length, () => below(9));
          const ends = outline.supposedEnds ?? [...run.ends];
          const listed = [...names.keys()].filter(() => below(4)).sort(() => below(3) - 1);
          outline.rows(listed);
          if (!outline.hasGroups) continue;
          const isIn = (pebble, group) => {
            let own = groups.of[pebble];
            while (own > group) own = groups.parents[own];
            return own === group;
          };
          groups.titles.forEach((_, group) => {
            const inside = listed.filter(pebble => isIn(pebble, group));
            const counts = endNames.map((_, end) => inside.filter(k => ends[k] === end).length);
            expectSame(outline.countsOf(group), counts, `counts ${what}`);
            expectSame(outline.worst(group), endsByGravity.find(end => counts[end]) ?? 0, what);
            expectSame(outline.isListed(group), inside.length > 0, `is listed ${what}`);
            expectSame(
              outline.changes[group], inside.filter(k => ends[k] !== run.ends[k]).length, what);
            const [from, to] = [0, 1].map(side => inside.map(k => times[k][side]));
            expectSame([outline.froms[group], outline.tos[group]],
              [Math.min(...from), Math.max(...to)], `times ${what}`);
            if (!inside.length) return;
            expectSame(outline.members(group).sort(), inside.sort(), `members ${what}`);
          });
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func aGroupComesAtThePlaceOfItsFirstPebble() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.random)
        \(Self.outline)
        for (let round = 0; round < \(Thoroughness.times(60)); round++) {
          const names = listOf(2 + below(20), k =>
            [...listOf(below(4), () => oneOf(['a', 'b'])), `p${k}`].join('/'));
          const outline = outlineOf(runOf(names)), { groups } = outline;
          const listed = [...names.keys()].filter(() => below(5)).sort(() => below(3) - 1);
          if (!outline.hasGroups) continue;
          for (const group of groups.titles.keys()) if (!below(4)) outline.toggle(group, false);
          const around = group => group < 0 ? [-1] : [...around(groups.parents[group]), group];
          // The pebbles and groups right inside of a group, by the first listed pebble of each.
          const rowsOf = group => {
            const depth = around(group).length, rows = new Set();
            for (const pebble of listed) {
              const way = around(groups.of[pebble]);
              if (way[depth - 1] !== group) continue;
              rows.add(way.length > depth ? names.length + way[depth] : pebble);
            }
            return [...rows].flatMap(row => {
              const inner = row - names.length;
              return inner >= 0 && outline.isOpen(inner) ? [row, ...rowsOf(inner)] : row;
            });
          };
          const what = JSON.stringify({ names, listed });
          expectSame(outline.rows(listed), rowsOf(-1), `rows of ${what}`);
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func pebblesTakeAsFewLanesAsPossible() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.random)
        \(Self.outline)
        for (let round = 0; round < \(Thoroughness.times(60)); round++) {
          const count = 1 + below(40), times = listOf(count, () => below(60))
            .map(from => [from, from + 1 + below(oneOf([3, 20, 60]))]);
          const run = runOf(listOf(count, k => `p${k}`), k => times[k]), outline = outlineOf(run);
          outline.isPacked = true;
          outline.isGrouped = false;
          const listed = listOf(count, k => k).filter(() => below(8)), rows = outline.rows(listed);
          const lanes = Array.from(rows, row => outline.laneAt(row)), what = JSON.stringify(times);
          const most = Math.max(0, ...times.map(([at]) =>
            listed.filter(k => times[k][0] <= at && at < times[k][1]).length));
          expectSame(lanes.length, most, `lanes of ${what}`);
          expectSame(lanes.flat().sort(), listed.toSorted(), `pebbles in lanes of ${what}`);
          for (const lane of lanes) {
            lane.slice(1).forEach((k, place) => {
              if (times[lane[place]][1] > times[k][0]) wrong.push(`overlap in lane of ${what}`);
            });
          }
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func aHeapHasTheLeastOnTop() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.random)
        const isHeap = heap => heap.every(({ end }, k) => !k || heap[(k - 1) >> 1].end <= end);
        for (let round = 0; round < \(Thoroughness.times(60)); round++) {
          const heap = [], all = [];
          for (let step = 0; step < 25; step++) {
            const end = below(30);
            if (!heap.length || below(2)) {
              rise(heap, { end });
              all.push(end);
            } else {
              all.splice(all.indexOf(heap[0].end), 1, heap[0].end + end);
              heap[0].end += end;
              sink(heap);
            }
            if (!isHeap(heap)) wrong.push(`no heap: ${heap.map(entry => entry.end)}`);
          }
          const ends = heap.map(entry => entry.end).sort((one, other) => one - other);
          expectSame(ends, all.sort((one, other) => one - other), 'entries');
        }
        return verdict();
        """)

    #expect(wrong == "")
  }
}
