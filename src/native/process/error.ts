/** `code` as the system gives it: ENOENT, EACCES, E2BIG; ESUPERVISOR where commands cannot be supervised. */
export class CommandError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'CommandError';
  }
}
