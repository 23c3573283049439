/** `chaperone tools`: what `chaperone call` and agents can call, as the running host has it. */
import { publish } from '../shim/descriptors.js';
import { openLink } from './running.js';

export async function tools(options: { profile: 'full' | 'core'; json?: boolean }): Promise<void> {
  const link = openLink(() => undefined);
  try {
    const session = await link.session();
    const all = publish(await session.request('agent/tools', { profile: options.profile }));
    const lines = all.map(({ name, description }) => `${name.padEnd(28)}  ${description ?? ''}`);
    process.stdout.write(options.json === true ? `${JSON.stringify(all, null, 2)}\n` : `${lines.join('\n')}\n`);
  } finally {
    link.close();
  }
}
