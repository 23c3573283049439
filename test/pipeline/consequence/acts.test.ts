import { describe, expect, test } from 'vitest';
import type { ApprovalRequest, Decision } from '../../../src/main/approvals/request.js';
import { createCard } from '../../../src/main/approvals/card.js';
import { openSimulated } from '../../../src/native/simulated/index.js';
import type { ElementSpec } from '../../../src/native/simulated/model.js';
import { ALLOWED, createTestPipeline, DENIED, failure, pressed } from '../../support/pipeline.js';
import { formatEnglish } from '../../../src/messages/index.js';

const frame = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const at = (y: number, width = 200) => frame(20, y, width, 28);
const FIXED = {
  id: '11111111-1111-4111-8111-111111111111',
  createdAt: '2026-01-01T00:00:00Z',
  expiresAt: '2026-01-01T00:05:00Z',
  grants: [],
};
const notesOf = (request: ApprovalRequest | undefined) =>
  request === undefined ? [] : createCard({ ...request, picture: null }, FIXED).notes.map(formatEnglish);

/** The elements of one window in front, on a desktop of its own. */
function scene(
  elements: ElementSpec[],
  focus?: string,
  decide: (request: ApprovalRequest) => Decision = () => ALLOWED,
) {
  const desktop = openSimulated();
  const window = {
    title: 'Shop',
    frame: frame(700, 60, 400, 400),
    elements,
    ...(focus === undefined ? {} : { focus }),
  };
  desktop.world.addApp({ id: 'simulated.shop', name: 'Shop', executable: '/bin/shop', windows: [window] });
  let meanwhile = () => undefined as void;
  const pipeline = createTestPipeline(async (request) => {
    meanwhile();
    return decide(request);
  }, desktop);
  return { ...pipeline, desktop, during: (work: () => void) => void (meanwhile = work) };
}

const button = (title: string, y = 200): ElementSpec => ({
  role: 'AXButton',
  title,
  identifier: `b${y}`,
  frame: at(y),
});
const field = (title: string, y: number, more: Partial<ElementSpec> = {}): ElementSpec => ({
  role: 'AXTextField',
  title,
  identifier: `f${y}`,
  frame: at(y),
  ...more,
});
const heading = (title: string): ElementSpec => ({ role: 'AXHeading', title, identifier: 'head', frame: at(40) });
const words = (value: string, y: number): ElementSpec => ({
  role: 'AXStaticText',
  title: '',
  value,
  identifier: `t${y}`,
  frame: at(y),
});
const press = async (pipeline: ReturnType<typeof scene>, identifier = 'b200') =>
  pipeline.run('click_element', { element_id: await pipeline.refer(identifier) });
const effects = ({ asked }: ReturnType<typeof scene>) => asked.map(({ action }) => action.effect);
const key = (pipeline: ReturnType<typeof scene>, name: string, modifiers: string[] = []) =>
  pipeline.run('press_key', { key: name, modifiers, application: 'simulated.shop' });

describe.concurrent('an act with consequences', () => {
  test('[req:AC-3] [req:AC-4] is dangerous, and its card tells what goes where', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    await pipeline.run('write_element_value', { element_id: await pipeline.refer('to'), value: 'bob@example.org' });
    await pipeline.run('click_element', { element_id: await pipeline.refer('send') });
    expect(pipeline.asked.map(({ action }) => action.effect)).toEqual(['input', 'dangerous']);
    expect(notesOf(pipeline.asked[1])).toEqual([
      'This may be irreversible or reach other people.',
      'This window shows:',
      '“To”: “bob@example.org”',
      '“Subject”: “”',
      '“Body”: “”',
    ]);
    expect(pressed(pipeline.world.journal())).toEqual(['send']);
  });

  test('[req:AC-5] is not done when the recipient changed after the card', async () => {
    const pipeline = scene([field('To', 40, { value: 'bob' }), button('Send')]);
    pipeline.during(() => pipeline.world.change(pipeline.world.find('f40') ?? '', { value: 'eve' }));
    const error = await failure(press(pipeline));
    expect(error).toMatchObject({
      code: 'DESKTOP_TARGET_CHANGED',
      details: { reason: 'content_changed', approved: ['“To”: “bob”'], now: ['“To”: “eve”'] },
    });
    expect(pressed(pipeline.world.journal())).toEqual([]);
  });

  test('[req:AC-5] is not done when it had none while the person was asked', async () => {
    const pipeline = scene([button('Next'), field('Code', 40)]);
    pipeline.during(() => pipeline.world.setSecure(pipeline.world.find('f40') ?? '', true));
    const error = await failure(press(pipeline));
    expect(error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED', details: { reason: 'consequence' } });
    expect(pressed(pipeline.world.journal())).toEqual([]);
  });

  test.each([
    ['no', DENIED, []],
    ['yes', ALLOWED, ['b200']],
  ] as const)('[req:AC-5] is asked about where it had none when the policy allowed it: %s', async (_, answer, done) => {
    const decide = ({ action }: ApprovalRequest): Decision =>
      action.effect === 'dangerous' ? answer : { ...ALLOWED, by: 'policy' };
    const pipeline = scene([button('Next'), field('Code', 40)], undefined, decide);
    pipeline.during(() => pipeline.world.setSecure(pipeline.world.find('f40') ?? '', true));
    await press(pipeline).catch(() => undefined);
    expect(effects(pipeline)).toEqual(['input', 'dangerous']);
    expect(pressed(pipeline.world.journal())).toEqual(done);
  });

  test('[req:AC-5] is not done where it is about something else each time the policy has allowed it', async () => {
    const to = field('To', 40, { value: '0' });
    const pipeline = scene([to, button('Send')], undefined, () => ({ ...ALLOWED, by: 'policy' }));
    let changes = 0;
    pipeline.during(() => pipeline.world.change(pipeline.world.find('f40') ?? '', { value: String((changes += 1)) }));
    expect(await failure(press(pipeline))).toMatchObject({ details: { reason: 'content_changed' } });
    expect(changes).toBe(2);
    expect(pressed(pipeline.world.journal())).toEqual([]);
  });

  test('[req:AC-4] [req:AC-5] a payment tells its amount, and is not done once it is another', async () => {
    const pipeline = scene([words('Total', 40), words('49.90 €', 70), button('Pay')]);
    await press(pipeline);
    expect(notesOf(pipeline.asked[0])).toContain('“Total”: “49.90 €”');
    pipeline.during(() => pipeline.world.change(pipeline.world.find('t70') ?? '', { value: '499.00 €' }));
    expect(await failure(press(pipeline))).toMatchObject({ details: { reason: 'content_changed' } });
    expect(pressed(pipeline.world.journal())).toEqual(['b200']);
  });

  test('[req:AC-6] a payment whose amount cannot be read is asked about each time, with what could be read, and not done once an amount shows', async () => {
    const pipeline = scene([field('Plan', 40, { value: 'Yearly' }), words('Thank you', 80), button('Subscribe')]);
    for (const index of [0, 1]) {
      await press(pipeline);
      expect(pipeline.asked[index]).toMatchObject({ alwaysAsk: true, action: { effect: 'dangerous' } }); // prettier-ignore
      expect(notesOf(pipeline.asked[index])).toEqual(expect.arrayContaining(['“Plan”: “Yearly”', 'Chaperone can’t read how much this costs, so check the picture before you allow it.'])); // prettier-ignore
    }
    pipeline.during(() => pipeline.world.change(pipeline.world.find('t80') ?? '', { value: '499.00 €' }));
    expect(await failure(press(pipeline))).toMatchObject({ details: { reason: 'content_changed' } });
    expect(pressed(pipeline.world.journal())).toEqual(['b200', 'b200']);
  });

  test('[req:AC-2] any button of a form with a password or card field submits it; what they hold is not told', async () => {
    const login = scene([field('User', 40, { value: 'ada' }), field('Password', 80, { secure: true, value: 'hunter2' }), button('Continue')]); // prettier-ignore
    await press(login);
    expect(effects(login)).toEqual(['dangerous']);
    expect(notesOf(login.asked[0])).toContain('“User”: “ada”');
    const card = scene([field('Card number', 40, { value: '4111111111111111' }), button('Next')]);
    await press(card);
    expect(effects(card)).toEqual(['dangerous']);
    expect(notesOf(card.asked[0])).toContain('“Card number”: “••••••••••••••11”');
    expect(JSON.stringify(card.asked[0]?.plan?.consequence)).not.toContain('4111');
  });

  test('[req:AC-3] by keys: Enter and Ctrl+Enter in a field beside such a button, Enter or space on it, Alt with its letter', async () => {
    const form = [field('To', 40, { value: 'bob' }), field('Note', 80), button('Send')];
    const pipeline = scene(form, 'f40');
    await key(pipeline, 'enter');
    await key(pipeline, 'kpenter', ['ctrl']);
    await key(pipeline, 's', ['alt']);
    await pipeline.run('type_text', { text: 'x\n', application: 'simulated.shop' });
    expect(effects(pipeline)).toEqual(['dangerous', 'dangerous', 'dangerous', 'dangerous']);
    const focused = scene(form, 'b200');
    await key(focused, 'space');
    await focused.run('hold_key', { key: 'enter', duration: 0.1, application: 'simulated.shop' });
    expect(effects(focused)).toEqual(['dangerous', 'dangerous']);
  });

  test('[req:AC-3] at a point, with a button held, and at the end of a drag', async () => {
    const pipeline = scene([field('To', 40, { value: 'bob' }), button('Send'), { role: 'AXGroup', title: 'Trash', identifier: 'bin', frame: at(300) }]); // prettier-ignore
    const point = async (identifier: string) => {
      const { frame: box } = await pipeline.desktop.element(
        pipeline.world.find(identifier) ?? '',
        new AbortController().signal,
      );
      return { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 };
    };
    const [send, to, bin] = [await point('b200'), await point('f40'), await point('bin')];
    await pipeline.run('click', send);
    await pipeline.run('click', { ...send, button: 'right' });
    await pipeline.run('scroll', { ...send, delta_y: 1 });
    await pipeline.run('mouse_move', send);
    await pipeline.run('drag', { start_x: to.x, start_y: to.y, end_x: bin.x, end_y: bin.y });
    await pipeline.run('drag', { start_x: to.x, start_y: to.y, end_x: to.x + 9, end_y: to.y });
    expect(effects(pipeline)).toEqual(['dangerous', 'input', 'input', 'pointer', 'dangerous', 'input']);
    await pipeline.run('left_mouse_down', to);
    await pipeline.run('left_mouse_up', send);
    expect(effects(pipeline).slice(6)).toEqual(['input', 'dangerous']);
    // The card of the press told of it, so letting go there is no other act.
    await pipeline.run('left_mouse_down', send);
    await pipeline.run('left_mouse_up', send);
    expect(effects(pipeline).slice(8)).toEqual(['dangerous']);
  });

  test('[req:AC-3] in a plan, whose card tells what earlier steps will have written; another text stops it', async () => {
    const pipeline = scene([field('To', 40), button('Send')]);
    const write = { tool: 'write_element_value', arguments: { element_id: await pipeline.refer('f40'), value: 'bob' } };
    const send = { tool: 'click_element', arguments: { element_id: await pipeline.refer('b200') } };
    await pipeline.run('run_plan', { steps: [write, send] });
    expect(pipeline.asked[0]?.plan?.steps?.map(({ effect }) => effect)).toEqual(['input', 'dangerous']);
    expect(pipeline.asked[0]?.plan?.steps?.[1]?.plan?.consequence?.facts).toMatchObject([
      { label: 'To', value: 'bob' },
    ]);
    const stopped = failure(
      pipeline.run(
        'run_plan',
        { steps: [write, send] },
        {
          onProgress: (_state, message) => {
            if (message.startsWith('Step 2:'))
              pipeline.world.change(pipeline.world.find('f40') ?? '', { value: 'eve' });
          },
        },
      ),
    );
    expect(await stopped).toMatchObject({ details: { reason: 'content_changed', step: 2 } });
    expect(pressed(pipeline.world.journal())).toEqual(['b200']);
  });

  test('[req:AC-3] by a click on the icon inside a button; text that would go on to another element is refused', async () => {
    const icon: ElementSpec = { role: 'AXImage', identifier: 'icon', frame: at(0, 20) };
    const pipeline = scene([field('To', 40), { ...button('Reply to all'), children: [icon] }], 'f40');
    await pipeline.run('click_element', { element_id: await pipeline.refer('icon') });
    expect(effects(pipeline)).toEqual(['dangerous']);
    // The second key would press what the first one goes to.
    const typing = scene([field('To', 40), button('Reply to all')], 'f40');
    const left = typing.run('type_text', { text: 'bob\t ', application: 'simulated.shop' });
    await expect(left).rejects.toMatchObject({ details: { reason: 'leaves_field' } });
    await typing.run('type_text', { text: 'bob\t', application: 'simulated.shop' });
    expect(effects(typing)).toEqual(['input']);
  });

  test('[req:AC-3] by keys of which one moves the focus and a later one presses what has it then', async () => {
    for (const [text, effect] of [
      ['\t ', 'dangerous'],
      ['\t', 'input'],
    ] as const) {
      const pipeline = scene([field('To', 40), button('Delete')], 'f40');
      await pipeline.run('type_text', { text, modifiers: ['shift'], application: 'simulated.shop' });
      expect(effects(pipeline)).toEqual([effect]);
    }
  });

  test('[req:RC-1] [req:RC-2] a control without a name, and one whose name says nothing near a payment, are asked about each time', async () => {
    const pipeline = scene([heading('Checkout'), button('', 200), button('Continue', 240), button('Cancel', 280)]);
    for (const identifier of ['b200', 'b240', 'b280']) await press(pipeline, identifier);
    const codes = pipeline.asked.map(({ plan, alwaysAsk }) => [alwaysAsk, plan?.notes[0]?.code]);
    expect(codes).toEqual([
      [true, 'note.no_name'],
      [true, 'note.unknown_name'],
      [false, undefined],
    ]);
  });

  test('[req:RC-1] a picture for a name stands for its word, or is none; signs of arithmetic and directions are names', async () => {
    const names = ['🗑️', 'Move to 🗑', '📤', '☠', '✓', '\uf1f8', '×', '7', '−', '…', '→'];
    const pipeline = scene(names.map((name, index) => button(name, 100 + index * 20)));
    for (const index of names.keys()) await press(pipeline, `b${100 + index * 20}`);
    const seen = pipeline.asked.map(({ plan, alwaysAsk, action: { effect } }) => effect === 'dangerous' ? plan?.consequence?.kind : alwaysAsk); // prettier-ignore
    expect(seen).toEqual(['delete', 'delete', 'send', true, true, true, false, false, false, false, false]);
  });

  test('[req:RC-1] an arrow key that chooses among radio buttons does what any of them says', async () => {
    const radio = (title: string, y: number): ElementSpec => ({ role: 'AXRadioButton', title, identifier: `r${y}`, frame: at(y) });
    for (const [other, effect] of [['Pay 500 now', 'dangerous'], ['Weekly', 'input']] as const) {
      const pipeline = scene([radio('Monthly', 100), radio(other, 140)], 'r100');
      await key(pipeline, 'down');
      expect(effects(pipeline)).toEqual([effect]);
    }
  }); // prettier-ignore

  test('[req:RC-2] a control whose text inside differs from its name is judged by both', async () => {
    const named = (title: string, says: string, y: number): ElementSpec => ({ ...button(title, y), children: [words(says, 0)] });
    const pipeline = scene([heading('Checkout'), named('Back', 'Continue', 200), named('Show details', 'Pay 500 EUR', 240), named('Back', 'Cancel', 280)]);
    for (const identifier of ['b200', 'b240', 'b280']) await press(pipeline, identifier);
    const seen = pipeline.asked.map(({ plan, alwaysAsk, action }) => [action.effect, alwaysAsk, plan?.notes[0]?.params]);
    expect(seen).toEqual([['input', true, { name: 'Continue' }], ['dangerous', false, undefined], ['input', false, undefined]]);
  }); // prettier-ignore

  test('[req:RC-2] a page that is about a payment only at the act: it is not done', async () => {
    const pipeline = scene([heading('Welcome'), button('Continue')]);
    pipeline.during(() => pipeline.world.change(pipeline.world.find('head') ?? '', { title: 'Checkout' }));
    expect(await failure(press(pipeline))).toMatchObject({ details: { reason: 'consequence' } });
    expect(pressed(pipeline.world.journal())).toEqual([]);
  });

  test('a deletion tells what is beside it', async () => {
    const pipeline = scene([words('Invoice 42', 40), button('Delete')]);
    await press(pipeline);
    expect(notesOf(pipeline.asked[0])).toContain('“Invoice 42”');
  });
});

describe.concurrent('[req:AC-7] what has none stays what it was', () => {
  test('other buttons, fields and check boxes', async () => {
    const pipeline = scene([field('To', 40), button('Next'), { role: 'AXCheckBox', title: 'Show cookies', identifier: 'box', frame: at(240) }]); // prettier-ignore
    await press(pipeline);
    await press(pipeline, 'f40');
    await press(pipeline, 'box');
    expect(effects(pipeline)).toEqual(['input', 'input', 'input']);
    expect(notesOf(pipeline.asked[0])).toEqual([]);
  });

  test('editing keys, and Enter where nothing is sent', async () => {
    const pipeline = scene([{ role: 'AXTextArea', title: 'Text', identifier: 'text', frame: at(40) }, button('Delete')], 'text'); // prettier-ignore
    for (const name of ['backspace', 'delete', 'enter', 'a', 'space']) await key(pipeline, name);
    await key(pipeline, 's', ['alt']);
    await pipeline.run('type_text', { text: 'send it, then delete it', application: 'simulated.shop' });
    expect(new Set(effects(pipeline))).toEqual(new Set(['input']));
    const mail = scene([field('To', 40), button('Send')], 'f40');
    await mail.run('type_text', { text: 'bob', application: 'simulated.shop' });
    await key(mail, 'x', ['alt']);
    expect(effects(mail)).toEqual(['input', 'input']);
  });
});
