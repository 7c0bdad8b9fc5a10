import Pebbles

/// A reader for the cases of a pond's pebbles. Cases are read before conditions, because conditions
/// can refer to cases.
enum CaseReader {
  /// Reads the cases of a list of pebbles.
  ///
  /// - Returns: The cases of each pebble that has cases, keyed by the position of the pebble.
  static func cases(in pebbles: JSONValue) throws(JSONError) -> [Int: CaseList] {
    var cases: [Int: CaseList] = [:]
    for (position, pebble) in try pebbles.elements().enumerated() {
      guard let list = pebble["cases"] else { continue }
      let read = try self.cases(list)
      if !read.cases.isEmpty { cases[position] = read }
    }
    return cases
  }

  private static func cases(_ list: JSONValue) throws(JSONError) -> CaseList {
    var cases: [PebbleCase] = []
    var areValuesExhaustive: Bool?
    for value in try list.elements() {
      guard cases.count < CaseList.most else {
        throw value.fault("a pebble has at most \(CaseList.most) cases")
      }
      let fields = try value.object(["kind", "name", "exhaustive"])
      let one = try self.case(fields)
      guard !cases.contains(one) else { throw value.fault("this case is here twice") }
      let isExhaustive = try fields["exhaustive"]?.bool() ?? false
      guard one.isValue ? areValuesExhaustive ?? isExhaustive == isExhaustive : !isExhaustive else {
        throw value.fault("either all values are \"exhaustive\" or none, and no other cases")
      }
      if one.isValue { areValuesExhaustive = isExhaustive }
      cases.append(one)
    }
    return CaseList(cases, isExhaustive: areValuesExhaustive ?? false)
  }

  private static func `case`(_ fields: JSONObject) throws(JSONError) -> PebbleCase {
    let kind = try fields.required("kind")
    let word = try kind.string()
    let name = try fields["name"]?.string()
    if word == "timedOut", let name = fields["name"] {
      throw name.fault("a timeout has no name")
    }
    guard let one = PebbleCase(kind: word, name: name) else {
      throw kind.fault(
        "there should be \"failed\", \"succeeded\" or \"is\" with a name here, or "
          + "\"timedOut\"")
    }
    return one
  }
}
