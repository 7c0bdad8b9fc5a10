import Pebbles
import PebblesAnalysis

extension PondModel {
  /// Returns a human-readable description of the first difference between an earlier model's logic
  /// and this model's logic, such as `"fetch" is new`.
  ///
  /// Differences in timeouts, limits, priorities and threads do not count, because they only affect
  /// when a body starts or how long it may run. Differences in teardowns do not count either.
  ///
  /// - Returns: The description; `nil` if the models do not differ.
  /// - Complexity: O(pebbles + atoms).
  func firstDifference(from earlier: PondModel) -> String? {
    if name != earlier.name {
      return "it is of the pond \(earlier.name.shortLiteral), and this is \(name.shortLiteral)"
    }
    let (now, before) = (Set(names), Set(earlier.names))
    if let gone = earlier.names.first(where: { !now.contains($0) }) {
      return "\(gone.shortLiteral) is no longer in the pond"
    }
    if let new = names.first(where: { !before.contains($0) }) {
      return "\(new.shortLiteral) is new"
    }
    for (position, name) in names.enumerated() where name != earlier.names[position] {
      return "\(name.shortLiteral) was defined in another place"
    }
    for position in names.indices {
      if let clause = difference(at: position, from: earlier) { return clause }
    }
    if text(of: goal) != earlier.text(of: earlier.goal) { return "the goal has changed" }
    if failurePolicy != earlier.failurePolicy {
      return "the failure policy was \(earlier.failurePolicy.rawValue), and is "
        + "\(failurePolicy.rawValue) now"
    }
    return nil
  }

  private func difference(at position: Int, from earlier: PondModel) -> String? {
    let name = names[position].shortLiteral
    let condition = text(of: condition(at: position))
    let known = earlier.text(of: earlier.condition(at: position))
    if condition != known {
      return "\(name) waited for \(known.shownText), and waits for \(condition.shownText) now"
    }
    if cases(at: position) != earlier.cases(at: position) { return "\(name) has other cases" }
    let traits = properties[UInt32(position)] ?? PebbleProperties()
    let before = earlier.properties[UInt32(position)] ?? PebbleProperties()
    if traits.isService != before.isService {
      return "\(name) \(traits.isService ? "is a service now" : "was a service")"
    }
    if traits.isGiven != before.isGiven {
      return "\(name) \(traits.isGiven ? "is given now" : "was given")"
    }
    return nil
  }

  private func text(of condition: Condition?) -> String { condition.map { "\($0)" } ?? "" }
}

extension String {
  fileprivate var shownText: String { isEmpty ? "nothing" : truncated(to: 200).singleLine }
}
