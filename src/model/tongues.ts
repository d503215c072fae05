import { err, ok, type Result } from '../base/result.js';
import { TONGUES, type Tongue } from '../language/tongue.js';
import type { Embedder } from './model.js';

/** A question and its answer, in other words. */
export type Probe = readonly [question: string, answer: string];

/**
 * The same six questions in many tongues. Question and answer have no word in common: a model that puts an answer
 * nearer to its question than to the other five knows the tongue, one that only compares signs does not. German stands
 * for all languages in Latin letters but English.
 */
export const TONGUE_PROBES: Readonly<Record<Exclude<Tongue, 'other'>, readonly Probe[]>> = {
  english: [
    ['Where does she live?', 'Her apartment is in the old town.'],
    ['Which illness did he have?', 'The doctor told him it was the flu.'],
    ['How do they get to work?', 'Both take the train every morning.'],
    ['What is her job?', 'She teaches children mathematics.'],
    ['What music do they like?', 'He plays the piano and she sings.'],
    ['How much did the car cost?', 'We paid nine thousand for the vehicle.'],
  ],
  latin: [
    ['Wo wohnt sie?', 'Ihr Zimmer liegt in der Altstadt.'],
    ['Welche Krankheit hatte er?', 'Der Arzt sagte, es sei die Grippe.'],
    ['Wie kommen beide in die Firma?', 'Sie nehmen jeden Morgen den Zug.'],
    ['Was ist ihr Beruf?', 'Sie unterrichtet Kinder in Mathematik.'],
    ['Welche Musik mögen sie?', 'Er spielt Klavier, und sie singt.'],
    ['Wie viel hat das Auto gekostet?', 'Wir zahlten neuntausend für den Wagen.'],
  ],
  han: [
    ['她住在哪里？', '公寓位于老城区。'],
    ['他得了什么病？', '医生说是流感。'],
    ['他们怎么去上班？', '每天早上都坐火车。'],
    ['她的职业是什么？', '在学校教孩子数学。'],
    ['他们喜欢什么音乐？', '一个弹钢琴，一个唱歌。'],
    ['那辆车多少钱？', '我们付了九千块买下轿车。'],
  ],
  kana: [
    ['彼女はどこに住んでいますか。', 'アパートは旧市街にある。'],
    ['彼は何の病気でしたか。', '医者によるとインフルエンザだそうだ。'],
    ['二人はどうやって通勤しますか。', '毎朝電車に乗っている。'],
    ['彼女の仕事は何ですか。', '子どもたちに算数を教えている。'],
    ['どんな音楽が好きですか。', 'ピアノを弾き、歌も歌う。'],
    ['車はいくらしましたか。', '自動車に九千ドル払った。'],
  ],
  hangul: [
    ['그녀는 어디에 살아요?', '아파트가 구시가지에 있다.'],
    ['그는 무슨 병에 걸렸나요?', '의사가 독감이라고 했다.'],
    ['그들은 어떻게 출근하나요?', '둘 다 매일 아침 기차를 탄다.'],
    ['그녀의 직업은 무엇인가요?', '아이들에게 수학을 가르친다.'],
    ['어떤 음악을 좋아하나요?', '피아노를 치고 노래를 부른다.'],
    ['차는 얼마였나요?', '자동차 값으로 구천 달러를 냈다.'],
  ],
  thai: [
    ['เธออาศัยอยู่ที่ไหน', 'อพาร์ตเมนต์ตั้งในเมืองเก่า'],
    ['เขาป่วยเป็นโรคอะไร', 'หมอบอกว่าไข้หวัดใหญ่'],
    ['พวกเขาไปทำงานอย่างไร', 'ทั้งสองนั่งรถไฟทุกเช้า'],
    ['เธอมีอาชีพอะไร', 'สอนคณิตศาสตร์ให้เด็ก'],
    ['พวกเขาชอบดนตรีแบบไหน', 'คนหนึ่งเล่นเปียโน อีกคนร้องเพลง'],
    ['รถคันนั้นราคาเท่าไหร่', 'เราจ่ายเก้าพันซื้อยานพาหนะ'],
  ],
  cyrillic: [
    ['Где она живёт?', 'Её квартира находится в старом городе.'],
    ['Чем он болел?', 'Врач сказал, что это грипп.'],
    ['Как они добираются на работу?', 'Оба каждое утро едут поездом.'],
    ['Какая у неё профессия?', 'Преподаёт детям математику.'],
    ['Какую музыку они любят?', 'Один играет на пианино, другая поёт.'],
    ['Сколько стоила машина?', 'Мы заплатили за автомобиль девять тысяч.'],
  ],
  arabic: [
    ['أين تسكن؟', 'شقتها في المدينة القديمة.'],
    ['ما المرض الذي أصابه؟', 'قال الطبيب إنها الإنفلونزا.'],
    ['كيف يذهبان إلى العمل؟', 'يركبان القطار كل صباح.'],
    ['ما مهنتها؟', 'تدرّس الأطفال الرياضيات.'],
    ['أي موسيقى يحبان؟', 'هو يعزف البيانو وهي تغني.'],
    ['كم كلفت السيارة؟', 'دفعنا تسعة آلاف ثمن المركبة.'],
  ],
};

/** How far the vectors of a model may be believed, by tongue, 0..1. */
export type KnownTongues = ReadonlyMap<Tongue, number>;

/** What asking the probes tells of a model. */
export interface Probed {
  readonly known: KnownTongues;
  /** The vectors of the answers: texts that no question is about, where there are too few others to compare with. */
  readonly answers: readonly ProbeVector[];
}

export interface ProbeVector {
  readonly tongue: Tongue;
  readonly vector: Float32Array;
}

/** Of all comparisons, chance gets half right and a model without the tongue two thirds; a good one hardly errs. */
const RIGHT = { from: 0.8, to: 0.95 };

/**
 * Which tongues an embedding model knows: whether it puts the answer to a question nearer than the answers to others.
 * What is not probed is known as little as the least known of the others. Asks the model for some hundred short texts.
 * Failures: those of the embedder.
 */
export async function knownTongues(embedder: Embedder, signal?: AbortSignal): Promise<Result<Probed>> {
  const known = new Map<Tongue, number>();
  const answers: ProbeVector[] = [];
  for (const tongue of TONGUES) {
    if (tongue === 'other') continue;
    const asked = await ask(TONGUE_PROBES[tongue], embedder, signal);
    // A model may fall over signs that it has never seen: then it does not know them. Over English it falls when ill.
    const isThere = asked.ok || tongue === 'english' ? asked : await embedder.identify(signal);
    if (!isThere.ok) return err(isThere.error);
    const right = asked.ok ? shareOfRight(asked.value) : 0;
    known.set(tongue, Math.min(1, Math.max(0, (right - RIGHT.from) / (RIGHT.to - RIGHT.from))));
    const vectors = asked.ok ? asked.value.answers : [];
    answers.push(...vectors.flatMap((vector) => (vector === null ? [] : { tongue, vector })));
  }
  return ok({ known: known.set('other', Math.min(...known.values())), answers });
}

type Vectors = readonly (Float32Array | null)[];

interface Asked {
  readonly questions: Vectors;
  readonly answers: Vectors;
}

async function ask(
  probes: readonly Probe[],
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<Result<Asked>> {
  const questions = await embedder.embedQueries(
    probes.map(([question]) => question),
    signal,
  );
  if (!questions.ok) return err(questions.error);
  const documents = probes.map(([, answer]) => ({ title: null, text: answer }));
  const answers = await embedder.embedDocuments(documents, signal);
  return answers.ok ? ok({ questions: questions.value, answers: answers.value }) : err(answers.error);
}

/** Of all pairs of a question and a wrong answer, how often the right one is nearer to either; 0..1. */
function shareOfRight({ questions, answers }: Asked): number {
  const nearness = questions.map((question) => answers.map((answer) => cosine(question, answer)));
  const own = nearness.map((row, at) => row[at] ?? -1);
  const isRight = nearness.flatMap((row, one) =>
    row.flatMap((value, other) =>
      one === other ? [] : [(own[one] ?? -1) > value, (own[other] ?? -1) > value].map(Number),
    ),
  );
  return isRight.reduce((sum, right) => sum + right, 0) / isRight.length;
}

/** Of two vectors of length 1. A text that the model refuses is near to nothing. */
function cosine(one: Float32Array | null, other: Float32Array | null): number {
  if (one === null || other === null) return -1;
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0);
  return sum;
}
