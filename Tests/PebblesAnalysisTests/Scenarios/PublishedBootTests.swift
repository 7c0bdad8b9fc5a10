import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests of the scenarios of a real boot, that of the app Oovium, which its author published with
/// Acheron (2022). They include scenarios that the author may have overlooked.
@Suite struct PublishedBootTests {
  private let boot = PublishedBoot()

  @Test func publishedTestIsOneEnding() throws {
    let ending = try boot.pond.scenarios().ending(
      failing: [boot.loadOTID, boot.loadUser, boot.loadToken, boot.receiptValidation])

    #expect(
      ending.ran == [
        "loadOTID", "loadToken", "loadUser", "needNotMigrate", "ping", "queryCloud",
        "receiptValidation", "showSubscribe",
      ])
    #expect(ending.failed == ["loadOTID", "loadToken", "loadUser", "receiptValidation"])
  }

  @Test func allScenariosAreKnown() throws {
    let scenarios = try boot.pond.scenarios()

    #expect(scenarios.isExact)
    // Found by running through all 2¹⁷ ways in which the bodies can end.
    #expect(scenarios.count == 368)
    #expect(Set(scenarios.endings).count == 368)
    #expect(scenarios.neverRun.isEmpty)
    #expect(
      scenarios.alwaysRun == [
        "loadOTID", "loadToken", "loadUser", "needNotMigrate", "ping", "queryCloud",
      ])
  }

  @Test func appStartsOfflineToo() throws {
    let scenarios = try boot.pond.scenarios()

    let startsOffline = boot.startOovium.completed && boot.ping.failed
    #expect(try scenarios.smallestFailures(leadingTo: startsOffline).sets == [["ping"]])
  }

  @Test func fewFailuresLeadToNoScreenAtAll() throws {
    let scenarios = try boot.pond.scenarios()

    let noScreen = try scenarios.smallestFailures(
      leadingTo: !.any(boot.screens.map(\.completed)))

    #expect(
      Set(noScreen.sets) == [
        ["loadToken"], ["queryCloud"], ["needNotMigrate", "migrate"],
        ["ping", "isLocallySubscribed"],
      ])
  }

  @Test func twoScreensMayBeShownAtOnce() throws {
    let law = Law.atMostOne(of: boot.screens.map(\.completed)).labeled("one screen at most")

    let result = try boot.pond.check(law)[0]

    let counterexample = try #require(result.counterexample)
    #expect(
      counterexample.failed == ["loadOTID", "isLocallySubscribed", "isRemotelySubscribed"])
    #expect(counterexample.outcome(of: boot.showSubscribe) == .succeeded)
    #expect(counterexample.outcome(of: boot.invalid) == .succeeded)
    #expect(
      "\(result)" == """
        broken: one screen at most
          loadOTID              fails
          isLocallySubscribed   fails
          isRemotelySubscribed  fails
          startOovium           is blocked
          loadToken             succeeds
          loadUser              succeeds
          needNotMigrate        succeeds
          ping                  succeeds
          queryCloud            succeeds
          showSubscribe         succeeds
          invalid               succeeds
          migrate               is not needed
          userLogin             is not needed
          receiptValidation     is not needed
          otidLogin             is not needed
          showOffline           is not needed
          showSignUp            is not needed
        """)
  }

  @Test func noOtherTwoScreensAreShownAtOnce() throws {
    let scenarios = try boot.pond.scenarios()
    let others = boot.screens.filter { $0 != boot.invalid }

    #expect(try scenarios.check(.atMostOne(of: others.map(\.completed))).isKept)
    #expect(
      try scenarios.check(.implies(boot.startOovium.completed, boot.invalid.skipped)).isKept)
  }

  @Test func nothingGoesOnAfterALogin() throws {
    let scenarios = try boot.pond.scenarios()

    for login in [boot.userLogin, boot.otidLogin] {
      let noScreen = Law.implies(
        login.succeeded, !.any(boot.screens.map(\.completed)))
      #expect(try scenarios.check(noScreen).isKept)
    }
  }
}
