/** The part of a pino logger that evidence uses. */
export interface Logger {
  warn(details: object, message: string): void;
}
