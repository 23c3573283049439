import type { AppControls, AppSpec, ElementSpec } from '../model.js';

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
export function calculator(): AppSpec {
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
