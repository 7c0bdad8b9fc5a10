// The start of the page: its data is read, and its parts are created.

function dataIn(id) {
  const holder = byID(id);
  if (!holder) return undefined;
  const data = JSON.parse(holder.textContent);
  // Otherwise, the text would stay in memory in addition to the data.
  holder.remove();
  return data;
}

function start() {
  const live = dataIn('live');
  const run = live ? new LiveRun(live) : new Run(dataIn('run'), dataIn('waits'));
  const inspector = new Inspector(run), earlier = dataIn('earlier-run');
  // This action must be the first for a change of the view, because later actions measure visible
  // elements.
  inspector.on('view', () => showView(inspector));
  const legendSoon = onceAFrame(() => showLegend(inspector));
  for (const change of ['view', 'rows', 'run', 'earlier']) inspector.on(change, legendSoon);
  const controls = new Controls(inspector), timeline = new Timeline(inspector);
  new Overview(inspector);
  const parts = {
    inspector, controls, timeline, graph: new Graph(inspector), detail: new Detail(inspector),
    tip: new Tip(inspector, timeline),
  };
  inspector.on('earlier', () => showVerdict(inspector));
  for (const view of ['timeline', 'graph']) {
    byID(`show-${view}`).addEventListener('click', () => inspector.show(view));
  }
  offerComparison(inspector);
  listenToKeys(parts);
  showVerdict(inspector);
  showOrigin(run);
  showLegend(inspector);
  byID('legend').open = innerWidth > 760;
  byID('compare').hidden = run.isLive;
  controls.apply();
  if (earlier) {
    inspector.earlier = new Earlier(run, earlier);
    inspector.tell('earlier');
  }
  const follow = () => inspector.pick(linkedPebble(run));
  addEventListener('hashchange', follow);
  follow();
  if (live) new Live(inspector, live.events);
  document.body.removeAttribute('aria-busy');
}

function showView({ view }) {
  for (const name of ['timeline', 'graph']) {
    byID(`show-${name}`).setAttribute('aria-pressed', name === view);
  }
  for (const id of ['rows', 'axis', 'grid']) byID(id).toggleAttribute('hidden', view === 'graph');
  byID('graph').hidden = view !== 'graph';
  for (const id of ['groups', 'lanes']) byID(id).hidden = view === 'graph';
}

start();
