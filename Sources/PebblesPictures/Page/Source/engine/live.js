// A run that is under way: a run with pebbles that have not settled yet.

class LiveRun extends Run {
  /// Creates a run that is in a phase and has taken the elapsed time so far. The states of its
  /// pebbles come with the first status.
  constructor({ pond, phase, elapsed }) {
    const pebbles = pond.pebbles.map(({ name }) => ({ name, finished: 0 }));
    super({ pond, pebbles, makespan: elapsed, nested: [] });
    Object.assign(this, { isLive: true, isChanged: true, phase, tornDown: new Set() });
    this.settle();
  }

  /// Processes an event from the server. Returns `false` if the page cannot use the event and has
  /// to ask for a new status.
  take(kind, data) {
    if (kind === 'status') return this.takeStatus(data);
    // The status includes older events. A run that keeps some of its events for later observers
    // tells each of them that older ones were dropped.
    if (kind === 'dropped') return data.time <= this.statusTime;
    this.makespan = Math.max(this.makespan, data.time);
    const pebble = this.positions.get(data.pebble), record = this.record(pebble);
    this.isChanged = true;
    if (record) this.takeEvent(kind, data, pebble, record);
    else if (kind === 'runEnded') {
      this.phase = data.isCancelled || data.hasFailed ? 'failed' : 'over';
    } else if (kind === 'shutdownBegan') this.phase = 'shuttingDown';
    else if (kind === 'shutdownEnded') this.phase = 'shutDown';
    return true;
  }

  takeStatus({ phase, elapsed, pebbles, running }) {
    if (pebbles.some(({ name }, k) => name !== this.names[k]) || pebbles.length !== this.count) {
      return false;
    }
    this.isChanged = true;
    this.phase = phase;
    this.makespan = this.statusTime = elapsed;
    this.tornDown = new Set();
    const up = new Set(running.map(({ name }) => name));
    const isStopping = phase === 'shuttingDown' || phase === 'shutDown';
    this.document.pebbles = pebbles.map((pebble, position) => {
      const record = this.recordOf(pebble, position);
      if (this.isService(position)) record.isStopping = isStopping;
      // The status does not contain the time at which the service ended.
      if (this.isService(position) && record.outcome === 'succeeded' && !up.has(pebble.name)) {
        record.service = { end: { time: elapsed, asked: isStopping } };
      }
      return record;
    });
    return true;
  }

  recordOf({ name, state, ready, started, finished, cause, attempts }, position) {
    const isSettled = outcomeNames.includes(state.kind), reason = state.skipReason;
    return {
      name, ready, started, finished: finished ?? 0, attempts,
      outcome: isSettled ? state.kind : undefined, decidedBy: this.positions.get(cause),
      error: state.error, reason: reason?.kind, waitingOn: this.places(reason?.waitingOn),
      case: this.casePlaces(position, state.cases), kept: state.kept, waitingFor: state.waitingFor,
      limits: state.limits,
    };
  }

  places(names) { return names?.flatMap(name => this.positions.get(name) ?? []); }

  casePlaces(position, cases) {
    const own = this.pond.pebbles[position].cases ?? [];
    return cases?.map(one => own.findIndex(({ kind, name }) =>
      kind === one.kind && (kind === 'timedOut' || name === one.name))).filter(place => place >= 0);
  }

  /// Processes an event about a pebble. The status may already include the event, so processing the
  /// event never sets the pebble back to an earlier state.
  takeEvent(kind, data, pebble, record) {
    const { time, error } = data, isSettled = record.outcome !== undefined;
    if (kind === 'serviceEnded') {
      record.service = { ...record.service, end: { time, error, asked: record.isStopping } };
    } else if (kind === 'serviceRestarted') {
      const again = (record.service?.restartCount ?? 0) + 1;
      record.service = { restartCount: again };
      // A service that restarts with another one was asked to stop first.
      record.isStopping = false;
    } else if (kind === 'stopRequested') record.isStopping = true;
    else if (kind === 'teardownEnded') this.tornDown.add(pebble);
    else if (isSettled) return;
    else if (kind === 'ready') {
      record.ready ??= time;
      delete record.waitingFor;
    } else if (kind === 'attemptStarted') {
      record.ready ??= time;
      record.started ??= time;
      record.calledAt = time;
    } else if (kind === 'attemptFailed') this.endAttempt(record, time, error, data.attempt);
    else if (kind === 'settled') this.settleRecord(data, pebble, record);
  }

  endAttempt(record, finished, error, number) {
    const attempts = record.attempts ??= [];
    if (attempts.length >= number) return;
    attempts.push({ started: record.calledAt ?? attempts.at(-1)?.finished ?? record.started,
      finished, error });
  }

  settleRecord({ time, outcome, error, skipReason, cases, cause }, pebble, record) {
    const { attempts } = record, last = attempts?.at(-1);
    // The success is that of a last call, which may have begun before the status was read.
    const isCalled = outcome === 'succeeded' ? last?.error !== undefined
      : record.calledAt > last?.started;
    Object.assign(record, { outcome, error, finished: time, reason: skipReason?.kind,
      decidedBy: this.positions.get(cause), waitingOn: this.places(skipReason?.waitingOn),
      case: this.casePlaces(pebble, cases) });
    if (outcome === 'skipped') {
      delete record.ready;
      delete record.started;
    } else {
      record.started ??= time;
      record.ready ??= record.started;
      const started = record.calledAt ?? last?.finished;
      if (isCalled) attempts.push({ started, finished: time, error });
    }
  }

  /// Copies the changed records into the columns.
  settle() {
    if (!this.isChanged) return;
    this.isChanged = false;
    const { pebbles } = this.document;
    this.held = pebbles.map(pebble => pebble.case);
    pebbles.forEach((pebble, k) => {
      const place = outcomeNames.indexOf(pebble.outcome);
      this.outcomes[k] = place < 0 ? unsettled : place;
      this.ready[k] = pebble.ready ?? NaN;
      this.started[k] = pebble.started ?? NaN;
      this.finished[k] = place < 0 ? this.makespan : pebble.finished;
      this.causes[k] = pebble.decidedBy ?? -1;
    });
    this.knownEnds = this.knownChain = this.knownSpans = undefined;
    this.countEnds();
    this.last = this.lastToEnd();
  }

  /// Extends the run, and all pebbles that have not settled, to the given time.
  advance(now) {
    this.makespan = Math.max(this.makespan, now);
    this.knownSpans = undefined;
    for (let k = 0; k < this.count; k++) {
      if (this.outcomes[k] === unsettled) this.finished[k] = this.makespan;
    }
  }

  get endsSoFar() {
    const reasons = this.document.pebbles.map(({ reason }) => reason);
    const network = this.outcomes.includes(skipped) ? this.network : null;
    return endsOf(network, this.outcomes, reasons, this.held).map((end, k) =>
      end !== unsettled ? end : this.started[k] >= 0 ? isRunning : isWaiting);
  }

  get settledCount() { return this.count - this.counts[isRunning] - this.counts[isWaiting]; }

  /// Returns the names of the pebbles that a pebble waits for: those in the last status, without
  /// those that have settled since.
  waitingFor(pebble) {
    return (this.record(pebble).waitingFor ?? [])
      .filter(name => this.isOpen(this.positions.get(name)));
  }

  /// The running pebbles, longest running first.
  get awaitedNow() {
    const running = [];
    this.ends.forEach((end, pebble) => { if (end === isRunning) running.push(pebble); });
    return running.sort((one, other) => this.started[one] - this.started[other]);
  }

  /// The services that are up and have yet to be stopped.
  get upNow() {
    return [...this.names.keys()].filter(pebble => this.isService(pebble)
      && this.outcomes[pebble] === succeeded && !this.record(pebble).service?.end);
  }
}
