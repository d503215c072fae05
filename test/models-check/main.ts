import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CountingServer } from './counting-server.js';
import { type Measured, runByRules, runWithModel } from './run.js';
import { runScripted, SCRIPTED_ROWS } from './scripted.js';

const USAGE = `usage: npm run models-check -- --server URL [--model NAME] [--level tested|extractive|free] [--lines FILE]
       npm run models-check -- --scripted [--lines FILE]
`;
const USUAL_MODEL = 'qwen3:4b-instruct';
const LEVELS = ['tested', 'extractive', 'free'] as const;

/** `npm run models-check`: shows what a chat model adds to the rules, and what it spoils, as a Markdown table. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      server: { type: 'string' },
      model: { type: 'string', default: USUAL_MODEL },
      level: { type: 'string', default: 'tested' },
      lines: { type: 'string' },
      scripted: { type: 'boolean', default: false },
    },
  });
  const { server, model, scripted, lines } = values;
  const level = LEVELS.find((one) => one === values.level);
  if ((server === undefined) === !scripted || level === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  if (lines !== undefined) writeFileSync(lines, '');
  const report = (row: string, measured: Measured) => {
    print(rowOf(row, measured));
    if (lines !== undefined) appendFileSync(lines, linesOf(row, measured));
  };
  print(HEAD);
  const rules = await runByRules();
  for (const [task, left] of Object.entries(rules))
    print(`| no model | ${task} | ${left.lines.size} by rules | | | | | |`);
  if (server === undefined) {
    for (const row of SCRIPTED_ROWS) {
      for (const one of await runScripted(row, rules)) report(`${row.name}, ${row.level ?? 'tested'}`, one);
    }
    return 0;
  }
  const counting = await new CountingServer(server).start();
  try {
    const asked = () => counting.total;
    const forced = level === 'tested' ? undefined : level;
    const checked = { name: model, server: counting.url, level: forced, asked };
    let tested = '';
    await runWithModel(
      checked,
      rules,
      (one) => report(`${model}, ${level}`, one),
      (said) => {
        tested = said;
      },
    );
    print(`\n${tested}`);
  } finally {
    await counting.stop();
  }
  return 0;
}

const HEAD = `| model, level | task | lines (false) | verdicts (false) | lines of rules missing | calls | seconds | prompt characters |
| --- | --- | --: | --: | --: | --: | --: | --: |`;

function rowOf(row: string, { task, lines, verdicts, missing, calls, seconds, characters }: Measured): string {
  const falseLines = lines.filter(({ falsehood }) => falsehood !== undefined).length;
  const falseVerdicts = verdicts.filter(({ isFalse }) => isFalse).length;
  const cells = [
    row,
    task,
    `${lines.length} (${falseLines})`,
    `${verdicts.length} (${falseVerdicts})`,
    missing.length,
    calls,
    seconds.toFixed(1),
    characters,
  ];
  return `| ${cells.join(' | ')} |`;
}

function linesOf(row: string, { task, lines, verdicts, missing }: Measured): string {
  return [
    `# ${row}: ${task}`,
    ...lines.map(
      ({ text, falsehood }) =>
        `${falsehood === undefined ? 'true ' : 'FALSE'} ${text}${falsehood === undefined ? '' : ` [${falsehood}]`}`,
    ),
    ...verdicts.map(({ text, isFalse }) => `${isFalse ? 'FALSE' : 'true '} verdict ${text}`),
    ...missing.map((line) => `MISSING ${line}`),
    '',
    '',
  ].join('\n');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main();
