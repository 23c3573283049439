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

/** Requirement ids (`[req:ID]` in titles) whose tests were all skipped. */
export function unproven(report) {
  const tests = (report.testResults ?? []).flatMap((file) => file.assertionResults);
  const idsOf = ({ fullName }) => [...fullName.matchAll(/\[req:([^\]\s]+)\]/g)].map((match) => match[1]);
  const ran = new Set(tests.filter(({ status }) => status === 'passed' || status === 'failed').flatMap(idsOf));
  return [...new Set(tests.flatMap(idsOf))].filter((id) => !ran.has(id)).sort();
}

/** The exit code: 0 only when tests ran, none failed, and vitest exited with 0. */
export function verdict({ passed, failed }, vitestCode) {
  return passed > 0 && failed === 0 && vitestCode === 0 ? 0 : 1;
}
