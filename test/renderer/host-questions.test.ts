import { describe, expect, test } from 'vitest';
import { createHostQuestions, type NoAnswer } from '../../src/renderer/net/host-questions.js';
import { idOf } from '../support/record-samples.js';
import { verbatim } from '../../src/messages/index.js';

function open(connected = true) {
  const sent: { type: string; request: string }[] = [];
  const questions = createHostQuestions((question) => {
    if (connected) sent.push(question as { type: string; request: string });
    return connected;
  });
  return { ...questions, sent, request: (index: number) => sent[index]?.request ?? '' };
}

const failure = (promise: Promise<unknown>): Promise<NoAnswer> => promise.then(() => Promise.reject(new Error('answered')), (thrown: NoAnswer) => thrown); // prettier-ignore
const executionIds = [idOf(1)];

describe('a question', () => {
  test('is answered by the message with its request, whatever comes in between', async () => {
    const { ask, take, sent, request } = open();
    const first = ask('thumbnails', { executionIds });
    const second = ask('thumbnails', { executionIds });
    expect(sent).toEqual([0, 1].map((index) => ({ type: 'thumbnails', executionIds, request: request(index) })));
    expect(request(0)).not.toBe(request(1));
    expect(
      take({ type: 'activityPage', request: idOf(9), rows: [], next: null, total: 0, damaged: 0, agents: [] }),
    ).toBe(true);
    expect(take({ type: 'grants', grants: [] })).toBe(false);
    expect(take({ type: 'thumbnails', request: request(1), pictures: [] })).toBe(true);
    expect(await second).toMatchObject({ request: request(1), pictures: [] });
    take({ type: 'error', code: 'too_many', message: verbatim('Later.'), about: request(0) });
    expect(await failure(first)).toMatchObject({ code: 'too_many', message: 'Later.' });
  });

  test('that is answered with something else is not answered', async () => {
    const { ask, take, request } = open();
    const asked = ask('thumbnails', { executionIds });
    take({ type: 'earlier', request: request(0), events: [], since: 0 });
    expect(await failure(asked)).toMatchObject({ code: 'mismatch' });
  });

  test('is given up when there is no connection, or it goes; nothing is asked later', async () => {
    expect(await failure(open(false).ask('evidence', { executionId: idOf(1) }))).toMatchObject({ code: 'lost' });
    const { ask, take, rejectAll, sent, request } = open();
    const asked = ask('evidence', { executionId: idOf(1) });
    rejectAll();
    expect(await failure(asked)).toMatchObject({ code: 'lost' });
    expect(sent).toHaveLength(1);
    expect(take({ type: 'error', code: 'failed', message: verbatim('Late.'), about: request(0) })).toBe(false);
  });

  test('leaves complaints about anything else alone', () => {
    const { take } = open();
    expect(take({ type: 'error', code: 'too_soon', message: verbatim('Wait.'), about: idOf(1) })).toBe(false);
    expect(take({ type: 'error', code: 'unpaired', message: verbatim('Gone.') })).toBe(false);
  });
});
