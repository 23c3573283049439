/** The processor time that the main thread of a page takes for each frame. What else the machine does changes it far less than the time between frames. */

const CATEGORIES = ['-*', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'rail'];

/** Milliseconds for each frame of `page` while `work` runs. */
export async function mainThreadFrames(browser, page, work) {
  await browser.startTracing(page, { categories: CATEGORIES });
  let trace;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  return framesOf(JSON.parse(trace.toString()).traceEvents);
}

/** All tasks from one frame's start to the next, of the thread with the most frames: that of the page in front. */
function framesOf(events) {
  const starts = events.filter(({ name }) => name === 'PageAnimator::serviceScriptedAnimations');
  const framesIn = (thread) => starts.filter((event) => threadOf(event) === thread).map(({ ts }) => ts);
  const threads = [...new Set(starts.map(threadOf))];
  const [front] = threads.toSorted((one, other) => framesIn(other).length - framesIn(one).length);
  const frames = framesIn(front).toSorted((one, other) => one - other);
  const taken = new Array(Math.max(0, frames.length - 1)).fill(0);
  for (const event of events) {
    if (event.name !== 'RunTask' || threadOf(event) !== front) continue;
    // A frame's own task begins a little before it.
    const index = frames.findLastIndex((start) => start < event.ts + event.dur);
    // A thread's clock that goes in steps may say more than has passed.
    if (index >= 0 && index < taken.length) taken[index] += Math.min(event.tdur, event.dur) / 1_000;
  }
  return taken;
}

const threadOf = ({ pid, tid }) => `${pid} ${tid}`;
