/// The sort order of a list of people.
public enum ListOrder: String, CaseIterable, Sendable, Hashable {
  /// The order by name, ignoring case and accents.
  case name

  /// The order by shoe size, smallest first, and then by name.
  case size
}
