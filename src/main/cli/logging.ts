import { pino, type Logger } from 'pino';

const LEVELS = new Set(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);

function level(fallback: string): string {
  const given = process.env['CHAPERONE_LOG'];
  return given !== undefined && LEVELS.has(given) ? given : fallback;
}

/** For programs in a terminal or under an agent: warnings and errors on stderr. */
export function stderrLog(): Logger {
  return pino({ level: level('warn') }, pino.destination({ dest: 2, sync: true }));
}

/** For a host in the background. */
export function fileLog(file: string): Logger {
  return pino({ level: level('info') }, pino.destination({ dest: file, mkdir: true, sync: true, mode: 0o600 }));
}
