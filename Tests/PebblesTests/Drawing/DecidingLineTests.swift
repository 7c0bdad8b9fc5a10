import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that the line that decided a condition is drawn strongest, and that only failures are red.
@Suite(.watched) struct DecidingLineTests {
  @Test func theLineThatMadeAConditionTrueIsTheStrongest() async throws {
    let clock = ManualClock()
    let pond = Pond("or")
    let quick = pond.pebble("quick") {}
    let slow = pond.pebble("slow", when: quick.succeeded) { clock.advance(by: .milliseconds(5)) }
    pond.pebble("show", when: slow.succeeded || quick.succeeded) {}

    let report = try await pond.run(clock: clock)

    #expect(strong(report.dot()) == ["g2 -> p2", "p0 -> p1", "p0 -> g2"])
    #expect(report.mermaid().contains("  p0 ==> g2\n"))
    #expect(report.mermaid().contains("  p1 --> g2\n"))
    #expect(strong(pond.dot()) == [])
  }

  @Test func anAndIsDecidedByWhatSettledLast() async throws {
    let clock = ManualClock()
    let pond = Pond("and")
    let first = pond.pebble("first") {}
    let last = pond.pebble("last", when: first.succeeded) { clock.advance(by: .milliseconds(5)) }
    pond.pebble("show", when: first.succeeded && (last.succeeded || last.failed)) {}

    let report = try await pond.run(clock: clock)

    #expect(strong(report.dot()) == ["p0 -> p1", "p1 -> g3", "g3 -> p2"])
  }

  @Test func theLineThatMadeAConditionFalseEndsInABar() async throws {
    let pond = Pond("false")
    let ping = pond.pebble("ping") {}
    pond.pebble("offline", when: ping.failed) {}

    let report = try await pond.run()

    #expect(strong(report.dot()) == ["p0 -> p1"])
    #expect(report.dot().contains("penwidth=3, arrowhead=tee"))
    #expect(report.mermaid().contains("  p0 ==x|failed| p1\n"))
    #expect(!report.mermaid().contains("linkStyle"))
  }

  @Test func linesThatDecidedNothingAndCameToNothingArePale() async throws {
    let pond = Pond("pale")
    let load = pond.pebble("load") {}
    let ping = pond.pebble("ping", when: load.succeeded) {}
    pond.pebble("show", when: load.failed || ping.succeeded) {}

    let mermaid = try await pond.run().mermaid()

    #expect(mermaid.contains("  p0 --x|failed| g2\n"))
    #expect(mermaid.contains("  linkStyle 2 stroke:#9e9e9e,stroke-width:1px\n"))
  }

  @Test func waitingForAFailureIsNotRed() async throws {
    let pond = Pond("red")
    let load = pond.pebble("load") { throw CancellationError() }
    pond.pebble("repair", when: load.failed) {}

    let dot = try await pond.run().dot(legend: true)

    let red = dot.split(separator: "\n").filter { $0.contains("#c62828") }
    #expect(red.count == 1)
    #expect(red.first?.contains("label=\"load\\nfailed") == true)
  }

  /// Checks, under the thread sanitizer, that another thread can search for the deciding lines
  /// while pebbles are being decided. The search takes no lock, so the order of memory accesses
  /// depends only on the atomics of the state.
  @Test func theyMayBeAskedForWhilePebblesAreDecided() async throws {
    let pond = Pond("steps", maxConcurrent: 2)
    var steps = [pond.pebble("0") {}]
    for number in 1..<200 {
      let (last, other) = (steps[number - 1], steps[number / 2])
      let step = pond.pebble(
        "\(number)", when: last.succeeded && other.completed || last.failed
      ) {
        if number % 5 == 0 { throw Breakdown() }
      }
      steps.append(step)
    }
    pond.goal = steps[150].completed || steps[199].completed

    for _ in 0..<5 {
      let run = try pond.start()
      let storage = run.storage
      let asking = Task.detached {
        while !Task.isCancelled {
          _ = DecidingLines(storage)
          await Task.yield()
        }
      }
      _ = try await run.report
      asking.cancel()
      await asking.value
    }
  }

  @Test func everyStartedOrFalsifiedPebbleHasAWayToItsCause() async throws {
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<300 {
      let reference = ReferencePond.random(
        mostPebbles: 8, withCases: Bool.random(using: &generator), using: &generator)
      let report = try await reference.definedPond().run()
      let strong = Set(strong(report.dot()).map { "\($0)" })

      for record in report.records {
        let status = report.storage.state.status(of: record.position)
        guard status == .succeeded || status == .failed || status == .skippedByCondition,
          report.storage.state.cause(of: record.position) != nil
        else { continue }
        #expect(strong.contains { $0.hasSuffix("-> p\(record.position)") })
      }
    }
  }

  private func strong(_ dot: String) -> [String] {
    dot.split(separator: "\n").filter { $0.contains(" -> ") && $0.contains("penwidth=3") }
      .map { $0.drop { $0 == " " }.prefix { $0 != "[" }.dropLast() }.map(String.init)
  }
}
