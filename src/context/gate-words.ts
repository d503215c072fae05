import { anyWordPattern, wordSet } from '../language/tokens.js';
/**
 * The vocabulary of the task gate. It lists base forms only; rules find the inflections. The group of a verb, and whether it
 * has an everyday sense, decide its points.
 */

/** Verbs that change things outside of the conversation and have no everyday sense. */
export const SIDE_EFFECT_VERBS = wordSet('deploy migrate configure despliega deploie');
/**
 * Verbs that change things outside of the conversation, but also have an everyday sense: `write` a letter, `release` an
 * album.
 */
export const AMBIGUOUS_EFFECT_VERBS = wordSet('write edit modify delete remove release publish patch');
/** Verbs of technical work. */
export const EXECUTION_VERBS = wordSet(`debug implement refactor integrate troubleshoot
  arregla corrige implementa behebe implementiere repare исправь почини`);
/** The verb `fix`. An order with it is always a task, even if the thing is at home: `fix the lamp`. */
export const ALWAYS_TASK_VERBS = wordSet('fix');
/** Verbs of technical work with an everyday sense: `run` a marathon, a driving `test`. */
export const AMBIGUOUS_EXECUTION_VERBS = wordSet('test build run repair');
/** More verbs of technical work. The points of the gate come from an older design, which does not list these verbs. */
export const MORE_TECHNICAL_VERBS =
  wordSet(`install uninstall upgrade downgrade revert rollback rename restart reboot compile lint
  backfill reproduce investigate diagnose optimise optimize scaffold bootstrap provision benchmark merge rebase
  automate hookup wire retry parse validate paginate inspect dockerize containerize parallelize undeploy instrument`);
/** Verbs of any work. They order a task only together with a technical word. */
export const GENERAL_VERBS = wordSet(`add create update change setup cleanup tidyup convert review check move prepare
  replace extend extract split enable disable document push pull commit bump port sync generate expose tune switch
  import export restore reset upload download scan scale simplify resolve handle make speedup shutdown spinup drop
  reduce increase improve limit log monitor rotate tag truncate archive bisect continue proceed connect address
  adjust append audit cache allow support define register schedule send show store swap use apply undo access finish address tweak start stop launch open
  close complete draft design solve correct format search research rework`);

/** Matches verbs of two words, which count as one verb: `set up`, `cleaning up`. */
export const TWO_WORD_VERB_PATTERN =
  /\b(set|clean|tidy|hook|speed|spin|shut|roll)(?:s|ning|ting|ding|ing|ed)?[ -](up|down|back)\b/g;

/** Phrases that mean `investigate`. */
export const INVESTIGATE_PHRASES =
  /\b(?:look into|(?:take|have) (?:a|another) (?:\w+ )?look (?:at|into)|track down|(?:find|figure) out why)\b/g;

/** Technical nouns from an older design. The points of the gate come from that design, too. */
export const SOFTWARE_PART_WORDS = wordSet(
  `repo workspace plugin service component hook api tool package module repository`,
);

/** Technical nouns without an everyday sense. */
export const TECHNICAL_WORDS =
  wordSet(`code app logs logging ci cd pr prs pipeline workflow script docker dockerfile kubernetes k8s container cluster nginx
  redis postgres postgresql mysql sqlite mongo mongodb kafka rabbitmq sql database db schema query server backend frontend
  endpoint webhook websocket http https grpc graphql json yaml toml csv regex method variable parameter argument cli
  config configuration env environment staging prod production commit git github gitlab metrics dashboard cron worker
  thread cpu gpu cuda kernel localhost dns tls ssl cert proxy gateway firewall cache token auth oauth login cookie header
  payload checksum directory codebase tests unittest integration linter typescript javascript python golang react vue
  angular svelte node npm pnpm yarn pip cargo webpack vite babel eslint jest pytest sdk library dependency framework
  compiler runtime binary website widget ui css html tokenizer embedding inference llm mcp sentry grafana prometheus
  terraform ansible helm aws gcp azure s3 lambda bucket vm deployment migration parser scheduler crawler
  scraper daemon registry tarball artifact locale i18n timezone encoding stacktrace crash loop pagination bugfix
  hotfix changelog readme makefile monorepo microservice middleware iframe dom async mutex heap stack ssh ip url uuid
  codegen typo lockfile filesystem implementation docs documentation hostname subnet replica shard timestamp importer exporter rollback
  fehler erreur bug bugs footer sidebar navbar toolbar dropdown tooltip checkbox crashes suite e2e queue lint linting formatter smtp
  architecture spec specification ultrathink
  コード サーバー テスト エラー デプロイ`);
/**
 * Technical nouns that also have an everyday sense. They count only together with an order, or with a failure of a thing.
 */
export const AMBIGUOUS_TECHNICAL_WORDS =
  wordSet(`table column index page form image branch button issue file folder path host port
  client process job driver model class function route request response session log logs flag command setting memory
  instance version release build feature system data code source box volume disk link search upload download message
  event field imports record key permission role user account password email list menu modal project app limit timeout
  test tests worker handler notification report template icon layout copy again plan`);

/** Matches words for failures that only machines have, such as `segfault` and `out of memory`. */
export const MACHINE_FAILURES = new RegExp(
  [
    String.raw`\btracebacks?\b|\bstack ?traces?\b|\bseg(?:mentation )?faults?\b|\bcore dump(?:ed)?\b|\bexit(?:s|ed)? (?:with )?(?:code|status)\b`,
    String.raw`\boom(?:killed|-killed)?\b|\bout of memory\b|\bpanic:|\bdeadlocks?\b|\bnull ?pointer\b|\bunhandled\b`,
    String.raw`(?<=\w\w)(?:error|exception)\b|\be(?:connrefused|connreset|noent|acces|addrinuse|timedout|perm|pipe)\b`,
    String.raw`\b(?:http )?50[0234]s?\b(?! ?(?:people|words|dollars|grams|calories|days|years|g\b|kg|km|ml))`,
    String.raw`\b(?:permission|access) denied\b|\balready in use\b|\b(?:endless|infinite) loop\b|\bdisk (?:is )?full\b`,
    String.raw`\b\w+_(?:failed|error)\b|\b(?:get|gets|getting|got|gives?|returns?|throws?) (?:me )?(?:an? |the )?[45]\d\d\b`,
    String.raw`\bconnection (?:refused|reset|timed out)\b|\bmerge conflicts?\b`,
    '报错|堆栈|死锁|空指针|段错误|栈溢出|内存泄漏|内存溢出|宕机|连接超时|偶发',
  ].join('|'),
  'g',
);
/** Words for failures that things have, and also people: "fail", "error", "broken". */
export const GENERAL_FAILURES = new RegExp(
  [
    String.raw`\bfail(?:s|ed|ing|ures?)?\b|\berrors?\b|\bexceptions?\b|\bbroken?\b|\bbreaks\b|\bbreaking\b`,
    String.raw`\b(?:40[0134]|409|422|429)\b(?= (?:errors?|from|when|on|for|after|unauthorized|forbidden)\b)`,
    String.raw`\bcrash(?:es|ed|ing)?\b|\btim(?:e|ed|es|ing) ?outs?\b|\bhangs\b|\bhung\b|\bflaky\b|\bleak(?:s|ing)?\b`,
    String.raw`\bretr(?:y|ies)\b|\bregress(?:ions?|ed)\b|\brejected\b|\bkeeps? (?:growing|failing|restarting|crashing|looping|hanging|disconnecting|dying)\b|\bfehler\b|\berreur\b|ошибк[аиу]`,
    '异常|失败|重试|挂了|不通过|崩溃|超时|出错|错误|红了|没有?.{0,2}(?:出现|显示|反应|生效|响应)|不(?:太)?正常|显示不全|不对(?![比劲])|(?:登录|打开|启动|连接|访问|加载|运行|编译|安装|部署|连)不(?:了|上|开|起来)|(?:还是|仍然|一直|依然)(?:不[行会能]|没有?|在?重复|同样|一样|报|出现)|为什么.{0,20}(?:不能|没有|没法|无法|不了|不会|不是)|没反应|无效语法|卡死|卡住|闪退|白屏|エラー|오류',
  ].join('|'),
  'g',
);
/** Matches a failure that is described by what does not happen: `does not compile`, `won't start`. */
export const NOT_WORKING_PHRASES = new RegExp(
  [
    String.raw`\bnot working\b|(?:\b(?:does not|doesn't|doesnt|won't|will not|cannot|can't|can not|unable to|isn't|is not|isnt|aren't|are not|refuses to)|(?<=[a-z]s )(?:do not|don't|dont)) (?:\w+ly )?(?:compil|build|run|start|load|work|respond|connect|deploy|install|pass|match|render|boot|resolv|import|sync(?:h?ron[iy][sz])?|authenticat|open|show|appear|respons|updat|display|sav)(?:ive|ing|e)?(?: up)?\b`,
    // Complaints about a thing: "the page looks wrong". Complaints about a person or a statement do not count: "you are
    // wrong".
    String.raw`(?<!\b(?:you|i|he|she|we|they|who|what|that) )(?:\b(?:is|are|looks?|seems?)|(?<=\w)'s) (?:still |completely |totally |all |now |a bit |slightly |way )?(?:wrong|off|incorrect|missing|blank|invisible|misaligned|cut off|messed up)\b(?! (?:with|about) (?:me|you|him|her|us|that|this)\b)`,
  ].join('|'),
  'g',
);

/** Words of everyday life. If a request contains one, there are no stored lessons for it. */
export const EVERYDAY_LIFE_WORDS =
  wordSet(`mom mum dad mother father wife husband kid kids son daughter friend girlfriend boyfriend
  teacher grandma grandpa grandmother aunt uncle sister brother cousin neighbour neighbor family baby dog cat love heart marathon jog gym yoga diet sleep workout muscle blood pregnancy driving
  exam math piano guitar interview college homework school poem novel essay song lyrics story haiku birthday wedding
  anniversary toast vows letter recipe cook cake dinner lunch breakfast coffee milk eggs bread meat pasta soup sandwich
  restaurant flight hotel trip vacation holiday travel movie film album concert museum river beach garden kitchen sofa
  couch haircut hair clothes shirt bike bicycle car phone apartment landlord rent roommate snowman bookshelf
  stain carpet marriage relationship feelings sad lonely happy tired jealous fever headache doctor dentist therapy
  weather sky moon politics cuisine reservation appointment president football soccer basketball sushi pizza wine beer tv`);
export const CHINESE_EVERYDAY_LIFE_WORDS =
  anyWordPattern(`妈妈 爸爸 我妈 我爸 奶奶 爷爷 老婆 老公 女朋友 男朋友 女友 男友 孩子 朋友圈 闺蜜 心情 难过 开心 伤心
  感动 感情 失眠 睡觉 做饭 晚餐 晚饭 早餐 午饭 吃饭 菜谱 电影 小说 诗歌 首诗 写诗 [一写]首 散文 情书 作文 日记 歌词 封信 写信 贺卡 祝福语 生日 婚礼 旅行
  旅游 机票 航班 酒店 餐厅 跑步 健身 体能 体检 驾照 科目二 科目三 面试 考试 高考 考研 大学 减肥 恋爱 分手 相亲 人生 梦想 愿望 智商 性格
  心理 头发 衣服 房间 卧室 冰箱 列车 地铁 服务员 服务态度 客厅 脾气 体育 篮球 足球 天空`);

/** Phrases of small talk, such as jokes, the weather and thanks. They are not work. */
export const SMALL_TALK_PHRASES = new RegExp(
  [
    String.raw`\b(?:tell|know|say) (?:me |us )?(?:a|another|some|any) (?:\w+ )?jokes?\b|\bweather\b|\bjokes?\b|\bchit ?chat\b`,
    String.raw`\bsummari[sz]e (?:this|our|the) (?:conversation|chat)\b`,
    '闲聊|翻译|总结(?:一下)?(?:当前|这段|我们的)?对话|天气|笑话|聊天|谢谢|晚安|早上好',
  ].join('|'),
  'g',
);
export const GREETING_PATTERN =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|howdy|yo)\b[\s,!.:—–-]*|^(?:你好|您好|嗨|哈喽|大家好)[呀啊，,！!。\s]*/;

/** Words that ask for lessons of earlier work, such as "best practices" and "pitfalls". */
export const EXPERIENCE_WORDS =
  /经验|踩坑|踩过的坑|教训|最佳实践|不要再|按之前|avoid|best practices?|lessons?|pitfalls?/g;
/** Questions about earlier work. Experience can answer them. */
export const PAST_WORK_QUESTIONS =
  /\b(?:what|anything|something)(?: \w+)? (?:did|have) (?:we|you|i) (?:learn|learned|learnt)\b|\b(?:last|previous) time (?:we|you|i)\b|\bdid we (?:do|hit|handle|solve)\b|\b(?:mistakes?|lessons?) (?:did|have) we\b|\bhow did (?:we|you|i)\b|\bhave we (?:ever )?(?:seen|hit|solved|fixed|done)\b|\bhave you ever (?:seen|hit|solved|fixed)\b|(?:上次|之前|以前|上回).{0,20}(?:怎么|如何|学到|教训|坑)/;

/**
 * Wishes for how a thing should be: `the default should be 5`. Such a wish counts as an order. A wish to know something does
 * not count: `I want to know why`.
 */
export const WISH_PHRASES =
  /\b(?:we|i) (?:really )?(?:don't |do not )?(?:want|need)\b(?! to (?:know|understand|learn|see|ask|talk|discuss|think))|\b(?:should|must) (?:always |also |not |only |just )*(?:be|have|use|default|show|read|say|return|go|fall)\b|\b(?<!n't |not |nt )(?:needs?|has|have) to be\b|\b(?:isn't|is not|not) what (?:we|i) want\b|^let'?s (?:have|do|go with|try)\b|\b(?:potrebuju|chci|potrzebuje|chce) (?:aby|zeby)\b|^pojdme\b|\b(?:quiero|necesito|quero|preciso) que\b|\bje (?:veux|voudrais) que\b/g;

/** Orders to continue the current task. */
export const CONTINUE_PHRASES =
  /\b(?:try (?:it |that |this )?again|(?:please|then|and) (?:continue|go on|carry on|proceed)[.!]?$|^(?:(?:ok|okay|yes|now),? )?(?:please )?do (?:only |just )?(?:phase|step|part|task|item|number)s? \d|do (?:it|that) again|keep going with|carry on with|go ahead (?:and|with)|go with (?:your|the|that|option|it)|let'?s? start (?:with|on|working)|^(?:(?:ok|okay|yes|yep|yeah|do|use|take|let'?s do|i choose),? )*options? (?:\d|[a-d])\b(?!.*\?)|^(?:(?:ok|okay|yes),? )?let'?s do (?:number |no\.? )?\d\b|as (?:discussed|planned|before))\b|(?:继续|接着)(?:做|执行|改|写|推进|完成)|^继续(?=$|[\s，。！？、；：,.!?;:~…])|按(?:刚才|之前|上面|计划|方案).{0,12}(?:做|来|执行|实现)|再试一?[次下]/g;
