import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of callers that wait for a cancelled run, and would therefore wait for themselves.
@Suite(.watched) struct CancelledWaitTests {
  private let known = Promise<Run>()
  private let booted = Gate()
  private let told = Gate()
  private let ends = Gate()

  /// Checks that a body of an inner run cannot wait for the cancelled run around it, and is told so
  /// at once. A cancelled run ends only with its shutdown, which waits for the inner run.
  @Test(arguments: [false, true])
  func whoIsInsideIsToldAtOnceAndNotWhenTheShutdownBegins(isInsideOfAnother: Bool) async throws {
    let pond = pond()
    let outer = Pond("outer")
    outer.pebble("runs") { [known] in
      let run = try pond.start()
      known.fulfill(run)
      _ = try await run.report
    }
    let outermost = isInsideOfAnother ? try outer.start() : try pond.start()
    if !isInsideOfAnother { known.fulfill(outermost) }
    let run = await known.value()
    try await until { run.status.settled == 1 }
    booted.open()
    // Either finds that it cannot wait, or waits already and is told.
    for _ in 0..<200 { await Task.yield() }

    run.cancel()
    await told.passed()

    #expect(!run.core.life.isOver)
    ends.open()
    _ = try await outermost.report
  }

  /// Returns a pond with a slow body, and with an inner run in which a body waits for the run of
  /// the pond.
  private func pond() -> Pond {
    let (pond, inner) = (Pond("boot"), Pond("inner"))
    inner.pebble("inside") { [known, booted, told] in
      await booted.passed()
      do {
        _ = try await known.value().report
      } catch {
        told.open()
      }
    }
    let starts = pond.pebble("starts") { try inner.start() }
    pond.pebble("slow", when: starts.settled) { [ends] in await ends.passed() }
    return pond
  }
}
