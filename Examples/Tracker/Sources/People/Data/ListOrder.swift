/// In which order people are listed.
public enum ListOrder: String, CaseIterable, Sendable, Hashable {
  /// As names are written, without regard to case and accents.
  case name

  /// Small shoes first; those of one size by name.
  case size
}
