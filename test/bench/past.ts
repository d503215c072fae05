import { mkdirSync } from 'node:fs';
import type { Day } from '../../src/base/clock.js';
import { addDays } from '../../src/language/time/calendar.js';
import type { Random } from '../support/random.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import { memoryArguments, peakMemory, timedMemory } from './measure.js';

const LAST_DAY = '2025-12-31';
export const PLACES = ['Vienna', 'Graz', 'Linz', 'Berlin', 'Porto', 'Oslo', '上海'] as const;
export const JOBS = ['queue', 'cache', 'relay', 'billing', 'search', 'backup'] as const;

/** Daily logs in a workspace of their own, which time goes on in. */
export class Past extends TemporaryWorkspace {
  private next: Day;

  /**
   * @param files number of logs, up to the end of 2025
   * @param contentOf what a log has below its date
   */
  constructor(
    readonly files: number,
    private readonly contentOf: (day: Day) => string,
  ) {
    super();
    mkdirSync(this.path('memory'));
    this.next = addDays(LAST_DAY, 1 - files);
    this.addDays(files);
  }

  addDays(count: number): void {
    for (let i = 0; i < count; i++) {
      this.write(`memory/${this.next}.md`, `# ${this.next}\n\n${this.contentOf(this.next)}`);
      this.next = addDays(this.next, 1);
    }
  }

  /** Runs a command in the night after the last log. */
  timed(command: string, ...args: readonly string[]) {
    return timedMemory(this.arguments(command, ...args));
  }

  /** Measures time and memory of reflect by rules. */
  reflected(): { readonly ms: number; readonly mb: number } {
    const start = performance.now();
    const mb = peakMemory(this.arguments(...REFLECT));
    return { ms: performance.now() - start, mb };
  }

  arguments(command: string, ...args: readonly string[]): readonly string[] {
    return [...memoryArguments(this.root, command, ...args), ...this.now];
  }

  get now(): readonly string[] {
    return ['--now', `${this.next}T03:40:00Z`, '--tz', 'UTC'];
  }
}

/** Reflect without a model. */
export const REFLECT = ['reflect', '--max-calls', '0'] as const;

/** A section of facts, each made anew. */
export function retainSection(count: number, fact: () => string): string {
  return `## Retain\n\n${Array.from({ length: count }, () => `- ${fact()}\n`).join('')}`;
}

/** A statement of one of these forms. */
export function oneOf(random: Random, ...forms: readonly [() => string, ...(() => string)[]]): string {
  return random.pick(forms)();
}
