import Pebbles
import PebblesPictures

/// Returns a number of things in words: `1 pebble`, `2 pebbles`.
func counted(_ number: some BinaryInteger, _ thing: String) -> String {
  "\(number) \(thing)\(number == 1 ? "" : "s")"
}

extension String {
  /// The name as shown in a column of a table.
  var inColumn: String { name(toColumns: 40) }
}
