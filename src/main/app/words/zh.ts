import { named, type Kinds } from './kinds.js';
import type { Words } from './en.js';

const KINDS: Kinds = {
  read: '查询',
  bookkeeping: '做记录',
  disclose: '查看屏幕、文字或剪贴板',
  pointer: '移动指针、焦点或窗口',
  input: '点击、输入或打开',
  dangerous: '执行危险操作',
};

export const zh: Words = {
  state: {
    idle: () => '没有智能体',
    watching: () => '观察中',
    acting: () => '操作中',
    waiting: (count) => `等待您处理：${count}`,
    paused: () => '已暂停',
    missing: () => '缺少权限',
  },
  menu: {
    open: '打开 Chaperone',
    browser: '在浏览器中打开',
    stop: (hotkey) => (hotkey === null ? '全部停止' : `全部停止（${hotkey}）`),
    pause: '暂停智能体',
    resume: '让智能体继续',
    logs: '打开日志文件夹',
    login: '登录时启动',
    quit: '退出 Chaperone',
  },
  alert: {
    wants: (agent) => `${agent} 想要`,
    body: ({ target, app }, effect) =>
      `${app === null ? '' : `在 ${app} 中：`}${KINDS[effect]}${target !== null && named(effect) ? `“${target}”` : ''}`,
    asks: (agent) => `${agent} 有问题问您`,
    paired: '有页面完成了配对',
    pairedText: (browser) =>
      `${browser === null ? '' : `由 ${browser} 打开。`}它可以允许智能体的请求。如果不是您的页面，请在设置中取消配对。`,
    broken: 'Chaperone 的弹出窗口已崩溃',
    brokenText: '智能体仍在等待。请从菜单栏重新打开，或选择“在浏览器中打开”。',
    login: '无法更改“登录时启动”',
    ended: 'Chaperone 不得不退出',
    endedText: '等待中的请求已被拒绝。原因见日志。',
  },
  failed: 'Chaperone 无法启动',
};
