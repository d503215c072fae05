import { BASIC_CJK_RANGES } from '../language/scripts.js';
import { anyWordPattern } from '../language/tokens.js';
import type { ActionHit, SentenceKind } from './gate-text.js';

// Matches CJK text. The vocabulary also has some Japanese and Korean words.
const EAST_ASIAN = new RegExp(`[${BASIC_CJK_RANGES}]`);

/** The kind of a Chinese sentence; undefined if its form does not show the kind. */
export function chineseSentenceKind(sentence: string): SentenceKind | undefined {
  if (!EAST_ASIAN.test(sentence)) return undefined;
  if (HAN_DONE.test(sentence)) return 'explain';
  if (startsWithVerb(clausesOf(sentence)[0] ?? '')) return 'statement';
  if (HAN_POLITE.test(sentence) && !/解释|介绍|讲讲|告诉|说说|推荐/.test(sentence)) return 'polite';
  if (/为什么|为何/.test(sentence)) return 'why';
  if (HAN_HOW.test(sentence) && !/怎么(?:样|看)|如何理解/.test(sentence)) return 'how-to';
  return HAN_EXPLAIN.test(sentence) ? 'explain' : undefined;
}

/**
 * Finds the verbs of the gate's Chinese vocabulary in one sentence. The points of a verb depend on its place in the
 * sentence.
 */
export function findChineseActions(sentence: string, kind: SentenceKind): ActionHit[] {
  if (!EAST_ASIAN.test(sentence)) return [];
  const plain = sentence.replace(CHINESE_IDIOMS, ' ');
  return clausesOf(plain).flatMap((clause) => clauseActions(clause, kind));
}

function clauseActions(clause: string, kind: SentenceKind): ActionHit[] {
  const forbidden = HAN_NEGATION.exec(clause)?.index ?? Infinity;
  const asked = kind === 'polite' || HAN_ORDER_MARK.test(clause);
  const start = leadEnd(clause);
  const objectFirst = HAN_OBJECT_FIRST.test(clause.slice(start));
  const known = HAN_VERBS.flatMap(([group, mention, order, sure, verbs]) =>
    [...clause.matchAll(verbs)].map((match): ActionHit => {
      const wants = kind !== 'how-to' || group !== 'general' || start > 0;
      const isOrder =
        kind !== 'explain' && kind !== 'why' && wants && (asked || objectFirst || match.index <= start + 1);
      const negated = match.index > forbidden;
      const worth = isOrder ? order : mention;
      const points = negated || kind === 'explain' || (kind === 'why' && group !== 'effect') ? 0 : worth;
      return { group, points, word: match[0], order: isOrder, sure, negated };
    }),
  );
  return known.some(({ order }) => order) ? known : [...known, ...disposal(clause.slice(start), kind)];
}

/** Finds orders that begin with `把 X` or `让 X`. Such a clause is an order, whatever its verb is. */
function disposal(clause: string, kind: SentenceKind): ActionHit[] {
  const word = HAN_DISPOSAL.exec(clause)?.[0];
  if (word === undefined || kind === 'explain' || kind === 'why' || kind === 'how-to') return [];
  return [{ group: 'general', points: 3, word, order: true, sure: false, negated: false }];
}

function startsWithVerb(clause: string): boolean {
  const rest = clause.slice(leadEnd(clause));
  return HAN_OBJECT_FIRST.test(rest) || HAN_VERBS.some(([, , , , verbs]) => rest.slice(0, 6).search(verbs) === 0);
}

function leadEnd(clause: string): number {
  let end = 0;
  for (const { index, 0: lead } of clause.matchAll(HAN_LEADS)) {
    if (clause.slice(end, index).trim() !== '') break;
    end = index + lead.length;
  }
  return end + (clause.slice(end).length - clause.slice(end).trimStart().length);
}

/** Matches the end of a clause. A space between two Chinese words also ends a clause. */
const CLAUSE_ENDS = new RegExp(`[，,：:。；;！？!?\\n]+|(?<=[${BASIC_CJK_RANGES}]) +(?=[${BASIC_CJK_RANGES}])`);

function clausesOf(sentence: string): string[] {
  return sentence.split(CLAUSE_ENDS).map((clause) => clause.replace(/^[\s§a-z0-9.+-]+(?=[^\sa-z0-9])/, '').trim());
}

const TECHNICAL =
  anyWordPattern(`新增 升级 安装 卸载 回滚 重启 定位 优化 上线 下线 编译 打包 合并 提交 推送 重命名 清理 压测 联调 适配 接入 封装
      拆分 重跑 跑一[遍下] 跑测试 跑起来 修一下 搭建 扩容 缩容 迭代 埋点 抓包 排障`);
const GENERAL =
  anyWordPattern(`添加 创建 更新 加上 加一?个 增加 调整 关闭 开启 启用 禁用 替换 同步 备份 恢复 检查 验证 确认 生成 整理 导出 导入 准备
      处理 解决 移除 去掉 换成 支持 完善 统一 补充 补全 移动 获取 显示 隐藏 对齐 做一?个 看一?下 查一?下 建一?个
      完成 制定 启动 停止 输出 检测 看看 查看 搜索 分析 设计 更换 梳理 修好 做好 弄好 跑通 搞定 开发 保存 编写 撰写 列出 读取 查找 审查 汇总`);

/**
 * Each row has a pattern for some Chinese verbs, and before it four facts about these verbs: their group; their points if a
 * text only mentions them; their points in an order; `true` if they have no everyday sense.
 */
const HAN_VERBS: readonly (readonly [ActionHit['group'], mention: number, order: number, sure: boolean, RegExp])[] = [
  ['effect', 3, 4, true, anyWordPattern('迁移 部署 配置 打补丁 修正 デプロイ 배포')],
  ['effect', 3, 4, false, anyWordPattern('修改 删除 发布 写(?![了过得着完的不]) 改(?![了过得的])')],
  ['execution', 2, 3, true, anyWordPattern('修复 调试 构建 重构 对接 排查 実装 수정')],
  ['execution', 2, 3, false, anyWordPattern('实现 测试 运行')],
  ['execution', 1, 3, true, TECHNICAL],
  ['general', 0, 3, false, GENERAL],
];

/**
 * Words that contain a word of the vocabulary but mean something else. The gate ignores them. For example, 改天 ("another
 * day") contains 改 ("change").
 */
export const CHINESE_IDIOMS =
  anyWordPattern(`改天 改日 改签 改期 改变(?:主意|自己|命运|生活|心情|想法) 改善 改革 改行 改嫁 改口 改掉 悔改 描写 写法 写作
  写信 写诗 写字 写真 写照 写实 写意 书写 听写 默写 抄写 手写 大小?写 小写 速写 特写 编写者 异常(?:低落|激动|安静|炎热|寒冷|兴奋|开心|难过|美丽|热闹|顺利|重要)
  服务[员区态]\\S? 实现.{0,4}(?:梦想|愿望|自由|自我|人生|价值) 运行图 人生配置 发布会 测试题`);

export const CHINESE_SOFTWARE_PART_WORDS = anyWordPattern('仓库 工作区 插件 服务 组件 接口 工具 模块 文件');

export const CHINESE_TECHNICAL_WORDS =
  anyWordPattern(`代码 脚本 服务器 数据库 数据表 字段 缓存 日志 网关 集群 容器 镜像 生产环境 测试环境 预发 线上 分支 依赖
  版本 端口 域名 证书 登录 页面 首页 前端 后端 客户端 服务端 按钮 请求 响应 参数 命令 目录 函数 变量 线程 进程 内存 磁盘 队列 任务 流水线 单测
  用例 索引 查询 报表 回调 签名 验签 鉴权 权限 令牌 分页 爬虫 程序 网站 开关 表单 弹窗 中间件 微服务 架构 限流 熔断 监控 告警 指标 压缩包 环境 表里
  表加 系统 订单 上传 下载 加载 渲染 并发 性能 延迟 漏洞 账号 用户 支付 小程序 消息 需求 回归 断线 重连 循环 菜单 图标 组件 样式 边框 布局 滚动条 链接 侧边栏 导航栏 浏览器 bug`);

/** Words that may precede the verb of an order. */
const HAN_LEADS = anyWordPattern(`请 麻烦 劳烦 帮忙 帮我们 帮我 帮 给我 你们 你 我们 咱们
  我(?:现在|也|还|这边)?(?:想要?|要|需要|打算|希望) 再 先 然后 接着 最后 并且 并 马上 立刻 赶紧 快 现在
  直接 重新 彻底 全面 整体 尽量 继续 一起 需要 得 应该 必须 去 来 可以 能不能 可不可以 能否 能 顺便 也 就 今晚 今天 务必 记得 别忘了 尽快 一下 要 想 好 同时 以及`);
const HAN_ORDER_MARK =
  /请|麻烦|帮我|帮忙|能不能|可不可以|能否|可否|需要|务必|必须|应该|记得|别忘|我(?:希望|想要?|要|打算)(?!知道|了解|问|请教|学)|吧$/;
/**
 * Matches an order that begins with 把, 将 or 让 and its object. Does not match past events and feelings, which are statements.
 */
const HAN_DISPOSAL = /^(?:把|将|让(?![我人]))(?!.*(?:[了过吗呢]|感到|觉得)$)(?=.{3})/;
/** Matches a clause that names its object first and is still an order: `把 X 改成 Y`, `给 X 加 Y`. */
const HAN_OBJECT_FIRST = /^(?:把|将|给|在|用|对|按|为(?![什何])|从)/;

/** Matches words that forbid (`不要`, `别`, `无需` …), but not inside other words (`要不要`, `特别`, `别忘了`). */
const HAN_NEGATION =
  /(?<!要)不要(?!忘)|(?<![特级识区分类性告个])别(?![人的忘扭墅名称])|勿|无需|不用|不必|不需要|没必要|禁止|不许|不准|先不|暂不|暂时不/;

const HAN_EXPLAIN =
  /什么是|是什么|什么意思|^谁|啥意思|区别|解释|讲讲|介绍|为什么|为何|怎么看|如何理解|说说|聊聊|谈谈|科普|有什么用|什么作用|有用吗|什么时候|什么情况|(?<!你)是不是|哪里|在哪|哪个|多少|怎么样|是谁|吗[？?]?$/;
const HAN_DONE = /了吗|了没|了么|过吗|已经.{0,20}[了过]/;
const HAN_POLITE = /(?:^|[你您我们请，, §])(?:能|可以|可否|能否|能不能|可不可以|方便).*(?:吗|[？?])|帮我|帮忙|麻烦/;
const HAN_HOW = /怎么|如何|怎样/;
