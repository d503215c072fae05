import { wordSet } from './word-set.js';
/**
 * Words that shape a question more than they say what it is about. They stay searchable, at a low weight: a log
 * may hold them, but a line that holds nothing else is no answer.
 */
export const FRAME_WORDS: ReadonlySet<string> = wordSet(
  `kind kinds type types sort sorts name names named tell told say says said know knows knew known
  remember remembers remind recall show find give list explain describe mention mentioned mentions mentioning talk talked talks talking
  discuss discussed discussing happen happened happens happening thing things stuff way ways lot lots bit info
  think thinks thought opinion opinions time times number amount often question answer ask asked concerning regarding related relating involve involved
  recent recently latest current currently now various certain particular exactly actually really`,
);

/**
 * Words that people say whatever they tell of: the commonest verbs, adverbs and words of feeling. In a short question each
 * was chosen; in a message of several sentences they are only how people talk.
 */
export const TELLING_WORDS: ReadonlySet<string> = wordSet(
  `feel feels feeling felt want wants wanted like likes liked love loves loved enjoy enjoys enjoyed hope hopes hoped
  make makes made making go goes going went gone come comes coming came take takes taking took give gives gave given
  put keep keeps kept see sees saw seen seeing look looks looked looking seem seems seemed try tries tried trying
  use used using help helps helped start started stop stopped wait believe guess mean means understand
  good great nice bad best better worse new old big little long last first next right wrong sure able
  happy sad super amazing awesome wonderful fun cool pretty interesting special difficult hard easy
  always never sometimes maybe probably together especially absolutely incredibly extremely finally suddenly ago
  today yesterday tomorrow tonight day days week people person everyone work haha hmm wow yeah oh hey`,
);

/**
 * Openings and fillers of two words or more whose words say nothing about the subject, although each could elsewhere
 * ("do you remember" asks nothing about remembering). Longer ones stand first.
 */
export const FRAME_PHRASES: readonly string[] = `
  do you happen to know, do you still know, do you remember, do you recall, do you know, what do we know about,
  what do you know about, what do i know about, what else do we know about, can you tell me, could you tell me,
  tell me more about, tell me about, tell me, remind me, show me, give me, i would like to know, i want to know,
  what is the name of, what was the name of, the name of, what kind of, what kinds of, what type of, what types of,
  what sort of, kind of, sort of, type of, how long, how often, how many times, the number of, at the moment,
  the other day, in terms of, when it comes to, what happened, what was true about, what was true, what was valid,
  in conversation, in the conversation, in our conversation, during the conversation, named after, still true, still valid, what is going on with, is there anything about, anything about
`
  .trim()
  .split(/,\s+/);
