import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests of the findings about the boot of a real app.
@Suite struct OoviumLintTests {
  private let lint = PublishedBoot().pond.lint(also: [.unhandledFailure])

  @Test func everyPebbleCanRunAndNoneIsWrittenInVain() {
    let kinds: Set<Finding.Kind> = [
      .neverTrue, .neverRuns, .alwaysStalls, .alwaysTrue, .unreachableBranch, .cycle, .notDecided,
    ]

    #expect(lint.allSatisfy { !kinds.contains($0.kind) })
  }

  /// Checks three redundant parts. Each repeats a condition for which `isLocallySubscribed` has
  /// already waited, or for which both `receiptValidation` and `isRemotelySubscribed` have.
  @Test func threePartsChangeNothing() {
    let redundant = lint.of(.redundant)

    #expect(redundant.map(\.pebbles) == [["showSubscribe"], ["showSignUp"], ["startOovium"]])
    #expect(
      redundant.map { $0.sentence.prefix { $0 != " " } } == [
        "ping.succeeded", "loadToken.succeeded", "loadToken.succeeded",
      ])
  }

  /// Checks the findings about failures after which nothing happens: without a subscription and a
  /// connection, no screen ever appears.
  @Test func failuresThatLeadNowhereAreShown() {
    let ofCheck = lint.of(.unhandledFailure).filter { $0.pebbles == ["isLocallySubscribed"] }

    #expect(ofCheck.map { $0.example?.failing } == [["ping", "isLocallySubscribed"]])
    #expect(lint.of(.unhandledFailure).contains { $0.pebbles == ["queryCloud", "migrate"] })
  }
}
