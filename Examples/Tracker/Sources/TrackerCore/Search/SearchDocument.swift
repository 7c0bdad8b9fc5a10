import Foundation

/// The values that the server renders on the Launches page. The page's script continues from the
/// same state.
struct SearchDocument {
  let query: String
  let status: String
  let rows: [Row]

  /// The page as JSON for the script; empty if there is no page.
  let page: String

  /// The reason why there is no page; empty if there is a page.
  let failure: String

  let isLaterPage: Bool
  let start: String
  let hasMore: Bool
  let more: String

  /// A launch in the list.
  struct Row {
    let id: String
    let address: String
    let name: [Part]
    let badge: String
    let result: String
    let flightNumber: Int?
    let date: LaunchDate?
    let isYearMarked: Bool
    let details: [Part]
    let hasDetails: Bool
  }

  /// A part of a string.
  struct Part: Equatable {
    let text: String

    /// Whether the part is a match.
    let isMarked: Bool
  }

  /// Creates the values for a page of results.
  ///
  /// - Parameters:
  ///   - found: The page.
  ///   - query: The query.
  ///   - isLaterPage: Whether there are pages before this one.
  ///   - now: The current time, in Unix seconds.
  /// - Throws: The encoder's error.
  init(_ found: LaunchPage, query: String, isLaterPage: Bool, now: Int64) throws {
    self.query = query
    status = found.summary(query)
    rows = found.launches.map { Row($0, found.marks[$0.id], query: query, now: now) }
    page = String(decoding: try JSONEncoder.sorted.encode(found), as: UTF8.self)
    failure = ""
    self.isLaterPage = isLaterPage
    start = LaunchAddress.search(query)
    hasMore = found.next != nil
    more = LaunchAddress.search(query, page: found.next)
  }

  /// Creates the values for a page about a refused query.
  ///
  /// - Parameters:
  ///   - refusal: The reason for the refusal.
  ///   - query: The query.
  init(_ refusal: SearchRefusal, query: String) {
    self.query = query
    failure = "\(refusal)".prefix(1).uppercased() + "\(refusal)".dropFirst() + "."
    (status, rows, page) = (failure, [], "")
    (isLaterPage, start, hasMore, more) = (true, LaunchAddress.search(query), false, "")
  }
}

extension SearchDocument.Row {
  fileprivate init(_ launch: Launch, _ marks: LaunchMarks?, query: String, now: Int64) {
    id = launch.id
    address = LaunchAddress.launch(launch.id, foundBy: query)
    name = SearchDocument.Part.parts(of: launch.name, marked: marks?.name ?? [])
    let result = LaunchResult(launch, now: now)
    (badge, self.result) = (result.rawValue, result.words)
    flightNumber = launch.flightNumber > 0 ? launch.flightNumber : nil
    date = LaunchDate(launch)
    isYearMarked = marks?.year ?? false
    details = SearchDocument.Part.parts(of: launch.details ?? "", marked: marks?.details ?? [])
    hasDetails = !details.isEmpty
  }
}

extension SearchDocument.Part {
  /// Splits a string into marked and unmarked parts.
  ///
  /// - Parameters:
  ///   - text: The string.
  ///   - marked: The marked UTF-16 ranges, in order.
  /// - Returns: The parts, which together make up the string. No part is empty.
  static func parts(of text: String, marked: [Range<Int>]) -> [SearchDocument.Part] {
    var parts: [SearchDocument.Part] = []
    var rest = text.startIndex
    func add(_ end: String.Index, isMarked: Bool) {
      if rest < end { parts.append(.init(text: String(text[rest..<end]), isMarked: isMarked)) }
      rest = end
    }
    for range in marked {
      add(String.Index(utf16Offset: range.lowerBound, in: text), isMarked: false)
      add(String.Index(utf16Offset: range.upperBound, in: text), isMarked: true)
    }
    add(text.endIndex, isMarked: false)
    return parts
  }
}

extension LaunchPage {
  /// Returns the number of results, in a few words.
  ///
  /// - Parameter query: The query.
  /// - Returns: A phrase without a full stop, or a sentence.
  func summary(_ query: String) -> String {
    let launches = all == 1 ? "1 launch" : "\(all.grouped) launches"
    if query.isEmpty { return all == 0 ? "There are no launches yet." : launches }
    return total == 0
      ? "None of \(launches) with “\(query)”" : "\(total.grouped) of \(launches) with “\(query)”"
  }
}

extension Int {
  /// The number in English format, such as `12,345`.
  fileprivate var grouped: String { formatted(.number.locale(Locale(identifier: "en_GB"))) }
}
