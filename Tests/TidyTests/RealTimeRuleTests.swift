import Testing

@Suite struct RealTimeRuleTests {
  private let rule = RealTimeRule()

  @Test(arguments: [
    "try await Task.sleep(for: .seconds(1))", "try? await Task.sleep(nanoseconds: 1)", "sleep(1)",
    "usleep(1)", "_ = nanosleep(&time, nil)", "Thread.sleep(forTimeInterval: 1)", "Glibc.sleep(1)",
    "let clock = ContinuousClock()", "SuspendingClock().now", "ContinuousClock.now", "Date()",
    "let now = Date.now", "DispatchTime.now()", "clock_gettime(CLOCK_REALTIME, &time)",
    "semaphore.wait(timeout: .now() + 1)", "group.wait(timeout: end)",
    "queue.asyncAfter(deadline: end) {}",
  ])
  func realTimeIsNotForTests(_ text: String) {
    for path in ["Tests/PebblesTests/A.swift", "Examples/Tracker/Tests/TrackerTests/A.swift"] {
      let violations = rule.violations(in: SourceFile(path: path, text: "\n" + text))
      #expect(violations.map(\.line) == [2], "\(text)")
    }
    for path in ["Sources/Pebbles/A.swift", "Examples/Launches/A.swift"] {
      #expect(rule.violations(in: SourceFile(path: path, text: text)).isEmpty, "\(text)")
    }
  }

  @Test(arguments: [
    "try await clock.sleep(for: .seconds(1))", "Date(timeIntervalSince1970: 0)", "// Task.sleep()",
    "package func sleep(until end: Instant, tolerance: Duration?) async throws {}",
    "let text = \"sleep(1)\"", "clock.sleeps.count", "state.wait(atMost: patience) { $0 }",
    "process.wait()", "let date: Date",
  ])
  func timeThatIsHandedInPasses(_ text: String) {
    let file = SourceFile(path: "Tests/PebblesTests/A.swift", text: text)

    #expect(rule.violations(in: file).isEmpty)
  }

  @Test func everyExceptionIsNeeded() throws {
    let files = try Repository.sourceFiles().filter { RealTimeRule.exceptions[$0.path] != nil }
    let needed = Set(files.filter { !rule.places(in: $0).isEmpty }.map(\.path))

    #expect(Set(RealTimeRule.exceptions.keys).subtracting(needed) == [])
    #expect(RealTimeRule.exceptions.values.allSatisfy { !$0.isEmpty })
  }
}
