import Pebbles
import PebblesAnalysis
import Testing

/// Tests that lint has no warnings about healthy ponds, so that a build can be made to fail on
/// warnings.
@Suite struct HealthyPondTests {
  @Test(arguments: HealthyPond.all)
  func healthyPondHasNoWarnings(_ healthy: HealthyPond) {
    let findings = healthy.pond.lint()

    #expect(findings.filter { $0.severity > .note } == [])
    #expect(findings.of(.unhandledFailure).isEmpty)
    #expect(findings.of(.notDecided).isEmpty)
  }

  @Test func mostLeaveSomeFailuresToTheirReports() {
    let telling = HealthyPond.all.filter { healthy in
      healthy.pond.lint(also: [.unhandledFailure]).contains { $0.severity > .note }
    }

    #expect(HealthyPond.all.count >= 25)
    #expect(telling.count > HealthyPond.all.count / 2)
  }
}
