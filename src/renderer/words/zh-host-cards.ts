/** 请求卡片上的提示，简体中文。 */
import type { Phrases } from './phrasebook.js';

export const zhNotes: Phrases = {
  'A paired page can allow everything that agents ask for. Allow this only if you have just opened a pairing link yourself.':
    '已配对的页面可以允许智能体的一切请求。只有在您刚刚亲自打开配对链接时才允许。',
  'The link was asked for by {program}, process {pid#}, in {folder}.':
    '链接由 {program}（进程 {pid}，位于 {folder}）请求。',
  'The system does not tell which program opened it.': '系统未说明是哪个程序打开了它。',
  'It was opened by {program}, process {pid#}.': '由 {program}（进程 {pid}）打开。',
  'This cannot be undone, or it reaches other people.': '此操作无法撤销，或会影响他人。',
  'No name can be read here: look at the picture.': '此处读不到名称：请看图片。',
  'Drags from “{window}” to the bare desktop.': '从“{window}”拖到空白桌面。',
  'Drags from “{window}” to “{end}”.': '从“{window}”拖到“{end}”。',
  'Ends over the bare desktop.': '在空白桌面上结束。',
  'Ends over “{window}”.': '在“{window}”上结束。',
  'Out of view: this scrolls to it first.': '不在可见区域内：会先滚动到那里。',
  'Covered by “{window}”.': '被“{window}”遮住。',
  'Covered by a popup of {app}.': '被 {app} 的弹出窗口遮住。',
  'Still held down meanwhile: {what}.': '期间仍按住：{what}。',
  'Goes to whatever has the focus in this window then.': '将发送到届时此窗口中拥有焦点的内容。',
  'Goes to whatever shows at this point of the window then.': '将作用于届时窗口此处显示的内容。',
  'Goes through the clipboard, which is given back afterwards.': '通过剪贴板进行，之后恢复其内容。',
  'Replaces what is there.': '替换现有内容。',
  'Empties it.': '将其清空。',
  'It is so already.': '已经是这样了。',
  'What is on the clipboard now is lost.': '剪贴板上现有的内容会丢失。',
  'Reads the names of its controls too.': '还会读取其中控件的名称。',
  'Reads the names of the controls in it too.': '还会读取其中控件的名称。',
  'The button stays down, 30 s at most. Moving in that window and letting go are allowed with it.':
    '按键保持按下，最多 30 秒。在该窗口内移动和松开也一并获准。',
  'Other agents wait meanwhile.': '其间其他智能体等待。',
  'Recorded by {agent} ({program}), {day}.': '由 {agent}（{program}）录制，{day}。',
  'Stops at the first step that fails.': '遇到第一个失败的步骤即停止。',
  'Stops at the first step that fails or changes nothing.': '遇到第一个失败或没有变化的步骤即停止。',
  'It goes on between calls, until it is cancelled or 30 minutes after its events were last asked for.':
    '它会在调用之间持续进行，直到被取消，或最后一次查询其事件 30 分钟之后。',
  'No installed application says what this program is.': '没有已安装的应用说明这个程序是什么。',
  'Stays behind what is in front.': '保持在最前面的内容之后。',
  'It runs as you, outside any sandbox.': '以您的身份运行，不在任何沙盒中。',
  'It is ended after {n#} s.': '{n} 秒后将其结束。',
  'What it leaves behind goes on running; you can end it on Home.': '它留下的进程会继续运行；您可以在首页结束它们。',
  'It can reach your desktop: the display and the session bus.': '它可以访问您的桌面：显示器和会话总线。',
  'The text was read from the picture: look at what is outlined.': '文字是从画面中识别的：请查看框出的内容。',
  'To ({x#}, {y#}).': '到 ({x}, {y})。',
  'To {width#}×{height#}.': '调整为 {width}×{height}。',
  'Ends the whole application at once. Unsaved work in all of its windows is lost.':
    '立即结束整个应用。它所有窗口中未保存的工作都会丢失。',
  'The text ({n#} characters) goes into a password field and is not kept.': '文字（{n} 个字符）进入密码框，不会保留。',
};

/** “允许”的有效期，简体中文。 */

/** 主机关于本机和记录的发现，简体中文。 */
