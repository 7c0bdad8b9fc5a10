import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct ContextTests {
  private let pond = Pond("located")
  private let clock = AlarmClock()

  @Test func everyFormOfBodyKnowsWhereItIs() async throws {
    let contexts = Logbook<PebbleContext?>()
    let seed = pond.pebble("seed") { contexts.note(.current) }
    let inputs = pond.pebble("inputs", needs: seed) { (_: Void) in contexts.note(.current) }
    let callback = pond.pebble("callback", when: inputs.succeeded) { complete in
      contexts.note(.current)
      complete(true)
    }
    let timed = pond.pebble("timed", .timeout(.seconds(5)), when: callback.succeeded) {
      contexts.note(.current)
    }
    let onMain = pond.pebble("onMain", when: timed.succeeded) { @MainActor in
      contexts.note(.current)
    }
    let blocking = pond.pebble("blocking", .blocking, when: onMain.succeeded) {
      contexts.note(.current)
    }
    pond.service("service", .ending(.ignore), when: blocking.succeeded) { ready in
      contexts.note(.current)
      ready()
    }

    let report = try await pond.run(clock: clock)

    #expect(contexts.entries.map { $0?.pebble } == report.records.map(\.name))
    #expect(contexts.entries.allSatisfy { $0?.pond == "located" && $0?.attempt == 1 })
    #expect(contexts.entries.allSatisfy { $0?.runIdentifier == report.identifier })
  }

  @Test func thereIsNoneOutsideOfBodies() async throws {
    pond.pebble("body") {}

    _ = try await pond.run(clock: clock)

    #expect(PebbleContext.current == nil)
  }

  @Test func oneCallOfABodyHasOneContext() async throws {
    let body = pond.pebble("body") { [PebbleContext.current, PebbleContext.current] }
    let other = pond.pebble("other") { [PebbleContext.current] }

    let report = try await pond.run(clock: clock)

    let contexts = try #require(report[body])
    #expect(contexts[0] == contexts[1])
    #expect(Set(contexts + (report[other] ?? [])).count == 2)
  }

  @Test func childrenOfABodyHaveIt() async throws {
    let child = pond.pebble("child") {
      async let name = PebbleContext.current?.pebble
      return await name
    }
    let group = pond.pebble("group", .timeout(.seconds(5))) {
      await withTaskGroup { group in
        for _ in 0..<10 { group.addTask { PebbleContext.current?.pebble } }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
    }

    let report = try await pond.run(clock: clock)

    #expect(report[child] == "child")
    #expect(report[group] == ["group"])
  }

  @Test func attemptsAreNumbered() async throws {
    let attempts = Attempts(failing: 2)
    let numbers = Logbook<Int?>()
    let cores = pond.pebble("cores", .retry(.attempts(3))) {
      numbers.note(PebbleContext.current?.attempt)
      _ = try attempts.next()
    }
    pond.pebble("after", when: cores.succeeded) { numbers.note(PebbleContext.current?.attempt) }

    _ = try await pond.run(clock: clock)

    #expect(numbers.entries == [1, 2, 3, 1])
  }

  @Test func aLateBodyKeepsItsOwn() async throws {
    let (started, gate, ended) = (Gate(), Gate(), Gate())
    let late = Logbook<String?>()
    let stubborn = pond.pebble("stubborn", .timeout(.seconds(5))) {
      started.open()
      await gate.passed()
      late.note(PebbleContext.current?.pebble)
      ended.open()
    }
    pond.pebble("next", when: stubborn.failed) {
      gate.open()
      await ended.passed()
    }

    let run = try pond.start(clock: clock)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    _ = try await run.report

    #expect(late.entries == ["stubborn"])
  }

  @Test func manyBodiesAtOnceEachKnowTheirOwn() async throws {
    for number in 0..<200 {
      pond.pebble("\(number)") {
        for _ in 0..<3 {
          guard PebbleContext.current?.pebble == "\(number)" else { throw Breakdown() }
          await Task.yield()
        }
      }
    }

    let report = try await pond.run(clock: clock)

    #expect(report.isAllSucceeded)
  }

  @Test func aRunInsideOfABodyHasItsOwnAndGivesBackThatOfTheBody() async throws {
    let contexts = Logbook<PebbleContext?>()
    let outer = pond.pebble("outer") {
      contexts.note(.current)
      let inner = Pond("inner")
      inner.pebble("page") { contexts.note(.current) }
      let report = try await inner.run()
      contexts.note(.current)
      return report.identifier
    }

    let report = try await pond.run(clock: clock)

    #expect(contexts.entries.map { $0?.pond } == ["located", "inner", "located"])
    #expect(contexts.entries.map { $0?.pebble } == ["outer", "page", "outer"])
    let (ours, inners) = (report.identifier, report[outer])
    #expect(contexts.entries.map { $0?.runIdentifier } == [ours, inners, ours])
  }

  @Test func runsHaveIdentifiersOfTheirOwn() async throws {
    let identifiers = Logbook<RunIdentifier?>()
    pond.pebble("body") { identifiers.note(PebbleContext.current?.runIdentifier) }

    let reports = [try await pond.run(clock: clock), try await pond.run(clock: clock)]

    #expect(identifiers.entries == reports.map(\.identifier))
    #expect(Set(identifiers.entries).count == 2)
    #expect(identifiers.entries.allSatisfy { $0?.description.count == 16 })
  }
}
