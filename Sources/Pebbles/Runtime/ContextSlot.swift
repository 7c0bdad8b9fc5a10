import Synchronization

extension PebbleContext {
  /// The pebble whose body or teardown is running; `nil` outside of these.
  ///
  /// As with any task-local value, the children of the body's task have it too. An unstructured
  /// `Task` that outlives the body should be handed the context, because what it reads here later
  /// may be about another pebble: runners call one body after another in the same task.
  public static var current: PebbleContext? { ContextSlot.current?.context }
}

/// What is bound to the task of a runner: which pebble it is at.
///
/// Binding a task-local value takes longer than awaiting a small body, so a runner binds one slot
/// for all the bodies it awaits and changes what stands in it. Bodies that are called with more
/// than an `await` have a slot of their own for each attempt.
final class ContextSlot: Sendable {
  @TaskLocal static var current: ContextSlot?

  let core: RunCore
  private let pebble: Atomic<UInt32>
  private let attempt: Int

  /// Whether this is not about the body but about what undoes it.
  let isTeardown: Bool

  private static let noPebble = UInt32.max

  /// A slot for a runner, with no pebble in it yet.
  init(_ core: RunCore) {
    self.core = core
    pebble = Atomic(Self.noPebble)
    attempt = 1
    isTeardown = false
  }

  init(_ core: RunCore, pebble: Int, attempt: Int, isTeardown: Bool = false) {
    self.core = core
    self.pebble = Atomic(UInt32(pebble))
    self.attempt = attempt
    self.isTeardown = isTeardown
  }

  @inline(__always)
  func bodyStarts(_ position: Int) {
    pebble.store(UInt32(position), ordering: .relaxed)
  }

  var position: Int? {
    let position = pebble.load(ordering: .relaxed)
    return position == Self.noPebble ? nil : Int(position)
  }

  var context: PebbleContext? {
    guard let position else { return nil }
    let graph = core.program.pond.graph
    return PebbleContext(
      pond: graph.pondName, pebble: graph.names[position], attempt: attempt,
      run: core.identifier)
  }
}
