import Synchronization

/// Access to the people service, even while the people are still being prepared.
public final class PeopleRoom: Sendable {
  private let service: Mutex<PeopleService?>

  /// Creates a room.
  ///
  /// - Parameter people: The service; `nil` as long as there is none.
  public init(_ people: PeopleService? = nil) {
    service = Mutex(people)
  }

  /// Opens the room.
  ///
  /// - Parameter people: The service, from now on.
  public func open(_ people: PeopleService) {
    service.withLock { $0 = people }
  }

  /// Whether there is a service.
  public var isOpen: Bool { service.withLock { $0 != nil } }

  /// The service.
  ///
  /// - Throws: ``PeopleError/preparing`` as long as there is none.
  public var people: PeopleService {
    get throws(PeopleError) {
      guard let people = service.withLock({ $0 }) else { throw .preparing }
      return people
    }
  }
}
