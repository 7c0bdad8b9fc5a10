/// The growth of a reading, such as the memory of the process. It is measured from the end of the
/// first tenth of the rounds to the end of the last round.
struct Growth {
  /// A function that returns the reading; `nil` if the system does not provide it.
  typealias Reading = () -> Int?

  private let name: String
  private let rounds: Int
  private let isTooMuch: (_ afterTenth: Int, _ atEnd: Int) -> Bool
  private let text: (Int) -> String
  private let read: Reading
  private var afterTenth: Int?
  private var atEnd: Int?

  private init(
    of name: String, rounds: Int, isTooMuch: @escaping (Int, Int) -> Bool,
    text: @escaping (Int) -> String, _ read: @escaping Reading
  ) {
    self.name = name
    self.rounds = rounds
    self.isTooMuch = isTooMuch
    self.text = text
    self.read = read
  }

  /// Returns the growth of memory. Even without a leak, memory may grow by a quarter plus a few
  /// megabytes, because of the allocator.
  static func ofMemory(rounds: Int) -> Growth {
    Growth(
      of: "resident memory", rounds: rounds,
      isTooMuch: { $1 > $0 + $0 / 4 + 4 << 20 }, text: ResidentMemory.text
    ) { ResidentMemory.bytes }
  }

  /// Returns the growth of the number of threads. The number of threads for blocking bodies varies
  /// with demand.
  static func ofThreads(rounds: Int) -> Growth {
    Growth(
      of: "number of threads", rounds: rounds, isTooMuch: { $1 > $0 + 12 }, text: String.init
    ) { SystemThreads.count }
  }

  mutating func roundEnded(_ count: Int) {
    if count == max(1, rounds / 10) { afterTenth = read() }
    if count == rounds { atEnd = read() }
  }

  var isGrowing: Bool {
    guard let afterTenth, let atEnd else { return false }
    return isTooMuch(afterTenth, atEnd)
  }

  var summary: String {
    let verdict = isGrowing ? "FAILED: the \(name) grows" : "the \(name) is flat"
    return "\(verdict): \(text(of: afterTenth)) after a tenth, \(text(of: atEnd)) at the end"
  }

  private func text(of amount: Int?) -> String { amount.map(text) ?? "(unknown)" }
}
