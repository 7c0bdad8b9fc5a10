import Foundation
import Synchronization
import Testing

extension Trait where Self == Watched {
  /// Ends the process, and says which tests are under way, once nothing goes on any more.
  ///
  /// It is for every suite that waits for something: a run that never ends, a gate that nobody
  /// opens, an answer that does not come.
  package static var watched: Watched { Watched() }
}

/// Tells the watch which tests are under way.
package struct Watched: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let number = Watch.shared.begin(test)
    defer { Watch.shared.end(number) }
    try await function()
  }
}

/// Looks twice a second whether tests that are under way still do something.
private final class Watch: Sendable {
  private struct State {
    var count = 0
    var tests: [Int: (test: Test, start: ContinuousClock.Instant)] = [:]
  }

  static let shared = Watch()

  private let state = Mutex(State())

  private init() {
    Thread.detachNewThread { self.look() }
  }

  func begin(_ test: Test) -> Int {
    state.withLock { state in
      state.count += 1
      state.tests[state.count] = (test, .now)
      return state.count
    }
  }

  func end(_ number: Int) {
    state.withLock { _ = $0.tests.removeValue(forKey: number) }
  }

  private func look() {
    var stillness = Stillness()
    while true {
      Thread.sleep(forTimeInterval: 0.5)
      let start = state.withLock { $0.tests.values.map(\.start).min() }
      let isStill = stillness.look(
        processorTime: .microseconds(clock()), hasChildren: Self.hasChildren,
        longest: start.map { $0.duration(to: .now) })
      if isStill { giveUp() }
    }
  }

  /// Whether there are processes that this one has started, and not yet waited for.
  private static var hasChildren: Bool {
    var information = siginfo_t()
    return waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0
  }

  /// A task that waits for ever cannot be ended, only the process can.
  private func giveUp() -> Never {
    let tests = state.withLock { $0.tests.sorted { $0.key < $1.key } }.map(\.value.test)
    let names = tests.prefix(20).map { test in
      "  \(test.name) at \(test.sourceLocation.fileID):\(test.sourceLocation.line)\n"
    }
    let rest = tests.count > names.count ? "  and \(tests.count - names.count) more\n" : ""
    let text = "error: These tests do not end:\n" + names.joined() + rest
    fflush(nil)
    FileHandle.standardError.write(Data(text.utf8))
    _exit(1)
  }
}

/// Tells tests that wait for ever from a machine that is slow.
package struct Stillness {
  private var processorTime = Duration.zero
  private var looks = 0

  package init() {}

  /// Says whether it is time to give up.
  ///
  /// Nothing goes on where the process does not use a fiftieth of a processor for ten seconds: one
  /// that has to do something gets more than that, on the busiest machine. Looks are counted, not
  /// time, as the whole machine may be halted. If other processes may be at work for this one, it
  /// is given two minutes. A test that computes for ever has a quarter of an hour.
  ///
  /// - Parameters:
  ///   - processorTime: What the process has used so far, two times a second.
  ///   - hasChildren: Whether it has started processes that it has not waited for.
  ///   - longest: How long the oldest test has been under way; `nil` if there is none.
  /// - Returns: Whether nothing goes on any more.
  package mutating func look(
    processorTime: Duration, hasChildren: Bool, longest: Duration?
  ) -> Bool {
    let used = processorTime - self.processorTime
    self.processorTime = processorTime
    guard let longest else {
      looks = 0
      return false
    }
    looks = used < .milliseconds(10) ? looks + 1 : 0
    return looks >= (hasChildren ? 240 : 20) || longest > .seconds(900)
  }
}
