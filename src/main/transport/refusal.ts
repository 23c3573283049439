import type { Socket } from 'node:net';
import { frameTransport } from './frames.js';

/** Refused connections that are still being told so; more are closed at once. */
const MAX_TOLD = 64;

/** Closes connections for which there is no room, and says so in one message where it can. Called by tcp and unix. */
export function createRefusal(): (socket: Socket, answer: unknown) => void {
  let told = 0;
  return (socket, answer) => {
    socket.on('error', () => undefined);
    if (answer === undefined || told >= MAX_TOLD) return void socket.destroy();
    told += 1;
    socket.once('close', () => (told -= 1));
    const transport = frameTransport(socket);
    void transport.send(answer).catch(() => undefined);
    transport.close();
  };
}
