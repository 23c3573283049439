/** Gives the screen another size, as `xrandr --mode` does. The server of a private session takes none beyond its first. */
import type { XReply } from 'x11';
import type { XConnection } from '../../src/native/linux/x11/connection.js';
import { connectToDisplay } from './x-connection.js';

export interface ScreenSize {
  width: number;
  height: number;
}

interface Mode extends ScreenSize {
  name: string;
  dot_clock: number;
  h_total: number;
  v_total: number;
}

interface Resources {
  crtcs: number[];
  outputs: number[];
  modeinfos: { id: number; name: string }[];
}

declare module 'x11' {
  interface XClient {
    GrabServer(): void;
    UngrabServer(): void;
  }
  interface XRandr {
    GetScreenResourcesCurrent(window: number, reply: XReply<Resources>): void;
    SetScreenSize(window: number, width: number, height: number, widthMm: number, heightMm: number): void;
    CreateMode(window: number, mode: Mode, reply: XReply<number>): void;
    AddOutputMode(output: number, mode: number): void;
    SetCrtcConfig(
      crtc: number,
      time: number,
      configTime: number,
      x: number,
      y: number,
      mode: number,
      rotation: number,
      outputs: number[],
      reply: XReply<{ status: number }>,
    ): void;
  }
}

/** Resolves once the server has done it. */
export async function setScreenSize(env: Record<string, string>, size: ScreenSize): Promise<void> {
  const x = await connectToDisplay(env);
  try {
    x.client.GrabServer();
    await changeSize(x, size);
    x.client.UngrabServer();
    await x.sync();
  } finally {
    await x.close();
  }
}

async function changeSize(x: XConnection, { width, height }: ScreenSize): Promise<void> {
  const randr = await x.extension('randr');
  if (randr === null) throw new Error('the X server has no RandR');
  const { crtcs, outputs, modeinfos } = await x.query<Resources>((reply) =>
    randr.GetScreenResourcesCurrent(x.root, reply),
  );
  const [crtc = 0, output = 0] = [crtcs[0], outputs[0]];
  const show = async (mode: number, shown: number[]): Promise<void> => {
    const { status } = await x.query<{ status: number }>((reply) =>
      randr.SetCrtcConfig(crtc, 0, 0, 0, 0, mode, 1, shown, reply),
    );
    if (status !== 0) throw new Error(`the X server does not take the mode: ${status}`);
  };
  const name = `${width}x${height}`;
  const make = { name, width, height, dot_clock: width * height * 60, h_total: width, v_total: height };
  const known = modeinfos.find((mode) => mode.name === name)?.id;
  const mode = known ?? (await x.query<number>((reply) => randr.CreateMode(x.root, make, reply)));
  if (known === undefined) randr.AddOutputMode(output, mode);
  await show(0, []);
  randr.SetScreenSize(x.root, width, height, Math.round(width / 4), Math.round(height / 4));
  await show(mode, [output]);
}
