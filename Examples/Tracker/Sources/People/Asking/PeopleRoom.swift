import Synchronization

/// Where people are asked for, also while they are still being prepared.
public final class PeopleRoom: Sendable {
  private let service: Mutex<PeopleService?>

  /// - Parameter people: Who answers; `nil` as long as nobody does.
  public init(_ people: PeopleService? = nil) {
    service = Mutex(people)
  }

  /// They are there.
  ///
  /// - Parameter people: Who answers from now on.
  public func open(_ people: PeopleService) {
    service.withLock { $0 = people }
  }

  /// Whether they are there.
  public var isOpen: Bool { service.withLock { $0 != nil } }

  /// Who answers.
  ///
  /// - Throws: ``PeopleError/preparing`` as long as nobody does.
  public var people: PeopleService {
    get throws(PeopleError) {
      guard let people = service.withLock({ $0 }) else { throw .preparing }
      return people
    }
  }
}
