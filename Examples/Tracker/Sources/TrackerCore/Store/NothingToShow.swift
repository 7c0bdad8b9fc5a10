/// The error of a database without launches.
package struct NothingToShow: Error, CustomStringConvertible {
  package init() {}

  package var description: String { "no launches could be loaded, and none are there from earlier" }
}
