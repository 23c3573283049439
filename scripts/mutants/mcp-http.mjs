const at = (file, test = 'test/adversary/mcp-http.test.ts') => (name, from, to, fails) => ({ name, file: `src/main/${file}`, test, from, to, fails }); // prettier-ignore
const door = at('serve/http/index.ts');
const sessions = at('serve/http/sessions.ts', 'test/adversary/mcp-http-sessions.test.ts');
const peers = at('serve/http/peers.ts');
const exchange = at('serve/http/index.ts', 'test/serve/http/unread.test.ts');
const resources = (file) => at(file, 'test/e2e/mcp-resources.test.ts');
const delivery = at('chat/calls.ts', 'test/chat/delivery.test.ts');
const replies = (file) => at(file, 'test/e2e/mcp-http-replies.test.ts');
const record = resources('tools/evidence.ts');
const questions = (file) => at(file, 'test/chat/in-client.test.ts');
const written = at('chat/questions.ts', 'test/chat/writing.test.ts');
const facts = at('approvals/request-facts.ts');

// prettier-ignore
export const MCP_HTTP = [
  record('evidence-of-another-agent', ' && found.agent.id === caller.agent.id', '', 'HTTP, 2025-11-25: an agent reads what is recorded of itself'),
  record('list-of-evidence-of-others', '        .filter(({ agent }) => agent.id === caller.agent.id)\n', '', 'HTTP, 2025-11-25: an agent reads what is recorded of itself'),
  questions('chat/index.ts')('answer-to-another-agents-question', 'one.agentId === agentId && ', '', 'to its own open question only'),
  written('written-to-any-agent', 'of(agentId).filter(({ written, end }) => written && end === null)', '[...byAck.values()].filter(({ written, end }) => written && end === null)', 'waits for the agent that it is for'),
  at('serve/page/table.ts', 'test/serve/page/table.test.ts')('written-by-an-unpaired-page', "  write: {\n    role: 'paired',", "  write: {\n    role: 'chat',", 'what needs no pairing is named here'),
  door('http-without-a-token', 'return given !== undefined && matches(given);', 'return given !== undefined || matches(\'\');', 'nobody without the token'),
  sessions('session-of-another-process', 'one.pid === other.pid && (one.pid === 0 || one.startTime === other.startTime)', 'one.pid === other.pid || one.startTime !== other.startTime', 'another process cannot use a session'),
  sessions('sessions-without-end', 'if (own.length < MAX_OF_PROCESS && entries.size < MAX_SESSIONS) return true;', 'if (own.length >= 0) return true;', 'a process has eight at most'),
  replies('mcp/transport.ts')('reply-to-a-request-given-up', "if (typeof id === 'string' || typeof id === 'number') left(id);", 'void [id, left];', 'one in an answer whose request the client then gave up, once the page'),
  delivery('unwritten-reply-has-arrived', 'return call.written && call', "return call.state === 'given' && call", 'is proven by the agent’s next call'),
  delivery('reply-to-a-caller-who-left', '        call.trusted = false;\n        if', '        if', 'where the caller had left while the person was asked'),
  at('serve/mcp/agent.ts', 'test/serve/http/agent.test.ts')('half-sent-reply-is-given', 'else calls.notReceived(caller(), callId);', '', 'an answer that was sent, wholly false'),
  peers('proxy-is-the-agent', "['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']", "['x-real-ip']", 'through a proxy (via)'),
  sessions('session-that-works-makes-room', 'own.filter((entry) => !isWorking(entry))', 'own', 'a session whose call waits for the person is never ended'),
  exchange('unread-without-limit', 'MAX_UNREAD_BYTES = 32 *', 'MAX_UNREAD_BYTES = 128 *', 'a client that reads nothing is cut off'),
  facts('unknown-program-is-remembered', '|| !isKnownProgram(request.caller.agent)', '', 'through a proxy (via)'),
];
