import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQuestionForms } from '../../src/main/mcp/questions.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const QUESTION = { callId: '1', text: 'Which?', quickReplies: [] };
const onError = (error: Error): never => {
  throw error;
};

/** Forms that nobody answers: those shown now. */
function open() {
  const forms = createQuestionForms(onError, 1_000);
  const shown = new Set<number>();
  let count = 0;
  const ask = (signal: AbortSignal): Promise<boolean> => {
    const number = ++count;
    shown.add(number);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        shown.delete(number);
        reject(new Error('closed'));
      });
    });
  };
  return { forms, show: (question = QUESTION) => forms.show(question, ask), shown: () => [...shown] };
}

test('a form that no wait is for any more is closed after a time, unless one comes again before [req:MR-8]', () => {
  const { forms, show, shown } = open();
  show();
  forms.waited(QUESTION, 'pending');
  vi.advanceTimersByTime(999);
  show();
  vi.advanceTimersByTime(5_000);
  expect(shown()).toEqual([1]);
  forms.waited(QUESTION, 'pending');
  vi.advanceTimersByTime(999);
  expect(shown()).toEqual([1]);
  vi.advanceTimersByTime(1);
  expect(shown()).toEqual([]);
});

test('of two waits for one question, the end of one closes nothing but by an answer [req:MR-8]', () => {
  const { forms, show, shown } = open();
  show();
  show({ ...QUESTION, callId: '2' });
  forms.waited(QUESTION, 'given_up');
  expect(shown()).toEqual([1]);
  forms.waited(QUESTION, 'given_up');
  expect(shown()).toEqual([]);
  show();
  show({ ...QUESTION, callId: '2' });
  forms.settled({ callId: '2' });
  expect(shown()).toEqual([]);
});

test('different questions have forms of their own, and one asked anew after its end is shown anew [req:MR-8]', () => {
  const { forms, show, shown } = open();
  show();
  show({ ...QUESTION, text: 'And then?' });
  expect(shown()).toEqual([1, 2]);
  forms.settled({ text: QUESTION.text });
  show();
  expect(shown()).toEqual([2, 3]);
});

test('one that the client closed is not shown for that call again; a client that cannot show it is asked with the next wait [req:MR-9]', async () => {
  const errors: Error[] = [];
  const forms = createQuestionForms((error) => errors.push(error));
  const ask = vi.fn(async () => false);
  forms.show(QUESTION, ask);
  await vi.advanceTimersByTimeAsync(0);
  forms.show(QUESTION, ask);
  forms.show({ ...QUESTION, callId: '2' }, ask);
  expect(ask).toHaveBeenCalledTimes(2);
  const failing = vi.fn(async () => Promise.reject(new Error('no forms')));
  const other = { callId: '3', text: 'Else?', quickReplies: [] };
  forms.show(other, failing);
  await vi.advanceTimersByTimeAsync(0);
  forms.show(other, failing);
  expect(failing).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(0);
  expect(errors.map(({ message }) => message)).toEqual(['no forms', 'no forms']);
});
