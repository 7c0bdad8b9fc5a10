import People

/// A benchmark that measures searches after a visitor has changed filters or the order, and
/// requests for a page of rows.
actor Bench {
  /// A benchmark case: the previous question, and the question or the rows to measure.
  struct Case: Sendable {
    let name: String
    let before: Question
    let after: Question
    var rows: Range<Int>?
  }

  private let service: PeopleService
  private let visitor: VisitorID
  private var revision = 0

  init(service: PeopleService, visitor: VisitorID) {
    self.service = service
    self.visitor = visitor
  }

  static let cases: [Case] = {
    func question(_ name: String = "", _ sizes: ClosedRange<Double> = 30...55) -> Question {
      guard let name = try? NameFilter(name),
        let sizes = try? ShoeSizeFilter(from: sizes.lowerBound, to: sizes.upperBound)
      else { preconditionFailure("the benchmark asks an invalid question") }
      return Question(name: name, shoeSizes: sizes)
    }
    var some = question("a", 38...44)
    some.bloodTypes = BloodTypeFilter([.oPositive, .aPositive, .abNegative])
    var bySize = some
    bySize.order = .size
    var others = some
    others.bloodTypes = BloodTypeFilter([.bPositive, .aPositive])
    var everybodyBySize = Question()
    everybodyBySize.order = .size
    let last = question("a", 38...44)
    return [
      Case(name: "a first letter", before: question(), after: question("a")),
      Case(name: "a second letter", before: question("a"), after: question("an")),
      Case(name: "two words with accents", before: question("zoë"), after: question("zoë mü")),
      Case(name: "thirty words", before: question(), after: question(thirtyWords)),
      Case(name: "sizes, a name filter kept", before: question("a"), after: last),
      Case(name: "blood types, two filters kept", before: some, after: others),
      Case(name: "another order", before: some, after: bySize),
      Case(name: "all three and the order at once", before: Question(), after: bySize),
      Case(name: "everybody by size", before: some, after: everybodyBySize),
      Case(
        name: "a page of 200 rows", before: question(), after: question(), rows: 250_000..<250_200),
    ]
  }()

  private static let thirtyWords = "a b c d e f g h i j k l m n o p q r s t u v w x y z ö1 ł2 ß3 é4"

  func time(_ scenario: Case, _ clock: ContinuousClock) async throws -> Duration {
    let total = try await ask(scenario.before)
    guard let rows = scenario.rows else {
      return try await clock.measure { _ = try await ask(scenario.after) }
    }
    let from = min(rows.lowerBound, total / 2)
    return try await clock.measure {
      _ = try await service.rows(
        from: from, count: rows.count, for: visitor, revision: revision)
    }
  }

  private func ask(_ question: Question) async throws -> Int {
    revision += 1
    return try await service.ask(question, for: visitor, revision: revision)
  }
}
