const TO_ANOTHER = wordPattern(
  'you your yours yourself dir dich dein deine deinen deiner tu te ton ta tes vous votre tú tus usted ti tuo tua je jouw jullie ты тебя тебе твой твоя вы вас вам ваш',
);
const OF_SELF = wordPattern(
  'i my me mine myself we our us ich mein meine meinen meiner mich mir wir uns unser je j mon ma mes moi nous notre yo mi mis nosotros io mio mia noi ik mijn mij wij ons eu meu minha nós nosso nossa я мы мой моя мне меня нас нам наш',
);

/** Whether somebody speaks to another, and not of himself, by the pronouns of eight languages. */
export function isToAnother(said: string): boolean {
  return TO_ANOTHER.test(said) && !OF_SELF.test(said);
}

/** Whether somebody speaks of himself, by the pronouns of nine languages. */
export function isOfSelf(said: string): boolean {
  return OF_SELF.test(said);
}

function wordPattern(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.replaceAll(' ', '|')})(?!\\p{L})`, 'iu');
}
