/**
 * Beginnings of messages that cron jobs, heartbeats and the host of an agent write. Such messages are not part of a
 * conversation, and no opinion of a person is taken from them. There is no other list of such beginnings in the
 * program.
 */
const HOST =
  '^\\s*(?:\\[cron:|\\[OpenClaw heartbeat poll\\]|\\[Inter-session message\\]|Read HEARTBEAT\\.md|Pre-compaction memory flush|HEARTBEAT_OK\\b)';
const TURN = new RegExp(`${HOST}|^\\s*.{0,80}\\bheartbeat\\b.{0,200}HEARTBEAT_OK`, 'is');
const LINE = new RegExp(`${HOST}|^\\s*(?:cron|heartbeat)\\s*[:：]|\\[cron:|\\(cron\\)|HEARTBEAT_OK`, 'i');
const HEADING = /\b(?:cron|heartbeats?|generated|dreaming)\b|定时任务|自动生成/i;
const SILENT = /^\s*["'[]*(?:NO_REPLY|HEARTBEAT_OK|SILENT)["'\].]*\s*$/i;

/** Events that a host reports before a message of the user, or instead of one: `System: [2026-11-20 18:04:11 UTC] …`. */
const EVENTS =
  /(?:^|\n)System(?: \(untrusted\))?: \[\d{4}-\d\d-\d\d \d\d:\d\d[^\n]*(?:\nSystem(?: \(untrusted\))?:[^\n]*)*/g;

/** Removes the host's events from a message. */
export function withoutHostEvents(text: string): string {
  return text.includes('System') ? text.replace(EVENTS, '') : text;
}

/** Whether a machine wrote a message in the user's name. False if a person only mentions a heartbeat. */
export function isMachineTurn(text: string): boolean {
  return TURN.test(withoutHostEvents(text));
}

/** Whether a line of a log was written by a machine, such as a cron job or a heartbeat. */
export function isMachineLine(text: string): boolean {
  return LINE.test(text);
}

/** Whether a heading shows that a machine, such as a cron job, wrote the text below it. */
export function isMachineHeading(text: string): boolean {
  return HEADING.test(text);
}

/** Whether an answer is only a code word of an agent that has nothing to say: `NO_REPLY`. */
export function isSilentReply(text: string): boolean {
  return SILENT.test(text);
}
