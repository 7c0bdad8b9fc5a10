import Foundation
import Synchronization
import Testing

extension Trait where Self == Watched {
  /// A trait that ends the process if its tests make no more progress, and prints which tests are
  /// under way.
  ///
  /// The trait is for every suite whose tests wait for something, such as a run, a gate or an
  /// answer, because the wait may never end.
  package static var watched: Watched { Watched() }
}

/// A trait that reports to the watch which tests are under way.
package struct Watched: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let place = test.sourceLocation
    let number = Watch.shared.begin("\(test.name) at \(place.fileID):\(place.line)")
    defer { Watch.shared.end(number) }
    try await function()
  }
}

/// A thread that checks twice a second whether progress is made by the tests under way, and by the
/// programs for which tests wait.
package final class Watch: Sendable {
  private struct State {
    /// The numbers of tests and programs that have begun and that have ended.
    var (beginnings, ends) = (0, 0)

    /// The names of the tests and programs under way.
    var names: [Int: String] = [:]
  }

  package static let shared = Watch()

  private let state = Mutex(State())

  private init() {
    Thread.detachNewThread { self.look() }
  }

  /// Records that a test or program has begun.
  ///
  /// - Parameter name: The name to print if it does not end.
  /// - Returns: Its number, for `end(_:)`.
  package func begin(_ name: String) -> Int {
    state.withLock { state in
      state.beginnings += 1
      state.names[state.beginnings] = name
      return state.beginnings
    }
  }

  /// Records that the test or program with this number has ended.
  package func end(_ number: Int) {
    state.withLock { state in
      state.ends += 1
      state.names[number] = nil
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

  /// Whether there are processes that this process has started and whose end it has not awaited.
  private static var hasChildren: Bool {
    var information = siginfo_t()
    return waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0
  }

  /// Prints what is under way, and ends the process, because a task that waits forever cannot be
  /// ended.
  private func giveUp() -> Never {
    let names = state.withLock { $0.names.sorted { $0.key < $1.key } }.map { "  \($0.value)\n" }
    let rest = names.count > 20 ? "  and \(names.count - 20) more\n" : ""
    let text = "error: These tests do not end:\n" + names.prefix(20).joined() + rest
    fflush(nil)
    FileHandle.standardError.write(Data(text.utf8))
    _exit(1)
  }
}

/// A detector that distinguishes tests that wait forever from a slow machine.
package struct Stillness {
  private var processorTime = Duration.zero
  private var events = 0

  /// Two numbers of consecutive checks without a test that began or ended: `idleLooks` counts only
  /// checks in which the process was idle as well, and `eventlessLooks` counts all.
  private var (idleLooks, eventlessLooks) = (0, 0)

  package init() {}

  /// Records a check, and returns whether it is time to give up.
  ///
  /// The tests are considered stuck if no test begins or ends, and the process uses less than a
  /// fiftieth of a processor for ten seconds. A process with work to do gets more than that, even
  /// on a busy machine. The checks are counted instead of the time, because the whole machine may
  /// be halted. If other processes may be working for this one, the limit is five minutes. If the
  /// process is busy, the limit is half an hour, because some tests take long when a sanitizer
  /// slows them down.
  ///
  /// - Parameters:
  ///   - begun: The number of tests that have begun.
  ///   - ended: The number of these tests that have ended.
  ///   - processorTime: The processor time that the process has used so far. It is passed twice a
  ///     second.
  ///   - hasChildren: Whether there are processes that this process has started and whose end it
  ///     has not awaited.
  /// - Returns: Whether the tests are stuck.
  package mutating func look(
    begun: Int, ended: Int, processorTime: Duration, hasChildren: Bool
  ) -> Bool {
    let hasEvent = begun == ended || begun + ended > events
    let isIdle = processorTime - self.processorTime < .milliseconds(10)
    (events, self.processorTime) = (begun + ended, processorTime)
    eventlessLooks = hasEvent ? 0 : eventlessLooks + 1
    idleLooks = hasEvent || !isIdle ? 0 : idleLooks + 1
    return idleLooks >= (hasChildren ? 600 : 20) || eventlessLooks >= 3_600
  }
}
