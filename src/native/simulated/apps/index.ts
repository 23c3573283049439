/** The applications a simulated desktop starts with, bottom window first. Each call of one makes a fresh one. */
import type { AppSpec, AppControls, ElementSpec } from '../model.js';

/** A message being written, and an account with a password. */
function mail(): AppSpec {
  return {
    id: 'simulated.mail',
    name: 'Mail',
    executable: '/simulated/bin/mail',
    windows: [
      {
        title: 'Account',
        frame: { x: 920, y: 560, width: 380, height: 220 },
        focus: 'account-user',
        elements: accountElements(),
      },
      {
        title: 'New Message',
        frame: { x: 60, y: 70, width: 560, height: 470 },
        focus: 'to',
        elements: messageElements(),
      },
    ],
  };
}

function accountElements(): ElementSpec[] {
  return [
    { role: 'AXStaticText', title: 'User name', frame: { x: 20, y: 16, width: 90, height: 28 } },
    {
      role: 'AXTextField',
      title: 'User name',
      identifier: 'account-user',
      value: 'ada',
      frame: { x: 116, y: 16, width: 244, height: 28 },
    },
    { role: 'AXStaticText', title: 'Password', frame: { x: 20, y: 54, width: 90, height: 28 } },
    {
      role: 'AXTextField',
      title: 'Password',
      identifier: 'account-password',
      value: 'correct horse',
      secure: true,
      frame: { x: 116, y: 54, width: 244, height: 28 },
    },
    {
      role: 'AXCheckBox',
      title: 'Keep me signed in',
      identifier: 'account-keep',
      checked: true,
      frame: { x: 116, y: 94, width: 220, height: 24 },
    },
    {
      role: 'AXButton',
      title: 'Sign in',
      identifier: 'account-sign-in',
      isDefault: true,
      frame: { x: 252, y: 142, width: 108, height: 30 },
    },
  ];
}

function messageElements(): ElementSpec[] {
  return [
    { role: 'AXStaticText', title: 'To', frame: { x: 20, y: 16, width: 70, height: 28 } },
    { role: 'AXTextField', title: 'To', identifier: 'to', frame: { x: 96, y: 16, width: 444, height: 28 } },
    { role: 'AXStaticText', title: 'Subject', frame: { x: 20, y: 54, width: 70, height: 28 } },
    {
      role: 'AXTextField',
      title: 'Subject',
      identifier: 'subject',
      frame: { x: 96, y: 54, width: 444, height: 28 },
    },
    { role: 'AXTextArea', title: 'Body', identifier: 'body', frame: { x: 20, y: 96, width: 520, height: 272 } },
    {
      role: 'AXCheckBox',
      title: 'Sender gets a copy',
      identifier: 'copy',
      frame: { x: 20, y: 388, width: 170, height: 24 },
    },
    { role: 'AXStaticText', title: '', identifier: 'status', frame: { x: 200, y: 386, width: 220, height: 28 } },
    {
      role: 'AXButton',
      title: 'Send',
      identifier: 'send',
      isDefault: true,
      frame: { x: 432, y: 384, width: 108, height: 32 },
      onPress: (app) => {
        const to = app.value('to').trim();
        app.setTitle('status', to === '' ? 'Who is it for?' : `Sent to ${to}`);
      },
    },
  ];
}

export function defaultApps(): (() => AppSpec)[] {
  return [terminal, calculator, notes, mail];
}

/** One page of plain text. */
function notes(): AppSpec {
  return {
    id: 'simulated.notes',
    name: 'Notes',
    executable: '/simulated/bin/notes',
    windows: [
      {
        title: 'Shopping',
        frame: { x: 660, y: 90, width: 420, height: 320 },
        focus: 'note',
        elements: [
          {
            role: 'AXButton',
            title: 'Undo',
            identifier: 'undo',
            enabled: false,
            frame: { x: 16, y: 10, width: 84, height: 28 },
          },
          {
            role: 'AXCheckBox',
            title: 'Locked',
            identifier: 'locked',
            frame: { x: 116, y: 12, width: 120, height: 24 },
          },
          {
            role: 'AXTextArea',
            title: 'Note',
            identifier: 'note',
            value: 'Milk\nBread\nA birthday card for Grace',
            frame: { x: 16, y: 48, width: 388, height: 228 },
          },
        ],
      },
    ],
  };
}

const PROMPT = '$ ';

/** A shell with three commands: what is typed runs at enter, as in a real one. */
function terminal(): AppSpec {
  return {
    id: 'simulated.terminal',
    name: 'Terminal',
    executable: '/simulated/bin/terminal',
    windows: [
      {
        title: 'Terminal',
        frame: { x: 120, y: 580, width: 560, height: 260 },
        focus: 'shell',
        elements: [
          {
            role: 'AXTextArea',
            title: 'Shell',
            identifier: 'shell',
            value: PROMPT,
            frame: { x: 8, y: 8, width: 544, height: 216 },
            onEnter: run,
          },
        ],
      },
    ],
  };
}

function run(app: AppControls): void {
  const screen = app.value('shell');
  const line = screen.slice(screen.lastIndexOf('\n') + 1);
  const command = line.startsWith(PROMPT) ? line.slice(PROMPT.length).trim() : line.trim();
  const [name = '', ...words] = command.split(/\s+/);
  if (name === 'clear') return app.setValue('shell', PROMPT);
  app.setValue('shell', `${screen}\n${output(name, words)}${PROMPT}`);
}

function output(name: string, words: string[]): string {
  if (name === '') return '';
  if (name === 'echo') return `${words.join(' ')}\n`;
  if (name === 'whoami') return 'ada\n';
  return `${name}: command not found\n`;
}

const ROWS = ['C±%÷', '789×', '456−', '123+', '0.='];
/** Keys of the keyboard for the buttons that have another sign. */
const KEYS = new Map([
  ['*', '×'],
  ['/', '÷'],
  ['-', '−'],
  ['enter', '='],
  ['kpenter', '='],
  ['escape', 'C'],
]);

interface Sum {
  left: number | null;
  operator: string | null;
  /** The next digit starts a new number. */
  fresh: boolean;
}

/** Adds, subtracts, multiplies and divides, by buttons and by keys. */
function calculator(): AppSpec {
  const sum: Sum = { left: null, operator: null, fresh: true };
  const buttons = ROWS.flatMap((row, y) => Array.from(row, (sign, x) => button(sum, sign, x, y, row.length)));
  return {
    id: 'simulated.calculator',
    name: 'Calculator',
    executable: '/simulated/bin/calculator',
    windows: [
      {
        title: 'Calculator',
        frame: { x: 1140, y: 90, width: 260, height: 340 },
        onKey: (typed, app) => {
          const sign = KEYS.get(typed) ?? typed;
          if (!ROWS.join('').includes(sign) || [...sign].length !== 1) return false;
          press(sum, sign, app);
          return true;
        },
        elements: [
          { role: 'AXStaticText', identifier: 'display', value: '0', frame: { x: 20, y: 12, width: 220, height: 36 } },
          { role: 'AXGroup', title: 'Keys', frame: { x: 12, y: 56, width: 236, height: 246 }, children: buttons },
        ],
      },
    ],
  };
}

function button(sum: Sum, sign: string, column: number, row: number, columns: number): ElementSpec {
  const wide = columns < 4 && column === 0;
  const shift = columns < 4 && column > 0 ? 1 : 0;
  const frame = { x: 20 + (column + shift) * 56, y: 62 + row * 48, width: wide ? 108 : 52, height: 42 };
  const onPress = (app: AppControls): void => press(sum, sign, app);
  return { role: 'AXButton', title: sign, identifier: `key-${sign}`, frame, onPress };
}

function press(sum: Sum, sign: string, app: AppControls): void {
  const shown = app.value('display');
  const show = (value: string): void => app.setValue('display', value);
  if (sign === 'C') {
    Object.assign(sum, { left: null, operator: null, fresh: true });
    show('0');
  } else if (/[0-9.]/.test(sign)) {
    if (sign === '.' && shown.includes('.') && !sum.fresh) return;
    show(sum.fresh || shown === '0' ? (sign === '.' ? '0.' : sign) : shown + sign);
    sum.fresh = false;
  } else if (sign === '±') show(written(-Number(shown)));
  else if (sign === '%') show(written(Number(shown) / 100));
  else operate(sum, sign, shown, show);
}

function operate(sum: Sum, sign: string, shown: string, show: (value: string) => void): void {
  if (sum.operator !== null && sum.left !== null && !sum.fresh) {
    show(written(apply(sum.left, sum.operator, Number(shown))));
    sum.left = apply(sum.left, sum.operator, Number(shown));
  } else sum.left = Number(shown);
  sum.operator = sign === '=' ? null : sign;
  sum.fresh = true;
}

function apply(left: number, operator: string, right: number): number {
  if (operator === '+') return left + right;
  if (operator === '−') return left - right;
  return operator === '×' ? left * right : left / right;
}

function written(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(12))) : 'Error';
}
