import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct ClusterTests {
  private let boot = Pond("boot")
  private let cache = Pond("cache pond")
  private let load: Pebble<Int>
  private let prune: Pebble<String>

  init() {
    let load = cache.pebble("load") { 42 }
    prune = cache.pebble("prune", needs: load, when: load.completed) { "pruned \($0)" }
    self.load = load
  }

  @Test func pebblesComeWithNewNamesConditionsAndInputs() async throws {
    boot.pebble("first") { "something to stand in front" }

    let cluster = boot.add(cache, as: "cache")
    let report = try await boot.run()

    #expect(cluster.name == "cache")
    #expect(report.records.map(\.name) == ["first", "cache/load", "cache/prune"])
    #expect(report.isAllSucceeded)
    #expect(report[cluster[load]] == 42)
    #expect(report[cluster[prune]] == "pruned 42")
    #expect(cluster[prune].name == "cache/prune")
    #expect(cluster[prune].ready.description == "\"cache/load\".completed")
    #expect(report[load] == nil)
  }

  @Test func outputsAndConditionsAreUsableAcross() async throws {
    let cluster = boot.add(cache, as: "cache")
    let sum = boot.pebble("sum", needs: cluster[load], cluster[prune].result) { number, text in
      "\(number) \(try text.get())"
    }
    let failed = boot.pebble("failed", when: cluster[load].failed) {}
    let ended = boot.pebble("ended", when: cluster[load].succeeded && cluster.settled) {}

    let report = try await boot.run()

    #expect(report[sum] == "42 pruned 42")
    #expect(report.outcome(of: failed).isSkipped)
    #expect(report.outcome(of: ended).isSucceeded)
    #expect(
      report.record(of: failed)?.explanation
        == "failed was not needed: it needs \"cache/load\" to fail, but \"cache/load\" succeeded")
  }

  @Test func everyKindOfBodyIsCopied() async throws {
    let other = Pond("kinds")
    let journal = Logbook<String>()
    let plain = other.pebble("plain") { journal.note("plain") }
    let value = other.pebble("value") { 1 }
    let callback = other.pebble("callback") { complete in complete(true) }
    let optional = other.pebble("inputs", needs: plain, value.optional, callback.result) {
      _, value, _ in value
    }
    boot.pebble("in front") {}

    let cluster = boot.add(other, as: "kinds")
    let report = try await boot.run()

    #expect(report.isAllSucceeded)
    #expect(journal.entries == ["plain"])
    #expect(report[cluster[optional]] == .some(1))
  }

  @Test func laterChangesOfTheOtherPondAreNotSeen() async throws {
    let cluster = boot.add(cache, as: "cache")

    load.ready = .never
    let late = cache.pebble("late") {}
    let report = try await boot.run()

    #expect(report.isAllSucceeded)
    #expect(report.records.count == 2)
    #expect(cluster[late] == late)
    #expect(try await cache.run().outcome(of: load).isSkipped)
  }

  @Test func changesOfTheCopyAreNotSeenByTheOtherPond() async throws {
    let cluster = boot.add(cache, as: "cache")
    let gate = boot.pebble("gate") { throw Breakdown() }

    cluster[load].ready = gate.succeeded

    #expect(try await boot.run().outcome(of: cluster[prune]).isSkipped)
    #expect(try await cache.run().isAllSucceeded)
  }

  @Test func aPondCanBeAddedTwice() async throws {
    let (left, right) = (boot.add(cache, as: "left"), boot.add(cache, as: "right"))
    left[load].ready = .never
    let both = boot.pebble("both", needs: left[load].optional, right[prune]) { "\($0 ?? 0) \($1)" }

    let report = try await boot.run()

    #expect(report[left[prune]] == nil)
    #expect(report[right[prune]] == "pruned 42")
    #expect(report[both] == "0 pruned 42")
  }

  @Test func clustersNest() async throws {
    let middle = Pond("middle")
    middle.pebble("in front") {}
    let inner = middle.add(cache, as: "b")
    let again = middle.add(cache, as: "b2")
    let total = middle.pebble("total", needs: inner[load], again[load]) { $0 + $1 }
    boot.pebble("in front") {}
    boot.add(middle, as: "before")

    let outer = boot.add(middle, as: "a")
    let last = boot.pebble(
      "last", needs: outer[total], outer[inner[prune]], when: outer[inner].settled
    ) { "\($0) \($1)" }
    let report = try await boot.run()

    #expect(report.isAllSucceeded)
    #expect(
      report.records.dropFirst(7).map(\.name) == [
        "a/in front", "a/b/load", "a/b/prune", "a/b2/load", "a/b2/prune", "a/total", "last",
      ])
    #expect(report[last] == "84 pruned 42")
    #expect(outer[inner].name == "a/b")
    #expect(outer[inner][load] == outer[inner[load]])
  }

  @Test func aPondAddedToEachOtherIsACopyOfWhatWasThere() async throws {
    let other = Pond("other")
    let sum = other.pebble("sum", needs: other.pebble("one") { 1 }) { $0 + 1 }
    let here = boot.add(other, as: "other")
    boot.pebble("after", needs: here[sum]) { $0 }
    let there = other.add(boot, as: "boot")

    let report = try await other.run()

    #expect(report.isAllSucceeded)
    #expect(report[there[here[sum]]] == 2)
    #expect(report.records.last?.name == "boot/after")
  }

  @Test func aClusterMayMentionPebblesOfThePondItIsAddedTo() async throws {
    let settings = boot.pebble("settings") { "fast" }
    let inner = Pond("inner")
    let middle = Pond("middle")
    middle.pebble("in front") {}
    let name = middle.pebble("name") { "middle" }
    let own = inner.pebble("own") { "inner" }
    let all = inner.pebble(
      "all", needs: settings, name, own,
      when: settings.succeeded && name.succeeded
    ) { "\($0) \($1) \($2)" }
    boot.pebble("between") {}

    let outer = boot.add(middle, as: "unused")
    let innerCluster = middle.add(inner, as: "inner")
    let cluster = boot.add(middle, as: "middle")
    let report = try await boot.run()

    #expect(outer.name == "unused")
    #expect(report[cluster[innerCluster[all]]] == "fast middle inner")
    #expect(throws: PondError.self) { try inner.start() }
    #expect(throws: PondError.self) { try middle.start() }
  }

  @Test func theConditionsOfAClusterSpeakOfAllItsPebbles() async throws {
    let shaky = Pond("shaky")
    shaky.pebble("fails") { throw Breakdown() }
    shaky.pebble("works") {}
    let (bad, good) = (boot.add(shaky, as: "shaky"), boot.add(cache, as: "cache"))
    let nothing = boot.add(Pond("empty"), as: "empty")
    let ponds: [(String, Condition)] = [
      ("bad succeeded", bad.succeeded), ("bad settled", bad.settled),
      ("good succeeded", good.succeeded), ("nothing", nothing.succeeded && nothing.settled),
    ]
    for (name, condition) in ponds { boot.pebble(name, when: condition) {} }

    let report = try await boot.run()

    #expect(ponds.map { report.word($0.0) } == ["skipped", "succeeded", "succeeded", "succeeded"])
  }

  @Test func anyNameWillDo() async throws {
    let names = HostileNames.all
    let other = Pond("names")
    for name in names { other.pebble(name) {} }
    for name in names { boot.add(other, as: name) }

    let report = try await boot.run()

    #expect(report.isAllSucceeded)
    #expect(report.records.count == names.count * names.count)
    #expect(report.records[1].name == "\(names[0])/\(names[1])")
  }

  @Test func aBodyIsNoLargerForIt() {
    #expect(MemoryLayout<Body>.stride <= 24)
  }
}
