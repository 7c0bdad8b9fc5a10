import AsyncHTTPClient
import Sections
import Testing
import TrackerTestSupport

/// Tests for the records that loads and clicks write to the log.
@Suite struct SectionLogTests {
  @Test func everyPageIsARecord() async throws {
    let feed = Feed(Feed.items(10..<35), at: "items", paging: .token(key: "after", size: 10)) {
      $0 == 3 ? .status(500) : nil
    }
    let records = LogRecords()
    try await FeedServer.using(["/list": feed]) { server in
      try await HTTPClient.using { client in
        let loader = SectionLoader("screen", client: client, logger: records.logger)
        loader.add(
          Section(
            "\(server.url)/list", "items", Feed.Item.self, identifier: "list",
            paging: .token(key: "after")))
        _ = try await loader.refresh()
      }
    }

    let places = records.all.map { record in
      ["index", "identifier_of_section", "identifier_of_section_item", "count"].map {
        record.metadata[$0]
      }
    }
    #expect(
      places == [
        ["0", "list", "10", "10"], ["10", "list", "20", "10"], ["20", "list", "", nil],
      ])
    #expect(records.all.map(\.level) == [.info, .info, .warning])
    #expect(
      records.all.last?.metadata["error"]?.hasSuffix("answered 500 Internal Server Error") == true)
  }

  @Test func everyClickIsARecord() async throws {
    let records = LogRecords()
    try await HTTPClient.using { client in
      let loader = SectionLoader("screen", client: client, logger: records.logger)
      let list = loader.add(
        Section("http://127.0.0.1:1/list", "items", Feed.Item.self, identifier: "list"))

      loader.clicked(Feed.Item(id: 12, name: "item 12"), at: 2, in: list)
      loader.clicked(Feed.Item(id: 12, name: "item 12"), at: 2, in: list)
    }

    let click = [
      "index": "2", "identifier_of_section": "list", "identifier_of_section_item": "12",
    ]
    #expect(records.all.map(\.metadata) == [click, click])
    #expect(records.all.map(\.message).first == "an item of a section was clicked")
  }

  @Test func identifiersAreDataInLogs() async throws {
    struct Named: Decodable, Identifiable, Sendable {
      let id: String
    }
    let records = LogRecords()
    try await HTTPClient.using { client in
      let loader = SectionLoader("screen", client: client, logger: records.logger)
      let list = loader.add(Section("http://127.0.0.1:1/", "items", Named.self, identifier: "a\nb"))
      let hostile = "\u{1b}[2J\n" + String(repeating: "x", count: 1 << 20)

      loader.clicked(Named(id: hostile), at: 0, in: list)
    }

    let metadata = records.all.first?.metadata ?? [:]
    #expect(metadata["identifier_of_section"] == #"a\nb"#)
    #expect(metadata["identifier_of_section_item"]?.hasPrefix(#"\u{1B}[2J\n"#) == true)
    #expect((metadata["identifier_of_section_item"]?.count ?? 0) < 300)
  }

  @Test func aSectionIsCalledByItsPlaceWithoutWhatMayBeSecret() {
    let section = Section("https://h/users?token=secret#x", "collection.users", Feed.Item.self)

    #expect(section.identifier == "https://h/users#collection.users")
  }
}
