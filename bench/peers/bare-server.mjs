/** The floor for an MCP call: the same SDK over stdio with one tool that answers at once what Chaperone's list_displays answers. */
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const frame = { x: 0, y: 0, width: 1440, height: 900 };
const displays = [{ name: 'displays/main', frame, scale: 1, main: true }];
const text = 'displays/main 1440×900 at (0, 0), scale 1, main';

const server = new McpServer({ name: 'bare', version: '1.0.0' });
server.registerTool('list_displays', { description: 'Displays.', inputSchema: z.object({}) }, () => ({
  content: [{ type: 'text', text }],
  structuredContent: { displays },
}));
await server.connect(new StdioServerTransport());
