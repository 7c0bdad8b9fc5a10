extension PondError {
  /// One fault of a definition: its ``kind``, its location, and its description as a sentence.
  public struct Fault: Sendable, Hashable {
    package enum Detail: Sendable, Hashable {
      case duplicateName(String, count: Int)
      case emptyName(position: Int)
      case foreignPebble(String, ofPond: String, mentionedBy: String)
      case invalidOption(pebble: String, problem: String)
      case invalidPond(problem: String)
      case invalidRun(problem: String)
      case invalidShutdown(problem: String)
      case invalidSignals(problem: String)
      case runsItself
      case waitsForItself
    }

    package let detail: Detail
  }
}

extension PondError.Fault {
  /// The request that cannot be met because of a fault.
  enum Request {
    case running, waiting, shutdown, signals
  }

  var blockedRequest: Request {
    switch detail {
    case .duplicateName, .emptyName, .foreignPebble, .invalidOption, .invalidPond, .invalidRun,
      .runsItself:
      .running
    case .waitsForItself: .waiting
    case .invalidShutdown: .shutdown
    case .invalidSignals: .signals
    }
  }
}

extension PondError.Fault {
  /// The kind of a fault. Later versions may add kinds.
  @nonexhaustive public enum Kind: String, Sendable {
    /// Several pebbles with the same name. Reports and pictures could not tell them apart.
    case duplicateName

    /// A pebble with an empty name.
    case emptyName

    /// A condition or an input of a pebble that mentions a pebble of another pond.
    case foreignPebble

    /// An invalid option of a pebble, such as a negative timeout.
    case invalidOption

    /// An invalid option of the pond, such as a `maxConcurrent` of 0.
    case invalidPond

    /// An invalid option of the run, such as a time limit of zero or less. Invalid options of a
    /// shutdown, and signals for which a run cannot wait, are also faults of this kind.
    case invalidRun

    /// A body that tried to run its own pond. The new run would call the body again, in an
    /// endless recursion.
    case runsItself

    /// A body, a teardown or a service that waited for a run while the run was waiting for that
    /// code to end. The code may belong to that run or to another run.
    case waitsForItself
  }

  /// The kind of the fault.
  public var kind: Kind {
    switch detail {
    case .duplicateName: .duplicateName
    case .emptyName: .emptyName
    case .foreignPebble: .foreignPebble
    case .invalidOption: .invalidOption
    case .invalidPond: .invalidPond
    case .invalidRun, .invalidShutdown, .invalidSignals: .invalidRun
    case .runsItself: .runsItself
    case .waitsForItself: .waitsForItself
    }
  }

  /// The name of the faulty pebble; `nil` for a fault of the pond or the run, and for a pebble with
  /// an empty name. If several pebbles have the same name, this is their common name. If a pebble
  /// mentions a pebble of another pond, this is the name of the mentioning pebble.
  public var pebble: String? {
    switch detail {
    case .duplicateName(let name, _), .foreignPebble(_, _, let name), .invalidOption(let name, _):
      name.isEmpty ? nil : name
    case .emptyName, .invalidPond, .invalidRun, .invalidShutdown, .invalidSignals, .runsItself,
      .waitsForItself:
      nil
    }
  }
}

extension PondError.Fault {
  package static func duplicateName(_ name: String, count: Int) -> Self {
    Self(detail: .duplicateName(name, count: count))
  }

  package static func emptyName(position: Int) -> Self {
    Self(detail: .emptyName(position: position))
  }

  package static func foreignPebble(
    _ name: String, ofPond pond: String, mentionedBy pebble: String
  ) -> Self {
    Self(detail: .foreignPebble(name, ofPond: pond, mentionedBy: pebble))
  }

  // The problem is worded to follow the pebble's name in a sentence: "has a timeout of 0.0 seconds;
  // …".
  package static func invalidOption(pebble: String, problem: String) -> Self {
    Self(detail: .invalidOption(pebble: pebble, problem: problem))
  }

  package static func invalidPond(problem: String) -> Self {
    Self(detail: .invalidPond(problem: problem))
  }

  package static func invalidRun(problem: String) -> Self {
    Self(detail: .invalidRun(problem: problem))
  }

  package static func invalidShutdown(problem: String) -> Self {
    Self(detail: .invalidShutdown(problem: problem))
  }

  package static func invalidSignals(problem: String) -> Self {
    Self(detail: .invalidSignals(problem: problem))
  }

  package static let runsItself = Self(detail: .runsItself)
  package static let waitsForItself = Self(detail: .waitsForItself)
}

extension PondError.Fault: CustomStringConvertible {
  /// The fault as a sentence. Long names are shortened.
  public var description: String {
    switch detail {
    case .duplicateName(let name, let count):
      "\(count) pebbles are named \(name.shortLiteral); give each a name of its own"
    case .emptyName(let position):
      "the pebble at position \(position) has an empty name; give it one"
    case .foreignPebble(let name, let pond, let pebble):
      "\(pebble.shortLiteral) mentions \(name.shortLiteral), which belongs to the pond "
        + "\(pond.shortLiteral); a pebble can only wait for pebbles of its own pond"
    case .invalidOption(let pebble, let problem):
      "\(pebble.shortLiteral) \(problem)"
    case .invalidPond(let problem):
      "the pond \(problem)"
    case .invalidRun(let problem), .invalidShutdown(let problem), .invalidSignals(let problem):
      "the run \(problem)"
    case .runsItself:
      "a body runs its own pond, which would run it again, without end; "
        + "run another pond there"
    case .waitsForItself:
      "a body waits for a run that cannot end before the body does; wait for it outside"
    }
  }
}
