/** `chaperone tools`: lists the tools of the running host. */
import { publish } from '../mcp/descriptors.js';
import { openLink } from './host-client.js';
import { print, printJson } from './output.js';

export async function tools(options: { profile: 'full' | 'core'; json?: boolean }): Promise<void> {
  const link = openLink(() => undefined);
  try {
    const session = await link.session();
    const all = publish(await session.request('agent/tools', { profile: options.profile }));
    const lines = all.map(({ name, description }) => `${name.padEnd(28)}  ${description ?? ''}`);
    if (options.json === true) printJson(all);
    else print(lines.join('\n'));
  } finally {
    link.close();
  }
}
