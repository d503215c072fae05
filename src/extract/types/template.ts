import { Liquid, type Template } from 'liquidjs';
import { err, ok, type Result } from '../../base/failure.js';

/** Variables of a template, by name. */
type TemplateValues = Readonly<Record<string, unknown>>;

/**
 * Parses and renders Liquid templates. Values are inserted as text, never parsed as templates. An unknown variable or
 * filter is an error; an empty value prints nothing. Templates can't read files. The filter `percent` says how many
 * percent of a whole a part is, from 0 to 100.
 */
export class Templates {
  private readonly engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // Follow JavaScript: `if` and `default` treat an empty text and 0 as false.
    jsTruthy: true,
    templates: {},
    parseLimit: 100_000,
    // Maximum time for rendering a template, in ms of real time. It is this long because a process on a busy machine may
    // wait for seconds.
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

  /** Names of the variables that a template uses. @returns an error message if the template is invalid */
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
