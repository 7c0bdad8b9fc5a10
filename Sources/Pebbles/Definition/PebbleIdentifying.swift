/// What says which pebble is meant: a handle, whatever its output is, or a name. Wherever a pebble
/// is asked about, in this module, in `PebblesAnalysis` and in `PebblesTesting`, either will do.
///
/// ```swift
/// report.ran(showOffline)
/// report.ran(.named("cache/open"))
/// try pond.scenarios().ending(failing: [ping, cores, .named("cache/open")])
/// ```
///
/// A handle means its own pebble, and no other of the same name. Only a recorded run knows no
/// handles, as it may come from another process or another version of the pond: there a handle
/// stands for its name.
///
/// ## A pebble that is not there
///
/// It may belong to another pond, have been added after the run started or the model was made, or
/// no pebble may have the name. This is treated alike everywhere:
///
/// - What looks something up gives `nil`: ``Report/subscript(_:)``, ``Report/record(of:)``.
/// - A question that is answered with yes or no is answered with no: ``Report/ran(_:)``, and
///   ``Report/skipped(_:)`` as well.
/// - The outcome in a run is `.skipped(.notInRun)`: ``Report/outcome(of:)``.
/// - What throws throws ``UnknownPebbleError``, which names the pebble: ``Report/value(of:)``. An
///   error that lists all that is wrong, such as ``PondError`` for conditions and inputs, lists
///   this as well.
public protocol PebbleIdentifying: Sendable {
  /// Which pebble is meant.
  var pebbleID: PebbleID { get }
}

/// Which pebble is meant, by its handle or by its name.
public struct PebbleID: PebbleIdentifying, Hashable, CustomStringConvertible {
  package enum Kind: Hashable {
    case handle(PebbleReference)
    case name(String)
  }

  package let kind: Kind

  /// Itself.
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
  /// The pebble of this name.
  ///
  /// ```swift
  /// report.ran(.named("cache/open"))
  /// ```
  public static func named(_ name: String) -> PebbleID { PebbleID(kind: .name(name)) }
}

extension Pebble: PebbleIdentifying {
  /// This pebble, and no other of the same name.
  public var pebbleID: PebbleID { PebbleID(kind: .handle(reference)) }
}
