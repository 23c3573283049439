/**
 * The self-test of a backend. Comes in: an open desktop and a witness that asks the system by another way. Goes out: one row for each
 * member of the interface: what it said, what the witness saw, and whether they agree. A member without a check does not compile; what
 * was not run is never counted as right. Called by the command line (`chaperone doctor --self-test`) and by tests.
 */
export { CHECKS } from './checks.js';
export { countsOf, reportText, runSelfTest, verdictOf, type SelfTestOptions } from './run.js';
export type { Actors, Row, RowsScene, Witness } from './types.js';
export { createMacWitness, MAC_ACTORS, type Asking } from './mac-witness.js';
export { runProgram, type RunProgram } from './mac-scripts.js';
