// A schedule as text: its choices separated by points, as in `2.0.1`.
extension [ScheduleLoop.Choice] {
  /// The choices as text. Choices of the first possibility are left out at the end, because a
  /// replay makes them anyway.
  var text: String {
    let end = (lastIndex { $0.index > 0 } ?? -1) + 1
    return self[..<end].map { "\($0.index)" }.joined(separator: ".")
  }
}

extension Schedules {
  /// Returns the choices in a text; `nil` if it is not a list of choices.
  static func choices(in text: String) -> [Int]? {
    if text.isEmpty { return [] }
    var choices: [Int] = []
    for number in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let choice = Int(number), choice >= 0 else { return nil }
      choices.append(choice)
    }
    return choices
  }
}
