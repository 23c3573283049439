/** The self-test's own program on the accessibility bus: a window with one button, told as toolkits tell theirs. Comes in: where they are. Goes out: presses. */
import { createClient, type InterfaceDescriptor, type MessageBus } from 'dbus-native';
import type { Rect } from '../../desktop.js';
import { BUTTON_NAME, marksOf, type TestObjects } from '../self-test/window.js';
import { ROLE, STATE, withState, type StateSet } from './accessible-object.js';
import { accessibilityAddress } from './bus.js';

const PREFIX = 'org.a11y.atspi.';
const ROOT = '/org/a11y/atspi/accessible/root';
const NULL = '/org/a11y/atspi/null';
const REF = '(so)';
const TIMEOUT_MS = 5000;
const EMPTY: Rect = { x: 0, y: 0, width: 0, height: 0 };

interface Shown {
  title: string;
  /** On the screen, or from the window's own corner where programs do not know where that is. */
  frame(): Promise<Rect>;
}

interface Spec {
  path: string;
  parent: string;
  children: readonly string[];
  name: string;
  role: number;
  states: readonly number[];
  frame?: () => Promise<Rect>;
  press?: () => void;
}

/** `sessionAddress`: of the session bus. */
export async function openTestObjects(sessionAddress: string, shown: Shown): Promise<TestObjects> {
  const bus = createClient({ busAddress: await accessibilityAddress(sessionAddress), timeout: TIMEOUT_MS });
  let presses = 0;
  try {
    await bus.invokeDbus({ member: 'GetId' });
    for (const spec of specsOf(shown, () => void (presses += 1))) exportObject(bus, spec);
    const registry = { destination: 'org.a11y.atspi.Registry', path: ROOT, interface: `${PREFIX}Socket` };
    await bus.invoke({ ...registry, member: 'Embed', signature: REF, body: [[bus.name, ROOT]] });
  } catch (error) {
    await bus.close();
    throw error;
  }
  return { presses: () => presses, close: () => bus.close() };
}

/** An application, its window, and the button in it. */
function specsOf({ title, frame }: Shown, press: () => void): readonly Spec[] {
  const [window, button] = ['/org/a11y/atspi/accessible/1', '/org/a11y/atspi/accessible/2'];
  const states = [STATE.enabled, STATE.sensitive, STATE.showing, STATE.visible];
  const place = async (): Promise<Rect> => {
    const { x, y, width, height } = await frame();
    const within = marksOf({ width, height }).find(({ name }) => name === 'button')?.place ?? EMPTY;
    return { ...within, x: x + within.x, y: y + within.y };
  };
  const shown = { states: [...states, STATE.active], frame };
  const pressed = { states: [...states, STATE.focusable], frame: place, press };
  return [
    { path: ROOT, parent: NULL, children: [window], name: title, role: ROLE.application, states: [] },
    { path: window, parent: ROOT, children: [button], name: title, role: ROLE.frame, ...shown },
    { path: button, parent: window, children: [], name: BUTTON_NAME, role: ROLE.pushButton, ...pressed },
  ];
}

type Methods = Readonly<
  Record<string, readonly [given: string, gives: string, answer: (...given: never[]) => unknown]>
>;
type Values = Readonly<Record<string, readonly [type: string, value: unknown]>>;

function exportObject(bus: MessageBus, spec: Spec): void {
  const { path, role, frame, press } = spec;
  const put = (kind: string, methods: Methods, values: Values = {}): void =>
    bus.exportInterface(...exported(path, `${PREFIX}${kind}`, methods, values));
  const ref = (of: string): [string, string] => [of === NULL ? '' : (bus.name ?? ''), of];
  put('Accessible', accessibleMethods(spec, ref), accessibleValues(spec, ref));
  if (role === ROLE.application)
    put('Application', {}, { ToolkitName: ['s', 'Chaperone'], Version: ['s', '1.0'], Id: ['i', 0] });
  if (frame !== undefined) put('Component', { GetExtents: ['u', '(iiii)', async () => extentsOf(await frame())] });
  if (press === undefined) return;
  const actions: Methods = {
    GetActions: ['', 'a(sss)', () => [['press', '', '']]],
    GetName: ['i', 's', () => 'press'],
    DoAction: ['i', 'b', () => (press(), true)],
  };
  put('Action', actions, { NActions: ['i', 1] });
}

type RefOf = (path: string) => [string, string];

const accessibleMethods = (spec: Spec, ref: RefOf): Methods => ({
  GetRole: ['', 'u', () => spec.role],
  GetState: ['', 'au', () => [...statesOf(spec)]],
  GetChildren: ['', `a${REF}`, () => spec.children.map(ref)],
  GetChildAtIndex: ['i', REF, (index: number) => ref(spec.children[index] ?? NULL)],
  GetIndexInParent: ['', 'i', () => (spec.parent === NULL ? -1 : 0)],
  GetInterfaces: ['', 'as', () => interfacesOf(spec).map((one) => PREFIX + one)],
  GetAttributes: ['', 'a{ss}', () => []],
  GetRelationSet: ['', 'a(ua(so))', () => []],
  GetApplication: ['', REF, () => ref(ROOT)],
});

const accessibleValues = ({ name, parent, children }: Spec, ref: RefOf): Values => ({
  Name: ['s', name],
  Description: ['s', ''],
  Parent: [REF, ref(parent)],
  ChildCount: ['i', children.length],
  Locale: ['s', 'en'],
  AccessibleId: ['s', ''],
});

const interfacesOf = ({ role, frame, press }: Spec): string[] => [
  'Accessible',
  ...(role === ROLE.application ? ['Application'] : []),
  ...(frame === undefined ? [] : ['Component']),
  ...(press === undefined ? [] : ['Action']),
];

const statesOf = ({ states }: Spec): StateSet => states.reduce<StateSet>(withState, [0, 0]);

const extentsOf = ({ x, y, width, height }: Rect): number[] => [x, y, width, height].map(Math.round);

/** As the library takes an interface: what it has, and an object that does it. */
function exported(path: string, name: string, methods: Methods, values: Values) {
  const told = Object.entries(methods).map(([method, [given, gives]]) => [method, [given, gives]]);
  const properties = Object.entries(values).map(([property, [type]]) => [property, type]);
  const answers = Object.entries(methods).map(([method, [, , answer]]) => [method, answer]);
  const description: InterfaceDescriptor = {
    name,
    methods: Object.fromEntries(told),
    properties: Object.fromEntries(properties),
    signals: {},
  };
  const known = Object.entries(values).map(([property, [, value]]) => [property, value]);
  return [Object.fromEntries([...answers, ...known]), path, description] as const;
}
