/** The part of a pino logger that evidence uses. */
export interface Log {
  warn(details: object, message: string): void;
}
