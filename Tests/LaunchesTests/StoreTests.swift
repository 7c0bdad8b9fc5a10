import Foundation
import Testing

@testable import launches

@Suite struct StoreTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = Store(path: folder.file("store.json"), now: { .today })
  }

  @Test func aStoreThatDoesNotExistYetIsEmpty() throws {
    #expect(try store.contents() == StoreContents())
    #expect(try folder.names == [])
  }

  @Test func whatIsStoredIsReadBack() async throws {
    let launch = sampleLaunch("a", cores: [CoreFlight(coreID: "c", flight: nil)])
    _ = try await store.replace(\.launches, with: [launch])
    _ = try await store.replace(\.cores, with: [sampleCore("c", serial: "B1", launches: ["a"])])

    let contents = try Store(path: store.file.path, now: { .now }).contents()

    #expect(contents.launches.items == [launch])
    #expect(contents.launches.loadedAt == .today)
    #expect(contents.cores["c"]?.serial == "B1")
    #expect(contents.cores.loadedAt == .today)
  }

  @Test func changesAreCounted() async throws {
    let first = try await store.replace(\.launches, with: ["a", "b", "c"].map { sampleLaunch($0) })
    #expect(first == Changes(created: 3))
    #expect(first.description == "3 created")

    let second = try await store.replace(
      \.launches, with: [sampleLaunch("a"), sampleLaunch("b", name: "New"), sampleLaunch("d")])

    #expect(second == Changes(created: 1, updated: 1, deleted: 1, unchanged: 1))
    #expect(second.description == "1 created, 1 updated, 1 deleted, 1 unchanged")
    #expect(try store.contents().launches.items.map(\.id) == ["a", "b", "d"])
  }

  @Test func anEmptySourceEmptiesItsCollectionOnly() async throws {
    _ = try await store.replace(\.launches, with: [sampleLaunch("a")])
    _ = try await store.replace(\.cores, with: [sampleCore("c")])

    #expect(try await store.replace(\.launches, with: []) == Changes(deleted: 1))

    #expect(try store.contents().launches.items.isEmpty)
    #expect(try store.contents().cores.items.count == 1)
  }

  @Test func nothingButTheStoreIsLeftInItsFolder() async throws {
    _ = try await store.replace(\.launches, with: [sampleLaunch("a")])

    #expect(try folder.names == ["store.json"])
  }

  /// Several stores on one file are what several processes are: they share only the file.
  @Test func noTransactionIsLostAndNoReaderSeesHalfOfOne() async throws {
    let path = store.file.path
    let small = (0..<10).map { sampleLaunch("\($0)") }
    let large = (0..<200).map { sampleCore("\($0)") }
    await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          _ = try await Store(path: path, now: { .today }).replace(\.launches, with: small)
        }
        group.addTask {
          _ = try await Store(path: path, now: { .today }).replace(\.cores, with: large)
        }
        group.addTask {
          for _ in 0..<10 {
            let contents = try Store(path: path, now: { .today }).contents()
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
  func aDamagedStoreIsNamedAndLeftAsItIs(text: String) async throws {
    _ = try folder.write(text, to: "store.json")

    await #expect(throws: StoreError.self) { try await store.replace(\.cores, with: []) }

    let error = #expect(throws: StoreError.self) { try store.contents() }
    #expect(error?.description.contains(store.file.path) == true)
    #expect(error?.description.contains("--store") == true)
    #expect(try folder.text(of: "store.json") == text)
  }

  @Test func aStoreOfALaterVersionIsLeftAlone() async throws {
    let text = #"{"version":2,"launches":{"items":[]},"cores":{"items":[]}}"#
    _ = try folder.write(text, to: "store.json")

    await #expect(throws: StoreError.otherVersion(path: store.file.path, version: 2)) {
      try await store.replace(\.cores, with: [sampleCore("c")])
    }

    #expect(try folder.text(of: "store.json") == text)
  }

  @Test func aStoreBehindALinkStaysBehindIt() async throws {
    let link = folder.file("link.json")
    _ = try await store.replace(\.cores, with: [])
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.file.path)

    _ = try await Store(path: link, now: { .today }).replace(\.cores, with: [sampleCore("c")])

    #expect(try store.contents().cores.items.count == 1)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == store.file.path)
  }

  @Test func aFolderThatDoesNotExistIsNamedWithWhatToDo() async throws {
    let store = Store(path: folder.file("no-such-folder/store.json"), now: { .today })

    let error = await #expect(throws: StoreError.noFolder(path: folder.file("no-such-folder"))) {
      try await store.replace(\.cores, with: [])
    }

    #expect(error?.description.contains("no-such-folder of the store does not exist; ") == true)
    #expect(error?.description.contains("--store") == true)
    #expect(try folder.names == [])
  }

  @Test(arguments: ["/dev/null", "/", "no-such-folder/store.json"])
  func aPlaceWhereNoFileCanBeIsAnErrorAndNotReplaced(path: String) async throws {
    let store = Store(path: path.hasPrefix("/") ? path : folder.file(path), now: { .today })

    await #expect(throws: (any Error).self) {
      try await store.replace(\.cores, with: [sampleCore("c")])
    }

    #expect(try File(path: path).status()?.isRegularFile != true)
  }
}
