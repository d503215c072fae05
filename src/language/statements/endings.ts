/** Words by which a statement tells that something is over, whatever it is: sold, cancelled, gestorben, бросил, 退了. */
const SPACED = `sold|gave up|given up|gave away|cancell?ed|called off|quit|stopped|finished|completed|ended|is over|are over|was over|done with|through with|got rid of|threw (?:out|away)|broke up with|split (?:up )?(?:from|with)|divorced|laid off from|fired from|resigned from|dropped out of|moved out(?: of)?|checked out of|died|passed away|has died|is dead|was stolen|expired|ran out|shut down|closed down|wound up|was scrapped|scrapped|returned from|(?:is )?back from|home from|came back from|is off|came off|are off|has healed|is gone|are gone|was put down|handed in (?:his|her|the) notice at|left(?= (?:the|his|her|their) (?:\\w+ )?(?:team|choir|club|band|company|firm|board|party|group|committee|council|orchestra|society|union|job|course|school|project))
verkauft|verkaufte|aufgegeben|gekündigt|kündigte|beendet|beendete|abgeschlossen|abgebrochen|aufgehört|abgesetzt|abgeschafft|abgemeldet|verlassen|gestorben|verstorben|gestohlen|vorbei|zu ende|fertig mit|getrennt|ausgezogen|ausgetreten|abgelaufen|abgesagt|zurück aus|entlassen
a vendu|vendue?|a arrêté|a fini|a terminé|terminée?|a quitté|a résilié|résiliée?|a abandonné|a annulé|annulée?|est mort|est morte|est finie?|a rompu avec|rentrée? de|de retour de
vendió|vendid[oa]|dejó(?: de)?|ha dejado|terminó|acabó|abandonó|canceló|murió|se acabó|rompió con|volvió de
ha venduto|vendut[oa]|ha smesso(?: di)?|ha lasciato|ha finito|ha terminato|ha disdetto|disdett[oa]|è mort[oa]|è finit[oa]|ha chiuso|annullat[oa]|tornat[oa] da
vendeu|vendid[oa]|deixou(?: de)?|largou|terminou|acabou|cancelou|morreu|desistiu de|voltou de
verkocht|gestopt met|stopte met|opgezegd|beëindigd|klaar met|afgelopen|overleden|opgegeven|weggegaan bij|terug van
продал[аи]?|бросил[аи]?|закончил[аи]?|завершил[аи]?|уволил(?:ся|ась)|уш[ёе]л из|ушла из|умер|умерла|отменил[аи]?|перестал[аи]?|развел(?:ся|ась)|рассталась с|расстался с|вернул(?:ся|ась) из`;
const CHINESE =
  '卖掉?了|卖出|退[租了掉出订]+了?|停[了掉止用]+了?|取消了?|注销了?|结束了?|考完了?|[办做写修学读看]完了?|毕业了?|去世了?|死了|走丢了?|丢了|送人了?|扔[了掉]+|关[门闭]了?|倒闭了?|辞[了去掉]+|离职了?|分手了?|解约了?|到期了?|过期了?|戒[了掉]+|不[养租开用吃喝学练干做]了|放弃了?';
const JAPANESE = 'やめた|辞めた|終わった|終えた|売った|卒業した|解約した|退会した|亡くなった|別れた|閉店した|手放した';

let pattern: RegExp | undefined;

/** What a statement says is over: the rest of its words. Undefined where it does not say so. Pure. */
export function overIn(text: string): string | undefined {
  pattern ??= new RegExp(
    `(?<![\\w\\u00c0-\\u1fff-])(?:${SPACED.replaceAll('\n', '|')})(?![\\w\\u00c0-\\u1fff-])|${CHINESE}|${JAPANESE}`,
    'i',
  );
  const found = pattern.exec(text);
  if (found === null || STILL.test(text) || IS_DOING.test(text)) return undefined;
  // What is said before and after it in clauses of their own is of something else.
  const before =
    text
      .slice(0, found.index)
      .split(/[,，;；。]/)
      .at(-1) ?? '';
  const [after = ''] = text.slice(found.index + found[0].length).split(/[,，;；。]/);
  const rest = `${before} ${after}`;
  return rest.replace(FRAME, ' ').trim();
}

/** `Verkauft das Haus` is being done. */
const IS_DOING = /^(?:verkauft|verlassen|verkocht) (?:de[rnm]|die|das|ein|sein|ihr|het)/;
/** It is not over, or nobody knows. */
const STILL =
  /[?？]|\b(?:not|never|nearly|almost|might|may|will|plans?|wants?|hopes?|if|until|before|every|each)\b|(?<!\p{L})(?:nicht(?! mehr)|fast|wird|will|möchte|если|не)(?!\p{L})|没|未|打算|想|要(?!.*了)|如果|ない/iu;
/** When, and how surely. */
const FRAME =
  /(?<![\p{L}])(?:finally|yesterday|today|for good|last \w+|this \w+|already|recently|gestern|endlich|ist|hat|hier|ayer|ieri|ontem|вчера|в|на|own|old|his|her|their)(?![\p{L}])|终于|昨天|已经?|把|被|的|了|を|が|は/giu;
