import Synchronization

/// A task-local value that identifies the pebble whose body or teardown is running.
///
/// Binding a task-local value takes longer than awaiting a small body. Therefore, a runner binds
/// one slot for all the bodies that it awaits, and changes the pebble in the slot. If a task
/// outlives the body that started it, the task also holds the slot, and would later count as part
/// of another pebble. To prevent this, the runner closes the slot and continues in a new task with
/// a new slot. If a runner cannot simply await a body, for example because the body has a timeout,
/// each attempt has a separate slot.
final class ContextSlot: Sendable {
  @TaskLocal static var current: ContextSlot?

  private enum Scope {
    /// The run of a body that has not ended. When the body ends, the scope becomes `closed`.
    case open(RunCore)

    /// The context for tasks that have outlived the body. The context does not keep the run alive.
    /// If the run is driven elsewhere, the slots of its bodies are closed from the start. A closed
    /// slot stays closed.
    case closed(PebbleContext?)
  }

  private let scope: Mutex<Scope>
  private let pebble: Atomic<UInt32>
  private let isFailed = Atomic(false)

  /// The lock that guards the state of the run; `nil` if the run is driven elsewhere (see
  /// `SingleCall`).
  let life: RunLifeLock?
  let attempt: Int

  /// Whether the slot belongs to the teardown of the pebble instead of its body.
  let isTeardown: Bool

  private static let noPebble = UInt32.max

  /// Creates a slot for a runner. No pebble is set yet.
  init(_ core: RunCore) {
    scope = Mutex(.open(core))
    life = core.isSingleCall ? nil : core.life
    pebble = Atomic(Self.noPebble)
    attempt = 1
    isTeardown = false
  }

  init(_ core: RunCore, pebble: Int, attempt: Int, isTeardown: Bool = false) {
    scope = Mutex(
      core.isSingleCall ? .closed(core.context(of: pebble, attempt: attempt)) : .open(core))
    life = core.isSingleCall ? nil : core.life
    self.pebble = Atomic(UInt32(pebble))
    self.attempt = attempt
    self.isTeardown = isTeardown
  }

  /// Sets the pebble whose body is about to start. This is a single plain store, which is much
  /// faster than binding a task-local value.
  @inline(__always)
  func bodyStarts(_ position: Int) {
    pebble.store(UInt32(position), ordering: .relaxed)
  }

  /// Closes the slot after the body has ended. From then on, tasks that outlived the body no longer
  /// count as running inside it.
  func close() {
    let context = context
    let closed = scope.withLock { scope in
      defer { scope = .closed(context) }
      return scope
    }
    // The slot may hold the last reference to the run, which must not be released under the lock.
    withExtendedLifetime(closed) {}
  }

  /// Marks the attempt as failed, so that no more runs can start inside it. The caller must hold
  /// the lock of the run.
  func attemptFailed() { isFailed.store(true, ordering: .relaxed) }

  var hasFailed: Bool { isFailed.load(ordering: .relaxed) }

  /// The run, even if the body has ended; `nil` if the run has been released or is driven
  /// elsewhere.
  var enclosingRun: RunCore? {
    switch scope.withLock({ $0 }) {
    case .open(let core): core
    case .closed(let context): context?.runReference?.object as? RunCore
    }
  }

  /// The run; `nil` once the body has ended, or if the run is driven elsewhere.
  var core: RunCore? {
    switch scope.withLock({ $0 }) {
    case .open(let core): core
    case .closed: nil
    }
  }

  var position: Int? {
    let position = pebble.load(ordering: .relaxed)
    return position == Self.noPebble ? nil : Int(position)
  }

  var context: PebbleContext? {
    switch scope.withLock({ $0 }) {
    case .open(let core): position.map { core.context(of: $0, attempt: attempt) }
    case .closed(let context): context
    }
  }
}

extension RunCore {
  func context(of pebble: Int, attempt: Int) -> PebbleContext {
    PebbleContext(
      pond: program.pond.graph.pondName, pebble: name(pebble), attempt: attempt,
      runIdentifier: identifier, isSingleCall ? nil : RunReference(self),
      resuming: resumption?.first, originalName: options.purpose.originalName)
  }
}

/// A slot that a runner uses without adding to the slot's reference count. The count therefore
/// shows whether a task started by a body also holds the slot.
struct BoundSlot {
  private var slot: Unmanaged<ContextSlot>

  /// Creates a wrapper around a slot. Exactly one other reference must keep the slot alive.
  init(_ slot: ContextSlot) {
    self.slot = Unmanaged.passUnretained(slot)
  }

  /// Returns the slot that is bound to the current task. The task keeps the slot alive.
  static func ofCurrentTask() -> BoundSlot {
    guard let slot = ContextSlot.current else {
      preconditionFailure("the task of a runner was made without a slot")
    }
    return BoundSlot(slot)
  }

  /// Sets the pebble whose body is about to start. No reference counting is needed, because the
  /// slot is guaranteed to be alive.
  @inline(__always)
  func bodyStarts(_ pebble: Int) {
    slot._withUnsafeGuaranteedRef { $0.bodyStarts(pebble) }
  }

  func close() {
    slot._withUnsafeGuaranteedRef { $0.close() }
  }

  /// The slot as a strong reference.
  var slotItself: ContextSlot { slot.takeUnretainedValue() }

  /// Whether a task other than the runner's also holds the slot. After a body has ended, its child
  /// tasks have ended as well, so the other task can only be an unstructured task that was started
  /// inside the body. Such a task has copied all task-local values.
  @inline(__always)
  var isShared: Bool {
    mutating get {
      withUnsafeMutablePointer(to: &slot) { slot in
        // An unmanaged reference has the same layout as a strong one.
        slot.withMemoryRebound(to: ContextSlot.self, capacity: 1) {
          !isKnownUniquelyReferenced(&$0.pointee)
        }
      }
    }
  }
}

extension PebbleContext {
  /// The context of the pebble whose body or teardown contains the current task; `nil` outside of
  /// bodies and teardowns.
  ///
  /// Like any task-local value, the context is inherited by the child tasks of the body's task. A
  /// `Task` that the body starts also inherits the context, even if that task outlives the body.
  public static var current: PebbleContext? { ContextSlot.current?.context }
}
