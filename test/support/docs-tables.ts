/** The tables of `docs/commands.md`, generated from the commands; `npm run docs` writes them into the page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Argument } from 'commander';
import { commandNamed, knownCommands } from './commands.js';
import { ROOT } from './readme.js';

const PAGE = join(ROOT, 'docs/commands.md');
const BEGIN = '<!-- generated: npm run docs -->\n';
const END = '<!-- end -->';

/** Returns the current page and the page that the commands generate. */
export async function commandsPage(): Promise<{ readonly now: string; readonly wanted: string }> {
  const now = readFileSync(PAGE, 'utf8');
  const [before = '', after = ''] = [now.split(BEGIN)[0], now.slice(now.indexOf(END))];
  const sections: string[] = [];
  for (const { name, usage, summary } of (await knownCommands()).filter(({ isGroup }) => !isGroup)) {
    const options = await optionTable(name);
    const parts = [`### \`${usage}\``, summary, options.split('\n').length > 2 ? options : ''];
    sections.push(parts.filter((part) => part !== '').join('\n\n'));
  }
  return { now, wanted: `${before}${BEGIN}\n${sections.join('\n\n')}\n\n${after}` };
}

/** @param name `recall`, `session commit` */
async function optionTable(name: string): Promise<string> {
  const { registeredArguments, options } = await commandNamed(name);
  const rows = [
    ...registeredArguments.map((argument) => [`\`${argument.name()}\``, withChoices(argument)]),
    ...options.filter(({ hidden }) => !hidden).map(({ flags, description }) => [`\`${flags}\``, description]),
  ].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const all = [['option', 'what it does'], ...rows];
  const width = (column: number) => Math.max(...all.map((row) => [...(row[column] ?? '')].length));
  const widths = [width(0), width(1)];
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((one) => '-'.repeat(one)).join(' | ')} |`;
  return [line(all[0] ?? []), rule, ...rows.map(line)].join('\n');
}

function withChoices({ description, argChoices }: Argument): string {
  return argChoices === undefined ? description : `${description}: ${argChoices.join(', ')}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(PAGE, (await commandsPage()).wanted);
