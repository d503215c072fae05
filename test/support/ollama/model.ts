import { hash } from 'node:crypto';

/** How the server runs a chat model; see "two execution modes" in the README of this folder. */
export type ChatMode = 'rendered' | 'native';

/** A model in the double's registry. */
export interface FakeModel {
  readonly name: string;
  readonly kind: 'chat' | 'embedding';
  readonly mode: ChatMode;
  readonly family: string;
  /** Trained context length in tokens. */
  readonly contextLength: number;
  readonly tools: boolean;
  readonly thinking: boolean;
  /** Whether it has no chat template. */
  readonly isBase: boolean;
  /** Vector size of an embedding model. */
  readonly dimension: number;
  readonly sizeBytes: number;
}

export function fakeModel(model: Partial<FakeModel> & Pick<FakeModel, 'name'>): FakeModel {
  return {
    kind: 'chat',
    mode: 'rendered',
    family: 'fake',
    contextLength: 32_768,
    tools: true,
    thinking: false,
    isBase: false,
    dimension: 768,
    sizeBytes: 1_000_000,
    ...model,
    name: fullName(model.name),
  };
}

/** Models installed by default: the two default models, and one for each different behaviour. */
export const INSTALLED: readonly FakeModel[] = [
  fakeModel({ name: 'qwen3:4b-instruct', family: 'qwen3', contextLength: 262_144 }),
  fakeModel({ name: 'native:1b', mode: 'native' }),
  fakeModel({ name: 'thinker:4b', thinking: true }),
  fakeModel({ name: 'plain:1b', tools: false, contextLength: 4_096 }),
  fakeModel({ name: 'embeddinggemma', kind: 'embedding', family: 'gemma3', contextLength: 2_048 }),
  fakeModel({ name: 'all-minilm', kind: 'embedding', family: 'bert', contextLength: 256, dimension: 384 }),
];

/** The name with its tag, as the server lists it. */
export function fullName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).includes(':') ? name : `${name}:latest`;
}

export function digestOf({ name }: FakeModel): string {
  return hash('sha256', name, 'hex');
}

export function capabilitiesOf({ kind, tools, thinking }: FakeModel): readonly string[] {
  if (kind === 'embedding') return ['embedding'];
  return ['completion', ...(tools ? ['tools'] : []), ...(thinking ? ['thinking'] : [])];
}

/** The entry of `/api/tags`. */
export function listed(model: FakeModel, saysCapabilities = true): Readonly<Record<string, unknown>> {
  return {
    name: model.name,
    model: model.name,
    modified_at: '2026-01-01T00:00:00.123456789Z',
    size: model.sizeBytes,
    digest: digestOf(model),
    details: details(model),
    ...(saysCapabilities ? { capabilities: capabilitiesOf(model) } : {}),
  };
}

const TEMPLATE = '{{ range .Messages }}{{ .Role }}: {{ .Content }}{{ end }}';

/** The answer of `/api/show`. */
export function shown(model: FakeModel): Readonly<Record<string, unknown>> {
  const { family, contextLength, dimension, kind, mode, isBase } = model;
  const info: Record<string, unknown> = {
    'general.architecture': family,
    [`${family}.context_length`]: contextLength,
    [`${family}.embedding_length`]: dimension,
  };
  if (kind === 'embedding') info[`${family}.pooling_type`] = 1;
  return {
    modelfile: `FROM ${model.name}\n`,
    parameters: '',
    template: mode === 'native' ? '{% for message in messages %}{% endfor %}' : isBase ? '{{ .Prompt }}' : TEMPLATE,
    details: details(model),
    model_info: info,
    capabilities: capabilitiesOf(model),
    modified_at: '2026-01-01T00:00:00.123456789Z',
  };
}

export function details({ family }: FakeModel): Readonly<Record<string, unknown>> {
  return {
    parent_model: '',
    format: 'gguf',
    family,
    families: [family],
    parameter_size: '1B',
    quantization_level: 'Q4_K_M',
  };
}

/** Returns a model of a registry, an embedding model if its name says so. */
export function pullable(name: string): FakeModel {
  return fakeModel({ name, kind: name.includes('embed') ? 'embedding' : 'chat' });
}
