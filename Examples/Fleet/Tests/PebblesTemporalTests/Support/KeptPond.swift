import Foundation
import Pebbles
import Testing

@testable import PebblesTemporal

/// A pond with recorded histories in this repository, and the settings with which it is run.
///
/// Do not change these ponds: the tests replay the recorded histories and expect the same
/// decisions. To cover a new feature, add another pond.
struct KeptPond: Sendable {
  let pond: Pond
  var within: Duration?
  var disabling: [String] = []

  /// Whether a run is started with the graph. Otherwise, a worker records the graph in the history,
  /// as for a run that is started by a schedule.
  var isGraphSent = true

  /// A stream whose first element signals that the run is to be cancelled; `nil` if the run is not
  /// cancelled.
  var cancelled: AsyncStream<Void>?

  /// The ponds whose histories are kept.
  static var all: [KeptPond] {
    [wide(), tried(), missed(), asked(), undone(), late(), strict(), scheduled()]
  }

  /// Returns a pond whose parts have three different priorities. The last part has the highest
  /// priority, and some parts exclude each other. At most `limit` pebbles run at the same time:
  ///
  ///     prepare ─▶ part 0 … part 8 ─▶ join
  static func wide(limit: Int = 3, last: Int = 5) -> KeptPond {
    let pond = Pond("wide", maxConcurrent: limit)
    let prepare = pond.pebble("prepare") { 1 }
    let parts = (0..<9).map { number in
      var traits = [PebbleTrait.priority(number == 8 ? last : number % 3 - 1)]
      if number.isMultiple(of: 4) { traits.append(.exclusive("disk")) }
      return pond.pebble("part \(number)", .traits(traits), needs: prepare) { $0 + number }
    }
    pond.pebble("join", needs: parts) { $0.reduce(0, +) }
    return KeptPond(pond: pond)
  }

  /// Returns a pond with bodies that are retried, and bodies that time out:
  ///
  ///     flaky, hopeless ─▶ tell        slow ─▶ late
  static func tried() -> KeptPond {
    let pond = Pond("tried")
    let flaky = pond.pebble("flaky", .retry(.attempts(3))) {
      if PebbleContext.current?.attempt ?? 1 < 3 { throw Failing() }
      return 3
    }
    let hopeless = pond.pebble("hopeless", .retry(.attempts(2))) { throw Failing() }
    let slow = pond.pebble("slow", .timeout(.milliseconds(50))) { try await forever() }
    pond.pebble("tell", needs: flaky, hopeless.result) { _, _ in }
    pond.pebble("late", when: slow.timedOut) {}
    return KeptPond(pond: pond)
  }

  /// Returns a pond in which a failure is handled and the goal is missed. The pebble `mail` does
  /// not take part in the run:
  ///
  ///     fetch ─▶ store, index ─▶ publish
  ///                └▶ roll back    mail, index ─▶ archive
  ///
  /// The condition of `roll back` is that `store` has failed or, if `rollsBack` is `false`, that
  /// `store` has succeeded.
  static func missed(rollsBack: Bool = true) -> KeptPond {
    let pond = Pond("missed")
    let fetch = pond.pebble("fetch") { [1, 2] }
    let store = pond.pebble("store", needs: fetch) { _ in throw Failing() }
    let index = pond.pebble("index", needs: fetch) { $0.count }
    let publish = pond.pebble("publish", when: store.succeeded && index.succeeded) {}
    pond.pebble("roll back", when: rollsBack ? store.failed : store.succeeded) {}
    let mail = pond.pebble("mail", when: fetch.succeeded) {}
    pond.pebble("archive", when: mail.skipped && index.completed) {}
    pond.goal = publish.succeeded
    return KeptPond(pond: pond, disabling: ["mail"])
  }

  /// Returns a pond whose conditions depend on cases of errors and of values:
  ///
  ///     database ─▶ unlock or repair     flip ─▶ won or lost     ping ─▶ pong
  static func asked() -> KeptPond {
    let pond = Pond("asked")
    let database = pond.pebble("database") { throw Failing() }
    let locked = database.failed("locked") { $0 is Failing }
    pond.pebble("unlock", when: locked) {}
    pond.pebble("repair", when: database.failed && !locked) {}
    let flip = pond.pebble("flip") { true }
    let won = pond.pebble("won", needs: flip, when: flip.is(true)) { _ in }
    let lost = pond.pebble("lost", needs: flip, when: flip.is(false)) { _ in }
    let ping = pond.pebble("ping") {}
    pond.pebble("pong", when: ping.succeeded("answered") { _ in true }) {}
    pond.goal = .exactlyOne(of: won.succeeded, lost.succeeded)
    return KeptPond(pond: pond)
  }

  /// Returns a pond that is cancelled while two bodies are running, and then torn down:
  ///
  ///     database ─▶ cache ─▶ index ─▶ wait, watch ─▶ after     page
  static func undone() -> KeptPond {
    let (isTime, time) = AsyncStream.makeStream(of: Void.self)
    let pond = Pond("undone")
    let database = pond.pebble("database", teardown: { _ in }) { 7 }
    let cache = pond.pebble("cache", needs: database, teardown: { _ in }) { $0 + 1 }
    let index = pond.pebble("index", needs: cache, teardown: { _ in }) { $0 + 1 }
    pond.pebble("page", .priority(-1), teardown: { _ in }) { 9 }
    let watch = pond.pebble("watch", when: index.succeeded) { try await forever() }
    let wait = pond.pebble("wait", when: index.succeeded) {
      time.yield()
      try await forever()
    }
    pond.pebble("after", when: wait.settled && watch.settled) {}
    return KeptPond(pond: pond, cancelled: isTime)
  }

  /// Returns a pond that exceeds its time limit while a body is running, and is then torn down:
  /// `open` ─▶ `slow` ─▶ `after`.
  static func late() -> KeptPond {
    let pond = Pond("late")
    let open = pond.pebble("open", teardown: { _ in }) { 1 }
    let slow = pond.pebble("slow", needs: open) { _ in try await forever() }
    pond.pebble("after", when: slow.settled) {}
    return KeptPond(pond: pond, within: .seconds(3))
  }

  /// Returns a pond in which an unhandled failure cancels the run, and one of the teardowns fails:
  ///
  ///     open ─▶ run
  ///       └───▶ fail ─▶ never
  static func strict() -> KeptPond {
    let (running, run) = AsyncStream.makeStream(of: Void.self)
    let pond = Pond("strict", onFailure: .cancelAll)
    let open = pond.pebble("open", teardown: { _ in throw Failing() }) { 1 }
    pond.pebble("run", needs: open) { _ in
      run.yield()
      try await forever()
    }
    let fail = pond.pebble("fail", needs: open) { _ in
      for await _ in running { break }
      throw Failing()
    }
    pond.pebble("never", when: fail.succeeded) {}
    return KeptPond(pond: pond)
  }

  /// Returns a pond that is started without a graph. Two of its pebbles wait for each other, and
  /// four others share three connections:
  ///
  ///     chicken ◀─▶ egg ─▶ omelette     users, orders, prices, rates ─▶ report
  static func scheduled() -> KeptPond {
    let pond = Pond("scheduled")
    let (chicken, egg) = (pond.pebble("chicken") {}, pond.pebble("egg") {})
    chicken.ready = egg.succeeded
    egg.ready = chicken.succeeded
    pond.pebble("omelette", when: egg.skipped || egg.succeeded) {}
    let loads = [
      pond.pebble("users", .uses("connections", of: 3)) { 1 },
      pond.pebble("orders", .uses("connections", 2)) { 2 },
      pond.pebble("prices", .uses("connections", 2)) { 3 },
      pond.pebble("rates", .uses("connections")) { 4 },
    ]
    pond.pebble("report", needs: loads) { $0.reduce(0, +) }
    return KeptPond(pond: pond, isGraphSent: false)
  }
}

extension KeptPond: CustomTestStringConvertible {
  var testDescription: String { pond.name }
}

/// Waits until the task is cancelled.
private func forever() async throws {
  for await _ in AsyncStream(Never.self, { _ in }) {}
  try Task.checkCancellation()
}
