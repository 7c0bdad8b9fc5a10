/// The options of a pond beyond its pebbles.
package struct PondOptions: Sendable {
  package var maxConcurrent: Int?
  package var onFailure = FailurePolicy.ignore

  /// The code around every attempt, outermost first.
  var around: [Around] = []
}
