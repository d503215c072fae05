import { BASIC_CJK_RANGES } from '../language/scripts.js';

/**
 * The vocabulary of the task gate. It fits texts in lower case, without accents, in simplified Chinese characters. White
 * space separates the entries of a table. An entry is a pattern, in which `_` is a space.
 */
/** The whole words of a table, which begin with a Latin or Cyrillic letter, and its other entries, each as one pattern. */
function parts({ raw }: TemplateStringsArray): readonly string[] {
  const entries = raw.join(' ').trim().split(/\s+/);
  const isWord = (entry: string) => /^(?:\(\?:)?[a-zа-я]/.test(entry);
  const [words, others] = [entries.filter(isWord), entries.filter((entry) => !isWord(entry))];
  return [words, others].map((some) => some.join('|').replaceAll('_', ' ') || '(?!)');
}

/** Matches any entry of a table; whole words also in the plural. */
function any(table: TemplateStringsArray): RegExp {
  const [words, others] = parts(table);
  return new RegExp(`(?<![a-zа-я_-])(?:${words})s?(?![a-zа-я])|${others}`, 'g');
}

/**
 * Verbs of one group. The first entry of the table is the group, `sure` for verbs without an everyday sense, the points of an
 * order and of a mention, and `order` if every mention is an order. `head`: matches an order at the beginning of a clause.
 * `named`: matches a mention. `han`: matches the Chinese verbs.
 */
function verbs(table: TemplateStringsArray) {
  const [words = '', han = ''] = parts(table);
  const [group = '', sure, order, mention, at] = words.split('|', 1).join().split(':');
  // `migrate` and `migrating`, `run` and `running`.
  const forms = group === 'general' ? words : words.replace(/([a-z])(e?)(?=\||$)/g, '$1(?:$2|$1?ing)');
  const verb =
    sure === 'sure' || at !== undefined
      ? forms
      : `(?<!\\b(?:the|an?|this|that|these|those|of|my|our|your|its|each|every|any|no|some|was|were|is|are|been) )(?:${words})`;
  const head = `^(?:(?:${forms})(?![\\wа-я'-])(?! (?:is|was|are|were|had|of|${MODALS})\\b)|.?(?:${han}))`;
  return {
    ...{ group, isSure: sure === 'sure', isOrder: at !== undefined, isWish: at === 'wish' },
    ...{ order: Number(order), mention: Number(mention), han: new RegExp(han, 'g') },
    head: new RegExp(head, 'g'),
    named: new RegExp(`(?<![\\wа-я-])(?:${verb})(?![\\wа-я'-])|${han}`, 'g'),
  };
}
const MODALS = 'can|could|will|would|should|must|shall|may|might|gotta|gonna|needs?';

// The first lists and their points are those of an older design, which does not list the other verbs.
export const VERBS = [
  verbs`effect:sure:4:3 deploy migrate configure 迁移 部署 配置 打补丁 修正 デプロイ 배포`,
  verbs`effect:unsure:4:3 write edit modify delete remove release publish patch 修改 删除 发布 写(?![了过得着完的不]) 改(?![了过得的])`,
  verbs`execution:sure:3:2 implement debug refactor integrate troubleshoot rebuild redeploy rerun retest reinstall reimplement reconfigure 修复 调试
    构建 重构 对接 排查 実装 수정`,
  verbs`execution:unsure:3:2 fix 实现 测试 运行`,
  verbs`execution:unsure:2:2 test build run repair`,
  verbs`execution:sure:3:1 install uninstall upgrade downgrade revert roll_?back rename restart reboot compile lint backfill reproduce investigate
    look_into track_down (?:take|have)_a(?:nother)?(?:_\w+)?_look find_out_why figure_out_why diagnose optimise optimize scaffold bootstrap
    provision benchmark merge rebase automate hook_?up wire retry parse validate paginate inspect dockerize containerize parallelize undeploy
    instrument 新增 升级 安装 卸载 回滚 重启 定位 优化 上线 下线 编译 打包 合并 提交 推送 重命名 清理 压测 联调 适配 接入 封装 拆分 重跑 跑一[遍下] 跑测试 跑起来 修一下 搭建 扩容 缩容 迭代 埋点 抓包 排障`,
  verbs`general:unsure:2:0 add create update change set_?up clean(?:_?up)? tidy(?:_?up)? convert review check move prepare replace extend extract
    split enable disable document push pull commit bump port sync generate expose tune switch import export restore reset upload download scan scale
    simplify resolve handle make speed_?up shut_?down spin_?up drop reduce increase improve limit log monitor rotate tag truncate archive bisect
    continue proceed connect address adjust append audit cache allow support define register schedule send show store swap use apply undo access
    finish tweak start stop launch open close complete draft design solve correct format search research rework bring 添加 创建 更新 加上 加一?个 增加 调整 关闭
    开启 启用 禁用 替换 同步 备份 恢复 检查 验证 确认 生成 整理 导出 导入 准备 处理 解决 移除 去掉 换成 支持 完善 统一 补充 补全 移动 获取 显示 隐藏 对齐 做一?个 看一?下 查一?下 建一?个 完成 制定 启动 停止
    输出 检测 看看 查看 搜索 分析 设计 更换 梳理 修好 做好 弄好 跑通 搞定 开发 保存 编写 撰写 列出 读取 查找 审查 汇总 (?:把|将|让(?![我人]))(?!.*(?:[了过吗呢]|感到|觉得)$)(?=.{3})`,
  // Orders at any place of a sentence: in languages that have a form for them, orders to go on, and wishes such as `it should be 5`.
  verbs`execution:sure:3:3:order (?:исправ|почин|отлад|реализу|задепло|разверни|рефактор)[а-я]*(?<!ть) (?:oprav|napraw|wdroz|nasad)[a-z]*
    beheb(?:e|t|en) repariere debugge (?:implementier|refaktorier)[a-z]* deploye(?:z|r)? (?:corrig|repar|implement)(?:a|e[rz]?|ir|ar)
    (?:arregl|consert)(?:ar?|e) corrija despli(?:ega|egue) correggi ripara duzelt[a-z]* (?:修正|実装|デバッグ|直)し?て 수정해 고쳐 구현해 배포해`,
  verbs`general:unsure:3:3:order
    (?:добав|созда|измени|обнови|удали|сделаи|настрои|запусти|провер|перенеси|перепиши|убери|замени|установи|переимену|посмотри|поправ|используи|проанализируи|покажи)[а-я]*(?<!т[ьи]|ни[еяюи]|л[аио]?|[еюа]т)
    (?:pridej|vytvor|uprav|smaz|odstran|udelej|nastav|presun|spust|zmen|zkontroluj|nainstaluj|prepis|dodaj|utworz|usun|zmien|uruchom)[a-z]*(?<!t)
    (?:zaktualizuj|sprawdz|dopln|aktualisier|installier|konfigurier|schreib|ekle|olustur|guncelle|degistir|kaldir)[a-z]*
    (?:erstell|ander|losch|pruf|ersetz|entfern|verschieb|starte?|fug|bau)(?:e|en) (?:ajout|cre|modifi|supprim|verifi|remplac|deplac|lanc)(?:e|ez|er)
    (?:anad|agreg|cre|modific|elimin|borr|actualiz|atualiz|instal|configur|revis|verific|cambi|ejecut|adicion|alter|mir)(?:a|ar|ir) quita haz mueve
    resuelve resolva crie adicione remova atualize verifique mude aplique aplicar aggiungi rimuovi aggiorna esegui tambahkan perbaiki buatkan ubah
    hapus periksa jalankan cek kontrol (?:追加|作成|変更|更新|削除|確認|設定|移動|調査|調整|表示|再起動)(?:して|を?お願い) 作って
    [가-힣]{1,8}(?:[해어아꿔겨]_?(?:줘|주세요)|하자|합시다|면_?좋겠) 추가해 만들어 바꿔 변경해 삭제해 확인해 옮겨 넣어 설정.{0,6}도와`,
  verbs`continue:unsure:3:3:order try_(?:it_|that_|this_)?again (?:please|then|and)_(?:continue|go_on|carry_on|proceed)[.!]?$ do_(?:it|that)_again
    ^(?:(?:ok|okay|yes|now),?_)?(?:please_)?do_(?:only_|just_)?(?:phase|step|part|task|item|number)s?_\d (?:keep_going|carry_on)_with
    go_ahead_(?:and|with) go_with_(?:your|the|that|option|it) let'?s?_start_(?:with|on|working) as_(?:discussed|planned|before)
    ^(?:(?:ok|okay|yes|yep|yeah|do|use|take|let'?s_do|i_choose),?_)*options?_(?:\d|[a-d])\b(?!.*\?)
    ^(?:(?:ok|okay|yes),?_)?let'?s_do_(?:number_|no\.?_)?\d\b (?:继续|接着)(?:做|执行|改|写|推进|完成) ^继续(?=$|[\s，。！？、；：,.!?;:~…])
    按(?:刚才|之前|上面|计划|方案).{0,12}(?:做|来|执行|实现) 再试一?[次下]`,
  verbs`general:unsure:2:2:wish (?:we|i)_(?:really_)?(?:don't_|do_not_)?(?:want|need)\b(?!_to_(?:know|understand|learn|see|ask|talk|discuss|think))
    (?:should|must)_(?:always_|also_|not_|only_|just_)*(?:be|have|use|default|show|read|say|return|go|fall) (?:isn't|is_not|not)_what_(?:we|i)_want
    \b(?<!n't_|not_|nt_)(?:needs?|has|have)_to_be\b ^let'?s_(?:have|do|go_with|try)\b (?:potrebuju|chci|potrzebuje|chce)_(?:aby|zeby) ^pojdme\b
    (?:quiero|necesito|quero|preciso)_que je_(?:veux|voudrais)_que`,
];

/** Words that contain a verb of the vocabulary but mean something else: 改天 ("another day") contains 改 ("change"). */
export const IDIOMS = any`(?:i|he|she|they|you)_(?:\w+ly_|just_|have_|had_|'ve_)?failed 改[天日签期善革行嫁口掉] 改变(?:主意|自己|命运|生活|心情|想法) 悔改
  [描书听默抄手大小速特]写 写[法作信诗字真照实意] 编写者 异常(?:低落|激动|安静|炎热|寒冷|兴奋|开心|难过|美丽|热闹|顺利|重要) 服务[员区态]\S? 实现.{0,4}(?:梦想|愿望|自由|自我|人生|价值) 运行图 人生配置 发布会
  测试题`;

/** Words that may stand before the verb of an order. */
export const FILLERS =
  /^(?:\s|[§-]|(?:please|pls|now|just|also|kindly|then|first|next|finally|quickly|simply|go|ahead|immediately|asap|ok|okay|yeah|ye[ps]|yup|sure|so|right|hi|hello|hey|there|thanks|me|again|already|maybe|well|guys|all|team|everyone|folks|us|let'?s?|por favor|bitte|svp|\w{3,}ly)(?![\w'-])|请|麻烦|劳烦|帮(?:忙|我们?)?|给我们?|你们?|[我咱]们|我?(?:现在|也|还|这边)*(?:想要?|要|需要|打算|希望)|再|先|然后|接着|最后|并且?|马上|立刻|赶紧|快|现在|直接|重新|彻底|全面|整体|尽[量快]|继续|一[起下]|得|应该|必须|去|来|可以|能(?:不能|否)?|可不可以|顺便|也|就|想|好|今[晚天]|务必|记得|别忘了|同时|以及|[a-z0-9.+-]+(?=[^\sa-z0-9'.,-]))+/;
/** The end of a clause, with the words that lead to an order in the next clause. */
export const CLAUSE_ENDS = new RegExp(
  `([，,：:。；;！？!?\\n()—–]|\\b(?:(?:do|would) you mind|and|or|then|plus|but|help|i'd|(?:${MODALS})(?: (?:you|we|someone|somebody|u))?|(?:needs?|wants?|have|has|got|ought|free|going|you|like|us|time|try|remember|forget|sure|me|asked|trying|him) to|(?:try|start|begin|by)(?= \\w+ing\\b))(?![\\w'-])|&|(?<=[${BASIC_CJK_RANGES}]) +(?=[${BASIC_CJK_RANGES}]))`,
);
/** Chinese words that make every verb of a clause an order. */
export const HAN_ASKS =
  /请|麻烦|帮我|帮忙|能不能|可不可以|能否|可否|需要|务必|必须|应该|记得|别忘|我(?:希望|想要?|要|打算)(?!知道|了解|问|请教|学)|吧$|^(?:把|将|给|在|用|对|按|从|为(?![什何]))/;
/** What a text forbids: `don't edit, delete or move`. It ends with its clause. */
export const FORBIDDEN =
  /(?:\b(?:don't|dont|never|without|shouldn't|mustn't|needn't|no (?:need|longer)|avoid(?= \w+ing)|refrain from|instead of|rather than|(?<!\b(?:is|was|are|does|did|can|will|could|only|if|or|why) )not)\b(?! (?:forget|hesitate|worry|wait|you|we)\b)|(?<![a-zа-я])(?:не|ne|nao|non|nie|nicht|sin|sem|sans|ohne) |(?<!要)不要(?!忘)|(?<![特级识区分类性告个])别(?![人的忘扭墅名称])|勿|无需|不用|不必|不需要|没必要|禁止|不许|不准|先不|暂不|暂时不)(?: (?:to )?\w+,)*(?:(?!\b(?:but|just|only|then)\b)[^，,：:。；;！？!?.\n()—–])*/g;

/** The first pattern that matches decides the kind of a sentence. Only statements and polite requests give orders. */
export const KINDS = {
  done: /了吗|了没|了么|过吗|已经.{0,20}[了过]|^(?:can|could|would|will) (?:you|u) (?:please )?(?:explain|tell|describe|recommend|compare|teach|suggest|remind|show (?:me|us) (?:where|how|what|which|why))\b/,
  // `When I open it, I get this` is a statement, not a question.
  statement: /^(?:when|where|while) (?:i|we|you|it|the|this|that|my|our|\w+ing)\b.*[^?]$/,
  polite:
    /^(?!.*(?:解释|介绍|讲讲|告诉|说说|推荐)).*(?:(?:^|[你您我们请，, §])(?:能|可以|可否|能否|可不可以|方便).*(?:吗|[？?])|帮我|帮忙|麻烦)|^(?:can|could|would|will) (?:you|u|we|somebody|someone)\b|^are you able to\b|\b(?:would|do) you mind\b|[,:—–-] ?(?:can|could|would|will) you\b|\b(?:is it|would it be) possible (?:for you )?to\b|\bif you could\b/,
  why: /为什么|为何|^why\b|^how come\b/,
  'how-to': /怎么(?![样看])|如何(?!理解)|怎样|^how (?:do|can|should|to|would|could|must|might)\b/,
  explain:
    /什么是|是什么|什么意思|^谁|啥意思|区别|解释|讲讲|介绍|怎么看|如何理解|说说|聊聊|谈谈|科普|有什么用|什么作用|有用吗|什么时候|什么情况|(?<!你)是不是|哪里|在哪|哪个|多少|怎么样|是谁|吗[？?]?$|^(?:whats?|what's|which|who|whos|who's|whom|whose|when|when's|where|where's|wheres|explain|describe|compare|define|is|are|was|were|does|did|has|am|may|difference|how|(?:do|have|can|could|should|would) (?:you|we|they|i|the|these|those|any|people|it|my))\b|^(?:(?:а|y|e|et|und) )?(?:что|как|какои|почему|зачем|где|куда|когда|кто|сколько|co|jak|jaky|jaka|proc|kde|kdy|kdo|dlaczego|gdzie|was|wie|warum|wo|wann|wer|welche|qu'est|que|quel|quelle|comment|pourquoi|ou|quand|qui|por que|porque|como|donde|cuando|quien|cual|onde|quando|quem|qual|che|cosa|come|perche|dove|nasil|neden|nerede)(?![a-zа-я])/,
};

/** Things that a task can be about, of the older design. */
export const OBJECTS = any`repo workspace plugin service component hook api tool package module repositor(?:y|ie) (?<!\S)/[a-z]{2,}/\S* 仓库 工作区 插件
  服务 组件 接口 工具 模块 文件`;
/** Technical nouns without an everyday sense. */
export const TECHNICAL = any`code app log logging ci cd pr pipeline workflow script docker dockerfile kubernetes k8s container cluster redis
  postgres postgresql mysql sqlite sql database db schema query server backend frontend endpoint webhook websocket https? graphql json yaml toml csv
  regex method variable parameter cli config configuration env environment staging prod production commit git github gitlab metric dashboard cron
  worker thread cpu gpu localhost dns tls ssl cert proxy gateway cache token auth oauth login cookie header directory codebase tests unittest
  integration lint typescript javascript python golang react vue node npm pnpm yarn pip eslint jest pytest sdk library dependency framework compiler
  runtime binary website widget ui css html tokenizer embedding llm mcp sentry prometheus terraform helm aws s3 bucket vm deployment migration
  parser scheduler crawler registry artifact locale i18n timezone encoding crash loop pagination bugfix hotfix changelog readme microservice
  middleware async stack ssh ip url typo implementation docs? documentation timestamp importer exporter rollback bug footer sidebar navbar toolbar
  dropdown checkbox suite e2e queue architecture spec specification (?<![\w-])--?[a-z][\w-]+ (?<!\S)/[a-z][\w/-]+ 代码 脚本 服务器 数据库 数据表 字段 缓存 日志
  网关 集群 容器 镜像 生产环境 测试环境 预发 线上 分支 依赖 版本 端口 域名 证书 登录 页面 首页 前端 后端 客户端 服务端 按钮 请求 响应 参数 命令 目录 函数 变量 线程 进程 内存 磁盘 队列 任务 流水线 单测 用例 索引
  查询 报表 回调 签名 验签 鉴权 权限 令牌 分页 爬虫 程序 网站 开关 表单 弹窗 中间件 微服务 架构 限流 监控 告警 指标 环境 系统 订单 上传 下载 加载 渲染 并发 性能 延迟 漏洞 账号 用户 支付 小程序 消息 需求 回归
  断线 重连 循环 菜单 图标 样式 布局 链接 侧边栏 浏览器 边框
  (?:фаил|код|саит|страниц|кнопк|раздел|компонент|сервер|тест|баз|скрипт|переключател|папк|команд|консол|запрос|таблиц|индекс|ветк)[а-я]*
  (?:soubor|komponent|strank|tlacitk|sablon|databaz|prikaz|plik|stron|buton)[a-z]* kodu? przycisk skript datei datenbank befehl seite ordner fichier
  dossier bouton serveur fichero archivo codigo pagina boton servidor carpeta consulta arquivo botao pasta padding cartella dosya sayfa コード サーバー
  テスト エラー デプロイ ファイル ページ ボタン 画面 関数 홈페이지 저장소 파일 코드 버튼 페이지 서버 설정`;
/** Technical nouns that also have an everyday sense. They count only together with an order. */
export const EVERYDAY_TECHNICAL = any`table column index page form image branch button issue file folder path host port client process job driver
  model class function route request response session flag command setting memory instance version release build feature system data source box
  volume disk link search upload download message event field import record key permission role user account password email list menu modal project
  limit timeout test handler notification report template icon layout copy again plan`;

/** Failures that only machines have, such as `segfault` and `out of memory`. */
export const SURE_FAILURES = any`traceback stack_?trace seg(?:mentation_)?fault core_dump(?:ed)? exit(?:s|ed)?_(?:with_)?(?:code|status)
  oom(?:killed|-killed)? out_of_memory panic: deadlock null_?pointer unhandled (?<=\w\w)(?:error|exception)\b
  e(?:connrefused|connreset|noent|acces|addrinuse|timedout|perm|pipe)
  \b50[0234]s?\b(?!_?(?:people|words|dollars|grams|calories|days|years|g\b|kg|km|ml)) (?:permission|access)_denied already_in_use
  (?:endless|infinite)_loop disk_(?:is_)?full \b\w+\x5f(?:failed|error)\b (?:get|got|getting|give|return|throw)s?_(?:me_)?(?:an?_|the_)?[45]\d\d
  connection_(?:refused|reset|timed_out) merge_conflict 报错 堆栈 死锁 空指针 内存泄漏 内存溢出 宕机 连接超时 偶发 not_working
  (?:does_not|doesn'?t|won't|will_not|can(?:not|'t|_not)|unable_to|isn'?t|is_not|aren't|are_not|refuses_to|(?<=[a-z]s_)(?:do_not|don't|dont))_(?:\w+ly_)?(?:compil|build|run|start|load|work|respond|connect|deploy|install|pass|match|render|boot|resolv|import|sync|authenticat|open|show|appear|respons|updat|display|sav)(?:ive|ing|e|hroni[sz]e)?
  (?<!\b(?:you|i|he|she|we|they|who|what|that)_)(?:\b(?:is|are|looks?|seems?)|(?<=\w)'s)_(?:still_|completely_|totally_|all_|now_|a_bit_|slightly_|way_)?(?:wrong|off|incorrect|missing|blank|invisible|misaligned|cut_off|messed_up)\b(?!_(?:with|about)_(?:me|you|him|her|us|that|this)\b)
  не_(?:работает|запускается|открывается|грузится|собирается|показывается|обновляется|отображается|сохраняется|видно) падает ломается chyb[auy]
  nefunguje nejde nie_dziala blad (?:funktioniert|geht|lad|ladt|startet)_nicht sturzt_ab ne?_\w+_pas(?:_bien)?
  (?:marche|fonctionne|affiche|charge|ouvre)_(?:pas|plus) il_y_a_(?:encore|toujours)_un il_n'y_a_plus sigue_(?:saliendo|fallando|sin)
  (?:no|nao|non)_(?:esta_)?(?:funcion|carg|abr|aparec|sal|carreg|funzion)[a-z]+ 動かない 動きません 作동하지 为什么.{0,12}(?:一.{1,8}就|总是?|老是?|一直|还是)
  (?<![가-힣])(?:안|못)_?(?!녕)[가-힣]{1,3}(?:어|려|네|는데|아|돼|다|음)(?![가-힣])`;
/** Failures that things have, and also people: "fail", "error", "broken". */
export const FAILURES = any`fail(?:ed|ing|ure)? error exception broken? break(?:s|ing) tim(?:e|ed|es|ing)_?out crash(?:es|ed|ing)? hung flaky
  leak(?:ing)? retr(?:y|ies) fehler erreur ошибк[аиу] баг[аиов]* \b(?:40[0134]|409|422|429)\b(?=_(?:error|from|when|on|for|after|un|forb))
  keeps?_(?:growing|failing|restarting|crashing|looping|hanging|disconnecting|dying) 异常 失败 重试 挂了 崩溃 超时 出错 错误 红了 没有?.{0,2}(?:出现|显示|反应|生效|响应)
  不(?:太)?正常 显示不全 不对(?![比劲]) (?:登录|打开|启动|连接|访问|加载|运行|编译|安装|部署|连)不(?:了|上|开|起来) (?:还是|仍然|一直|依然)(?:不[行会能]|没有?|在?重复|同样|一样|报|出现)
  为什么.{0,20}(?:不能|没有|没法|无法|不了|不会|不是) 没反应 无效语法 卡死 卡住 闪退 白屏 エラー 오류 失敗`;

/** Words of everyday life. If a request contains one, there are no stored lessons for it. */
export const EVERYDAY = any`mom mum dad mother father wife husband kid son daughter friend (?:girl|boy)friend teacher grand(?:ma|pa|mother|father)
  aunt uncle sister brother cousin neighbou?r family baby dog cat love heart marathon jog gym yoga diet sleep workout blood driving exam math piano
  guitar interview college homework school poem novel essay song lyric story haiku birthday wedding toast vow letter recipe cook cake dinner lunch
  breakfast coffee milk egg bread soup sandwich drink restaurant flight hotel trip vacation holiday travel movie film album concert museum river
  beach garden kitchen sofa haircut hair clothes shirt bike bicycle car phone apartment landlord rent roommate carpet marriage relationship feeling
  sad lonely happy tired jealous fever headache doctor dentist therapy weather reservation appointment football soccer basketball sushi pizza wine
  beer tv 妈妈 爸爸 我妈 我爸 奶奶 爷爷 老婆 老公 女朋友 男朋友 女友 男友 孩子 朋友圈 闺蜜 心情 难过 开心 伤心 感动 感情 失眠 睡觉 做饭 [晚早]餐 [晚午吃]饭 菜谱 电影 小说 诗歌 首诗 写诗 [一写]首 散文 情书
  作文 日记 歌词 封信 写信 贺卡 祝福语 生日 婚礼 旅[行游] 机票 航班 酒店 餐厅 跑步 健身 体能 体检 驾照 科目[二三] 面试 考[试研] 高考 大学 减肥 恋爱 分手 相亲 人生 梦想 愿望 智商 性格 心理 头发 衣服 房间 卧室
  冰箱 列车 地铁 服务员 服务态度 客厅 脾气 体育 篮球 足球 天空`;
/** Small talk, such as jokes, the weather and thanks. */
export const SMALL_TALK = any`^(?:hi|hello|hey|good_(?:morning|afternoon|evening)|howdy|yo)\b ^(?:你好|您好|嗨|哈喽|大家好) weather joke chit_?chat
  summari[sz]e_(?:this|our|the)_(?:conversation|chat) 闲聊 翻译 天气 笑话 聊天 谢谢 晚安 早上好 总结(?:一下)?(?:当前|这段|我们的)?对话`;
/** Words that ask for lessons of earlier work, and questions about earlier work. Experience can answer both. */
export const EXPERIENCE = any`经验 踩坑 踩过的坑 教训 最佳实践 不要再 按之前 avoid(?!_\w+ing\b) best_practice lesson pitfall`;
export const PAST_WORK = any`(?:what|anything|something)(?:_\w+)?_(?:did|have)_(?:we|you|i)_learn(?:ed|t)? (?:last|previous)_time_(?:we|you|i)
  did_we_(?:do|hit|handle|solve) (?:mistake|lesson)s?_(?:did|have)_we how_did_(?:we|you|i)
  have_(?:we|you_ever)(?:_ever)?_(?:seen|hit|solved|fixed|done) (?:上次|之前|以前|上回).{0,20}(?:怎么|如何|学到|教训|坑)`;
