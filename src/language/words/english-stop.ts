import { wordSet } from './word-set.js';
/**
 * English words that carry no meaning of their own: articles, pronouns, auxiliaries, prepositions, conjunctions,
 * question words and their contractions. They are never keywords unless a question holds nothing else.
 */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = wordSet(
  `a an the this that these those some any each every either neither both all another such
  i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
  it its itself they them their theirs themselves one ones someone somebody anyone anybody everyone everybody
  something anything everything there here
  am is are was were be been being do does did doing done have has had having will would shall should can could may might
  must ought need let got get gets getting
  of in on at by for with about against between into through during before after above below to from up down out off
  over under around near per via within without upon onto toward towards across along among behind beside besides beyond
  as like unlike
  and or but nor so yet if then else than because while although though unless until till since whether
  what which who whom whose when where why how whatever whichever whoever
  not no yes too very just only also even ever again once still already almost quite rather more most much many few
  less least other others same own else well please ok okay hi hello hey thanks
  don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't won't wouldn't shan't shouldn't can't cannot
  couldn't mustn't mightn't needn't ain't i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll it'd it'll
  we're we've we'd we'll they're they've they'd they'll that'd that'll who'd who'll who've what'd what'll what're how'd
  how'll where'd when'd there'd there'll let's y'all dont doesnt didnt isnt wasnt cant wont im ive youre theyre
  s t d m ll re ve`,
);
