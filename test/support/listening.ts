/** What the kernel says of listening sockets. */
import { readFileSync } from 'node:fs';

/** ::1 and 127.0.0.1, as /proc/net writes them. */
export const LOOPBACK_ONLY = ['00000000000000000000000001000000', '0100007F'];

/** The addresses at which this TCP port is listened on, sorted, as /proc/net writes them. */
export function listeningAddresses(port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1))
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${hex}`) === true && state === '0A')
    .flatMap(([, local]) => local?.split(':')[0] ?? [])
    .sort();
}
