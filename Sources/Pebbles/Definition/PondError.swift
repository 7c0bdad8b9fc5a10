/// A pond is defined wrongly. Lists every fault, not only the first.
public struct PondError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// What is wrong, in definition order. Never empty.
  public let faults: [Fault]

  package init(pondName: String, faults: [Fault]) {
    self.pondName = pondName
    self.faults = faults
  }

  /// One thing wrong with a definition.
  public enum Fault: Sendable, Hashable, CustomStringConvertible {
    /// Several pebbles have the same name, so reports and pictures could not tell them apart.
    case duplicateName(String, count: Int)

    /// The pebble at this position (from 0, in definition order) has an empty name.
    case emptyName(position: Int)

    /// The condition or the inputs of `pebble` mention a pebble of another pond.
    case foreignPebble(String, ofPond: String, mentionedBy: String)

    /// The pebble was given something that cannot be meant, such as a negative timeout; what it
    /// is follows the name of the pebble in ``description``.
    case invalidOption(pebble: String, problem: String)

    /// The pond was given something that cannot be meant, such as room for no pebble at all.
    case invalidPond(problem: String)

    /// The run was given something that cannot be meant, such as a deadline before its start.
    case invalidRun(problem: String)

    /// A body ran its own pond, whose run would do the same, without end.
    case runsItself

    /// A body waited for a run that cannot end before that body does: the one it is part of, or one
    /// that waits for it. A teardown or a service may do so too.
    case waitsForItself

    /// The fault as a sentence.
    public var description: String {
      switch self {
      case .duplicateName(let name, let count):
        "\(count) pebbles are named \(name.swiftLiteral); give each a name of its own"
      case .emptyName(let position):
        "the pebble at position \(position) has an empty name; give it one"
      case .foreignPebble(let name, let pond, let pebble):
        "\(pebble.swiftLiteral) mentions \(name.swiftLiteral), which belongs to the pond "
          + "\(pond.swiftLiteral); a pebble can only wait for pebbles of its own pond"
      case .invalidOption(let pebble, let problem):
        "\(pebble.swiftLiteral) \(problem)"
      case .invalidPond(let problem):
        "the pond \(problem)"
      case .invalidRun(let problem):
        "the run \(problem)"
      case .runsItself:
        "a body runs its own pond, whose run would do the same, without end; "
          + "run another pond there"
      case .waitsForItself:
        "a body waits for a run that cannot end before the body does; wait for it outside"
      }
    }
  }

  /// All faults, a line each.
  public var description: String {
    let heading = "the pond \(pondName.swiftLiteral) cannot run:"
    return ([heading] + faults.map { "  - \($0)" }).joined(separator: "\n")
  }
}
