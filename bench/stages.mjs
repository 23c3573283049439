/** What Chaperone itself says of the stages of its calls, summed by tool. */
import { median } from './statistics.mjs';

/** Fewer calls say little. */
const MIN_CALLS = 10;

export function createStageTimes() {
  const byTool = new Map();
  return {
    add(tool, times) {
      const all = byTool.get(tool);
      if (all === undefined) byTool.set(tool, [times]);
      else all.push(times);
    },
    /** A line a tool: medians in milliseconds, longest stage first, then how often and for how long the desktop was used. */
    lines() {
      return [...byTool].filter(([, all]) => all.length >= MIN_CALLS).map(([tool, all]) => summary(tool, all));
    },
  };
}

function summary(tool, all) {
  const stages = medians(all.map(({ stages }) => stages.map(({ stage, ms }) => [stage, ms])));
  const uses = medians(all.map(({ desktop }) => desktop.map(({ method, ms }) => [method, ms])));
  const calls = new Map(medians(all.map(({ desktop }) => desktop.map(({ method, calls }) => [method, calls]))));
  const parts = [
    stages.filter(([, ms]) => ms >= 0.1).map(([stage, ms]) => `${stage} ${ms.toFixed(1)}`),
    uses.map(([method, ms]) => `${method} ${calls.get(method)} × ${ms.toFixed(1)}`),
  ];
  const total = median(all.map(({ totalMs }) => totalMs)).toFixed(1);
  return `- \`${tool}\`, ${all.length} calls: ${total} ms. Stages: ${parts[0].join(', ')}. Desktop: ${parts[1].join(', ')}.`;
}

/** `all`: of each call `[name, value]` pairs; a name that a call lacks counts as 0. The largest first. */
function medians(all) {
  const maps = all.map((pairs) => new Map(pairs));
  const names = [...new Set(maps.flatMap((map) => [...map.keys()]))];
  return names
    .map((name) => [name, median(maps.map((map) => map.get(name) ?? 0))])
    .sort(([, one], [, other]) => other - one);
}
