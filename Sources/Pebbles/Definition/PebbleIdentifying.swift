/// A type that identifies a pebble: a handle with any output, or a name. Every function that looks
/// up a pebble accepts both, including the functions of `PebblesAnalysis` and `PebblesTesting`.
///
/// ```swift
/// report.ran(showOffline)
/// report.ran(.named("cache/open"))
/// try pond.scenarios().ending(failing: [ping, cores, .named("cache/open")])
/// ```
///
/// A handle identifies its own pebble, and no other pebble of the same name. The exception is a
/// recorded run, which may come from another process or another version of the pond. In a recorded
/// run, a handle identifies the pebble that has its name.
///
/// ## A pebble that cannot be found
///
/// The pebble may belong to another pond, it may have been added after the run started or the model
/// was made, or there may be no pebble with the given name. All functions treat these cases the
/// same way:
///
/// - A lookup returns `nil`: ``Report/subscript(_:)``, ``Report/record(of:)``.
/// - A function that answers a yes-or-no question returns `false`: ``Report/ran(_:)`` as well as
///   ``Report/skipped(_:)``.
/// - The outcome in a run is `.skipped(.notInRun)`: ``Report/outcome(of:)``.
/// - A throwing function throws ``UnknownPebbleError``, which names the pebble:
///   ``Report/value(of:)``. An error that lists all faults, such as ``PondError`` for conditions
///   and inputs, also lists the pebble that cannot be found.
public protocol PebbleIdentifying: Sendable {
  /// The identity of the pebble.
  var pebbleID: PebbleID { get }
}

/// The identity of a pebble: its handle or its name.
///
/// Two identities are equal if each can replace the other everywhere. Therefore, a handle and a
/// name are never equal, even if they identify the same pebble. For the same reason, two identities
/// with the same name are unequal if their original names differ.
public struct PebbleID: PebbleIdentifying, Hashable, CustomStringConvertible {
  package enum Kind: Hashable {
    case handle(PebbleReference)
    case name(String)
  }

  package let kind: Kind

  /// The name of the pebble in its run; `nil` if the pebble has not been renamed.
  package var originalName: String?

  /// The identity itself.
  public var pebbleID: PebbleID { self }

  /// The name of the pebble.
  public var description: String {
    switch kind {
    case .handle(let reference): reference.name
    case .name(let name): name
    }
  }
}

extension PebbleIdentifying where Self == PebbleID {
  /// Returns the identity of the pebble with the given name.
  ///
  /// ```swift
  /// report.ran(.named("cache/open"))
  /// ```
  public static func named(_ name: String) -> PebbleID { PebbleID(kind: .name(name)) }

  /// Returns the identity of a pebble that has been renamed since its run began. If the body or the
  /// teardown of the pebble is called in another process, ``PebbleContext/idempotencyKey`` contains
  /// the original name, so the key stays the same. The original name has no other effect.
  ///
  /// ```swift
  /// try await pond.attempt(.named("fetch", originally: "download"), of: run, coder: JSONOutputs())
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name that the pebble has now.
  ///   - originalName: The name that the pebble had when the run began. If both names are equal,
  ///     the result equals `named(name)`.
  /// - Returns: The identity.
  public static func named(_ name: String, originally originalName: String) -> PebbleID {
    PebbleID(kind: .name(name), originalName: originalName == name ? nil : originalName)
  }
}

extension Pebble: PebbleIdentifying {
  /// The identity of this pebble, and of no other pebble of the same name.
  public var pebbleID: PebbleID { PebbleID(kind: .handle(reference)) }
}

/// An error thrown when a pebble cannot be found: it belongs to another pond, it was added too
/// late, or no pebble has the given name. See ``PebbleIdentifying``.
public struct UnknownPebbleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let name: String

  /// The fault, as a sentence.
  public let description: String

  package init(name: String, description: String) {
    self.name = name
    self.description = description
  }
}
