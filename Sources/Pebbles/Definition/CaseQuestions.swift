/// The cases of one pebble, with the closures that decide which cases hold.
struct CaseQuestions: Sendable {
  private(set) var list = CaseList()
  private var questions: [Question] = []

  enum Question: Sendable {
    case error(@Sendable (any Error) -> Bool)
    case output(@Sendable (AnyOutput?) -> Bool)
    case timeout
    /// A timeout case that holds whenever the pebble has failed.
    case assumedTimeout
    /// A case whose closure is missing, for example because the case was read from a file.
    case unknown
  }

  /// The faults of the cases, worded to follow the pebble's name in a sentence:
  /// `"has a case without a name; give it one"`.
  private(set) var problems: [String] = []

  init() {}

  /// Creates cases without closures.
  init(_ list: CaseList) {
    self.list = list
    questions = list.cases.map { _ in .unknown }
  }

  /// Returns the same cases with fixed answers: the cases in the set hold, and all others do not. A
  /// timeout case that is not in the set still holds if the pebble really times out. A case without
  /// a closure never holds.
  func holding(_ set: CaseSet) -> CaseQuestions {
    var copy = self
    copy.questions = questions.enumerated().map { place, question in
      let holds = set.contains(place: place)
      return switch question {
      case .error: .error { _ in holds }
      case .output: .output { _ in holds }
      case .timeout, .assumedTimeout: holds ? .assumedTimeout : .timeout
      case .unknown: .unknown
      }
    }
    return copy
  }

  /// Adds a case, and records its faults in `problems`.
  ///
  /// - Returns: The position of the case; `nil` if the pebble already has ``CaseList/most`` cases.
  mutating func append(_ one: PebbleCase, _ question: Question) -> Int? {
    if list.cases.contains(one) { note(Self.repeated(one)) }
    if one.name.isEmpty, !one.isValue { note("has a case without a name; give it one") }
    guard list.cases.count < CaseList.most else {
      let last = one.name.shortLiteral
      note("has more than \(CaseList.most) cases, the last of them \(last); use fewer")
      return nil
    }
    list.append(one)
    questions.append(question)
    return list.cases.count - 1
  }

  private mutating func note(_ problem: String) {
    if !problems.contains(problem) { problems.append(problem) }
  }

  private static func repeated(_ one: PebbleCase) -> String {
    if one.isValue {
      return "has two unequal values for its cases that both print as "
        + "\(one.name.shortLiteral); let them print differently"
    }
    let outcome = one.isFailure ? "failed" : "succeeded"
    return "has two cases of \(outcome) named \(one.name.shortLiteral); give each a name of its "
      + "own, or use one condition in both places"
  }

  /// Records that the cases cover every possible value of the output.
  mutating func markExhaustive() { list.markExhaustive() }

  /// Returns the position of the case whose value is equal to a given value; `nil` if no case has
  /// an equal value. The closures of the cases compare the values. If the closures are missing, for
  /// example because the pond has been released, the printed values are compared instead.
  func place(ofValue value: AnyOutput, printedAs text: String) -> Int? {
    list.cases.indices.first { place in
      guard list.cases[place].isValue else { return false }
      return switch questions[place] {
      case .output(let isEqual): isEqual(value)
      case .unknown: list.cases[place].name == text
      case .error, .timeout, .assumedTimeout: false
      }
    }
  }

  /// Returns the cases that hold for a pebble that has succeeded. This method calls the closures of
  /// the cases, which are user code.
  func answers(output: AnyOutput?) -> CaseSet {
    var answers = CaseSet()
    var isValueKnown = false
    for place in questions.indices {
      guard case .output(let question) = questions[place] else { continue }
      let isValue = list.cases[place].isValue
      // If several values are equal to the output, only the case of the first one holds.
      if isValue, isValueKnown { continue }
      guard question(output) else { continue }
      answers.insert(place: place)
      if isValue { isValueKnown = true }
    }
    return answers
  }

  /// Returns the cases that hold for a pebble that has failed. This method calls the closures of
  /// the cases, which are user code.
  ///
  /// - Parameters:
  ///   - error: The error of the pebble.
  ///   - isTimeout: Whether the pebble timed out, in which case its body did not throw the error.
  /// - Returns: The cases that hold.
  func answers(error: any Error, isTimeout: Bool) -> CaseSet {
    var answers = CaseSet()
    for place in questions.indices {
      let holds =
        switch questions[place] {
        case .error(let question): !isTimeout && question(error)
        case .timeout: isTimeout
        case .assumedTimeout: true
        case .output, .unknown: false
        }
      if holds { answers.insert(place: place) }
    }
    return answers
  }
}
