import Synchronization

/// What is bound to the task of a runner: which pebble it is at.
///
/// Binding a task-local value takes longer than awaiting a small body, so a runner binds one slot
/// for all the bodies it awaits and changes what stands in it. A task that a body has started and
/// leaves behind holds the slot as well: then the slot is closed, and the runner goes on in a new
/// task with a slot of its own, lest that task be taken for part of a later pebble. Bodies that are
/// called with more than an `await` have a slot of their own for each attempt.
final class ContextSlot: Sendable {
  @TaskLocal static var current: ContextSlot?

  private enum Scope {
    /// Can transition to: `closed` (the body has ended).
    case open(RunCore)

    /// Final: what is left to be told to tasks that have outlived the body, and all that a body is
    /// told whose run is elsewhere. Holds nothing of the run.
    case closed(PebbleContext?)
  }

  private let scope: Mutex<Scope>
  private let pebble: Atomic<UInt32>
  private let isFailed = Atomic(false)

  /// The life of the run; `nil` if that is elsewhere.
  let life: RunLifeLock?
  let attempt: Int

  /// Whether this is not about the body but about what undoes it.
  let isTeardown: Bool

  private static let noPebble = UInt32.max

  /// A slot for a runner, with no pebble in it yet.
  init(_ core: RunCore) {
    scope = Mutex(.open(core))
    life = core.isElsewhere ? nil : core.life
    pebble = Atomic(Self.noPebble)
    attempt = 1
    isTeardown = false
  }

  init(_ core: RunCore, pebble: Int, attempt: Int, isTeardown: Bool = false) {
    scope = Mutex(
      core.isElsewhere ? .closed(core.context(of: pebble, attempt: attempt)) : .open(core))
    life = core.isElsewhere ? nil : core.life
    self.pebble = Atomic(UInt32(pebble))
    self.attempt = attempt
    self.isTeardown = isTeardown
  }

  /// One plain store for each pebble, in the place of binding a task-local value.
  @inline(__always)
  func bodyStarts(_ position: Int) {
    pebble.store(UInt32(position), ordering: .relaxed)
  }

  /// The body has ended: tasks that it has left behind are of no concern to the run any more.
  func close() {
    let context = context
    let closed = scope.withLock { scope in
      defer { scope = .closed(context) }
      return scope
    }
    // It may have been the last to hold the run, which must not go under the lock.
    withExtendedLifetime(closed) {}
  }

  /// The attempt has failed, and what runs inside of it is of no use. Asked under the lock of the
  /// run, as this is called.
  func attemptFailed() { isFailed.store(true, ordering: .relaxed) }

  var hasFailed: Bool { isFailed.load(ordering: .relaxed) }

  /// The run, even if the body has ended; `nil` once there is no other reference to it.
  var runAround: RunCore? {
    switch scope.withLock({ $0 }) {
    case .open(let core): core
    case .closed(let context): context?.runReference?.object as? RunCore
    }
  }

  /// The run; `nil` once the body has ended.
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
      runIdentifier: identifier, isElsewhere ? nil : RunReference(self),
      resuming: resumption?.first)
  }
}

/// The slot that tells the bodies of a runner which pebble they are, without counting as a
/// reference to it: so the count tells whether a task that a body has started holds the slot as
/// well.
struct BoundSlot {
  private var slot: Unmanaged<ContextSlot>

  /// - Parameter slot: Kept alive by something else, which counts as the only reference.
  init(_ slot: ContextSlot) {
    self.slot = Unmanaged.passUnretained(slot)
  }

  /// The slot that the asking task was made with, which keeps it alive.
  static func ofCurrentTask() -> BoundSlot {
    guard let slot = ContextSlot.current else {
      preconditionFailure("the task of a runner was made without a slot")
    }
    return BoundSlot(slot)
  }

  /// Guaranteed to be alive, which saves counting a reference up and down.
  @inline(__always)
  func bodyStarts(_ pebble: Int) {
    slot._withUnsafeGuaranteedRef { $0.bodyStarts(pebble) }
  }

  func close() {
    slot._withUnsafeGuaranteedRef { $0.close() }
  }

  /// The slot, for those who have to hold on to it.
  var slotItself: ContextSlot { slot.takeUnretainedValue() }

  /// Whether another task holds the slot, too: an unstructured task is made with copies of all
  /// task-local values, and child tasks have ended by the time that the body has.
  @inline(__always)
  var isShared: Bool {
    mutating get {
      withUnsafeMutablePointer(to: &slot) { slot in
        // An unmanaged reference is laid out like any other.
        slot.withMemoryRebound(to: ContextSlot.self, capacity: 1) {
          !isKnownUniquelyReferenced(&$0.pointee)
        }
      }
    }
  }
}
