import type { DaySpan } from '../../language/time/calendar.js';
import type { QuestionReading, WordOfQuestion } from './reading.js';

/** Describes how a question was read, one finding per line, for `recall --explain`. Contents are quoted as JSON strings. */
export function explainReading(reading: QuestionReading): string[] {
  const { window, asOf } = reading;
  const lines = [
    line('keywords', reading.words.map(explainWord)),
    line('exact', reading.exact.map(quote)),
    line('cjk', reading.cjk.map(quote)),
    line('entities', reading.entities),
    window && `time: ${window.spans.map(explainSpan).join(' or ')}, from ${quote(window.text)}`,
    asOf && `as of: ${asOf}`,
    line('wishes', namesOf(reading.wishes)),
    line('asks', namesOf(reading.cues)),
    reading.timeOnly && 'nothing but a time: its words are searched too',
    reading.stopWordsOnly && 'nothing but stop words: all of them are searched',
    reading.truncated && 'too long: only its beginning was read',
  ];
  return lines.filter((found) => typeof found === 'string');
}

function explainSpan({ since, until }: DaySpan): string {
  return `${since ?? '…'} to ${until ?? '…'}`;
}

function line(name: string, items: readonly string[]): string | false {
  return items.length > 0 && `${name}: ${items.join(', ')}`;
}

function explainWord({ text, weight, forms }: WordOfQuestion): string {
  const also = forms.length > 0 ? ` (also ${forms.join(', ')})` : '';
  return `${text}${weight === 1 ? '' : ` ×${weight}`}${also}`;
}

function namesOf(flags: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(flags).filter((name) => flags[name]);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
