import Foundation
import PebblesTestSupport
import Testing

@testable import launches

@Suite(.watched) struct StoreTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = Store(path: folder.file("store.json"))
  }

  @Test func aStoreThatDoesNotExistYetIsEmpty() throws {
    #expect(try store.contents() == Store.Contents())
    #expect(try folder.names == [])
  }

  @Test func whatIsStoredIsReadBack() throws {
    let launch = sampleLaunch("a", cores: [CoreFlight(coreID: "c", flight: nil)])
    _ = try store.replace(\.launches, with: [launch], at: .today)
    _ = try store.replace(
      \.cores, with: [sampleCore("c", serial: "B1", launches: ["a"])], at: .today)

    let contents = try Store(path: store.path).contents()

    #expect(contents.launches.items == [launch])
    #expect(contents.launches.loadedAt == .today)
    #expect(contents.cores.byID["c"]?.serial == "B1")
    #expect(contents.cores.loadedAt == .today)
  }

  @Test func whatAFeedNoLongerHasIsGone() throws {
    let old = ["a", "b", "c"].map { sampleLaunch($0) }
    #expect(try store.replace(\.launches, with: old, at: .today) == 3)

    let new = [sampleLaunch("a"), sampleLaunch("b", name: "New"), sampleLaunch("d")]
    #expect(try store.replace(\.launches, with: new, at: .today) == 3)

    #expect(try store.contents().launches.items == new)
  }

  @Test func anEmptySourceEmptiesItsCollectionOnly() throws {
    _ = try store.replace(\.launches, with: [sampleLaunch("a")], at: .today)
    _ = try store.replace(\.cores, with: [sampleCore("c")], at: .today)

    #expect(try store.replace(\.launches, with: [], at: .today) == 0)

    #expect(try store.contents().launches.items.isEmpty)
    #expect(try store.contents().cores.items.count == 1)
  }

  @Test func nothingButTheStoreIsLeftInItsFolder() throws {
    _ = try store.replace(\.launches, with: [sampleLaunch("a")], at: .today)

    #expect(try folder.names == ["store.json"])
  }

  /// Checks several stores that use the same file. They share nothing but the file, like stores in
  /// several processes.
  @Test func noTransactionIsLostAndNoReaderSeesHalfOfOne() async throws {
    let path = store.path
    let small = (0..<10).map { sampleLaunch("\($0)") }
    let large = (0..<200).map { sampleCore("\($0)") }
    await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          _ = try Store(path: path).replace(\.launches, with: small, at: .today)
        }
        group.addTask {
          _ = try Store(path: path).replace(\.cores, with: large, at: .today)
        }
        group.addTask {
          for _ in 0..<10 {
            let contents = try Store(path: path).contents()
            #expect([0, 10].contains(contents.launches.items.count))
            #expect([0, 200].contains(contents.cores.items.count))
          }
        }
      }
      while let result = await group.nextResult() {
        #expect(throws: Never.self) { try result.get() }
      }
    }

    #expect(try store.contents().launches.items.count == 10)
    #expect(try store.contents().cores.items.count == 200)
  }

  @Test(arguments: ["", "{", "[]", "{}", #"{"version":1,"launches":{"items":[7]},"cores":{}}"#])
  func aDamagedStoreIsNamedAndLeftAsItIs(text: String) throws {
    _ = try folder.write(text, to: "store.json")

    #expect(throws: Problem.self) { try store.replace(\.cores, with: [], at: .today) }

    let error = #expect(throws: Problem.self) { try store.contents() }
    #expect(error?.description.contains(store.path) == true)
    #expect(error?.description.contains("--store") == true)
    #expect(try folder.text(of: "store.json") == text)
  }

  @Test func aStoreOfALaterVersionIsLeftAlone() throws {
    let text = #"{"version":2,"launches":{"items":[]},"cores":{"items":[]}}"#
    _ = try folder.write(text, to: "store.json")

    let error = #expect(throws: Problem.self) {
      try store.replace(\.cores, with: [sampleCore("c")], at: .today)
    }

    #expect(error?.description.contains("left as it is: it has version 2, not 1; ") == true)
    #expect(try folder.text(of: "store.json") == text)
  }

  @Test func aStoreBehindALinkStaysBehindIt() throws {
    let link = folder.file("link.json")
    _ = try store.replace(\.cores, with: [], at: .today)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)

    _ = try Store(path: link).replace(\.cores, with: [sampleCore("c")], at: .today)

    #expect(try store.contents().cores.items.count == 1)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == store.path)
  }

  @Test func aFolderThatDoesNotExistIsNamedWithWhatToDo() throws {
    let store = Store(path: folder.file("no-such-folder/store.json"))

    let error = #expect(throws: Problem.self) { try store.checkFolder() }
    #expect(throws: Problem.self) { try store.replace(\.cores, with: [], at: .today) }

    #expect(error?.description.contains("no-such-folder of the store does not exist; ") == true)
    #expect(error?.description.contains("--store") == true)
    #expect(try folder.names == [])
  }

  @Test(arguments: ["/dev/null", "/", "no-such-folder/store.json"])
  func aPlaceWhereNoFileCanBeIsAnErrorAndNotReplaced(path: String) throws {
    let store = Store(path: path.hasPrefix("/") ? path : folder.file(path))

    #expect(throws: Problem.self) {
      try store.replace(\.cores, with: [sampleCore("c")], at: .today)
    }

    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes?[.type] as? FileAttributeType != .typeRegular)
  }
}
