/** A program that does with its windows whatever the X protocol allows, in the process of the test. */
import type { XDone } from 'x11';
import { type XConnection, whenMissing } from '../../src/native/linux/x11/connection.js';
import { connectToDisplay } from './x-connection.js';

declare module 'x11' {
  interface XClient {
    UnmapWindow(window: number, done: XDone): void;
    SetInputFocus(window: number, revertTo: number, done: XDone): void;
    ReparentWindow(window: number, parent: number, x: number, y: number, done: XDone): void;
    CirculateWindow(parent: number, direction: number, done: XDone): void;
    ConfigureWindow(window: number, values: XPlacement, done: XDone): void;
  }
  interface XShape {
    Rectangles(operation: number, kind: number, window: number, x: number, y: number, areas: number[][]): void;
  }
}

export interface XPlacement {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  borderWidth?: number;
  /** 0 above, 1 below all others. */
  stackMode?: number;
}

export interface XApplication {
  readonly x: XConnection;
  /** Creates a window without showing it. */
  create(
    parent: number,
    at: Required<Pick<XPlacement, 'x' | 'y' | 'width' | 'height'>>,
    menu?: boolean,
  ): Promise<number>;
  /** Sends a request, and takes an error of the server for done: the window may be gone or in another place. */
  request(start: (done: XDone) => void): Promise<void>;
  setText(window: number, property: string, text: string): Promise<void>;
  setNumbers(window: number, property: string, type: string, values: number[]): Promise<void>;
  /** A client message of EWMH or ICCCM to the window manager. */
  ask(window: number, type: string, data: number[]): Promise<void>;
  close(): Promise<void>;
}

const SUBSTRUCTURE = 0x180000;

export async function openXApplication(env: Record<string, string>): Promise<XApplication> {
  const x = await connectToDisplay(env);
  const request: XApplication['request'] = async (start) => void (await x.send(start).catch(whenMissing));
  const setProperty = async (window: number, name: string, type: string, format: number, data: Buffer) => {
    const [property, kind] = await Promise.all([x.atom(name), x.atom(type)]);
    await request((done) => x.client.ChangeProperty(0, window, property, kind, format, data, done));
  };
  return {
    x,
    request,
    create: async (parent, { x: left, y: top, width, height }, menu = false) => {
      const window = x.client.AllocID();
      const values = { overrideRedirect: menu ? 1 : 0 };
      await request((done) =>
        x.client.CreateWindow(window, parent, left, top, width, height, 0, 0, 1, 0, values, done),
      );
      return window;
    },
    setText: (window, name, text) => setProperty(window, name, 'UTF8_STRING', 8, Buffer.from(text)),
    setNumbers: async (window, name, type, values) => {
      const data = Buffer.alloc(4 * values.length);
      values.forEach((value, index) => data.writeUInt32LE(value, 4 * index));
      await setProperty(window, name, type, 32, data);
    },
    ask: async (window, type, data) => {
      const atom = await x.atom(type);
      await request((done) => x.client.SendClientMessage(x.root, window, atom, 32, data, SUBSTRUCTURE, done));
    },
    close: () => x.close(),
  };
}
