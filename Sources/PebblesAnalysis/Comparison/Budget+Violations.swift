import Pebbles

extension Budget.Line {
  /// Returns a sentence that says how the run exceeds this limit, or why the limit cannot be
  /// checked. The result is `nil` if the run stays within the limit.
  func violation(_ run: RecordedRun, _ pebbles: inout PebblesByName) -> String? {
    switch limit {
    case .duration(let limit) where limit < .zero:
      return "\(subject.text) has the limit \(limit); a limit must be zero or more"
    case .factor(let factor, _) where !(factor > 0 && factor.isFinite):
      return "\(subject.text) has the factor \(factor); "
        + "a factor must be finite and above zero"
    case .duration(let limit):
      return measured(run, &pebbles, "").violation { took in
        took <= limit ? nil : "\(subject.text) took \(took.precise); \(limit.precise) are allowed"
      }
    case .factor(let factor, let baseline):
      return measured(baseline, &pebbles, " in the baseline").violation { base in
        measured(run, &pebbles, "").violation { took in
          // The limit is rounded to the nearest nanosecond: the binary form of 1.2 is a little too
          // small.
          let limit = base.scaled(by: factor, atMost: .longest).inWholeNanoseconds
          return took <= limit
            ? nil
            : "\(subject.text) took \(took.precise); \(limit.precise) are allowed, "
              + "\(factor) times the \(base.precise) of the baseline"
        }
      }
    }
  }

  private enum Measurement {
    case took(Duration)
    case unknown(String)

    func violation(_ violation: (Duration) -> String?) -> String? {
      switch self {
      case .took(let duration): violation(duration)
      case .unknown(let sentence): sentence
      }
    }
  }

  private func measured(
    _ run: RecordedRun, _ pebbles: inout PebblesByName, _ place: String
  ) -> Measurement {
    switch subject {
    case .makespan:
      guard let cancellation = run.cancellation else { return .took(run.makespan) }
      let reason = cancellation.reason.truncated(to: 200).singleLine
      return .unknown(
        "the run was cancelled\(place), because \(reason), so its makespan means nothing")
    case .pebble(let name):
      guard let pebble = pebbles.pebble(named: name, of: run) else {
        return .unknown("there is no pebble named \(name.shortName)\(place)")
      }
      guard let duration = pebble.ownDuration else {
        let end = pebble.keptFrom == nil ? "was skipped" : "was kept from an earlier run"
        return .unknown("\(subject.text) \(end)\(place), so it has no duration to check")
      }
      return .took(duration)
    }
  }
}

extension Budget.Line.Subject {
  fileprivate var text: String {
    switch self {
    case .makespan: "the run"
    case .pebble(let name): name.shortName
    }
  }
}

/// A table for finding pebbles by name. Runs of the same pond share one set of entries.
struct PebblesByName {
  private var positions: [ObjectIdentifier: PebblePositions] = [:]

  /// Returns the record of the pebble with the given name; `nil` if the run has no such pebble.
  ///
  /// - Complexity: O(pebbles) for the first pebble of a pond, otherwise O(1).
  mutating func pebble(named name: String, of run: RecordedRun) -> RecordedPebble? {
    let pond = ObjectIdentifier(run.model.pond)
    let position = try? positions[pond, default: run.positions].position(of: .named(name))
    return position.map { run.pebbles[$0] }
  }
}

extension Duration {
  fileprivate static let longest = Duration(attoseconds: .max)

  /// The duration in a suitable unit, with all its digits, because rounding could make it look
  /// equal to its limit.
  fileprivate var precise: String {
    let nanoseconds = self.nanoseconds
    let units: [(name: String, size: UInt64)] = [
      ("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000),
    ]
    guard let unit = units.first(where: { nanoseconds >= $0.size }) else {
      return "\(nanoseconds) ns"
    }
    let rest = "\(nanoseconds % unit.size + unit.size)".dropFirst()
    let digits = rest.reversed().drop { $0 == "0" }.reversed()
    let point = digits.isEmpty ? "" : "."
    return "\(nanoseconds / unit.size)\(point)\(String(digits)) \(unit.name)"
  }
}
