import Pebbles
import PebblesTestSupport
import Synchronization
import Testing

@testable import PebblesPictures

/// Tests of real runs whose progress is shown on a simulated terminal.
@Suite(.watched) struct RunProgressTests {
  /// A recording of the written text, with a gate that opens when a certain text has been written.
  private final class Tape: Sendable {
    private let text = Mutex("")
    private let awaited: String
    let gate = Gate()

    init(awaiting text: String) { awaited = text }

    var contents: String { text.withLock { $0 } }

    func screen(_ kind: ProgressScreen.Kind) -> ProgressScreen {
      ProgressScreen(kind: kind, size: { TerminalSize(columns: 80, rows: 24) }) { [self] written in
        text.withLock { $0 += written }
        if written.contains(awaited) { gate.open() }
      }
    }
  }

  @Test func aRunIsShownWhileItGoesOnAndSummedUpAtItsEnd() async throws {
    let tape = Tape(awaiting: "▸ load")
    let pond = Pond("boot")
    let load = pond.pebble("load") { await tape.gate.passed() }
    pond.pebble("broken", when: load.succeeded) { throw Breakdown("no \u{1B}[31mroute") }

    let run = try pond.start()
    let progress = run.showProgress(
      expecting: nil, on: tape.screen(.terminal(isColored: false)), ContinuousClock())
    let report = try await run.report
    await progress.value

    var terminal = SmallTerminal()
    terminal.write(tape.contents)
    let lines = terminal.text.split(separator: "\n")
    #expect(report.failures.count == 1)
    #expect(lines.count == 2)
    #expect(lines.first == "✗ broken failed: no \\u{1B}[31mroute")
    #expect(lines.last?.hasPrefix("boot: 1 failed, 1 succeeded in ") == true)
  }

  @Test(arguments: [ProgressScreen.Kind.terminal(isColored: false), .plain])
  func aFailureSaysAsWhatAndAMissedGoalIsTheLastNews(_ kind: ProgressScreen.Kind) async throws {
    let tape = Tape(awaiting: "▸ load")
    let pond = Pond("boot")
    let load = pond.pebble("load") { throw Breakdown("the lock is held") }
    let locked = load.failed("locked") { _ in true }
    pond.pebble("unlock", when: locked) {}
    pond.goal = load.succeeded

    let run = try pond.start()
    let progress = run.showProgress(expecting: nil, on: tape.screen(kind), ContinuousClock())
    _ = try await run.report
    await progress.value

    var terminal = SmallTerminal()
    terminal.write(tape.contents.replacing("\n", with: "\r\n"))
    let lines = terminal.text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasSuffix("load failed as locked: the lock is held") == true)
    #expect(
      lines.dropFirst().first?.hasSuffix(
        "the goal was not reached: it needs load to succeed, but load failed as locked") == true)
    #expect(lines.last?.hasPrefix("boot: 1 failed, 1 succeeded in ") == true)
    #expect(lines.last?.hasSuffix(", goal not reached") == true)
  }

  @Test func aCancelledShowIsOverBeforeTheRun() async throws {
    let tape = Tape(awaiting: "▸ load")
    let mayEnd = Gate()
    let pond = Pond("boot")
    pond.pebble("load") { await mayEnd.passed() }

    let run = try pond.start()
    let progress = run.showProgress(
      expecting: nil, on: tape.screen(.terminal(isColored: false)), ContinuousClock())
    await tape.gate.passed()
    progress.cancel()
    await progress.value
    #expect(run.status.phase == .booting)
    mayEnd.open()

    #expect(try await run.report.isAllSucceeded)
  }

  @Test func aMissedGoalIsNewsWhileTheRunIsTornDown() async throws {
    let tape = Tape(awaiting: "boot: 1 failed, 1 succeeded in ")
    let (closing, gate) = (Gate(), Gate())
    let pond = Pond("boot", onFailure: .cancelAll)
    let load = pond.pebble(
      "load",
      teardown: {
        closing.open()
        await gate.passed()
      }
    ) {}
    let broken = pond.pebble("broken", when: load.succeeded) { throw Breakdown("no route") }
    pond.goal = broken.succeeded

    let run = try pond.start()
    await closing.passed()
    let progress = run.showProgress(expecting: nil, on: tape.screen(.plain), ContinuousClock())
    await tape.gate.passed()
    gate.open()
    await progress.value

    #expect(
      tape.contents.contains(
        "boot: the goal was not reached: it needs broken to succeed, but broken failed\n"))
  }

  @Test func theShowMayBeAskedForByABodyOfTheRun() async throws {
    let tape = Tape(awaiting: "::endgroup::")
    let pond = Pond("boot")
    pond.pebble("first") {
      PebbleContext.current?.run?.showProgress(
        expecting: nil, on: tape.screen(.github), ContinuousClock())
    }

    _ = try await pond.run()
    await tape.gate.passed()

    #expect(tape.contents.hasPrefix("::group::boot\n"))
    #expect(tape.contents.contains("\n::endgroup::\nboot: 1 succeeded in "))
  }

  @Test func aServiceThatIsUpDoesNotKeepTheShowGoing() async throws {
    let tape = Tape(awaiting: "")
    let pond = Pond("boot")
    pond.service("http") { ready in
      ready()
      await ready.stopRequested()
    }

    let run = try pond.start()
    let progress = run.showProgress(
      expecting: nil, on: tape.screen(.plain), ContinuousClock())
    await progress.value

    // On a busy machine a line about how far it is may come before.
    #expect(tape.contents.contains(/(^|\n)boot: 1 succeeded in [^\n]*\n$/))
    _ = try await run.shutdown()
  }
}
