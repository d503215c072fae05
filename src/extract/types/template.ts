import { Liquid, type Template } from 'liquidjs';
import { err, ok, type Result } from '../../base/result.js';

/** Names and lists of names; whatever a template may show. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/**
 * Templates are Liquid. What is filled in is text and never read as a template again; a name that nobody knows is an
 * error; what is empty prints nothing. No template reads a file. `percent` is a part of a whole from 0 to 100.
 */
export class Templates {
  private readonly engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // An empty text and 0 are nothing to `if` and `default`.
    jsTruthy: true,
    templates: {},
    parseLimit: 100_000,
    // In ms of the clock: on a busy machine a process may wait for seconds.
    renderLimit: 15_000,
    memoryLimit: 50_000_000,
  });
  private readonly parsed = new Map<string, readonly Template[]>();

  constructor() {
    this.engine.registerFilter('percent', (part: unknown, whole: unknown) => {
      const share = Number(part) / Number(whole);
      return Number.isFinite(share) ? Math.round(Math.min(1, Math.max(0, share)) * 100) : 0;
    });
  }

  /** Names of the variables that a template wants to be given. @returns an error in words when it is no template */
  variables(template: string): Result<readonly string[], string> {
    try {
      return ok(this.engine.globalVariablesSync([...this.parse(template)]));
    } catch (error) {
      return err(messageOf(error));
    }
  }

  render(template: string, values: TemplateValues): Result<string, string> {
    try {
      const text: unknown = this.engine.renderSync([...this.parse(template)], values);
      return ok(String(text).trim());
    } catch (error) {
      return err(messageOf(error));
    }
  }

  private parse(template: string): readonly Template[] {
    const parsed = this.parsed.get(template) ?? this.engine.parse(template);
    this.parsed.set(template, parsed);
    return parsed;
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
