import Pebbles

/// What has come of a section.
public struct SectionContent<Model: Identifiable & Sendable>: Sendable {
  /// The items, in the order of the pages; of several with one identifier the first.
  public internal(set) var items: [Model] = []

  /// How many pages came.
  public internal(set) var pageCount = 0

  /// How many items were left out because one before had their identifier.
  public internal(set) var duplicateCount = 0

  /// Whether the last page came. If not, ``error`` or ``skipReason`` says why, or a request was
  /// disabled.
  public internal(set) var isComplete = false

  /// Why no more pages came, if that was a failure; the items that had come by then are kept.
  public internal(set) var error: (any Error)?

  /// Why the section was not loaded at all, if it was not.
  public internal(set) var skipReason: SkipReason?
}

/// A section could not be loaded to its end: what its pebble fails with.
public struct SectionFailure<Model: Identifiable & Sendable>: Error, Sendable,
  CustomStringConvertible
{
  /// What had come by then, and why no more did.
  public let content: SectionContent<Model>

  /// Why no more came.
  public let reason: any Error

  /// The reason as a sentence, and what is left.
  public var description: String {
    guard content.pageCount > 0 else { return "\(reason)" }
    return "\(reason); the \(content.items.count) items before it are kept"
  }

  init(_ content: SectionContent<Model>, _ reason: any Error) {
    var content = content
    content.error = reason
    self.content = content
    self.reason = reason
  }
}

/// A failed section of whatever model.
protocol ReasonedFailure: Error {
  var reason: any Error { get }
}

extension SectionFailure: ReasonedFailure {}
