import { readCookie, connectX, type XConnection } from '../../src/native/linux/x11/connection.js';

/** A connection of the test's own to the display of these variables. */
export async function connectToDisplay(env: Record<string, string>): Promise<XConnection> {
  const display = env['DISPLAY'] ?? '';
  return connectX(display, await readCookie(display, env), () => {});
}
