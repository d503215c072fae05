import { wordSet } from './tokens.js';

/**
 * Groups of words with similar meanings in tasks, one group per line. A search for one word of a group also finds text
 * with another word of the group, in English or in Chinese. An English word matches in all its forms. A Chinese word
 * matches anywhere in a text.
 */
const CONCEPTS = `
deploy release ship publish rollout launch prod production live | 部署 发布 上线 投产 生产环境 灰度 全量
canary gradual rollout percentage flag | 灰度 放量 小流量 部分用户 小部分 开关
rollback revert undo | 回滚 回退 撤回
database db postgres postgresql mysql mariadb sqlite sql | 数据库 分库
migration migrate column table schema | 迁移 字段 加列 一列 表结构 大表
lock locked deadlock busy concurrent concurrency race | 锁 死锁 并发
query explain slow index | 慢查询 查询 建索引 加索引 索引
test spec suite e2e playwright cypress vitest jest pytest flaky unstable | 测试 用例 单测
login signin signup auth authentication authenticate token jwt session logout oauth password sso saml oidc ldap | 登录 登陆 令牌 鉴权 认证 掉线 会话 单点登录 统一认证
permission role access authorization forbidden | 权限 越权 角色 管理后台 后台接口
docker container image dockerfile podman registry | 镜像 容器
kubernetes k8s pod rollout helm deployment | 集群 容器组
memory ram heap leak oom | 内存 泄漏 溢出 堆
gpu cuda vram train training finetune model | 显卡 显存 训练 微调 模型
slow speed fast performance optimise optimize lag latency profile | 性能 卡顿 很卡 太慢 优化 加快 变慢
timeout deadline 504 502 gateway nginx proxy hang | 超时 网关 502 504 代理 转圈
cache redis purge ttl expire | 缓存 过期 失效 预热
report csv excel spreadsheet export xlsx download | 报表 导出 下载 表格 月报 日报
import csv upload parse encoding utf unicode charset umlaut accent garbled | 导入 编码 乱码 字符集
github gitlab repository repo git commit branch | 仓库 代码库 提交到
merge conflict rebase pull | 合并 冲突 合并请求
secret credential key leaked password | 密钥 密码 泄露 凭证
rate limit throttle throttled quota backoff | 限流 频率限制
scrape scraper scraping crawl crawler spider ban banned captcha 403 429 | 爬虫 抓取 采集 封禁 反爬 403 封锁
list table row scroll virtualise render component react vue | 列表 滚动 滑动 渲染 组件 页面
style css layout responsive theme dark | 样式 布局 适配 主题 暗色
frontend bundle webpack vite load | 前端 打包 构建 首屏 体积 分包
certificate cert tls ssl https domain | 证书 域名
network dns vpn proxy firewall port | 网络 防火墙 端口 内网
package library publish npm pypi wheel | 发包 依赖包 软件包
install setup environment dependency | 安装 环境 依赖
email mail newsletter smtp spam junk deliverability inbox gmail outlook | 邮件 邮箱 垃圾箱
timezone zone utc date daily day calendar | 时区 按天 日期 差一天
refactor restructure rewrite cleanup tidy mess | 重构 整理 太乱 改写
payment pay paid checkout stripe paypal billing invoice charge | 支付 付款 扣款 账单 对账 计费
order cart basket inventory stock | 订单 下单 库存 购物车
webhook callback notification signature endpoint event | 回调 通知接口 通知 验签
duplicate dedupe idempotent twice double repeated | 重复 幂等 两次 多次
websocket socket realtime reconnect push | 长连接 断线 重连 实时 推送
upload bucket s3 oss storage attachment | 上传 对象存储 图片 头像 附件
cron schedule scheduled nightly interval job twice overlap | 定时 夜间 任务 重复 两遍
search relevance catalogue catalog find elasticsearch elastic opensearch solr index reindex | 搜索 检索 搜不到 找不到
terraform pulumi iac infrastructure provision cloud aws gcp azure | 基础设施 云资源
ios iphone ipad apple appstore submission android mobile | 应用商店 安卓 苹果 手机端 移动端
submission review reject rejected apple store | 小程序 提审 审核 提交审核 驳回 打回 上架
desktop electron tauri window | 桌面 客户端
graphql query resolver | 查询
accessibility a11y aria blind keyboard reader contrast usable | 无障碍 读屏 盲人
form field label signup validation | 表单 字段校验 校验
website site landing | 网站 官网
log logs logrotate logging | 日志 log
disk space full volume quota | 磁盘 硬盘 磁盘满 写满 空间
upgrade bump version major update | 升级 最新版 大版本
monitor monitoring alert alarm grafana prometheus | 监控 告警 报警
chart graph plot dashboard | 图表 看板 大屏
translate translation locale i18n language english german japanese | 翻译 国际化 双语 文案 多语言 英文 日文 语言
video audio stream ffmpeg transcode | 视频 音频 转码 直播
pdf print template | 打印 模板
privacy consent gdpr cookie | 隐私 合规
backup restore dump recover recovery | 备份 恢复 找回 误删
queue kafka rabbitmq consumer backlog | 队列 消息 积压 堆积 消费
plugin extension hook | 插件 扩展
`;

/** Groups of words like those of `CONCEPTS`, for concepts that occur in very many tasks. */
const COMMON = `
user customer client people | 用户 客户
server host machine instance worker process node | 服务器 主机 进程 机器
write save persist | 写回 写入 保存
fail failure error crash broken break exception kill | 失败 报错 异常 崩溃 打挂 挂了 打爆 闪退 崩
module code component src source | 模块 代码
`;

/** Words that any task may contain. Such a word says little about the topic of a task. */
export const COMMON_TASK_WORDS: ReadonlySet<string> = wordSet(
  `app application program project system service data file page site user customer people thing time day name names version
   change type field list item value part problem issue message messages two several go look show
   系统 用户 数据 服务 后台 平台 程序 项目 页面 版本 功能 问题 时候 公司 客户 文件 一起 之后 部分 新版 平时 一直`,
);

interface TaskConcept {
  readonly words: readonly string[];
  readonly chinese: readonly string[];
  /** Whether the concept occurs in very many tasks. Then it says little about the topic of one task. */
  readonly isCommon: boolean;
}

export const TASK_CONCEPTS: readonly TaskConcept[] = [...conceptsIn(CONCEPTS, false), ...conceptsIn(COMMON, true)];

function conceptsIn(table: string, isCommon: boolean): readonly TaskConcept[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [english = '', chinese = ''] = line.split('|');
      return { words: [...wordSet(english)], chinese: [...wordSet(chinese)], isCommon };
    });
}

/** Words around the content of a task: "could you", "please". They say nothing about the topic. */
const TASK_FRAME =
  /\b(?:please|could you|can you|let'?s|make sure|set up|implement|create|build|make|add|fix|repair|write|prepare|improve|investigate|debug|handle|remove|correct|new|our|the|it|up|takes?|every|next|with|without|never)\b|帮我|帮忙|请|一下|我们的?|你|把|给|做一个|写一个|加一个|换一张|处理掉?|一个|修好|修复|修正|改好|改进|调整|实现|对接|排查|定位|想办法|整理|它|了/giu;

export function withoutTaskFrame(task: string): string {
  const bare = task.replace(TASK_FRAME, ' ');
  return /[\p{L}\p{N}]/u.test(bare) ? bare : task;
}
