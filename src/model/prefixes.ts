import type { EmbedDocument } from './model.js';

/** How an embedding model wants to be told what a text is for. The server adds nothing by itself. */
export interface PrefixScheme {
  /** Stored with every vector. */
  readonly name: string;
  /** Tokens that the model reads of one input, as its library build has it. */
  readonly window: number;
  readonly query: (text: string) => string;
  readonly document: (document: EmbedDocument) => string;
}

const said = ({ before = [], text }: EmbedDocument): string => [...before, text].join('\n');
const titled = (given: EmbedDocument): string =>
  given.title === null ? said(given) : `${given.title}: ${said(given)}`;

function scheme(name: string, window: number, query: string, document: string): PrefixScheme {
  return {
    name,
    window,
    query: (text) => query + text,
    document: (given) => document + titled(given),
  };
}

const PASSAGES = 'Represent this sentence for searching relevant passages: ';

/**
 * By the beginning of a model's name; the first that fits. From the models' own cards. Ollama's default batch makes
 * 2,048 tokens the most of any model.
 */
const FAMILIES: readonly (readonly [beginning: string, scheme: PrefixScheme])[] = [
  [
    'embeddinggemma',
    {
      ...scheme('gemma', 2_048, 'task: search result | query: ', ''),
      document: (given) => `title: ${given.title ?? 'none'} | text: ${said(given)}`,
    },
  ],
  ['nomic-embed-text-v2', scheme('nomic-v2', 512, 'search_query: ', 'search_document: ')],
  ['nomic-embed-text', scheme('nomic', 2_048, 'search_query: ', 'search_document: ')],
  [
    'qwen3-embedding',
    scheme('qwen3', 2_048, 'Instruct: Given a question, retrieve the notes that answer it\nQuery:', ''),
  ],
  ['mxbai-embed', scheme('mxbai', 512, PASSAGES, '')],
  ['snowflake-arctic-embed2', scheme('arctic2', 2_048, 'query: ', '')],
  ['snowflake-arctic-embed', scheme('arctic', 512, PASSAGES, '')],
  ['bge-m3', scheme('plain-2048', 2_048, '', '')],
  ['bge-', scheme('bge', 512, PASSAGES, '')],
  ['multilingual-e5', scheme('e5', 512, 'query: ', 'passage: ')],
  ['e5-', scheme('e5', 512, 'query: ', 'passage: ')],
  ['all-minilm', scheme('plain-256', 256, '', '')],
];

const UNKNOWN = scheme('plain', 512, '', '');

/** The scheme of a model's family, by its name with or without a registry, a namespace and a tag. Pure. */
export function prefixScheme(model: string): PrefixScheme {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return FAMILIES.find(([beginning]) => name.startsWith(beginning))?.[1] ?? UNKNOWN;
}
