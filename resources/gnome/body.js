// The part of Chaperone that runs in GNOME Shell: it tells the host of windows, and does with them what the host asks for.
// Comes in: calls on the session bus from Chaperone's host of the same user; nobody else gets an answer. Goes out: JSON, pictures, signals.

/** Changes when the host has to ask otherwise. */
const PROTOCOL = 1;
const OBJECT_PATH = '/dev/chaperone/Desktop';
const INTERFACE = 'dev.chaperone.Desktop';
const XML = `<node><interface name="${INTERFACE}">
<method name="Open"><arg type="s" direction="out"/></method>
<method name="Windows"><arg type="s" direction="out"/></method>
<method name="Displays"><arg type="s" direction="out"/></method>
<method name="Act"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/></method>
<method name="Layout"><arg type="s" direction="out"/></method>
<method name="Pointer"><arg type="s" direction="out"/></method>
<method name="Move"><arg type="d" direction="in"/><arg type="d" direction="in"/></method>
<method name="Button"><arg type="u" direction="in"/><arg type="b" direction="in"/></method>
<method name="Scroll"><arg type="u" direction="in"/></method>
<method name="Key"><arg type="u" direction="in"/><arg type="b" direction="in"/></method>
<method name="Commit"><arg type="s" direction="in"/><arg type="b" direction="out"/></method>
<method name="Picture"><arg type="s" direction="in"/><arg type="ay" direction="out"/></method>
<method name="Types"><arg type="s" direction="out"/></method>
<method name="Read"><arg type="s" direction="in"/><arg type="ay" direction="out"/></method>
<method name="Write"><arg type="s" direction="in"/><arg type="ay" direction="in"/></method>
</interface></node>`;
const CLIPBOARD = Meta.SelectionType.SELECTION_CLIPBOARD;
const MAX_CLIPBOARD_BYTES = 64 * 1024 * 1024;
/** Types of windows that are no window of their own for people. */
const [NORMAL, DIALOG, MODAL] = [Meta.WindowType.NORMAL, Meta.WindowType.DIALOG, Meta.WindowType.MODAL_DIALOG];
const BUS_MS = 5000;
const INPUT_ARRIVES_MS = 20;
const BOTH_WAYS = Meta.MaximizeFlags.BOTH;
const KINDS = Object.entries(Meta.WindowType).filter(([, value]) => typeof value === 'number');

/** A method of a class with a callback, as a promise: the classes of the shell need not be promisified for us. */
function asked(start, finish) {
  return new Promise((resolve, reject) => {
    start((_, result) => {
      try {
        resolve(finish(result));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Pixels of the stage for one point: above 1 where GNOME enlarges applications, and counts places on the screen in pixels all the same. */
const unit = () => Main.layoutManager.primaryMonitor?.geometry_scale ?? 1;

/** In points, as applications count. */
function rectOf({ x, y, width, height }) {
  const one = unit();
  return { x: x / one, y: y / one, width: width / one, height: height / one };
}

function onStage({ x, y, width, height }) {
  const one = unit();
  return [x, y, width, height].map((value) => Math.round(value * one));
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function refuse(name, why) {
  throw new Refusal(name, why);
}

class Refusal extends Error {
  constructor(name, why) {
    super(why);
    this.refusal = name;
  }
}

/** Runs other code in a program than its own. */
const INTRUDES = /^(NODE_OPTIONS|LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|ELECTRON_RUN_AS_NODE)=./;

/** Which process may ask: the program of the host, run by this user. */
class Doorkeeper {
  constructor(folder) {
    this._hosts = JSON.parse(textIn(`${folder}/hosts.json`));
  }

  lets(sender) {
    return this._look(sender).catch(() => false);
  }

  async _look(sender) {
    const call = ['org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'GetConnectionCredentials'];
    const answer = await asked(
      (done) => Gio.DBus.session.call(...call, new GLib.Variant('(s)', [sender]), null, 0, BUS_MS, null, done),
      (result) => Gio.DBus.session.call_finish(result),
    );
    const [found] = answer.deepUnpack();
    const [uid, pid] = [found.UnixUserID?.unpack(), found.ProcessID?.unpack()];
    if (uid !== new Gio.Credentials().get_unix_user() || !(pid > 1)) return false;
    if (fieldsOf(`/proc/${pid}/environ`).some((one) => INTRUDES.test(one))) return false;
    const [, script = ''] = fieldsOf(`/proc/${pid}/cmdline`);
    const [program, folder] = [`/proc/${pid}/exe`, GLib.file_read_link(`/proc/${pid}/cwd`)];
    const path = GLib.canonicalize_filename(script, folder);
    return this._hosts.some(
      (host) => isSameFile(program, host.program) && (host.script === null || isSameFile(path, host.script)),
    );
  }
}

function textIn(file) {
  const [, bytes] = GLib.file_get_contents(file);
  return new TextDecoder().decode(bytes);
}

const fieldsOf = (file) => textIn(file).split('\0');

/** Also by another path, or through links. */
function isSameFile(one, other) {
  const names = ['unix::device', 'unix::inode'];
  try {
    const [a, b] = [one, other].map((path) => {
      const info = Gio.File.new_for_path(path).query_info(names.join(','), Gio.FileQueryInfoFlags.NONE, null);
      return [info.get_attribute_uint32(names[0]), info.get_attribute_uint64(names[1])].join();
    });
    return a === b;
  } catch {
    return false;
  }
}

class ChaperoneDesktop {
  constructor(folder) {
    this._doorkeeper = new Doorkeeper(folder);
    this._clients = new Map();
    this._signals = [];
    this._drawn = new WeakSet();
    this._seat = Clutter.get_default_backend().get_default_seat();
    this._mouse = this._seat.create_virtual_device(Clutter.InputDeviceType.POINTER_DEVICE);
    this._keys = this._seat.create_virtual_device(Clutter.InputDeviceType.KEYBOARD_DEVICE);
    this._expected = null;
    this._writes = false;
    this._wakeKeyboard();
    this._listen();
    this._object = Gio.DBusExportedObject.wrapJSObject(XML, this);
    this._object.export(Gio.DBus.session, OBJECT_PATH);
  }

  close() {
    this._object.unexport();
    for (const client of [...this._clients.keys()]) this._leave(client);
    for (const [object, id] of this._signals) object.disconnect(id);
    this._cursor.untrack_position?.();
    this._signals = [];
  }

  OpenAsync(_, invocation) {
    this._answer(invocation, 's', () => JSON.stringify({ shell: SHELL_VERSION, protocol: PROTOCOL }), true);
  }

  WindowsAsync(_, invocation) {
    this._answer(invocation, 's', () => JSON.stringify(this._windows()));
  }

  DisplaysAsync(_, invocation) {
    this._answer(invocation, 's', () => JSON.stringify(displays()));
  }

  ActAsync([name, id, args], invocation) {
    this._answer(invocation, '', () => {
      const act = ACTS.get(name);
      if (act === undefined) refuse('unsupported', name);
      act(windowOf(id), JSON.parse(args));
    });
  }

  LayoutAsync(_, invocation) {
    this._answer(invocation, 's', () => getInputSourceManager().currentSource?.xkbId ?? 'us');
  }

  PointerAsync(_, invocation) {
    this._answer(invocation, 's', () => JSON.stringify(pointer()));
  }

  MoveAsync([x, y], invocation) {
    this._answer(invocation, '', () => {
      this._expected = { x, y };
      this._mouse.notify_absolute_motion(now(), x * unit(), y * unit());
    });
  }

  ButtonAsync([button, down], invocation) {
    this._answer(invocation, '', (client) => this._button(client, button, down));
  }

  ScrollAsync([direction], invocation) {
    this._answer(invocation, '', () =>
      this._mouse.notify_discrete_scroll(now(), direction, Clutter.ScrollSource.WHEEL),
    );
  }

  KeyAsync([keysym, down], invocation) {
    this._answer(invocation, '', (client) => this._key(client, keysym, down));
  }

  /** Gives text to the field that has the focus, as an input method does. False where none takes text so. */
  CommitAsync([text], invocation) {
    this._answer(invocation, 'b', async () => {
      await this._inputHasArrived();
      if ((Main.inputMethod.currentFocus ?? null) === null) return false;
      Main.inputMethod.commit(text);
      return true;
    });
  }

  PictureAsync([asked], invocation) {
    this._answer(invocation, 'ay', () => picture(JSON.parse(asked)));
  }

  TypesAsync(_, invocation) {
    this._answer(invocation, 's', () => JSON.stringify(global.display.get_selection().get_mimetypes(CLIPBOARD)));
  }

  ReadAsync([type], invocation) {
    this._answer(invocation, 'ay', async () => {
      const selection = global.display.get_selection();
      const stream = Gio.MemoryOutputStream.new_resizable();
      await asked(
        (done) => selection.transfer_async(CLIPBOARD, type, MAX_CLIPBOARD_BYTES, stream, null, done),
        (result) => selection.transfer_finish(result),
      );
      return bytesIn(stream);
    });
  }

  /** One type only: scripts of the shell cannot offer several. */
  WriteAsync([type, bytes], invocation) {
    this._answer(invocation, '', () => {
      const selection = global.display.get_selection();
      this._own = Meta.SelectionSourceMemory.new(type === '' ? 'text/plain' : type, new GLib.Bytes(bytes));
      this._writes = true;
      selection.set_owner(CLIPBOARD, this._own);
      if (type === '') selection.unset_owner(CLIPBOARD, this._own);
      this._writes = false;
    });
  }

  /** Runs `act` for a process that may ask, and answers with what it gives. It is told of changes from its first call, `Open`, on. */
  async _answer(invocation, signature, act, opens = false) {
    const sender = invocation.get_sender();
    try {
      // Names of the bus are never given twice, and a process that runs another program has closed its connection.
      if (!this._clients.has(sender) && !(await this._doorkeeper.lets(sender)))
        refuse('permission', 'not the host of Chaperone');
      if (opens) this._enter(sender);
      const client = this._clients.get(sender) ?? refuse('closed', 'not opened');
      const result = await act(client);
      invocation.return_value(new GLib.Variant(`(${signature})`, signature === '' ? [] : [result]));
    } catch (error) {
      invocation.return_dbus_error(`dev.chaperone.Error.${error.refusal ?? 'failed'}`, String(error.message));
    }
  }

  _enter(sender) {
    if (this._clients.has(sender)) return;
    const watch = Gio.bus_watch_name_on_connection(Gio.DBus.session, sender, 0, null, () => this._leave(sender));
    this._clients.set(sender, { watch, keys: new Set(), buttons: new Set() });
  }

  /** What it held goes up: a process that has ended cannot do that any more. */
  _leave(sender) {
    const client = this._clients.get(sender);
    if (client === undefined) return;
    this._clients.delete(sender);
    Gio.bus_unwatch_name(client.watch);
    for (const button of [...client.buttons]) this._button(client, button, false);
    for (const keysym of [...client.keys]) this._key(client, keysym, false);
  }

  _button(client, button, down) {
    if (down) client.buttons.add(button);
    else client.buttons.delete(button);
    const { PRESSED, RELEASED } = Clutter.ButtonState;
    this._mouse.notify_button(now(), button, down ? PRESSED : RELEASED);
  }

  _key(client, keysym, down) {
    if (down) client.keys.add(keysym);
    else client.keys.delete(keysym);
    const { PRESSED, RELEASED } = Clutter.KeyState;
    this._keys.notify_keyval(now(), keysym, down ? PRESSED : RELEASED);
  }

  /** Keys go through a thread of the shell, and text goes nowhere before it has read what the field answered to the text before. */
  _inputHasArrived() {
    return new Promise((resolve) =>
      GLib.timeout_add(GLib.PRIORITY_LOW, INPUT_ARRIVES_MS, () => {
        resolve();
        return GLib.SOURCE_REMOVE;
      }),
    );
  }

  _windows() {
    const active = global.workspace_manager.get_active_workspace();
    const actors = global.get_window_actors();
    const drawn = actors.filter((actor) => actor.meta_window !== null && this._isThere(actor, active));
    // Their actors are put into that order a frame later.
    const windows = global.display.sort_windows_by_stacking(drawn.map((actor) => actor.meta_window));
    const own = new Gio.Credentials().get_unix_pid();
    // The shell has a window of XWayland off the screen.
    const others = windows.filter((window) => !(window.get_pid() === own && window.is_override_redirect()));
    return [...others.map((window) => describe(window, active)), ...chrome(own)];
  }

  /** One that has not been drawn yet is not there for anybody; one that is shown again is drawn a moment later. */
  _isThere(actor, active) {
    const window = actor.meta_window;
    if (actor.visible || window.minimized || !window.located_on_workspace(active)) this._drawn.add(window);
    return this._drawn.has(window);
  }

  _on(object, name, listener) {
    this._signals.push([object, object.connect(name, listener)]);
  }

  /** Without a keyboard no window gets the focus; a device made here counts as one once it has sent a key, which nobody gets. */
  _wakeKeyboard() {
    const hasKeyboard = this._seat
      .list_devices()
      .some((device) => device.get_device_type() === Clutter.InputDeviceType.KEYBOARD_DEVICE);
    if (hasKeyboard) return;
    for (const state of [Clutter.KeyState.PRESSED, Clutter.KeyState.RELEASED])
      this._keys.notify_keyval(now(), Clutter.KEY_Shift_L, state);
  }

  _listen() {
    const { display, workspace_manager: workspaces } = global;
    const changed = () => this._tell('Changed');
    const follow = (window) => {
      for (const name of ['size-changed', 'position-changed', 'unmanaged', 'notify::title', 'notify::minimized'])
        window.connect(name, changed);
    };
    for (const actor of global.get_window_actors()) follow(actor.meta_window);
    this._on(display, 'window-created', (_, window) => {
      follow(window);
      changed();
    });
    for (const name of ['restacked', 'notify::focus-window', 'workareas-changed']) this._on(display, name, changed);
    this._on(workspaces, 'active-workspace-changed', changed);
    this._on(Main.layoutManager, 'monitors-changed', changed);
    this._on(display.get_selection(), 'owner-changed', (_, type, source) => {
      if (type !== CLIPBOARD || this._writes) return;
      if (source !== this._own) this._tell('Copied');
    });
    this._cursor = Meta.CursorTracker.get_for_display(display);
    this._cursor.track_position?.();
    this._on(this._cursor, 'position-invalidated', () => this._moved());
  }

  /** A move to another place than the one that the host asked for is the person's, or another program's. */
  _moved() {
    const [x, y] = pointer();
    const { _expected: own } = this;
    if (own !== null && Math.abs(own.x - x) < 2 && Math.abs(own.y - y) < 2) return;
    this._expected = null;
    this._tell('Person', new GLib.Variant('(ii)', [x, y]));
  }

  _tell(name, value = null) {
    for (const client of this._clients.keys())
      Gio.DBus.session.emit_signal(client, OBJECT_PATH, INTERFACE, name, value);
  }
}

function pointer() {
  const [x, y] = global.get_pointer();
  return [Math.floor(x / unit()), Math.floor(y / unit())];
}

const now = () => GLib.get_monotonic_time();

function windowOf(id) {
  const actor = global.get_window_actors().find(({ meta_window: window }) => window?.get_id() === id);
  return actor?.meta_window ?? refuse('not_found', 'no such window');
}

function describe(window, active) {
  const type = window.get_window_type();
  return {
    id: window.get_id(),
    pid: window.get_pid(),
    title: window.get_title() ?? '',
    wmClass: window.get_wm_class() ?? '',
    instance: window.get_wm_class_instance() ?? '',
    application: window.get_gtk_application_id() ?? window.get_sandboxed_app_id() ?? '',
    frame: rectOf(window.get_frame_rect()),
    surface: rectOf(window.get_buffer_rect()),
    room: rectOf(window.get_work_area_current_monitor()),
    focused: window.has_focus() && !window.minimized,
    minimized: window.minimized,
    maximized: window.get_maximized() === BOTH_WAYS,
    fullscreen: window.is_fullscreen(),
    here: window.located_on_workspace(active),
    isX: window.get_client_type() === Meta.WindowClientType.X11,
    normal: [NORMAL, DIALOG, MODAL].includes(type) && !window.is_override_redirect(),
    modal: type === MODAL,
    above: window.is_above(),
    kind: KINDS.find(([, value]) => value === type)?.[0] ?? '',
    resizable: window.allows_resize(),
    movable: window.allows_move(),
    minimizable: window.can_minimize(),
    closable: window.can_close(),
  };
}

/** The shell's own bars, menus and dialogs, which are over all windows; no window shows them. */
function chrome(pid) {
  const all = rectOf({ x: 0, y: 0, width: global.stage.width, height: global.stage.height });
  const isModal = Main.modalCount > 0 || Main.overview.visible;
  const actors = (Main.layoutManager._trackedActors ?? []).map(({ actor }) => actor);
  const areas = actors
    .flatMap(takingInput)
    .map((actor) => actor.get_transformed_extents())
    .map(({ origin, size }) => rectOf({ x: origin.x, y: origin.y, width: size.width, height: size.height }))
    .filter(({ width, height }) => width > 0 && height > 0);
  const frames = isModal
    ? [all]
    : areas.filter((one, index) => areas.findIndex((other) => isSame(one, other)) === index);
  return frames.map((frame, index) => ({ ...SHELL, id: index + 1, pid, frame, surface: frame, focused: isModal }));
}

/** The parts that a click does not go through. */
function takingInput(actor) {
  if (!actor.mapped || actor.get_paint_opacity() === 0) return [];
  return actor.reactive ? [actor] : actor.get_children().flatMap(takingInput);
}

const SHELL = {
  ...{ title: 'GNOME Shell', wmClass: 'gnome-shell', instance: 'gnome-shell', application: '', kind: 'SHELL' },
  ...{ minimized: false, maximized: false, fullscreen: false, here: true, isX: false, normal: false, modal: false },
  ...{ above: true, resizable: false, movable: false, minimizable: false, closable: false },
};

function displays() {
  const { monitors, primaryIndex } = Main.layoutManager;
  return monitors.map((monitor, index) => ({
    id: String(index),
    frame: rectOf(monitor),
    scale: global.display.get_monitor_scale(index),
    main: index === primaryIndex,
  }));
}

const ACTS = new Map([
  ['focus', (window) => Main.activateWindow(window)],
  [
    'frame',
    (window, frame) => {
      if (window.get_maximized() !== 0) window.unmaximize(BOTH_WAYS);
      window.move_resize_frame(true, ...onStage(frame));
    },
  ],
  ['minimize', (window) => window.minimize()],
  ['unminimize', (window) => window.unminimize()],
  ['maximize', (window) => window.maximize(BOTH_WAYS)],
  ['unmaximize', (window) => window.unmaximize(BOTH_WAYS)],
  ['close', (window) => window.delete(global.get_current_time())],
]);

function bytesIn(stream) {
  stream.close(null);
  return stream.steal_as_bytes().toArray();
}

/** A PNG of an area of the screen, or of a window without what covers it. */
async function picture({ area, window: id }) {
  const stream = Gio.MemoryOutputStream.new_resizable();
  if (id !== undefined) {
    await windowPicture(windowOf(id), stream);
    return bytesIn(stream);
  }
  const shot = new Shell.Screenshot();
  await asked(
    (done) => shot.screenshot_area(...onStage(area), stream, done),
    (result) => shot.screenshot_area_finish(result),
  );
  return bytesIn(stream);
}

async function windowPicture(window, stream) {
  const actor = window.get_compositor_private() ?? refuse('not_found', 'no such window');
  const texture = actor.paint_to_content(null)?.get_texture() ?? refuse('failed', 'nothing is painted');
  const [frame, surface] = [window.get_frame_rect(), window.get_buffer_rect()];
  const scale = texture.get_width() / surface.width;
  const area = [frame.x - surface.x, frame.y - surface.y, frame.width, frame.height].map((one) =>
    Math.round(one * scale),
  );
  await asked(
    (done) => Shell.Screenshot.composite_to_stream(texture, ...area, scale, null, 0, 0, 1, stream, done),
    (result) => Shell.Screenshot.composite_to_stream_finish(result),
  );
}
