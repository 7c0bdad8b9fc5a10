import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the conditions on a cluster as a whole.
@Suite(.watched) struct ClusterOutcomeTests {
  /// The ways in which the two pebbles of a cluster can end. Each is paired with the conditions on
  /// the cluster that are then true.
  private static let cases: [([End], [String])] = [
    ([.succeeds, .succeeds], ["succeeded", "completed", "settled"]),
    ([.succeeds, .fails], ["failed", "completed", "settled"]),
    ([.fails, .fails], ["failed", "completed", "settled"]),
    ([.succeeds, .isSkipped], ["settled"]),
    ([.fails, .isSkipped], ["failed", "settled"]),
    ([.isSkipped, .isSkipped], ["skipped", "settled"]),
    ([], ["succeeded", "skipped", "completed", "settled"]),
  ]

  enum End {
    case succeeds, fails, isSkipped
  }

  @Test(arguments: cases)
  func conditionsOfAClusterAreAboutAllOfIt(ends: [End], expected: [String]) async throws {
    let (boot, other) = (Pond("boot"), Pond("other"))
    for (number, end) in ends.enumerated() {
      other.pebble("\(number)", when: end == .isSkipped ? .never : .always) {
        if end == .fails { throw Breakdown() }
      }
    }
    let cluster = boot.add(other, as: "cluster")
    let conditions = [
      ("succeeded", cluster.succeeded), ("failed", cluster.failed), ("skipped", cluster.skipped),
      ("completed", cluster.completed), ("settled", cluster.settled),
    ]
    for (name, condition) in conditions { boot.pebble(name, when: condition) {} }

    let report = try await boot.run()

    #expect(conditions.map(\.0).filter { report.ran(.named($0)) } == expected)
  }

  @Test func aFailureIsSeenBeforeTheClusterHasSettled() async throws {
    let (boot, other) = (Pond("boot"), Pond("other"))
    let gate = Gate()
    other.pebble("slow") { await gate.passed() }
    other.pebble("broken") { throw Breakdown() }
    let cluster = boot.add(other, as: "cluster")
    let alarm = boot.pebble("alarm", when: cluster.failed) { gate.open() }

    let report = try await boot.run()

    #expect(report.succeeded(alarm))
    #expect(report.unhandledFailures.isEmpty)
  }

  @Test func clustersAreEqualIfTheyAreTheSamePebbles() {
    let (boot, other) = (Pond("boot"), Pond("other"))
    other.pebble("a") {}
    let first = boot.add(other, as: "first")
    let second = boot.add(other, as: "second")
    let elsewhere = Pond("elsewhere").add(other, as: "first")
    let copy = first

    #expect(first == copy)
    #expect(first != second && first != elsewhere)
    #expect(Set([first, copy, second, elsewhere]).count == 3)
  }
}
