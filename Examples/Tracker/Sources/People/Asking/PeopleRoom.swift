import Synchronization

/// Access to the people service, even while the people are still being prepared.
public final class PeopleRoom: Sendable {
  private let service: Mutex<PeopleService?>

  /// Creates a room.
  ///
  /// - Parameter people: The service; `nil` if it does not exist yet.
  public init(_ people: PeopleService? = nil) {
    service = Mutex(people)
  }

  /// Opens the room, so that requests can use the service.
  ///
  /// - Parameter people: The service to which the room will give access.
  public func open(_ people: PeopleService) {
    service.withLock { $0 = people }
  }

  /// Whether the service exists.
  public var isOpen: Bool { service.withLock { $0 != nil } }

  /// The service.
  ///
  /// - Throws: ``PeopleError/preparing`` if the service does not exist yet.
  public var people: PeopleService {
    get throws(PeopleError) {
      guard let people = service.withLock({ $0 }) else { throw .preparing }
      return people
    }
  }
}
