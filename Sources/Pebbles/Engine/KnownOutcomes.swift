/// The outcomes known when a run begins, before any body is called. Disabled and unrequested
/// pebbles are skipped, and kept and given pebbles have succeeded.
///
/// All these pebbles settle before any of them decides a condition.
package struct KnownOutcomes: Sendable, Hashable {
  /// The pebbles that are disabled for the run, in ascending order.
  package var disabled: [UInt32]

  /// The pebbles outside the subset to which the run is limited, in ascending order. Their
  /// `enabled` closures are not called, so none of them is in `disabled`.
  package var notAskedFor: [UInt32]

  /// The pebbles that count as succeeded from the start, because their success is kept from an
  /// earlier run or their output is given. Each follows the pebbles that make its condition true.
  package var succeeded: [Success]

  /// A pebble that has succeeded, and the cases that hold for it.
  package struct Success: Sendable, Hashable {
    package let pebble: UInt32
    package let cases: CaseSet

    package init(_ pebble: Int, _ cases: CaseSet) {
      self.pebble = UInt32(pebble)
      self.cases = cases
    }
  }

  package init(
    disabled: [UInt32] = [], notAskedFor: [UInt32] = [], succeeded: [Success] = []
  ) {
    self.disabled = disabled
    self.notAskedFor = notAskedFor
    self.succeeded = succeeded
  }

  /// Creates the outcomes that are known at the start of a run without kept or given pebbles.
  ///
  /// - Parameters:
  ///   - disabled: The disabled pebbles. Those that are not requested are ignored.
  ///   - subset: The requested pebbles; `nil` for all.
  ///   - count: The number of pebbles.
  package init(disabled: some Sequence<Int>, in subset: Set<Int>?, of count: Int) {
    let pebbles = 0..<count
    let isAskedFor = { pebbles.contains($0) && subset?.contains($0) != false }
    self.disabled = disabled.filter(isAskedFor).sorted().map(UInt32.init)
    notAskedFor = subset == nil ? [] : pebbles.filter { !isAskedFor($0) }.map(UInt32.init)
    succeeded = []
  }
}
