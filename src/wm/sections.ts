/**
 * The names of the seven sections of a Working Memory, in their fixed order. The names and their order come from
 * Working Memory v2, the reference for our Working Memory.
 */
export const SECTION_NAMES = [
  'Session Title',
  'Current State',
  'Task & Goals',
  'Key Facts & Decisions',
  'Files & Context',
  'Errors & Corrections',
  'Open Issues',
] as const;

export type SectionName = (typeof SECTION_NAMES)[number];

/** The intended content of each section, for the template and the prompts. */
export const SECTION_DESCRIPTIONS: Readonly<Record<SectionName, string>> = {
  'Session Title': 'Short and distinctive title of 5-10 words, dense with information',
  'Current State': 'What is being worked on now, what is still to do, next steps',
  'Task & Goals': 'What the user wants, design decisions that matter, context that explains them',
  'Key Facts & Decisions': 'Conclusions, technical choices with their reasons, preferences and constraints of the user',
  'Files & Context': 'Important files, functions and modules with their paths',
  'Errors & Corrections': 'Errors met and their fixes, corrections by the user, approaches that failed',
  'Open Issues': 'Unresolved questions, blockers, risks ahead',
};

/** A record with one value for each section, in order. */
export function bySectionName<T>(value: (name: SectionName) => T): Readonly<Record<SectionName, T>> {
  return {
    'Session Title': value('Session Title'),
    'Current State': value('Current State'),
    'Task & Goals': value('Task & Goals'),
    'Key Facts & Decisions': value('Key Facts & Decisions'),
    'Files & Context': value('Files & Context'),
    'Errors & Corrections': value('Errors & Corrections'),
    'Open Issues': value('Open Issues'),
  };
}

const SEED_ABOUT: readonly string[] = [
  '简短独特的 5-10 词标题,信息密集',
  '当前工作状态、待完成任务、下一步',
  '用户目标、关键设计决策、解释性上下文',
  '重要结论、技术选择及理由、用户偏好与约束',
  '重要文件 / 函数 / 模块及路径',
  '遇到的错误及修复、用户纠正、失败方案',
  '未解决问题、阻塞项、后续风险',
];

/**
 * The description lines of our template and of the original Chinese one, in the form that {@link normaliseDescription}
 * returns.
 */
export const TEMPLATE_DESCRIPTIONS: ReadonlySet<string> = new Set(
  [...SEED_ABOUT, ...Object.values(SECTION_DESCRIPTIONS)].map(normaliseDescription),
);

/** Removes emphasis, full-width forms and case from a description line. */
export function normaliseDescription(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[_*\s]+|[_*\s.]+$/gu, '');
}

const BY_WORDS: ReadonlyMap<string, SectionName> = new Map(SECTION_NAMES.map((name) => [headingWords(name), name]));
const TITLE_WORDS = headingWords('Working Memory');

/**
 * The section that a heading or the key of an operation names. Ignores case, `&` or "and", plurals, emphasis, numbering
 * and closing punctuation, so that a slightly different heading still names the section.
 */
export function findSection(heading: string): SectionName | undefined {
  return heading.length > 80 ? undefined : BY_WORDS.get(headingWords(heading));
}

/** Whether a heading is the document's own title, `Working Memory`. */
export function isDocumentTitle(heading: string): boolean {
  return heading.length <= 80 && headingWords(heading) === TITLE_WORDS;
}

function headingWords(heading: string): string {
  const words =
    heading
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return words
    .filter((word) => word !== 'and' && word !== 'amp')
    .map((word) => word.replace(/s$/u, ''))
    .join(' ');
}
