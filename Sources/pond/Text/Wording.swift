import Pebbles
import PebblesPictures

/// A number of things: `1 pebble`, `2 pebbles`.
func counted(_ number: some BinaryInteger, _ thing: String) -> String {
  "\(number) \(thing)\(number == 1 ? "" : "s")"
}

extension String {
  /// A name as it stands in a column of a table.
  var inColumn: String { name(toColumns: 40) }
}
