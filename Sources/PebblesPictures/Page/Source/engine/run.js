// A run as columns: each property of the pebbles is a typed array, so that a hundred thousand
// pebbles are a few arrays and not a hundred thousand objects.

const succeeded = 0, failed = 1, skipped = 2, unsettled = 255;
const outcomeNames = ['succeeded', 'failed', 'skipped'];

class Run {
  /// Creates a run. `document` is a run in the documented JSON format. `waits` contains the pebble
  /// that each pebble waited for last, as computed by the analysis; if it is missing, the pebble
  /// that decided the condition is used instead.
  constructor(document, waits) {
    const { pond, pebbles } = document, count = pebbles.length;
    this.document = document;
    this.pond = pond;
    this.count = count;
    this.makespan = document.makespan;
    this.names = pebbles.map(pebble => pebble.name);
    this.outcomes = Uint8Array.from(pebbles, pebble => outcomeNames.indexOf(pebble.outcome));
    // The places of the cases that hold for each pebble.
    this.held = pebbles.map(pebble => pebble.case);
    this.ready = Float64Array.from(pebbles, pebble => pebble.ready ?? NaN);
    this.started = Float64Array.from(pebbles, pebble => pebble.started ?? NaN);
    this.finished = Float64Array.from(pebbles, pebble => pebble.finished);
    this.causes = Int32Array.from(pebbles, pebble => pebble.decidedBy ?? -1);
    this.awaited = waits ? Int32Array.from(waits.awaited) : this.causes;
    this.waitKinds = waits ? waits.kinds : '';
    this.last = waits ? waits.last : this.lastToEnd();
    this.countEnds();
  }

  countEnds() {
    this.counts = endNames.map(() => 0);
    for (const end of this.ends) this.counts[end]++;
  }

  get positions() {
    return this.knownPositions ??= new Map(this.names.map((name, position) => [name, position]));
  }

  get network() { return this.knownNetwork ??= new Network(this.pond); }

  /// The end of each pebble. The different kinds of skips are different ends.
  get ends() {
    return this.knownEnds ??= this.isLive ? this.endsSoFar : endsOf(
      this.outcomes.includes(skipped) ? this.network : null, this.outcomes,
      this.document.pebbles.map(({ reason }) => reason), this.held);
  }

  get readers() { return this.knownReaders ??= new Readers(this.network); }

  /// Returns whether a pebble has started. This includes pebbles that were given or kept, although
  /// their bodies were not called.
  hasRun(pebble) { return this.outcomes[pebble] !== skipped && this.started[pebble] >= 0; }

  /// Returns whether a pebble has not settled yet. In a run that has ended, all pebbles have
  /// settled.
  isOpen(pebble) { return this.outcomes[pebble] === unsettled; }

  isService(pebble) { return this.pond.pebbles[pebble].service; }

  caseText(pebble, word, held) { return caseText(this.pond.pebbles[pebble], word, held); }

  /// Returns the outcome of a pebble that ran, with its cases: `failed as locked`.
  ending(pebble) {
    return this.caseText(pebble, outcomeNames[this.outcomes[pebble]], this.held[pebble]);
  }

  /// Returns the sign for the end of a pebble.
  mark(pebble) { return endMarks[this.ends[pebble]]; }

  /// Returns the style name for the end of a pebble.
  style(pebble) {
    return styleOf(this.ends[pebble]);
  }

  took(pebble) { return this.hasRun(pebble) ? this.finished[pebble] - this.started[pebble] : 0; }

  waited(pebble) {
    if (this.hasRun(pebble)) return this.started[pebble] - this.ready[pebble];
    return this.isOpen(pebble) && this.ready[pebble] >= 0
      ? this.finished[pebble] - this.ready[pebble] : 0;
  }

  /// Returns the time at which the condition of a pebble was decided.
  decided(pebble) {
    return this.ready[pebble] >= 0 && this.outcomes[pebble] !== skipped
      ? this.ready[pebble] : this.finished[pebble];
  }

  /// Returns the time until which a pebble is visible: a service may be up until the end of the
  /// run.
  until(pebble) { return Math.max(this.finished[pebble], this.upUntil(pebble)); }

  /// The time span in which each pebble is visible, as two columns: `from` and `to`.
  get spans() {
    if (this.knownSpans) return this.knownSpans;
    const from = new Float64Array(this.count), to = new Float64Array(this.count);
    for (let pebble = 0; pebble < this.count; pebble++) {
      from[pebble] = this.decided(pebble);
      to[pebble] = this.until(pebble);
    }
    return this.knownSpans = { from, to };
  }

  /// Returns the time at which a service that had become ready went down, or the end of the run if
  /// it was still up or the time is not known; 0 for other pebbles.
  upUntil(pebble) {
    if (!this.isService(pebble) || this.outcomes[pebble] !== succeeded) return 0;
    return Math.min(this.serviceEnd(pebble)?.time ?? this.makespan, this.makespan);
  }

  /// Returns how a service's body ended when it was last called; `undefined` if it has not ended. The
  /// time is left out for a kept service, because it is a time of an earlier run.
  serviceEnd(pebble) {
    const { service, kept } = this.record(pebble), { end, restarts } = service ?? {};
    if (!end || restarts?.at(-1)?.time > end.time) return undefined;
    return kept === undefined ? end : { ...end, time: undefined };
  }

  record(pebble) { return this.document.pebbles[pebble]; }

  isGiven(pebble) { return this.pond.pebbles[pebble].given; }

  /// Returns the reason why a pebble succeeded without a call of its body; a false value for other
  /// pebbles.
  origin(pebble) {
    const { kept } = this.record(pebble);
    if (kept === true) return 'kept from an earlier run';
    if (kept !== undefined) return `kept from run ${shortened(kept)}`;
    return this.hasRun(pebble) && this.isGiven(pebble) && 'given';
  }

  lastToEnd() {
    let last = -1;
    for (let pebble = 0; pebble < this.count; pebble++) {
      if (!this.hasRun(pebble)) continue;
      if (last < 0 || this.finished[pebble] >= this.finished[last]) last = pebble;
    }
    return last;
  }

  /// Returns the history of a service after it had become ready, as text; empty for other pebbles.
  serviceText(pebble) {
    if (!this.isService(pebble) || this.outcomes[pebble] !== succeeded) return '';
    const { service, kept } = this.record(pebble), end = this.serviceEnd(pebble);
    const again = service?.restartCount ?? service?.restarts?.length ?? 0;
    const times = again ? `, started again ${again > 1 ? `${again} times` : 'once'}` : '';
    const at = word => end.time === undefined ? '' : ` ${word} ${brief(end.time)}`;
    const now = end && service.down ? `, down${at('since')}`
      : end ? `, ${end.asked ? 'stopped' : 'ended'}${at('at')}`
        : this.document.shutdown && !this.isLive ? ', stopped in the shutdown' : ', still up';
    const ready = kept === undefined
      ? `ready after ${brief(this.took(pebble))}` : this.origin(pebble);
    return ready + times + now;
  }

  /// Returns the longest chain to a pebble, from this pebble back to a pebble that waited for
  /// nothing.
  chain(to) {
    const chain = [];
    for (let pebble = to; pebble >= 0 && chain.length < this.count; pebble = this.awaited[pebble]) {
      chain.push(pebble);
    }
    return chain;
  }

  get longestChain() { return this.knownChain ??= this.chain(this.last); }

  /// Returns the letter for the kind of a pebble's last wait: `d` for a dependency, `l` for a
  /// limit, `m` for the main actor, `s` for a stall.
  waitKind(pebble) { return this.waitKinds[pebble] ?? 'd'; }
}

const isTime = value => Number.isFinite(value) && value >= 0;

/// Returns the document of a run, given the text of a file. The file can be the document itself, or
/// a page that contains it. Returns `null` if the file contains no run.
function documentIn(text) {
  const element = / id="run">([^<]*)</.exec(text);
  try {
    const document = JSON.parse(element ? element[1] : text), { pond, pebbles } = document;
    const isRun = document.format === 'pond run' && document.version === 1
      && isTime(document.makespan) && pond.pebbles.length === pebbles.length
      && pebbles.every(({ name, outcome, started, finished }) =>
        typeof name === 'string' && outcomeNames.includes(outcome) && isTime(finished)
        && (outcome === 'skipped' || isTime(started)));
    return isRun ? document : null;
  } catch {
    return null;
  }
}
