/// An error thrown when the database has no launches.
package struct NothingToShow: Error, CustomStringConvertible {
  package init() {}

  package var description: String { "no launches could be loaded, and none are there from earlier" }
}
