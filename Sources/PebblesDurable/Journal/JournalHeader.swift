import Pebbles
import PebblesAnalysis

/// The first line of a journal. It contains the name and version of the format, the checksum of a
/// JSON object, and the JSON object.
///
/// ```
/// pond-journal 1 3f1c22aa {"run": "5e2a…", "syncs": false, "pond": {"format": "pond", …}}
/// ```
struct JournalHeader {
  /// The identifier of the run.
  let run: String

  /// Whether the process that created the journal flushed the entry for each finished body or
  /// teardown to the disk before the run acted on it. A later process does the same if an earlier
  /// one did, or if its own `Journal` must survive a power loss.
  let syncs: Bool

  /// The logic of the pond, as JSON on one line.
  let pond: [UInt8]

  static let version = 1
  static let lineBreak = UInt8(ascii: "\n")
  private static let name = "pond-journal "

  /// The key that precedes the logic of the pond. The logic is the last member of the JSON object,
  /// so that it can be compared without being parsed.
  private static let keyOfPond = Array(", \"pond\": ".utf8)

  /// The whole line, including its line break.
  var bytes: [UInt8] {
    var writer = JSONWriter(breaksLines: false)
    writer.object { writer in
      writer.member("run", run)
      writer.member("syncs", syncs)
    }
    var rest = writer.bytes.dropLast() + Self.keyOfPond + pond
    rest.append(UInt8(ascii: "}"))
    let checksum = String(decoding: Checksum.text(of: rest), as: UTF8.self)
    return Array("\(Self.name)\(Self.version) \(checksum) ".utf8) + rest + [Self.lineBreak]
  }

  /// Returns whether the given bytes begin with the name of the journal format.
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: name.utf8) }

  /// Reads a header.
  ///
  /// - Returns: The header and its length in bytes; `nil` if there are no bytes, or if they are
  ///   only the beginning of a header.
  static func read(
    _ bytes: [UInt8]
  ) throws(JournalReader.Fault) -> (header: JournalHeader, length: Int)? {
    guard begins(bytes) || name.utf8.starts(with: bytes) else { throw .notAJournal }
    guard let end = bytes.firstIndex(of: lineBreak) else { return nil }
    let parts = bytes[..<end].split(
      separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count > 1, let version = Int(String(decoding: parts[1], as: UTF8.self)),
      version >= 1
    else { throw .notAJournal }
    guard version == self.version else { throw .newerVersion(version) }
    guard parts.count == 4 else { throw .damaged("line 1 is incomplete") }
    let rest = parts[3]
    guard parts[2].elementsEqual(Checksum.text(of: rest)) else {
      throw .damaged("line 1 does not match its checksum")
    }
    do throws(JSONError) {
      return (try JournalHeader(rest), end + 1)
    } catch {
      throw .damaged("line 1 cannot be read: \(error.problem)")
    }
  }

  /// Returns the model of the pond.
  ///
  /// - Throws: `JournalReader.Fault` if the logic of the pond is damaged.
  func model() throws(JournalReader.Fault) -> PondModel {
    do throws(JSONError) {
      return try PondModel(json: pond, limits: .none)
    } catch {
      throw .damaged("line 1 holds no pond: \(error)")
    }
  }

  private init(_ line: ArraySlice<UInt8>) throws(JSONError) {
    // Names of pebbles may contain this key, but the members before the logic do not.
    let start = line.firstRange(of: Self.keyOfPond)?.upperBound ?? line.endIndex
    pond = Array(line[start...].dropLast())
    let end = max(line.startIndex, start - Self.keyOfPond.count)
    let fields = try JSONDocument(Array(line[..<end]) + Array("}".utf8), limits: .none).root
      .object(["run", "syncs"])
    run = try fields.required("run").string()
    syncs = try fields.required("syncs").bool()
  }

  init(run: String, syncs: Bool, pond: [UInt8]) {
    self.run = run
    self.syncs = syncs
    self.pond = pond
  }
}
