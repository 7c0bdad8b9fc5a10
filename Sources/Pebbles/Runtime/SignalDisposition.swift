#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What the process does when a signal arrives: a value of C's `sigaction`.
package struct SignalDisposition: Sendable {
  private var action: sigaction

  typealias Function = @convention(c) (CInt) -> Void

  /// What a process does that has not said otherwise: for most signals, to end.
  package static var byDefault: SignalDisposition {
    // `SIG_DFL` is the null pointer everywhere, which is also what the structure begins with.
    SignalDisposition(action: sigaction())
  }

  /// Calls a function, in the middle of whatever the thread that gets the signal is doing. System
  /// calls that it interrupts go on afterwards.
  static func calling(_ function: @escaping Function) -> SignalDisposition {
    var disposition = byDefault
    disposition.handler = function
    disposition.action.sa_flags = SA_RESTART
    return disposition
  }

  /// How a signal is disposed of now, or `nil` if there is no such signal.
  package static func current(of signal: Signal) -> SignalDisposition? {
    var disposition = byDefault
    return sigaction(signal.rawValue, nil, &disposition.action) == 0 ? disposition : nil
  }

  /// Makes this the disposition of a signal.
  ///
  /// - Returns: What it was before, or `nil` if the system refuses.
  @discardableResult
  package func install(for signal: Signal) -> SignalDisposition? {
    var replacement = action
    var previous = self
    return sigaction(signal.rawValue, &replacement, &previous.action) == 0 ? previous : nil
  }

  /// Whether it is what a signal calls now.
  func isInstalled(for signal: Signal) -> Bool {
    Self.current(of: signal)?.hasHandler(of: self) ?? false
  }

  /// Whether both call the same function, or none for the same reason.
  package func hasHandler(of other: SignalDisposition) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(other.handler, to: Int.self)
  }

  // The field is a union, and every system names it in its own way.
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

/// What signals did before they were watched, to be put back when they are watched no longer.
struct ReplacedDispositions: Sendable {
  private let replacement: SignalDisposition
  private var previous: [Signal: SignalDisposition] = [:]

  init(by replacement: SignalDisposition) {
    self.replacement = replacement
  }

  /// Replaces what a signal does, unless that has been done.
  ///
  /// - Returns: Whether it is replaced; if the system refuses, `errno` says why.
  mutating func replace(for signal: Signal) -> Bool {
    if previous[signal] != nil { return true }
    previous[signal] = replacement.install(for: signal)
    return previous[signal] != nil
  }

  /// Puts back what signals did, but for these. A handler that the program has put over the
  /// replacement is to stay.
  mutating func putBack(except signals: Set<Signal>) {
    for (signal, disposition) in previous where !signals.contains(signal) {
      previous[signal] = nil
      if replacement.isInstalled(for: signal) { disposition.install(for: signal) }
    }
  }
}
