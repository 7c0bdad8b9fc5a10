import Foundation
import PebblesTestSupport

@testable import PebblesDurable

/// A run of the probe, in a single process or in several processes that were killed. It collects
/// the expectations that the run violates.
final class KilledRun {
  private let seed: UInt64
  private let options: [String]
  private let folder: TemporaryFolder
  private(set) var isOver = false

  /// Whether a process has survived to report the outcomes.
  private var isTold = false

  /// The violated expectations, as sentences.
  private(set) var problems: [String] = []

  /// The pebbles that had ended according to the journal when a process was killed.
  private var endedForGood: Set<String> = []

  /// The pebbles whose teardown had been called, but not recorded, when a process was killed.
  private var mayBeTornDownAgain: Set<String> = []

  /// The disk that contains the journal; `nil` if power is never lost.
  private let disk: FlakyDisk?

  init(seed: UInt64, _ options: [String], on disk: FlakyDisk? = nil) throws {
    self.seed = seed
    self.options = options
    self.disk = disk
    folder = try TemporaryFolder()
  }

  private var journal: String { disk.map { "\($0.path)/journal" } ?? folder.file("journal") }
  private var arguments: [String] {
    ["\(seed)", journal, folder.file("effects"), folder.file("outcomes")] + options
  }

  var effects: [ProbeEffect] { ProbeEffect.all(at: folder.file("effects")) }
  var journalLength: Int { Self.length(of: journal) }

  private static func length(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private func expect(_ isRight: Bool, _ problem: @autoclosure () -> String) {
    if !isRight { problems.append("seed \(seed) \(options): \(problem())") }
  }

  // MARK: Deaths

  /// Continues the run in a process that is killed once the journal has the given length and some
  /// more time has passed.
  func isKilled(atLength length: Int, after moment: Duration) throws {
    try goOn([]) { process in
      var status: Int32?
      while Self.length(of: self.journal) < length {
        if process.hasEnded(&status) { return status }
      }
      let end = ContinuousClock.now + moment
      while ContinuousClock.now < end {}
      process.kill()
      return process.wait()
    }
  }

  /// Continues the run in a process that kills itself after the given number of effects.
  func dies(afterEffects count: Int) throws {
    try goOn(["--die-after=\(count)"]) { $0.wait() }
  }

  func goOnToItsEnd() throws {
    try goOn([]) { $0.wait() }
    expect(isOver, "it does not end")
  }

  private func goOn(_ more: [String], _ end: (ProbeProcess) -> Int32?) throws {
    guard !isOver else { return }
    let count = effects.count
    let status = end(try ProbeProcess(arguments + more))
    let called = effects.dropFirst(count).filter { $0.word == "begin" }.map(\.name)
    let again = endedForGood.intersection(called)
    expect(again.isEmpty, "\(again) ended in an earlier process, and were called again")
    if let status {
      expect(status == 0, "a process ended with \(status)")
      isOver = true
      isTold = true
      return
    }
    try disk?.losePower()
    let text = try JournalText(at: journal)
    isOver = text.isOver
    endedForGood.formUnion(text.endedForGood)
    expectWhatOthersFollowFrom(text)
    let closed = Set(effects.filter { $0.word == "close" }.map(\.name))
    mayBeTornDownAgain.formUnion(closed.subtracting(text.tornDown))
  }

  // MARK: What must hold

  /// Expects that if a body has begun because others ended, the journal contains those ends,
  /// whatever else was lost.
  private func expectWhatOthersFollowFrom(_ text: JournalText) {
    let begun = Set(effects.filter { $0.word == "begin" }.map(\.name))
    let ended = Set(
      text.entries.compactMap { entry, _ in
        if case .ended(let end) = entry { end.pebble } else { nil }
      })
    let causes = [
      "fetch": ["database"], "mirror": ["fetch"], "parse": ["fetch", "mirror", "handle", "pool"],
      "store": ["parse"], "late": ["store"],
    ]
    for (name, others) in causes.sorted(by: { $0.key < $1.key }) where begun.contains(name) {
      let lost = others.filter { !ended.contains($0) }
      expect(lost.isEmpty, "\(name) has begun because \(lost) ended, which are lost")
    }
    // Dependents are torn down first.
    let closed = Set(effects.filter { $0.word == "close" }.map(\.name))
    for (name, dependent) in [("database", "fetch"), ("fetch", "parse"), ("parse", "store")]
    where closed.contains(name) && text.kept.contains(dependent) {
      expect(
        text.tornDown.contains(dependent),
        "\(name) was torn down because \(dependent) was, which is lost")
    }
  }

  /// Compares the ended run with a run that was not interrupted.
  ///
  /// - Parameter whole: The same run in a single process.
  /// - Throws: An error if the journal cannot be read.
  func compare(to whole: KilledRun) throws {
    let text = try JournalText(at: journal)
    expect(text.isOver, "its journal does not say that it is over")
    for (name, calls) in Dictionary(grouping: effects.filter { $0.word == "begin" }, by: \.name) {
      expect(Set(calls.map(\.idempotencyKey)).count == 1, "\(name) has several keys")
    }
    compareTeardowns(of: text)
    if !isTold || options.contains("--cancel-all") { return }
    let (own, other) = try (folder.text(of: "outcomes"), whole.folder.text(of: "outcomes"))
    expect(own == other, "\(own)\nand not\n\(other)")
  }

  /// Expects that each kept pebble with a teardown was torn down exactly once, or possibly more
  /// often if a process died between the teardown and its entry.
  private func compareTeardowns(of text: JournalText) {
    let closed = Dictionary(grouping: effects.filter { $0.word == "close" }, by: \.name)
    let names = Set(closed.keys).union(text.kept.filter(Self.isTornDown))
    let untold = text.kept.filter(Self.isTornDown).subtracting(text.tornDown)
    expect(untold.isEmpty, "its journal does not tell of the teardowns of \(untold)")
    for name in names {
      let count = closed[name, default: []].count
      let isRight = mayBeTornDownAgain.contains(name) ? count >= 1 : count == 1
      expect(isRight, "\(name) was torn down \(count) times")
    }
  }

  /// Returns whether a pebble of the probe has a teardown and an output that can be kept.
  private static func isTornDown(_ name: String) -> Bool {
    ["fetch", "parse", "store", "late"].contains(name)
      || name.first == "p" && Int(name.dropFirst()) != nil
  }
}
