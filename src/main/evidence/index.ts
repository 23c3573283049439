/**
 * Evidence: records every call so that any later change to the record can be detected. The pipeline reports calls as they begin, start
 * and end, with pictures that are masked already; the recorder writes files below the caller's workspace and entries to a hash-chained
 * audit log, and serves the activity list. `host/` creates the recorder; `cli/` verifies. Nothing here shows or sends an unmasked picture.
 */
export type { ApplicationRecord, PairingRecord } from './audit-entries.js';
export { headState, type HeadKey, type HeadState } from './audit-head.js';
export { createRecorder, type EvidenceRecorder, type RecorderOptions } from './recorder.js';
export type { Integrity } from './open-record.js';
export { verifyEvidence, type VerifyResult } from './verify.js';
export { createImaging, cropForCard, downscale, thumbnail, toPng } from './imaging.js';
export { fillAreas } from './imaging.js';
