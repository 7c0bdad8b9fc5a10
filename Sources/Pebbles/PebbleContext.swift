import Synchronization

/// Tells code where in which run it is.
///
/// ```swift
/// logger.info("connecting", metadata: ["pebble": "\(PebbleContext.current?.pebble ?? "-")"])
/// ```
public struct PebbleContext: Sendable, Hashable {
  /// The name of the pond.
  public let pond: String

  /// The name of the pebble.
  public let pebble: String

  /// Which call of its body this is, from 1 on.
  public let attempt: Int

  /// Tells the runs of a process apart.
  public let run: RunIdentifier

  /// The pebble whose body or teardown is running; `nil` outside of these.
  ///
  /// As with any task-local value, the children of the body's task have it too. An unstructured
  /// `Task` that outlives the body should be handed the context, because what it reads here later
  /// may be about another pebble: runners call one body after another in the same task.
  public static var current: PebbleContext? { ContextSlot.current?.context }
}

/// Tells the runs of a process apart: a random number.
public struct RunIdentifier: Sendable, Hashable, CustomStringConvertible {
  private let number = UInt64.random(in: .min ... .max)

  /// The number as sixteen hexadecimal digits.
  public var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// What is bound to the task of a runner: which pebble it is at.
///
/// Binding a task-local value takes longer than awaiting a small body, so a runner binds one slot
/// for all the bodies it awaits and changes what stands in it. Bodies that are called with more
/// than an `await` have a slot of their own for each attempt.
final class ContextSlot: Sendable {
  @TaskLocal static var current: ContextSlot?

  let dispatcher: Dispatcher
  private let pebble: Atomic<UInt32>
  private let attempt: Int

  /// Whether this is not about the body but about what undoes it.
  let isTeardown: Bool

  private static let noPebble = UInt32.max

  /// A slot for a runner, with nobody in it yet.
  init(_ dispatcher: Dispatcher) {
    self.dispatcher = dispatcher
    pebble = Atomic(Self.noPebble)
    attempt = 1
    isTeardown = false
  }

  init(_ dispatcher: Dispatcher, pebble: Int, attempt: Int, isTeardown: Bool = false) {
    self.dispatcher = dispatcher
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
    let graph = dispatcher.program.pond.graph
    return PebbleContext(
      pond: graph.pondName, pebble: graph.names[position], attempt: attempt,
      run: dispatcher.identifier)
  }
}
