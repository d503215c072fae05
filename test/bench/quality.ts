import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = `node ${join(ROOT, 'bin/openclaw.js')}`;
/** What the goals of LoCoMo are, in the order of its evaluator's columns. */
const LOCOMO_GOALS = { A: '75 / 81.5 / 88 / MRR 67', C: '73.5 / 80.5 / 86.5 / MRR 66' } as const;

/**
 * Recall on labelled data that is not part of the project: LoCoMo and the sets of `bench2`, by words and, where a model
 * server answers, with vectors, beside the goals.
 * @param shared the folder that holds the data; without it nothing is measured, and it says so
 * @param say takes one line, or several, of the report
 */
export async function quality(shared: string, say: (text: string) => void): Promise<void> {
  const real = resolved(shared);
  const [sets, locomo] = [join(real, 'bench2/score.mjs'), join(real, 'locomo/eval.mjs')];
  if (!existsSync(sets) || !existsSync(locomo)) return say(`quality: skipped, ${shared} holds no labelled data`);
  const model = process.env.OPENCLAW_BENCH_EMBED ?? 'all-minilm';
  const hasServer = await answers();
  if (!hasServer) say('with vectors: skipped, no model server answers ($OLLAMA_HOST)');
  for (const embed of hasServer ? ['', model] : ['']) {
    say(embed === '' ? '\nby words' : `\nwith vectors of ${embed}`);
    say(run(`node ${sets} --cli "${PROGRAM}"${embed === '' ? '' : ` --embed ${embed}`}`));
    const folder = mkdtempSync(join(tmpdir(), 'quality-'));
    try {
      run(`node ${join(real, 'locomo/convert.mjs')} --out ${folder}`);
      for (const [variant, goal] of Object.entries(LOCOMO_GOALS)) {
        const mode = embed === '' ? 'lexical' : 'hybrid';
        const settings = `echo '{ embedModel: "${embed}", recallEmbedBudgetMs: 60000 }' > memory.config.json5`;
        const vectors = embed === '' ? '' : `${settings} && ${PROGRAM} memory index --embed && `;
        say(`LoCoMo ${variant}, R@5 / R@10 / R@25; goal by words ${goal}`);
        say(
          run(
            `node ${locomo} --bench ${folder} --variant ${variant} --k 100 ${merged(folder, variant)}` +
              ` --setup '${vectors.replaceAll("'", "'\\''")}${PROGRAM} memory index'` +
              ` --batch-cmd '${PROGRAM} memory recall --batch --json --mode ${mode} --k {k} --now {now}'`,
          ),
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** The evaluator does nothing when it is started by a link. */
function resolved(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}

/** The questions of the merged workspace are asked of other files. */
function merged(folder: string, variant: string): string {
  return variant === 'C' ? `--qa ${join(folder, 'qa/visible.merged.jsonl')}` : '';
}

async function answers(): Promise<boolean> {
  const host = process.env.OLLAMA_HOST ?? '127.0.0.1:11434';
  const url = /^https?:/.test(host) ? host : `http://${host}`;
  return fetch(`${url}/api/version`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** What a command prints. A missed goal ends it with 1, and is no failure here: it stands in what it prints. */
function run(command: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0 && stdout.trim() === '') throw new Error(`${command}: ${stderr.slice(0, 400)}`);
  return stdout.trimEnd();
}
