/// An error with a description that the test chooses.
package struct Breakdown: Error, Hashable, CustomStringConvertible {
  package let description: String

  /// An error shared by bodies that fail by the thousand. Swift Testing keeps a table of all errors
  /// that are alive, and searches all of it after each test, so the table must be small.
  package static let usual: any Error = Breakdown()

  package init(_ description: String = "it broke down") {
    self.description = description
  }
}
