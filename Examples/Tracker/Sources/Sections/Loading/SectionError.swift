/// A page of a section is not what it should be, or did not come.
public struct SectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The identifier of the section.
  public let section: String

  /// How many pages of the section come before the one this is about.
  public let page: Int

  let place: String?
  let problem: PageProblem

  init(_ request: SectionRequest, _ problem: PageProblem) {
    section = request.section
    page = request.page
    place = request.place
    self.problem = problem
  }

  init(section: String, page: Int, _ problem: PageProblem) {
    self.section = section
    self.page = page
    place = nil
    self.problem = problem
  }

  /// The status of the answer, if that is what is wrong.
  public var status: UInt? {
    if case .status(let code, _, _) = problem { code } else { nil }
  }

  /// Whether the same request may go better the next time: no answer, too many requests, or a
  /// failure of the server.
  public var isTransient: Bool { problem.isTransient }

  /// Whether an error is a ``SectionError`` that may not come again: for `.retry(_:)`.
  ///
  /// - Parameter error: What a request failed with.
  /// - Returns: Whether to try again.
  @Sendable public static func isTransient(_ error: any Error) -> Bool {
    (error as? SectionError)?.isTransient ?? false
  }

  /// What is wrong, without where, as a clause.
  public var reason: String {
    // Why none came says more than that none did.
    if case .noAnswer(let reason) = problem { reason.asData } else { "\(problem)" }
  }

  /// The error as a sentence.
  public var description: String {
    let place = place.map { " (\($0))" } ?? ""
    return "page \(page + 1) of the section \(section.asData)\(place): \(problem)"
  }
}
