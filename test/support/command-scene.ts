/** A workspace with a repository, links that lead outside, secrets, and what an agent may have put there. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface CommandScene {
  root: string;
  /** Beside the workspace; nothing of it may be read unasked. */
  outside: string;
  file(name: string): string;
  put(name: string, text: string): void;
  git(...args: string[]): string;
  remove(): void;
}

const SECRET = 'TOP-SECRET-VALUE';
export { SECRET as SECRET_TEXT };

/** `root`: an existing folder to fill; its own otherwise. */
export function commandScene(given?: string): CommandScene {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'chaperone-lines-')));
  const root = given ?? join(base, 'work');
  const outside = join(base, 'outside');
  for (const folder of [root, outside]) mkdirSync(folder, { recursive: true });
  const file = (name: string) => join(root, name);
  const put = (name: string, text: string) => writeFileSync(file(name), text);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  for (const folder of ['src', 'bin', '.ssh', 'docs']) mkdirSync(file(folder), { recursive: true });
  writeFileSync(join(outside, 'private.txt'), SECRET);
  put('README.md', '# Title\nhello world\n');
  put('src/a.ts', 'export const a = 1; // needle\n');
  put('docs/b.md', 'needle\n');
  put('.env', `KEY=${SECRET}\n`);
  put('.ssh/id_ed25519', SECRET);
  put('server.key', SECRET);
  put('bin/ls', '#!/bin/sh\ntouch ran-own-ls\n');
  chmodSync(file('bin/ls'), 0o755);
  symlinkSync(join(outside, 'private.txt'), file('link.txt'));
  symlinkSync(outside, file('linked'));
  symlinkSync('README.md', file('inner.md'));
  git('init', '-q', '-b', 'main');
  git('add', 'README.md', 'src', 'docs', '.env');
  git('commit', '-q', '-m', 'first');
  put('README.md', '# Title\nhello again\n');
  return {
    root,
    outside,
    file,
    put,
    git,
    remove: () => [base, root].forEach((one) => rmSync(one, { recursive: true, force: true })),
  };
}
