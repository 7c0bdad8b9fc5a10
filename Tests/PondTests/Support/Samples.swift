import Pebbles
import PebblesAnalysis

@testable import pond

/// A namespace for the contents of files that commands read.
enum Samples {
  /// Returns a run of a boot in which `ping` fails by default. Some durations are longer by
  /// `change`.
  static func run(_ change: Duration = .zero, failing: Bool = true) throws -> RecordedRun {
    let boot = Pond("boot")
    let ping = boot.pebble("ping") {}
    let load = boot.pebble("load cores") {}
    boot.pebble("show", when: load.succeeded) {}
    let offline = boot.pebble("offline", when: ping.failed) {}
    let login = boot.pebble("login", when: ping.succeeded) {}
    let store = boot.pebble("store", when: login.succeeded) {}
    _ = (offline, store)
    let time = { (milliseconds: Int) in Duration.milliseconds(milliseconds) }
    let took = time(20) + change
    let skipped = { (name: String, cause: Int) in
      RecordedPebble(
        name: name,
        outcome: .skipped(.conditionFalse(decidedBy: ["ping", "", "", "", "login"][cause])),
        finished: time(5), decidedBy: cause)
    }
    let ran = { (name: String, start: Duration, end: Duration, cause: Int?) in
      RecordedPebble(
        name: name, outcome: .succeeded, ready: start, started: start, finished: end,
        decidedBy: cause)
    }
    let (good, bad) = (RecordedOutcome.succeeded, RecordedOutcome.failed("no route"))
    return try RecordedRun(
      model: boot.model(),
      pebbles: [
        RecordedPebble(
          name: "ping", outcome: failing ? bad : good, ready: .zero, started: .zero,
          finished: time(5)),
        ran("load cores", .zero, took, nil), ran("show", took, took + time(10), 1),
        failing ? ran("offline", time(5), time(6), 0) : skipped("offline", 0),
        failing ? skipped("login", 0) : ran("login", time(5), time(7), 0),
        failing ? skipped("store", 4) : ran("store", time(7), time(8), 4),
      ],
      makespan: took + time(10))
  }

  /// The boot of a real app, Oovium, as its author published it with Acheron (2022).
  static let publishedBoot = """
    {"name": "oovium-boot", "source": "names and conditions only", "pebbles": [
      {"name": "loadOTID", "when": "always"}, {"name": "loadToken", "when": "always"},
      {"name": "loadUser", "when": "always"}, {"name": "needNotMigrate", "when": "always"},
      {"name": "ping", "when": "always"}, {"name": "queryCloud", "when": "always"},
      {"name": "migrate", "when": "needNotMigrate.failed"},
      {"name": "isLocallySubscribed", "when": "loadToken.succeeded"},
      {"name": "isRemotelySubscribed", "when": "ping.succeeded && isLocallySubscribed.failed"},
      {"name": "userLogin", "when": "ping.succeeded && loadToken.failed && loadUser.succeeded"},
      {"name": "receiptValidation", "when": "ping.succeeded && loadToken.failed && loadOTID.failed \
    && (loadUser.failed || userLogin.failed)"},
      {"name": "otidLogin", "when": "ping.succeeded && loadToken.failed && (loadOTID.succeeded || \
    receiptValidation.succeeded) && (loadUser.failed || userLogin.failed)"},
      {"name": "showOffline", "when": "ping.failed && loadToken.failed"},
      {"name": "showSubscribe", "when": "ping.succeeded && (receiptValidation.failed || \
    isRemotelySubscribed.failed)"},
      {"name": "showSignUp", "when": "ping.succeeded && loadToken.succeeded && loadOTID.succeeded \
    && (isLocallySubscribed.succeeded || isRemotelySubscribed.succeeded) && loadUser.failed"},
      {"name": "startOovium", "when": "loadToken.succeeded && loadOTID.succeeded && \
    (loadUser.succeeded || ping.failed) && (isLocallySubscribed.succeeded || \
    isRemotelySubscribed.succeeded) && (needNotMigrate.succeeded || migrate.succeeded) && \
    queryCloud.succeeded"},
      {"name": "invalid", "when": "loadToken.succeeded && loadOTID.failed"}
    ]}
    """

  /// Returns a run with names, labels and errors that contain control sequences for terminals and
  /// logs.
  static func hostileRun() async throws -> RecordedRun {
    let pond = Pond("b\u{1B}]0;title\u{7}oot")
    let first = pond.pebble("\u{1B}[2J\u{1B}[31mred") { throw Hostile() }
    let second = pond.pebble("::error::no\r\n::set-output\u{9B}2J") {}
    pond.pebble(
      "\u{202E}reversed \u{85}", when: (first.succeeded && second.failed).labeled("\u{1B}c\u{8}")
    ) {}
    pond.pebble("wide 漢字 👨‍👩‍👧 `````", when: first.failed) {}
    return try await pond.run().recorded()
  }

  private struct Hostile: Error, CustomStringConvertible {
    var description: String { "\u{1B}[1mbold\u{1B}[0m\n\u{7}%0A::warning::two\u{90}" }
  }
}
