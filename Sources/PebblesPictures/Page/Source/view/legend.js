// What colours, shapes and lines stand for: those that there are in the view.

function showLegend({ run, view, earlier }) {
  const has = end => run.counts[end] > 0, sign = (style, text) => [style, text];
  const isAny = test => run.document.pebbles.some((record, pebble) => test(pebble, record));
  const timeline = () => [
    has(succeeded) && sign('succeeded bar', 'succeeded'),
    has(failed) && sign('failed bar', 'failed'),
    has(isRunning) && sign('running bar', 'running'),
    has(wasBlocked) && sign('blocked dot', 'blocked'),
    run.counts.some((count, end) => count && end > wasBlocked && end < isRunning)
      && sign('skipped dot', 'not needed, or not to run'),
    isAny(pebble => run.waited(pebble) > 0) && sign('wait', 'ready, waiting to start'),
    isAny((_, { attempts }) => attempts?.length > 1)
      && sign('succeeded bar tries', 'failed attempt, pause'),
    isAny(pebble => run.upUntil(pebble) > 0) && sign('tail', 'service that is up'),
    run.last >= 0 && sign('critical bar', 'longest chain'),
    earlier && sign('earlier', 'the earlier run'),
  ];
  const graph = () => [
    sign('line', 'reads that it succeeded'), sign('line dotted', 'that it failed'),
    sign('line dashed', 'either, or another end'), sign('line decisive', 'decided it'),
    sign('line false', 'did not hold, or was open'),
  ];
  const entries = (view === 'graph' ? graph() : timeline()).filter(Boolean);
  byID('legendList').replaceChildren(...entries.map(([style, text]) =>
    element('li', {}, legendSign(style), text)));
}

function legendSign(style) {
  if (style.startsWith('line')) {
    return drawing('svg', { width: 28, height: 10, 'aria-hidden': 'true' },
      drawing('path', { class: style, d: 'M1 5h24m-5-4l5 4l-5 4' }));
  }
  const [first, second] = style.split(' '), kind = second ?? first;
  const shape = element('span', { class: kind });
  if (style.endsWith('tries')) {
    shape.append(...['tried', 'pause'].map(part => element('i', { class: part })));
  }
  return element('span', { class: `swatch ${second ? first : ''}`, 'aria-hidden': 'true' }, shape);
}
