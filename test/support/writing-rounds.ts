import { existsSync } from 'node:fs';
import { Killer } from './killed.js';
import { NOW, TemporaryWorkspace } from './workspace.js';

/** The result of several killed writers. Every list must be empty. */
interface WritingReport {
  readonly rounds: number;
  readonly killed: number;
  readonly acknowledged: number;
  /** Facts acknowledged but not stored exactly once, or forgotten but found. */
  readonly wrong: readonly string[];
  /** Lines that nobody wrote. */
  readonly torn: readonly string[];
  readonly verifies: boolean;
}

interface Round {
  readonly args: readonly string[];
  /** The final output of the command. */
  readonly says: string;
}

/**
 * Kills every kind of writing command at its writing calls, under jumping clocks, and then compares the files with the
 * acknowledgements.
 */
export async function writingRounds(rounds: number, random: () => number): Promise<WritingReport> {
  const workspace = new TemporaryWorkspace({ 'MEMORY.md': '# Memory\n' });
  const acknowledged: Round[] = [];
  const asked = new Set<string>();
  let killed = 0;
  const killer = new Killer(workspace, random);
  for (let i = 0; i < rounds; i++) {
    const round = nextRound(i, asked);
    const jump = ['--now', `20${10 + Math.floor(random() * 60)}-03-15T12:00:00Z`];
    if (round.args[0] === 'forget') await workspace.run(['retain', `W @target: number ${i} to forget`]);
    const result = await killer.run([...round.args, ...(i % 5 === 4 ? jump : [])]);
    if (result.killed) killed++;
    if (result.stdout.includes(round.says)) acknowledged.push(round);
  }
  killer.dispose();
  const pages = workspace.pages();
  const lines = pages.flatMap(({ text }) => text.split('\n'));
  const wrong: string[] = [];
  for (const { args } of acknowledged) {
    const [name] = args;
    const text = args.at(-1) ?? '';
    const times = lines.filter((line) => line.includes(text)).length;
    if (name === 'forget' ? times !== 0 : times !== 1) wrong.push(`${args.join(' ')}: ${times} times`);
  }
  const verified = await workspace.run(['index', '--verify']);
  const torn = lines.filter((line) => !isKnown(line, asked));
  const strangers = existsSync(workspace.path('.memory/index.sqlite')) ? torn : [...torn, 'there is no index'];
  workspace.dispose();
  return { rounds, killed, acknowledged: acknowledged.length, wrong, torn: strangers, verifies: verified.code === 0 };
}

function nextRound(i: number, asked: Set<string>): Round {
  switch (i % 4) {
    case 0: {
      const fact = `number ${i} with some words to tear`;
      asked.add(`- W @round: ${fact}`);
      return { args: ['retain', `W @round: ${fact}`], says: fact };
    }
    case 1: {
      asked.add(`- core line ${i} of many words`);
      return { args: ['core', 'append', `- core line ${i} of many words`], says: 'characters' };
    }
    case 2: {
      asked.add(`- W @target: number ${i} to forget`);
      return { args: ['forget', '--query', `number ${i} to forget`], says: 'Forgotten' };
    }
    default: {
      asked.add(`- O(c=0.9) @topic: number ${i} to keep in a topic`);
      return {
        args: ['retain', '--file', 'memory/topics/t.md', `O(c=0.9) @topic: number ${i} to keep in a topic`],
        says: 'to keep',
      };
    }
  }
}

function isKnown(line: string, asked: ReadonlySet<string>): boolean {
  const day = NOW.slice(0, 10);
  return (
    ['', '# Memory', '# t', '## Retain', `# ${day}`].includes(line) ||
    /^# 20\d\d-03-15$/.test(line) ||
    /^<!-- forgotten 20\d\d-03-15 n-[0-9a-f]{8} -->$/.test(line) ||
    asked.has(line)
  );
}
