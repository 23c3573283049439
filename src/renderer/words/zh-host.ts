/** 主机用英语写的句子，简体中文。 */
import { clickPhrases, type ClickWords } from './host-clicks.js';
import type { HostWords } from './host.js';
import { zhEnded } from './zh-host-ended.js';
import { zhReads } from './zh-host-reads.js';
import { zhSaid } from './zh-host-said.js';
import { zhTitles } from './zh-host-titles.js';

export const zhHost: HostWords = {
  titles: { ...zhTitles, ...zhReads, ...clickPhrases(clicking) },
  said: { ...zhSaid, ...zhEnded },
  quotes: ['“', '”'],
  where: {
    app: '在 {app} 中',
    point: '在 {point} 处',
    pointInApp: '在 {app} 的 {point} 处',
    shows: '（含 {app}）',
    path: '{from} 到 {to}',
    pathOf: '{from}到 {to}',
  },
};

/** 在 Mail 中按住 cmd 右键双击“发送” */
function clicking({ button, count, keys, done, named }: ClickWords): string {
  const which = { left: '', middle: '中键', right: '右键' }[button];
  const times = { 1: '点击', 2: '双击', 3: '三击' }[count];
  return `{app}${keys ? '按住 {keys} ' : ''}${which}${times}${done ? '了' : ''}${named ? '{target}' : ''}`;
}
