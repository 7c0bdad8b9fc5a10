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
    /// How many tests have begun, and ended.
    var (beginnings, ends) = (0, 0)

    var tests: [Int: Test] = [:]
  }

  static let shared = Watch()

  private let state = Mutex(State())

  private init() {
    Thread.detachNewThread { self.look() }
  }

  func begin(_ test: Test) -> Int {
    state.withLock { state in
      state.beginnings += 1
      state.tests[state.beginnings] = test
      return state.beginnings
    }
  }

  func end(_ number: Int) {
    state.withLock { state in
      state.ends += 1
      state.tests[number] = nil
    }
  }

  private func look() {
    var stillness = Stillness()
    while true {
      Thread.sleep(forTimeInterval: 0.5)
      let (beginnings, ends) = state.withLock { ($0.beginnings, $0.ends) }
      let isStill = stillness.look(
        begun: beginnings, ended: ends, processorTime: .microseconds(clock()),
        hasChildren: Self.hasChildren)
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
    let tests = state.withLock { $0.tests.sorted { $0.key < $1.key } }.map(\.value)
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
  private var events = 0

  /// How many looks, one after the other, have found the process idle, and no test begun or ended.
  private var (idleLooks, eventlessLooks) = (0, 0)

  package init() {}

  /// Says whether it is time to give up.
  ///
  /// Nothing goes on where the process does not use a fiftieth of a processor for ten seconds: one
  /// that has to do something gets more than that, on the busiest machine. Looks are counted, not
  /// time, as the whole machine may be halted. If other processes may be at work for this one, it
  /// is given two minutes. One that computes for ever has half an hour, as some tests take long
  /// where a sanitizer slows them down.
  ///
  /// - Parameters:
  ///   - begun: How many tests have begun.
  ///   - ended: How many of them have ended.
  ///   - processorTime: What the process has used so far. It is told two times a second.
  ///   - hasChildren: Whether it has started processes that it has not waited for.
  /// - Returns: Whether nothing goes on any more.
  package mutating func look(
    begun: Int, ended: Int, processorTime: Duration, hasChildren: Bool
  ) -> Bool {
    let hasEvent = begun == ended || begun + ended > events
    let isIdle = processorTime - self.processorTime < .milliseconds(10)
    (events, self.processorTime) = (begun + ended, processorTime)
    eventlessLooks = hasEvent ? 0 : eventlessLooks + 1
    idleLooks = hasEvent || !isIdle ? 0 : idleLooks + 1
    return idleLooks >= (hasChildren ? 240 : 20) || eventlessLooks >= 3_600
  }
}
