/** What the host OpenClaw writes behind a line that it copies into the core file. */
const TAIL =
  /\s*\[score=[\d.]{1,9}(?: [a-z]{1,20}=[^\s\]]{1,40})*? source=([^\s\]]{1,300}?)(?::(\d+)(?:-\d+)?)?\](?=(?: ?<!--[^<>]{0,200}-->)* ?$)/;

/** A line that was promoted, without its tail. */
export interface Promoted {
  readonly text: string;
  /** Path of the file that it was copied from. */
  readonly source: string;
}

/** Undefined for a line that the host did not promote. Pure. */
export function readPromoted(line: string): Promoted | undefined {
  if (!line.includes('[score=')) return undefined;
  const tail = TAIL.exec(line);
  return tail?.[1] === undefined ? undefined : { text: line.replace(TAIL, ''), source: tail[1] };
}
