import { expect, test } from 'vitest';
import { readTimeIntent } from '../../../src/recall/question/time-intent.js';

test.each([
  'what did we work on    ?',
  'what did I buy in        ?',
  'what did Tomás drink in       ?',
  'what happened           ?',
  'what else broke in      ?',
  'what has changed since  ?',
  '    我们做了什么',
  '    聊了哪些话题',
])('asks for events in a time: %s', (text) => {
  expect(readTimeIntent(text)).toBe('events');
});

test.each([
  'where were the backups kept in      ?',
  "where was Helena's desk in    ?",
  'what was the pool limit in     ?',
  'which Postgres in          ?',
  'how did Helena want the summary in      ?',
  'what did Tomás prefer in       ?',
  '缓存在    用什么？',
])('asks for a state in a time: %s', (text) => {
  expect(readTimeIntent(text)).toBe('state');
});

test.each([
  'what did we decide about Redis         ?',
  'who came to dinner on       ?',
  '     关于 Redis 我们决定了什么',
  '     买了哪些书',
])('asks for one thing in a time: %s', (text) => {
  expect(readTimeIntent(text)).toBeNull();
});
