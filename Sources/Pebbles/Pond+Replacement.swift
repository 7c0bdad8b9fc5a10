// For `PebblesTesting`, which replaces bodies. The code is here because it has to know how a body
// reads its inputs.
extension Pond {
  /// Returns a copy of the pond in which the body and the teardown of a pebble are replaced. If the
  /// pebble is a service, it is ready when the new body returns, and then continues until it is
  /// asked to stop.
  ///
  /// - Throws: `UnknownPebbleError` if the pond does not have the pebble.
  package func copy<Output: Sendable>(
    replacing pebble: Pebble<Output>, teardown: (@Sendable (Output) async throws -> Void)?,
    with body: @escaping @Sendable () async throws -> Output
  ) throws(UnknownPebbleError) -> Pond {
    let place = try place(of: pebble)
    let service = serviceBody(startingWith: { _ in OutputBox(try await body()) })
    return place.copy(
      Replacement(
        body: place.isService ? .none() : Body(body), service: place.isService ? service : nil,
        teardown: tearingDown(teardown)))
  }

  /// Returns a copy of the pond in which a pebble has a new teardown, and a new body that takes
  /// inputs. The pebble waits for these inputs as well as for its condition.
  ///
  /// - Throws: `UnknownPebbleError` if the pond does not have the pebble.
  package func copy<each Input: PebbleInput, Output: Sendable>(
    replacing pebble: Pebble<Output>, needs inputs: repeat each Input,
    teardown: (@Sendable (Output) async throws -> Void)?,
    with body: @escaping @Sendable (repeat (each Input).Value) async throws -> Output
  ) throws(UnknownPebbleError) -> Pond {
    let place = try place(of: pebble)
    let needs = (repeat (each inputs).need)
    var implied: [Condition] = []
    for need in repeat each needs { implied.append(need.condition) }
    guard !place.isService else {
      let service = serviceBody(startingWith: { inputs in
        OutputBox(try await body(repeat (each needs).value(in: inputs)))
      })
      return place.copy(
        Replacement(
          body: .none(), service: service, needs: implied, teardown: tearingDown(teardown)))
    }
    let wired = Body(wired: { inputs in try await body(repeat (each needs).value(in: inputs)) })
    return place.copy(
      Replacement(
        body: wired, service: nil, needs: implied, teardown: tearingDown(teardown)))
  }

  /// Returns a copy of the pond in which the body and the teardown of a service are replaced.
  ///
  /// - Throws: `UnknownPebbleError` if the pond does not have the pebble; `PondError` if the pebble
  ///   is not a service.
  package func copy<Output: Sendable>(
    replacingService pebble: Pebble<Output>,
    teardown: (@Sendable (Output) async throws -> Void)?,
    with body: @escaping @Sendable (ServiceReady<Output>) async throws -> Void
  ) throws -> Pond {
    let place = try place(of: pebble)
    if !place.isService {
      throw fault(of: pebble, "is not a service; replace its body with one that takes nothing")
    }
    return place.copy(
      Replacement(
        body: .none(), service: serviceBody { ready, _ in try await body(ready) },
        teardown: tearingDown(teardown)))
  }

  private func place<Output>(of pebble: Pebble<Output>) throws(UnknownPebbleError) -> Place {
    let contents = definition.snapshot()
    let graph = PondGraph(contents)
    guard let position = graph.position(of: pebble) else { throw graph.error(for: pebble) }
    return Place(contents: contents, position: position)
  }

  private func fault<Output>(of pebble: Pebble<Output>, _ problem: String) -> PondError {
    PondError(pondName: name, faults: [.invalidOption(pebble: pebble.name, problem: problem)])
  }
}

/// A pebble in a snapshot of its pond.
private struct Place {
  let contents: DefinitionSnapshot
  let position: Int

  var isService: Bool { contents.options[UInt32(position)]?.isService ?? false }

  func copy(_ replacement: consuming Replacement) -> Pond {
    Pond(PondDefinition.copy(of: contents, replacing: position, with: replacement))
  }
}
