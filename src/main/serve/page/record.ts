/** What a person reads in the record on disk, of this run of the host and of earlier ones. */
import { message } from '../../../messages/index.js';
import type { EvidenceRecorder } from '../../evidence/index.js';
import type { Definitions, PageRefusal } from './definition.js';

export interface RecordDependencies {
  archive: EvidenceRecorder['archive'];
}

type Handled = 'activityPage' | 'thumbnails' | 'evidence' | 'evidenceFile' | 'verifyEvidence';

const UNKNOWN: PageRefusal = { ok: false, code: 'unknown_execution', message: message('refused.unknown_execution') };
const DAMAGED: PageRefusal = {
  ok: false,
  code: 'record_damaged',
  message: message('refused.record_damaged'),
};

const UNINDEXED: PageRefusal = { ok: false, code: 'unindexed', message: message('error.unindexed') };
const notFound = ({ archive }: RecordDependencies): PageRefusal => (archive.isWhole() ? UNKNOWN : UNINDEXED);

export const recordHandlers: Definitions<Handled, RecordDependencies> = {
  activityPage: {
    role: 'paired',
    handler: ({ archive }, { before, filter }) => archive.page(before, filter),
  },
  thumbnails: {
    role: 'paired',
    handler: async ({ archive }, { executionIds }) => ({ pictures: await archive.thumbnails(executionIds) }),
  },
  evidence: {
    role: 'paired',
    async handler(parts, { executionId }) {
      const evidence = await parts.archive.evidence(executionId);
      return evidence === null ? notFound(parts) : evidence === 'damaged' ? DAMAGED : { evidence };
    },
  },
  evidenceFile: {
    role: 'paired',
    handler: async (parts, { executionId, name, offset }) =>
      (await parts.archive.file(executionId, name, offset)) ?? notFound(parts),
  },
  verifyEvidence: {
    role: 'paired',
    async handler(parts, { executionId }) {
      const verdict = await parts.archive.verify(executionId);
      return verdict === null ? notFound(parts) : { verdict };
    },
  },
};
