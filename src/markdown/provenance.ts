const PLACE = String.raw`\[[^\]\n]*\](?:\([^)\n]*\))?`;
const PROVENANCE = new RegExp(String.raw` \(from ${PLACE}(?:, ${PLACE})*\)(?=(?: \[untrusted\])?[ \t]*$)`, 'u');

/** A line without the links to where it was extracted from: they are for whoever checks it, and no part of what it says. Pure. */
export function withoutProvenance(line: string): string {
  return line.includes(' (from [') ? line.replace(PROVENANCE, '') : line;
}
