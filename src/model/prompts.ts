import type { Prompt } from './model.js';

/** Values for the variables of a prompt template. */
interface PromptValues {
  /** Text that the program did not write. It is allowed only in the user part, and can't close the tags around it. */
  readonly data?: Readonly<Record<string, string>>;
  /** Text that the program wrote. If a value is empty, its line is removed. */
  readonly text?: Readonly<Record<string, string>>;
}

const USER_PART = /^--- user ---$/mu;
const VARIABLE = /\{\{(\w+)\}\}/gu;
const TAG = /<\/?([a-z]+(?:_[a-z]+)*)>/gu;

/**
 * Fills in a file of `templates/prompts/`: the system part, a line `--- user ---`, the user part. Pure.
 * @throws Error for missing or unknown variables, or data in the system part: these are bugs
 */
export function renderPrompt(template: string, { data = {}, text = {} }: PromptValues): Prompt {
  const [system = '', user] = template.split(USER_PART);
  if (user === undefined) throw new Error('a prompt template has a line "--- user ---"');
  const values = { ...data, ...text };
  const missing = [...variablesOf(template)].filter((name) => !(name in values));
  const unknown = Object.keys(values).filter((name) => !variablesOf(template).has(name));
  if (missing.length > 0 || unknown.length > 0) {
    throw new Error(`a prompt template without a value for [${missing}], or without a place for [${unknown}]`);
  }
  const misplaced = Object.keys(data).find((name) => variablesOf(system).has(name));
  if (misplaced !== undefined) throw new Error(`{{${misplaced}}} is somebody's text and stands in the system part`);
  const fence = fenceOf([template, ...Object.values(text)].join('\n'));
  const filled: Readonly<Record<string, string>> = {
    ...text,
    ...Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value.replace(fence, '&lt;')])),
  };
  return { system: fill(system, filled), user: fill(user, filled) };
}

/** Names of the variables of a template. Pure. */
export function variablesOf(template: string): ReadonlySet<string> {
  return new Set([...template.matchAll(VARIABLE)].map(([, name = '']) => name));
}

// All variables are replaced in one step, so that a variable inside of inserted text stays as it is.
function fill(part: string, values: Readonly<Record<string, string>>): string {
  return part
    .replace(/^\{\{(\w+)\}\}\n+/gmu, (line, name: string) => (values[name] === '' ? '' : line))
    .replace(VARIABLE, (variable, name: string) => values[name] ?? variable)
    .trim();
}

/**
 * Matches anything that a model may read as a tag of the prompt, also in capitals, or with blanks or invisible
 * characters in it.
 */
function fenceOf(prompt: string): RegExp {
  const tags = new Set([...prompt.matchAll(TAG)].map(([, name = '']) => name));
  const names = [...tags].map((tag) => [...tag].join('\\p{Cf}{0,3}')).join('|');
  return new RegExp(`<(?=[\\s\\p{Cf}]{0,9}/?[\\s\\p{Cf}]{0,9}(?:${names || '(?!)'}))`, 'giu');
}
