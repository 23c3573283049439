import { requirements } from './requirement.js';

/** Talking to the person: agent-chat-bridge.md. */
// prettier-ignore
export const CHAT = requirements('agent-chat-bridge.md', {
  'CH-1-1': ['Architecture', 'main-job', 'Agents talk MCP over stdio; browsers talk HTTP and WebSocket; stdout carries nothing but MCP.'],
  'CH-2-1': ['Lifecycle', 'main-job', 'The HTTP listener uses PORT, or a free port when PORT is not set.'],
  'CH-2-2': ['Lifecycle', 'main-job', 'http://localhost:<port> is printed on stderr when an agent started it.'],
  'CH-2-3': ['Lifecycle', 'main-job', 'Browsers connect to /ws, several at once.'],
  'CH-3-1': ['send_message', 'main-job', 'The tool send_message takes a required text and is offered to every agent.'],
  'CH-3-2': ['send_message', 'main-job', 'send_message waits until the person answers and returns {reply} with exactly their words.'],
  'CH-3-3': ['send_message', 'main-job', 'The question reaches every connected page as agentMessage with a UUID in ack_id.'],
  'CH-3-4': ['send_message', 'main-job', 'An ack with that id settles the question and frees the tool call.'],
  'CH-3-5': ['send_message', 'main-job', 'An ack with an id that is not pending settles nothing and is answered with an error.'],
  'CH-4-1': ['WebSocket protocol', 'main-job', 'The first message to a page is connected with history and pendingAckId.'],
  'CH-4-2': ['WebSocket protocol', 'main-job', 'A page answers with {type: ack, id, message}.'],
  'CH-4-3': ['WebSocket protocol', 'main-job', 'A message from a page that does not validate changes nothing and is answered with an error.'],
  'CH-5-1': ['Event bus', 'main-job', 'Every event goes to every subscribed page, in one order.'],
  'CH-5-2': ['Event bus', 'main-job', 'All events are logged, and a page that connects gets the whole history.'],
  'CH-6-1': ['Reconnect', 'main-job', 'A page that comes back shows the earlier conversation again.'],
  'CH-6-2': ['Reconnect', 'main-job', 'A question still pending can be answered after a reconnect.'],
  'CH-7-1': ['Browser client', 'main-job', 'The page shows a scrolling list of messages of both sides.'],
  'CH-7-2': ['Browser client', 'main-job', 'The input takes text only while a question is pending.'],
  'CH-7-3': ['Browser client', 'main-job', 'The send button submits the reply as an ack.'],
  'CH-7-4': ['Browser client', 'main-job', 'New messages come into view for a person who is at the end of the list.'],
  'CH-7-5': ['Browser client', 'main-job', 'While the agent works, the page shows that it is waiting for it.'],
  'CH-7-6': ['Browser client', 'main-job', 'A lost WebSocket is opened again with growing pauses.'],
  'CH-7-7': ['Browser client', 'main-job', 'HTML, script and styles come from the host itself.'],
  'CH-8-1': ['Configuration', 'main-job', 'PORT from the environment sets the port.'],
});
