/** A sentence with what ends it, and the white space behind. */
const SENTENCE = /.+?(?:[.!?](?=\s)|[。！？；]|$)\s*/gu;

/**
 * A text in pieces of about as many characters, cut where sentences end, or between words where a sentence is longer;
 * all of it where it is not much longer. Pure.
 */
export function passagesOf(text: string, length: number): readonly string[] {
  if (text.length <= 1.5 * length) return [text];
  const found: string[] = [];
  let open = '';
  for (const sentence of text.match(SENTENCE) ?? []) {
    if (open !== '' && open.length + sentence.length > length) {
      found.push(open);
      open = '';
    }
    open += sentence;
    while (open.length > 2 * length) {
      const space = open.lastIndexOf(' ', length);
      const end = space > length / 2 ? space : length;
      found.push(open.slice(0, end));
      open = open.slice(end);
    }
  }
  return open === '' ? found : [...found, open];
}
