import { Stop } from '../lib/run.mjs';

const NOTE = '<!-- made by `npm run docs`; do not edit -->';

/** Puts each section between its markers `<!-- name:start -->` and `<!-- name:end -->`. Each marker must occur exactly once. */
export function replaceSections(text, sections) {
  let result = text;
  for (const [name, content] of sections) {
    const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
    const parts = result.split(start);
    const rest = parts[1]?.split(end) ?? [];
    if (parts.length !== 2 || rest.length !== 2)
      throw new Stop(`docs/clients.md must have ${start} and ${end} once each, in this order.`);
    result = `${parts[0]}${start}\n${NOTE}\n\n${content}\n\n${end}${rest[1]}`;
  }
  return result;
}
