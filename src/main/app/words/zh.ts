import type { Words } from './index.js';

export const zh: Words = {
  state: {
    idle: () => '没有代理',
    watching: () => '观察中',
    acting: () => '操作中',
    waiting: (count) => `等待你处理：${count}`,
    paused: () => '已暂停',
    missing: () => '缺少权限',
  },
  menu: {
    open: '打开 Chaperone',
    browser: '在浏览器中打开',
    stop: (hotkey) => (hotkey === null ? '全部停止' : `全部停止（${hotkey}）`),
    pause: '暂停代理',
    resume: '让代理继续',
    logs: '打开日志文件夹',
    login: '登录时启动',
    quit: '退出 Chaperone',
  },
  alert: {
    wants: (agent) => `${agent} 想要`,
    inApp: (what, app) => `在 ${app} 中：${what}`,
    quoted: (verb, target) => `${verb}“${target}”`,
    asks: (agent) => `${agent} 有问题问你`,
    broken: 'Chaperone 的弹出窗口已崩溃',
    brokenText: '代理仍在等待。请从菜单栏重新打开，或选择“在浏览器中打开”。',
    login: '无法更改“登录时启动”',
    ended: 'Chaperone 不得不退出',
    endedText: '等待中的请求已被拒绝。原因见日志。',
  },
  failed: 'Chaperone 无法启动',
};
