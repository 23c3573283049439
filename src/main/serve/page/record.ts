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
    async handler({ archive }, { executionId }) {
      const evidence = await archive.evidence(executionId);
      return evidence === null ? UNKNOWN : evidence === 'damaged' ? DAMAGED : { evidence };
    },
  },
  evidenceFile: {
    role: 'paired',
    handler: async ({ archive }, { executionId, name, offset }) =>
      (await archive.file(executionId, name, offset)) ?? UNKNOWN,
  },
  verifyEvidence: {
    role: 'paired',
    async handler({ archive }, { executionId }) {
      const verdict = await archive.verify(executionId);
      return verdict === null ? UNKNOWN : { verdict };
    },
  },
};
