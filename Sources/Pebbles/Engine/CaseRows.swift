/// The network rows that represent the cases of pebbles. They follow the rows for the pebbles
/// themselves, and the cases of each pebble have adjacent rows.
///
/// The row of a case is the gate `outcome AND answer`. The first operand of the gate is an ordinary
/// edge from the pebble, so any other outcome of the pebble makes the gate false. The second
/// operand, the answer, is true if the case holds. It has no edge, and arrives after the pebble has
/// settled.
package struct CaseRows: Sendable {
  /// The cases that the rows represent, in the order of the rows.
  private let owners: [Owner]

  /// The range of each pebble's cases in `owners`. Pebbles without cases have no entry.
  private let places: [Int: Range<Int>]
  private let pebbleCount: Int

  package struct Owner: Sendable {
    package let pebble: Int

    /// The position of the case among the cases of the pebble.
    package let place: Int
    package let name: PebbleCase
  }

  package init(_ cases: [Int: CaseList] = [:], pebbleCount: Int) {
    var owners: [Owner] = []
    var places: [Int: Range<Int>] = [:]
    for (pebble, list) in cases.sorted(by: { $0.key < $1.key }) where pebble < pebbleCount {
      let start = owners.count
      owners += list.cases.enumerated().map { Owner(pebble: pebble, place: $0, name: $1) }
      places[pebble] = start..<owners.count
    }
    self.owners = owners
    self.places = places
    self.pebbleCount = pebbleCount
  }

  package var isEmpty: Bool { owners.isEmpty }

  /// The rows of all cases.
  package var rows: Range<Int> { pebbleCount..<pebbleCount + owners.count }

  /// The pebbles that have cases.
  package var pebbles: some Collection<Int> { places.keys }

  /// Returns the case that a row represents.
  package subscript(row: Int) -> Owner { owners[row - pebbleCount] }

  /// Returns the rows of a pebble's cases, in definition order; empty if the pebble has no cases.
  package func rows(of pebble: Int) -> Range<Int> {
    guard let places = places[pebble] else { return pebbleCount..<pebbleCount }
    return places.lowerBound + pebbleCount..<places.upperBound + pebbleCount
  }
}
