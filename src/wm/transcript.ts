/** A message of a session as far as a prompt needs it. */
export interface Message {
  readonly role: string;
  readonly body: string;
}

/** The messages as a prompt shows them: `[role]: body`, one after the other. */
export function renderTranscript(messages: readonly Message[]): string {
  return messages.map(({ role, body }) => `[${role}]: ${body === '' ? '(no content)' : body}`).join('\n');
}
