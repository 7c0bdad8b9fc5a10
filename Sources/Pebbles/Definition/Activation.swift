/// A function that decides whether pebbles take part in a run. If it comes from a trait of a
/// cluster, all pebbles of the cluster share it, and a run calls it only once for all of them.
final class Activation: Sendable {
  let isEnabled: @Sendable () -> Bool

  init(_ isEnabled: @escaping @Sendable () -> Bool) {
    self.isEnabled = isEnabled
  }
}
