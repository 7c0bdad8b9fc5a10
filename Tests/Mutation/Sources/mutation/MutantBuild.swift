import Foundation

/// A build of the package with all mutants that compile.
struct MutantBuild {
  let workplace: Workplace

  private struct Source {
    let path: String
    let text: String
    let parts: [(id: String, number: Int, site: Site)]
  }

  /// Chooses the mutants, and repeats the build without rejected mutants until all others compile.
  func make() throws {
    let copy = PackageCopy(workplace: workplace)
    let paths = try copy.update()
    let (sources, first) = try choose(paths)
    let scripts = try ScriptMutants(workplace: workplace).make(from: first)
    say("\(first) mutants in \(sources.count) sources, and \(scripts.count) of the page")

    var rejected = try readRejected()
    for round in 1... {
      let rewritten = try write(sources, without: rejected)
      let errors = try build()
      if errors.isEmpty { break }
      let numbers = Set(errors.flatMap { rewritten[$0.path]?.numbers(at: $0.line) ?? [] })
      let ids = sources.flatMap(\.parts).filter { numbers.contains($0.number) }.map(\.id)
      let new = Set(ids).subtracting(rejected)
      guard !new.isEmpty else {
        let lines = errors.map(\.text).joined(separator: "\n")
        throw Failure("Errors that no mutant causes:\n\(lines)")
      }
      rejected.formUnion(new)
      try Workplace.write(rejected.sorted().map { "\($0)\n" }.joined(), to: workplace.rejected)
      say("round \(round): \(errors.count) errors, \(new.count) mutants rejected")
    }
    let mutants = sources.flatMap { self.mutants(of: $0, without: rejected) } + scripts
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(mutants)
    try Workplace.write(String(decoding: data, as: UTF8.self), to: workplace.mutants)
    say("\(mutants.count) mutants compile")
  }

  private func choose(_ paths: [String]) throws -> (sources: [Source], first: Int) {
    var number = 0
    var sources: [Source] = []
    for path in paths {
      let text = try Workplace.read("\(workplace.root)/\(path)")
      let choice = SiteChoice(
        SiteFinder.sites(in: text), in: path, quota: Room.quota(of: text))
      var parts: [(String, Int, Site)] = []
      for (id, site) in choice.chosen {
        parts.append((id, number, site))
        number += 1
      }
      sources.append(Source(path: path, text: text, parts: parts))
    }
    return (sources, number)
  }

  /// Returns the identifiers of the mutants that the compiler has rejected so far.
  private func readRejected() throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: workplace.rejected) else { return [] }
    return Set(try Workplace.read(workplace.rejected).split(separator: "\n").map(String.init))
  }

  private func write(
    _ sources: [Source], without rejected: Set<String>
  ) throws -> [String: RewrittenSource] {
    var all: [String: RewrittenSource] = [:]
    for source in sources {
      let parts = source.parts.filter { !rejected.contains($0.id) }
      let rewritten = RewrittenSource(
        source.text, parts.map { RewrittenSource.Part(number: $0.number, site: $0.site) })
      try Workplace.write(rewritten.text, to: "\(workplace.package)/\(source.path)")
      all[source.path] = rewritten
    }
    return all
  }

  private func mutants(of source: Source, without rejected: Set<String>) -> [Mutant] {
    let bytes = Array(source.text.utf8)
    return source.parts.filter { !rejected.contains($0.id) }.map { id, number, site in
      let line = bytes[..<site.range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
      return Mutant(
        id: id, number: number, room: Room.room(of: source.path)?.name ?? "", file: source.path,
        line: line, function: site.function, kind: site.kind, before: site.before,
        after: site.after)
    }
  }

  // MARK: The compiler

  private struct CompileError: Hashable {
    let path: String
    let line: Int
    let text: String
  }

  /// Builds the targets with mutants, and then the tests if all of the targets compile.
  private func build() throws -> Set<CompileError> {
    let arguments = [
      "swift", "build", "--package-path", workplace.package, "--scratch-path", workplace.building,
      "-Xswiftc", "-suppress-warnings",
    ]
    for target in ["PebblesPictures", "PebblesDurable"] {
      let errors = try errors(of: arguments + ["--target", target])
      guard errors.isEmpty else { return errors }
    }
    return try errors(of: arguments + ["--build-tests"])
  }

  private func errors(of arguments: [String]) throws -> Set<CompileError> {
    var errors: Set<CompileError> = []
    var last: [String] = []
    let end = try ChildProcess(arguments: arguments).run { line in
      last = last.suffix(30) + [line]
      guard let place = line.firstRange(of: ": error: ") else { return false }
      let parts = line[..<place.lowerBound].split(separator: ":")
      let folder = workplace.package + "/"
      if parts.count >= 2, parts[0].hasPrefix(folder), let number = Int(parts[1]) {
        errors.insert(
          CompileError(path: String(parts[0].dropFirst(folder.count)), line: number, text: line))
      }
      return false
    }
    if end != .exited(0), errors.isEmpty {
      throw Failure("The build fails:\n\(last.joined(separator: "\n"))")
    }
    return errors
  }
}

/// Prints a message about the progress, with the current time.
func say(_ text: String) {
  let time = Date().formatted(.iso8601.time(includingFractionalSeconds: false))
  FileHandle.standardError.write(Data("\(time) \(text)\n".utf8))
}
