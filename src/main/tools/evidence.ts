/** An agent's own record, for reading by address: in no list of tools. What others did is not there for it. */
import * as z from 'zod';
import { formatEnglish, message } from '../../messages/index.js';
import type { EvidenceRecorder } from '../evidence/index.js';
import { defineAction } from '../pipeline/define.js';
import type { Caller } from '../approvals/request.js';
import { evidenceNameSchema, subjectWithoutPlace, title, WireError, type EvidenceFileName } from '../protocol/index.js';
import { toolGroup, type Tool } from './tool.js';

export interface EvidenceToolDeps {
  record: Pick<EvidenceRecorder, 'recent'> & {
    archive: Pick<EvidenceRecorder['archive'], 'evidence' | 'file' | 'isWhole'>;
  };
}

const MAX_LISTED = 50;
const MAX_SEARCHED = 200;
/** An answer is limited to 16 MiB, and base64 adds a third. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

const execution = z.uuid();
const did = z.object({ execution: z.string(), tool: z.string(), outcome: z.string(), at: z.string() });
const subject = () => subjectWithoutPlace(title('title.read_own_evidence'));

export function evidenceTools({ record }: EvidenceToolDeps): Tool[] {
  const { recent, archive } = record;
  const list = defineAction({
    effect: 'disclose',
    needs: [],
    subject,
    name: 'list_own_evidence',
    title: 'List your record',
    description: 'What you did lately, newest first.',
    input: z.object({}).strict(),
    output: z.object({ executions: z.array(did.extend({ has_files: z.boolean() })) }),
    run: async ({ caller }) => ({
      executions: recent(MAX_SEARCHED)
        .filter(({ agent }) => agent.id === caller.agent.id)
        .slice(0, MAX_LISTED)
        .map(({ executionId, tool, outcome, at, evidenceDir }) => ({
          ...{ execution: executionId, tool, outcome, at },
          has_files: evidenceDir !== null,
        })),
    }),
  });

  const get = defineAction({
    effect: 'disclose',
    needs: [],
    subject,
    name: 'get_own_evidence',
    title: 'Read your record',
    description: 'What is recorded of one thing that you did.',
    input: z.object({ execution }).strict(),
    output: did.extend({
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
      incomplete: z.boolean(),
      files: z.array(z.object({ name: z.string(), bytes: z.number().int(), state: z.string() })),
    }),
    async run({ caller }, { execution: id }) {
      const { tool, activity, since, endedAt, error, incomplete, files } = await ownEvidence(archive, caller, id);
      return {
        ...{ execution: id, tool, incomplete },
        outcome: activity?.outcome ?? 'running',
        at: endedAt ?? since,
        error: error === null ? null : { code: error.code, message: formatEnglish(error.message) },
        files: files.map(({ name, bytes, fileState, kept }) =>
          // Sizes tell something of what is in them.
          kept === true ? { name, bytes: 0, state: 'kept' } : { name, bytes, state: fileState },
        ),
      };
    },
  });

  const file = defineAction({
    effect: 'disclose',
    needs: [],
    subject,
    name: 'get_own_evidence_file',
    title: 'Read a file of your record',
    description: 'One file of the evidence of what you did.',
    input: z.object({ execution, file: evidenceNameSchema }).strict(),
    output: z.object({
      file: z.string(),
      text: z.string().optional(),
      images: z.array(z.object({ mimeType: z.string(), base64: z.string() })).optional(),
    }),
    async run({ caller }, { execution: id, file: name }) {
      const { files } = await ownEvidence(archive, caller, id);
      if (files.some((one) => one.name === name && one.kept === true)) throw keptError(name);
      const bytes = await readFile(archive, id, name);
      if (!name.endsWith('.png')) return { file: name, text: bytes.toString('utf8') };
      return { file: name, images: [{ mimeType: 'image/png', base64: bytes.toString('base64') }] };
    },
    kept: ({ file: name }) => ({ file: name }),
  });
  return toolGroup('evidence', { more: [list, get, file] }).map((tool) => ({ ...tool, listed: false }));
}

type Archive = EvidenceToolDeps['record']['archive'];

/** Of another agent there is as little as of what never was. */
async function ownEvidence(archive: Archive, caller: Caller, id: string) {
  const found = await archive.evidence(id);
  if (found !== null && found !== 'damaged' && found.agent.id === caller.agent.id) return found;
  if (found === null && !archive.isWhole())
    throw new WireError('DESKTOP_HOST_NOT_READY', message('error.unindexed'), { reason: 'unindexed' });
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_such_evidence', { id }), {
    reason: 'no_such_evidence',
    next: 'Take one of those that the list of your record has.',
  });
}

/** Where a file lies was decided when it was written. */
const keptError = (name: string): WireError =>
  new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.evidence_kept', { name }), {
    reason: 'kept',
    next: 'Take a picture with capture_window_screenshot: the person is asked whether you may see it.',
  });

/** Only as it was written, by its hash in the record. */
async function readFile(archive: Archive, id: string, name: EvidenceFileName): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const part = await archive.file(id, name, offset);
    if (part?.fileState !== 'as_written' || part.bytes > MAX_FILE_BYTES)
      throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.evidence_unreadable', { name }), {
        reason: part?.fileState ?? 'missing',
      });
    parts.push(Buffer.from(part.base64, 'base64'));
    offset = part.next;
  }
  return Buffer.concat(parts);
}
