import PebblesAnalysis

@testable import Pebbles
@testable import PebblesPictures

extension RunStatus {
  /// Creates a status with the given pebbles, after the given number of milliseconds.
  init(at milliseconds: Int, _ pebbles: [(String, State)]) {
    self.init(
      phase: .booting, running: [],
      pebbles: pebbles.map { Pebble(name: $0.0, state: $0.1) },
      settled: pebbles.count { $0.1.kind.isSettled }, total: pebbles.count,
      elapsed: .milliseconds(milliseconds))
  }
}

extension RunStatus.State {
  static func running(_ milliseconds: Int, attempt: Int = 1) -> RunStatus.State {
    RunStatus.State(.running(since: .milliseconds(milliseconds), attempt: attempt))
  }

  static func failed(_ text: String) -> RunStatus.State {
    RunStatus.State(.failed(RecordedError(text)))
  }

  static let succeeded = RunStatus.State(.succeeded())
  static let cancelled = RunStatus.State(.skipped(.cancelled, .cancelled))
  static let blocked = RunStatus.State(.skipped(.conditionFalse(decidedBy: nil), .blocked))
  static let notNeeded = RunStatus.State(.skipped(.conditionFalse(decidedBy: nil), .notNeeded))

  static func waiting(_ names: String...) -> RunStatus.State {
    RunStatus.State(.waiting(for: names))
  }
}

/// A minimal terminal, which supports only the control sequences that progress displays use.
struct SmallTerminal {
  private(set) var lines: [[Character]] = [[]]
  private var row = 0
  private var column = 0

  var text: String {
    lines.map { String($0).replacing(/\ +$/, with: "") }.joined(separator: "\n")
  }

  mutating func write(_ text: String) {
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n":
        row += 1
        while lines.count <= row { lines.append([]) }
      case "\u{1B}":
        let sequence = rest.prefix { !("A"..."z").contains($0) || $0 == "[" }
        rest = rest.dropFirst(sequence.count)
        escape(rest.popFirst() ?? " ", Int(String(String.UnicodeScalarView(sequence.dropFirst()))))
      default: put(Character(scalar))
      }
    }
  }

  private mutating func put(_ character: Character) {
    while lines[row].count <= column { lines[row].append(" ") }
    lines[row][column] = character
    column += 1
  }

  private mutating func escape(_ kind: Unicode.Scalar, _ number: Int?) {
    switch kind {
    case "A": row = max(0, row - (number ?? 1))
    case "K": lines[row] = Array(lines[row].prefix(column))
    case "J":
      lines[row] = Array(lines[row].prefix(column))
      lines.removeSubrange((row + 1)...)
    default: break
    }
  }
}
