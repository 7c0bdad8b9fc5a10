import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct ClusterFaultTests {
  private let boot = Pond("boot")
  private let other = Pond("other")
  private let load: Pebble<Int>

  init() {
    load = other.pebble("load") { 1 }
  }

  @Test func aPondAddedToItselfIsAFault() async throws {
    let cluster = other.add(other, as: "me")

    #expect(
      sentences(of: other) == [
        "the pond has a cluster \"me\" that contains itself; add another pond there"
      ])
    #expect(cluster[load] == load)
    #expect(cluster.settled.description == Condition.all([]).description)

    boot.add(other, as: "cache")
    #expect(
      sentences(of: boot) == [
        "the pond has a cluster \"cache/me\" that contains itself; add another pond there"
      ])
  }

  @Test func anEmptyNameIsAFault() {
    boot.add(other, as: "")

    #expect(sentences(of: boot) == ["the pond has a cluster without a name; give it one"])

    let outer = Pond("outer")
    outer.add(boot, as: "boot")
    #expect(
      sentences(of: outer) == [
        "the pond has a cluster without a name in its cluster \"boot\"; give it one"
      ])
  }

  @Test func aNameGivenTwiceIsAFault() {
    boot.add(Pond("empty"), as: "cache")
    boot.add(other, as: "cache")

    #expect(
      sentences(of: boot) == [
        "the pond has 2 clusters named \"cache\"; give each a name of its own"
      ])
  }

  @Test func pebblesThatGetTheSameNameAreAFault() {
    boot.pebble("cache/load") {}
    boot.pebble("cache") {}
    boot.add(other, as: "cache")

    #expect(boot.faultsOfStart == [.duplicateName("cache/load", count: 2)])
  }

  @Test func anEmptyNameOfAPebbleStaysAFault() {
    boot.pebble("first") {}
    other.pebble("") {}
    boot.add(other, as: "cache")

    #expect(boot.faultsOfStart == [.emptyName(position: 2)])
  }

  @Test func theFaultsOfTheOtherPondComeWithNewNames() {
    let stranger = Pond("elsewhere").pebble("stranger") {}
    other.pebble("late", .timeout(.zero)) {}
    other.pebble("lost", when: stranger.failed) {}
    other.pebble("needy", needs: stranger) { _ in }
    other.pebble("greedy", .uses("connections", of: 0)) {}
    boot.add(other, as: "cache")

    let named = other.faultsOfStart.map { fault -> PondError.Fault in
      switch fault.detail {
      case .foreignPebble(let name, let pond, let pebble):
        .foreignPebble(name, ofPond: pond, mentionedBy: "cache/\(pebble)")
      case .invalidOption(let pebble, let problem):
        .invalidOption(pebble: "cache/\(pebble)", problem: problem)
      case .duplicateName, .emptyName, .invalidPond, .invalidRun, .invalidShutdown, .invalidSignals,
        .runsItself, .waitsForItself:
        fault
      }
    }
    #expect(named.count == 4)
    #expect(boot.faultsOfStart == named)
  }

  @Test func anImpossibleLimitIsOneFault() {
    let limited = Pond("limited", maxConcurrent: 0)
    for number in 0..<10 { limited.pebble("p\(number)") {} }
    boot.add(limited, as: "cache")

    #expect(
      sentences(of: boot) == [
        "the pond has a cluster \"cache\" that lets at most 0 pebbles run at a time; "
          + "make that 1 or more"
      ])
  }

  @Test func aHandleWithoutACopyIsAFaultWhereItIsMentioned() {
    let cluster = boot.add(other, as: "cache")
    let late = other.pebble("late") { 1 }
    let stranger = Pond("elsewhere").pebble("stranger") {}
    boot.pebble("a", when: cluster[late].succeeded) {}
    boot.pebble("b", when: cluster[stranger].succeeded) {}
    boot.pebble("c", needs: load, cluster[late]) { $0 + $1 }

    #expect(
      boot.faultsOfStart == [
        .foreignPebble("late", ofPond: "other", mentionedBy: "a"),
        .foreignPebble("stranger", ofPond: "elsewhere", mentionedBy: "b"),
        .foreignPebble("load", ofPond: "other", mentionedBy: "c"),
        .foreignPebble("late", ofPond: "other", mentionedBy: "c"),
      ])
  }

  @Test func hostileNamesStayOnTheirLine() {
    for name in HostileNames.all {
      boot.add(other, as: name)
      boot.add(other, as: name)
    }

    for sentence in sentences(of: boot) {
      #expect(!sentence.contains { $0.isNewline })
    }
  }

  private func sentences(of pond: Pond) -> [String] {
    pond.faultsOfStart.filter { $0.kind == .invalidPond }
      .map(\.description)
  }
}
