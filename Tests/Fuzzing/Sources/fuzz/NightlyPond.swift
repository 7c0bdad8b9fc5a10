import Dispatch
import Fuzzing
import Pebbles
import PebblesAnalysis
import PebblesDurable
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A pond with every feature that can occur in journals, and with bodies that take no time.
final class NightlyPond: Sendable {
  let pond = Pond("nightly")
  private let day: Pebble<Int>

  private let calls = Calls()

  private static let path = ".build-fuzz/\(getpid()).journal"

  init() {
    day = pond.given("day", Int.self)
    let a = pond.pebble("a", needs: day, teardown: { (_: Int) in }) { [calls] day in
      calls.note("a")
      return day
    }
    pond.pebble("b", .retry(.attempts(3)), needs: a) { [calls] _ in
      calls.note("b")
    }
    pond.pebble("c", when: a.failed("locked") { _ in true }) {}
    let s: Pebble<Int> = pond.service("s", when: a.succeeded) { ready in
      ready(1)
      await ready.stopRequested()
    }
    pond.pebble("d", .enabled { true }, .exclusive("cpu"), when: s.completed) {}
  }

  /// Continues the run of a journal, and expects that the pebbles that had ended keep their
  /// outcomes.
  func goOn(_ bytes: [UInt8], only targets: [String]?, after ended: [String: Bool]) {
    calls.names.withLock { $0 = [] }
    Self.write(bytes)
    let isOver = DispatchSemaphore(value: 0)
    Task {
      do {
        let report = try await pond.run(
          journal: Journal(at: Self.path), given: [day.value(1)],
          only: targets?.map { PebbleID.named($0) }, clock: HurriedClock())
        for (name, hasSucceeded) in ended {
          expect(
            report.record(named: name)?.outcome.isSucceeded == hasSucceeded,
            "\(name) had ended, and has ended otherwise")
        }
        let again = calls.names.withLock { $0.filter { ended[$0] == false } }
        expect(again.isEmpty, "\(again) had failed for good, and were called again")
        _ = try RecordedRun(journalAt: Self.path)
      } catch {
        expect(error is JournalError, "a journal that was read is refused: \(error)")
      }
      isOver.signal()
    }
    isOver.wait()
    for path in [Self.path, Self.path + ".1"] { unlink(path) }
  }

  private static func write(_ bytes: [UInt8]) {
    guard let file = fopen(path, "w") else { fail("\(path) cannot be written") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}

/// A record of the pebbles whose bodies were called.
private final class Calls: Sendable {
  let names = Mutex<Set<String>>([])

  func note(_ name: String) { names.withLock { _ = $0.insert(name) } }
}
