/// A source that contains all of its mutants, each of which is activated by its number.
struct RewrittenSource {
  struct Part {
    let number: Int
    let site: Site
  }

  let text: String

  /// The lines of the text that each mutant occupies.
  private let lines: [(part: Part, lines: ClosedRange<Int>)]

  /// The position in the source of the first byte of each line of the text, indexed by line.
  private let origins: [Int]

  init(_ source: String, _ parts: [Part]) {
    let bytes = Array(source.utf8)
    var output = Array("import ActiveMutant\n".utf8)
    var origins = [0, 0]
    var starts: [Int: Int] = [:]
    var ends: [Int: Int] = [:]
    var line = 2
    var place = 0

    func put(_ new: some Sequence<UInt8>, at origin: Int, copied: Bool) {
      var origin = origin
      for byte in new {
        output.append(byte)
        if copied { origin += 1 }
        if byte == UInt8(ascii: "\n") {
          line += 1
          origins.append(origin)
        }
      }
    }

    origins.append(0)
    for (part, edit) in Self.ordered(parts) {
      put(bytes[place..<edit.range.lowerBound], at: place, copied: true)
      starts[part.number] = min(starts[part.number] ?? line, line)
      let text = edit.text.split(separator: Site.number, omittingEmptySubsequences: false)
        .joined(separator: String(part.number))
      put(text.utf8, at: edit.range.lowerBound, copied: false)
      ends[part.number] = line
      place = edit.range.upperBound
    }
    put(bytes[place...], at: place, copied: true)
    self.origins = origins
    text = String(decoding: output, as: UTF8.self)
    lines = parts.map { ($0, (starts[$0.number] ?? 0)...(ends[$0.number] ?? 0)) }
  }

  /// Returns the edits in order of position. At the same position, edits that end a site come
  /// before edits that begin one, and of several sites that begin there, the longest comes first.
  private static func ordered(_ parts: [Part]) -> [(Part, Site.Edit)] {
    let edits = parts.flatMap { part in part.site.edits.map { (part, $0) } }
    func rank(_ part: Part, _ edit: Site.Edit) -> (Int, Int, Int) {
      let place = edit.range.lowerBound
      let length = part.site.range.count
      guard edit.range.isEmpty else { return (place, 2, 0) }
      return place == part.site.range.upperBound ? (place, 0, length) : (place, 1, -length)
    }
    return edits.sorted { rank($0.0, $0.1) < rank($1.0, $1.1) }
  }

  /// Returns the numbers of the mutants that may be the reason if the compiler rejects a line.
  func numbers(at line: Int) -> [Int] {
    let touching = lines.filter { $0.lines.contains(line) }
    if let least = touching.map(\.lines.count).min() {
      return touching.filter { $0.lines.count == least }.map(\.part.number)
    }
    // Said elsewhere in the function: a value that is missing, or not there on all ways.
    guard line < origins.count else { return [] }
    let place = origins[line]
    let around = lines.filter { $0.part.site.functionRange.contains(place) }
    let removing = around.filter { $0.part.site.surrounds || $0.part.site.kind == .propagation }
    return (removing.isEmpty ? around : removing).map(\.part.number)
  }
}
