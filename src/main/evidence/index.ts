/**
 * Evidence: what was done stays provable. Comes in: calls as they begin, start and end, and masked pictures, from the pipeline.
 * Goes out: files under the caller's workspace, lines in a chained audit log, the activity list. `host/` builds the recorder; `cli/` verifies.
 */
export type { PairingLine } from './entries.js';
export { createRecorder, type OwnedRecorder, type RecorderOptions } from './recorder.js';
export { verifyEvidence, type Verdict } from './verify.js';
export { createImaging, cropForCard, downscale, thumbnail, toPng } from './encode.js';
export { maskAreas } from './redaction.js';
