import { wholeWordPattern } from './words/word-set.js';

/** Words that ask for a fact. One line per language or language family. `_` stands for a space. */
const FACT = wholeWordPattern(
  `what which who whose whom when where how_(?:many|much|old|long|far|big|tall)
  wer wen wem wessen welche[rsnm]? wo wohin woher wann wie_(?:viele?|oft|alt|groß|heißt|hieß|lautet|war_noch) was_(?:ist|war|waren|sind|kostet|steht|habe|hat|haben|gilt)
  wat welke? waar wanneer hoeveel hoe_(?:heet|oud) wie_(?:is|was|heeft|had|zijn)
  vad vem vilke[nt] vilka var när hvad hvem hva hvor hvilke[nt] hvornår mikä kuka missä milloin
  qu'est-ce_que quel(?:le)?s? où quand combien comment_s['’]appelle qui_(?:est|était|a|sont)
  qué quién(?:es)? cuál(?:es)? dónde cuándo cuánt[oa]s? cómo_se_llama o_que quem qua(?:l|is) onde quando quant[oaie]s? como_se_chama che_cosa chi quale dove come_si_chiama
  кто кого кому чей чья чьё как(?:ой|ая|ое|ие|им|ого|ую) где куда откуда когда сколько как_зовут kogo kto kiedy gdzie ile któr[yae] jak[iae] jak_(?:się|ma|nazywa)
  nedir ad\\S*_ne kimin nerede hangi kaç ne_zaman ماذا أين اين متى كم أي gì ai_(?:là|đã|sẽ) đâu nào mấy bao_nhiêu khi_nào τι ποι[οαη]\\S* πού πότε πόσ[οηα] कौन कहाँ कब कितन[ाेी] क्या_है מה מי איפה מתי כמה`,
  '^\\W*(?:что|на что|ما|من|co)(?=\\s)|(?<![为為])什[么麼]|哪|[谁誰]|[几幾]|多[少大]|何|来着|[姓叫]啥|だれ|どこ|いつ|ど[のれ]|いく[つら]|(?:は|番)[?？]|뭐|무[엇슨]|누구|어디|언제|몇|얼마|어느|อะไร|ใคร|ไหน|เมื่อไ[รห]|กี่|เท่าไ[รห]|ຫຍັງ|ໃສ|ໃຜ|អ្វី|ឯណា|នរណា|ဘာ|ဘယ်',
);
/**
 * Words that ask for advice or for somebody's opinion. Such a question does not ask for a fact, although memories may help
 * with the answer.
 */
const ADVICE = wholeWordPattern(
  `should shall can could would might any_(?:advice|suggestions?|ideas?) what_if (?:what|how)_about do_you
  soll(?:te|en)? kann könnten? würde(?:st)? tun rat tipps? was_wenn moet kan zou doen advies devrais dois peux pourrais faire conseils?
  deb(?:o|ería) puedo hacer hago consejos? devo deveria posso fazer conselho dovrei fare consigli[o]?
  делать стоит посовету\\S* совет быть можно powin\\S* zrobić mogę yap\\S* öner\\S* أفعل افعل تنصحني nên làm_gì_bây`,
  '[么麼]好|[应應]该|应該|怎么办|怎麼辦|建[议議]|可以|能不能|[你您该該]|すれば|べき|どうしたら|いいですか|いいかな|해야|좋을까|할까|ควร|ทำยังไง|ทำอย่างไร|ดีไหม',
);

/** Words that ask to show or find something. */
const WANT = wholeWordPattern(
  `show tell find list give remind search recall zeige? gib suche? finde? sage? nenne? erinnere? liste montre donne cherche trouve dis rappelle
  muestra dame busca dime recuérdame mostra mostre dammi cerca dimmi procura diz laat toon geef zoek noem покажи найди дай скажи напомни назови
  pokaż znajdź göster bul söyle أرني ابحث ذكرني`,
  '[给給][我]|告[诉訴]|列出|找[出一到]|教えて|見せて|探して|보여|알려|찾아|แสดง|บอก|ค้นหา',
);

/** Whether a sentence asks for a fact, or tells the reader to show or find one. */
export function isRequest(sentence: string): boolean {
  return FACT.test(sentence) || WANT.test(sentence);
}

/** Whether a question asks for a fact, not for advice or an opinion. */
export function isFactQuestion(question: string): boolean {
  return FACT.test(question) && !ADVICE.test(question);
}
