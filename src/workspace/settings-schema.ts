import * as z from 'zod';
import { fail } from '../base/failure.js';
import { isRecord } from '../base/json.js';
import { nearest } from '../base/nearest.js';
import { attempt } from '../base/result.js';
import { checkZone } from './clock.js';
import { DEFAULT_SETTINGS, SETTINGS_FILE, type Settings } from './settings.js';

const isZone = (name: string): boolean => attempt(() => checkZone(name), undefined) !== undefined;
const zone = z.string().refine(isZone, 'is not an IANA time zone such as Europe/Vienna');

const lines = z.int().min(0).max(1_000);
const oneWord = z.string().regex(/^\S+$/, 'has no spaces');
/** Paths have. */
const modelName = z.string().regex(/^(?:\S+|file:.*\S)$/i, 'has no spaces, unless it is file:PATH');

const paths = z.array(z.string().min(1)).readonly();
const share = z.number().min(0).max(1);
const chars = z.int().min(500).max(50_000);
const { agentExperience: experience, autoRecall: memories } = DEFAULT_SETTINGS;

const schema = z.strictObject({
  timezone: zone.nullable().default(DEFAULT_SETTINGS.timezone),
  dateOrder: z.enum(['auto', 'mdy', 'dmy']).default(DEFAULT_SETTINGS.dateOrder),
  extraFolders: paths.default([]),
  ignore: paths.default([]),
  recallResources: z.boolean().default(DEFAULT_SETTINGS.recallResources),
  recallLimit: z.int().min(1).max(1_000).default(DEFAULT_SETTINGS.recallLimit),
  nearDuplicateDays: z.int().min(0).max(3_650).default(DEFAULT_SETTINGS.nearDuplicateDays),
  contextWindow: z.int().min(1_000).max(100_000_000).nullable().default(DEFAULT_SETTINGS.contextWindow),
  commitTokenThreshold: z.int().min(1).nullable().default(DEFAULT_SETTINGS.commitTokenThreshold),
  commitKeepRecentCount: z.int().min(0).max(10_000).default(DEFAULT_SETTINGS.commitKeepRecentCount),
  enableMemoryFlush: z.boolean().default(DEFAULT_SETTINGS.enableMemoryFlush),
  memoryFlushSoftTokens: z.int().min(0).max(1_000_000).default(DEFAULT_SETTINGS.memoryFlushSoftTokens),
  memoryFlush: z
    .strictObject({ systemPrompt: z.string().nullable().default(null), prompt: z.string().nullable().default(null) })
    .default(DEFAULT_SETTINGS.memoryFlush),
  agentExperience: z
    .strictObject({
      enabled: z.boolean().default(experience.enabled),
      recallLimit: z.int().min(1).max(10).default(experience.recallLimit),
      scoreThreshold: share.default(experience.scoreThreshold),
      maxInjectedChars: chars.default(experience.maxInjectedChars),
      minQueryChars: z.int().min(1).max(500).default(experience.minQueryChars),
      typedPages: z.boolean().default(experience.typedPages),
    })
    .default(experience),
  autoRecall: z
    .union([
      z.boolean().transform((enabled) => ({ ...memories, enabled })),
      z.strictObject({
        enabled: z.boolean().default(memories.enabled),
        timeoutMs: z.int().min(10).max(60_000).default(memories.timeoutMs),
        recallLimit: z.int().min(1).max(100).default(memories.recallLimit),
        scoreThreshold: share.default(memories.scoreThreshold),
        maxInjectedChars: chars.default(memories.maxInjectedChars),
      }),
    ])
    .default(memories),
  bypassSessionPatterns: z.array(z.string().min(1).max(500)).default([...DEFAULT_SETTINGS.bypassSessionPatterns]),
  extractOnCommit: z.boolean().default(DEFAULT_SETTINGS.extractOnCommit),
  extractRounds: z.int().min(0).max(20).default(DEFAULT_SETTINGS.extractRounds),
  coreBudgetChars: z.int().min(1_000).max(1_000_000).default(DEFAULT_SETTINGS.coreBudgetChars),
  pageLines: z
    .strictObject({
      now: lines.default(DEFAULT_SETTINGS.pageLines.now),
      lately: lines.default(DEFAULT_SETTINGS.pageLines.lately),
      preferences: lines.default(DEFAULT_SETTINGS.pageLines.preferences),
      before: lines.default(DEFAULT_SETTINGS.pageLines.before),
      seeAlso: lines.default(DEFAULT_SETTINGS.pageLines.seeAlso),
    })
    .default(DEFAULT_SETTINGS.pageLines),
  pageMentions: z.int().min(1).max(1_000).default(DEFAULT_SETTINGS.pageMentions),
  viewLinks: z.enum(['plain', 'vscode', 'obsidian']).default(DEFAULT_SETTINGS.viewLinks),
  ollamaHost: oneWord.nullable().default(DEFAULT_SETTINGS.ollamaHost),
  embedModel: modelName.nullable().default(DEFAULT_SETTINGS.embedModel),
  chatModel: oneWord.nullable().default(DEFAULT_SETTINGS.chatModel),
  numCtx: z.int().min(2_048).max(1_048_576).nullable().default(DEFAULT_SETTINGS.numCtx),
  modelConnectMs: z.int().min(10).max(60_000).default(DEFAULT_SETTINGS.modelConnectMs),
  modelFirstTokenMs: z.int().min(10).max(3_600_000).default(DEFAULT_SETTINGS.modelFirstTokenMs),
  modelIdleMs: z.int().min(10).max(3_600_000).default(DEFAULT_SETTINGS.modelIdleMs),
  modelTotalMs: z.int().min(10).max(86_400_000).default(DEFAULT_SETTINGS.modelTotalMs),
  recallEmbedBudgetMs: z.int().min(0).max(60_000).default(DEFAULT_SETTINGS.recallEmbedBudgetMs),
});

/** @throws MemoryError `settings` for the first thing that is wrong. */
export function checkSettings(value: unknown): Settings {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const known = namesUnder(issue.path);
    const key = [...issue.path, issue.keys[0] ?? ''].join('.');
    const near = nearest(key, known);
    return fail(
      'settings',
      `${SETTINGS_FILE}: unknown setting "${key}"`,
      near ? `did you mean "${near}"?` : `known: ${known.join(', ')}`,
    );
  }
  return fail(
    'settings',
    [SETTINGS_FILE, ...(issue?.path.length ? [issue.path.join('.')] : []), issue?.message].join(': '),
    'see docs/settings.md',
  );
}

/** The settings beside an unknown one, each with the group that it stands in. */
function namesUnder(path: readonly PropertyKey[]): readonly string[] {
  const group: unknown = path.reduce<unknown>(
    (within, name) => (isRecord(within) ? within[String(name)] : undefined),
    DEFAULT_SETTINGS,
  );
  return Object.keys(isRecord(group) ? group : DEFAULT_SETTINGS).map((name) => [...path, name].join('.'));
}
