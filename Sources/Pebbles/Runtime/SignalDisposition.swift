#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The process's reaction to a signal, stored as a C `sigaction`.
package struct SignalDisposition: Sendable {
  private var action: sigaction

  typealias Function = @convention(c) (CInt) -> Void

  /// The default disposition, which for most signals ends the process.
  package static var byDefault: SignalDisposition {
    // `SIG_DFL` is the null pointer everywhere, and the handler is the first field of the
    // structure.
    SignalDisposition(action: sigaction())
  }

  /// Returns a disposition that calls a function on the thread interrupted by the signal.
  /// Interrupted system calls are resumed afterwards.
  static func calling(_ function: @escaping Function) -> SignalDisposition {
    var disposition = byDefault
    disposition.handler = function
    disposition.action.sa_flags = SA_RESTART
    return disposition
  }

  /// Returns the current disposition of a signal; `nil` if the signal does not exist.
  package static func current(of signal: Signal) -> SignalDisposition? {
    var disposition = byDefault
    return sigaction(signal.rawValue, nil, &disposition.action) == 0 ? disposition : nil
  }

  /// Installs this disposition for a signal.
  ///
  /// - Returns: The previous disposition; `nil` if the system refuses the change.
  @discardableResult
  package func install(for signal: Signal) -> SignalDisposition? {
    var replacement = action
    var previous = self
    return sigaction(signal.rawValue, &replacement, &previous.action) == 0 ? previous : nil
  }

  /// Returns whether the current disposition of a signal has the same handler as this one.
  func isInstalled(for signal: Signal) -> Bool {
    Self.current(of: signal)?.hasHandler(of: self) ?? false
  }

  /// Returns whether both dispositions call the same function or are the same special value, such
  /// as the default disposition.
  package func hasHandler(of other: SignalDisposition) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(other.handler, to: Int.self)
  }

  // The field is a union, and every system names it differently.
  private var handler: Function? {
    get {
      #if canImport(Darwin)
      action.__sigaction_u.__sa_handler
      #elseif canImport(Musl)
      action.__sa_handler.sa_handler
      #else
      action.__sigaction_handler.sa_handler
      #endif
    }
    set {
      #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = newValue
      #elseif canImport(Musl)
      action.__sa_handler.sa_handler = newValue
      #else
      action.__sigaction_handler.sa_handler = newValue
      #endif
    }
  }
}

/// The original dispositions of watched signals. They are restored when the signals are no longer
/// watched.
struct ReplacedDispositions: Sendable {
  private let replacement: SignalDisposition
  private var previous: [Signal: SignalDisposition] = [:]

  init(by replacement: SignalDisposition) {
    self.replacement = replacement
  }

  /// Replaces the disposition of a signal, unless it has been replaced already.
  ///
  /// - Returns: Whether the disposition has been replaced, now or earlier. If not, `errno` contains
  ///   the error.
  mutating func replace(for signal: Signal) -> Bool {
    if previous[signal] != nil { return true }
    previous[signal] = replacement.install(for: signal)
    return previous[signal] != nil
  }

  /// Restores the dispositions of all signals except the given ones. Handlers that the program has
  /// installed in the meantime are left in place.
  mutating func putBack(except signals: Set<Signal>) {
    for (signal, disposition) in previous where !signals.contains(signal) {
      previous[signal] = nil
      if replacement.isInstalled(for: signal) { disposition.install(for: signal) }
    }
  }
}
