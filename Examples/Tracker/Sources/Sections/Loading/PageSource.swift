import Foundation
import Pebbles

/// The pages of a section. Each is loaded as a whole or not at all.
struct PageSource<Model: Decodable & Identifiable & Sendable>: Sendable {
  let section: Section<Model>
  let answers: any PageAnswering
  let limits: SectionLimits

  // Returns a page. `room` is the number of further items that the section may have.
  func page(_ request: SectionRequest, room: Int) async throws -> PageDocument<Model> {
    do {
      return try await document(request, room)
    } catch PageProblem.tooManyItems {
      // Together with the items of earlier pages, there are more than the limit.
      throw SectionError(request, .tooManyItems(limits.items))
    } catch let problem as PageProblem {
      throw SectionError(request, problem)
    }
  }

  private func document(
    _ request: SectionRequest, _ room: Int
  ) async throws -> PageDocument<Model> {
    let layout = PageLayout(
      items: section.keyPath, token: section.paging.tokenFinder, mostItems: room)
    switch section.source {
    case .local(let data):
      guard data.count <= limits.bytesPerPage else {
        throw PageProblem.tooManyBytes(limits.bytesPerPage)
      }
      return try PageDocument(data, layout, section.makeDecoder())
    case .url:
      let (data, cursor) = try await answer(to: request)
      let page = try PageDocument<Model>(data, layout, section.makeDecoder())
      return PageDocument(items: page.items, token: cursor ?? page.token)
    }
  }

  /// Requests a page.
  ///
  /// - Returns: The body, and the cursor for the next page if the answer has one.
  private func answer(to request: SectionRequest) async throws -> (Data, cursor: String?) {
    let answer: PageAnswer
    do {
      answer = try await answers.answer(to: request, mostBytes: limits.bytesPerPage)
    } catch let problem as PageProblem {
      throw problem
    } catch {
      // A cancelled request has not failed.
      try Task.checkCancellation()
      throw PageProblem.noAnswer("\(error)")
    }
    guard answer.status == 200 else {
      throw PageProblem.status(
        answer.status, reason: answer.reason, retryAfter: answer.headers["retry-after"])
    }
    guard answer.body.count <= limits.bytesPerPage else {
      throw PageProblem.tooManyBytes(limits.bytesPerPage)
    }
    return (answer.body, section.paging.cursorHeader.flatMap { answer.headers[$0.lowercased()] })
  }
}

extension PageDocument {
  init(items: [Model], token: String?) {
    self.items = items
    self.token = token
  }
}
