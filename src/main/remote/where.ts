/** What `chaperone where` prints on the machine of a host, and a connecting machine reads. */
import * as z from 'zod';

/** Begins the line, so that it is told from what a login shell prints. */
const MARK = '{"chaperone":';

const whereSchema = z.looseObject({
  chaperone: z.string().max(50),
  /** null where none runs. */
  host: z
    .looseObject({
      socket: z
        .string()
        .startsWith('/')
        .max(200)
        .regex(/^[^:\0\n]*$/),
      token: z.string().min(32).max(512),
      url: z.url().regex(/^http:\/\/localhost:\d{1,5}$/),
    })
    .nullable(),
  /** Why none can be had: an untrusted file or listener, or one that does not start. */
  fault: z.string().max(2_000).optional(),
});
export type Where = z.infer<typeof whereSchema>;
export type HostPlace = NonNullable<Where['host']>;

/** As it is printed: the token only for whoever asks for it. */
type PrintedWhere = Omit<Where, 'host'> & { host: (Omit<HostPlace, 'token'> & { token?: string }) | null };

export const whereLine = (where: PrintedWhere): string => JSON.stringify(where);

export const isWhereLine = (line: string): boolean => line.startsWith(MARK);

/** null for a line that is none. */
export function readWhere(line: string): Where | null {
  try {
    return whereSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
