import { Cued } from '../tokens.js';

const PAST = new Cued(
  'used to|former|previously|back then|lived|resided|dwelt|worked|studied|stayed|taught|served|was living|was working|was based|was employed|was studying|ehemals|damals|wohnte|lebte|arbeitete|studierte|gewohnt|gelebt|gearbeitet|studiert|autrefois|ait|aient|früher|a habité|a vécu|a travaillé|a étudié|vivía|vivió|trabaj|abitava|viveva|lavorava|morava|trabalhava|woonde|werkte|vroeger|жил|работал|раньше|以前|曾|过去|当年|那时|住过|待过|工作过|いた|时',
  /\b(?:used to|formerly|previously|former(?!ly)|back then|(?<!\b(?:has|have|had|'s|'ve) )(?:lived|resided|dwelt|worked|studied|stayed|taught|served)|was (?:living|working|based|employed|studying)|ehemals|damals|wohnte|lebte|arbeitete|studierte|(?:hat|hatte) .{1,60}\b(?:gewohnt|gelebt|gearbeitet|studiert)|autrefois|viv(?:ía|ió|eva)|trabaj(?:aba|ó)|abitava|lavorava|morava|trabalhava|woonde|werkte|vroeger)(?![\w\u00c0-\u1fff])|früher|\ba (?:habité|vécu|travaillé|étudié)|^(?!fait|sait|plaît|connaît|paraît|naît)[a-zà-ÿ]{2,}(?<![eid]r)ai(?:en)?t(?=\s)|(?<![\u0400-\u04ff])(?:жил[аи]?|работал[аи]?|раньше)(?![\u0400-\u04ff])|以前|曾|过去|当年|那时|[住待]过|工作过|[てで]いた|(?:大学|[中小上]学|高中|读书|年轻|学生)的?时候?|小时候/i,
);

/** Whether a statement tells by its words of what was once and is no more: `used to live in Porto`, 以前住在波尔图. Pure. */
export function tellsOfFormerState(text: string): boolean {
  return PAST.isIn(text);
}
