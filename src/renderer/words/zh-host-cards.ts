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
export const zhGrants: Phrases = {
  'Only this time': '仅此一次',
  'Allow acts once.': '“允许”只生效一次。',
  'From now until {who} quits': '从现在起，直到 {who} 退出',
  'Allow covers requests of this kind until {who} quits.': '“允许”适用于此类请求，直到 {who} 退出。',
  'Allow covers everything on your screen until {who} quits.': '“允许”适用于您屏幕上的所有内容，直到 {who} 退出。',
  'Allow covers this part of the screen until {who} quits.': '“允许”适用于屏幕的这一部分，直到 {who} 退出。',
  'Allow covers the names of applications and the titles of windows until {who} quits.':
    '“允许”适用于应用名称和窗口标题，直到 {who} 退出。',
  'Allow covers everything {app} shows until {who} quits.': '“允许”适用于{app} 显示的所有内容，直到 {who} 退出。',
  'Allow covers this until {who} quits.': '“允许”适用于此项内容，直到 {who} 退出。',
  '{what*}, 10 minutes': '{what}，10 分钟',
  '{what*}, until {who} quits': '{what}，直到 {who} 退出',
  '{what*}, always': '{what}，始终',
  'This app, what it shows': '此应用显示的内容',
  'This app, pointer and windows': '此应用，指针和窗口',
  'This app, clicks and typing': '此应用，点击和输入',
  'This site, what it shows': '此网站显示的内容',
  'This site, pointer and windows': '此网站，指针和窗口',
  'This site, clicks and typing': '此网站，点击和输入',
  '{agent} in {where}: what it shows': '{agent}，{where}：显示的内容',
  '{agent} in {where}: pointer and windows': '{agent}，{where}：指针和窗口',
  '{agent} in {where}: clicks and typing': '{agent}，{where}：点击和输入',
  'Allow gives 10 minutes in {app}.': '“允许”在 {app} 中有效 10 分钟。',
  'Allow gives 10 minutes on {site}.': '“允许”在 {site} 上有效 10 分钟。',
  'Allow lasts in {app} until {who} quits, 12 hours at most.': '“允许”在 {app} 中有效，直到 {who} 退出，最长 12 小时。',
  'Allow lasts on {site} until {who} quits, 12 hours at most.':
    '“允许”在 {site} 上有效，直到 {who} 退出，最长 12 小时。',
  'Allow lasts in {app} for every {who} ({program}) until you remove it in Settings.':
    '“允许”在 {app} 中对每个 {who}（{program}）有效，直到您在设置中将其移除。',
  'Allow lasts on {site} for every {who} ({program}) until you remove it in Settings.':
    '“允许”在 {site} 上对每个 {who}（{program}）有效，直到您在设置中将其移除。',
};

/** 主机关于本机和记录的发现，简体中文。 */
export const zhHealth: Phrases = {
  'Accessibility is missing': '缺少“辅助功能”权限',
  'Accessibility is stale': '“辅助功能”权限已失效',
  'Accessibility is unknown': '不清楚“辅助功能”是否已获允许',
  'Screen Recording is missing': '缺少“屏幕录制”权限',
  'Screen Recording is stale': '“屏幕录制”权限已失效',
  'Screen Recording is unknown': '不清楚“屏幕录制”是否已获允许',
  'System Settings → Privacy & Security → {pane*}: switch Chaperone on; if it is on already, remove it and add it again.':
    '系统设置 → 隐私与安全性 → {pane}：打开 Chaperone；如果已打开，请将其移除后重新添加。',
  Accessibility: '辅助功能',
  'Screen Recording': '屏幕录制',
  'Check that the display and the accessibility bus (at-spi2-core) are running, then start Chaperone again.':
    '请检查显示器和无障碍总线（at-spi2-core）是否在运行，然后重新启动 Chaperone。',
  'End Chaperone and start it again.': '请结束 Chaperone 并重新启动。',
  'Run `chaperone doctor` for details.': '运行 `chaperone doctor` 查看详情。',
  'Other programs’ synthetic input may press Allow': '其他程序的合成输入可以按“允许”',
  'That is for VNC and on-screen keyboards. Start Chaperone without --accept-synthetic-input to refuse it.':
    '这用于 VNC 和屏幕键盘。不带 --accept-synthetic-input 启动 Chaperone 即可拒绝。',
  'The hotkey {keys} does not stop agents: it could not be registered': '快捷键 {keys} 无法停止智能体：注册失败',
  'Another program may hold it. Free it there and start Chaperone again; until then use Stop in the menu bar.':
    '可能被其他程序占用。请在那里释放它并重新启动 Chaperone；在此之前请使用菜单栏中的“停止”。',
  'X11 at {display}': 'X11，位于 {display}',
  'none at hand: a private virtual desktop stands in for it': '没有可用的显示器：由独立的虚拟桌面代替',
  'Wayland only, which cannot be controlled yet: a private virtual desktop stands in for it':
    '只有 Wayland，目前无法控制：由独立的虚拟桌面代替',
  'all programs present': '所有程序都已具备',
  'missing: {programs}': '缺少：{programs}',
  'Install what is missing:': '安装缺少的程序：',
  'Make {folder} writable for you, or set CHAPERONE_HOME to a folder that is.':
    '请使 {folder} 对您可写，或将 CHAPERONE_HOME 设为可写的文件夹。',
  'No display is at hand (DISPLAY is not set). A private virtual desktop stands in for it.':
    '没有可用的显示器（未设置 DISPLAY）。由独立的虚拟桌面代替。',
  'The display {display} cannot be used: {why*} A private virtual desktop stands in for it.':
    '无法使用显示器 {display}：{why}由独立的虚拟桌面代替。',
  '{why*} Until then this is a simulated desktop: nothing on it is real.':
    '{why}在此之前使用模拟桌面：上面的一切都不是真的。',
  'There is no backend for {platform} yet, so this is a simulated desktop.':
    '目前还没有适用于 {platform} 的后端，因此这是模拟桌面。',
  'The desktop backend has been closed. Open it again.': '桌面后端已关闭。请重新打开。',
  'The X display {display} is gone ({why}). Start a display and the host again.':
    'X 显示器 {display} 已不存在（{why}）。请重新启动显示器和主机。',
  'Cannot open the X display {display}: {why}. Check DISPLAY and XAUTHORITY, or use --display virtual.':
    '无法打开 X 显示器 {display}：{why}。请检查 DISPLAY 和 XAUTHORITY，或使用 --display virtual。',
  'The X server of {display} has no XTEST extension. {next*}': '{display} 的 X 服务器没有 XTEST 扩展。{next}',
  'This is a Wayland session. Log in to an X11 session, or use --display virtual.':
    '这是 Wayland 会话。请登录 X11 会话，或使用 --display virtual。',
  'The simulated desktop is gone: {why} Start Chaperone again.': '模拟桌面已不存在：{why}请重新启动 Chaperone。',
  'The simulated desktop was closed.': '模拟桌面已关闭。',
  'the saved head cannot be read': '无法读取保存的首部',
  'the saved head is missing: lines may have been cut off': '保存的首部缺失：可能有行被截断',
  'the saved head was not made with the key': '保存的首部不是用密钥生成的',
  'the last line is unfinished ({bytes#} bytes): Chaperone was stopped while writing, or it was cut':
    '最后一行不完整（{bytes} 字节）：Chaperone 在写入时被停止，或该行被截断',
  '{missing#} of {lines#} lines are missing': '{lines} 行中缺少 {missing} 行',
  'line {line#} is not the one the saved head names': '第 {line} 行不是保存的首部所指的那一行',
  '{lines#} lines follow the saved head: Chaperone was stopped while writing, or they were added':
    '保存的首部之后还有 {lines} 行：Chaperone 在写入时被停止，或这些行是添加的',
  '{lines#} lines were missing, found at line {line#} ({at})': '缺少 {lines} 行，在第 {line} 行发现（{at}）',
  'the saved head was missing or not ours, found at line {line#} ({at})':
    '保存的首部缺失或不是我们的，在第 {line} 行发现（{at}）',
  '{lines#} lines were added without the key, found at line {line#} ({at})':
    '有 {lines} 行在没有密钥的情况下添加，在第 {line} 行发现（{at}）',
  '{breaks#} breaks in the lines before, found at line {line#} ({at})':
    '之前的行中有 {breaks} 处断裂，在第 {line} 行发现（{at}）',
  'line {line#}: an unfinished line of {bytes#} bytes was cut off after a stop ({at})':
    '第 {line} 行：停止后截去了 {bytes} 字节的不完整行（{at}）',
  'line {line#}: {lines#} lines had been written and not yet counted when Chaperone stopped ({at})':
    '第 {line} 行：Chaperone 停止时有 {lines} 行已写入但尚未计数（{at}）',
  'line {line#}: no key vouches for the lines before this one ({at})':
    '第 {line} 行：没有密钥为此行之前的内容作保（{at}）',
  'line {line#} is of no known kind': '第 {line} 行的类型未知',
  'line {line#} is not a line of the audit log': '第 {line} 行不是审计日志的行',
  'line {line#} was edited: its bytes do not match its hash': '第 {line} 行被修改：其字节与哈希不符',
  'line {line#} has number {number#} where {due#} was due: lines were removed, added or moved':
    '第 {line} 行的编号是 {number}，而应为 {due}：有行被删除、添加或移动',
  'line {line#} does not follow the line before it: one of them was exchanged':
    '第 {line} 行与前一行不连续：其中一行被替换',
  'in memory': '在内存中',
  'before it was deleted on schedule: {what*}': '在按计划删除之前：{what}',
  '{path} is no longer a plain file': '{path} 不再是普通文件',
  '{path} was edited': '{path} 被修改',
  '{path} is missing': '缺少 {path}',
  '{path} was replaced by a link': '{path} 被替换为链接',
  '{path} cannot be read ({why})': '无法读取 {path}（{why}）',
  '{path} was not written by Chaperone': '{path} 不是 Chaperone 写入的',
  '{path} is in no line of the audit log': '审计日志中没有 {path} 的行',
  'No display is at hand (DISPLAY is not set). {why*}': '没有可用的显示器（未设置 DISPLAY）。{why}',
  'The display {display} cannot be used: {why*}': '无法使用显示器 {display}：{why}',
  'A virtual desktop needs packages that are not installed: {programs}. On Debian or Ubuntu run: {command} Until then this is a simulated desktop: nothing on it is real.':
    '虚拟桌面需要尚未安装的软件包：{programs}。在 Debian 或 Ubuntu 上运行：{command} 在此之前使用模拟桌面：上面的一切都不是真的。',
  'This is a Wayland session, which gives no program control of others. {next*}':
    '这是 Wayland 会话，程序无法控制其他程序。{next}',
  'There is no display (DISPLAY is not set). {next*}': '没有显示器（未设置 DISPLAY）。{next}',
  'Log in to an X11 session, or start the host with --display virtual.':
    '请登录 X11 会话，或使用 --display virtual 启动主机。',
};
