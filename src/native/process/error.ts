/** `code` as the system gives it: ENOENT, EACCES, E2BIG; ESUPERVISOR where commands cannot be supervised, ECANCELED while the host ends. */
export class CommandError extends Error {
  constructor(
    readonly code: string,
    /** What the system says of a code that is none of these. */
    readonly detail: string | null = null,
  ) {
    super(detail ?? code);
    this.name = 'CommandError';
  }
}
