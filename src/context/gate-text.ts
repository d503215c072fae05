import { toSimplified } from '../language/words/traditional.js';
import { MAX_QUERY_CHARACTERS, readUserMessage } from '../text/query.js';

/**
 * A message in the forms that the gate reads. `clean`: the user's text, cut to the length of a query. `plain`: the same
 * text in lower case, without accents and compatibility forms (such as full-width letters); `§` replaces code and paths.
 * `sentences`: the sentences of `plain`. `code`: the paths, files and inline code that were replaced. `identifiers`: names
 * from programs, and addresses.
 */
export type GateText = ReturnType<typeof readGateText>;

const EXTENSION =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|swift|rb|php|cs|cc|cpp|c|h|hpp|md|mdx|json5?|ya?ml|toml|ini|env|lock|sh|bash|zsh|sql|html|s?css|vue|svelte|xml|csv|proto|tf|gradle|ipynb|log|conf)$/;
const FOLDER =
  /^(?:src|lib|libs|test|tests|docs?|scripts?|config|conf|bin|apps?|packages|dist|build|etc|usr|var|tmp|home|opt|node_modules|components?|modules?|feature|fix|hotfix|release|origin|chore|public|assets|server|client|web|api|cmd|pkg|internal|infra|deploy|\.\.?|~|\.\w+)$/;

/** The placeholder that hosts write instead of pasted text. */
const PASTED = /\[pasted text[^\]\n]{0,40}\]/g;

const ADDRESS = /\bhttps?:\/\/\S+/gi;

/** Names that occur only in programs: `bookYear`, `BookYear`, `Billing::Create`, `book_year`, `ABC-12`. */
const IDENTIFIER =
  /(?<![\w@./-])(?:[a-z]{2,}(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]{2,}){2,}|\w+(?:::\w+)+|[a-z]{2,}(?:_[a-z0-9]{2,})+|[A-Z]{2,}-\d+)(?![\w/])/g;

/** Quoted text: words of another person or of a screen. Its verbs are no orders. */
const QUOTED = /(?<![\w"])"[^"\n]{2,200}"|“[^”\n]{2,200}”/g;

export function readGateText(message: string) {
  const lines = readUserMessage(message).replaceAll('\0', '').trim().slice(0, MAX_QUERY_CHARACTERS);
  const code: string[] = [];
  const keep = (found: string): string => {
    code.push(found);
    return ' § ';
  };
  const plain = normalise(lines)
    .replace(PASTED, keep)
    .replace(ADDRESS, ' ')
    .replace(/`[^`]+`/g, keep)
    .replace(/(?<!\w)[a-z]:\\(?:[^\s，。；、]{1,200}?\.[a-z]{1,5}(?![a-z])|[\w.\\~@-]+)/g, keep)
    .replace(/(?<![\w~@-])[\w~@-]*[./][\w.~@/-]*/g, (chunk) => {
      const name = chunk.replace(/[./-]+$/, '');
      return isCode(name) ? keep(name) + chunk.slice(name.length) : chunk;
    })
    .replace(/[^\S\n]+/g, ' ')
    .trim();
  const sentences = plain
    .replace(QUOTED, ' § ')
    .split(/(?<=[!?。！？；;\n])|(?<=\.)(?= )/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  const identifiers = [...(lines.match(IDENTIFIER) ?? []), ...(lines.match(ADDRESS) ?? [])];
  return { clean: lines.replace(/\s+/g, ' ').trim(), plain, sentences, code, identifiers };
}

function normalise(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  const seen = text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const bare = seen.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  const folded = bare.normalize('NFC').toLowerCase();
  return toSimplified(folded.replace(/[’‘]/g, "'"));
}

// `and/or` and `24/7` are no paths: a path has a known folder, a file name, or more than one slash.
function isCode(chunk: string): boolean {
  if (/^\.[a-z]{2,}[\w.-]*$/.test(chunk)) return true;
  if (EXTENSION.test(chunk)) return /[a-z]/.test(chunk.replace(EXTENSION, ''));
  const parts = chunk.split('/');
  if (parts.length < 2) return false;
  const [first = ''] = parts;
  if (FOLDER.test(first) && first.length > 0) return true;
  return (
    parts.filter((part) => /[a-z]/.test(part)).length > 2 ||
    (first !== '' && parts.some((part) => /[a-z].*[_.]|[_.].*[a-z]/.test(part)))
  );
}

/** The form of a sentence. It decides how many points the verbs of the sentence get. */
export type SentenceKind = 'statement' | 'polite' | 'how-to' | 'why' | 'explain';

/** One place in a text where a verb of the vocabulary stands. */
export interface ActionHit {
  readonly group: 'effect' | 'execution' | 'general';
  readonly points: number;
  readonly word: string;
  /** Whether the clause orders or requests the action of the verb. */
  readonly order: boolean;
  /** Whether the verb has no everyday sense. */
  readonly sure: boolean;
  readonly negated: boolean;
}
