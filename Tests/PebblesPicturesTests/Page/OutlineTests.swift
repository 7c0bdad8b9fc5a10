import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

/// Tests of the rows in which pebbles are shown, in groups that open and close, and in lanes.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct OutlineTests {
  private static func result(of code: String, with names: [String]) throws -> String {
    let pond = Pond("names")
    var plan = SimulationPlan()
    for (position, name) in names.enumerated() {
      pond.pebble(name) {}
      plan.durations.append(UInt64(1 + position) * 1_000_000)
    }
    plan.failures[1] = "refused"
    let run = Simulator(try pond.model(), plan).run()
    return try JavaScript.result(
      of: """
        const run = new Run(\(run.json())), groups = new Groups(run);
        const groupOf = k => groups.of[k] < 0 ? '-' : groups.titles[groups.of[k]];
        const outline = new Outline(run), all = Uint32Array.from(run.names.keys());
        outline.isGrouped = true;
        const shown = row => outline.groupAt(row) >= 0 ? groups.titles[outline.groupAt(row)]
          : run.names[row];
        const rows = () => Array.from(outline.rows(all), shown).join();
        \(code)
        """)
  }

  @Test(arguments: [
    (["a/x", "a/y", "b/x", "b/y"], "a,a,b,b"), (["a/x", "b", "c"], "-,-,-"),
    (["loadCores", "loadUsers", "show"], "load,load,-"),
    (["step1", "step2", "other"], "step,step,-"),
    (["a/x", "a/y"], "-,-"), (["a/b/1", "a/b/2", "a/c", "z"], "b,b,a,-"),
    (["-", "/", "//"], "-,-,-"), (["a//b0/x", "a//b0/y", "a//c", "z"], "b0,b0,a,-"),
  ])
  func groupsAreWhatNamesBeginWith(_ names: [String], _ groups: String) throws {
    #expect(
      try Self.result(
        of: "return [0, 1, 2, 3].slice(0, run.count).map(groupOf).join()", with: names)
        == groups)
  }

  @Test func clustersAreGroups() throws {
    let inner = Pond("inner")
    for name in ["open", "warm"] { inner.pebble(name) {} }
    let pond = Pond("outer")
    pond.add(inner, as: "cache")
    pond.pebble("show") {}
    let run = Simulator(try pond.model(), SimulationPlan()).run()

    let groups = try JavaScript.result(
      of: """
        const groups = new Groups(new Run(\(run.json())));
        return [groups.titles, [...groups.of]].join(' ');
        """)

    #expect(groups == "cache 0,0,-1")
  }

  @Test func groupsOpenAndCloseAndAreSummedUp() throws {
    let names = ["a/x", "a/y", "b/x", "show", "b/y"]

    let seen = try Self.result(
      of: """
        const seen = [rows()];
        outline.toggle(0);
        seen.push(rows(), outline.countsOf(0).slice(0, 3).join());
        seen.push(outline.worst(0), outline.worst(1),
          outline.tos[0] / 1e6, outline.members(1).join());
        seen.push(outline.reveal(0), rows(), outline.reveal(3));
        return seen.join(' ');
        """, with: names)

    #expect(
      seen
        == "a,a/x,a/y,b,b/x,b/y,show a,b,b/x,b/y,show 1,1,0 1 0 2 2,4 "
        + "true a,a/x,a/y,b,b/x,b/y,show false"
    )
  }

  @Test func manyPebblesAreFoldedAtFirst() throws {
    let names = (0..<120).map { "\(["a", "b", "c"][$0 % 3])/\($0)" }

    #expect(try Self.result(of: "return rows()", with: names) == "a,b,c")
  }

  @Test func whatDoesNotOverlapSharesALane() throws {
    let pond = Pond("lanes")
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    pond.pebble("beside") {}
    pond.pebble("third", when: second.succeeded) {}
    var plan = SimulationPlan()
    plan.durations = [2, 3, 4, 1].map { $0 * 1_000_000 }
    let run = Simulator(try pond.model(), plan).run()

    let lanes = try JavaScript.result(
      of: """
        const run = new Run(\(run.json())), outline = new Outline(run);
        outline.isPacked = true;
        const rows = outline.rows(Uint32Array.from(run.names.keys()));
        return Array.from(rows, row => outline.laneAt(row).join('-')).join();
        """)

    #expect(["0-1-3,2", "0-1,2-3"].contains(lanes))
  }
}
