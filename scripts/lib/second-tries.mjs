/** A vitest reporter: names the tests that passed only when they were run again, and what went wrong at first. Such a test has a race to be mended. */
export default class SecondTries {
  #found = [];

  onTestCaseResult(test) {
    if (!test.diagnostic()?.flaky) return;
    const causes = (test.result().errors ?? []).map(({ stack, message }) => `${message}\n${stack ?? ''}`);
    this.#found.push([`${test.module.relativeModuleId} > ${test.fullName}`, ...causes].join('\n'));
  }

  onTestRunEnd() {
    if (this.#found.length === 0) return;
    console.log(`\n${this.#found.length} passed only at the second try:\n\n${this.#found.join('\n\n')}\n`);
  }
}
