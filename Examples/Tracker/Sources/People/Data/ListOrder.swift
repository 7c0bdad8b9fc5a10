/// The order of a list of people.
public enum ListOrder: String, CaseIterable, Sendable, Hashable {
  /// By name, ignoring case and accents.
  case name

  /// By shoe size, smallest first, and then by name.
  case size
}
