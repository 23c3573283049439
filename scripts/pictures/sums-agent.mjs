/** A scripted agent for the README's picture: asks one question, types a sum, then wants to press “=”. argv: shim entry, pid of the calculator. */
import { startAgent } from '../demo/agent.mjs';

const [entry, pid] = process.argv.slice(2);
const parent = `applications/${pid}`;
const closers = [];
const agent = await startAgent({ entry, env: process.env, workspace: process.cwd() }, (close) => closers.push(close));
await agent.call('send_message', {
  text: 'The invoice is **1270**, and **83** for shipping. Shall I work out the total in your calculator?',
  quick_replies: ['Yes, please', 'No'],
});
const found = await agent.call('wait_element', { parent, title: '=', timeout: 20 });
// No key twice: a button of this calculator takes no second press within a quarter of a second.
await agent.call('type_text', { text: '1270+83', application: pid });
await agent.call('click_element', { parent, element_id: found.structuredContent.element.elementId });
for (const close of closers) await close();
