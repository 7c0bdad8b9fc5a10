/// A function that decides whether pebbles take part in a run. The pebbles of a cluster share one
/// function, which is called once for all of them.
final class Activation: Sendable {
  let isEnabled: @Sendable () -> Bool

  init(_ isEnabled: @escaping @Sendable () -> Bool) {
    self.isEnabled = isEnabled
  }
}
