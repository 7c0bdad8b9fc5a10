/// The pebbles that take no part in a run: they are skipped as it begins, each for its reason.
package struct Absentees: Sendable, Hashable {
  /// Those that are disabled for the run.
  package var disabled: [UInt32]

  /// Those that nothing that was asked for mentions. None of them is among the disabled: nobody has
  /// asked whether it is.
  package var notAskedFor: [UInt32]

  package init(disabled: [UInt32] = [], notAskedFor: [UInt32] = []) {
    self.disabled = disabled
    self.notAskedFor = notAskedFor
  }

  /// - Parameters:
  ///   - disabled: Those that are disabled, if they are asked for.
  ///   - subset: What is asked for; `nil` for everything.
  ///   - count: How many pebbles there are.
  package init(_ disabled: some Sequence<Int>, _ subset: Set<Int>?, of count: Int) {
    let pebbles = 0..<count
    let isAskedFor = { subset?.contains($0) != false }
    self.disabled = disabled.filter { pebbles.contains($0) && isAskedFor($0) }.sorted()
      .map(UInt32.init)
    notAskedFor = subset == nil ? [] : pebbles.filter { !isAskedFor($0) }.map(UInt32.init)
  }
}
