import { isAscii } from '../plain-text.js';
import { wordList } from './word-set.js';

/**
 * The characters that our lists of Chinese words are made of, traditional before simplified. No table of the language:
 * those that mean something else in simplified text (著, 乾) are left alone.
 */
const PAIRS = wordList(`
  專专 業业 東东 兩两 臨临 為为 爲为 麗丽 麼么 麽么 義义 書书 買买 於于 與与 亞亚 產产 親亲
  僅仅 從从 倉仓 們们 價价 優优 會会 傳传 傷伤 體体 來来 係系 餘余 傾倾 償偿 兒儿 關关 興兴
  內内 冊册 寫写 軍军 決决 準准 減减 幾几 劃划 刪删 剛刚 創创 別别 劇剧 辦办 動动 勞劳 務务
  區区 醫医 華华 協协 單单 廳厅 歷历 曆历 壓压 厭厌 參参 發发 變变 號号 後后 嗎吗 聽听 啟启
  啓启 員员 響响 囉啰 嘍喽 圍围 國国 圖图 聖圣 場场 塊块 備备 復复 複复 頭头 獎奖 奮奋 妝妆
  媽妈 學学 寧宁 實实 審审 寬宽 對对 導导 將将 層层 屬属 歲岁 峽峡 師师 佈布 帶带 幫帮 幹干
  並并 併并 慶庆 庫库 應应 開开 異异 棄弃 張张 彈弹 強强 歸归 當当 錄录 徑径 態态 總总 戀恋
  惡恶 戲戏 戰战 戶户 執执 擴扩 報报 擇择 掛挂 據据 換换 斷断 數数 無无 時时 暫暂 術术 機机
  雜杂 權权 條条 構构 槍枪 櫃柜 標标 棧栈 樣样 橋桥 夢梦 檢检 樓楼 檔档 歡欢 歐欧 氣气 沒没
  洩泄 潔洁 淺浅 測测 濟济 漸渐 溫温 灣湾 潰溃 滿满 滾滚 濾滤 潛潜 點点 煩烦 熱热 愛爱 爺爷
  貓猫 環环 現现 電电 監监 盤盘 碼码 確确 禮礼 種种 稱称 穩稳 筆笔 篩筛 簽签 簡简 類类 糧粮
  緊紧 紅红 約约 級级 紀纪 紙纸 線线 組组 細细 終终 紹绍 經经 結结 給给 絕绝 統统 繼继 緒绪
  續续 維维 綴缀 緩缓 編编 緣缘 縮缩 網网 職职 聯联 勝胜 腳脚 節节 薦荐 藥药 營营 蘊蕴 蟲虫
  雖虽 補补 裝装 見见 觀观 覺觉 計计 訂订 認认 討讨 讓让 訓训 議议 記记 講讲 許许 論论 訪访
  證证 評评 識识 訴诉 診诊 詞词 譯译 試试 詩诗 話话 誕诞 詢询 該该 詳详 語语 誤误 說说 説说
  請请 讀读 課课 誰谁 調调 談谈 諧谐 謝谢 譜谱 財财 敗败 賬账 貨货 貫贯 貴贵 費费 賀贺 資资
  賦赋 賞赏 賴赖 賽赛 讚赞 贊赞 趕赶 趨趋 踐践 蹤踪 車车 轉转 輪轮 軸轴 輕轻 載载 較较 輩辈
  輯辑 邊边 達达 遷迁 過过 運运 這这 進进 遠远 連连 遲迟 適适 選选 採采 釋释 裡里 裏里 針针
  鐘钟 鈕钮 鐵铁 銷销 鎖锁 鋒锋 錯错 鏡镜 長长 門门 閃闪 閉闭 問问 閒闲 間间 鬧闹 閨闺 聞闻
  隊队 陽阳 隨随 難难 韓韩 頁页 項项 順顺 須须 顧顾 頓顿 預预 領领 題题 額额 風风 飛飞 飯饭
  飽饱 餅饼 馬马 駕驾 驗验 騎骑 鳴鸣 鵝鹅 黃黄 齡龄 週周
`);
const FORMS: ReadonlyMap<string, string> = new Map(PAIRS.map((pair) => [pair.charAt(0), pair.charAt(1)]));
const TRADITIONAL = new RegExp(`[${[...FORMS.keys()].join('')}]`, 'g');

/** A text with traditional Chinese characters as simplified ones, so far as our words need it; positions stay. */
export function toSimplified(text: string): string {
  return isAscii(text) ? text : text.replace(TRADITIONAL, (form) => FORMS.get(form) ?? form);
}
