/**
 * The only list of messages that cron jobs, heartbeats and an agent's host write by themselves. They are no conversation,
 * and no evidence of anyone's opinion.
 */
const HOST =
  '^\\s*(?:\\[cron:|\\[OpenClaw heartbeat poll\\]|\\[Inter-session message\\]|Read HEARTBEAT\\.md|Pre-compaction memory flush|HEARTBEAT_OK\\b)';
const TURN = new RegExp(`${HOST}|^\\s*.{0,80}\\bheartbeat\\b.{0,200}HEARTBEAT_OK`, 'is');
const LINE = new RegExp(`${HOST}|^\\s*(?:cron|heartbeat)\\s*[:：]|\\[cron:|\\(cron\\)|HEARTBEAT_OK`, 'i');
const HEADING = /\b(?:cron|heartbeats?|generated|dreaming)\b|定时任务|自动生成/i;
const SILENT = /^\s*["'[]*(?:NO_REPLY|HEARTBEAT_OK|SILENT)["'\].]*\s*$/i;

/** Events that a host reports before the words of a user, or instead of them: `System: [2026-11-20 18:04:11 UTC] …`. */
const EVENTS =
  /(?:^|\n)System(?: \(untrusted\))?: \[\d{4}-\d\d-\d\d \d\d:\d\d[^\n]*(?:\nSystem(?: \(untrusted\))?:[^\n]*)*/g;

/** Removes the host's events from a message. */
export function withoutHostEvents(text: string): string {
  return text.includes('System') ? text.replace(EVENTS, '') : text;
}

/** Whether a machine wrote a message in the user's name. A person may also mention heartbeats. */
export function isMachineTurn(text: string): boolean {
  return TURN.test(withoutHostEvents(text));
}

/** Whether a line of a log is one that a machine writes repeatedly. */
export function isMachineLine(text: string): boolean {
  return LINE.test(text);
}

/** Whether the text below a heading is written by machines. */
export function isMachineHeading(text: string): boolean {
  return HEADING.test(text);
}

/** Whether an answer only says that there is nothing to say. */
export function isSilentReply(text: string): boolean {
  return SILENT.test(text);
}
