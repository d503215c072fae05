/** What a field at the head of a page or in a block is for. */
export type FieldUse = 'title' | 'alias' | 'tags' | 'machine' | 'value';

/** Keys that programs write for themselves. */
const MACHINE_KEY =
  /^(?:id|u?uid|guid|collapsed|heading|created|updated|modified|(?:date[-_ ]?)?(?:created|updated|modified)(?:[-_ ]?(?:at|on|time|date|by))?|last[-_ ]?(?:modified|updated|edited)|.*[-_ ]colou?r|colou?r|background|css-?class(?:es)?|publish|public|permalink|slug|draft|layout|weight|icon|banner.*|cover.*|kanban-plugin|excalidraw.*|sr-.*|card-.*|fsrs.*|hl-.*|ls-.*|logseq\..*|query-.*|template(?:-.*)?|filters|exclude-from-graph-view|position|doing|done|now|later|todo|wait(?:ing)?|repeated|background-.*|file(?:-path)?|file-name)$/i;

/** @param key as written */
export function fieldUse(key: string): FieldUse {
  const name = key.trim().toLowerCase();
  if (name === 'title') return 'title';
  if (name === 'alias' || name === 'aliases') return 'alias';
  if (name === 'tag' || name === 'tags' || name === 'keywords') return 'tags';
  return MACHINE_KEY.test(name) ? 'machine' : 'value';
}

const PROPERTY = /^([\p{L}_][\p{L}\p{N}_./-]*(?: [\p{L}\p{N}_./-]+){0,2})::(?:\s+(.*))?$/u;

/** Reads `key:: value` of a line without its list marker. */
export function readProperty(line: string): { readonly key: string; readonly value: string } | undefined {
  if (!line.includes('::')) return undefined;
  const [, key, value = ''] = PROPERTY.exec(line) ?? [];
  return key === undefined ? undefined : { key, value: value.trim() };
}

/** The names in a list as people write one: with commas, as links, with or without `#` and brackets. */
export function namesInList(value: string): readonly string[] {
  const links = [...value.matchAll(/\[\[([^[\]]+)\]\]/g)].map(([, name = '']) => name);
  const others = value.replace(/#?\[\[[^[\]]+\]\]/g, ',').replace(/\s+(?=#)/g, ',');
  return [...links, ...others.split(/[,，、;]/)]
    .map((name) => name.replace(/^[\s"'#[\]]+|[\s"'[\]]+$/g, ''))
    .filter((name) => name !== '');
}
