/** The parts of node-x11's extensions that this backend calls; they belong to the types of the module in x11.d.ts. */
declare module 'x11' {
  export interface XTest {
    KeyPress: number;
    KeyRelease: number;
    ButtonPress: number;
    ButtonRelease: number;
    MotionNotify: number;
    FakeInput(type: number, detail: number, time: number, window: number, x: number, y: number): void;
  }

  export interface XArea {
    x: number;
    y: number;
    width: number;
    height: number;
  }

  export interface XComposite {
    Redirect: { Automatic: number; Manual: number };
    RedirectSubwindows(window: number, mode: number): void;
    NameWindowPixmap(window: number, pixmap: number): void;
  }

  export interface XDamage {
    ReportLevel: { RawRectangles: number; DeltaRectangles: number; BoundingBox: number; NonEmpty: number };
    Create(damage: number, drawable: number, reportLevel: number): void;
    Destroy(damage: number): void;
    /** 0 for `repair`: all of the damage. 0 for `parts`: kept nowhere. */
    Subtract(damage: number, repair: number, parts: number): void;
  }

  export interface XRes {
    major: number;
    minor: number;
    ClientIdMask: { LocalClientPID: number };
    QueryClientIds(
      specs: { client: number; mask: number }[],
      reply: XReply<{ client: number; mask: number; value: number[] }[]>,
    ): void;
  }

  export interface XInput {
    xi2: { majorVersion: number; minorVersion: number } | null;
    firstEvent: number;
    AllDevices: number;
    AllMasterDevices: number;
    EventMask: Record<
      | 'RawKeyPress'
      | 'RawKeyRelease'
      | 'RawButtonPress'
      | 'RawButtonRelease'
      | 'RawMotion'
      | 'RawTouchBegin'
      | 'RawTouchUpdate'
      | 'RawTouchEnd'
      | 'HierarchyChanged',
      number
    >;
    XIQueryDevice(device: number, reply: XReply<{ deviceId: number; use: number; name: string }[]>): void;
    XISelectEvents(window: number, masks: { deviceId: number; mask: number }[]): void;
  }

  export interface XFixes {
    major: number;
    SelectionEventMask: { SetSelectionOwner: number; SelectionWindowDestroy: number; SelectionClientClose: number };
    SelectSelectionInput(window: number, selection: number, mask: number): void;
    CreateRegion(region: number, areas: XArea[]): void;
    DestroyRegion(region: number): void;
    FetchRegion(region: number, reply: XReply<{ rectangles: XArea[] }>): void;
  }

  export interface XShape {
    Kind: { Bounding: number; Clip: number; Input: number };
    SelectInput(window: number, enable: number): void;
    GetRectangles(
      window: number,
      kind: number,
      reply: XReply<{ rectangles: [x: number, y: number, width: number, height: number][] }>,
    ): void;
  }

  export interface XRandr {
    majorOpcode: number;
    firstEvent: number;
    major_version: number;
    minor_version: number;
    NotifyMask: { ScreenChange: number; CrtcChange: number; OutputChange: number };
    SelectInput(window: number, mask: number): void;
  }

  export interface XShm {
    usable(reply: (error: Error | null, usable: boolean) => void): void;
    AttachFd(segment: number, file: number, readOnly: boolean, done: XDone): void;
    Detach(segment: number): void;
    GetImage(
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planeMask: number,
      format: number,
      segment: number,
      offset: number,
      reply: XReply<{ depth: number; visual: number; size: number }>,
    ): void;
  }

  export interface XkbState {
    group: number;
    baseMods: number;
    latchedMods: number;
    lockedMods: number;
  }

  export interface XKeyboardExtension {
    majorOpcode: number;
    UseCoreKbd: number;
    UseExtension(major: number, minor: number, reply: XReply<unknown>): void;
    GetState(device: number, reply: XReply<XkbState>): void;
    LatchLockState(
      device: number,
      affectedLocks: number,
      locks: number,
      lockGroup: 0 | 1,
      group: number,
      affectedLatches: number,
      latches: number,
      latchGroup: 0 | 1,
      groupLatch: number,
    ): void;
  }

  export interface XExtensions {
    xtest: XTest;
    composite: XComposite;
    damage: XDamage;
    res: XRes;
    xinput: XInput;
    randr: XRandr;
    shm: XShm;
    xkb: XKeyboardExtension;
    fixes: XFixes;
    shape: XShape;
  }
}
