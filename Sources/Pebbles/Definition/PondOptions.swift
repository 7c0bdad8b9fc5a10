/// What a pond was given beyond its pebbles.
package struct PondOptions: Sendable {
  package var maxConcurrent: Int?
  package var onFailure = FailurePolicy.ignore

  /// Outermost first.
  var around: [Around] = []
}
