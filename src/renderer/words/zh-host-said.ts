/** 为何暂停，以及人要做的事为何未成，简体中文。 */
import type { Phrases } from './phrasebook.js';

export const zhSaid: Phrases = {
  'This system has no such pane in its settings.': '此系统的设置中没有这个面板。',
  'That agent is not connected any more.': '该智能体已断开连接。',
  'That command has ended already.': '这条命令已经结束。',
  'These processes could not be ended: {pids}.': '这些进程无法结束：{pids}。',
  'There is no such paired page.': '没有这个已配对的页面。',
  'That is for the menu bar, and Chaperone does not run there.': '这需要菜单栏，而 Chaperone 没有在那里运行。',
  'The menu bar needs no pairing.': '菜单栏无需配对。',
  'Pair this page to do that here: open a link from the menu bar or from `chaperone pair`.':
    '要在这里执行此操作，请先配对此页面：打开菜单栏或 `chaperone pair` 给出的链接。',
  'The page asks for too much at once. Try again in a moment.': '页面一次请求过多。请稍后再试。',
  'The page asks for everything again too often.': '页面过于频繁地重新请求全部内容。',
  'Too many attempts. Reload the page in a minute.': '尝试次数过多。请一分钟后重新加载页面。',
  'This page is not paired any more, or never was. Pair it again with a new link.':
    '此页面已不再配对，或从未配对。请用新链接重新配对。',
  'Too many messages; some were not read.': '消息过多；有些未被读取。',
  'The host could not read a message from this page. Reload it.': '主机无法读取此页面的一条消息。请重新加载。',
  'Something went wrong in the host; nothing was done. Look at its log.': '主机出错；没有执行任何操作。请查看其日志。',
  'This page was unpaired.': '此页面的配对已解除。',
  'The record knows no such action.': '记录中没有这个操作。',
  'Its line in the record was changed after it was written, so that nothing can be shown of it.':
    '它在记录中的行在写入后被更改，因此无法显示其内容。',
  'This host does not set up agents. Run the command in a terminal instead.':
    '此主机不能设置智能体。请改为在终端中运行命令。',
  'Too many wrong links were tried. Wait a minute and use a new one.': '尝试的错误链接过多。请等一分钟后使用新链接。',
  'This link was used already or is older than two minutes. Make a new one.':
    '此链接已被使用或已超过两分钟。请生成新链接。',
  'The pairing could not be saved to disk. Free some space and try again.': '无法将配对保存到磁盘。请腾出空间后重试。',
  '{n#} pages are paired. Unpair one in Settings first.': '已有 {n} 个页面配对。请先在设置中解除一个。',
  'An agent, or what an agent started, opened this browser, so it cannot be paired. Open the link in a browser that you started yourself.':
    '此浏览器由智能体或其启动的程序打开，因此无法配对。请在您自己启动的浏览器中打开链接。',
  'Nobody confirmed this page in time. Get a new link and try again.': '没有人及时确认此页面。请获取新的链接后重试。',
  'This page was denied where it had to be confirmed. Get a new link and confirm it there.':
    '此页面在需要确认的地方被拒绝。请获取新的链接，并在那里确认。',
  'This page waits to be paired already.': '此页面已在等待配对。',
  'The page sent a key that is not a P-256 public key.': '页面发送的密钥不是 P-256 公钥。',
  'Your reply could not be saved to disk. Free some space and send it again.':
    '无法将您的回复保存到磁盘。请腾出空间后重新发送。',
  'There is no such question.': '没有这个问题。',
  'This question was answered already, perhaps in another window.': '此问题已被回答，可能是在另一个窗口中。',
  'The agent no longer waits for an answer to this question.': '智能体不再等待此问题的答复。',
  'Write something or add an image first.': '请先写点内容或添加图片。',
  'A reply can have {most#} characters; this one has {n#}.': '回复最多 {most} 个字符；这条有 {n} 个。',
  'A reply can have {most#} images; this one has {n#}.': '回复最多 {most} 张图片；这条有 {n} 张。',
  'The images are too large together; send smaller ones or fewer.': '图片总量过大；请发送更小或更少的图片。',
  'An image could not be read.': '有一张图片无法读取。',
  '{file} cannot be written: {why}.': '无法写入 {file}：{why}。',
  '{file} cannot be read: {why}. Nothing was changed.': '无法读取 {file}：{why}。没有更改任何内容。',
  '{file} is a link that leads nowhere. Nothing was changed; mend or remove it, then try again.':
    '{file} 是无效的链接。没有更改任何内容；请修复或删除后重试。',
  '{file} is being changed by another program. Nothing was changed; try again.':
    '{file} 正被另一个程序修改。没有更改任何内容；请重试。',
  '{file} is not valid: {why}. Nothing was changed. Mend it, or do it by hand: {hand}':
    '{file} 无效：{why}。没有更改任何内容。请修复，或手动操作：{hand}',
  '{file} was left as it is: {why}. Nothing was changed. Mend it, or do it by hand: {hand}':
    '{file} 保持原样：{why}。没有更改任何内容。请修复，或手动操作：{hand}',
  '`{command} mcp` failed: {why}. Do it by hand: {hand}': '`{command} mcp` 失败：{why}。请手动操作：{hand}',
  '`claude mcp add-json` ended without an error, and {file} has no such entry. Do it by hand: {hand}':
    '`claude mcp add-json` 没有报错，但 {file} 中没有这个条目。请手动操作：{hand}',
  'The command `claude` is not on the search path, and only it should change its own settings. Where it is at hand, run: {hand}':
    '命令 `claude` 不在搜索路径中，而只有它才应更改自己的设置。在它可用的地方运行：{hand}',
  'Chaperone knows no client "{name}"; it knows {names}.': 'Chaperone 不认识客户端“{name}”；它认识 {names}。',
  'This host cannot start the demo: it does not know what starts it itself.':
    '此主机无法启动演示：它不知道自己是由什么启动的。',
};
