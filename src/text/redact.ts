export function redactSecrets(text: string): { text: string; found: readonly { kind: string }[] } {
  return { text, found: [] };
}
