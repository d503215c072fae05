import { BASIC_CJK_RANGES } from '../language/scripts.js';
import { wordSet } from '../language/tokens.js';

/**
 * The file paths, file names and URLs in a text, in order, without duplicates. A token counts if it looks like a path
 * by itself (`read/write` does not), or if it has the extension or the name of a file. Takes time in proportion to the
 * length of the text.
 */
export function readPaths(text: string): readonly string[] {
  const found = new Set<string>();
  for (const line of text.split('\n')) {
    let first = true;
    for (const match of line.matchAll(TOKEN)) {
      const path = pathOf(match[0], first && isEntry(line, match.index + match[0].length));
      if (path !== undefined) found.add(path);
      first &&= /^(?:[-*+]|\d{1,9}[.)])$/u.test(match[0]);
    }
  }
  return [...found];
}

// White space, quotes, brackets and the punctuation of any script end a token.
const TOKEN = /[^\s"'`()[\]{}<>|,;=*，。；、：！？（）【】《》「」“”‘’]+/gu;

function pathOf(token: string, entry: boolean): string | undefined {
  if (/^[a-z][a-z0-9+.-]{1,20}:\/\/./iu.test(token)) return token.replace(/[.:!?]+$/u, '');
  const path = trimToken(token);
  if (!/[\p{L}\p{N}]/u.test(path)) return undefined;
  const slashed = /[/\\]/u.test(path) ? isPathLike(path, entry) : isFileName(path);
  return slashed ? path.replace(/^\.[/\\]/u, '') : undefined;
}

// Text to remove from a path: the line number of `src/a.ts:42` or `docs/a.md#L3`, the Chinese text around
// `入口在src/main.go中`, a full stop at the end of a sentence.
const CJK_BEFORE = new RegExp(`^[${BASIC_CJK_RANGES}]{1,40}(?=[A-Za-z0-9_~./@])`);
const CJK_BEHIND = new RegExp(`(\\.[a-z0-9]{1,8})[${BASIC_CJK_RANGES}]{1,40}$`, 'i');

function trimToken(token: string): string {
  const path = token.replace(/[.:!?]{1,9}$/u, '').replace(/(?::\d{1,9}){1,2}$|#[\p{L}\p{N}_-]{1,80}$/u, '');
  return path.replace(CJK_BEFORE, '').replace(CJK_BEHIND, '$1');
}

/**
 * Whether the token that ends at `end` looks like an entry in a list of files: it is the last one on its line, or a mark and
 * an explanation follow it, as in `src/a.ts: the parser`.
 */
function isEntry(line: string, end: number): boolean {
  return /^[`)*]{0,3}(?:\s*$|\s{1,3}(?:[-–—:(]|->|→)|[:：])/u.test(line.slice(end, end + 12));
}

function isPathLike(path: string, entry: boolean): boolean {
  if (/^(?:[/~@\\]|\.{1,2}[/\\]|[A-Za-z]:[/\\])/u.test(path)) return true;
  const parts = path.split(/[/\\]+/u);
  if (parts.every((part) => /^\d+$/u.test(part))) return false;
  const last = parts.at(-1) ?? '';
  if (parts.length > 2 || last === '' || isFileName(last)) return true;
  // Two plain words with a slash are a choice ("read/write"), unless they are a list entry of their own.
  return entry || /[_.\-\d]|\p{Ll}\p{Lu}/u.test(path);
}

const EXTENSIONS: ReadonlySet<string> = wordSet(
  `astro avif bash bat bmp c cc cfg cjs clj cljs cmake cmd conf cpp cs css csv cts cxx dart db diff doc docx ejs env erl ex exs
  fish gif go gql gradle graphql groovy gz h hbs hcl hpp hrl hs html htm hxx ico ini ipynb j2 jar java jl jpeg jpg js json
  json5 jsonc jsonl jsx key kt kts less lock log lua m md mdx mjs mk ml mm mov mp3 mp4 mts ndjson nim nix odt parquet patch
  pdf pem php pl plist plugin png ppt pptx prisma properties proto ps1 psd psm1 py pyc pyi pyx r rb rego rs rst sass sbt
  scala scm scss service sh sln sol sql sqlite sqlite3 svelte svg swift tar template tf tfstate tfvars tgz thrift tmpl toml
  tpl ts tsv tsx ttf txt vb vim vue wasm wav webm webp woff woff2 xls xlsx xml yaml yml zig zip zsh`,
);
const FILE_NAMES =
  /^(?:dockerfile|containerfile|makefile|gnumakefile|rakefile|gemfile|procfile|vagrantfile|jenkinsfile|brewfile|justfile|caddyfile|license|readme|changelog|codeowners|\.[a-z][\w.-]{1,60})$/iu;

// Products whose names look like file names.
const LIBRARIES = /^(?:[Nn]ode|Next|Vue|Nuxt|React|Express|Three|D3|Chart|Ember|Backbone|Alpine|Nest|Discord)\.js$/u;

function isFileName(name: string): boolean {
  if (LIBRARIES.test(name)) return false;
  if (FILE_NAMES.test(name)) return !/^(?:license|readme|changelog)$/u.test(name);
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return false;
  return EXTENSIONS.has(name.slice(dot + 1).toLowerCase());
}
