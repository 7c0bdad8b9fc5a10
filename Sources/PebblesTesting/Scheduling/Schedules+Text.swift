// A schedule as text: its choices with points between them, as in `2.0.1`.
extension [ScheduleLoop.Choice] {
  /// As text. The first possibility is what is chosen where the text ends, so it is left out there.
  var text: String {
    let end = (lastIndex { $0.index > 0 } ?? -1) + 1
    return self[..<end].map { "\($0.index)" }.joined(separator: ".")
  }
}

extension Schedules {
  /// The choices in a text, if it is one of choices.
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
