/// The complete state of a definition at one moment.
struct DefinitionSnapshot {
  let definition: PondDefinition
  let revision: Int
  let names: StableSlice<String>

  /// The bodies of the pebbles. The definition shares this list, so it may also contain bodies of
  /// pebbles that were added after the snapshot.
  let bodies: StableList<Body>
  let conditions: ConditionTable
  let needs: [UInt32: ConditionTable.Word]
  let options: [UInt32: PebbleOptions]
  let clusters: [PondCluster]
  let cases: [UInt32: CaseQuestions]
  let goal: Condition?
}
