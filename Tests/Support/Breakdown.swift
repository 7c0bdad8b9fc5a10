/// An error with a text of the test's choice.
package struct Breakdown: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String = "it broke down") {
    self.description = description
  }
}
