/**
 * Applications that owe an answer. An application goes on with a question after nobody waits for it any more, and further questions
 * only make it work longer, so it is asked nothing before it has answered a small one that was sent after the last that it owes.
 * Called by bus.ts.
 */
import { withTimeout } from '../../../base/poll.js';
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { CALL_TIMEOUT_MS, type CallOptions, type Invoke, type Ref } from './bus-calls.js';

/** A question waits this long for an application that has just become late, as an office program is while it draws a chart; later ones are refused at once. */
const PATIENCE_MS = 3000;
const PROBE_TIMEOUT_MS = 600_000;
const PROBE = 'org.a11y.atspi.Accessible.GetRole';

interface Silence {
  since: number;
  ended: Promise<true>;
}

export class SilentApplications {
  private readonly silent = new Map<string, Silence>();

  constructor(
    private readonly rootOf: (bus: string) => Ref,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Sends the question, or rejects with `not_responding` without sending it. */
  async ask(invoke: Invoke, ...[ref, member, options = {}]: Parameters<Invoke>): Promise<unknown[]> {
    await this.waitFor(ref, options);
    try {
      return await invoke(ref, member, options);
    } catch (error) {
      const late = error instanceof DesktopError && error.code === 'not_responding';
      if (late || options.signal?.aborted === true) this.note(invoke, ref.bus);
      throw error;
    }
  }

  /** The same for what is to be done. It can take as long as a dialog is open, so its time says nothing. */
  async act(invoke: Invoke, ...[ref, member, options = {}]: Parameters<Invoke>): Promise<unknown[]> {
    await this.waitFor(ref, options);
    return invoke(ref, member, options);
  }

  isSilent(bus: string): boolean {
    return this.silent.has(bus);
  }

  /** The bus has ended: another one gives the same names to other applications. */
  forgetAll(): void {
    this.silent.clear();
  }

  private async waitFor({ bus }: Ref, { timeout = CALL_TIMEOUT_MS, signal }: CallOptions): Promise<void> {
    const silence = this.silent.get(bus);
    if (silence === undefined) return;
    const left = Math.min(timeout, silence.since + PATIENCE_MS - this.clock());
    const answered = left > 0 && (await withTimeout(silence.ended, left, signal)) !== null;
    signal?.throwIfAborted();
    if (!answered) throw new DesktopError('not_responding', message('native.app_silent'), { reason: 'owes_an_answer' });
  }

  private note(invoke: Invoke, bus: string): void {
    // Others are no applications.
    if (this.silent.has(bus) || !bus.startsWith(':')) return;
    const probe = invoke(this.rootOf(bus), PROBE, { timeout: PROBE_TIMEOUT_MS });
    const silence: Silence = {
      since: this.clock(),
      ended: probe.then(
        (): true => true,
        (): true => true,
      ),
    };
    this.silent.set(bus, silence);
    void silence.ended.then(() => {
      if (this.silent.get(bus) === silence) this.silent.delete(bus);
    });
  }
}
