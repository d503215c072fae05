/** A value in the header of a model file: integers of 32 bits, lists of texts. */
export type HeadValue = string | number | boolean | readonly string[];

/** The header of an embedding model. */
export const EMBEDS: Readonly<Record<string, HeadValue>> = {
  'general.architecture': 'bert',
  'general.name': 'Some Model',
  'bert.context_length': 512,
  'bert.embedding_length': 64,
  'bert.attention.causal': false,
  'tokenizer.ggml.tokens': ['[CLS]', '[SEP]', 'der', '的'],
  'bert.pooling_type': 1,
};

/** Returns a model file (GGUF) with this header. */
export function gguf(head: Readonly<Record<string, HeadValue>> = EMBEDS, tail = 'SOUND TENSORS', version = 3): Buffer {
  const keys = Object.entries(head);
  const parts = [Buffer.from('GGUF'), uint32(version), uint64(0), uint64(keys.length)];
  for (const [key, value] of keys) parts.push(text(key), ...typed(value));
  return Buffer.concat([...parts, Buffer.from(tail)]);
}

function typed(value: HeadValue): readonly Buffer[] {
  if (typeof value === 'string') return [uint32(8), text(value)];
  if (typeof value === 'number') return [uint32(4), uint32(value)];
  if (typeof value === 'boolean') return [uint32(7), Buffer.from([value ? 1 : 0])];
  return [uint32(9), uint32(8), uint64(value.length), ...value.map(text)];
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function uint64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
