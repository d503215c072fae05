import { wordSet } from './words/word-set.js';

/**
 * Words of tasks that mean nearly the same, a line each: who asks for one may find what was written with another, also
 * in the other language. English words count in all their forms, Chinese ones wherever they stand.
 */
const CONCEPTS = `
deploy release ship publish rollout launch prod production live | 部署 发布 上线 投产 生产环境 灰度 全量
database db postgres postgresql mysql sqlite sql | 数据库 分库
migration migrate column table schema | 迁移 字段 加列 一列 表结构 大表
test spec suite e2e playwright cypress vitest jest pytest flaky unstable | 测试 用例 单测
login signin auth authentication authenticate token jwt session logout oauth password | 登录 登陆 令牌 鉴权 认证 掉线 会话
permission role access authorization forbidden | 权限 越权 角色 管理后台 后台接口
docker container image dockerfile podman registry | 镜像 容器
kubernetes k8s pod rollout helm deployment | 集群 容器组
memory ram heap leak oom | 内存 泄漏 溢出 堆
slow speed fast performance optimise optimize lag latency profile | 性能 卡顿 很卡 太慢 优化 加快 变慢
timeout deadline 504 502 gateway nginx proxy hang | 超时 网关 502 504 代理
cache redis purge ttl expire | 缓存 过期 失效 预热
report csv excel spreadsheet export xlsx download | 报表 导出 下载 表格 月报 日报
github gitlab repository repo git commit branch | 仓库 代码库 提交到
secret credential key leaked password | 密钥 密码 泄露 凭证
rate limit throttle throttled quota backoff | 限流 频率限制 封禁 抓取 爬虫
list table row scroll virtualise render component react vue | 列表 滚动 滑动 渲染 组件 页面
frontend bundle webpack vite load | 前端 打包 构建 首屏 体积 分包
certificate cert tls ssl https domain | 证书 域名
package library publish npm pypi wheel | 发包 依赖包 软件包
email mail newsletter smtp spam deliverability inbox | 邮件 邮箱 垃圾箱
timezone zone utc date daily day | 时区 按天 日期 差一天
refactor restructure rewrite cleanup tidy mess | 重构 整理 太乱 改写
payment pay checkout stripe billing invoice charge | 支付 付款 扣款 账单 对账 计费
webhook callback notification signature endpoint | 回调 通知接口 通知 验签
upload bucket s3 oss storage attachment | 上传 对象存储 图片 头像 附件
cron schedule scheduled nightly interval job twice overlap | 定时 夜间 任务 重复 两遍
search relevance catalogue catalog find | 搜索 检索 搜不到 找不到
terraform infrastructure provision cloud | 基础设施
ios iphone android mobile store app | 小程序 应用商店 提审 审核 提交审核
graphql query resolver | 查询
form accessibility field label website public | 表单 无障碍 网站
log logs logrotate disk space | 日志 磁盘 磁盘满
upgrade bump version major update | 升级 最新版 大版本
monitor monitoring alert alarm grafana prometheus | 监控 告警 报警
translate translation locale i18n language string | 翻译 国际化 双语 文案 多语言
backup restore dump recover recovery | 备份 恢复 找回 误删
queue kafka rabbitmq consumer backlog | 队列 消息 积压 堆积 消费
plugin extension hook | 插件 扩展
write save store persist | 写回 写入 保存
fail failure error crash broken break exception kill | 失败 报错 异常 崩溃 打挂 挂了
module code component src source | 模块 代码
user customer client people | 用户 客户
server host machine instance worker process node | 服务器 主机 进程
number figure amount count | 数字 数据
`;

export interface Concept {
  readonly words: readonly string[];
  readonly chinese: readonly string[];
}

export const TASK_CONCEPTS: readonly Concept[] = CONCEPTS.trim()
  .split('\n')
  .map((line) => {
    const [english = '', chinese = ''] = line.split('|');
    return { words: [...wordSet(english)], chinese: [...wordSet(chinese)] };
  });

/** What a task says of itself: that somebody should do something. Nothing of what it is about. */
const TASK_FRAME =
  /\b(?:please|could you|can you|let'?s|make sure|set up|implement|create|build|make|add|fix|repair|write|prepare|improve|investigate|debug|handle|remove|correct|new|our|the|it|up|takes?|every|next|with|without|never)\b|帮我|帮忙|请|一下|我们的?|你|把|给|做一个|写一个|加一个|换一张|处理掉?|一个|修好|修复|修正|改好|改进|调整|实现|对接|排查|定位|想办法|整理|它|了/giu;

export function withoutTaskFrame(task: string): string {
  const bare = task.replace(TASK_FRAME, ' ');
  return /[\p{L}\p{N}]/u.test(bare) ? bare : task;
}
