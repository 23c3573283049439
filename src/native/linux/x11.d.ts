/** The part of node-x11 (which ships no types) that this backend calls. Numbers are X ids, atoms or protocol constants. */
declare module 'x11' {
  import type { EventEmitter } from 'node:events';

  /** Return true to say that an error has been dealt with; otherwise the client emits `error`. */
  export type XReply<T> = (error: XProtocolError | null | undefined, value: T) => boolean;
  export type XDone = (error: XProtocolError | null | undefined) => boolean;

  export interface XProtocolError extends Error {
    /** Protocol error code; absent for errors of the socket. */
    error?: number;
    seq?: number;
    badParam?: number;
    majorOpcode?: number;
  }

  export interface XScreen {
    root: number;
    root_depth: number;
    root_visual: number;
  }

  export interface XDisplay {
    client: XClient;
    screen: XScreen[];
    vendor: string;
    release: number;
    min_keycode: number;
    max_keycode: number;
    image_byte_order: number;
    resource_mask: number;
    format: Record<string, { bits_per_pixel: number; scanline_pad: number }>;
  }

  /** Fields differ by `name`; what is missing in an event is undefined. */
  export interface XEvent {
    name: string;
    type: number;
    /** The window that the event is about; of ConfigureNotify, the window through which it was selected. */
    wid?: number;
    /** The window that ConfigureNotify is about. */
    wid1?: number;
    /** The window through which events of the window structure were selected: `wid` itself or its parent. */
    event?: number;
    parent?: number;
    aboveSibling?: number;
    window?: number;
    atom?: number;
    state?: number;
    time?: number;
    owner?: number;
    requestor?: number;
    selection?: number;
    target?: number;
    property?: number;
    deviceId?: number;
    sourceId?: number;
    evtype?: number;
    rawData?: Buffer;
    damage?: number;
    /** Of a key or a button. */
    keycode?: number;
    x?: number;
    y?: number;
    /** What is held down with it: modifiers, too. */
    buttons?: number;
    mode?: number;
    detail?: number;
    width?: number;
    height?: number;
    message_type?: number;
    data?: readonly number[];
  }

  export interface XProperty {
    type: number;
    format: number;
    bytesAfter: number;
    data: Buffer;
  }

  export interface XGeometry {
    depth: number;
    xPos: number;
    yPos: number;
    width: number;
    height: number;
    borderWidth: number;
  }

  export interface XTree {
    root: number;
    parent: number;
    /** Lowest first. */
    children: number[];
  }

  export interface XWindowAttributes {
    visual: number;
    /** 1 InputOutput, 2 InputOnly. */
    klass: number;
    /** 0 unmapped, 1 unviewable, 2 viewable. */
    mapState: number;
    overrideRedirect: number;
    myEventMasks: number;
  }

  export interface XImage {
    depth: number;
    visualId: number;
    data: Buffer;
  }

  export interface XClient extends EventEmitter {
    display: XDisplay;
    atoms: Record<string, number>;
    atom_names: Record<number, string>;
    stream: EventEmitter & { destroy(): void };
    /** How the library itself sends a request that is answered. */
    seq_num: number;
    replies: Record<number, [read: ((reply: Buffer) => unknown) | null, reply: unknown]>;
    pack_stream: { put(data: Buffer): void; submit(answered: boolean): void; flush(): void };
    AllocID(): number;
    ReleaseID(id: number): void;
    terminate(): void;
    require<K extends keyof XExtensions>(name: K, reply: (error: Error | null, ext: XExtensions[K]) => void): void;
    QueryExtension(name: string, reply: XReply<{ present: number }>): void;
    InternAtom(onlyIfExists: boolean, name: string, reply: XReply<number>): void;
    GetAtomName(atom: number, reply: XReply<string>): void;
    GetProperty(
      remove: number,
      window: number,
      property: number,
      type: number,
      longOffset: number,
      longLength: number,
      reply: XReply<XProperty>,
    ): void;
    ChangeProperty(
      mode: number,
      window: number,
      property: number,
      type: number,
      format: number,
      data: Buffer | number[],
      done: XDone,
    ): void;
    QueryTree(window: number, reply: XReply<XTree>): void;
    GetGeometry(drawable: number, reply: XReply<XGeometry>): void;
    GetWindowAttributes(window: number, reply: XReply<XWindowAttributes>): void;
    ChangeWindowAttributes(window: number, values: { eventMask?: number; backgroundPixel?: number }, done: XDone): void;
    TranslateCoordinates(
      source: number,
      destination: number,
      x: number,
      y: number,
      reply: XReply<{ destX: number; destY: number; child: number }>,
    ): void;
    QueryPointer(window: number, reply: XReply<{ rootX: number; rootY: number; keyMask: number; child: number }>): void;
    GetInputFocus(reply: XReply<{ focus: number }>): void;
    GetImage(
      format: number,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planeMask: number,
      reply: XReply<XImage>,
    ): void;
    CreateWindow(
      id: number,
      parent: number,
      x: number,
      y: number,
      width: number,
      height: number,
      border: number,
      depth: number,
      windowClass: number,
      visual: number,
      values: { eventMask?: number; overrideRedirect?: number; backgroundPixel?: number },
      done: XDone,
    ): void;
    DestroyWindow(window: number, done: XDone): void;
    MapWindow(window: number, done: XDone): void;
    MoveResizeWindow(window: number, x: number, y: number, width: number, height: number, done: XDone): void;
    /** Closes the connection of the client that made the resource. */
    KillClient(resource: number, done: XDone): void;
    CreatePixmap(pixmap: number, drawable: number, depth: number, width: number, height: number): void;
    FreePixmap(pixmap: number, done: XDone): void;
    CreateGC(gc: number, drawable: number, values: { subwindowMode: number; graphicsExposures: number }): void;
    FreeGC(gc: number): void;
    CopyArea(
      source: number,
      destination: number,
      gc: number,
      fromX: number,
      fromY: number,
      toX: number,
      toY: number,
      width: number,
      height: number,
    ): void;
    GetKeyboardMapping(first: number, count: number, reply: XReply<number[][]>): void;
    ChangeKeyboardMapping(first: number, perKeycode: number, keysyms: number[], done: XDone): void;
    GrabKey(
      window: number,
      ownerEvents: 0 | 1,
      modifiers: number,
      keycode: number,
      pointerMode: number,
      keyboardMode: number,
      done: XDone,
    ): void;
    UngrabKey(window: number, keycode: number, modifiers: number, done: XDone): void;
    SetSelectionOwner(owner: number, selection: number, time: number, done: XDone): void;
    GetSelectionOwner(selection: number, reply: XReply<number>): void;
    ConvertSelection(
      requestor: number,
      selection: number,
      target: number,
      property: number,
      time: number,
      done: XDone,
    ): void;
    SendEvent(destination: number, propagate: number, mask: number, event: Buffer, done: XDone): void;
    SendClientMessage(
      destination: number,
      window: number,
      type: number,
      format: number,
      data: number[],
      mask: number,
      done: XDone,
    ): void;
  }

  type XEventMask =
    | ('PropertyChange' | 'StructureNotify' | 'SubstructureNotify' | 'SubstructureRedirect' | 'FocusChange')
    | ('KeyPress' | 'KeyRelease' | 'ButtonPress' | 'ButtonRelease' | 'PointerMotion' | 'EnterWindow' | 'LeaveWindow');

  const x11: {
    eventMask: Record<XEventMask, number>;
    createClient(
      options: {
        display: string;
        auth?: { name: string; data: string };
        shm?: boolean;
        bufferRequests?: { flushOnReply: boolean };
      },
      ready: (error: Error | null | undefined, display: XDisplay) => void,
    ): XClient;
  };
  export default x11;
}
