import Foundation
import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

/// Tests of the state that the page derives from the events of a run in progress.
@Suite(
  .ownThreads, .watched,
  .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct LiveRunTests {
  /// A run whose status was read while it was in progress, with all of its events.
  private struct Told {
    let pond: String
    let status: String
    let events: [String]
    let report: Report

    /// A script that creates the run in the state that the page has after the first status.
    var begun: String {
      """
      const run = new LiveRun({ pond: \(pond), phase: 'booting', elapsed: 0 });
      run.take('status', \(status));
      run.settle();
      """
    }
  }

  private static func told(at pebble: String) async throws -> Told {
    let (pond, reached, gate) = (Pond("live"), Gate(), Gate())
    let config = pond.pebble("config") {}
    let login = pond.pebble("login", .retry(.attempts(2)), when: config.succeeded) {
      if PebbleContext.current?.attempt == 1 { throw Breakdown("no route") }
      if pebble == "login" { reached.open() }
      await gate.passed()
    }
    let broken = pond.pebble("broken", when: login.succeeded) { throw Breakdown("no disk") }
    pond.pebble("never", when: broken.succeeded) {}
    pond.pebble("unneeded", when: login.failed) {}
    let web = pond.service("web", when: login.succeeded) { ready in
      ready()
      await ready.stopRequested()
    }
    if pebble == "web" { pond.pebble("after", when: web.succeeded) { reached.open() } }
    let run = try pond.start(eventHistory: 100)
    let events = run.events(bufferingNewest: 100)
    if pebble == "web" { gate.open() }
    await reached.passed()
    let status = run.status
    gate.open()
    let report = try await run.report
    let encoder = JSONEncoder()
    var told: [String] = []
    for await event in events {
      told.append(String(decoding: try encoder.encode(event), as: UTF8.self))
      if event.kind == .runEnded { break }
    }
    try await run.shutdown()
    return Told(
      pond: try pond.model().json(),
      status: String(decoding: try encoder.encode(status), as: UTF8.self), events: told,
      report: report)
  }

  @Test(arguments: ["login", "web"])
  func inTheEndItIsTheRunThatIsReported(statusReadAt pebble: String) async throws {
    let told = try await Self.told(at: pebble)
    let ended = told.report.recorded()

    // All events, also those from before the status: what is told twice changes nothing.
    let different = try JavaScript.result(
      of: """
        \(told.begun)
        for (const event of [\(told.events.joined(separator: ","))]) run.take(event.kind, event);
        run.settle();
        const ended = new Run(\(ended.json())), different = [];
        for (const column of ['outcomes', 'ends', 'ready', 'finished', 'causes']) {
          if (run[column].join() !== ended[column].join()) {
            different.push(`${column}: ${run[column].join()} / ${ended[column].join()}`);
          }
        }
        // An event is told a little after what it tells of.
        run.started.forEach((time, k) => {
          if (Math.abs(time - ended.started[k]) > 1e9) different.push(`started ${k}: ${time}`);
        });
        const attempts = run => run.record(1).attempts.map(one => one.error).join();
        if (attempts(run) !== attempts(ended)) different.push(attempts(run), attempts(ended));
        return [...different, run.phase, run.serviceText(5).includes('still up')].join('; ');
        """)

    #expect(different == "failed; true")
  }

  @Test func itSaysWhatItWaitsFor() async throws {
    let told = try await Self.told(at: "login")

    let said = try JavaScript.result(
      of: """
        \(told.begun)
        run.advance(run.makespan + 5e9);
        return [run.settledCount, run.awaitedNow.map(pebble => run.names[pebble]),
          run.took(1) >= 5e9, run.record(1).attempts.length, run.isOpen(2), run.started[2] >= 0,
          run.record(2).waitingFor, run.counts[isRunning], run.counts[isWaiting]].join();
        """)

    #expect(said == "1,login,true,1,true,false,login,1,4")
  }

  @Test func ofAShutdownItSaysWhatIsStillToBeStopped() async throws {
    let told = try await Self.told(at: "web")

    let said = try JavaScript.result(
      of: """
        \(told.begun)
        const said = [];
        const tell = (kind, data) => {
          run.take(kind, { kind, time: run.makespan + 1e6, ...data });
          said.push(run.phase, run.upNow.map(pebble => run.names[pebble]).join('+'));
        };
        tell('shutdownBegan', {});
        tell('stopRequested', { pebble: 'web' });
        tell('serviceEnded', { pebble: 'web' });
        tell('shutdownEnded', {});
        run.settle();
        return [...said, run.serviceText(5).includes(', stopped at ')].join();
        """)

    #expect(
      said == "shuttingDown,web,shuttingDown,web,shuttingDown,,shutDown,,true")
  }

  @Test func theAttemptThatWasUnderWayWhenTheStatusWasReadIsListedInTheEnd() async throws {
    let told = try await Self.told(at: "login")

    let said = try JavaScript.result(
      of: """
        \(told.begun)
        const [first] = run.record(1).attempts, time = run.makespan + 1;
        run.take('settled', { kind: 'settled', time, pebble: 'login', outcome: 'succeeded' });
        const last = run.record(1).attempts.at(-1);
        return [run.record(1).attempts.length, last.started === first.finished,
          last.finished === time, last.error].join();
        """)

    #expect(said == "2,true,true,")
  }

  @Test func whatHasSettledSinceTheStatusIsNoLongerWaitedFor() async throws {
    let told = try await Self.told(at: "login")

    let said = try JavaScript.result(
      of: """
        \(told.begun)
        run.record(2).waitingFor = ['login', 'unneeded'];
        const before = run.waitingFor(2).join('+');
        run.take('settled',
          { kind: 'settled', time: run.makespan, pebble: 'login', outcome: 'succeeded' });
        run.settle();
        return [before, run.waitingFor(2).join('+'), run.waitingFor(4).join('+')].join();
        """)

    #expect(said == "login+unneeded,unneeded,")
  }

  @Test(arguments: [(false, false, "over"), (true, false, "failed"), (false, true, "failed")])
  func aRunThatWasCancelledOrFailedIsNotUp(
    isCancelled: Bool, hasFailed: Bool, phase: String
  ) async throws {
    let told = try await Self.told(at: "login")

    let said = try JavaScript.result(
      of: """
        \(told.begun)
        run.take('runEnded', { kind: 'runEnded', time: 1, isCancelled: \(isCancelled),
          hasFailed: \(hasFailed) });
        return run.phase;
        """)

    #expect(said == phase)
  }

  @Test func whatAShutdownStoppedWasStoppedHoweverLateThePageLearnsOfIt() async throws {
    let told = try await Self.told(at: "web")

    let said = try JavaScript.result(
      of: """
        \(told.begun)
        const status = \(told.status), said = [];
        const told = (phase, running) => {
          run.take('status', { ...status, phase, running });
          run.settle();
        };
        told('shuttingDown', status.running);
        run.take('serviceEnded', { kind: 'serviceEnded', time: run.makespan, pebble: 'web' });
        run.settle();
        said.push(run.serviceText(5).includes(', stopped at '));
        told('shutDown', []);
        said.push(run.serviceText(5).includes(', stopped at '));
        told('failed', []);
        said.push(run.serviceText(5).includes(', ended at '));
        return said.join();
        """)

    #expect(said == "true,true,true")
  }

  @Test func aServiceThatWasCalledAgainHasNotBeenAskedToStopSince() async throws {
    let told = try await Self.told(at: "web")

    let said = try JavaScript.result(
      of: """
        \(told.begun)
        const time = run.makespan + 1e6;
        for (const kind of ['stopRequested', 'serviceEnded', 'serviceRestarted', 'serviceEnded']) {
          run.take(kind, { kind, time, pebble: 'web' });
        }
        run.settle();
        return run.serviceText(5).includes(', started again once, ended at ');
        """)

    #expect(said == "true")
  }

  @Test func whatCannotBeFollowedIsAskedForAnew() async throws {
    let told = try await Self.told(at: "login")

    let answers = try JavaScript.result(
      of: """
        \(told.begun)
        const status = \(told.status), time = status.elapsed + 1;
        return [run.take('dropped', { time, droppedCount: 3 }), run.take('status', status),
          run.take('status', { ...status, pebbles: [] }),
          run.take('settled', { time: 1, pebble: 'nobody' })].join();
        """)

    #expect(answers == "false,true,false,true")
  }

  @Test func whatWasDroppedBeforeTheStatusIsNotAskedFor() async throws {
    let pond = Pond("long")
    let (reached, gate) = (Gate(), Gate())
    let config = pond.pebble("config") {}
    pond.pebble("login", when: config.succeeded) {
      reached.open()
      await gate.passed()
    }
    let run = try pond.start(eventHistory: 1)
    await reached.passed()
    // As a server does for each page: it observes the run, and then reads the status.
    var events = run.events.makeAsyncIterator()
    let status = run.status
    let next = await events.next(isolation: nil)
    gate.open()
    _ = try await run.report
    let first = try #require(next)
    let encoder = JSONEncoder()
    let told = try [encoder.encode(status), encoder.encode(first)]
      .map { String(decoding: $0, as: UTF8.self) }

    let answer = try JavaScript.result(
      of: """
        const run = new LiveRun({ pond: \(try pond.model().json()), phase: 'booting', elapsed: 0 });
        return [run.take('status', \(told[0])), run.take('dropped', \(told[1]))].join();
        """)

    #expect(first.kind == .dropped)
    #expect(answer == "true,true")
  }

  @Test func untilTheFirstStatusAllOfItWaits() async throws {
    let told = try await Self.told(at: "login")

    let said = try JavaScript.result(
      of: """
        const run = new LiveRun({ pond: \(told.pond), phase: 'booting', elapsed: 3e9 });
        return [run.settledCount, run.counts[isWaiting] === run.count, run.makespan].join();
        """)

    #expect(said == "0,true,3000000000")
  }
}
