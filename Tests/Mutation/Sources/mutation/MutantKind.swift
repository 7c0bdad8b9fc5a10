/// The kind of change that a mutant makes to the code. Its raw value is part of tables and of the
/// identifier of a mutant.
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
