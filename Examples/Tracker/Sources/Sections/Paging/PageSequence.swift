/// The known pages of a section. Given each page in order, this type determines the pages to
/// request next.
///
/// It does not depend on requests, tasks or clocks.
struct PageSequence: Sendable {
  /// A page that can be requested.
  struct Page: Sendable, Hashable {
    /// The number of pages before this one.
    let index: Int
    let address: PageAddress
  }

  /// The result of recording a page.
  enum Step: Sendable, Hashable {
    case goOn
    case ended
    case failed(PageProblem)
  }

  private enum State: Sendable {
    case waiting(known: [Page])
    case over
  }

  /// The number of consecutive pages without new items that makes a load fail if more pages follow.
  /// Fewer such pages are normal, because newly inserted items push other items from one page to
  /// the next.
  static let mostIdlePages = 3

  /// The maximum length of a token, in bytes.
  static let longestToken = 4_096

  private let rule: SectionPaging.Rule
  private let mostPages: Int
  private var state: State
  private var pageCount = 0
  private var idlePages = 0
  private var tokens: Set<String> = []

  init(_ paging: SectionPaging, mostPages: Int) {
    rule = paging.rule
    self.mostPages = mostPages
    state = .waiting(known: [])
    state = .waiting(known: [firstPage])
  }

  /// The pages that can be requested now, in order; empty once the section is over.
  var known: [Page] {
    if case .waiting(let known) = state { known } else { [] }
  }

  /// Records that the first of the known pages has arrived.
  ///
  /// - Parameters:
  ///   - count: The number of items on the page.
  ///   - newCount: The number of items on the page that were on no earlier page.
  ///   - token: The token for the next page.
  /// - Returns: Whether there are more pages, or the problem.
  mutating func pageArrived(count: Int, newCount: Int, token: String?) -> Step {
    guard case .waiting(var known) = state, !known.isEmpty else {
      preconditionFailure("a page arrives that was not asked for, in the state \(state)")
    }
    let page = known.removeFirst()
    pageCount += 1
    guard let next = next(after: page, count: count, token: token) else { return end(.ended) }
    idlePages = newCount == 0 ? idlePages + 1 : 0
    if idlePages == Self.mostIdlePages { return end(.failed(.nothingNew(pages: idlePages))) }
    if let problem = problem(with: token) { return end(.failed(problem)) }
    if known.isEmpty {
      guard pageCount < mostPages else { return end(.failed(.tooManyPages(mostPages))) }
      known = Array(next.prefix(mostPages - pageCount))
    }
    state = .waiting(known: known)
    return .goOn
  }

  private mutating func end(_ step: Step) -> Step {
    state = .over
    return step
  }

  private var firstPage: Page {
    switch rule {
    case .none, .token, .headerCursor: Page(index: 0, address: .first)
    case .page(_, let first, _): Page(index: 0, address: .number(first))
    }
  }

  /// Returns the pages that become known after a page; `nil` if it is the last page.
  private func next(after page: Page, count: Int, token: String?) -> [Page]? {
    switch rule {
    case .none:
      return nil
    case .page(let size, let first, let ahead):
      guard count >= size else { return nil }
      return (1...ahead).map { step in
        let index = page.index + step
        return Page(index: index, address: .number(first + index))
      }
    case .token, .headerCursor:
      guard let token, !token.isEmpty else { return nil }
      return [Page(index: page.index + 1, address: .token(token))]
    }
  }

  private mutating func problem(with token: String?) -> PageProblem? {
    guard let token else { return nil }
    if token.utf8.count > Self.longestToken { return .tokenTooLong(Self.longestToken) }
    return tokens.insert(token).inserted ? nil : .repeatedToken(token)
  }
}

/// The address of a page within its section.
enum PageAddress: Sendable, Hashable {
  case first
  case number(Int)
  case token(String)
}
