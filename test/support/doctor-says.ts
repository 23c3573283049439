import { vi } from 'vitest';
import { doctor } from '../../src/main/cli/doctor.js';
import { inEnglish } from '../../src/messages/index.js';

/** What `chaperone doctor` prints where the host of this folder runs. */
export async function doctorSays(home: string): Promise<string> {
  const { exitCode } = process;
  const printed: string[] = [];
  vi.stubEnv('CHAPERONE_HOME', home);
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    await doctor({}, inEnglish);
  } finally {
    write.mockRestore();
    vi.unstubAllEnvs();
    process.exitCode = exitCode;
  }
  return printed.join('');
}
