import Foundation
import Synchronization

/// The mutants of the script of the inspector page.
///
/// They need no compiler: the copy contains the script, and for each mutant the bytes to replace.
struct ScriptMutants {
  static let page = "Sources/PebblesPictures/Page/Generated/PageText.swift"
  static let addition = "Sources/PebblesPictures/Page/Generated/PageText+Mutants.swift"
  private static let opening = "  static let script = ###\"\"\"\n"
  private static let closing = "\n\"\"\"###"
  private static let hashOpening = "  static let scriptHash = \""

  let workplace: Workplace

  /// The change that a mutant makes to the script, and the resulting hash for the content security
  /// policy of the page.
  private struct Change: Codable {
    let start: Int
    let length: Int
    let text: String
    let hash: String
  }

  /// The parts of the generated Swift source of the page that are used here.
  private struct PageText: Equatable {
    let script: [UInt8]
    let hash: String

    init(_ text: String) throws {
      guard let start = text.range(of: ScriptMutants.opening)?.upperBound,
        let end = text.range(of: ScriptMutants.closing, range: start..<text.endIndex)?.lowerBound,
        let hash = text.range(of: ScriptMutants.hashOpening)?.upperBound
      else { throw Failure("\(ScriptMutants.page) has no script where it is looked for") }
      script = Array(text[start..<end].utf8)
      self.hash = String(text[hash...].prefix { $0 != "\"" })
    }

    func change(to other: PageText) -> Change {
      let start = zip(script, other.script).prefix { $0 == $1 }.count
      let end = zip(script.reversed(), other.script.reversed()).prefix { $0 == $1 }.count
      let kept = min(end, min(script.count, other.script.count) - start)
      return Change(
        start: start, length: script.count - kept - start,
        text: String(decoding: other.script[start..<other.script.count - kept], as: UTF8.self),
        hash: other.hash)
    }
  }

  /// Makes the mutants, numbered from `first` on, and writes the generated source of the page for
  /// them.
  func make(from first: Int) throws -> [Mutant] {
    let original = try Workplace.read("\(workplace.root)/\(Self.page)")
    let page = try PageText(original)
    let chosen = try choose()
    let changes = Mutex([Int: Change]())
    let failures = Mutex([String]())
    let cache = "\(workplace.folder)/page/changes-\(original.fingerprint)"
    // What is left there of an earlier time is of an earlier script.
    for worker in 0..<2 {
      try? FileManager.default.removeItem(atPath: "\(workplace.folder)/page/\(worker)")
    }
    DispatchQueue.concurrentPerform(iterations: 2) { worker in
      for index in stride(from: worker, to: chosen.count, by: 2) {
        do {
          let change = try self.change(chosen[index], of: page, worker, cache: cache)
          if let change { changes.withLock { $0[index] = change } }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    if let failure = failures.withLock({ $0.first }) { throw Failure(failure) }
    let known = changes.withLock { $0 }
    var mutants: [Mutant] = []
    for (index, choice) in chosen.enumerated() where known[index] != nil {
      mutants.append(choice.mutant(number: first + index))
    }
    let table = Dictionary(uniqueKeysWithValues: known.map { (first + $0, $1) })
    try write(original, table)
    return mutants
  }

  private struct Choice {
    let id: String
    let site: Site
    let file: String
    let source: String

    func mutant(number: Int) -> Mutant {
      let line = source.utf8.prefix(site.range.lowerBound).count { $0 == UInt8(ascii: "\n") } + 1
      return Mutant(
        id: id, number: number, room: Room.page.name, file: "\(Room.page.folder)/\(file)",
        line: line, function: site.function, kind: site.kind, before: site.before,
        after: site.after)
    }
  }

  private func choose() throws -> [Choice] {
    let folder = "\(workplace.root)/\(Room.page.folder)"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    return try files.filter { $0.hasSuffix(".js") }.flatMap { file in
      let source = try Workplace.read("\(folder)/\(file)")
      let choice = SiteChoice(
        ScriptSites(source).sites, in: "\(Room.page.folder)/\(file)", quota: Room.quota(of: source))
      return choice.chosen.map { Choice(id: $0.id, site: $0.site, file: file, source: source) }
    }
  }

  /// Returns the change that a mutant makes to the script; `nil` if the script stays the same.
  private func change(
    _ choice: Choice, of page: PageText, _ worker: Int, cache: String
  ) throws -> Change? {
    let kept = "\(cache)/\(choice.id).json"
    if let data = FileManager.default.contents(atPath: kept) {
      return try JSONDecoder().decode(Change.self, from: data)
    }
    let folder = "\(workplace.folder)/page/\(worker)/Source"
    let manager = FileManager.default
    if !manager.fileExists(atPath: folder) {
      try manager.createDirectory(
        atPath: "\(workplace.folder)/page/\(worker)", withIntermediateDirectories: true)
      try manager.copyItem(
        atPath: "\(workplace.root)/Sources/PebblesPictures/Page/Source", toPath: folder)
    }
    let place = "\(folder)/engine/\(choice.file)"
    var bytes = Array(choice.source.utf8)
    for edit in choice.site.edits.reversed() {
      bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
    }
    try Workplace.write(String(decoding: bytes, as: UTF8.self), to: place)
    defer { try? Workplace.write(choice.source, to: place) }
    let made = try ChildProcess(arguments: ["\(folder)/make", "--print"]).output()
    let other = try PageText(made)
    guard other != page else { return nil }
    let change = page.change(to: other)
    let data = try JSONEncoder().encode(change)
    try Workplace.write(String(decoding: data, as: UTF8.self), to: kept)
    return change
  }

  private func write(_ original: String, _ changes: [Int: Change]) throws {
    let renamed = original.replacing("static let script = ", with: "static let unchangedScript = ")
      .replacing("static let scriptHash = ", with: "static let unchangedScriptHash = ")
    try Workplace.write(renamed, to: "\(workplace.package)/\(Self.page)")
    let rows = changes.sorted { $0.key < $1.key }.map { number, change in
      "    \(number): Change(start: \(change.start), length: \(change.length), "
        + "text: ####\"\"\"\n\(change.text)\n\"\"\"####, hash: \"\(change.hash)\"),"
    }
    let code = """
      import ActiveMutant

      extension PageText {
        struct Change: Sendable {
          let start: Int
          let length: Int
          let text: String
          let hash: String
        }

        static let script: String = {
          for number in changes.keys { _ = isMutant(number) }
          guard let change = changes[activeMutant()] else { return unchangedScript }
          var bytes = Array(unchangedScript.utf8)
          bytes.replaceSubrange(
            change.start..<change.start + change.length, with: Array(change.text.utf8))
          return String(decoding: bytes, as: UTF8.self)
        }()

        static let scriptHash = changes[activeMutant()]?.hash ?? unchangedScriptHash

        static let changes: [Int32: Change] = [
      \(rows.joined(separator: "\n"))
        ]
      }

      """
    try Workplace.write(code, to: "\(workplace.package)/\(Self.addition)")
  }
}
