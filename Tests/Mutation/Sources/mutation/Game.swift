import Foundation
import Synchronization

/// A run of the requested mutants. To play a mutant means to run the tests with it.
struct Game {
  /// The share of the mutants that must be killed, at least, not counting equivalent ones.
  static let neededShare = 0.95

  private let workplace: Workplace
  private let arguments: Arguments
  private let mutants: [Mutant]
  private let equivalents: Set<String>
  private let verdicts: [String: Verdict]
  private let player: Player

  init(_ workplace: Workplace, _ arguments: Arguments) throws {
    self.workplace = workplace
    self.arguments = arguments
    mutants = try workplace.readMutants()
    equivalents = Set(try Equivalents(of: workplace).reasons.keys)
    verdicts = try Verdict.readAll(workplace)
    player = try Player(
      workplace: workplace, within: arguments.number("--within").map(Double.init))
    let byID = Dictionary(uniqueKeysWithValues: mutants.map { ($0.id, $0) })
    for verdict in verdicts.values {
      if let mutant = byID[verdict.id] { player.learn(verdict, of: mutant) }
    }
  }

  /// Plays the requested mutants, and prints the results.
  ///
  /// - Returns: Whether enough of these mutants have been killed.
  func play() throws -> Bool {
    let chosen = try choose()
    say("\(chosen.count) mutants to play")
    var new = arguments.has("--anew") ? [:] : verdicts.filter(\.value.needsRepetition)
    new = try play(chosen.filter { new[$0.id] == nil }, known: new)
    let doubtful = chosen.filter { new[$0.id]?.needsRepetition ?? false }
    if !doubtful.isEmpty {
      say("\(doubtful.count) mutants that hung are played again, with more time")
      new = try play(doubtful, isRepeated: true, known: new)
    }
    let table = Table(mutants: chosen, verdicts: new, equivalents: equivalents)
    tell(table)
    return table.row().share >= Self.neededShare
  }

  private func play(
    _ chosen: [Mutant], isRepeated: Bool = false, known: [String: Verdict]
  ) throws -> [String: Verdict] {
    let next = Atomic(0)
    let played = Mutex(known)
    let failures = Mutex([String]())
    DispatchQueue.concurrentPerform(iterations: try arguments.number("--jobs") ?? 2) { job in
      while failures.withLock(\.isEmpty) {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < chosen.count else { break }
        do {
          let verdict = try player.play(chosen[index], isRepeated: isRepeated, job: job)
          player.learn(verdict, of: chosen[index])
          say("\(verdict.end.rawValue) in \(verdict.seconds) s: \(chosen[index].summary)")
          try played.withLock {
            $0[verdict.id] = verdict
            try verdict.append(to: workplace)
            if index.isMultiple(of: 20) { try writeSurvivors($0) }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    if let failure = failures.withLock({ $0.first }) { throw Failure(failure) }
    let all = played.withLock { $0 }
    try writeSurvivors(all)
    return all
  }

  /// Prints the known results of all mutants.
  func tell() throws {
    tell(Table(mutants: mutants, verdicts: verdicts, equivalents: equivalents))
    try writeSurvivors([:])
  }

  private func tell(_ table: Table) {
    print(table.text)
    for mutant in table.survivors { print(mutant.summary) }
  }

  private func writeSurvivors(_ new: [String: Verdict]) throws {
    let all = verdicts.merging(new) { $1 }
    let table = Table(mutants: mutants, verdicts: all, equivalents: equivalents)
    try table.writeSurvivors(to: workplace.survivors) { player.suites(reaching: $0) }
    try table.writeHung(to: "\(workplace.survivors)/hung.txt")
  }

  /// Returns the requested mutants: a single one, a sample, the survivors, or those that have not
  /// been played yet.
  private func choose() throws -> [Mutant] {
    var chosen = mutants.filter { !equivalents.contains($0.id) }
    if let id = arguments.text("--mutant") {
      chosen = mutants.filter { $0.id == id }
      guard !chosen.isEmpty else { throw Failure("There is no mutant \(id).") }
      return chosen
    }
    if let room = arguments.text("--room") {
      let names = room.split(separator: ",")
      chosen = chosen.filter { mutant in names.contains { $0 == mutant.room } }
      guard !chosen.isEmpty else {
        throw Failure("There is no room \(room): \(Room.all.map(\.name).joined(separator: ", ")).")
      }
    }
    if let count = try arguments.number("--sample") {
      let seed = arguments.text("--seed") ?? ""
      let drawn = chosen.map { ($0, "\($0.id) \(seed)".fingerprint) }.sorted { $0.1 < $1.1 }
      return drawn.prefix(count).map(\.0)
    }
    if !arguments.has("--anew") {
      chosen = chosen.filter { mutant in
        guard let verdict = verdicts[mutant.id] else { return true }
        let isAlive = verdict.end == .survived || verdict.end == .unreached
        return verdict.needsRepetition || arguments.has("--survivors") && isAlive
      }
    }
    let rank = Dictionary(uniqueKeysWithValues: Room.all.enumerated().map { ($1.name, $0) })
    return chosen.sorted { (rank[$0.room] ?? 0, $0.number) < (rank[$1.room] ?? 0, $1.number) }
  }
}
