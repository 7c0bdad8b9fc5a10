/// What is known of pebbles as a run begins, before any body has been called: those that are
/// skipped, each for its reason, and those that have succeeded.
///
/// All of them have settled before the first of them decides anything.
package struct KnownOutcomes: Sendable, Hashable {
  /// Those that are disabled for the run, in ascending order.
  package var disabled: [UInt32]

  /// Those that nothing that was asked for mentions, in ascending order. None of them is among the
  /// disabled: nobody has asked whether it is.
  package var notAskedFor: [UInt32]

  /// Those that have succeeded: what the run keeps of an earlier one. Each comes after those that
  /// its condition is true because of.
  package var succeeded: [Success]

  /// A pebble that has succeeded, and which of its cases hold.
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

  /// - Parameters:
  ///   - disabled: Those that are disabled, if they are asked for.
  ///   - subset: What is asked for; `nil` for everything.
  ///   - count: How many pebbles there are.
  package init(disabled: some Sequence<Int>, in subset: Set<Int>?, of count: Int) {
    let pebbles = 0..<count
    let isAskedFor = { pebbles.contains($0) && subset?.contains($0) != false }
    self.disabled = disabled.filter(isAskedFor).sorted().map(UInt32.init)
    notAskedFor = subset == nil ? [] : pebbles.filter { !isAskedFor($0) }.map(UInt32.init)
    succeeded = []
  }
}
