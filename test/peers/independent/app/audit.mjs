/**
 * Security log (security.md section 8): one JSON object a line on standard error, never a token.
 * @param {string} event
 * @param {"success" | "failure" | "info"} outcome
 * @param {Record<string, unknown>} [context]
 */
export function audit(event, outcome, context = {}) {
  const entry = { timestamp: new Date().toISOString(), event, pid: process.pid, outcome, ...context };
  process.stderr.write(`${JSON.stringify(entry)}\n`);
}
