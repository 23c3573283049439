import { title, type Evidence, type EvidenceFileName } from '../../src/main/protocol/index.js';
import type { BrowserContextOptions, Page } from 'playwright';
import type { PageTests } from './page-test.js';
import { evidence, idOf, resultText, serveEvidence, traceText, windowPicture } from './record-samples.js';
import { verbatim } from '../../src/messages/index.js';

type Files = Partial<Record<EvidenceFileName, Buffer | string>>;

export const MAILS = ['Lease renewal', 'Invoice 1187', 'Your ticket', 'Two books'];

export async function filesOf(found: Evidence): Promise<Files> {
  return {
    'before.png': await windowPicture(MAILS),
    'after.png': await windowPicture(MAILS.slice(1)),
    'result.json': resultText(),
    'trace.jsonl': traceText(found.startedAt ?? ''),
  };
}

/** A paired page that shows this evidence. */
export async function openEvidence(
  pages: PageTests,
  found: Evidence = evidence(),
  files?: Files,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await pages.open({}, { viewport: { width: 1_280, height: 900 }, ...options });
  serveEvidence(pages.host(), found, files ?? (await filesOf(found)));
  await page.evaluate((id) => void (location.hash = `#/evidence/${id}`), idOf(41));
  await page.locator('.evidence').waitFor();
  return page;
}

const EVIL = `<img src=x onerror=alert(1)> \u202eevil\u200b ${'W'.repeat(9_000)}`;

/** Whatever an agent or an application has a word in says something evil. */
export function evilEvidence(): Evidence {
  const subject = { title: title('verbatim', { text: EVIL }), target: EVIL, app: EVIL, place: EVIL };
  const base = evidence();
  const agent = { id: EVIL, name: EVIL, tile: EVIL };
  const activity = base.activity && { ...base.activity, subject, note: verbatim(EVIL), agent };
  return evidence({
    activity, agent: { ...base.agent, name: EVIL }, tool: EVIL, requestId: EVIL, protocol: EVIL, workspace: EVIL, dir: EVIL,
    error: { code: EVIL, message: verbatim(EVIL) },
    decision: { kind: 'denied', by: EVIL, reason: EVIL, message: EVIL, at: EVIL, waitedMs: -1 },
    files: [...base.files, { name: 'ax.json', bytes: 9, fileState: 'as_written' }],
    previous: base.previous && { ...base.previous, activity },
  }); // prettier-ignore
}

export async function evilFiles(): Promise<Files> {
  const frame = { x: 1e308, y: -1e308, width: 1e308, height: 0 };
  let deep: object = { role: 5 };
  for (let depth = 0; depth < 300; depth += 1) deep = { role: EVIL, title: EVIL, frame, children: [deep] };
  const step = JSON.stringify({ at: EVIL, step: EVIL, [EVIL]: { a: [EVIL] } });
  return {
    'before.png': 'not a picture',
    'after.png': await windowPicture(MAILS),
    'ax.json': JSON.stringify({ tree: [deep] }),
    'trace.jsonl': `${step}\nnot json\n${'{}\n'.repeat(5_000)}`,
    'result.json': JSON.stringify({
      effect: { before: [EVIL, { EVIL }], after: EVIL },
      plan: { text: EVIL, notes: [EVIL], window: 7 },
    }),
  };
}
