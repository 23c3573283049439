/** The system's error code, such as `ENOENT`; null where it has none. */
export function errno(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null;
  return typeof thrown.code === 'string' ? thrown.code : null;
}
