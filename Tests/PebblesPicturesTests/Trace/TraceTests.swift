import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

/// Tests of the requirements of trace viewers: two slices of a lane overlap only if one contains
/// the other, and every end of an arrow is in exactly one slice.
@Suite(.watched) struct TraceTests {
  @Test func slicesOfALaneDoNotOverlap() throws {
    for seed in 0..<60 {
      let events = try events(seed: seed)
      for (lane, pebbles) in Dictionary(grouping: events.filter(\.isPebble), by: \.lane) {
        let sorted = pebbles.sorted { $0.time < $1.time }
        for (one, next) in zip(sorted, sorted.dropFirst()) {
          #expect(one.end <= next.time, "seed \(seed), lane \(lane)")
        }
      }
    }
  }

  @Test func everyEndOfAnArrowIsInExactlyOneSlice() throws {
    for seed in 0..<60 {
      let events = try events(seed: seed)
      let slices = events.filter { $0.phase == "X" }
      for flow in events where flow.phase == "s" || flow.phase == "f" {
        let around = slices.filter {
          $0.lane == flow.lane && $0.time <= flow.time && flow.time < $0.end
        }
        #expect(around.count == 1, "seed \(seed), arrow \(flow.id ?? "")")
      }
      let starts = events.filter { $0.phase == "s" }
      let ends = Dictionary(
        uniqueKeysWithValues: events.filter { $0.phase == "f" }.map { ($0.id, $0) })
      #expect(starts.count == ends.count)
      for start in starts { #expect(try #require(ends[start.id]).time >= start.time) }
    }
  }

  @Test func attemptsAreInsideOfTheirPebblesAndBesideEachOther() throws {
    var found = 0
    for seed in 0..<30 {
      let events = try events(seed: seed)
      for attempt in events where attempt.category == "attempt" {
        found += 1
        #expect(
          events.contains {
            $0.isPebble && $0.lane == attempt.lane && $0.time < attempt.time
              && attempt.end < $0.end
          })
      }
      let attempts = events.filter { $0.category == "attempt" }
      for (_, ofLane) in Dictionary(grouping: attempts, by: \.lane) {
        let sorted = ofLane.sorted { $0.time < $1.time }
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.end <= $1.time })
      }
    }
    #expect(found > 100)
  }

  @Test func everyPebbleIsASliceOrAnInstant() throws {
    var random = RandomRun(seed: 7)
    let run = try random.run(of: 60)
    let events = try Self.events(of: run)

    let names = events.filter { $0.isPebble || $0.phase == "i" }.map(\.name)
    #expect(names.sorted() == run.pebbles.map(\.name).sorted())
    #expect(events.count { $0.phase == "i" } == run.pebbles.count { $0.outcome.isSkipped })
  }

  @Test func lanesAreAsManyAsRunAtATime() throws {
    for seed in 0..<20 {
      var random = RandomRun(seed: UInt64(seed))
      let run = try random.run(of: 60)
      let events = try Self.events(of: run)

      let most = events.filter { $0.name == "running" && $0.phase == "C" }.compactMap(\.count).max()
      #expect(Set(events.filter(\.isPebble).map(\.lane)).count == most ?? 0)
      #expect(events.last { $0.name == "running" }?.count == 0)
    }
  }

  @Test func waitsBeginAndEnd() throws {
    let events = try Self.events(of: TimelineTests.boot())

    let waits = events.filter { $0.category == "waiting" }
    #expect(waits.map(\.phase) == ["b", "e"])
    #expect(waits.map(\.time) == [30_000_000, 35_000_000])
    #expect(waits.first?.name == "waits for a thread")
  }

  @Test func aSmallTraceIsWrittenInFull() throws {
    let pond = Pond("say \"boot\"")
    let load = pond.pebble("load\n") {}
    pond.pebble("repair", when: load.failed) {}
    var plan = SimulationPlan()
    plan.durations = [12_345]

    #expect(
      Simulator(try pond.model(), plan).run().trace() == #"""
        {"displayTimeUnit": "ms", "otherData": {"pond": "say \"boot\""}, "traceEvents": [
          {"ph": "M", "pid": 1, "tid": 0, "name": "process_name", \#
        "args": {"name": "pond say \"boot\""}},
          {"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "lane 1"}},
          {"ph": "M", "pid": 1, "tid": 1, "name": "thread_sort_index", "args": {"sort_index": 1}},
          {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "skipped"}},
          {"ph": "M", "pid": 1, "tid": 2, "name": "thread_sort_index", "args": {"sort_index": 2}},
          {"ph": "X", "pid": 1, "tid": 1, "ts": 0, \#
        "name": "load\n", "dur": 12.345, "cat": "succeeded,longest chain", \#
        "cname": "good", "args": \#
        {"outcome": "succeeded", "on the longest chain": "yes"}},
          {"ph": "i", "pid": 1, "tid": 2, "ts": 12.345, \#
        "name": "repair", "s": "t", "cat": "skipped", "args": {"outcome": "skipped", \#
        "reason": "not needed, because load⏎ succeeded", "decided by": "load\n"}},
          {"ph": "C", "pid": 1, "ts": 0, "name": "running", "args": {"pebbles": 1}},
          {"ph": "C", "pid": 1, "ts": 12.345, "name": "running", "args": {"pebbles": 0}}
        ]}

        """#)
  }

  @Test func aPondWithoutPebblesHasATraceToo() async throws {
    let run = try await Pond("empty").run().recorded()

    #expect(try Self.events(of: run).map(\.phase) == ["M"])
  }

  @Test func aBodyMayTakeAsLongAsANumberCanSay() throws {
    let most = UInt64.max
    let run = try RecordedRun(
      json: """
        {"format": "pond run", "version": 1, "makespan": \(most), "pond": {"format": "pond",
          "version": 1, "name": "p", "onFailure": "ignore", "conditions": [], "clusters": [],
          "pebbles": [{"name": "a"}]},
         "pebbles": [{"name": "a", "outcome": "succeeded", "ready": 0, "started": 0,
           "finished": \(most)}], "nested": []}
        """)

    #expect(run.trace().contains("\"dur\": 18446744073709551.615"))
  }

  private func events(seed: Int) throws -> [TraceEvent] {
    var random = RandomRun(seed: UInt64(seed))
    return try Self.events(of: random.run(of: [2, 20, 90][seed % 3]))
  }

  static func events(of run: RecordedRun) throws -> [TraceEvent] {
    let root = try JSONDocument(run.trace().utf8, limits: .none).root
    let list = try #require(root["traceEvents"])
    return try list.elements().map { try TraceEvent($0) }
  }
}

/// An event that is read back from a trace.
struct TraceEvent {
  let phase: String
  let name: String
  let category: String?
  let lane: Int
  let id: String?
  let count: Int?

  /// The start of the event, in nanoseconds; `end` is in nanoseconds as well.
  let time: Int
  let end: Int

  var isPebble: Bool { phase == "X" && category != "attempt" }

  init(_ value: JSONValue) throws {
    phase = try #require(value["ph"]).string()
    name = try #require(value["name"]).string()
    category = try value["cat"]?.string()
    lane = value["tid"].flatMap { Int($0.written) } ?? 0
    id = value["id"]?.written
    count = value["args"]?["pebbles"].flatMap { Int($0.written) }
    time = value["ts"]?.nanoseconds ?? 0
    end = time + (value["dur"]?.nanoseconds ?? 0)
  }
}

extension JSONValue {
  fileprivate var written: String {
    let node = document.nodes[index]
    return String(decoding: document.bytes[node.start..<node.end], as: UTF8.self)
  }

  /// The number of nanoseconds, converted from a number of microseconds with up to three decimals.
  fileprivate var nanoseconds: Int {
    let parts = written.split(separator: ".")
    let rest = parts.count > 1 ? String(parts[1]) : ""
    let padded = rest + String(repeating: "0", count: 3 - rest.count)
    return (Int(parts[0]) ?? 0) * 1_000 + (Int(padded) ?? 0)
  }
}
