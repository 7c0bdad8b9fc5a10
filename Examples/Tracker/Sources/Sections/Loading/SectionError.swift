/// An error thrown when a page of a section is invalid or cannot be loaded.
public struct SectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The identifier of the section.
  public let section: String

  /// The number of pages of the section before the page with the error.
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

  /// The HTTP status of the answer, if the status is the problem; otherwise `nil`.
  public var status: UInt? {
    if case .status(let code, _, _) = problem { code } else { nil }
  }

  /// Whether the same request may succeed if it is retried. This is the case if the answer is
  /// missing or incomplete, or its status is 408, 429, or at least 500.
  public var isTransient: Bool { problem.isTransient }

  /// Returns whether an error is a transient ``SectionError``, for use with `.retry(_:)`.
  ///
  /// - Parameter error: The error thrown by a request.
  /// - Returns: Whether to try again.
  @Sendable public static func isTransient(_ error: any Error) -> Bool {
    (error as? SectionError)?.isTransient ?? false
  }

  /// The problem without its location, such as `it is not valid JSON: …`.
  public var reason: String {
    // The reason for a missing answer says more than its absence.
    if case .noAnswer(let reason) = problem { reason.asData } else { "\(problem)" }
  }

  /// The error as a sentence.
  public var description: String {
    let place = place.map { " (\($0))" } ?? ""
    return "page \(page + 1) of the section \(section.asData)\(place): \(problem)"
  }
}
