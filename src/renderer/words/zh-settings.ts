/** 设置页的文字，简体中文。 */
import { countingIn } from './count.js';
import type { Words } from './words.js';

const { counted, percent, seconds, size } = countingIn('zh-CN');

export const zhSettings: Words['settings'] = {
  when: 'Chaperone 何时询问您',
  presets: {
    standard: ['标准', '在移动、点击或输入任何内容之前询问；智能体查看您的屏幕之前，每个会话询问一次。'],
    strict: ['严格', '每次都询问，每次查看屏幕之前也询问。不记住任何决定。'],
    readonly: ['只读', '经您同意后，智能体可以查看，但不能更改任何内容。'],
    unattended: ['无人值守', '运行一切而不询问。只能通过命令行启用：'],
    custom: ['您自己的', '来自您的策略文件。'],
  },
  use: (name) => `使用“${name}”`,
  until: (name) => `在此之前仍为“${name}”。`,
  each: '每种策略询问什么',
  wantsTo: '当智能体想要',
  effects: {
    read: ['查看显示器、指针和窗口状态', '没有名称，没有内容'],
    bookkeeping: ['记笔记、等待、查看进度', '没有内容离开 Chaperone'],
    disclose: ['查看您的屏幕、文字或剪贴板', '它看到的内容会发送给智能体的模型'],
    pointer: ['移动指针、焦点或窗口', ''],
    input: ['点击、输入、打开应用', ''],
    dangerous: ['关闭、运行命令、替换剪贴板', '从不记住'],
  },
  answers: {
    allow: '直接运行',
    ask: '询问',
    every: '每次询问',
    ask_once_per_session: '询问一次',
    deny: '拒绝',
  },
  habits: {
    heading: '您如何做决定',
    nothing: (days) => `最近 ${counted(days)} 天内没有人询问过您。`,
    asked: (days, asked, allowed, unanswered) =>
      `最近 ${counted(days)} 天内您被询问了 ${counted(asked)} 次，允许了 ${counted(allowed)} 次（${percent(allowed / asked)}）${unanswered === 0 ? '。' : `；${counted(unanswered)} 次超时。`}`,
    median: (ms, hasty) =>
      `您一半的回答在 ${seconds(ms)} 秒之内做出。您允许的请求中有 ${counted(hasty)} 个用时不到 2 秒。`,
    few: '数据太少，还看不出习惯。',
    hasty: '您允许的大多数请求用时不到 2 秒。这几乎不够读清是谁、想做什么、在哪里。',
  },
  excludedApps: {
    heading: '不让智能体接触的应用',
    text: '智能体既看不到也碰不到这些应用：它们的窗口在画面中被涂黑，在其他内容中被略去。',
    none: '没有应用。',
    remove: '允许智能体接触',
    add: '再选一个不让智能体接触的应用',
    keep: '不让接触',
    other: '其他应用，按标识符填写',
  },
  retention: {
    heading: '证据保留多久',
    text: '证据是每个操作的画面、窗口内容和过程记录。删除证据后，记录中关于它的那一行会保留并注明，记录仍可验证。',
    age: '删除早于此期限的证据',
    size: '超出此大小时删除最旧的',
    never: '从不',
    noLimit: '不限',
    days: (days) => `${counted(days)} 天`,
    bytes: (bytes) => size(bytes),
    use: '采用',
    atOnce: '届时过旧或超出的证据会立即永久删除。',
  },
  appearance: {
    heading: '本页面',
    theme: '外观',
    themes: { system: '跟随系统', light: '浅色', dark: '深色' },
    language: '语言',
    asBrowser: '跟随浏览器',
  },
  granted: '您已允许的',
  noGrants: '除单个操作外没有其他。',
  grantIn: (agent, app) => `${agent}，在 ${app} 中`,
  lasts: (time) => `到 ${time} 为止`,
  uses: (count) => `还可使用 ${counted(count)} 次`,
  takeBack: '收回',
  pairedPages: '已配对的页面',
  thisPage: '本页面',
  otherPage: '另一个浏览器或用户配置',
  pairedAt: (time, by) => `${time} 配对，链接来自${by === 'popover' ? '菜单栏' : '终端'}`,
  lastSeen: (time) => `上次出现于 ${time}`,
  unpair: '取消配对',
  permissions: { granted: '已授予', missing: '缺失', stale: '已失效', unknown: '未知' },
  recordOk: '已验证',
  recordBad: '验证不通过',
};
