import Pebbles

/// The loaded content of a section.
public struct SectionContent<Model: Identifiable & Sendable>: Sendable {
  /// The items, in the order of the pages. If several items have the same identifier, only the
  /// first is kept.
  public internal(set) var items: [Model] = []

  /// The number of pages loaded.
  public internal(set) var pageCount = 0

  /// The number of items left out because an earlier item has the same identifier.
  public internal(set) var duplicateCount = 0

  /// Whether the last page was loaded. If it was not, ``error`` or ``skipReason`` gives the reason;
  /// if both are `nil`, a request was disabled.
  public internal(set) var isComplete = false

  /// The error that ended the load; `nil` if there was none. The items loaded before the error are
  /// kept, unless the error is a timeout of the whole section.
  public internal(set) var error: (any Error)?

  /// The reason why the section was skipped; `nil` if it was not skipped.
  public internal(set) var skipReason: SkipReason?
}

/// An error thrown when a section could not be loaded completely.
public struct SectionFailure<Model: Identifiable & Sendable>: Error, Sendable,
  CustomStringConvertible
{
  /// The content loaded before the failure. Its ``SectionContent/error`` is the reason.
  public let content: SectionContent<Model>

  /// The reason for the failure.
  public let reason: any Error

  /// The reason as a sentence. If a page was loaded, the number of kept items follows.
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

/// The failure of a section, regardless of the type of its items.
protocol ReasonedFailure: Error {
  var reason: any Error { get }
}

extension SectionFailure: ReasonedFailure {}
