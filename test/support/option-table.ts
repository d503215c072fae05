/** The table of a command's options for a page of the documentation; `tsx test/support/option-table.ts recall` prints it. */
import { pathToFileURL } from 'node:url';
import type { Argument } from 'commander';
import { commandNamed } from './commands.js';

/** @param name `recall`, `session commit` */
export async function optionTable(name: string): Promise<string> {
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(`${await optionTable(process.argv.slice(2).join(' '))}\n`);
}
