import Fuzzing
import PebblesAnalysis

/// Expects that an error describes a problem and has a valid position in the input.
func expectPlace(_ error: JSONError, in bytes: [UInt8]) {
  expect(0...bytes.count ~= error.offset, "\(error) is at byte \(error.offset), outside")
  expect(!error.problem.isEmpty, "a refusal says nothing")
  let before = bytes[..<error.offset]
  let lines = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  expect(error.line == max(1, lines.count), "\(error) should be in line \(lines.count)")
  guard let text = String(validating: lines.last ?? [], as: UTF8.self) else { return }
  let column = text.unicodeScalars.count + 1
  expect(error.column == column, "\(error) should be in column \(column)")
}

/// Expects that an error describes a problem and has a valid position in the input.
func expectPlace(_ error: TextError, in text: String) {
  let scalars = Array(text.unicodeScalars)
  expect(0...scalars.count ~= error.offset, "\(error) is at \(error.offset), outside")
  expect(!error.problem.isEmpty, "a refusal says nothing")
  let lines = scalars[..<error.offset].split(separator: "\n", omittingEmptySubsequences: false)
  expect(error.line == max(1, lines.count), "\(error) should be in line \(lines.count)")
  let column = (lines.last?.count ?? 0) + 1
  expect(error.column == column, "\(error) should be in column \(column)")
}
