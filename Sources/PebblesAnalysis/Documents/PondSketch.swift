import Pebbles

/// A handwritten pond: a JSON object with a list of `pebbles`. Each pebble has a `name`, and may
/// have a condition (`when`). The pond may have a `name`, a `goal` and `laws`. Conditions, goals
/// and laws are written as strings.
///
/// Other keys of the object, such as notes for readers, are ignored.
struct PondSketch {
  let model: PondModel
  let laws: [Law]

  init(_ root: JSONValue) throws(JSONError) {
    let name = try root.only("name")?.string() ?? "pond"
    guard let list = try root.only("pebbles") else {
      throw root.fault("the object that starts here has no \"pebbles\"")
    }
    let lines = try Self.lines(list)
    let definition = PondDefinition(pondName: name, maxConcurrent: nil, onFailure: .ignore)
    // The definition and its conditions refer to each other, which would keep both alive.
    defer { definition.discard() }
    let pebbles = NamedPebbles(lines.map(\.name), of: definition)
    for line in lines {
      var condition = Condition.always
      if let text = line.condition {
        condition = try text.read { text throws(TextError) in
          try PondModel.condition(text, pebbles)
        }
      }
      definition.append(line.name, needs: nil, when: condition, nil)
    }
    if let goal = try root.only("goal") {
      definition.setGoal(
        try goal.read { text throws(TextError) in
          var parser = try LawParser(text, pebbles)
          return try parser.law().condition
        })
    }
    let compiled = Program(definition).pond
    if let fault = compiled.faults.first {
      let names = zip(lines.map(\.name), lines).reversed()
      let place = names.first { $0.0 == fault.pebble }?.1.place
      throw (place ?? list).fault("\(fault)")
    }
    let model = PondModel(compiled)
    self.model = model
    laws = try Self.laws(root.only("laws"), model)
  }

  private struct Line {
    let place: JSONValue
    let name: String
    let condition: JSONValue?
  }

  private static func lines(_ list: JSONValue) throws(JSONError) -> [Line] {
    var lines: [Line] = []
    for value in try list.elements() {
      guard lines.count < value.limits.pebbles else {
        throw value.fault(value.limits.problemWithPebbles)
      }
      let pebble = try value.object(["name", "when"])
      let name = try pebble.required("name").string()
      lines.append(Line(place: value, name: name, condition: pebble["when"]))
    }
    return lines
  }

  private static func laws(_ list: JSONValue?, _ model: PondModel) throws(JSONError) -> [Law] {
    guard let list else { return [] }
    let pebbles = model.namedPebbles
    var laws: [Law] = []
    for value in try list.elements() {
      let law = try value.read { text throws(TextError) in
        var parser = try LawParser(text, pebbles)
        return try parser.law()
      }
      laws.append(law)
    }
    return laws
  }
}

extension JSONValue {
  /// Parses the string with a closure. Errors that the closure throws are reported at the position
  /// of the string in the document.
  fileprivate func read<Meaning>(
    _ meaning: (String) throws(TextError) -> Meaning
  ) throws(JSONError) -> Meaning {
    let text = try string()
    do throws(TextError) {
      return try meaning(text)
    } catch {
      throw fault("\"\(text.truncated(to: 60).singleLine)\" is not understood: \(error)")
    }
  }
}
