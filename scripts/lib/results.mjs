/**
 * Counts vitest's JSON report. A file that failed without running a test (it does not load, its set-up threw) counts as one
 * failure; skipped tests count as neither.
 */
export function count(report) {
  let passed = 0;
  let failed = 0;
  for (const file of report.testResults ?? []) {
    const states = file.assertionResults.map((test) => test.status);
    passed += states.filter((status) => status === 'passed').length;
    const broken = states.filter((status) => status === 'failed').length;
    failed += broken === 0 && file.status === 'failed' ? 1 : broken;
  }
  return { passed, failed };
}

/** 0 only when something ran, nothing failed, and vitest itself was content. */
export function verdict({ passed, failed }, vitestCode) {
  return passed > 0 && failed === 0 && vitestCode === 0 ? 0 : 1;
}
