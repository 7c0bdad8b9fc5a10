/// An error with a description that the test chooses.
package struct Breakdown: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String = "it broke down") {
    self.description = description
  }
}
