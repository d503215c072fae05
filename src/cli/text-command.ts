import { Command } from 'commander';

/** Cannot be in a command line. */
const MARK = '\u0000';

/** A command that takes `- a list item` for text: a dash and a space begin no option. */
export class TextCommand extends Command {
  override createCommand(name?: string): TextCommand {
    return new TextCommand(name);
  }

  override parseOptions(args: string[]): { operands: string[]; unknown: string[] } {
    const { operands, unknown } = super.parseOptions(args.map((arg) => (/^-\s/.test(arg) ? MARK + arg : arg)));
    return { operands: operands.map(unmark), unknown: unknown.map(unmark) };
  }

  override setOptionValueWithSource(...[key, value, source]: Parameters<Command['setOptionValueWithSource']>): this {
    return super.setOptionValueWithSource(key, typeof value === 'string' ? unmark(value) : value, source);
  }
}

function unmark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}
