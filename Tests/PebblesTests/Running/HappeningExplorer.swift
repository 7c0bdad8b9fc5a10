/// A script of the events that can happen to a synchronous state machine. It records the effects
/// that are visible from outside the machine.
protocol HappeningScript {
  associatedtype Happening: CaseIterable

  /// The number of objects to which events can happen.
  var count: Int { get }

  /// The faults found so far.
  var faults: [String] { get }

  /// Returns whether an event could happen at this point of a real run.
  func allows(_ happening: Happening, of position: Int) -> Bool

  mutating func happens(_ happening: Happening, of position: Int)
}

/// An explorer that tries all possible events in every order.
struct HappeningExplorer<Script: HappeningScript> {
  private let start: Script
  private(set) var faults: [String] = []
  private(set) var sequenceCount = 0

  /// The sequence that is being tried. It is converted to text only if it ends in a fault, because
  /// there are many sequences.
  private var happenings: [(kind: Script.Happening, position: Int)] = []

  init(_ start: Script) {
    self.start = start
  }

  mutating func explore(depth: Int) {
    explore(start, depth)
  }

  private mutating func explore(_ script: Script, _ depth: Int) {
    sequenceCount += 1
    guard depth > 0, faults.count < 5 else { return }
    for position in 0..<script.count {
      for happening in Script.Happening.allCases where script.allows(happening, of: position) {
        happenings.append((happening, position))
        var next = script
        next.happens(happening, of: position)
        if next.faults.isEmpty {
          explore(next, depth - 1)
        } else {
          let path = happenings.map { "\($0.kind) \($0.position)" }.joined(separator: ", ")
          faults += next.faults.map { "\($0): \(path)" }
        }
        happenings.removeLast()
      }
    }
  }
}
