import type { Reporter, SerializedError, TestModule, TestSpecification } from 'vitest/node';

/** Number of files between two lines of progress. */
const EVERY = 10;

/**
 * Reports finished files and skipped tests, and ends the run with one plain line for people and tools: `123 passed, 0
 * failed`.
 */
export default class ClosingLine implements Reporter {
  private files = 0;
  private done = 0;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.files = specifications.length;
    this.done = 0;
  }

  /** At a terminal vitest shows the progress itself. */
  onTestModuleEnd(): void {
    this.done++;
    if (this.done % EVERY === 0 && !process.stdout.isTTY)
      process.stdout.write(`${this.done} of ${this.files} files done\n`);
  }

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

/** A file that cannot run, an error outside of tests, and a run without tests count as failed, so that none looks clean. */
function closingLine(modules: readonly TestModule[], unhandled: number): string {
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
  // A failure before the tests, such as of the build, leaves no modules and no errors.
  if (modules.length === 0) count.failed++;
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
  return `${count.passed} passed, ${count.failed} failed${skipped}`;
}
