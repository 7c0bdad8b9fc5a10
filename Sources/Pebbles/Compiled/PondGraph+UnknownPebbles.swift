extension PondGraph {
  /// Returns the error for a question about a pebble that the graph does not have.
  package func error(for pebble: some PebbleIdentifying) -> UnknownPebbleError {
    switch pebble.pebbleID.kind {
    case .name(let name): Self.error(forName: name)
    case .handle(let reference):
      UnknownPebbleError(
        name: reference.name,
        description: definition.isDescended(from: reference.definition)
          ? "\(reference.name.swiftLiteral) was added to the pond later"
          : "\(reference.name.swiftLiteral) is a pebble of the pond "
            + "\(reference.definition.pondName.swiftLiteral), not of this one")
    }
  }

  /// Returns the error for a question that mentions an unknown pebble. `text` is the wording of the
  /// question.
  package func error(
    for pebble: PebbleReference, mentionedBy text: String
  ) -> UnknownPebbleError {
    let error = error(for: PebbleID(kind: .handle(pebble)))
    return UnknownPebbleError(
      name: error.name,
      description: "\(text.singleLine.truncated(to: 200)) cannot be decided: \(error.description)")
  }

  /// Returns the error for a question that mentions an unknown case. `text` is the wording of the
  /// question.
  package func error(forCaseIn text: String) -> UnknownPebbleError {
    UnknownPebbleError(
      name: "",
      description: "\(text.singleLine.truncated(to: 200)) cannot be decided: a case that it "
        + "mentions was added to the pond later")
  }

  static func error(forName name: String) -> UnknownPebbleError {
    UnknownPebbleError(name: name, description: "no pebble is named \(name.swiftLiteral)")
  }
}
