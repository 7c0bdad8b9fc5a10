import CManyProcessors
import Pebbles
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program that measures how long it takes until each of 64 simulated processors has a runner, if
/// 10,000 pebbles are ready and each blocks a thread for a millisecond.
///
/// A body sleeps, which occupies its thread without using a processor. Two real processors are
/// therefore sufficient for 64 runners, although waking the threads is real work for them.
@main
enum Crew {
  private static let pebbles = 10_000
  private static let rounds = 21

  static func main() async throws {
    let processors = Int(pretended_processor_count())
    guard processors > 0 else {
      print("This system does not let a program pretend to have more processors than there are.")
      return
    }
    let turnout = Turnout(wanted: processors)
    let pond = Pond("crew")
    for number in 0..<pebbles {
      pond.pebble("p\(number)") { turnout.sleepOnThread() }
    }

    var (allAtWork, makespans): ([Duration], [Duration]) = ([], [])
    for _ in 0..<rounds {
      turnout.restart()
      makespans.append(try await pond.run().makespan)
      allAtWork.append(turnout.complete ?? .seconds(1_000))
    }
    let ideal = Duration.milliseconds(pebbles) / processors
    print("\(pebbles) bodies of 1 ms, \(processors) pretended processors, \(rounds) runs;")
    print("median, and least to most, in milliseconds")
    print("all at work after  \(summary(of: allAtWork))")
    print("makespan           \(summary(of: makespans)), ideal \(milliseconds(ideal))")
  }

  private static func summary(of durations: [Duration]) -> String {
    let sorted = durations.sorted()
    let texts = [sorted[sorted.count / 2], sorted[0], sorted[sorted.count - 1]].map(milliseconds)
    return "\(texts[0]) (\(texts[1]) to \(texts[2]))"
  }

  private static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let hundredths = seconds * 100_000 + attoseconds / 10_000_000_000_000
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}

/// A measurement of the time until a given number of bodies are sleeping at the same time.
private final class Turnout: Sendable {
  private let wanted: Int
  private let present = Atomic(0)
  private let times = Mutex((start: ContinuousClock.now, complete: Duration?.none))

  init(wanted: Int) {
    self.wanted = wanted
  }

  /// The time from the last start until the given number of bodies were sleeping; `nil` if that
  /// number was never reached.
  var complete: Duration? { times.withLock { $0.complete } }

  func restart() {
    times.withLock { $0 = (.now, nil) }
  }

  func sleepOnThread() {
    if present.add(1, ordering: .relaxed).newValue == wanted {
      let now = ContinuousClock.now
      times.withLock { times in
        if times.complete == nil { times.complete = now - times.start }
      }
    }
    usleep(1_000)
    present.subtract(1, ordering: .relaxed)
  }
}
