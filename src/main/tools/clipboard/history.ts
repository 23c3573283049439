import { title, subjectWithoutPlace } from '../../protocol/index.js';
import * as z from 'zod';
import type { AnyAction } from '../../pipeline/action.js';
import { defineAction } from '../../pipeline/define.js';
import { sliceText } from '../../../base/slice-text.js';
import { withoutContent } from './kept.js';
import { planReadingOf } from './plans.js';
import type { ToolDeps } from '../tool.js';

const MAX_TOTAL_TEXT = 60_000;
const MIN_ENTRY_TEXT = 600;
const HISTORY = title('title.read_clipboard_history');

/** Fewer entries leave more text for each. */
export function clipboardHistory({ clipboard }: Pick<ToolDeps, 'clipboard'>): AnyAction {
  return defineAction({
    name: 'get_clipboard_history',
    title: 'Read earlier clipboards',
    description: 'What any program copied since you were first allowed this, newest first.',
    effect: 'disclose',
    needs: [],
    input: z
      .object({
        limit: z.number().int().min(1).max(100).default(20),
        offset: z.number().int().min(0).max(100).default(0),
      })
      .strict(),
    output: z.object({
      entries: z.array(
        z.object({
          copied_at: z.string(),
          types: z.array(z.string()),
          text: z.string(),
          truncated: z.boolean(),
          application: z.string().nullable(),
        }),
      ),
      total: z.number().int(),
      recording_since: z.string(),
    }),
    subject: () => subjectWithoutPlace(HISTORY),
    plan: ({ desktop }, _input, signal) => planReadingOf(HISTORY, desktop, signal),
    async run({ caller }, { limit, offset }) {
      const since = clipboard.record(caller.agent.id);
      const all = await clipboard.entries(caller.agent.id);
      const most = Math.max(MIN_ENTRY_TEXT, Math.floor(MAX_TOTAL_TEXT / limit));
      return {
        entries: all.slice(offset, offset + limit).map(({ copiedAt, types, text, truncated, application }) => ({
          copied_at: copiedAt,
          types,
          text: sliceText(text, most),
          truncated: truncated || text.length > most,
          application: application?.name ?? null,
        })),
        total: all.length,
        recording_since: since,
      };
    },
    text: ({ entries, total, recording_since: since }) =>
      [
        `${total} since ${since}${total === 0 ? ': nothing was copied yet that may be shown.' : ':'}`,
        ...entries.map(
          ({ copied_at: at, types, text, truncated, application }) =>
            `${at}${application === null ? '' : ` in ${application}`}, ${types.join(' and ')}: ${text}${truncated ? '…' : ''}`,
        ),
      ].join('\n'),
    kept: ({ entries, ...rest }) => ({ ...rest, entries: entries.map(withoutContent) }),
  });
}
