/// The kind of change that a mutant makes. Its raw value is used in tables and in the identity of a
/// mutant.
enum MutantKind: String, CaseIterable, Codable, Sendable {
  case `operator` = "operator"
  case boundary = "boundary"
  case constant = "constant"
  case branch = "branch negated"
  case condition = "condition dropped"
  case optional = "other of a pair"
  case call = "call removed"
  case transition = "assignment removed"
  case order = "order swapped"
  case propagation = "propagation dropped"
}
