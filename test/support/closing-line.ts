import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Says what was skipped, and ends the run with one plain line, `123 passed, 0 failed`, that people and tools can read. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const line of skippedLines(modules)) process.stdout.write(`${line}\n`);
    process.stdout.write(`${closingLine(modules, unhandled.length)}\n`);
  }
}

function skippedLines(modules: readonly TestModule[]): readonly string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests('skipped')].map((test) => {
      const result = test.result();
      const why = result.state === 'skipped' && result.note !== undefined ? `: ${result.note}` : '';
      return `skipped: ${test.fullName}${why}`;
    }),
  );
}

/**
 * A file that could not be run, an error outside of any test and a run without any test count as failed: none of them
 * may look like a clean run.
 */
export function closingLine(modules: readonly TestModule[], unhandled: number): string {
  const count = { passed: 0, failed: unhandled, skipped: 0 };
  for (const module of modules) {
    let failedInside = false;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') count.passed++;
      else if (state === 'failed') {
        count.failed++;
        failedInside = true;
      } else if (state === 'skipped') count.skipped++;
      else count.failed++;
    }
    if (!module.ok() && !failedInside) count.failed++;
  }
  // What fails before the tests, such as the build, leaves no modules and is not among the errors.
  if (modules.length === 0) count.failed++;
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
  return `${count.passed} passed, ${count.failed} failed${skipped}`;
}
