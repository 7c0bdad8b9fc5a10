// Follows a run that is under way: the events from the server, and the time that passes between
// them.

const liveEvents = ['status', 'ready', 'attemptStarted', 'attemptFailed', 'settled', 'serviceEnded',
  'serviceRestarted', 'stalled', 'runEnded', 'shutdownBegan', 'stopRequested', 'teardownStarted',
  'teardownEnded', 'shutdownEnded', 'dropped'];

class Live {
  constructor(inspector, address) {
    Object.assign(this, { inspector, address, run: inspector.run, isLost: false });
    // The clocks of the server and of this computer may differ, so only the time since the last
    // status is used.
    this.base = performance.now() - this.run.makespan / 1e6;
    this.moves = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.drawn = -Infinity;
    this.connect();
    this.next();
  }

  get isUnderWay() { return ['booting', 'shuttingDown'].includes(this.run.phase); }

  connect() {
    this.source?.close();
    const source = this.source = new EventSource(this.address);
    for (const kind of liveEvents) {
      source.addEventListener(kind, event => this.hear(kind, event.data));
    }
    source.addEventListener('over', () => this.load());
    source.addEventListener('error', () => this.lose(source));
  }

  /// Processes an event. If the event cannot be understood, the page connects again or, if the
  /// event is a status, loads again.
  hear(kind, text) {
    const { run } = this;
    let isUnderstood = false;
    try {
      isUnderstood = run.take(kind, JSON.parse(text));
    } catch { /* then it is not */ }
    if (!isUnderstood) return kind === 'status' ? this.load() : this.connect();
    if (kind === 'status') {
      this.isLost = false;
      this.base = performance.now() - run.makespan / 1e6;
    }
    if (kind === 'settled') this.announce(JSON.parse(text));
    if (this.isStopped) this.next();
  }

  announce({ pebble, outcome, error }) {
    if (outcome === 'failed') say(`${shortened(pebble)} failed${because(error ?? '')}`);
  }

  /// Shows that the connection is lost. The browser then tries again, unless the server has refused
  /// the connection.
  lose(source) {
    this.isLost = true;
    showProgress(this.inspector, true);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => this.connect(), 2000);
  }

  /// Loads the page again, because the server has another page now. If the server returns the same
  /// page, that page loads again after a second.
  load() {
    this.source.close();
    setTimeout(() => location.reload(), Math.max(0, 1000 - performance.now()));
  }

  /// Draws with each frame, or once a second if the user prefers reduced motion. If drawing takes
  /// long, pauses for three times as long, so that a large run leaves time for the browser.
  next() {
    this.isStopped = !this.isUnderWay && !this.run.isChanged;
    if (this.isStopped) return;
    const again = () => { this.draw(), this.next(); };
    if (!this.moves) setTimeout(again, 1000);
    else if (this.took > 8) setTimeout(() => requestAnimationFrame(again), 3 * this.took);
    else requestAnimationFrame(again);
  }

  draw() {
    const { run, inspector, isLost } = this, begin = performance.now(), { isChanged } = run;
    if (isLost && !isChanged) return;
    run.settle();
    if (!isLost && this.isUnderWay) run.advance((begin - this.base) * 1e6);
    inspector.grow();
    if (isChanged) inspector.tell('run');
    else inspector.tell('time');
    if (isChanged || begin - this.drawn > 500) {
      this.drawn = begin;
      inspector.tell('glance');
    }
    showProgress(inspector, isLost);
    this.took = performance.now() - begin;
  }
}

/// Shows the progress of a run under way in place of the verdict.
function showProgress({ run }, isLost = false) {
  const { phase, makespan, counts } = run;
  const verdict = byID('verdict'), names = pebbles => pebbles.slice(0, 3).flatMap((pebble, k) =>
    [k ? ', ' : '', pebbleLink(run, pebble)]);
  const more = pebbles => pebbles.length > 3 ? ` and ${grouped(pebbles.length - 3)} more` : '';
  const isDown = phase === 'shuttingDown', awaited = isDown ? run.upNow : run.awaitedNow;
  const said = awaited.length ? [isDown ? ', to be stopped: ' : ', waiting for ', ...names(awaited),
    more(awaited)] : [];
  const words = { shuttingDown: 'shutting down', over: 'up', shutDown: 'shut down' };
  const state = words[phase] ?? phase;
  const title = `${shortened(run.pond.name, 120)} · ${state}`;
  if (document.title !== title) document.title = title;
  setText(byID('title'), title);
  const failures = counts[failed] ? `, ${grouped(counts[failed])} failed` : '';
  const count = `: ${grouped(run.settledCount)} of ${grouped(run.count)} settled${failures}`;
  const content = isLost
    ? [element('b', {}, 'No answer; trying again. '), `At ${brief(makespan)} it was ${state}${count}.`]
    : [element('b', {}, state), count, ...said, `, ${brief(makespan)}`];
  // If only the time has changed, the links are not replaced, because a user may be about to click
  // one.
  const key = content.map(part => part.textContent ?? part).slice(0, -1).join('');
  if (!isLost && verdict.dataset.key === key) return setText(byID('elapsed'), content.at(-1));
  verdict.dataset.key = isLost ? '' : key;
  if (!isLost) content.push(element('span', { id: 'elapsed' }, content.pop()));
  verdict.replaceChildren(...content);
}
