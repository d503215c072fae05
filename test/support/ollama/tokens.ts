const BYTES_PER_TOKEN = 4;

/** The double's tokenizer: one token for four bytes, so that every count can be computed by hand. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** Returns this number of tokens from the start of a text; never half a character. */
export function firstTokens(text: string, tokens: number): string {
  let bytes = tokens * BYTES_PER_TOKEN;
  let end = 0;
  for (const char of text) {
    bytes -= Buffer.byteLength(char);
    if (bytes < 0) break;
    end += char.length;
  }
  return text.slice(0, end);
}

/** The text in pieces of about one token. */
export function tokensOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const char of text) {
    piece += char;
    if (Buffer.byteLength(piece) >= BYTES_PER_TOKEN) {
      pieces.push(piece);
      piece = '';
    }
  }
  return piece === '' ? pieces : [...pieces, piece];
}
