import Foundation

/// A table of the results of all mutants, by room.
struct Table {
  let mutants: [Mutant]
  let verdicts: [String: Verdict]
  let equivalents: Set<String>

  struct Row: Equatable {
    var mutants = 0
    var equivalent = 0
    var played = 0
    var killed = 0
    var hung = 0
    var survived = 0
    var unreached = 0

    /// The share of killed mutants among those that have been played and are not equivalent.
    var share: Double { played == 0 ? 1 : Double(killed) / Double(played) }

    mutating func count(_ verdict: Verdict?, isEquivalent: Bool) {
      mutants += 1
      if isEquivalent {
        equivalent += 1
        return
      }
      guard let verdict else { return }
      played += 1
      switch verdict.end {
      case .killed, .crashed: killed += 1
      case .hung:
        killed += 1
        hung += 1
      case .survived: survived += 1
      case .unreached: unreached += 1
      }
    }
  }

  func row(where isCounted: (Mutant) -> Bool = { _ in true }) -> Row {
    var row = Row()
    for mutant in mutants where isCounted(mutant) {
      row.count(verdicts[mutant.id], isEquivalent: equivalents.contains(mutant.id))
    }
    return row
  }

  /// The mutants that are still alive and are not equivalent.
  var survivors: [Mutant] {
    mutants.filter { mutant in
      guard !equivalents.contains(mutant.id), let end = verdicts[mutant.id]?.end else {
        return false
      }
      return end == .survived || end == .unreached
    }
  }

  var text: String {
    let titles = ["mutants", "equivalent", "played", "killed", "by hang", "survived", "unreached"]
    var lines = [Self.line("", titles, "killed")]
    var rows = Room.all.map { room in (room.name, row { $0.room == room.name }) }
    rows.append(("all", row()))
    for (name, row) in rows {
      let counts = [
        row.mutants, row.equivalent, row.played, row.killed, row.hung, row.survived, row.unreached,
      ]
      let share = "\((row.share * 1000).rounded() / 10) %"
      lines.append(Self.line(name, counts.map(String.init), row.played == 0 ? "" : share))
    }
    return lines.joined(separator: "\n")
  }

  private static func line(_ name: String, _ cells: [String], _ share: String) -> String {
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    return name + String(repeating: " ", count: max(0, 12 - name.count))
      + cells.map { right($0, 11) }.joined() + right(share, 9)
  }

  /// Writes a file for each room, with the mutants that are still alive.
  func writeSurvivors(to folder: String, reaching: (Mutant) -> [String]) throws {
    let alive = Dictionary(grouping: survivors, by: \.room)
    for room in Room.all {
      let played = row { $0.room == room.name }
      var text =
        "# \(room.name): \(played.played) of \(played.mutants - played.equivalent) played, "
      text += "\(played.killed) killed; \(played.survived + played.unreached) are left alive\n"
      for mutant in (alive[room.name] ?? []).sorted(by: { ($0.file, $0.line) < ($1.file, $1.line) })
      {
        text += "\n\(mutant.id) \(mutant.file):\(mutant.line) \(mutant.function): "
        text += "\(mutant.kind.rawValue)\n"
        text += Self.indented("before", mutant.before) + Self.indented("after", mutant.after)
        let suites = reaching(mutant)
        text += "  played with: \(suites.count) suites: "
        text += suites.prefix(6).joined(separator: ", ")
        text += "\(suites.count > 6 ? ", …" : "")\n"
      }
      try Workplace.write(text, to: "\(folder)/\(room.name).txt")
    }
  }

  /// Writes a file with the mutants that were detected only because the tests did not end.
  func writeHung(to path: String) throws {
    let hung = mutants.filter { verdicts[$0.id]?.end == .hung && !equivalents.contains($0.id) }
    let lines = hung.map { mutant in
      let suite = verdicts[mutant.id]?.suite.map { " (\($0))" } ?? ""
      return mutant.summary + suite + "\n"
    }
    try Workplace.write("# Killed by a hang: \(hung.count)\n" + lines.joined(), to: path)
  }

  private static func indented(_ title: String, _ code: String) -> String {
    guard !code.isEmpty else { return "  \(title): (nothing)\n" }
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    return "  \(title): \(lines.joined(separator: "\n    "))\n"
  }
}
