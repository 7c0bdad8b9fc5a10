import Pebbles

/// A single load of a section. Its pages are pebbles of nested ponds, created when the pages become
/// known.
///
/// A run has only the pebbles that its pond had when the run started. A new run therefore starts
/// each time pages become known. The first run loads the first page. Once the size or the token of
/// that page is known, the next run loads the next page, or several pages if the paging rule has
/// `ahead`.
struct SectionLoad<Model: Decodable & Identifiable & Sendable>: Sendable {
  let source: PageSource<Model>
  let log: SectionLog
  let clock: any Clock<Duration>

  private var section: Section<Model> { source.section }

  /// Loads the section.
  ///
  /// - Throws: ``SectionFailure`` with the content loaded before the failure.
  func content() async throws -> SectionContent<Model> {
    var sequence = PageSequence(section.paging, mostPages: source.limits.pages)
    var collected = Collected()
    do {
      while !sequence.known.isEmpty {
        guard try await loadKnown(of: &sequence, into: &collected) else { break }
      }
      return collected.content
    } catch {
      let content = collected.content
      log.pageFailed(
        section.identifier, page: content.pageCount, index: content.items.count, error)
      throw SectionFailure(content, error)
    }
  }

  /// The content loaded so far, with the identifiers of its items.
  private struct Collected {
    var content = SectionContent<Model>()
    var identifiers: Set<Model.ID> = []

    /// Adds the new items of a page, unless the total number of items would exceed the limit.
    ///
    /// - Returns: The new items; `nil` if the limit would be exceeded.
    mutating func add(_ items: [Model], upTo limit: Int) -> [Model]? {
      let new = items.filter { identifiers.insert($0.id).inserted }
      guard content.items.count + new.count <= limit else { return nil }
      content.items += new
      content.pageCount += 1
      content.duplicateCount += items.count - new.count
      return new
    }
  }

  /// Requests the known pages.
  ///
  /// - Returns: Whether there may be more pages.
  private func loadKnown(
    of sequence: inout PageSequence, into collected: inout Collected
  ) async throws -> Bool {
    let pond = Pond(section.identifier)
    let room = source.limits.items - collected.content.items.count
    let pebbles = sequence.known.map { page in
      let request = request(for: page)
      return pond.pebble("page \(page.index + 1)", .traits(section.requestTraits(request))) {
        try await source.page(request, room: room)
      }
    }
    let report = try await pond.run(clock: clock)
    for pebble in pebbles {
      switch report.outcome(of: pebble) {
      case .succeeded:
        let page = try report.value(of: pebble)
        guard try take(page, of: &sequence, into: &collected) else { return false }
      case .failed(let error): throw error
      case .skipped(.disabled): return false
      // Only a cancellation can skip a page that waits for nothing.
      case .skipped: throw CancellationError()
      }
    }
    return true
  }

  private func take(
    _ page: PageDocument<Model>, of sequence: inout PageSequence, into collected: inout Collected
  ) throws -> Bool {
    let (number, index) = (collected.content.pageCount, collected.content.items.count)
    guard let new = collected.add(page.items, upTo: source.limits.items) else {
      throw SectionError(
        section: section.identifier, page: number, .tooManyItems(source.limits.items))
    }
    log.pageLoaded(
      section.identifier, page: number, index: index, item: new.first.map { "\($0.id)" },
      count: new.count)
    let step = sequence.pageArrived(
      count: page.items.count, newCount: new.count, token: page.token)
    switch step {
    case .goOn:
      return true
    case .ended:
      collected.content.isComplete = true
      return false
    case .failed(let problem):
      throw SectionError(section: section.identifier, page: number, problem)
    }
  }

  private func request(for page: PageSequence.Page) -> SectionRequest {
    let url =
      switch section.source {
      case .url(let url): url
      case .local: "local"
      }
    return SectionRequest(
      section.identifier, page, section.paging, url: url, headers: section.headers)
  }
}
