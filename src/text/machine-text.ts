/**
 * The one list of what cron jobs, heartbeats and an agent's host say by themselves: no conversation, and no evidence of
 * what anybody thinks.
 */
const HOST =
  '^\\s*(?:\\[cron:|\\[OpenClaw heartbeat poll\\]|\\[Inter-session message\\]|Read HEARTBEAT\\.md|Pre-compaction memory flush|HEARTBEAT_OK\\b)';
const TURN = new RegExp(`${HOST}|^\\s*.{0,80}\\bheartbeat\\b.{0,200}HEARTBEAT_OK`, 'is');
const LINE = new RegExp(`${HOST}|^\\s*(?:cron|heartbeat)\\s*[:：]|\\[cron:|\\(cron\\)|HEARTBEAT_OK`, 'i');
const HEADING = /\b(?:cron|heartbeats?|generated|dreaming)\b|定时任务|自动生成/i;
const SILENT = /^\s*["'[]*(?:NO_REPLY|HEARTBEAT_OK|SILENT)["'\].]*\s*$/i;

/** What a host tells of itself before the words of a user, or instead of them: `System: [2026-11-20 18:04:11 UTC] …`. */
const EVENTS =
  /(?:^|\n)System(?: \(untrusted\))?: \[\d{4}-\d\d-\d\d \d\d:\d\d[^\n]*(?:\nSystem(?: \(untrusted\))?:[^\n]*)*/g;

/** A message without what the host tells of itself in it. */
export function withoutHostEvents(text: string): string {
  return text.includes('System') ? text.replace(EVENTS, '') : text;
}

/** Whether a message in the name of the user was said by a machine; a person may well speak of heartbeats. */
export function isMachineTurn(text: string): boolean {
  return TURN.test(withoutHostEvents(text));
}

/** Whether a line of a log is what a machine writes again and again. */
export function isMachineLine(text: string): boolean {
  return LINE.test(text);
}

/** Whether a heading stands over what machines write. */
export function isMachineHeading(text: string): boolean {
  return HEADING.test(text);
}

/** Whether an answer says that there is nothing to say. */
export function isSilentReply(text: string): boolean {
  return SILENT.test(text);
}
