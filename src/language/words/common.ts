import { wordSet } from './word-set.js';

/**
 * Frequent lower-case English words of working notes. They tell what a statement says but name nothing; any other
 * lower-case word is presumed to be a name (`redis`, `pnpm`, `frankfurt`).
 */
const COMMON_WORDS: ReadonlySet<string> = wordSet(`
able above access accept accepted across actual actually add added adding against agree ahead allow allowed allows
almost alone along already although always among another answer anything apart apply applied around ask asked asks
available away back bad based basic become below best better big bit block blocked break bring broken bug build
building built call called calls came cannot care case cases cause caused causes change changed changes changing check
checked checking choice choose clean clear close closed code come comes common complete completed config confirm
confirmed consider contain contains content context continue copy correct cost create created current currently cut
data date day days deal default define defined delete deleted depend depends describe design detail details develop
different directly discuss discussed document doing drop dropped due early easy edit enable enabled end enough ensure
entry error errors even event example except exist existing exists expect expected explain fail failed fails fast
feature field file files fill final finally find fine finish finished first fix fixed fixes fixing follow following
follows form format found free full function future general give given gives going good great group grow half hand
handle happen happens hard help high hold hope however idea implement implemented important improve include included
includes including inside instead internal issue issues item items join joined keep keeps kept kind know known large
last late later latest launch least leave left less level like limit line list little live load local long longer look
lose lost low made main make makes making manage many mark matter mean means mention missing mode move moved moving
name named near nearly never next nobody none nothing number okay ones open option order original others otherwise
owner owns part parts pass passed past path people perhaps person place point possible prefer preferred prefers
present previous problem process produce project put question quick quite raise ran rather reach read ready real
really reason receive recent record reduce relevant remain remains remember remove removed replace replaced report
request require required requires rest result results return review right round row rule run running runs said save
saw say says second section see seem seen send sent set sets setting setup several short show shows shown side sign
signed similar simple since single size small solution solve something soon sort source special specific start started
starts state stay step steps stop stopped store stored suggest support sure switch system take taken takes taking talk
task team tell test tested testing tests text thank thing things think third though time times today together told
tomorrow took top total track tried tries true try trying turn turned two type understand unless update updated
updates usage use used useful user users uses using usually value values version want wanted wants watch way ways week
weeks well went whatever wide within without word work worked works worse worst write writes writing written wrong
year years yesterday
`);

/** True for a word that tells what a statement says but names nothing. `word` is lower-case. */
export function isCommon(word: string): boolean {
  return COMMON_WORDS.has(word);
}
